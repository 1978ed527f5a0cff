//go:build unix

package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/note"
)

// TestU19EightProcessesWriteAtOnce: each adds 25 notes, while a reader polls the
// folder as an agent would.
func TestU19EightProcessesWriteAtOnce(t *testing.T) {
	t.Parallel()
	c := layIn(t, t.TempDir(), nil)
	reader := poll(t, c.Dir)
	addFromMany(t, c, 8, 25)
	seen := reader()

	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 201 {
		t.Errorf("%d files, want 200 notes and the index", len(entries))
	}
	s := open(t, c)
	lines := map[int]bool{}
	for _, it := range must[[]Item](t)(s.List()) {
		if it.Err != nil || len(it.Note.Problems) > 0 || it.Note.Name()+".md" != it.Rel {
			t.Errorf("%s: %v %v", it.Rel, it.Err, it.Note.Problems)
		}
		lines[it.IndexLine] = true
	}
	index := string(must[[]byte](t)(s.Read(IndexName)))
	if len(lines) != 200 || lines[0] || strings.Count(index, "\n") != 200 {
		t.Errorf("%d notes have lines of their own, of %d lines", len(lines), strings.Count(index, "\n"))
	}
	if got := len(must[[]Entry](t)(s.History(""))); got != 200 {
		t.Errorf("%d changes in the journal", got)
	}
	if e := must[*Entry](t)(s.Look()); e != nil {
		t.Errorf("seen as made outside: %+v", e)
	}
	t.Logf("the reader read the index %d times", seen)
}

func addFromMany(t *testing.T, c Config, processes, notes int) {
	t.Helper()
	var running []*exec.Cmd
	for p := range processes {
		cmd := jobIn(c, job{Op: "many", Arg: fmt.Sprintf("p%d", p), Count: notes}).command(t)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// poll reads the folder over and over until it is told to stop: the index must
// never be empty or cut, once it is there, nor name a note that is not there,
// and no note may be partial. It returns how often it read the index.
func poll(t *testing.T, dir string) (stop func() int) {
	t.Helper()
	var done atomic.Bool
	var wg sync.WaitGroup
	reads, longest := 0, 0
	wg.Go(func() {
		for !done.Load() {
			b, err := os.ReadFile(filepath.Join(dir, IndexName))
			if errors.Is(err, fs.ErrNotExist) && longest == 0 {
				continue
			}
			if err != nil || !bytes.HasSuffix(b, []byte("\n")) || len(b) < longest {
				t.Errorf("the reader saw %q (%v) after %d bytes", b, err, longest)
				return
			}
			longest = len(b)
			reads++
			listed := note.ReadIndex(b).Listed()
			for _, l := range listed[max(0, len(listed)-3):] {
				text, err := os.ReadFile(filepath.Join(dir, l.Files[0]))
				if err != nil || !bytes.HasSuffix(text, []byte(".\n")) {
					t.Errorf("the reader saw the line %q and the note %q (%v)", l.Text, text, err)
					return
				}
			}
		}
	})
	return func() int {
		done.Store(true)
		wg.Wait()
		return reads
	}
}

// TestAnotherProgramWritesMeanwhile: a program that knows nothing of our lock
// writes lines of its own into the index all the time, each after reading it,
// and rewrites one note. Nothing that it wrote may be lost by us, and what it
// overwrote of ours must stand in the journal.
func TestAnotherProgramWritesMeanwhile(t *testing.T) {
	t.Parallel()
	c := layIn(t, t.TempDir(), map[string]string{IndexName: "# Index\n", "theirs.md": "0\n"})
	c.Limits = Limits{}
	var done atomic.Bool
	var wg sync.WaitGroup
	var index, text []string // what the other program left, in its order
	wg.Go(func() {
		for i := 0; !done.Load(); i++ {
			index = append(index, appendLine(t, filepath.Join(c.Dir, IndexName), fmt.Sprintf("theirs %d", i)))
			text = append(text, fmt.Sprintf("%d\n", i))
			if err := os.WriteFile(filepath.Join(c.Dir, "theirs.md"), []byte(text[len(text)-1]), 0o600); err != nil {
				t.Error(err)
			}
			time.Sleep(40 * time.Millisecond) // even a quick agent leaves a gap to write in, also for a writer that is slowed down tenfold
		}
	})
	addFromMany(t, c, 4, 10)
	done.Store(true)
	wg.Wait()
	s := open(t, c)
	must[*Entry](t)(s.Look())

	final := string(must[[]byte](t)(s.Read(IndexName)))
	for _, line := range index {
		if !strings.Contains(final, line+"\n") {
			t.Errorf("the line %q of the other program is gone", line)
		}
	}
	if b := must[[]byte](t)(s.Read("theirs.md")); string(b) != text[len(text)-1] {
		t.Errorf("its note is %q, and it wrote %q last", b, text[len(text)-1])
	}
	kept := keptTexts(t, s, IndexName)
	for p := range 4 {
		for i := range 10 {
			name := fmt.Sprintf("p%d-%d", p, i)
			if _, err := s.Read(name + ".md"); err != nil {
				t.Errorf("our note: %v", err)
			}
			// A line that the other program wrote over stands in the journal.
			if !strings.Contains(final, "("+name+".md)") && !strings.Contains(kept, "("+name+".md)") {
				t.Errorf("the line of %s is neither in the index nor in the journal", name)
			}
		}
	}
	t.Logf("the other program wrote %d times", len(text))
}

// appendLine adds a line to a file as a program does that reads it, thinks for no
// time, and writes it whole in place, unless the file was changed in between.
func appendLine(t *testing.T, path, line string) string {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Error(err)
			return line
		}
		_, err = f.WriteString(line + "\n")
		f.Close()
		if err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(line+"\n")) {
			return line
		}
	}
}

// keptTexts is all that the journal keeps of a file, one behind the other.
func keptTexts(t *testing.T, s *Store, rel string) string {
	t.Helper()
	var b strings.Builder
	for _, e := range must[[]Entry](t)(s.History(rel)) {
		for _, c := range e.Changes {
			if c.Path == rel && c.After != "" {
				b.Write(must[[]byte](t)(s.Content(c.After)))
			}
		}
	}
	return b.String()
}

// Two writes of another program, one before our file is taken out of the way and
// one right after: the first must not be lost with our temporary file.
func TestA11AWriteThatCouldNotBePutBackIsKept(t *testing.T) {
	t.Parallel()
	s := lay(t, map[string]string{"a.md": "old\n", IndexName: "- [a](a.md) — a\n"})
	must[*Entry](t)(s.Look())
	once := map[string]string{"look a.md": "theirs, first\n", "moved a.md": "theirs, second\n"}
	s.folder.Step = func(what string) {
		if text, ok := once[what]; ok {
			delete(once, what)
			other(t, s, "a.md", text)
		}
	}
	must[*Done](t)(s.Forget(human, "a.md"))
	s.folder.Step = nil
	must[*Entry](t)(s.Look())
	kept := keptTexts(t, s, "a.md")
	for _, want := range []string{"old\n", "theirs, first\n", "theirs, second\n"} {
		if !strings.Contains(kept, want) {
			t.Errorf("%q is lost; kept: %q", want, kept)
		}
	}
	for rel := range on(t, s.Dir()) {
		if strings.Contains(rel, tempPrefix) {
			t.Errorf("left behind: %s", rel)
		}
	}
}
