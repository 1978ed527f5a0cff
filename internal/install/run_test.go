package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dormouse/host"
	"dormouse/host/all"
	"dormouse/internal/atomicfile"
)

// asked is an installation into the settings of a room's host.
func (r *room) asked(t *testing.T, notes *Notes) Request {
	t.Helper()
	w, err := r.host.Wiring(r.s, r.scope)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Wiring: w, Hooks: true, Server: true, Notes: notes, Program: Program{Path: program, OS: "linux", Host: r.host.Name()}}
}

func TestInstallationsAtOnceAreOneAfterTheOther(t *testing.T) {
	for _, h := range all.Hosts() {
		wired, ok := h.(host.Wired)
		if !ok {
			continue
		}
		t.Run(h.Name(), func(t *testing.T) {
			r := newRoom(t, t.TempDir(), wired)
			before := tree(t, r.s.Env.Home)
			each := func(plan func(Request) ([]Change, error)) {
				var group sync.WaitGroup
				for range 10 {
					group.Go(func() {
						if _, err := Run(context.Background(), r.state, func(n *Notes) ([]Change, error) { return plan(r.asked(t, n)) }); err != nil {
							t.Error(err)
						}
					})
				}
				group.Wait()
			}
			each(Plan)
			if states, _ := Look(wired, r.s, &Notes{}); len(states) != 1 || states[0].Partly || states[0].Server == "" {
				t.Errorf("installed is %+v", states)
			}
			each(PlanRemoval)
			if after := tree(t, r.s.Env.Home); after != before {
				t.Errorf("left behind:\n%s\nthere was:\n%s", after, before)
			}
		})
	}
}

// tree lists a folder's files with what is in them, without Dormouse's own.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || strings.Contains(path, "dormouse") {
			return err
		}
		text := []byte(nil)
		if d.Type().IsRegular() {
			text, err = os.ReadFile(path)
		}
		all = append(all, path+" "+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

func TestAFileThatAnotherProgramChangesMeanwhile(t *testing.T) {
	for _, tc := range []struct {
		name    string
		changes int // how often the other program writes
		err     error
	}{
		{"once, and it is planned anew from what is there", 2, nil}, // once before the lock, once under it
		{"without end, and nothing is written", 1000, atomicfile.ErrChanged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRoom(t, t.TempDir(), all.Hosts()[0].(host.Wired))
			file := filepath.Join(r.s.Env.Home, ".claude.json")
			text := "{}"
			write := func() {
				text = strings.Replace(text, "{", "{ ", 1)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write()
			n := 0
			_, err := Run(context.Background(), r.state, func(notes *Notes) ([]Change, error) {
				changes, err := Plan(r.asked(t, notes))
				if n++; n <= tc.changes {
					write()
				}
				return changes, err
			})
			if !errors.Is(err, tc.err) {
				t.Fatalf("error is %v", err)
			}
			got, _ := os.ReadFile(file)
			if tc.err != nil && string(got) != text || tc.err == nil && !strings.HasSuffix(string(got), "   }") {
				t.Errorf("the file holds %q; the other program wrote %q", got, text)
			}
			if _, err := os.Stat(filepath.Join(r.s.Env.Home, ".claude", "settings.json")); (err == nil) != (tc.err == nil) {
				t.Errorf("the other file of the installation: %v", err)
			}
		})
	}
}

func TestALookAtWhatIsInstalledMakesNoFolder(t *testing.T) {
	r := newRoom(t, t.TempDir(), all.Hosts()[0].(host.Wired))
	if _, err := Run(context.Background(), r.state, func(n *Notes) ([]Change, error) { return PlanRemoval(r.asked(t, n)) }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.state); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an uninstallation of nothing made %s", r.state)
	}
}

func TestHooksWrittenByHandStay(t *testing.T) {
	hand := func(program string) string {
		return `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"` + program + `","args":["hook","SessionStart"],"timeout":7}]}]}}`
	}
	for _, tc := range []struct {
		name, settings string
		stays          bool
	}{
		{"one that is what would be installed", hand(program), true},
		{"one that calls another program is replaced", hand("/old/dormouse"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRoom(t, t.TempDir(), all.Hosts()[0].(host.Wired))
			file := filepath.Join(r.s.Env.Home, ".claude", "settings.json")
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tc.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			run := func(plan func(Request) ([]Change, error)) {
				t.Helper()
				if _, err := Run(context.Background(), r.state, func(n *Notes) ([]Change, error) { return plan(r.asked(t, n)) }); err != nil {
					t.Fatal(err)
				}
			}
			run(Plan)
			run(Plan)
			src, _ := os.ReadFile(file)
			if n := strings.Count(string(src), `"SessionStart"`); n != 2 { // the event, and in the hook
				t.Errorf("the event is named %d times:\n%s", n, src)
			}
			if states, _ := Look(r.host, r.s, &Notes{}); len(states) != 1 || states[0].Partly {
				t.Errorf("installed is %+v", states)
			}
			run(PlanRemoval)
			run(PlanRemoval) // and a second time
			src, _ = os.ReadFile(file)
			if (string(src) == tc.settings) != tc.stays {
				t.Errorf("left is %s", src)
			}
			run(Plan)
			run(PlanRemoval)
			if src, _ = os.ReadFile(file); (string(src) == tc.settings) != tc.stays {
				t.Errorf("after another round left is %s", src)
			}
		})
	}
}

func TestAWholeSetWithoutANoteIsAnInstallation(t *testing.T) {
	r := newRoom(t, t.TempDir(), all.Hosts()[0].(host.Wired))
	run := func(plan func(Request) ([]Change, error)) {
		t.Helper()
		if _, err := Run(context.Background(), r.state, func(n *Notes) ([]Change, error) { return plan(r.asked(t, n)) }); err != nil {
			t.Fatal(err)
		}
	}
	run(Plan)
	if err := os.RemoveAll(r.state); err != nil {
		t.Fatal(err)
	}
	run(Plan)
	run(PlanRemoval)
	if states, _ := Look(r.host, r.s, &Notes{}); len(states) != 0 {
		t.Errorf("left is %+v", states)
	}
}
