package transcript

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row as Claude Code 2.1.332 writes it, shortened.
const (
	typedRow  = `{"parentUuid": null, "isSidechain": false, "type": "user", "message": {"role": "user", "content": "never force-push here"}, "timestamp": "2026-11-30T15:58:28.993Z", "sessionId": "s"}`
	createRow = `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"File created"}]},"toolUseResult":{"type":"create","filePath":"/m/n.md","content":"---\nname: \"n\"\n---\n\nNever force-push.","structuredPatch":[],"originalFile":null,"memdirStamped":true},"sessionId":"s"}`
	editRow   = `{"type":"user","message":{"content":[{"type":"tool_result","content":"updated"}]},"toolUseResult":{"filePath":"/m/n.md","oldString":"push.","newString":"push here.","originalFile":"---\nmodified: 1\n---\n\nNever force-push.","structuredPatch":[{"oldStart":1,"oldLines":5,"newStart":1,"newLines":5,"lines":[" ---","-modified: 1","+modified: 2"," ---"," ","-Never force-push.","\\ No newline at end of file","+Never force-push here.","\\ No newline at end of file"]}]},"sessionId":"s"}`
	readRow   = `{"type":"user","message":{"content":[{"type":"tool_result","content":"text"}]},"toolUseResult":{"type":"text","file":{"filePath":"/m/n.md","content":"text"}},"sessionId":"s"}`
	bashRow   = `{"type":"user","message":{"content":[{"type":"tool_result","content":"user: always run x"}]},"toolUseResult":{"stdout":"user: always run x"},"sessionId":"s"}`
	sideRow   = `{"type":"user","isSidechain":true,"message":{"content":"a prompt that the agent wrote"},"sessionId":"s"}`
	metaRow   = `{"type":"user","isMeta":true,"message":{"content":"Caveat: …"},"sessionId":"s"}`
	compacted = `{"type":"user","isCompactSummary":true,"message":{"content":"the user said …"},"sessionId":"s"}`
	reminder  = `{"type":"user","message":{"content":[{"type":"text","text":"<system-reminder>do x</system-reminder>"},{"type":"text","text":"hello there"},{"type":"text","text":"<bash-stdout>x</bash-stdout>\\nrun y"}]},"sessionId":"s"}`
	unclosed  = `{"type":"user","message":{"content":"hi <system-reminder>do x"},"sessionId":"s"}`
	teammate  = `{"type":"user","message":{"content":"<teammate-message>run x</teammate-message>"},"sessionId":"s"}`
	notified  = `{"type":"user","turnOrigin":"task-notification","message":{"content":"run x"},"sessionId":"s"}`
	internal  = `{"type":"user","userType":"internal","message":{"content":"run x"},"sessionId":"s"}`
	origin    = `{"type":"user","origin":{"kind":"x"},"message":{"content":"run x"},"sessionId":"s"}`
	byTool    = `{"type":"user","sourceToolUseID":"t","message":{"content":"run x"},"sessionId":"s"}`
	goesOn    = `{"type":"user","message":{"content":"This session is being continued from a previous conversation. Run x."},"sessionId":"s"}`
	recalled  = `{"type":"user","message":{"content":"<memory-1>run x</memory-1>"},"sessionId":"s"}`
	assistant = `{"type":"assistant","message":{"content":[{"type":"text","text":"\"type\":\"user\""}]},"sessionId":"s"}`
)

func events(t *testing.T, r io.Reader) (out []string, st Stats) {
	t.Helper()
	st, err := Claude(r, func(e Event) error {
		if e.Session != "s" {
			t.Errorf("session %q", e.Session)
		}
		if e.Typed != "" {
			out = append(out, fmt.Sprintf("%d typed %q", e.Line, e.Typed))
		} else {
			out = append(out, fmt.Sprintf("%d wrote %s %q", e.Line, e.File, e.Content))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, st
}

func TestWhatAPersonTypedAndWhatTheAgentWrote(t *testing.T) {
	t.Parallel()
	log := strings.Join([]string{typedRow, createRow, editRow, readRow, bashRow, sideRow, metaRow, compacted, reminder, unclosed, teammate, notified, internal, origin, byTool, goesOn, recalled, assistant, `{"type":"user", cut`}, "\n")
	got, st := events(t, strings.NewReader(log))
	want := []string{
		`1 typed "never force-push here"`,
		`2 wrote /m/n.md "---\nname: \"n\"\n---\n\nNever force-push."`,
		`3 wrote /m/n.md "---\nmodified: 2\n---\n\nNever force-push here."`,
		`9 typed "hello there"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if st.Lines != 19 || st.Bad != 1 {
		t.Errorf("%+v", st)
	}
}

// Prompts of the terminal have an origin, {"kind":"human"}, which headless ones
// have not.
func TestWhatWasTypedInTheTerminalIsTyped(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"terminal": {"typed by hand: always use tabs", "look at this:\nand tell me", "slow please", "queued while busy: never push", "ask please", "# remember hash line", "last typed one"},
		"refused":  {"ask please", "feedback text: use make instead", "question", "done typed", "after compaction typed"},
		"agent":    {"Agent please."},
		"subagent": nil,
	}
	for name, want := range want {
		f, err := os.Open("testdata/claude-" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var got []string
		if _, err := Claude(f, func(e Event) error {
			if e.Typed != "" {
				got = append(got, e.Typed)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAHugeLineIsPassedOver(t *testing.T) {
	t.Parallel()
	huge := io.MultiReader(strings.NewReader(`{"type":"user","message":{"content":"`), io.LimitReader(letters{}, MaxLine+10), strings.NewReader("\"}}\n"+typedRow+"\n"))
	got, st := events(t, huge)
	if len(got) != 1 || st.TooLong != 1 || st.Lines != 2 {
		t.Errorf("%q, %+v", got, st)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestAnErrorOfTheVisitorEndsIt(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	st, err := Claude(strings.NewReader(typedRow+"\n"+typedRow+"\n"), func(Event) error { return stop })
	if !errors.Is(err, stop) || st.Lines != 1 {
		t.Errorf("%v, %+v", err, st)
	}
}

func FuzzClaude(f *testing.F) {
	for _, row := range []string{typedRow, createRow, editRow, reminder, unclosed} {
		f.Add(row)
	}
	f.Add(`{"type":"user","toolUseResult":{"filePath":"x","originalFile":"a\nb","structuredPatch":[{"oldStart":-3,"oldLines":99,"lines":["",null]}]}}`)
	f.Fuzz(func(t *testing.T, log string) {
		if _, err := Claude(strings.NewReader(log), func(Event) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}
