//go:build linux || darwin

package find

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dormouse/recall"
	"dormouse/store"
	"dormouse/trust"
)

// The variables that make this program search and print, instead of testing.
const (
	childDir   = "FIND_TEST_DIR"
	childKill  = "FIND_TEST_KILL"  // the step of a write at which it ends itself
	childFsize = "FIND_TEST_FSIZE" // the largest file it may write, in bytes
	childTimes = "FIND_TEST_TIMES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child searches as a process of its own.
func child(dir string) {
	w := &world{dir: dir, state: filepath.Join(filepath.Dir(dir), "state")}
	if n, err := strconv.ParseUint(os.Getenv(childFsize), 10, 64); err == nil {
		signal.Ignore(unix.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
	st, err := store.Open(store.Config{Dir: w.dir, State: w.state})
	if err != nil {
		panic(err)
	}
	f := Open(Config{Stores: []Folder{{st, trust.NewGuard(trust.Policy{})}}, State: w.state})
	f.clock, f.manyNotes = func() time.Time { return time.Now().Add(time.Minute) }, 4
	left, _ := strconv.Atoi(os.Getenv(childKill))
	f.step = func(string) {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	times, _ := strconv.Atoi(os.Getenv(childTimes))
	for range max(1, times) {
		a, err := f.Find(context.Background(), Question{Query: recall.Query{Text: "zebra", Limit: 50}})
		if err != nil {
			panic(err)
		}
		var rels []string
		for _, h := range a.Hits {
			rels = append(rels, h.Rel)
		}
		fmt.Fprintln(os.Stdout, strings.Join(sorted(rels), " "), "uncached:", a.Uncached != nil)
	}
}

func (w *world) run(env ...string) (string, error) {
	w.t.Helper()
	exe, err := os.Executable()
	must(w.t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), append(env, childDir+"="+w.dir)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestSeveralProcessesAtOnceAgree(t *testing.T) {
	w := newWorld(t)
	w.many(50)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	const processes, times = 4, 12
	outs := make([]string, processes)
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() { outs[i], _ = w.run(childTimes + "=" + strconv.Itoa(times)) })
	}
	for i := range 20 { // they come while the others look
		w.note(fmt.Sprintf("new%02d.md", i), "project", "more", "Nothing of the kind.")
	}
	wg.Wait()
	for _, out := range outs {
		if got := strings.Count(out, "a.md uncached: false\n"); got != times || strings.Count(out, "\n") != times {
			t.Errorf("of %d answers %d are right:\n%.2000s", times, got, out)
		}
	}
	equal(t, w.paths("zebra"), []string{"a.md"})
	w.tidy()
}

// tidy checks that the cache holds what its table names, and nothing else.
func (w *world) tidy() {
	w.t.Helper()
	c := w.finder(w.state).cacheOf(w.state, keyOf(w.dir))
	tab, _, err := c.read()
	must(w.t, err)
	entries, err := os.ReadDir(w.cacheDir())
	must(w.t, err)
	if len(entries) != 2+len(tab.segs) {
		w.t.Errorf("%d files for %d segments, a table and a lock: %v", len(entries), len(tab.segs), entries)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			w.t.Errorf("%s: mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
}

func TestAProcessThatIsKilledWhileItWritesLeavesNothingWrong(t *testing.T) {
	for step := 1; ; step++ {
		w := newWorld(t)
		w.many(8)
		w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
		if step%2 == 0 {
			w.paths("zebra") // there is an index already, which it would change
			w.note("b.md", "project", "on the zebra", "The zebra sleeps.")
		}
		_, err := w.run(childKill + "=" + strconv.Itoa(step))
		if err == nil {
			if step < 5 {
				t.Fatalf("only %d steps", step)
			}
			break // it came to its end before this step
		}
		want := []string{"a.md"}
		if step%2 == 0 {
			want = append(want, "b.md")
		}
		equal(t, sorted(w.paths("zebra")), want)
		w.tidy()
	}
}

func TestWithoutRoomOnTheDiskTheAnswerIsTheSame(t *testing.T) {
	w := newWorld(t)
	w.many(8)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	for _, most := range []string{"1", "100", "500"} {
		out, err := w.run(childFsize+"="+most, childTimes+"=2")
		if err != nil || out != strings.Repeat("a.md uncached: true\n", 2) {
			t.Errorf("with %s bytes: %v, %s", most, err, out)
		}
	}
	equal(t, w.paths("zebra"), []string{"a.md"})
	w.tidy()
}

func TestWhereNothingCanBeWrittenTheAnswerIsTheSame(t *testing.T) {
	w := newWorld(t)
	w.many(8)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	must(t, os.Mkdir(w.state, 0o700))
	must(t, os.WriteFile(filepath.Join(w.state, cacheName), []byte("a file"), 0o600))
	a := w.ask(Question{Query: recall.Query{Text: "zebra"}})
	if len(a.Hits) != 1 || a.Uncached == nil {
		t.Errorf("%d hits, %v", len(a.Hits), a.Uncached)
	}
}

func TestAPurgeLeavesNothingOfAnIndex(t *testing.T) {
	w := newWorld(t)
	w.many(8)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	if n, err := Purge(w.state); n != 0 || err != nil {
		t.Errorf("of nothing %d, %v", n, err)
	}
	w.paths("zebra")
	if n, err := Purge(w.state); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	entries, err := os.ReadDir(w.cacheDir())
	must(t, err)
	if len(entries) != 1 || entries[0].Name() != lockName {
		t.Errorf("left: %v", entries)
	}
	equal(t, w.paths("zebra"), []string{"a.md"})
}

func TestAnIndexThatIsCutWhileItIsMappedEndsNoProcess(t *testing.T) {
	w := newWorld(t)
	w.many(400)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	equal(t, w.paths("zebra"), []string{"a.md"})
	f := w.finder(w.state)
	cut := 0
	f.step = func(what string) {
		if what != "answer" || cut > 0 {
			return
		}
		segs, err := filepath.Glob(filepath.Join(w.cacheDir(), "*"+segEnding))
		must(t, err)
		for _, path := range append(segs, filepath.Join(w.cacheDir(), tableName)) {
			must(t, os.Truncate(path, 0))
			cut++
		}
	}
	a, err := f.Find(context.Background(), Question{Query: recall.Query{Text: "zebra"}})
	must(t, err)
	if cut == 0 || len(a.Hits) != 1 || a.Hits[0].Rel != "a.md" {
		t.Errorf("%d files cut, %+v", cut, a.Hits)
	}
	equal(t, w.paths("zebra"), []string{"a.md"})
}

func TestAQuickLookSeesWhatCameAndWhatIsShownAsItIs(t *testing.T) {
	w := newWorld(t)
	w.many(quickFiles + 10)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	ask := func() []string {
		t.Helper()
		f := w.finder(w.state)
		a, err := f.Find(context.Background(), Question{Query: recall.Query{Text: "zebra"}, Quick: true})
		must(t, err)
		out := []string{}
		for _, h := range a.Hits {
			out = append(out, h.Rel+": "+h.Excerpt)
		}
		return sorted(out)
	}
	equal(t, ask(), []string{"a.md: A zebra has stripes."})
	w.note("b.md", "project", "on animals", "The zebra sleeps.")
	equal(t, ask(), []string{"a.md: A zebra has stripes.", "b.md: The zebra sleeps."})
	must(t, os.Remove(filepath.Join(w.dir, "b.md")))
	equal(t, ask(), []string{"a.md: A zebra has stripes."})
	w.rewrite("a.md", "A zebra is black and white.")
	equal(t, ask(), []string{"a.md: A zebra is black and white."})
	w.rewrite("a.md", poison)
	equal(t, ask(), []string{})
	b, err := os.ReadFile(filepath.Join(w.dir, "filler_00007.md"))
	must(t, err)
	w.rewrite("filler_00007.md", strings.Replace(string(b), "billing", "zebra..", 1))
	const looks = 400 // each sees it with a chance of one in sixteen: together all but 1e-11
	for range looks {
		if len(ask()) == 1 {
			return
		}
	}
	t.Errorf("a note that was written in place is not found after %d looks", looks)
}
