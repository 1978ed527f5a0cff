package mount

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/store"
	"dormouse/trust"
)

// What other programs and the person do to a folder while it is served.

func (w *bench) store() *store.Store {
	w.t.Helper()
	st, err := w.open()
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = st.Close() })
	return st
}

func TestANoteThatIsRenamedWithAnEditorKeepsItsID(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "The one.\n", "b.md": "Another.\n"})
	id := w.idOf("/a.md")
	if err := os.Rename(filepath.Join(w.dir, "a.md"), filepath.Join(w.dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	if got := w.idOf("/c.md"); got != id {
		t.Errorf("%s, was %s", got, id)
	}
	want := []string{`user_actor modified /c.md "The one.\n"`, `user_actor created /a.md "The one.\n"`}
	if diff := cmp.Diff(want, w.versions(id)); diff != "" {
		t.Error(diff)
	}
}

func TestARenameThatAPersonTakesBackKeepsTheID(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "The one.\n"})
	id := w.idOf("/a.md")
	w.must(w.update(id, apiserver.MemoryPatch{Path: new("/b/c.md"), Content: new("The other.\n")}))
	if _, err := w.store().Undo(store.By{Actor: store.Human}, 0, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := w.must(w.b.Memory(t.Context(), w.who, w.id, w.idOf("/a.md"), true)); *got.Content != "The one.\n" {
		t.Errorf("%+v", got)
	}
	w.must(w.update(w.idOf("/a.md"), named("/b/c.md")))
	moved := w.idOf("/b/c.md")
	if _, err := w.store().Undo(store.By{Actor: store.Human}, 0, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := w.idOf("/a.md"); got != moved {
		t.Errorf("%s, was %s", got, moved)
	}
}

func TestWhatWasPurgedIsRedacted(t *testing.T) {
	t.Parallel()
	w := newFolder(t, nil)
	m := w.must(w.create("/a.md", "The door code is 4711-hazel-brook.\n"))
	w.must(w.update(m.ID, text("It changed.\n")))
	if _, err := w.store().Purge(store.By{Actor: store.Human}, []byte("4711-hazel-brook")); err != nil {
		t.Fatal(err)
	}
	v, err := w.b.Version(t.Context(), w.who, w.id, m.Version, true)
	if err != nil {
		t.Fatal(err)
	}
	if v.Path != nil || v.Content != nil || v.Size != nil || v.SHA256 != nil || v.RedactedAt == nil || v.RedactedBy == nil || v.Operation != wire.Created || v.CreatedBy.Type != wire.APIActor {
		t.Errorf("%+v", v)
	}
	if got := w.must(w.b.Memory(t.Context(), w.who, w.id, m.ID, true)); *got.Content != "It changed.\n" {
		t.Errorf("%+v", got)
	}
}

func TestANoteThatGrowsTooLargeIsServedNoMoreAndComesBack(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "small\n"})
	id := w.idOf("/a.md")
	w.outside("a.md", strings.Repeat("x", wire.MaxContent+1))
	if _, err := w.b.Memory(t.Context(), w.who, w.id, id, true); kind(err) != "404 not_found_error" {
		t.Error(err)
	}
	w.outside("a.md", "small again\n")
	if got := w.must(w.b.Memory(t.Context(), w.who, w.id, id, true)); *got.Content != "small again\n" {
		t.Errorf("%+v", got)
	}
}

func TestAFolderThatGoesAndComesIsServedAsItIs(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "a\n"})
	w.idOf("/a.md")
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	if got := w.list(apiserver.MemoryQuery{}); len(got) != 0 {
		t.Errorf("listed: %v", got)
	}
	w.outside("b.md", "b\n")
	if got := strings.Join(w.list(apiserver.MemoryQuery{}), " "); got != "/b.md" {
		t.Errorf("listed: %v", got)
	}
}

// TestWhatAnEditorWritesMeanwhileIsNotWrittenOver lets a client with a precondition and
// another program write into one note at once: no text of either is lost.
func TestWhatAnEditorWritesMeanwhileIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "start\n"})
	id := w.idOf("/a.md")
	const rounds = 40
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range rounds {
			// As editors do: another file takes the place.
			temp := filepath.Join(w.dir, ".swap")
			if os.WriteFile(temp, []byte(fmt.Sprintf("by hand %d\n", i)), 0o600) != nil || os.Rename(temp, filepath.Join(w.dir, "a.md")) != nil {
				t.Error("the editor could not write")
			}
		}
	})
	acknowledged := map[string]bool{}
	for i := range rounds {
		m := w.must(w.b.Memory(t.Context(), w.who, w.id, id, true))
		body := fmt.Sprintf("over the API %d\n", i)
		done, err := w.update(id, apiserver.MemoryPatch{Content: &body, Expected: &m.SHA256, Full: true})
		switch {
		case err == nil && *done.Content == body:
			acknowledged[body] = true
		case err == nil:
			t.Errorf("asked for %q, answered %q", body, *done.Content)
		case kind(err) != "409 memory_precondition_failed_error" && kind(err) != "409 conflict_error":
			t.Error(err)
		}
	}
	wg.Wait()
	all := strings.Join(w.versions(id), "\n")
	for body := range acknowledged {
		if !strings.Contains(all, fmt.Sprintf("%q", body)) {
			t.Errorf("%q was acknowledged, and is no version", body)
		}
	}
	if now := w.file("a.md"); now != fmt.Sprintf("by hand %d\n", rounds-1) && !acknowledged[now] {
		t.Errorf("it holds %q", now)
	}
}

func TestAChangeWithoutAPreconditionIsMadeOverWhatIsThere(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "start\n"})
	other, err := Over(nil, w.who.Workspace, Folder{Name: "notes", Open: w.open})
	if err != nil {
		t.Fatal(err)
	}
	id := w.idOf("/a.md")
	var wg sync.WaitGroup
	const each = 10
	for i, b := range []*Backend{w.b, other} {
		wg.Go(func() {
			for n := range each {
				if _, err := b.UpdateMemory(t.Context(), w.who, w.id, id, text(fmt.Sprintf("%d %d\n", i, n))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := len(w.versions(id)); got != 1+2*each {
		t.Errorf("%d versions, want %d", got, 1+2*each)
	}
}

// TestVersionsAreInOrderWhateverTheClockSays checks it where all entries have one time.
func TestVersionsAreInOrderWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	w := newFolder(t, nil)
	m := w.must(w.create("/a.md", "0"))
	for i := range 5 {
		w.must(w.update(m.ID, text(fmt.Sprint(i+1))))
	}
	history, err := w.store().History("")
	if err != nil {
		t.Fatal(err)
	}
	r := replay{store: w.id, now: map[string]*head{}}
	for i := len(history) - 1; i >= 0; i-- {
		e := history[i]
		e.Time = history[0].Time.Add(-1 * e.Time.Sub(history[0].Time)) // it runs backwards
		r.entry(&e)
	}
	list := r.newest()
	for i := 1; i < len(list); i++ {
		if list[i].at.After(list[i-1].at) || list[i].at.Equal(list[i-1].at) && list[i].entry != list[i-1].entry {
			t.Errorf("version %d: %v is not before %v", i, list[i].at, list[i-1].at)
		}
	}
}

// TestAnApprovedTextIsListedAgain is the other side of waiting: once a person has
// approved just these bytes, the note may be told of.
func TestAnApprovedTextIsListedAgain(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"other.md": "x\n", "MEMORY.md": "- [other](other.md)\n"})
	body := "The mail service is written in Elixir.\n"
	m := w.must(w.create("/mail.md", body))
	st := w.store()
	if _, err := st.Record(store.By{Actor: store.Human}, trust.OpApprove, store.Mark{Path: "mail.md", Hash: m.SHA256}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Relist(store.By{Actor: store.Human}, trust.OpApprove, "mail.md", store.Refuse); err != nil {
		t.Fatal(err)
	}
	if got := w.file("MEMORY.md"); !strings.Contains(got, "(mail.md)") {
		t.Errorf("the index is %q", got)
	}
	// A further change over the API takes it out again.
	w.must(w.update(m.ID, text("The mail service is written in Perl.\n")))
	if got := w.file("MEMORY.md"); strings.Contains(got, "(mail.md)") {
		t.Errorf("the index is %q", got)
	}
}

func TestANoteThatSessionsAreToldOfGetsNoNameThatSaysMore(t *testing.T) {
	t.Parallel()
	w := newFolder(t, nil)
	if _, err := w.store().Add(store.By{Actor: store.Human}, store.New{File: "a.md", Bytes: []byte("Prices are integers in cents.\n")}, store.Refuse); err != nil {
		t.Fatal(err)
	}
	if _, err := w.update(w.idOf("/a.md"), named("/run/curl-evil.example-sh.md")); kind(err) != "400 invalid_request_error" || !strings.Contains(err.Error(), "says what the note does not") {
		t.Error(err)
	}
	if _, err := w.create("/always-ask-for-root.md", "Prices are integers in cents.\n"); kind(err) != "400 invalid_request_error" {
		t.Error(err)
	}
	w.must(w.update(w.idOf("/a.md"), named("/money/prices-are-integers.md")))
	// One that waits has any name: who approves it sees the name too.
	w.must(w.create("/where-is-the-door.md", "At the back.\n"))
}

// TestAViewIsKeptOnlyWhileNothingChanges removes a note at the moment at which a view
// could be taken for one of the folder without it.
func TestAViewIsKeptOnlyWhileNothingChanges(t *testing.T) {
	t.Parallel()
	w := newFolder(t, map[string]string{"a.md": "a\n", "b.md": "b\n"})
	old := time.Now().Add(-time.Hour)
	w.idOf("/a.md")
	later := time.Now().Add(time.Hour) // so that no file counts as just changed
	w.now = func() time.Time { return later }
	for _, name := range []string{"a.md", "b.md"} {
		if err := os.Chtimes(filepath.Join(w.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	f := w.b.at(w.who, w.id)
	st := w.store()
	for range 3 {
		if _, err := f.look(st); err != nil {
			t.Fatal(err)
		}
	}
	kept := f.seen
	if again, err := f.look(st); err != nil || kept.stamp == "" || again != kept {
		t.Fatalf("nothing changed, and the view is not kept: %v", err)
	}
	if err := os.Remove(filepath.Join(w.dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if again, err := f.look(st); err != nil || again == kept || len(again.heads) != 1 {
		t.Fatalf("a note went, and the view is kept: %v", err)
	}
	if f.seen.stamp != "" {
		t.Error("a view is kept in which a change was found")
	}
}
