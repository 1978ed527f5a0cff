package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/note"
)

// The reports of users that these tests are about carry the numbers of the list
// they were collected in: A11, concurrency and lost writes; A16, damaged formats.

// other is what another program writes, in place and without a lock.
func other(t *testing.T, s *Store, rel, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir(), rel), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestA11TwoSessionsAppendToOneIndex(t *testing.T) { // 101
	t.Parallel()
	c := layIn(t, t.TempDir(), map[string]string{IndexName: "# Index\n\n- [x](x.md) — x\n", "x.md": "x\n"})
	one, two := open(t, c), open(t, c)
	add(t, one, "from-one", "one")
	add(t, two, "from-two", "two")
	want := "# Index\n\n- [x](x.md) — x\n- [from-one](from-one.md) — one\n- [from-two](from-two.md) — two\n"
	if got := string(must[[]byte](t)(one.Read(IndexName))); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestA11AnEditOfWhatWasReadDoesNotOverwriteAnotherEdit(t *testing.T) { // 102, 104, 105
	t.Parallel()
	const base = "one\ntwo\nthree\nfour\nfive\n"
	for _, tc := range []struct{ name, theirs, ours, want string }{
		{"edits of different lines are both kept", "ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\n", "ONE\ntwo\nthree\nfour\nFIVE\n"},
		{"edits of the same line are refused", "ONE\ntwo\nthree\nfour\nfive\n", "Eins\ntwo\nthree\nfour\nfive\n", ""},
		{"the same edit twice is one", "ONE\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nfive\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := lay(t, map[string]string{"n.md": base})
			other(t, s, "n.md", tc.theirs)
			_, err := s.Edit(human, "n.md", []byte(base), []byte(tc.ours))
			want := tc.want
			if want == "" {
				want = tc.theirs
				if !errors.Is(err, ErrConflict) {
					t.Errorf("error: %v", err)
				}
			} else if err != nil {
				t.Error(err)
			}
			if got := string(must[[]byte](t)(s.Read("n.md"))); got != want {
				t.Errorf("it holds %q", got)
			}
		})
	}
}

func TestA11WithoutTheLockNothingIsWritten(t *testing.T) { // 103
	t.Parallel()
	c := layIn(t, t.TempDir(), map[string]string{"a.md": "a\n"})
	s := open(t, c)
	// A file where the state folder should be: no lock can be had.
	if err := os.WriteFile(c.State, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := on(t, s.Dir())
	if _, err := s.Add(human, newNote(t, "n", "d"), Refuse); err == nil {
		t.Error("a write without a lock")
	}
	if diff := cmp.Diff(before, on(t, s.Dir())); diff != "" {
		t.Error(diff)
	}
}

func TestA11AWriteThatFailsSaysSo(t *testing.T) { // 106
	t.Parallel()
	s := lay(t, map[string]string{"a.md": "a\n"})
	if err := os.RemoveAll(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(human, "a.md", []byte("a\n"), []byte("b\n")); err == nil {
		t.Error("an edit in a folder that vanished")
	}
	if _, err := s.Forget(human, "a.md"); err == nil {
		t.Error("a note forgotten in a folder that vanished")
	}
}

func TestA11WhatAnotherProgramDestroysCanBeBroughtBack(t *testing.T) { // 106, 107
	t.Parallel()
	s := lay(t, nil)
	add(t, s, "a", "about a")
	before := on(t, s.Dir())
	if err := errors.Join(os.Remove(filepath.Join(s.Dir(), "a.md")), os.Truncate(filepath.Join(s.Dir(), IndexName), 0)); err != nil {
		t.Fatal(err)
	}
	e := must[*Entry](t)(s.Look())
	if e == nil || e.Actor != Outside || len(e.Changes) != 2 {
		t.Fatalf("look: %+v", e)
	}
	must[*Done](t)(s.Undo(human, e.ID, Refuse))
	if diff := cmp.Diff(before, on(t, s.Dir())); diff != "" {
		t.Error(diff)
	}
}

// edits are the changes that must leave all other bytes as they were.
var edits = map[string]func(n *note.Note) ([]byte, error){
	"a field": func(n *note.Note) ([]byte, error) { return n.Set("description", "changed: it # is \"so\"") },
	"a line":  func(n *note.Note) ([]byte, error) { return n.SetLine(n.BodyLine(), "changed") },
	"more":    func(n *note.Note) ([]byte, error) { return n.Append("more") },
}

func TestA16AnEditTouchesNothingElse(t *testing.T) { // 126 to 130
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		locked     bool
	}{
		{name: "126 unparsable front matter", text: "---\nname: [a\n  b: c\n---\n\nText.\n", locked: true},
		{name: "127 a # in the description", text: "---\nname: a\ndescription: see issue #12 # and more\n---\n\nText.\n"},
		{name: "127 a name that is no slug, keys that nobody knows", text: "---\nname: My Own Name\nhook-order: 3\nx_custom: [1, 2]\ndescription: d\n---\n\nText.\n"},
		{name: "128 an unindented continuation", text: "---\nname: a\ndescription: first\nsecond line\nsafe: true\n---\n\nText.\n", locked: true},
		{name: "128 a colon in the description", text: "---\nname: a\ndescription: use this: not that\n---\n\nText.\n"},
		{name: "129 BOM and CRLF", text: "\ufeff---\r\nname: a\r\ndescription: d\r\n---\r\n\r\nText.\r\nMore.\r\n"},
		{name: "129 mixed line ends", text: "---\r\nname: a\ndescription: d\r\n---\n\nText.\r\nMore.\n"},
		{name: "130 letters of all kinds", text: "---\nname: a\ndescription: день 東京 🚀\n---\n\nПривіт, 世界 🚀.\nMore.\n"},
		{name: "no front matter, no final line break", text: "Text.\nMore."},
	} {
		for kind, edit := range edits {
			t.Run(tc.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				s := lay(t, map[string]string{"n.md": tc.text, IndexName: "- [n](n.md) — own words\n"})
				after, err := edit(note.Parse([]byte(tc.text)))
				if err != nil {
					if !tc.locked || !errors.Is(err, note.ErrLocked) && !errors.Is(err, note.ErrEntangled) {
						t.Errorf("the edit: %v", err)
					}
					return
				}
				must[*Done](t)(s.Edit(human, "n.md", []byte(tc.text), after))
				got := must[[]byte](t)(s.Read("n.md"))
				if !bytes.Equal(got, after) {
					t.Errorf("it holds %q", got)
				}
				checkOthers(t, tc.text, string(got), kind)
				if index := string(must[[]byte](t)(s.Read(IndexName))); index != "- [n](n.md) — own words\n" {
					t.Errorf("the index holds %q", index)
				}
				must[*Done](t)(s.Undo(human, 0, Refuse))
				if got := must[[]byte](t)(s.Read("n.md")); string(got) != tc.text {
					t.Errorf("after undo it holds %q", got)
				}
			})
		}
	}
}

// checkOthers checks that each line that was not edited is there as it was.
func checkOthers(t *testing.T, before, after, kind string) {
	t.Helper()
	if strings.Contains(after, "\ufffd") {
		t.Error("a replacement character came in")
	}
	for l := range strings.Lines(before) {
		edited := kind == "a field" && strings.HasPrefix(l, "description:") || kind == "a line" && strings.HasPrefix(l, "Text.") ||
			kind == "a line" && strings.HasPrefix(l, "Привіт") || kind == "more" && !strings.HasSuffix(l, "\n")
		if !edited && !strings.Contains(after, l) {
			t.Errorf("the line %q is gone", l)
		}
	}
}

func TestU24OneNoteInFiveSpellings(t *testing.T) {
	t.Parallel()
	const lf = "---\nname: a\ndescription: about a\nmetadata:\n  type: user\n---\n\nText.\n"
	crlf := strings.ReplaceAll(lf, "\n", "\r\n")
	for name, text := range map[string]string{"LF": lf, "CRLF": crlf, "BOM LF": "\ufeff" + lf, "BOM CRLF": "\ufeff" + crlf, "no final line break": strings.TrimSuffix(lf, "\n")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := lay(t, map[string]string{"a.md": text, IndexName: "- [a](a.md) — about a\n"})
			n := must[[]Item](t)(s.List())[0].Note
			if n.Name() != "a" || n.Description() != "about a" || n.Type() != "user" || strings.TrimSpace(string(n.Body())) != "Text." {
				t.Errorf("read as %q %q %q %q", n.Name(), n.Description(), n.Type(), n.Body())
			}
			after := must[[]byte](t)(n.Set("description", "about b"))
			must[*Done](t)(s.Edit(human, "a.md", []byte(text), after))
			want := strings.Replace(text, "about a", "about b", 1)
			if got := string(must[[]byte](t)(s.Read("a.md"))); got != want {
				t.Error(cmp.Diff(want, got))
			}
			if got := string(must[[]byte](t)(s.Read(IndexName))); got != "- [a](a.md) — about b\n" {
				t.Errorf("the index holds %q", got)
			}
		})
	}
}

func TestU03TheIndexIsMended(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	c := layIn(t, root, map[string]string{
		IndexName: "# Index\n\nMind this: [a](a.md) first.\n\n- [a](a.md) — a\n- [b](b.md) — b\n- [out](../../outside.md) — out\n",
		"a.md":    "a\n", "c.md": "---\ndescription: about c\n---\n\nc\n", "notes.txt": "no note\n",
	})
	s := open(t, c)
	must[*Done](t)(s.FixIndex(human, Refuse))
	want := "# Index\n\nMind this: [a](a.md) first.\n\n- [a](a.md) — a\n- [b](b.md) — b (missing: there is no such note)\n- [out](../../outside.md) — out\n- [c](c.md) — about c\n"
	if got := string(must[[]byte](t)(s.Read(IndexName))); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if done := must[*Done](t)(s.FixIndex(human, Refuse)); done.ID != 0 {
		t.Errorf("a second run did %+v", done)
	}
	other(t, s, "b.md", "back\n")
	must[*Done](t)(s.FixIndex(human, Refuse))
	if got := string(must[[]byte](t)(s.Read(IndexName))); got != strings.Replace(want, DeadMark, "", 1) {
		t.Errorf("with b back: %q", got)
	}
}

func TestAFirstIndexNamesTheNotesThatWereThere(t *testing.T) {
	t.Parallel()
	s := lay(t, map[string]string{"a.md": "---\ndescription: about a\n---\na\n", "sub/b.md": "b\n"})
	add(t, s, "c", "about c")
	for _, it := range must[[]Item](t)(s.List()) {
		if it.IndexLine == 0 {
			t.Errorf("%s has no line", it.Rel)
		}
	}
}

func TestForgetTellsWhatStillNamesTheNote(t *testing.T) {
	t.Parallel()
	s := lay(t, map[string]string{
		"a.md": "---\nname: the-a\n---\na\n", "b.md": "See [[the-a]] and [it](a.md).\n", "sub/c.md": "Up: [a](../a.md)\n", "d.md": "the-a is no link\n",
		IndexName: "- [a](a.md) — a\n\nFirst read [a](a.md).\n",
	})
	done := must[*Done](t)(s.Forget(human, "a.md"))
	want := []Mention{{IndexName, 2, "First read [a](a.md)."}, {"b.md", 1, "See [[the-a]] and [it](a.md)."}, {"sub/c.md", 1, "Up: [a](../a.md)"}}
	if diff := cmp.Diff(want, done.Mentions); diff != "" {
		t.Error(diff)
	}
}

func TestUndoKeepsWhatCameAfter(t *testing.T) {
	t.Parallel()
	s := lay(t, nil)
	first := add(t, s, "a", "about a")
	add(t, s, "b", "about b")
	must[*Done](t)(s.Undo(human, first.ID, Refuse))
	if got := string(must[[]byte](t)(s.Read(IndexName))); got != "- [b](b.md) — about b\n" {
		t.Errorf("the index holds %q", got)
	}
	gone := must[*Done](t)(s.Forget(human, "b.md"))
	add(t, s, "c", "about c")
	must[*Done](t)(s.Undo(human, gone.ID, Refuse))
	if got := string(must[[]byte](t)(s.Read(IndexName))); got != "- [b](b.md) — about b\n- [c](c.md) — about c\n" && got != "- [c](c.md) — about c\n- [b](b.md) — about b\n" {
		t.Errorf("the index holds %q", got)
	}
	b := must[[]byte](t)(s.Read("b.md"))
	edited := must[*Done](t)(s.Edit(human, "b.md", b, append(b, "more\n"...)))
	must[*Done](t)(s.Edit(human, "b.md", append(b, "more\n"...), append(b, "MORE\n"...)))
	if _, err := s.Undo(human, edited.ID, Refuse); !errors.Is(err, ErrConflict) {
		t.Errorf("undoing an edit of a line that was edited again: %v", err)
	}
}

func TestPurgeLeavesNoCopy(t *testing.T) {
	t.Parallel()
	secret := strings.Join([]string{"ghp", "0123456789abcdefABCDEF"}, "_")
	c := layIn(t, t.TempDir(), map[string]string{
		"a.md":         "---\ndescription: the token " + secret + "\n---\n\n" + secret + " twice " + secret + "\n",
		secret + ".md": "a name\n",
		IndexName:      "- [a](a.md) — the token " + secret + "\n- [t](" + secret + ".md) — by name\n",
	})
	s := open(t, c)
	add(t, s, "b", "holds "+secret)
	b := must[[]byte](t)(s.Read("b.md"))
	must[*Done](t)(s.Edit(human, "b.md", b, bytes.ReplaceAll(b, []byte(secret), []byte("nothing"))))
	must[*Done](t)(s.Forget(human, "a.md"))
	drafts := must[string](t)(s.Drafts())
	if err := os.WriteFile(filepath.Join(drafts, "x-a.md"), []byte("draft "+secret), 0o600); err != nil {
		t.Fatal(err)
	}
	p := must[*Purged](t)(s.Purge(human, []byte(secret)))
	if p.Copies == 0 || p.Entries == 0 || p.Drafts != 1 || len(p.Files) == 0 {
		t.Errorf("purged: %+v", p)
	}
	for where, dir := range map[string]string{"memory": c.Dir, "state": c.State} {
		for rel, text := range on(t, dir) {
			if strings.Contains(text, secret) || strings.Contains(rel, secret) {
				t.Errorf("%s: %s still holds it", where, rel)
			}
		}
	}
	if _, err := s.History(""); err != nil {
		t.Errorf("the journal: %v", err)
	}
	if e := must[*Entry](t)(s.Look()); e != nil {
		t.Errorf("seen as made outside: %+v", e)
	}
	if b := must[[]byte](t)(s.Read("PURGED.md")); string(b) != "a name\n" {
		t.Errorf("the renamed note holds %q", b)
	}
	if _, err := s.At("a.md", 1); !errors.Is(err, ErrPurged) {
		t.Errorf("an old version: %v", err)
	}
	again := must[*Purged](t)(s.Purge(human, []byte(secret)))
	if again.ID != 0 || again.Copies+again.Entries+again.Drafts+len(again.Files) != 0 {
		t.Errorf("a second purge did %+v", again)
	}
	add(t, s, "after", "the store still works")
}

func TestPurgeFindsWhatWasCutAndWhatWasRenamed(t *testing.T) {
	t.Parallel()
	secret := strings.Join([]string{"eyJ", strings.Repeat("Ab1_", 60)}, "")
	s := lay(t, map[string]string{"PURGED.md": "of an older purge\n"})
	slug := slugOf(secret, "-")[:40]
	add(t, s, "token-"+slug[:30], "the bot's token is "+secret+" for now")
	n := must[[]byte](t)(s.Read(IndexName))
	if !bytes.Contains(n, []byte("…")) {
		t.Fatalf("the line was not cut: %s", n)
	}
	p := must[*Purged](t)(s.Purge(human, []byte(secret)))
	if len(p.NotReached) > 0 {
		t.Errorf("not reached: %q", p.NotReached)
	}
	for rel, text := range on(t, filepath.Dir(s.Dir())) {
		if strings.Contains(text, secret[:20]) {
			t.Errorf("%s still holds its start", rel)
		}
	}
	short := strings.Join([]string{"ghp", "AbCdEf123456"}, "_")
	add(t, s, "deploy-token-ghp-abcdef123456-bot", "a name made of the secret")
	must[*Purged](t)(s.Purge(human, []byte(short)))
	for rel, text := range on(t, filepath.Dir(s.Dir())) {
		if strings.Contains(text+rel, "abcdef123456") {
			t.Errorf("%s still holds the name", rel)
		}
	}
	add(t, s, "x", "about MEMORY")
	if _, err := s.Purge(human, []byte("MEMORY")); err == nil {
		t.Error("the index's own name was purged")
	}
}

func TestPurgeSaysWhatItCouldNotReach(t *testing.T) {
	t.Parallel()
	const secret = "a-long-secret-word"
	s := lay(t, map[string]string{"a.md": secret + "\n", "notes.txt": secret, ".hidden/h.md": secret, "a.md~": secret})
	p := must[*Purged](t)(s.Purge(human, []byte(secret)))
	if len(p.NotReached) != 3 {
		t.Errorf("not reached: %q", p.NotReached)
	}
}

func TestTheFirstLookKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	s := lay(t, map[string]string{"a.md": "a\n", "b.md": "b\n"})
	if e := must[*Entry](t)(s.Look()); e == nil || e.Op != opSeen || len(e.Changes) != 2 {
		t.Fatalf("the first look: %+v", e)
	}
	if err := os.Remove(filepath.Join(s.Dir(), "b.md")); err != nil {
		t.Fatal(err)
	}
	e := must[*Entry](t)(s.Look())
	must[*Done](t)(s.Undo(human, e.ID, Refuse))
	if b := must[[]byte](t)(s.Read("b.md")); string(b) != "b\n" {
		t.Errorf("b is %q", b)
	}
}

func TestTextBelowAnIndexLineStays(t *testing.T) {
	t.Parallel()
	text := "---\nname: a\ndescription: about a\n---\n\nText.\n"
	s := lay(t, map[string]string{"a.md": text, IndexName: "- [a](a.md) — about a\n  a remark of mine\n- [b](b.md) — b\n"})
	after := must[[]byte](t)(note.Parse([]byte(text)).Set("description", "other"))
	done := must[*Done](t)(s.Edit(human, "a.md", []byte(text), after))
	if got := string(must[[]byte](t)(s.Read(IndexName))); !strings.Contains(got, "a remark of mine") || len(done.Said) == 0 {
		t.Errorf("%q, said %q", got, done.Said)
	}
	done = must[*Done](t)(s.Forget(human, "a.md"))
	if len(done.Said) != 1 || !strings.Contains(done.Said[0], "a remark of mine") {
		t.Errorf("said %q", done.Said)
	}
}

func TestPurgeOfSeveralLinesFindsThemJoined(t *testing.T) {
	t.Parallel()
	secret := "first-Kw77-zebra\nsecond-Pq88-otter"
	s := lay(t, nil)
	add(t, s, "keys", strings.ReplaceAll(secret, "\n", " "))
	b := must[[]byte](t)(s.Read("keys.md"))
	must[*Done](t)(s.Edit(human, "keys.md", b, append(b, secret+"\n"...)))
	must[*Purged](t)(s.Purge(human, []byte(secret)))
	for rel, text := range on(t, filepath.Dir(s.Dir())) {
		if strings.Contains(text, "Kw77") || strings.Contains(text, "Pq88") {
			t.Errorf("%s still holds it: %q", rel, text)
		}
	}
}
