package find

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/recall"
	"dormouse/trust"
)

// said are lines of a session log: what the person typed, what the agent said, and
// what a tool gave.
func typed(n int, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s1","timestamp":"2026-11-30T10:00:%02dZ","version":"2.1.332","cwd":"/p","origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human","message":{"role":"user","content":%q}}`, n, n%60, text) + "\n"
}

func answered(n int, text string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","sessionId":"s1","timestamp":"2026-11-30T10:00:%02dZ","version":"2.1.332","message":{"role":"assistant","content":[{"type":"text","text":%q}]}}`, n, n%60, text) + "\n"
}

func resulted(n int, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"r%d","sessionId":"s1","timestamp":"2026-11-30T10:00:%02dZ","version":"2.1.332","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":%q}]}}`, n, n%60, text) + "\n"
}

func (w *world) log(name, text string) string {
	w.t.Helper()
	path := filepath.Join(filepath.Dir(w.dir), "logs", name)
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// turns are the hits of sessions.
func (w *world) turns(text string, index bool) []Hit {
	w.t.Helper()
	f := w.finder(w.state)
	f.manyBytes = 1 << 40
	if index {
		f.manyBytes = 1
	}
	a, err := f.Find(w.t.Context(), Question{Query: recall.Query{Text: text, Kinds: []recall.Kind{recall.Turn}}})
	must(w.t, err)
	if len(a.Problems) > 0 || a.Uncached != nil {
		w.t.Fatalf("%v, %v", a.Problems, a.Uncached)
	}
	return a.Hits
}

func TestWhatWasSaidInASessionIsFound(t *testing.T) {
	for _, index := range []bool{false, true} {
		w := newWorld(t)
		w.logs = []string{w.log("s1.jsonl", typed(1, "hello")+typed(2, "we keep zebras in the barn")+answered(3, "Fine, the zebras stay there.")+resulted(4, "zebra zebra zebra out of a file"))}
		for range 2 {
			hits := w.turns("zebra barn", index)
			if len(hits) < 2 { // what was said beside it may come, too
				t.Fatalf("found %+v", hits)
			}
			for _, h := range hits {
				if strings.Contains(h.Excerpt, "out of a file") {
					t.Errorf("a tool's result was found: %+v", h)
				}
			}
			h := hits[0]
			if h.Line != 2 || h.Type != "user" || h.Origin != trust.UserTurn || h.Session != "s1" || h.Excerpt != "we keep zebras in the barn" || !h.Date.Equal(time.Date(2026, 11, 30, 10, 0, 2, 0, time.UTC)) {
				t.Errorf("found %+v", h)
			}
			if h := hits[1]; h.Line != 3 || h.Origin != trust.Agent || h.Type != "assistant" {
				t.Errorf("found %+v", h)
			}
		}
	}
}

func TestASessionThatGoesOnIsReadOn(t *testing.T) {
	w := newWorld(t)
	path := w.log("s1.jsonl", typed(1, "first a zebra"))
	w.logs = []string{path}
	more := func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(text)
		must(t, err)
		must(t, f.Close())
	}
	lines := func() string {
		out := ""
		for _, h := range w.turns("zebra", true) {
			out += fmt.Sprint(h.Line, " ")
		}
		return out
	}
	if got := lines(); got != "1 " {
		t.Errorf("lines %s", got)
	}
	next := typed(2, "then a second zebra there")
	more(next[:40]) // somebody is just writing it
	if got := lines(); got != "1 " {
		t.Errorf("with half a line: lines %s", got)
	}
	more(next[40:] + answered(3, "and a third zebra, further down the road"))
	if got := strings.Fields(lines()); len(got) != 3 {
		t.Errorf("lines %s", got)
	}
	must(t, os.WriteFile(path, []byte(typed(1, "another session begins here, with no animal in it, and it is longer than the other")+strings.Repeat(typed(2, "nothing"), 5)), 0o600))
	if got := lines(); got != "" {
		t.Errorf("of another text: lines %s", got)
	}
}

func TestSecretsOfASessionAreNeitherShownNorKept(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	w := newWorld(t)
	w.logs = []string{w.log("s1.jsonl", typed(1, "the zebra token is "+secret+" for now"))}
	for range 2 {
		hits := w.turns("zebra token", true)
		if len(hits) != 1 || strings.Contains(hits[0].Excerpt, secret[:12]) || !strings.Contains(hits[0].Excerpt, "[secret:") {
			t.Fatalf("found %+v", hits)
		}
	}
	err := filepath.WalkDir(w.state, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if b, _ := os.ReadFile(path); strings.Contains(strings.ToLower(string(b)), strings.ToLower(secret[4:16])) {
				t.Errorf("%s holds it", path)
			}
		}
		return err
	})
	must(t, err)
}

func TestWhatIsKeptOfASessionGoesWithIt(t *testing.T) {
	w := newWorld(t)
	one, two := w.log("s1.jsonl", typed(1, "a zebra")), w.log("s2.jsonl", typed(1, "another zebra"))
	w.logs = []string{one, two}
	w.turns("zebra", true)
	kept := func() int {
		list, _ := filepath.Glob(filepath.Join(w.state, cacheName, "*", "*"+turnEnding))
		return len(list)
	}
	if kept() != 2 {
		t.Fatalf("%d are kept", kept())
	}
	must(t, os.Remove(one))
	w.logs = []string{two}
	w.turns("zebra", true)
	if kept() != 1 {
		t.Errorf("%d are kept", kept())
	}
}

func TestADamagedSessionIndexIsMadeAnew(t *testing.T) {
	w := newWorld(t)
	w.logs = []string{w.log("s1.jsonl", typed(1, "a zebra"))}
	w.turns("zebra", true)
	list, _ := filepath.Glob(filepath.Join(w.state, cacheName, "*", "*"+turnEnding))
	b, err := os.ReadFile(list[0])
	must(t, err)
	for i := 0; i < len(b); i += 7 {
		bad := append([]byte{}, b...)
		bad[i] ^= 1
		must(t, os.WriteFile(list[0], bad, 0o600))
		if hits := w.turns("zebra", true); len(hits) != 1 || hits[0].Excerpt != "a zebra" {
			t.Fatalf("with byte %d changed: %+v", i, hits)
		}
	}
}

func TestASectionOfTheInstructionsIsFound(t *testing.T) {
	w := newWorld(t)
	text := "# Project\n\nIntro.\n\n## Animals\n\n```sh\n# zebra in code is no heading\n```\n\nFeed the zebra at noon.\n\n## Other\n\nNothing.\n"
	path := filepath.Join(filepath.Dir(w.dir), "CLAUDE.md")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	w.files = []string{path, path, filepath.Join(filepath.Dir(w.dir), "none.md")}
	a := w.ask(Question{Query: recall.Query{Text: "when is the zebra fed at noon"}})
	if len(a.Hits) != 1 || len(a.Problems) != 1 {
		t.Fatalf("%+v", a)
	}
	h := a.Hits[0]
	if h.Path != path || h.Line != 11 || h.Title != "Project / Animals" || h.Origin != trust.Human || !strings.Contains(h.Excerpt, "Feed the zebra at noon.") {
		t.Errorf("found %+v", h)
	}
}

func TestWhatAForkedSessionRepeatsComesOnce(t *testing.T) {
	w := newWorld(t)
	lines := typed(1, "a zebra in the barn")
	w.logs = []string{w.log("s1.jsonl", lines), w.log("s2.jsonl", strings.ReplaceAll(lines, `"s1"`, `"s2"`)+typed(9, "and a zebra outside"))}
	if hits := w.turns("zebra barn", true); len(hits) != 2 {
		t.Errorf("found %+v", hits)
	}
}
