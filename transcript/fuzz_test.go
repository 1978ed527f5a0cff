package transcript

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// check reads a log and looks at what must hold of any.
func check(t interface {
	Helper()
	Errorf(string, ...any)
}, log []byte,
) (turns []*Turn, st Stats, err error) {
	t.Helper()
	st, err = Read(bytes.NewReader(log), &Seen{}, func(x *Turn) error {
		turns = append(turns, x)
		return nil
	})
	if err != nil && !errors.Is(err, ErrFormat) {
		t.Errorf("%v", err)
	}
	size := 0
	for _, x := range turns {
		if x.Line < 1 || x.Line > st.Lines || x.Host == "" || x.Role == "" {
			t.Errorf("turn %+v of %+v", x, st)
		}
		for _, b := range x.Blocks {
			size += len(b.Text)
			switch {
			case len(b.Text) > MaxText || len(b.Input) > MaxText || !utf8.ValidString(b.Text):
				t.Errorf("block %+v", b)
			case b.Origin == "" || b.Kind == "":
				t.Errorf("block without origin or kind: %+v", b)
			case b.Origin == Person && (x.Role != User || b.Kind != Text || x.Sidechain):
				t.Errorf("a person's: %+v of %+v", b, x)
			}
		}
	}
	if st.Turns != len(turns) || len(st.Unknown) > maxUnknown+1 || size > 8*len(log) {
		t.Errorf("%d turns, %d bytes of text, %+v", len(turns), size, st)
	}
	return turns, st, err
}

func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	logs, err := filepath.Glob("testdata/*-*.json*")
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	out := map[string][]byte{}
	for _, log := range logs {
		b, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		out[log] = b
	}
	return out
}

func FuzzRead(f *testing.F) {
	for _, row := range []string{modern("hi"), typedRow, createRow, editRow, reminder, agentRow, `[{"sessionId":"s","messageId":0,"type":"user","message":"x"}]`} {
		f.Add([]byte(row))
	}
	for name, log := range recorded(f) {
		if !strings.Contains(name, "claude") {
			f.Add(log)
		}
	}
	f.Add([]byte(`{"sessionId":"a","projectHash":"b","messages":[{"id":"1","type":"user","content":"x"},,]}`))
	f.Add([]byte(`{"type":"user","toolUseResult":{"filePath":"x","originalFile":"a\nb","structuredPatch":[{"oldStart":-3,"oldLines":99,"lines":["",null]}]},"message":{"content":[{"type":"tool_result"}]}}`))
	f.Fuzz(func(t *testing.T, log []byte) {
		turns, st, err := check(t, log)
		if err != nil && (len(turns) > 0 || st.Host != "") {
			t.Errorf("%d turns of %q, and %v", len(turns), st.Host, err)
		}
	})
}

func TestHowALogArrivesChangesNothing(t *testing.T) {
	t.Parallel()
	for name, log := range recorded(t) {
		want, _, err := check(t, log)
		if err != nil {
			t.Fatal(name, err)
		}
		var got []*Turn
		if _, err := Read(iotest.OneByteReader(bytes.NewReader(log)), &Seen{}, func(x *Turn) error { got = append(got, x); return nil }); err != nil {
			t.Fatal(name, err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %d turns at once, %d byte by byte", name, len(want), len(got))
		}
	}
}

// A log that is damaged anywhere gives no turn of a person that the whole one does
// not have, but for the damage in the text itself.
func TestADamagedLogMakesNothingAPersons(t *testing.T) {
	t.Parallel()
	logs := recorded(t)
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom([]string{"testdata/claude-terminal.jsonl", "testdata/claude-agent.jsonl", "testdata/codex-events.jsonl", "testdata/gemini-pretty.json"}).Draw(r, "log")
		log := bytes.Clone(logs[name])
		persons := func(turns []*Turn) (texts map[string]bool) {
			texts = map[string]bool{}
			for _, x := range turns {
				for _, b := range x.Blocks {
					if b.Origin == Person {
						texts[b.Text] = true
					}
				}
			}
			return texts
		}
		whole, _, _ := check(t, log)
		least := 0
		if strings.Contains(name, "codex") {
			// Without an event a rollout counts as one of the kind that has none.
			least = bytes.Index(log, []byte(`"kind":"plain"`)) + 20
		}
		from := rapid.IntRange(least, len(log)-1).Draw(r, "from")
		to := min(len(log), from+rapid.IntRange(1, 300).Draw(r, "length"))
		for i := from; i < to; i++ {
			if log[i] != '\n' {
				log[i] = 0
			}
		}
		before := persons(whole)
		after, _, _ := check(t, log)
		for text := range persons(after) {
			if !before[text] {
				r.Fatalf("%s: %q became a person's with %d to %d gone", name, text, from, to)
			}
		}
	})
}
