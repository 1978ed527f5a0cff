package find

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dormouse/recall"
	"dormouse/store"
	"dormouse/trust"
)

// world is a store in a temporary folder, with its state beside it.
type world struct {
	t          testing.TB
	dir, state string
	logs       []string
	files      []string // instructions
	policy     trust.Policy
}

func newWorld(t testing.TB) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: filepath.Join(root, "memory"), state: filepath.Join(root, "state")}
	if err := os.Mkdir(w.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// note writes a note as another program does.
func (w *world) note(rel, kind, about, body string) {
	w.t.Helper()
	w.file(rel, fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata:\n  type: %s\n---\n\n%s\n", strings.TrimSuffix(filepath.Base(rel), ".md"), about, kind, body))
}

func (w *world) file(rel, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// many fills the store past the size from which on an index is kept, with notes
// that are old enough for their times to tell.
func (w *world) many(n int) {
	for i := range n {
		w.note(fmt.Sprintf("filler_%05d.md", i), "project", fmt.Sprintf("what was learnt on day %d", i), fmt.Sprintf("The module number%d of the billing service rounds at the end.", i))
	}
}

func (w *world) open() *store.Store {
	w.t.Helper()
	st, err := store.Open(store.Config{Dir: w.dir, State: w.state, Gate: trust.NewGuard(w.policy).Gate()})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = st.Close() })
	return st
}

// finder looks through the world. Its clock is ahead, so that file times tell
// already, and a store of four notes has an index.
func (w *world) finder(state string) *Finder {
	w.t.Helper()
	conf := Config{Stores: []Folder{{w.open(), trust.NewGuard(w.policy)}}, State: state, Logs: w.logs, Instructions: w.files}
	f := Open(conf)
	f.clock = func() time.Time { return time.Now().Add(time.Minute) }
	f.manyNotes, f.segments, f.few = 4, 3, 3
	return f
}

func (w *world) ask(q Question) *Answer {
	w.t.Helper()
	return w.askWith(q, w.state)
}

func (w *world) askWith(q Question, state string) *Answer {
	w.t.Helper()
	f := w.finder(state)
	defer f.conf.Stores[0].Store.Close() //nolint:errcheck // only read
	a, err := f.Find(context.Background(), q)
	must(w.t, err)
	return a
}

// paths are the paths of the notes that come up for a text.
func (w *world) paths(text string) []string {
	w.t.Helper()
	out := []string{}
	for _, h := range w.ask(Question{Query: recall.Query{Text: text}}).Hits {
		out = append(out, h.Rel)
	}
	return out
}

// cacheDir is where the index of the store is.
func (w *world) cacheDir() string { return filepath.Join(w.state, cacheName, keyOf(w.dir)) }

func (w *world) cached() bool {
	_, err := os.Stat(filepath.Join(w.cacheDir(), tableName))
	return err == nil
}

// rewrite changes a file in place, and goes on until its times tell: those of some
// systems are coarse.
func (w *world) rewrite(rel, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(rel))
	d, err := openFolder(w.dir, "")
	if err != nil {
		w.t.Fatal(err)
	}
	defer d.close()
	name := append([]byte(rel), 0)
	before, _ := d.lookAt(name)
	info, err := os.Stat(path)
	if err != nil {
		w.t.Fatal(err)
	}
	for after := before; after.change == before.change; after, _ = d.lookAt(name) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			w.t.Fatal(err)
		}
	}
}

func equal(t testing.TB, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestANoteIsFoundByItsWords(t *testing.T) {
	w := newWorld(t)
	w.note("ports.md", "project", "where things listen", "The database listens on port 5433.\nThe cache does not.")
	w.note("style.md", "feedback", "how to write", "Short sentences.")
	a := w.ask(Question{Query: recall.Query{Text: "which port does the database listen on"}})
	if len(a.Hits) == 0 || a.Hits[0].Rel != "ports.md" {
		t.Fatalf("found %+v", a.Hits)
	}
	h := a.Hits[0]
	if h.Line != 8 || !strings.Contains(h.Excerpt, "database listens on port 5433") || h.Type != "project" || !h.Loads || h.Origin != trust.Outside || time.Since(h.Date) > time.Hour {
		t.Errorf("got %+v", h)
	}
	if _, err := os.Stat(w.state); err == nil {
		t.Error("for two notes something was written")
	}
}

func TestAQueryWithoutTermsFindsNothing(t *testing.T) {
	w := newWorld(t)
	w.many(6)
	for _, q := range []string{"", "  ", "the of and", "!!! …", "\x00\xff", "\n\t"} {
		if got := w.paths(q); len(got) > 0 {
			t.Errorf("%q finds %q", q, got)
		}
		if !w.ask(Question{Query: recall.Query{Text: q}}).NoTerms {
			t.Errorf("%q has terms", q)
		}
	}
	if w.ask(Question{Query: recall.Query{Text: "the zebra"}}).NoTerms {
		t.Error("a zebra is no term")
	}
}

func TestAnEmptyStoreHasNoAnswerAndLeavesNothing(t *testing.T) {
	w := newWorld(t)
	if got := w.paths("database"); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	if err := os.Remove(w.dir); err != nil {
		t.Fatal(err)
	}
	if got := w.paths("database"); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	for _, dir := range []string{w.dir, w.state} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s was made", dir)
		}
	}
}

func TestWhatChangesUnderTheIndexIsSeen(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, w *world)
		want   []string
	}{
		"nothing": {func(*testing.T, *world) {}, []string{"a.md", "sub/b.md"}},
		"a note is written": {func(_ *testing.T, w *world) {
			w.note("c.md", "project", "more", "Zebras graze, zebras run, zebras sleep.")
		}, []string{"a.md", "c.md", "sub/b.md"}},
		"a note is written into a new folder": {func(_ *testing.T, w *world) { w.note("new/deep/c.md", "project", "more", "Zebras graze.") }, []string{"a.md", "new/deep/c.md", "sub/b.md"}},
		"a note is edited in place, of the same size and time": {func(_ *testing.T, w *world) {
			b, _ := os.ReadFile(filepath.Join(w.dir, "a.md"))
			w.rewrite("a.md", strings.ReplaceAll(string(b), "zebra", "horse"))
		}, []string{"sub/b.md"}},
		"another note is edited to match": {func(_ *testing.T, w *world) {
			b, _ := os.ReadFile(filepath.Join(w.dir, "filler_00003.md"))
			w.rewrite("filler_00003.md", strings.Replace(string(b), "billing", "zebra..", 1))
		}, []string{"a.md", "filler_00003.md", "sub/b.md"}},
		"a note is removed":       {func(t *testing.T, w *world) { must(t, os.Remove(filepath.Join(w.dir, "a.md"))) }, []string{"sub/b.md"}},
		"a note is renamed":       {func(t *testing.T, w *world) { w.move(t, "a.md", "z.md") }, []string{"sub/b.md", "z.md"}},
		"a note becomes no note":  {func(t *testing.T, w *world) { w.move(t, "a.md", "a.txt") }, []string{"sub/b.md"}},
		"a note takes its place":  {func(t *testing.T, w *world) { w.move(t, "filler_00001.md", "a.md") }, []string{"sub/b.md"}},
		"a folder is moved":       {func(t *testing.T, w *world) { w.move(t, "sub", "other") }, []string{"a.md", "other/b.md"}},
		"a folder is hidden":      {func(t *testing.T, w *world) { w.move(t, "sub", ".sub") }, []string{"a.md"}},
		"a folder becomes a note": {func(t *testing.T, w *world) { w.move(t, "sub", ".x"); w.note("sub", "project", "x", "zebra") }, []string{"a.md"}},
		"a folder becomes a link": {func(t *testing.T, w *world) {
			w.move(t, "sub", ".x")
			must(t, os.Symlink(filepath.Join(w.dir, ".x"), filepath.Join(w.dir, "sub")))
		}, []string{"a.md"}},
		"a note becomes a link": {func(t *testing.T, w *world) {
			w.move(t, "a.md", ".x")
			must(t, os.Symlink(filepath.Join(w.dir, ".x"), filepath.Join(w.dir, "a.md")))
		}, []string{"sub/b.md"}},
		"all of it goes": {func(t *testing.T, w *world) { must(t, os.RemoveAll(w.dir)) }, []string{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.many(6)
			w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
			w.note("sub/b.md", "project", "on animals", "The zebra sleeps.")
			equal(t, sorted(w.paths("zebra")), []string{"a.md", "sub/b.md"})
			if !w.cached() {
				t.Fatal("no index was written")
			}
			tt.change(t, w)
			for range 2 {
				equal(t, sorted(w.paths("zebra")), tt.want)
			}
		})
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) move(t testing.TB, from, to string) {
	t.Helper()
	must(t, os.Rename(filepath.Join(w.dir, from), filepath.Join(w.dir, to)))
}

func TestAFileThatWasJustWrittenIsReadAgain(t *testing.T) {
	// What was written a moment ago could change again without its times telling, so
	// it counts for nothing that they are the same.
	w := newWorld(t)
	w.many(6)
	info, err := os.Stat(filepath.Join(w.dir, "filler_00000.md"))
	must(t, err)
	f := w.finder(w.state)
	f.clock = func() time.Time { return info.ModTime().Add(settleTime / 2) }
	ask := func() []string {
		a, err := f.Find(context.Background(), Question{Query: recall.Query{Text: "zebra"}})
		must(t, err)
		out := []string{}
		for _, h := range a.Hits {
			out = append(out, h.Rel)
		}
		return out
	}
	equal(t, ask(), []string{})
	tab, _, err := f.cacheOf(w.state, keyOf(w.dir)).read()
	must(t, err)
	for i := range tab.len() {
		if tab.lookOf(i).size != -1 {
			t.Errorf("%s counts as sure", tab.path(i))
		}
	}
	b, _ := os.ReadFile(filepath.Join(w.dir, "filler_00002.md"))
	must(t, os.WriteFile(filepath.Join(w.dir, "filler_00002.md"), []byte(strings.Replace(string(b), "billing", "zebra..", 1)), 0o600))
	equal(t, ask(), []string{"filler_00002.md"})
}

func TestADamagedIndexIsMadeAnew(t *testing.T) {
	tests := map[string]func(b []byte) []byte{
		"empty":            func([]byte) []byte { return nil },
		"cut in half":      func(b []byte) []byte { return b[:len(b)/2] },
		"without its end":  func(b []byte) []byte { return b[:len(b)-1] },
		"with more behind": func(b []byte) []byte { return append(b, 0) },
		"of another kind":  func([]byte) []byte { return []byte("SQLite format 3\x00") },
		"one bit is other": func(b []byte) []byte { b[len(b)/3] ^= 4; return b },
		"of zeros":         func(b []byte) []byte { return make([]byte, len(b)) },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.many(6)
			w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
			want := w.paths("zebra")
			entries, err := os.ReadDir(w.cacheDir())
			must(t, err)
			for _, e := range entries {
				if e.Name() == lockName {
					continue
				}
				path := filepath.Join(w.cacheDir(), e.Name())
				b, err := os.ReadFile(path)
				must(t, err)
				bad := damage(slices.Clone(b))
				must(t, os.WriteFile(path, bad, 0o600))
				equal(t, w.paths("zebra"), want)
				if now, _ := os.ReadFile(path); e.Name() == tableName && bytes.Equal(now, bad) {
					t.Error("the damaged table is still there")
				}
			}
			if list, _ := filepath.Glob(filepath.Join(w.cacheDir(), "*"+segEnding)); len(list) != 1 {
				t.Errorf("%d segments are there", len(list))
			}
		})
	}
}

func TestAnIndexThatOthersMayWriteIsNotBelieved(t *testing.T) {
	w := newWorld(t)
	w.many(6)
	w.paths("zebra")
	c := w.finder(w.state).cacheOf(w.state, keyOf(w.dir))
	if tab, _, err := c.read(); tab == nil || err != nil {
		t.Fatalf("%v", err)
	}
	must(t, os.Chmod(filepath.Join(w.cacheDir(), tableName), 0o622))
	if tab, _, _ := c.read(); tab != nil {
		t.Error("it was read")
	}
}

func TestStrangeNotesAreFound(t *testing.T) {
	long := strings.Repeat("filler words of a long note. ", 37000)[:1<<20-200]
	tests := map[string]struct{ body, query string }{
		"of a MiB":         {long + "\n\nThe zebra is at the end.", "zebra"},
		"not UTF-8":        {"A \xff\xfe zebra \xc3.", "zebra"},
		"with zero bytes":  {"A \x00 zebra.", "zebra"},
		"in Ukrainian":     {"База даних слухає на порту 5433.", "порт бази даних"},
		"in Chinese":       {"数据库监听端口是五四三三。", "数据库端口"},
		"in Japanese":      {"データベースは五四三三番ポートを使う。", "データベース"},
		"with Windows end": {"One line.\r\nThe zebra.\r\n", "zebra"},
		"of one line":      {strings.Repeat("x", 5000) + " zebra " + strings.Repeat("y", 5000), "zebra"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.many(6)
			w.note("strange.md", "project", "one of a kind", tt.body)
			for range 2 {
				a := w.ask(Question{Query: recall.Query{Text: tt.query}, Held: true}) // hidden characters wait for a review
				if len(a.Hits) == 0 || a.Hits[0].Rel != "strange.md" {
					t.Fatalf("found %+v, %v", a.Hits, a.Problems)
				}
				h := a.Hits[0]
				if n := utf8.RuneCountInString(h.Excerpt); n > 260 || n == 0 || !utf8.ValidString(h.Excerpt) || strings.ContainsAny(h.Excerpt, "\r\n\x00") {
					t.Errorf("the excerpt has %d runes: %.300q", n, h.Excerpt)
				}
				if tt.query == "zebra" && !strings.Contains(h.Excerpt, "zebra") {
					t.Errorf("the excerpt of %q is %q", h.Words, h.Excerpt)
				}
			}
		})
	}
}

func TestWhatIsNoNoteDoesNotHoldUpASearch(t *testing.T) {
	w := newWorld(t)
	w.many(6)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	w.file("large.md", strings.Repeat("zebra ", 1<<18))
	must(t, os.Link(filepath.Join(w.dir, "a.md"), filepath.Join(w.dir, "b.md")))
	w.file("MEMORY.md", "- [a](a.md) — zebra\n")
	w.file("notes.txt", "zebra")
	w.pipe("pipe.md")
	for range 2 {
		a := w.ask(Question{Query: recall.Query{Text: "zebra"}})
		if len(a.Hits) != 0 || a.Unread != 3 {
			t.Errorf("%d hits, %d unread", len(a.Hits), a.Unread)
		}
	}
}

func TestTheIndexIsWrittenAnewWhenEnoughHasChanged(t *testing.T) {
	w := newWorld(t)
	w.many(20)
	w.note("a.md", "project", "on the zebra", "A zebra has stripes.")
	counts := []int{}
	for i := range 8 {
		w.note(fmt.Sprintf("new%d.md", i), "project", "more", fmt.Sprintf("Number %d has a zebra.", i))
		if got := len(w.paths("zebra")); got != i+2 {
			t.Errorf("after %d changes %d notes are found", i+1, got)
		}
		segs, err := filepath.Glob(filepath.Join(w.cacheDir(), "*"+segEnding))
		must(t, err)
		counts = append(counts, len(segs))
	}
	// One at first; then one a change, up to three, which are merged into two; and
	// all into one when more than three notes are beside the first segment.
	if diff := cmp.Diff([]int{1, 2, 3, 2, 1, 2, 3, 2}, counts); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
}
