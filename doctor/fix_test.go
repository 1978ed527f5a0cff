package doctor

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/store"
)

func TestPlansOfOneFileBecomeOne(t *testing.T) {
	before := []byte("one @a.md, two @b.md; three\n")
	plans := Merge([]Plan{
		{Kind: Index},
		{Kind: File, Path: "/p/CLAUDE.md", Before: before, Edits: []Edit{{20, 20, " "}}},
		{Kind: Modes, To: []Mode{{Path: "/m"}}},
		{Kind: File, Path: "/p/CLAUDE.md", Before: before, Edits: []Edit{{9, 9, " "}}},
		{Kind: Index, Room: store.MakeRoom},
		{Kind: Modes, To: []Mode{{Path: "/n"}}},
		{Kind: Note, Path: "/p/CLAUDE.md", Before: before, Edits: []Edit{{0, 4, ""}}},
	})
	var kinds []Kind
	for _, p := range plans {
		kinds = append(kinds, p.Kind)
	}
	if diff := cmp.Diff([]Kind{File, Modes, Note, Index}, kinds); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if got, want := string(plans[0].After()), "one @a.md , two @b.md ; three\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(plans[1].To) != 2 || !bool(plans[3].Room) {
		t.Errorf("modes %v, room %v", plans[1].To, plans[3].Room)
	}
}

func TestAnEditInsideAnotherOneIsLeftOut(t *testing.T) {
	p := Plan{Before: []byte("abcdef"), Edits: []Edit{{1, 4, "X"}, {2, 3, "Y"}, {4, 4, "Z"}}}
	if got := string(p.After()); got != "aXZef" {
		t.Errorf("%q", got)
	}
}

func TestFoldersBelowTheStartThatHaveInstructions(t *testing.T) {
	root := filepath.FromSlash("/r")
	files := []string{
		"CLAUDE.md", ".claude/rules/x.md", "api/CLAUDE.md", "api/main.go", "web/.claude/CLAUDE.md", "web/.claude/rules/deep/y.md",
		"lib/.claude/rules/z.md", "lib/.claude/rules/notes.txt", "docs/README.md", "x/CLAUDE.local.md",
	}
	got := Nested(root, root, files)
	want := []string{"/r/api/any", "/r/lib/any", "/r/web/any", "/r/x/any"}
	for i := range want {
		want[i] = filepath.FromSlash(want[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Nested(root, filepath.Join(root, "web"), files); len(got) != 0 {
		t.Errorf("started in web, which loads itself: %v", got)
	}
}

func TestAWordIsQuotedForAShell(t *testing.T) {
	for word, want := range map[string]string{
		"a/b-c.md": "a/b-c.md", "two words.md": "'two words.md'", "it's.md": `'it'\''s.md'`, "-n.md": "'-n.md'", "": "''", "$(x).md": "'$(x).md'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
