package frontmatter

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// recorded reads what the real client did with many texts; see testdata/README.md.
func recorded[T any](t *testing.T, name string) []T {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("nothing recorded in " + name)
	}
	return all
}

type splitCase struct {
	Name        string
	Text        string  // a rule file
	Loaded      *string // what of it reached the model; nil: nothing
	Note        string  // the same with descriptions, as a note
	Description string  // of the note in the generated index
}

func TestSplitLeavesTheBodyThatTheClientLoads(t *testing.T) {
	for _, c := range recorded[splitCase](t, "splits.json") {
		if strings.Contains(c.Text, "<!--") {
			continue // comments are removed after the front matter, elsewhere
		}
		t.Run(c.Name, func(t *testing.T) {
			b, _ := Split(c.Text)
			want := ""
			if c.Loaded != nil {
				want = *c.Loaded
			}
			if got := TrimSpace(b.Body); got != want {
				t.Errorf("body of %q is %q, the client loads %q", c.Text, got, want)
			}
		})
	}
}

func TestSplitNoteFindsTheFrontMatterOfANote(t *testing.T) {
	for _, c := range recorded[splitCase](t, "splits.json") {
		t.Run(c.Name, func(t *testing.T) {
			if got := description(c.Note); got != c.Description {
				t.Errorf("description of %q is %q, the client has %q", c.Note, got, c.Description)
			}
		})
	}
}

func description(note string) string {
	b, _ := SplitNote(note)
	f, err := ParseNote(b.Front)
	if err != nil {
		return ""
	}
	d, _ := f.Text("description")
	return indexText(d)
}

func TestSplitNoteLooksAtTheFirstLinesAndBytesOnly(t *testing.T) {
	lines := func(n int) string { // a note whose front matter ends on line n
		return "---\ndescription: d\n" + strings.Repeat("a: x\n", n-3) + "---\nBody\n"
	}
	bytes := func(n int) string { // whose closing mark ends at byte n
		head := "---\ndescription: d\na: "
		return head + strings.Repeat("z", n-len(head)-4) + "\n---\nBody\n"
	}
	for _, c := range []struct {
		name string
		note string
		want bool
	}{
		{"the mark on line 30 is seen", lines(30), true},
		{"the mark on line 31 is not", lines(31), false},
		{"the mark that ends at byte 65,536 is seen", bytes(65_536), true},
		{"one byte later it is not", bytes(65_537), false},
		{"two byte order marks are skipped", bom + bom + lines(5), true},
		{"three are not", bom + bom + bom + lines(5), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := SplitNote(c.note)
			if ok != c.want {
				t.Fatalf("found: %v, want %v", ok, c.want)
			}
			if !ok && b.Body != c.note {
				t.Error("without front matter the whole note is body")
			}
		})
	}
}

func TestSplitOffsetsPointIntoTheText(t *testing.T) {
	text := bom + "---  \n\n\r\nname: x\n---\n\nBody"
	b, ok := Split(text)
	if !ok || b.Front != "name: x\n" || b.Body != "Body" || b.Line != 4 {
		t.Fatalf("Split(%q) = %+v, %v", text, b, ok)
	}
	if text[b.Offset:b.Offset+len(b.Front)] != b.Front || text[b.BodyOffset:] != b.Body {
		t.Errorf("offsets %d and %d are wrong", b.Offset, b.BodyOffset)
	}
}

func TestSplitKeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(\x{FEFF}|-{1,4}|[ \t\r\n]|\x{2028}|[a-z:]{1,4}){0,30}`).Draw(t, "text")
		b, ok := Split(text)
		if !ok {
			if b.Front != "" || b.Body != text || b.Offset != 0 || b.BodyOffset != 0 {
				t.Fatalf("no front matter, yet %+v", b)
			}
			return
		}
		if text[b.Offset:b.Offset+len(b.Front)] != b.Front || text[b.BodyOffset:] != b.Body {
			t.Fatalf("offsets are wrong: %+v", b)
		}
		between := strings.TrimPrefix(text[b.Offset+len(b.Front):b.BodyOffset], mark)
		if strings.Contains(b.Front, mark) || TrimSpace(between) != "" {
			t.Fatalf("the mark is not where the block ends: %+v", b)
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "---\na: 1\n---\nBODY", bom + "---\n---", "--- \u2028\n\n---x---", "---\n\xff---\r\n \n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, split := range []func(string) (Block, bool){Split, SplitNote} {
			b, ok := split(text)
			if text[b.Offset:b.Offset+len(b.Front)] != b.Front || text[b.BodyOffset:] != b.Body {
				t.Errorf("offsets are wrong: %+v", b)
			}
			if ok && (b.Line != 1+strings.Count(text[:b.Offset], "\n") || strings.Contains(b.Front, mark)) {
				t.Errorf("wrong block: %+v", b)
			}
		}
	})
}
