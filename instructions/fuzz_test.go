package instructions_test

import (
	"strings"
	"testing"
	"time"

	"dormouse/instructions"
)

var seeds = []string{
	"", "@", "@a", "a @b.md, x\r\n@c\rd", "- see ` @a ` <!-- @b -->\n  - [x @c](y \"t\")", "> @a\nlazy @b\n> - c\n    @d\n",
	"<!-- a --> @b <!--\nc --> @d\n", "<!-->\n<!--->\n<!---->", "```\n@a\n~~~\n", "[r]: /u \"t\n[r]\n![@a][r] \\@b",
	"**@a**_@b_*c*d*", "\xff@a\xfe\xff\n> \xff\n\xff", "1. a\n\n\t@b\n      - c\n", "\ufeff<!-- -->\u2028@a\u00a0", "> <pre \n <script>\n</script>",
}

// FuzzScanImports: no panic, every import inside the text and where it says.
func FuzzScanImports(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := instructions.ScanImports(text)
		others := false
		for _, i := range found {
			if i.Offset < 0 || i.Offset >= len(text) || text[i.Offset] != '@' {
				t.Fatalf("offset %d of %+v names no @ in %q", i.Offset, i, text)
			}
			head := text[:i.Offset]
			lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(head, "\r\n", "\n"), "\r", "\n"), "\n")
			if i.Line != len(lines) || i.Column != len([]rune(lines[len(lines)-1]))+1 {
				t.Fatalf("%+v is at %d:%d in %q", i, len(lines), len([]rune(lines[len(lines)-1]))+1, text)
			}
			if i.Verdict != instructions.Imports && i.Verdict != instructions.BreaksFile {
				others = true
			} else if others {
				t.Fatalf("%+v stands behind what is no import", i)
			}
			if strings.ContainsAny(i.Raw, "\n\t") || !strings.HasSuffix(i.Path, i.Trailing) {
				t.Fatalf("%+v", i)
			}
			if !strings.HasPrefix(text[i.Offset+1:], i.Raw) && !strings.Contains(text, "\xff") {
				t.Fatalf("%+v is not what stands in %q", i, text)
			}
		}
	})
}

// FuzzStripComments: no panic; what stays is a subsequence of the text, line ends
// apart; what had no comment stays as it is.
func FuzzStripComments(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kept := instructions.StripComments(text)
		if !strings.Contains(text, "<!--") && kept != text {
			t.Fatalf("%q became %q", text, kept)
		}
		rest := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		if kept == text {
			return
		}
		if len(kept) > len(rest) {
			t.Fatalf("%q grew to %q", text, kept)
		}
		for i := 0; i < len(kept); i++ {
			k := strings.IndexByte(rest, kept[i])
			if k < 0 {
				t.Fatalf("%q is no part of %q", kept, text)
			}
			rest = rest[k+1:]
		}
	})
}

// FuzzRepeatedText: a text that goes on and on costs no more than its length. Of
// 64 KiB one takes a few hundred milliseconds at worst; the limit leaves room
// for a busy machine, not for a quadratic.
func FuzzRepeatedText(f *testing.F) {
	for _, s := range seeds {
		f.Add("", s)
	}
	f.Fuzz(func(t *testing.T, head, part string) {
		if part == "" || len(head) > 1000 {
			return
		}
		text := head + strings.Repeat(part, 1+(64<<10)/len(part)) + " @x <!-- -->"
		start := time.Now()
		instructions.ScanImports(text)
		instructions.StripComments(text)
		if d := time.Since(start); d > hang {
			t.Errorf("%v for %d bytes", d, len(text))
		}
	})
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
