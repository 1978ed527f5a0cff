package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/note"
)

func TestNamesForNewNotes(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"a.md", "db-port.md", "2026.plan_b.md", strings.Repeat("a", 80) + ".md", "console.md", "com.md", "com10.md"} {
		if err := ValidName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", ".md", "a", "a.txt", "a.MD", "A.md", "ä.md", "a\u0308.md", "проект.md", "a b.md", "-a.md", ".a.md", "_a.md", "../a.md", "/a.md", "a/b.md",
		`a\b.md`, "a\x00.md", "a\n.md", "a:b.md", "a*.md", "memory.md", "MEMORY.md", "Memory.md", "con.md", "CON.md", "nul.md", "aux.x.md", "com1.md",
		"lpt9.md", "prn.md", strings.Repeat("a", 81) + ".md", strings.Repeat("a", 300) + ".md", "a.md ", "a.md.", "🚀.md", "\u202ea.md",
	} {
		if err := ValidName(bad); !errors.Is(err, ErrName) {
			t.Errorf("%q is taken for a good name (%v)", bad, err)
		}
	}
}

func TestATakenNameIsRefusedInAnySpelling(t *testing.T) {
	t.Parallel()
	for _, there := range []string{"db-port.md", "DB-Port.md", "Db-port.MD"} {
		s := lay(t, map[string]string{there: "old\n"})
		if strings.HasSuffix(there, ".MD") {
			continue // no note for anybody, and another file on every system that tells case apart
		}
		_, err := s.Add(human, newNote(t, "db-port", "new"), Refuse)
		if !errors.Is(err, ErrExists) {
			t.Errorf("beside %s: %v", there, err)
		}
		if got := on(t, s.Dir()); got[there] != "old\n" {
			t.Errorf("%s holds %q", there, got[there])
		}
	}
}

// refused is what no write may touch: the files of the folder, and one outside.
type refused struct {
	name string
	lay  func(t *testing.T, dir, outside string)
	note string
}

func TestUnsafeFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	link := func(rel string) func(*testing.T, string, string) {
		return func(t *testing.T, dir, outside string) {
			if err := os.Symlink(outside, filepath.Join(dir, rel)); err != nil {
				t.Skip(err)
			}
		}
	}
	for _, tc := range []refused{
		{"a link that leads out", link("x.md"), "x.md"},
		{"a link within the folder", func(t *testing.T, dir, _ string) {
			if err := os.Symlink("a.md", filepath.Join(dir, "x.md")); err != nil {
				t.Skip(err)
			}
		}, "x.md"},
		{"a hard link to a file outside", func(t *testing.T, dir, outside string) {
			if err := os.Link(outside, filepath.Join(dir, "x.md")); err != nil {
				t.Skip(err)
			}
		}, "x.md"},
		{"an index that is a link", link(IndexName), "a.md"},
		{"a path that leads out", func(*testing.T, string, string) {}, "../outside.md"},
		{"an absolute path", func(*testing.T, string, string) {}, "/etc/hostname"},
		{"a path through a linked folder", func(t *testing.T, dir, outside string) {
			if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, "sub")); err != nil {
				t.Skip(err)
			}
		}, "sub/outside.md"},
		{"a folder", func(t *testing.T, dir, _ string) {
			if err := os.Mkdir(filepath.Join(dir, "x.md"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "x.md"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			c := layIn(t, root, map[string]string{"a.md": "a\n"})
			outside := filepath.Join(root, "outside.md")
			if err := os.WriteFile(outside, []byte("outside\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			tc.lay(t, c.Dir, outside)
			s := open(t, c)
			if tc.note != "a.md" {
				if b, err := s.Read(tc.note); err == nil {
					t.Errorf("read: %q", b)
				}
				if _, err := s.Edit(human, tc.note, []byte("outside\n"), []byte("changed\n")); err == nil {
					t.Error("edited")
				}
			} else if _, err := s.Add(human, newNote(t, "n", "d"), Refuse); !errors.Is(err, ErrUnsafe) {
				t.Errorf("added: %v", err)
			}
			if _, err := s.Forget(human, tc.note); err == nil {
				t.Error("forgotten")
			}
			if b, _ := os.ReadFile(outside); string(b) != "outside\n" {
				t.Errorf("the file outside holds %q", b)
			}
		})
	}
}

func TestALargeNoteIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	s := lay(t, nil)
	add(t, s, "a", "about a")
	path := filepath.Join(s.Dir(), "big.md")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Skip(err)
	}
	if _, err := s.Read("big.md"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("read: %v", err)
	}
	items := must[[]Item](t)(s.List())
	if len(items) != 2 || !errors.Is(items[1].Err, ErrTooLarge) || items[1].Size != 1<<30 {
		t.Errorf("listed: %+v", items)
	}
	if e := must[*Entry](t)(s.Look()); e == nil || e.Changes[0].Path != "big.md" {
		t.Errorf("look: %+v", e)
	}
	if e := must[*Entry](t)(s.Look()); e != nil {
		t.Errorf("a second look: %+v", e)
	}
	if _, err := s.At("big.md", 2); !errors.Is(err, ErrNotKept) {
		t.Errorf("its bytes: %v", err)
	}
	n := newNote(t, "huge", "d")
	n.Bytes = append(n.Bytes, make([]byte, note.MaxBytes)...)
	if _, err := s.Add(human, n, Refuse); !errors.Is(err, ErrTooLarge) {
		t.Errorf("added: %v", err)
	}
}

func TestALooseFolderIsRefused(t *testing.T) {
	t.Parallel()
	c := layIn(t, t.TempDir(), map[string]string{"a.md": "a\n"})
	for mode, fine := range map[os.FileMode]bool{0o777: false, 0o707: false, 0o755: true, 0o700: true} {
		if err := os.Chmod(c.Dir, mode); err != nil {
			t.Fatal(err)
		}
		s, err := Open(c)
		if fine != (err == nil) || !fine && !errors.Is(err, ErrUnsafe) {
			t.Errorf("mode %o: %v", mode, err)
		}
		if err == nil {
			s.Close() //nolint:errcheck // only read
		}
	}
}

func TestATextThatIsNotUTF8IsRefused(t *testing.T) {
	t.Parallel()
	s := lay(t, map[string]string{"latin.md": "caf\xe9\n", "a.md": "caf\u00e9\n"})
	n := newNote(t, "n", "d")
	n.Bytes = append(n.Bytes, 0xE9)
	if _, err := s.Add(human, n, Refuse); !errors.Is(err, ErrEncoding) {
		t.Errorf("added: %v", err)
	}
	if _, err := s.Edit(human, "a.md", []byte("caf\u00e9\n"), []byte("caf\xe9\n")); !errors.Is(err, ErrEncoding) {
		t.Errorf("edited: %v", err)
	}
	// A note that is not UTF-8 can be kept as it is, byte for byte, and mended.
	must[*Done](t)(s.Edit(human, "latin.md", []byte("caf\xe9\n"), []byte("caf\xe9 cr\xe8me\n")))
	if b := must[[]byte](t)(s.Read("latin.md")); string(b) != "caf\xe9 cr\xe8me\n" {
		t.Errorf("it holds %q", b)
	}
}

func TestAFullIndexRefusesAndSaysWhatCouldGo(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	var index strings.Builder
	for i := range 200 {
		name := fmt.Sprintf("n%03d", i)
		typ := []string{"user", "feedback", "project", "reference"}[i%4]
		files[name+".md"] = fmt.Sprintf("---\nname: %s\ndescription: d\nmetadata:\n  type: %s\n  modified: 2026-01-%02dT00:00:00.000Z\n---\n\nText.\n", name, typ, 1+i%28)
		fmt.Fprintf(&index, "- [%s](%s.md) — d\n", name, name)
	}
	delete(files, "n007.md")
	files[IndexName] = index.String()
	s := lay(t, files)
	before := on(t, s.Dir())
	_, err := s.Add(human, newNote(t, "new", "about the new"), Refuse)
	full, ok := errors.AsType[*FullError](err)
	if !ok || full.Lines != 201 || len(full.Could) != 1 || full.Could[0].File != "n007.md" || full.Could[0].Why != "names no note" {
		t.Fatalf("%v: %+v", err, full)
	}
	if diff := cmp.Diff(before, on(t, s.Dir())); diff != "" {
		t.Error("something was written:", diff)
	}

	done := must[*Done](t)(s.Add(human, newNote(t, "new", "about the new"), MakeRoom))
	if done.Index.Lines > 140 || done.Index.Units > 17_500 {
		t.Errorf("the index has %+v", done.Index)
	}
	if done.MovedOut[0].File != "n007.md" || strings.Contains(done.MovedOut[1].Why, "user") {
		t.Errorf("moved first: %+v", done.MovedOut[:2])
	}
	for _, m := range done.MovedOut {
		if strings.Contains(m.Why, "user note") {
			t.Errorf("%s went, and it is about the user", m.File)
		}
	}
	for _, it := range must[[]Item](t)(s.List()) {
		if it.IndexLine == 0 && it.Page == "" {
			t.Errorf("%s can't be reached", it.Rel)
		}
	}
	must[*Done](t)(s.Undo(human, done.ID, Refuse))
	if diff := cmp.Diff(before, on(t, s.Dir())); diff != "" {
		t.Error("after undo:", diff)
	}
}

// U02: 150 lines of 200 bytes are cut at 125 by size; what is past that is
// refused for its characters, not its lines.
func TestU02TheSizeLimitComesBeforeTheLineLimit(t *testing.T) {
	t.Parallel()
	line := func(i int) string {
		head := fmt.Sprintf("- [n%03d](n%03d.md) — ", i, i)
		return head + strings.Repeat("x", 199-len(head)+2) + "\n" // the dash has three bytes
	}
	var index strings.Builder
	for i := range 124 {
		index.WriteString(line(i))
	}
	s := lay(t, map[string]string{IndexName: index.String()})
	long := func(name string) New {
		n := newNote(t, name, "d")
		n.Line.Hook = strings.Repeat("y", 300)
		return n
	}
	add(t, s, "one", strings.Repeat("y", 100))
	_, err := s.Add(human, long("two"), Refuse)
	full, ok := errors.AsType[*FullError](err)
	if !ok || full.Units <= 25_000 || full.Lines > 200 || !strings.Contains(err.Error(), "characters") {
		t.Errorf("%v", err)
	}
	var fine strings.Builder
	for i := range 199 {
		fmt.Fprintf(&fine, "- [n%03d](n%03d.md) — %s\n", i, i, strings.Repeat("x", 76))
	}
	s = lay(t, map[string]string{IndexName: fine.String()})
	if done := add(t, s, "one", strings.Repeat("y", 76)); done.Index.Lines != 200 || done.Index.Units > 25_000 {
		t.Errorf("%+v", done.Index)
	}
}
