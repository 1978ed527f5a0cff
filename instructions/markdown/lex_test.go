package markdown_test

import (
	"strings"
	"testing"

	"dormouse/instructions/markdown"
)

// checkDoc checks what must hold for every document.
func checkDoc(t *testing.T, text string) {
	t.Helper()
	doc := markdown.Lex(text)
	if want := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"); doc.Source != want {
		t.Fatalf("source of %q is %q", text, doc.Source)
	}
	for _, x := range doc.Texts {
		checkOffsets(t, text, x)
	}
	at := 0
	for _, h := range doc.HTML {
		checkOffsets(t, text, h.Text)
		if !h.Top {
			continue
		}
		if h.Start < at || h.End <= h.Start || h.End > len(doc.Source) {
			t.Fatalf("block %d-%d behind %d in %q", h.Start, h.End, at, text)
		}
		if !strings.Contains(text, "\xff") && doc.Source[h.Start:h.End] != h.Value {
			t.Fatalf("block %d-%d of %q is not %q", h.Start, h.End, text, h.Value)
		}
		at = h.End
	}
	for _, s := range doc.Spans {
		if s.Start < 0 || s.End < s.Start || s.End > len(text) || s.Kind == markdown.Plain {
			t.Fatalf("span %+v in %q", s, text)
		}
	}
}

// checkOffsets checks that a text's characters are where it says they are: all
// but white space, which tabs and line ends turn into other white space.
func checkOffsets(t *testing.T, text string, x markdown.Text) {
	t.Helper()
	last := 0
	for i := 0; i < len(x.Value); i++ {
		o := x.Offset(i)
		if o < last || o >= len(text) {
			t.Fatalf("offset %d of byte %d of %q behind %d in %q", o, i, x.Value, last, text)
		}
		last = o
		if c := x.Value[i]; c != text[o] && c != ' ' && c != '\n' && text[o] != 0xFF {
			t.Fatalf("byte %d of %q is %q at %d in %q", i, x.Value, text[o], o, text)
		}
	}
}

func TestOffsetsLeadBackToTheSource(t *testing.T) {
	for seed := range uint64(5000) {
		checkDoc(t, document(seed))
	}
}

func TestSpansAreWhereTheySay(t *testing.T) {
	type span struct {
		kind markdown.Kind
		text string
	}
	for text, want := range map[string]span{
		"a `b@` c":            {markdown.CodeSpan, "`b@`"},
		"> a `b\n> @` c":      {markdown.CodeSpan, "`b\n> @`"},
		"a <b c='@'> d":       {markdown.HTML, "<b c='@'>"},
		"<div>\n@\n\nx":       {markdown.HTML, "<div>\n@\n\n"},
		"[a@](b \"@\") c":     {markdown.LinkTarget, "](b \"@\")"},
		"x\n```\n@\n```\ny":   {markdown.Code, "```\n@\n```"},
		"x\n\n    @\n\n\ny":   {markdown.Code, "    @\n\n\n"},
		"- a\n  ~~~\n  @\n":   {markdown.Code, "~~~\n  @"},
		"a \\@ b":             {markdown.Escape, "\\@"},
		"a <!-- @ --> b":      {markdown.Comment, "<!-- @ -->"},
		"<!-- @\r\n --> b":    {markdown.Comment, "<!-- @\r\n -->"},
		"> <!-- @\n> --> b\n": {markdown.Comment, "<!-- @\n> -->"},
		"[r]: /@\nx":          {markdown.Definition, "[r]: /@\n"},
		"a ![@](b) c":         {markdown.Image, "![@](b)"},
		"a <http://b@c> d":    {markdown.LinkTarget, "<http://b@c>"},
	} {
		doc := markdown.Lex(text)
		if len(doc.Spans) != 1 {
			t.Errorf("%q has spans %+v", text, doc.Spans)
			continue
		}
		s := doc.Spans[0]
		if got := (span{s.Kind, text[s.Start:s.End]}); got != want {
			t.Errorf("%q has %+v, want %+v", text, got, want)
		}
	}
}

func TestTheWorkLimitIsTold(t *testing.T) {
	if markdown.Lex("- > *a* `b` @c\nd\n").Cut {
		t.Error("a small text was cut")
	}
	for _, part := range []string{"> ", "- ", "*a "} {
		doc := markdown.Lex(strings.Repeat(part, 100000) + " @x")
		if !doc.Cut {
			t.Errorf("100,000 times %q was not cut", part)
		}
		found := false
		for _, x := range doc.Texts {
			found = found || strings.HasSuffix(x.Value, " @x")
		}
		if !found {
			t.Errorf("behind 100,000 times %q the rest is no text", part)
		}
	}
}

func FuzzLex(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(document(seed))
	}
	f.Add("\xff\r\n> \xff@\t\t<pre \n\ta")
	f.Fuzz(checkDoc)
}
