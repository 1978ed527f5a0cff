//go:build unix

package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/note"
)

// The test binary is also the process that is killed: with a job in its
// environment it does that and ends.
const jobVariable = "DORMOUSE_STORE_JOB"

// job is what a child process does.
type job struct {
	Dir, State string
	Limits     Limits
	Op, Arg    string
	Count      int
	Kill       int // at which step the process kills itself; 0: never
}

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		if err := doJob(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func doJob(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	s, err := Open(Config{Dir: j.Dir, State: j.State, Limits: j.Limits})
	if err != nil {
		return err
	}
	steps := 0
	s.stepper = func(string) {
		if steps++; steps == j.Kill {
			syscall.Kill(os.Getpid(), syscall.SIGKILL) //nolint:errcheck // it does not return
			select {}
		}
	}
	if s.folder != nil {
		s.folder.Step = s.stepper
	}
	if err := operations[j.Op](s, j); err != nil {
		return err
	}
	_, err = fmt.Fprintln(os.Stdout, steps)
	return errors.Join(err, s.Close())
}

func jobIn(c Config, j job) job {
	j.Dir, j.State, j.Limits = c.Dir, c.State, c.Limits
	return j
}

func (j job) command(t testing.TB) *exec.Cmd {
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	// Under the race detector each child would sleep for a second at its end.
	cmd.Env = append(os.Environ(), jobVariable+"="+string(text), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// operations are what is killed.
var operations = map[string]func(*Store, job) error{
	"add": func(s *Store, j job) error {
		_, err := s.Add(human, plainNote("new", "a new fact"), Refuse)
		return err
	},
	"add to a full index": func(s *Store, j job) error {
		s.limits = Limits{Lines: 6, Units: 25_000, WantLines: 5, WantUnits: 17_500}
		_, err := s.Add(human, plainNote("new", "a new fact"), MakeRoom)
		return err
	},
	"edit": func(s *Store, j job) error {
		b, err := s.Read("a.md")
		if err != nil {
			return err
		}
		after, err := note.Parse(b).Set("description", "quite another thing")
		if err != nil {
			return err
		}
		_, err = s.Edit(human, "a.md", b, after)
		return err
	},
	"forget": func(s *Store, j job) error { _, err := s.Forget(human, "b.md"); return err },
	"undo":   func(s *Store, j job) error { _, err := s.Undo(human, 0, Refuse); return err },
	"index":  func(s *Store, j job) error { _, err := s.FixIndex(human, Refuse); return err },
	"purge":  func(s *Store, j job) error { _, err := s.Purge(human, []byte("about")); return err },
	"many":   addMany,
}

func plainNote(name, description string) New {
	b, err := note.New(note.Fields{Name: name, Description: description, Type: "project"}, description+".")
	if err != nil {
		panic(err)
	}
	return New{File: name + ".md", Bytes: b, Line: note.Line{Title: name, Hook: description}}
}

// laid is a folder in which each operation has something to do.
func laid(t *testing.T, op string) Config {
	t.Helper()
	c := layIn(t, t.TempDir(), map[string]string{
		"a.md":    "---\nname: a\ndescription: about a\nmetadata:\n  type: user\n---\n\nSee [[b]].\n",
		"b.md":    "---\nname: b\ndescription: about b\n---\n\nText.\n",
		IndexName: "# Notes\n\n- [a](a.md) — about a\n- [b](b.md) — about b\n",
	})
	s := open(t, c)
	add(t, s, "c", "about c")
	if op == "undo" {
		must[*Done](t)(s.Forget(human, "a.md"))
	}
	if op == "index" {
		other(t, s, "orphan.md", "An orphan.\n")
	}
	if op == "edit" {
		must[*Entry](t)(s.Look())
	}
	return c
}

// TestAKilledWriterLeavesOldOrNew kills a process before every single step of
// every operation, and once more while the next one mends that.
func TestAKilledWriterLeavesOldOrNew(t *testing.T) {
	t.Parallel()
	runs := 0
	for op := range operations {
		if op == "many" {
			continue
		}
		t.Run(op, func(t *testing.T) {
			old, changed, steps := outcomes(t, op)
			for kill := 1; kill <= steps; kill++ {
				runs += killAndLook(t, op, kill, old, changed)
			}
		})
	}
	t.Logf("%d runs", runs)
}

// outcomes are the folder before and after an operation, and how many steps it
// has.
func outcomes(t *testing.T, op string) (old, changed map[string]string, steps int) {
	t.Helper()
	c := laid(t, op)
	old = on(t, c.Dir)
	out, err := jobIn(c, job{Op: op}).command(t).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := fmt.Sscan(string(out), &steps); err != nil {
		t.Fatal(err)
	}
	changed = on(t, c.Dir)
	if cmp.Equal(old, changed) || steps < 3 {
		t.Fatalf("the operation changes nothing, in %d steps", steps)
	}
	return old, changed, steps
}

func killAndLook(t *testing.T, op string, kill int, old, changed map[string]string) int {
	t.Helper()
	runs := 0
	// The second kill falls into the recovery, at a step of its own.
	for second := range 6 {
		c := laid(t, op)
		runs++
		out, err := jobIn(c, job{Op: op, Kill: kill}).command(t).CombinedOutput()
		if err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("step %d: %v %s", kill, err, out)
		}
		if second > 0 {
			jobIn(c, job{Op: "index", Kill: second}).command(t).Run() //nolint:errcheck // it may come to its end
		}
		s := open(t, c)
		if _, err := s.Look(); err != nil {
			t.Fatalf("step %d: %v", kill, err)
		}
		got := on(t, c.Dir)
		if op == "purge" {
			agree(t, s, kill) // it is several changes, one behind the other
		} else if !cmp.Equal(got, old) && !cmp.Equal(got, changed) {
			t.Errorf("step %d: neither old nor new: %s", kill, cmp.Diff(changed, got))
		}
		for rel := range got {
			if strings.Contains(rel, tempPrefix) {
				t.Errorf("step %d: left behind: %s", kill, rel)
			}
		}
		if _, err := s.History(""); err != nil {
			t.Errorf("step %d: %v", kill, err)
		}
		if e, err := s.Look(); e != nil || err != nil {
			t.Errorf("step %d: a second look found %+v, %v", kill, e, err)
		}
	}
	return runs
}

// agree checks that each note has its line and each line its note, and that no
// note is half a one.
func agree(t *testing.T, s *Store, at int) {
	t.Helper()
	for _, it := range must[[]Item](t)(s.List()) {
		if it.Err != nil || it.IndexLine == 0 && it.Page == "" {
			t.Errorf("%d: %s: line %d, error %v", at, it.Rel, it.IndexLine, it.Err)
		}
		if b := it.Note.Bytes(); len(b) == 0 || b[len(b)-1] != '\n' {
			t.Errorf("%d: %s is partial: %q", at, it.Rel, b)
		}
	}
	index := must[[]byte](t)(s.Read(IndexName))
	for _, l := range note.ReadIndex(index).Listed() {
		if _, err := s.Read(l.Files[0]); err != nil {
			t.Errorf("%d: line %q: %v", at, l.Text, err)
		}
	}
}

// addMany adds so many notes whose names begin with the argument.
func addMany(s *Store, j job) error {
	for i := range j.Count {
		if _, err := s.Add(human, plainNote(fmt.Sprintf("%s-%d", j.Arg, i), "fact "+j.Arg), Refuse); err != nil {
			return err
		}
	}
	return nil
}

// TestKilledAtRandom kills writers whenever, many at once.
func TestKilledAtRandom(t *testing.T) {
	t.Parallel()
	c := layIn(t, t.TempDir(), nil)
	c.Limits = Limits{}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 20 {
		var running []*exec.Cmd
		for k := range 3 {
			cmd := jobIn(c, job{Op: "many", Arg: fmt.Sprintf("r%d-%d", round, k), Count: 4, Kill: 1 + r.IntN(50)}).command(t)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			running = append(running, cmd)
		}
		for _, cmd := range running {
			cmd.Wait() //nolint:errcheck // it is meant to be killed
		}
		s := open(t, c)
		must[*Entry](t)(s.Look())
		agree(t, s, round)
		if t.Failed() {
			for _, e := range must[[]Entry](t)(s.History("")) {
				t.Logf("%+v", e)
			}
			t.FailNow()
		}
		if _, err := s.History(""); err != nil {
			t.Fatal(err)
		}
		must[any](t)(nil, s.Close())
	}
	for rel := range on(t, c.Dir) {
		if strings.Contains(rel, tempPrefix) {
			t.Errorf("left behind: %s", rel)
		}
	}
}
