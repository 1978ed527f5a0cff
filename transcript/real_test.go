package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dataDir is the folder of measuring data beside the repository, which is not
// ours to copy.
func dataDir() string {
	if d := os.Getenv("DATA"); d != "" {
		return d
	}
	return "../../shared/data"
}

func TestOlderLogsOfOtherProjectsAreRead(t *testing.T) {
	t.Parallel()
	logs, _ := filepath.Glob(filepath.Join(dataDir(), "sessions", "*.jsonl"))
	if len(logs) == 0 {
		t.Skipf("no logs in %s (set DATA)", dataDir())
	}
	want := map[string]string{
		"agentsview-fc_args_1.jsonl":                    "codex : 3 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:1 person:1]",
		"agentsview-fc_args_2.jsonl":                    "codex : 3 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:1 person:1]",
		"agentsview-fc_stdin.jsonl":                     "codex : 3 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:1 person:1]",
		"agentsview-function_calls.jsonl":               "codex : 4 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:2 person:1]",
		"agentsview-standard_session.jsonl":             "codex : 3 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:1 person:1]",
		"agentsview-valid_session.jsonl":                "claude : 4 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:3 person:2]",
		"claude-code-log-edge_cases.jsonl":              "claude 1.0.0: 19 lines, 4 bad, 0 copies, 1 failed, unknown map[(none):1], map[agent:5 injected:3 person:3 summary:1 tool:1]",
		"claude-code-log-representative_messages.jsonl": "claude 1.0.0: 12 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:5 person:4 summary:1 tool:2]",
		"claude-code-log-session_b.jsonl":               "claude 1.0.0: 3 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:1 person:2]",
		"claude-code-log-todowrite_examples.jsonl":      "claude 1.0.24: 12 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:6 person:2 summary:1 tool:3]",
		"simonw-sample_session.jsonl":                   "claude : 8 lines, 0 bad, 0 copies, 0 failed, unknown map[], map[agent:4 person:2 summary:1 tool:2]",
	}
	got := map[string]string{}
	for _, log := range logs {
		f, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		origins := map[Origin]int{}
		failed := 0
		st, err := Read(f, &Seen{}, func(x *Turn) error {
			for _, b := range x.Blocks {
				origins[b.Origin]++
				if b.Failed {
					failed++
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", log, err)
		}
		if _, ok := want[filepath.Base(log)]; !ok {
			continue // other data than this was written on
		}
		got[filepath.Base(log)] = fmt.Sprintf("%s %s: %d lines, %d bad, %d copies, %d failed, unknown %v, %v", st.Host, st.Version, st.Lines, st.Bad, st.Duplicates, failed, st.Unknown, origins)
	}
	for name := range want {
		if got[name] == "" {
			delete(want, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
