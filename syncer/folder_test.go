package syncer_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/note"
	"dormouse/store"
	"dormouse/syncer"
	"dormouse/trust"
)

// place is a memory folder with the guard at its door, and a server.
type place struct {
	t      *testing.T
	st     *store.Store
	dir    string
	guard  *trust.Guard
	server *shelf
	base   syncer.Base
	folder *syncer.Folder
}

func newPlace(t *testing.T, server map[string]string) *place {
	t.Helper()
	root := t.TempDir()
	p := &place{t: t, dir: filepath.Join(root, "notes"), guard: trust.NewGuard(trust.Policy{}), server: newShelf(true, server), base: syncer.Base{}}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var err error
	if p.st, err = store.Open(store.Config{Dir: p.dir, State: filepath.Join(root, "state"), Gate: p.guard.Gate()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.st.Close() }) // each write is on the disk
	return p
}

func (p *place) sync(push bool) *syncer.Report {
	p.t.Helper()
	if _, err := p.st.Look(); err != nil {
		p.t.Fatal(err)
	}
	p.folder = &syncer.Folder{Store: p.st}
	c := syncer.Config{From: p.server, To: p.folder, Base: p.base, Past: p.st.Content, Keep: p.folder.Keep, Copies: true}
	if push {
		c.From, c.To, c.Copies, c.Keep = p.folder, p.server, false, nil
	}
	r, err := syncer.Run(p.t.Context(), c)
	if err != nil {
		p.t.Fatal(err)
	}
	p.base = r.Base
	return r
}

func (p *place) read(name string) string {
	b, _ := os.ReadFile(filepath.Join(p.dir, name)) // none is an empty one
	return string(b)
}

func (p *place) outside(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) add(name, text string) {
	p.t.Helper()
	b, err := note.New(note.Fields{Name: name, Description: text}, text)
	if err == nil {
		_, err = p.st.Add(store.By{Actor: store.Human}, store.New{File: name + ".md", Bytes: b, Line: note.Parse(b).Line(name + ".md")}, store.Refuse)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func TestWhatIsPulledIsOneChangeThatCanBeTakenBack(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"a.md": "One fact.\n", "b.md": "Another.\n"})
	p.add("mine", "Prices are integers in cents.")
	p.sync(false)
	if len(p.folder.Changes) != 1 || p.read("a.md") != "One fact.\n" || strings.Contains(p.read("MEMORY.md"), "a.md") {
		t.Errorf("changes %v, index %q", p.folder.Changes, p.read("MEMORY.md"))
	}
	if _, err := p.st.Undo(store.By{Actor: store.Human}, p.folder.Changes[0], store.Refuse); err != nil {
		t.Fatal(err)
	}
	if p.read("a.md") != "" || p.read("b.md") != "" || !strings.Contains(p.read("MEMORY.md"), "mine.md") {
		t.Error("the undo left something of it")
	}
}

func TestWhatComesFromAServerIsHeldWhateverItWasMixedWith(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(p *place){
		"a note of nobody known": func(p *place) { p.outside("n.md", "A fact.\n") },
		"a note of a person":     func(p *place) { p.add("n", "A fact.") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.add("mine", "Prices are integers in cents.")
			before(p)
			p.sync(true)
			p.server.put("n.md", p.server.texts["n.md"]+"\nThe mail service is written in Elixir.\n")
			p.sync(false)
			standing, err := p.guard.Look(p.st)
			if err != nil {
				t.Fatal(err)
			}
			if len(standing.Held) != 1 || standing.Held[0].Path != "n.md" || standing.Held[0].Origin != trust.Sync || strings.Contains(p.read("MEMORY.md"), "n.md") {
				t.Errorf("held %+v, index %q", standing.Held, p.read("MEMORY.md"))
			}
		})
	}
}

func TestOnesOwnTextComesBackAsOnesOwn(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	p.add("mine", "Prices are integers in cents.")
	text := p.read("mine.md")
	p.sync(true)
	if _, err := p.st.Forget(store.By{Actor: store.Human}, "mine.md"); err != nil {
		t.Fatal(err)
	}
	p.base = syncer.Base{} // as after a new pairing
	p.sync(false)
	if p.read("mine.md") != text || !strings.Contains(p.read("MEMORY.md"), "mine.md") {
		t.Errorf("index %q", p.read("MEMORY.md"))
	}
}

func TestAServerNamesNothingThatIsKnownHere(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	p.add("mine", "Prices are integers in cents.")
	p.sync(true)
	p.server.rename("mine.md", "always-run-it.md")
	p.server.put("do-this.md", p.server.texts["always-run-it.md"])
	for range 2 { // and the next pull as well
		r := p.sync(false)
		if p.read("mine.md") == "" || p.read("always-run-it.md") != "" || p.read("do-this.md") != "" {
			t.Errorf("%+v", r.Items)
		}
		for _, i := range r.Items {
			if i.Action != syncer.Pass || !strings.Contains(i.Why, "keeps the name") {
				t.Errorf("%+v", i)
			}
		}
	}
	if p.sync(true); len(p.server.texts) != 2 {
		t.Errorf("a push then changed the server: %q", p.server.texts)
	}
}

func TestOneBadNoteKeepsNoOtherAway(t *testing.T) {
	t.Parallel()
	hidden := "Fine.\n\U000E0041\U000E0042\U000E0043\U000E0044\U000E0045\U000E0046\U000E0047\n"
	p := newPlace(t, map[string]string{"a.md": "One fact.\n", "bad.md": hidden, "b.md": "Another.\n", "CON.md": "x\n", "sub/c.md": "y\n"})
	r := p.sync(false)
	if p.read("a.md") == "" || p.read("b.md") == "" || p.read("bad.md") != "" {
		t.Errorf("%+v", r.Items)
	}
	want := map[string]syncer.Action{"a.md": syncer.Create, "b.md": syncer.Create, "bad.md": syncer.Refuse, "CON.md": syncer.Pass, "sub/c.md": syncer.Pass}
	for _, i := range r.Items {
		if i.Action != want[i.Path] || i.Action != syncer.Create && i.Why == "" {
			t.Errorf("%+v", i)
		}
	}
	if len(r.Base) != 2 {
		t.Errorf("agreed on %v", r.Base)
	}
}

func TestANoteThatAnotherProgramChangesMeanwhileIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"a.md": three})
	p.sync(false)
	p.server.put("a.md", strings.Replace(three, "one", "uno", 1))
	p.folder = &syncer.Folder{Store: p.st}
	late := lateSide{p.folder, func() { p.outside("a.md", strings.Replace(three, "one", "eins", 1)) }}
	r, err := syncer.Run(t.Context(), syncer.Config{From: p.server, To: late, Base: p.base, Past: p.st.Content, Keep: p.folder.Keep, Copies: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.read("a.md"), "eins") || r.Items[0].Action != syncer.Refuse || r.Base["a.md"] != p.base["a.md"] {
		t.Errorf("%q %+v", p.read("a.md"), r.Items)
	}
	p.base = r.Base
	if r := p.sync(false); r.Items[0].Action != syncer.Conflict || !strings.HasPrefix(p.read(r.Items[0].Copy), "uno") {
		t.Errorf("the next pull: %+v", r.Items)
	}
}

// lateSide lets another program write between the look and the change.
type lateSide struct {
	*syncer.Folder
	write func()
}

func (l lateSide) Read(ctx context.Context, files []syncer.File) (map[string][]byte, error) {
	l.write()
	return l.Folder.Read(ctx, files)
}
