package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store"
)

func TestATextThatHidesTheNoteIsTrouble(t *testing.T) {
	const good = "---\nname: n\n---\n\nbody\n"
	long := "---\nname: n\ndescription: " + strings.Repeat("x", 65_520) + "\n---\n"
	for _, tc := range []struct {
		name, before, after string
		says                string // "" when it is taken
	}{
		{"another body", good, "---\nname: n\n---\n\nother\n", ""},
		{"front matter gone altogether", good, "body\n", ""},
		{"front matter that is not closed", good, "---\nname: n\n\nbody\n", "line 1"},
		{"broken front matter", good, "---\nname: n\n\tx: y\n---\n", "line 3"},
		{"front matter longer than the client reads", good, long, "line 4"},
		{"broken before too", "---\n- a\n---\nold\n", "---\n- a\n---\nnew\n", ""},
		{"nothing", good, "", "empty"},
		{"white space", good, " \n\t\r\n", "empty"},
		{"not UTF-8", good, good + "caf\xe9\n", "not UTF-8 (byte 25)"},
		{"a new replacement character", good, good + "caf\uFFFD\n", "U+FFFD"},
		{"a replacement character that was there", good + "caf\uFFFD\n", good + "caf\uFFFD!\n", ""},
		{"over the limit", good, good + strings.Repeat("x", 1<<20), "too much"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := editTrouble([]byte(tc.before), []byte(tc.after))
			if (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%v, want %q", err, tc.says)
			}
		})
	}
}

func TestARefusedTextIsKeptWhole(t *testing.T) {
	l := notesIn(t, "a.md", "---\nname: a\n---\n\nA\n")
	const text = "---\n- name\n---\n\nhours of work\n"
	code, out, stderr := runFed(l, text, "edit", "a", "--from", "-")
	if code != exitFound || out != "" || !strings.Contains(stderr, "a.md is as it was") {
		t.Fatalf("exit %d, %q, %q", code, out, stderr)
	}
	_, draft, _ := strings.Cut(strings.TrimSpace(stderr), "--from ")
	if b, err := os.ReadFile(draft); err != nil || string(b) != text {
		t.Errorf("kept in %q: %q, %v", draft, b, err)
	}
	if !strings.HasSuffix(draft, "-a.md") {
		t.Errorf("the draft's name is %s", draft)
	}
	if info, err := os.Stat(draft); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode: %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(draft, []byte("---\nname: a\n---\n\nhours of work\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := run(l, "edit", "a", "--from", draft); code != exitFine || !strings.Contains(out, "a.md is changed") {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	if _, err := os.Stat(draft); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the draft is still there: %v", err)
	}
	if got := readStore(t, l, "a.md"); !strings.Contains(got, "hours of work") {
		t.Errorf("the note is %q", got)
	}
}

func TestAnEditOfWhatAnotherProgramChangedKeepsBothOrTheText(t *testing.T) {
	editor := func(t *testing.T, script string) string {
		file := filepath.Join(t.TempDir(), "ed.sh")
		if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		return "sh " + file
	}
	t.Run("different lines", func(t *testing.T) {
		l := notesIn(t, "a.md", "one\n\ntwo\n\nthree\n")
		l.Env["EDITOR"] = editor(t, fmt.Sprintf("sed -i s/one/ONE/ \"$1\"; sed -i s/three/THREE/ %q", inStore(l, "a.md")))
		code, out, stderr := run(l, "edit", "a")
		if got := readStore(t, l, "a.md"); code != exitFine || got != "ONE\n\ntwo\n\nTHREE\n" {
			t.Errorf("exit %d, the note is %q\n%s%s", code, got, out, stderr)
		}
	})
	t.Run("the same line", func(t *testing.T) {
		l := notesIn(t, "a.md", "one\n")
		l.Env["EDITOR"] = editor(t, fmt.Sprintf("echo mine > \"$1\"; echo theirs > %q", inStore(l, "a.md")))
		code, _, stderr := run(l, "edit", "a")
		if got := readStore(t, l, "a.md"); code != exitFound || got != "theirs\n" || !strings.Contains(stderr, "bring in what changed (dormouse show a)") {
			t.Fatalf("exit %d, the note is %q\n%s", code, got, stderr)
		}
		_, draft, _ := strings.Cut(strings.TrimSpace(stderr), "--from ")
		if b, err := os.ReadFile(draft); err != nil || string(b) != "mine\n" {
			t.Errorf("kept %q, %v", b, err)
		}
	})
}

func TestAWordForAShellIsQuotedWhenItMustBe(t *testing.T) {
	for in, want := range map[string]string{"a.md@3": "a.md@3", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "行.md": "行.md", "$x": "'$x'"} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestTheDraftsNameEndsInTheNotesAndFitsAFileName(t *testing.T) {
	for in, want := range map[string]string{"a.md": "a.md", "sub/b.md": "b.md", "x*y.md": "x_y.md"} {
		if got := shortBase(in); got != want {
			t.Errorf("shortBase(%q) = %q", in, got)
		}
	}
	if got := shortBase(strings.Repeat("行", 80) + ".md"); len(got) > 120 || !strings.HasSuffix(got, "行.md") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestVersionsOfNotesAreRead(t *testing.T) {
	for _, tc := range []struct {
		word, name string
		id         int
		ok         bool
	}{
		{"a.md@12", "a.md", 12, true},
		{"a@b@3", "a@b", 3, true},
		{"a.md", "a.md", 0, false},
		{"@3", "@3", 0, false},
		{"a@", "a", 0, false},
		{"a@0", "a", 0, false},
		{"a@-1", "a", 0, false},
		{"a@+1", "a", 0, false},
		{"a@99999999999999999999", "a", 0, false},
	} {
		name, id, ok := splitVersion(tc.word)
		if ok != tc.ok || ok && (name != tc.name || id != tc.id) {
			t.Errorf("splitVersion(%q) = %q, %d, %v", tc.word, name, id, ok)
		}
	}
}

func TestMarksTellWhatHappenedToAFile(t *testing.T) {
	for want, c := range map[string]store.Change{"+": {After: "x"}, "-": {Before: "x"}, "~": {Before: "x", After: "y"}} {
		if got := mark(c); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}
