package note

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/frontmatter"
)

// way is how a value is written in a generated note.
type way struct {
	text  string // behind "key:", with its line break
	value string // what is read, where the writer knows
	back  func(value string) bool
}

// drawWay draws a value in one of the styles seen in the wild. back tells for
// which values setting the field and setting it back must give the same bytes.
func drawWay(t *rapid.T, indent, nl string) way {
	s := awkward().Draw(t, "text")
	word := rapid.SampledFrom([]string{"plain words", "it's", "a, b", "x#y", "ключ 😀"}).Draw(t, "word")
	always := func(string) bool { return true }
	never := func(string) bool { return false }
	switch rapid.IntRange(0, 15).Draw(t, "style") {
	case 0, 1:
		return way{" " + word + nl, word, always}
	case 2:
		return way{"   " + word + " \t" + nl, word, always}
	case 3: // in quotes by habit
		return way{` "` + word + `"` + nl, word, plainSafe}
	case 4:
		return way{" '" + strings.ReplaceAll(word, "'", "''") + "'" + nl, word, plainSafe}
	case 5: // in quotes by need
		return way{" " + quoteDouble(s) + nl, s, func(string) bool { return !plainSafe(s) }}
	case 6:
		if q, ok := quoteSingle(s); ok {
			return way{" " + q + nl, s, func(v string) bool {
				_, single := quoteSingle(v)
				return !plainSafe(s) && !plainSafe(v) && single
			}}
		}
		return way{" x" + nl, "x", always}
	case 7:
		return way{" " + word + " # a comment" + nl, word, func(v string) bool { return !strings.Contains(v, "# a comment") }}
	case 8:
		return way{" >-" + nl + indent + "  one" + nl + indent + "  two" + nl, "one two", never}
	case 9:
		return way{" |" + nl + indent + "    one" + nl + nl + indent + "    two" + nl, "one\n\ntwo\n", never}
	case 10:
		return way{" one" + nl + indent + "  two" + nl, "one two", never}
	case 11:
		return way{" \"one" + nl + indent + "  two\"" + nl, "", never}
	case 12:
		return way{" Use X: not Y # z" + nl, "", never} // mended, at the top
	case 13:
		return way{rapid.SampledFrom([]string{" 5", " true", " ~", "", " # none", " 2024-01-02", " !!str 5", " &a x"}).Draw(t, "odd") + nl, "", never}
	case 14:
		return way{nl + indent + "- a" + nl + indent + "- b" + nl, "", never}
	}
	return way{" |+" + nl + indent + "  one" + nl + nl, "", never}
}

// drawnNote is a generated note and what is known of it.
type drawnNote struct {
	text string
	ways map[string]way
}

// drawNote draws a note in any of the shapes seen in the wild.
func drawNote(t *rapid.T) drawnNote {
	nl := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "nl")
	d := drawnNote{ways: map[string]way{}}
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "", "", "\ufeff", "\ufeff\ufeff"}).Draw(t, "bom"))
	if rapid.IntRange(0, 9).Draw(t, "front") > 0 {
		b.WriteString("---" + rapid.SampledFrom([]string{"", "", " ", nl}).Draw(t, "open") + nl)
		d.fields(t, &b, nl)
		b.WriteString("---" + rapid.SampledFrom([]string{nl, nl, nl + nl, " " + nl, ""}).Draw(t, "close"))
	}
	if s := b.String(); !strings.HasSuffix(s, "---") {
		b.WriteString(rapid.SampledFrom([]string{"", "Body" + nl, "# T" + nl + nl + "text  " + nl, "  indented", "a\nb\r\nc", "---" + nl + "x", "\xff\xfe bytes" + nl}).Draw(t, "body"))
	}
	d.text = b.String()
	return d
}

func (d *drawnNote) fields(t *rapid.T, b *strings.Builder, nl string) {
	key := rapid.SampledFrom([]string{"name", "description", "type", "status", "last-verified", "originSessionId", "modified", "x_y"})
	for _, k := range rapid.SliceOfNDistinct(key, 0, 5, rapid.ID[string]).Draw(t, "keys") {
		if rapid.IntRange(0, 9).Draw(t, "comment") == 0 {
			b.WriteString("# about " + k + nl)
		}
		w := drawWay(t, "", nl)
		d.ways[k] = w
		b.WriteString(rapid.SampledFrom([]string{k, k, k, k + " ", `"` + k + `"`}).Draw(t, "key") + ":" + w.text)
	}
	switch rapid.IntRange(0, 4).Draw(t, "metadata") {
	case 0:
		return
	case 1:
		b.WriteString(rapid.SampledFrom([]string{"metadata:", "metadata: {type: user, a: b}", "metadata: text", "metadata: # none"}).Draw(t, "odd metadata") + nl)
		return
	}
	indent := rapid.SampledFrom([]string{"  ", "  ", "    ", " "}).Draw(t, "indent")
	b.WriteString("metadata:" + nl)
	below := rapid.SampledFrom([]string{"node_type", "type", "status", "originSessionId", "modified", "k"})
	for _, k := range rapid.SliceOfNDistinct(below, 1, 4, rapid.ID[string]).Draw(t, "keys below") {
		w := drawWay(t, indent, nl)
		d.ways["metadata."+k] = w
		b.WriteString(indent + k + ":" + w.text)
	}
}

func drawKey() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"name", "description", "type", "status", "originSessionId", "modified", "last-verified", "metadata.type", "new-key"})
}

// tally counts what a property met, so that one that meets nothing fails.
type tally struct{ edits, refused, back int }

func TestSetChangesTheFieldsLinesOnly(t *testing.T) {
	var seen tally
	rapid.Check(t, func(t *rapid.T) {
		d := drawNote(t)
		checkSet(t, d, drawKey().Draw(t, "key"), awkward().Draw(t, "value"), &seen)
	})
	t.Logf("%d edits, %d refused, %d set back to the same bytes", seen.edits, seen.refused, seen.back)
	if seen.edits < 50 || seen.back < 20 || seen.refused > seen.edits {
		t.Errorf("the notes are too odd to say anything: %+v", seen)
	}
}

type fataler interface {
	Fatalf(format string, args ...any)
}

func checkSet(t fataler, d drawnNote, key, value string, seen *tally) {
	n := Parse([]byte(d.text))
	f, had := n.Field(key)
	out, err := n.Set(key, value)
	if string(n.Bytes()) != d.text {
		t.Fatalf("the note was written to")
	}
	if err != nil {
		if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrEntangled) && !errors.Is(err, ErrValue) {
			t.Fatalf("%q: %v", d.text, err)
		}
		checkRefusal(t, n, f, had, d.ways[f.Key], value, err)
		seen.refused++
		return
	}
	seen.edits++
	after := Parse(out)
	if got, ok := after.Text(key); !ok || got != value {
		t.Fatalf("%q -> %q: %s reads %q, %v", d.text, out, key, got, ok)
	}
	if had {
		checkPiece(t, n, out, f.Start, f.End)
	} else {
		checkInserted(t, n, out)
	}
	checkOthers(t, n, after, key)
	if again, err := after.Set(key, value); err != nil || !bytes.Equal(again, out) {
		t.Fatalf("again: %q -> %q, %v", out, again, err)
	}
	reverts := n.Reverts(key, value)
	if reverts {
		seen.back++
	}
	if w, ok := d.ways[f.Key]; had && ok && w.back(value) && !reverts && n.plainlyRead(f, w) {
		t.Fatalf("%q -> %q: setting %s back does not give the bytes of before", d.text, out, key)
	}
	if !had && !reverts && n.HasFront && n.exact(metadata) < 0 {
		t.Fatalf("%q -> %q: removing %s does not give the bytes of before", d.text, out, key)
	}
}

// plainlyRead reports whether a generated field was read as it was meant: not
// where another line broke the block.
func (n *Note) plainlyRead(f Field, w way) bool {
	return !n.mended && f.Value.Kind == frontmatter.String && f.Value.Text == w.value
}

// checkRefusal: a field that can be edited, plainly written in a block without
// faults, must be.
func checkRefusal(t fataler, n *Note, f Field, had bool, w way, value string, err error) {
	if had && n.Editable() && n.plainlyRead(f, w) && w.value != "" && !bytes.Contains(n.raw, []byte("&a")) && n.Seen {
		t.Fatalf("%q: %s was not set to %q: %v", n.raw, f.Key, value, err)
	}
}

// checkPiece: out is n but for the bytes from start to end.
func checkPiece(t fataler, n *Note, out []byte, start, end int) {
	if !bytes.HasPrefix(out, n.raw[:start]) || !bytes.HasSuffix(out, n.raw[end:]) || len(out) < start+len(n.raw)-end {
		t.Fatalf("%q -> %q: more than the bytes %d to %d changed", n.raw, out, start, end)
	}
	piece := out[start : len(out)-(len(n.raw)-end)]
	old := n.raw[start:end]
	if lineBreak(string(piece)) != lineBreak(string(old)) {
		t.Fatalf("%q became %q: another line break", old, piece)
	}
}

// checkInserted: out is n with one piece put in, whole lines.
func checkInserted(t fataler, n *Note, out []byte) {
	at := 0
	for at < len(n.raw) && at < len(out) && n.raw[at] == out[at] {
		at++
	}
	if !bytes.HasSuffix(out, n.raw[at:]) {
		t.Fatalf("%q -> %q: more than one piece put in", n.raw, out)
	}
	if crlf := bytes.Contains(n.raw, []byte("\r\n")); !crlf && bytes.Contains(out, []byte("\r\n")) {
		t.Fatalf("%q -> %q: another line break", n.raw, out)
	}
}

func checkOthers(t fataler, n, after *Note, key string) {
	before, now := n.values(), after.values()
	i := after.index(key)
	delete(before, after.Fields[i].Key)
	delete(now, after.Fields[i].Key)
	delete(before, metadata) // empty before, a map now
	delete(now, metadata)
	if d := cmp.Diff(before, now); d != "" || !bytes.Equal(n.Body(), after.Body()) {
		t.Fatalf("%q -> %q: something else changed\n%s", n.raw, after.raw, d)
	}
}

func TestRemoveTakesTheFieldsLinesOnly(t *testing.T) {
	removed := 0
	rapid.Check(t, func(t *rapid.T) {
		n := Parse([]byte(drawNote(t).text))
		if len(n.Fields) == 0 {
			return
		}
		f, _ := n.Field(rapid.SampledFrom(n.Fields).Draw(t, "field").Key)
		out, err := n.Remove(f.Key)
		if err != nil {
			if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrEntangled) {
				t.Fatal(err)
			}
			return
		}
		removed++
		after := Parse(out)
		want := n.values()
		delete(want, f.Key)
		got := after.values()
		delete(want, metadata)
		delete(got, metadata)
		if d := cmp.Diff(want, got); d != "" || !bytes.Equal(n.Body(), after.Body()) || !isSubsequence(out, n.raw) {
			t.Fatalf("%q -> %q without %s\n%s", n.raw, out, f.Key, d)
		}
	})
	if removed < 5 {
		t.Errorf("only %d fields were removed", removed)
	}
}

func isSubsequence(short, long []byte) bool {
	for _, c := range long {
		if len(short) > 0 && short[0] == c {
			short = short[1:]
		}
	}
	return len(short) == 0
}

func TestBodyEditsChangeTheBodyOnly(t *testing.T) {
	edited := 0
	rapid.Check(t, func(t *rapid.T) {
		n := Parse([]byte(drawNote(t).text))
		text := awkward().Draw(t, "text")
		var out []byte
		var err error
		switch rapid.IntRange(0, 2).Draw(t, "edit") {
		case 0:
			out, err = n.SetBody(text)
		case 1:
			out, err = n.Append(text)
		default:
			out, err = n.SetLine(n.BodyLine(), oneLine(text))
		}
		if err != nil {
			if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrEntangled) && !errors.Is(err, ErrValue) {
				t.Fatal(err)
			}
			return
		}
		edited++
		if !bytes.HasPrefix(out, n.raw[:n.afterAt]) {
			t.Fatalf("%q -> %q: the head changed", n.raw, out)
		}
		if d := cmp.Diff(n.values(), Parse(out).values()); d != "" {
			t.Fatalf("%q -> %q\n%s", n.raw, out, d)
		}
	})
	if edited < 50 {
		t.Errorf("only %d bodies were edited", edited)
	}
}
