package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/startup"
	"dormouse/testkit"
)

// TestContextSaysWhatTheRecordedClientSent runs every recorded case through the
// command line.
func TestContextSaysWhatTheRecordedClientSent(t *testing.T) {
	files, err := filepath.Glob("../../host/claude/testdata/*/*.json")
	if err != nil || len(files) < 72 {
		t.Fatalf("%d cases found, there must be 72 at least (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			c, err := testkit.ReadCase(file)
			if err != nil {
				t.Fatal(err)
			}
			l := layCase(t, c)
			if c.Agent != "" {
				checkAgent(t, l, c)
				return
			}
			_, rep := contextOf(t, l)
			for _, d := range l.Compare(c.Want, rep) {
				t.Error(d)
			}
		})
	}
}

// checkAgent compares what a subagent was given of its own memory.
func checkAgent(t *testing.T, l *testkit.Layout, c *testkit.Case) {
	code, out, stderr := run(l, append([]string{"context", "--json", "--agent", c.Agent}, l.Args...)...)
	want := c.Want.Agent
	rep := &startup.Report{}
	if err := json.Unmarshal([]byte(out), rep); err != nil {
		if want != nil {
			t.Fatalf("exit %d: %s; the client gave it %+v", code, stderr, want)
		}
		return
	}
	if want == nil {
		if rep.Mem.On {
			t.Errorf("the client gave it no memory, we say %s", rep.Mem.Dir)
		}
		return
	}
	if got, _ := filepath.Rel(l.Root, rep.Mem.Dir); got != l.Expand(want.Dir) {
		t.Errorf("folder %s, the client uses %s", got, l.Expand(want.Dir))
	}
	const none = "Your MEMORY.md is currently empty."
	got := none
	if n := len(rep.Loaded); n > 0 && rep.Loaded[n-1].Path == filepath.Join(rep.Mem.Dir, "MEMORY.md") {
		got = rep.Loaded[n-1].Text
	}
	if !strings.HasPrefix(want.Index, got) || strings.HasPrefix(want.Index, none) != (got == none) {
		t.Errorf("index %.200q, the client gave %.200q", got, want.Index)
	}
}

// layCase lays a case in a folder of the test.
func layCase(t *testing.T, c *testkit.Case) *testkit.Layout {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.Lay(root, claude.FolderName)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// contextOf runs dormouse context --json in a layout.
func contextOf(t *testing.T, l *testkit.Layout) (code int, rep *startup.Report) {
	t.Helper()
	args := append([]string{"context", "--json"}, l.Args...)
	for _, r := range l.Reads {
		args = append(args, "--read", r)
	}
	code, out, stderr := run(l, args...)
	rep = &startup.Report{}
	if err := json.Unmarshal([]byte(out), rep); err != nil {
		t.Fatalf("exit %d, no JSON: %v\n%s%s", code, err, out, stderr)
	}
	return code, rep
}

// run runs one command line in a layout.
func run(l *testkit.Layout, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	streams := ioOf(l)
	streams.Out, streams.Err = &out, &errs
	code = Main(args, streams)
	return code, out.String(), errs.String()
}

// ioOf is the outside of a command that runs in a layout.
func ioOf(l *testkit.Layout) *IO {
	return &IO{
		In:    strings.NewReader(""),
		Getwd: func() (string, error) { return l.Cwd, nil },
		Now:   time.Now,
		Env: host.Env{
			Home: l.Home, OS: "linux", Root: filepath.Join(l.Root, "machine"),
			Getenv: func(name string) string { return l.Env[name] },
			Lookup: func(name string) (string, bool) {
				v, ok := l.Env[name]
				return v, ok
			},
		},
	}
}
