package note

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawIndex draws an index: lists in several styles, headings, text, comments,
// fences, tables.
func drawIndex(t *rapid.T) string {
	nl := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "nl")
	mark := rapid.SampledFrom([]string{"- ", "- ", "* ", "1. ", "+   ", ""}).Draw(t, "mark")
	link := rapid.SampledFrom([]string{"[Title](%)", "[%](%)", "[[%]]", "**[Title](%)**", "[[%|Title]]", "[a b](<x/%>)"}).Draw(t, "link")
	sep := rapid.SampledFrom([]string{" — ", ": ", " - ", "", " "}).Draw(t, "sep")
	file := rapid.SampledFrom([]string{"a.md", "b.md", "c.md", "d.md", "e.md", "sub/f.md"})
	line := rapid.Custom(func(t *rapid.T) string {
		f := file.Draw(t, "file")
		entry := mark + strings.ReplaceAll(link, "%", f) + sep + rapid.SampledFrom([]string{"", "hook", "see [B](b.md)", "[[c]] and more", "**bold**"}).Draw(t, "hook")
		return rapid.SampledFrom([]string{
			entry, entry, entry, entry, "  " + entry, "\t" + entry, "", "", "# Index", "## User", "### Feedback notes", " ## Projects", "text", "See [A](a.md) here.",
			"  goes on", "    more", "<!-- comment -->", "<!-- " + entry, "-->", "```", "  ```", "| [A](a.md) | x |", "|---|---|", "> quote", "- no link", "---", "- [A](a.md), [D](d.md)", "\xff\xfe",
		}).Draw(t, "line")
	})
	bom := rapid.SampledFrom([]string{"", "", "", "\ufeff"}).Draw(t, "bom")
	text := strings.Join(rapid.SliceOfN(line, 0, 15).Draw(t, "lines"), nl)
	return bom + text + rapid.SampledFrom([]string{nl, nl, "", nl + nl}).Draw(t, "end")
}

func TestInsertingAndRemovingALineGivesTheSameBytes(t *testing.T) {
	inserted := 0
	rapid.Check(t, func(t *rapid.T) {
		in := drawIndex(t)
		l := Line{File: "new note.md", Title: awkward().Draw(t, "title"), Hook: awkward().Draw(t, "hook"), Section: rapid.SampledFrom([]string{"", "user", "feedback", "project", "reference"}).Draw(t, "section")}
		if checkInsert(t, []byte(in), l) {
			inserted++
		}
	})
	if inserted < 50 {
		t.Errorf("only %d lines were put in", inserted)
	}
}

func checkInsert(t fataler, in []byte, l Line) bool {
	x := ReadIndex(in)
	before := bytes.Clone(in)
	out, err := x.Insert(l)
	if !bytes.Equal(in, before) {
		t.Fatalf("the index was written to")
	}
	if err != nil {
		if !errors.Is(err, ErrEntangled) && !errors.Is(err, ErrLocked) && !errors.Is(err, ErrListed) && !errors.Is(err, ErrValue) {
			t.Fatalf("%q: %v", in, err)
		}
		return false
	}
	was, now := ParseIndex(string(in)), ParseIndex(string(out))
	if len(now) != len(was)+1 {
		t.Fatalf("%q -> %q: %d lines became %d", in, out, len(was), len(now))
	}
	at := slices.IndexFunc(now, func(e Entry) bool { return slices.Contains(e.Files, l.File) })
	if at < 0 || len(now[at].Files) != 1 || Units(now[at].Text) > LineUnits {
		t.Fatalf("%q -> %q: the line is not there as it should be", in, out)
	}
	if nl := lineBreak(string(out)[now[at].Start:now[at].End]); nl != "" && nl != documentBreak(string(in)) && !mixed(in) && !bytes.HasSuffix(in, []byte("\r")) {
		t.Fatalf("%q -> %q: another line break", in, out)
	}
	if !isSubsequence(in, out) {
		t.Fatalf("%q -> %q: bytes went", in, out)
	}
	back, err := ReadIndex(out).Remove(l.File)
	if err != nil || !bytes.Equal(back, in) {
		t.Fatalf("%q -> %q -> %q, %v", in, out, back, err)
	}
	return true
}

func mixed(b []byte) bool { return bytes.Count(b, []byte("\r\n")) != bytes.Count(b, []byte("\n")) }

func TestIndexEditsTouchOneLine(t *testing.T) {
	edited := 0
	rapid.Check(t, func(t *rapid.T) {
		in := []byte(drawIndex(t))
		if checkIndexEdits(t, in, rapid.SampledFrom([]string{"a.md", "b.md", "sub/f.md", "x/a.md"}).Draw(t, "file"), awkward().Draw(t, "hook")) {
			edited++
		}
	})
	if edited < 5 {
		t.Errorf("only %d indexes were edited", edited)
	}
}

func checkIndexEdits(t fataler, in []byte, file, hook string) bool {
	x := ReadIndex(in)
	if x.frozen != "" || !x.Has(file) {
		return false
	}
	row := x.rows[x.find(file)[0]]
	if out, err := x.SetHook(file, hook); err == nil {
		if !bytes.HasPrefix(out, x.raw[:row.start]) {
			t.Fatalf("%q -> %q: bytes before the line changed", in, out)
		}
		if again, err := ReadIndex(out).SetHook(file, hook); err != nil || !bytes.Equal(again, out) && Units(hook) < 60 {
			t.Fatalf("again: %q -> %q, %v", out, again, err)
		}
	} else if !errors.Is(err, ErrEntangled) {
		t.Fatalf("%q: %v", in, err)
	}
	if out, err := x.Retarget(file, "new.md"); err == nil {
		if back, err := ReadIndex(out).Retarget("new.md", file); err == nil && len(ParseIndex(string(back))) != len(ParseIndex(string(in))) {
			t.Fatalf("%q -> %q -> %q: lines went", in, out, back)
		}
	} else if !errors.Is(err, ErrEntangled) {
		t.Fatalf("%q: %v", in, err)
	}
	out, err := x.Move(file, "")
	if err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	if d := cmp.Diff(sortedLines(in), sortedLines(out)); d != "" {
		t.Fatalf("%q -> %q: lines changed\n%s", in, out, d)
	}
	return true
}

// sortedLines are the lines without their breaks.
func sortedLines(b []byte) []string {
	lines := strings.Split(strings.TrimPrefix(string(b), "\ufeff"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	slices.Sort(lines)
	return lines
}
