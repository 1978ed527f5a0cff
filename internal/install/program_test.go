package install

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheNameInPathIsWrittenIfItLeadsToTheProgram(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cellar, bin, other := filepath.Join(dir, "cellar-1.2"), filepath.Join(dir, "bin"), filepath.Join(dir, "other")
	for _, d := range []string{cellar, bin, other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	real := filepath.Join(cellar, "dormouse")
	for _, f := range []string{real, filepath.Join(other, "dormouse")} {
		if err := os.WriteFile(f, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, filepath.Join(bin, "dormouse")); err != nil {
		t.Skip("no links here:", err)
	}
	in := func(dir string) func(string) (string, error) {
		return func(n string) (string, error) {
			p := filepath.Join(dir, n)
			_, err := os.Stat(p)
			return p, err
		}
	}
	for _, tt := range []struct {
		name string
		path func(string) (string, error)
		want string
	}{
		{"a link in PATH", in(bin), filepath.Join(bin, "dormouse")},
		{"another program in PATH", in(other), real},
		{"none in PATH", in(dir), real},
		{"one that is found through the current folder", func(string) (string, error) { return "dormouse", exec.ErrDot }, real},
	} {
		if got, err := Find(real, tt.path); got != tt.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
	built := filepath.Join(dir, "go-build123", "b001", "exe", "dormouse")
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(built, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(built, in(dir)); err == nil || !strings.Contains(err.Error(), "go install") {
		t.Errorf("a program of go run: %v", err)
	}
	if _, err := Find(filepath.Join(dir, "gone"), in(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is gone: %v", err)
	}
}

func TestALineIsQuotedForItsShell(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ goos, path, want string }{
		{"linux", "/usr/local/bin/dormouse", "/usr/local/bin/dormouse hook Stop --host codex"},
		{"linux", "/opt/it's $HOME/dormouse", `'/opt/it'\''s $HOME/dormouse' hook Stop --host codex`},
		{"windows", `C:\bin\dormouse.exe`, `C:\bin\dormouse.exe hook Stop --host codex`},
		{"windows", `C:\Program Files (x86)\dormouse.exe`, `cmd /c "C:\Program Files (x86)\dormouse.exe" hook Stop --host codex`},
		{"darwin", "/Users/Zoë/dormouse", "'/Users/Zoë/dormouse' hook Stop --host codex"},
	} {
		p := Program{Path: tt.path, OS: tt.goos, Host: "codex"}
		if got := p.line("Stop"); got != tt.want || p.check(false) != nil {
			t.Errorf("%s: %s, want %s (%v)", tt.path, got, tt.want, p.check(false))
		}
	}
	for _, p := range []Program{{Path: "/a\nb", OS: "linux"}, {Path: `C:\100%\d.exe`, OS: "windows"}} {
		if p.check(false) == nil {
			t.Errorf("%q is not refused", p.Path)
		}
	}
}

// The shell itself reads what is quoted for it.
func TestTheShellFindsTheProgram(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	path := filepath.Join(t.TempDir(), `it's "$HOME" \ & co`, "dormouse")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(sh, "-c", Program{Path: path, OS: "linux", Host: "gemini"}.line("AfterAgent")).CombinedOutput()
	if want := "hook|AfterAgent|--host|gemini|"; err != nil || string(out) != want {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
}

func TestOnlyOurOwnFormIsOurs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"type":"command","command":"/a/dormouse","args":["hook","Stop"]}`:                        true,
		`{"type":"command","command":"/a/dormouse-0.3","args":["hook","Stop"],"timeout":60}`:       true,
		`{"type":"command","command":"'/a b/dormouse' hook Stop"}`:                                 true,
		`{"type":"command","command":"\"/a b/dormouse\" hook Stop --host codex"}`:                  true,
		`{"type":"command","command":"cmd /c \"C:\\x y\\dormouse.exe\" hook Stop"}`:                false, // a backslash is special to sh
		`{"type":"command","command":"dormouse hook Stop && notify"}`:                              false,
		`{"type":"command","command":"dormouse hook Stop > log"}`:                                  false,
		`{"type":"command","command":"X=1 dormouse hook Stop"}`:                                    false,
		`{"type":"command","command":"/a/dormousetrap","args":["hook","Stop"]}`:                    false,
		`{"type":"command","command":"/a/dormouse","args":["doctor"]}`:                             false,
		`{"type":"command","command":"/a/mine","args":["hook","Stop"]}`:                            true, // known
		`{"type":"http","command":"/a/dormouse","args":["hook","Stop"]}`:                           false,
		`{"type":"command","command":"/a/dormouse","args":["hook","Stop","--store","/somewhere"]}`: false,
		`{"type":"command","command":"/a/dormouse","args":["hook","Stop","--project","x"]}`:        false,
		`{"type":"command","command":5}`:                                                           false,
		`"dormouse hook Stop"`:                                                                     false,
	} {
		if h, got := oursIn(json.RawMessage(text), []string{"/a/mine"}, "linux"); got != want {
			t.Errorf("%s: %v (%+v), want %v", text, got, h, want)
		}
	}
}
