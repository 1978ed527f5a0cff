package transcript

import (
	"strings"
	"testing"
)

// sessionLines is a session; @ stands for its id.
const sessionLines = `{"type":"user","uuid":"@-1","sessionId":"@","timestamp":"2026-11-30T10:00:00.000Z","version":"2.1.332","turnOrigin":"sdk","message":{"role":"user","content":"use pnpm instead"}}
{"type":"assistant","uuid":"@-2","sessionId":"@","timestamp":"2026-11-30T10:00:01.000Z","version":"2.1.332","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make test"}}]}}
`

func copyOf(id string) string { return strings.ReplaceAll(sessionLines, "@", id) }

func TestACopyOfASessionWithIdsOfItsOwnCountsOnce(t *testing.T) {
	tests := map[string]struct {
		second     string
		turns, dup int
	}{
		"the same words at the same moments": {copyOf("b"), 0, 2},
		"the same words on another day":      {strings.ReplaceAll(copyOf("b"), "11-30", "12-01"), 2, 0},
		"other words at the same moments":    {strings.ReplaceAll(strings.ReplaceAll(copyOf("b"), "pnpm", "bun"), "make", "just"), 2, 0},
		"no time":                            {strings.ReplaceAll(copyOf("b"), "timestamp", "when"), 2, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			seen := &Seen{}
			pass := func(*Turn) error { return nil }
			if st, err := Read(strings.NewReader(copyOf("a")), seen, pass); err != nil || st.Turns != 2 {
				t.Fatalf("%+v, %v", st, err)
			}
			st, err := Read(strings.NewReader(tt.second), seen, pass)
			if err != nil || st.Turns != tt.turns || st.Duplicates != tt.dup {
				t.Errorf("%d turns, %d copies, %v", st.Turns, st.Duplicates, err)
			}
		})
	}
}

func TestASessionThatRepeatsItselfKeepsItsTurns(t *testing.T) {
	text := copyOf("a") + strings.ReplaceAll(copyOf("a"), "a-", "c-")
	if st, err := Read(strings.NewReader(text), &Seen{}, func(*Turn) error { return nil }); err != nil || st.Turns != 4 {
		t.Errorf("%+v, %v", st, err)
	}
}
