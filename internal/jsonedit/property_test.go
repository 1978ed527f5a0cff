package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// standard returns the document as strict JSON, by way of the parser's own
// function and not of ours.
func standard(t interface{ Fatalf(string, ...any) }, src []byte) []byte {
	text := append(bytes.Clone(bytes.TrimPrefix(src, []byte("\uFEFF"))), '\n')
	out, err := hujson.Standardize(text)
	if err != nil {
		t.Fatalf("not JSON with comments: %v: %q", err, src)
	}
	return out
}

// gap draws what may stand between two tokens.
func gap(nl string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{
			"", "", "", " ", " ", "\t", "\r", nl, nl + "  ", "/* c */", "/* \"}, " + nl + "*/", "// {\" c," + nl, " // c" + nl + "\t",
		})
		return strings.Join(rapid.SliceOfN(part, 0, 2).Draw(t, "gap"), "")
	})
}

func value(nl string, depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth == 0 || rapid.Bool().Draw(t, "leaf") {
			return rapid.SampledFrom([]string{`true`, `false`, `null`, `-1.5e3`, `"false"`, `"}, // \"\u00e9"`, `""`}).Draw(t, "literal")
		}
		g := gap(nl)
		var b strings.Builder
		open, end := "[", "]"
		isObject := rapid.Bool().Draw(t, "object")
		if isObject {
			open, end = "{", "}"
		}
		b.WriteString(open)
		n := rapid.IntRange(0, 2).Draw(t, "n")
		for i := range n {
			b.WriteString(g.Draw(t, "before"))
			if isObject {
				b.WriteString(`"` + key + `":`)
			}
			b.WriteString(value(nl, depth-1).Draw(t, "v") + g.Draw(t, "after"))
			if i < n-1 || rapid.Bool().Draw(t, "comma") {
				b.WriteString(",")
			}
		}
		return b.String() + g.Draw(t, "end") + end
	})
}

// document draws a source in any style; key stands in it as often as it likes.
func drawSource(t *rapid.T) string {
	nl := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl")
	g := gap(nl)
	names := rapid.SampledFrom([]string{`"a"`, `"b"`, `"a\"}"`, `"` + key + `"`, `"auto\u004demoryEnabled"`})
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "bom") + g.Draw(t, "head") + "{")
	n := rapid.IntRange(0, 5).Draw(t, "members")
	for i := range n {
		b.WriteString(g.Draw(t, "g1") + names.Draw(t, "name") + g.Draw(t, "g2") + ":" + g.Draw(t, "g3") + value(nl, 2).Draw(t, "value") + g.Draw(t, "g4"))
		if i < n-1 || rapid.Bool().Draw(t, "comma") {
			b.WriteString(",")
		}
	}
	b.WriteString(g.Draw(t, "tail") + "}" + g.Draw(t, "foot"))
	if rapid.Bool().Draw(t, "open comment at the end") {
		b.WriteString("// the end")
	}
	return b.String()
}

// comments counts the comments outside values, from the parser's own tree.
func comments(t *rapid.T, src []byte) int {
	v, err := hujson.Parse(append(bytes.Clone(bytes.TrimPrefix(src, []byte("\uFEFF"))), '\n'))
	if err != nil {
		t.Fatalf("%v", err)
	}
	n := 0
	for x := range v.All() {
		n += bytes.Count(x.BeforeExtra, []byte(" c")) + bytes.Count(x.AfterExtra, []byte(" c"))
		if o, ok := x.Value.(*hujson.Object); ok {
			n += bytes.Count(o.AfterExtra, []byte(" c"))
		}
	}
	return n
}

func TestEveryOtherByteAndEveryOtherMemberStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawSource(t))
		v := rapid.Bool().Draw(t, "v")
		before := object(t, src)
		_, had := before[key]

		out, err := SetBool(src, key, v)
		if err != nil {
			t.Fatalf("SetBool(%q): %v", src, err)
		}
		after := object(t, out)
		if after[key] != v {
			t.Fatalf("%q -> %q: a reader gets %v", src, out, after[key])
		}
		delete(before, key)
		delete(after, key)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("%q -> %q: other members changed:\n%s", src, out, diff)
		}
		if had {
			checkReplaced(t, src, out, v)
		} else {
			checkInserted(t, src, out)
			if a, b := comments(t, src), comments(t, out); a != b {
				t.Fatalf("%q -> %q: %d comments became %d", src, out, a, b)
			}
		}
		again, err := SetBool(out, key, v)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("again: %q -> %q, %v", out, again, err)
		}
	})
}

// checkReplaced: src and out agree but for the value of the last member of that
// name, as the parser's own tree has it.
func checkReplaced(t *rapid.T, src, out []byte, v bool) {
	bom := len(src) - len(bytes.TrimPrefix(src, []byte("\uFEFF")))
	root, err := hujson.Parse(append(bytes.Clone(src[bom:]), '\n'))
	if err != nil {
		t.Fatalf("%v", err)
	}
	var want []byte
	for _, m := range root.Value.(*hujson.Object).Members {
		if m.Name.Value.(hujson.Literal).String() == key {
			want = fmt.Appendf(nil, "%s%v%s", src[:bom+m.Value.StartOffset], v, src[bom+m.Value.EndOffset:])
		}
	}
	if diff := cmp.Diff(string(want), string(out)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

// checkInserted: out is src with a member, and perhaps a comma before it, put in.
func checkInserted(t *rapid.T, src, out []byte) {
	p := commonPrefix(src, out)
	rest, grown := src[p:], out[p:]
	if s := commonSuffix(rest, grown); s < len(rest) {
		if grown[0] != ',' {
			t.Fatalf("%q -> %q: something other than a comma came in at %d", src, out, p)
		}
		grown = grown[1:]
		p = commonPrefix(rest, grown)
		rest, grown = rest[p:], grown[p:]
		if s := commonSuffix(rest, grown); s < len(rest) {
			t.Fatalf("%q -> %q: more than two pieces came in, or something went", src, out)
		}
	}
	piece := grown[:len(grown)-len(rest)]
	if n := len(piece); n > len(`,"`+key+`": false,`)+20 {
		t.Fatalf("%q -> %q: %d bytes came in: %q", src, out, n, piece)
	}
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func TestUnsetRemovesTheMemberAndNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawSource(t))
		want := object(t, src)
		_, had := want[key]
		delete(want, key)

		out, err := Unset(src, key)
		if err != nil {
			t.Fatalf("Unset(%q): %v", src, err)
		}
		if !had && !bytes.Equal(out, src) {
			t.Fatalf("%q -> %q, but there was nothing to remove", src, out)
		}
		if diff := cmp.Diff(want, object(t, out)); diff != "" {
			t.Fatalf("%q -> %q:\n%s", src, out, diff)
		}
		if !isSubsequence(out, src) {
			t.Fatalf("%q -> %q: bytes came in", src, out)
		}
		if Strict(src) == nil && Strict(out) != nil {
			t.Fatalf("%q -> %q: no longer strict", src, out)
		}
	})
}

func isSubsequence(short, long []byte) bool {
	for _, c := range long {
		if len(short) > 0 && short[0] == c {
			short = short[1:]
		}
	}
	return len(short) == 0
}

func FuzzEdit(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{\"a\":1}", "\uFEFF{\r\n\t\"k\": true, // c\r\n}", "{\"k\":1,\"k\":2,}", "[1,]", "{\"a\":[{/**/}]}//", "{\"\\u006b\":\"\xff\"}",
	} {
		f.Add([]byte(s), "k", true)
	}
	f.Fuzz(func(t *testing.T, src []byte, key string, v bool) {
		before := bytes.Clone(src)
		checkStrict(t, src)
		out, err := SetBool(src, key, v)
		if !bytes.Equal(src, before) {
			t.Fatalf("the source was written to: %q -> %q", before, src)
		}
		if err != nil {
			return
		}
		if got := object(t, out)[key]; got != v {
			t.Fatalf("%q -> %q: a reader gets %v", src, out, got)
		}
		if Strict(src) == nil && Strict(out) != nil {
			t.Fatalf("%q -> %q: no longer strict", src, out)
		}
		if again, err := SetBool(out, key, v); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("again: %q -> %q, %v", out, again, err)
		}
		gone, err := Unset(out, key)
		if err != nil {
			t.Fatalf("Unset(%q): %v", out, err)
		}
		if _, still := object(t, gone)[key]; still {
			t.Fatalf("%q -> %q: still there", out, gone)
		}
	})
}

// checkStrict: Strict and encoding/json agree on what is a JSON object.
func checkStrict(t *testing.T, src []byte) {
	text := bytes.TrimPrefix(src, []byte("\uFEFF"))
	isObject := json.Valid(text) && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	if err := Strict(src); (err == nil) != isObject {
		t.Fatalf("Strict(%q) = %v, but encoding/json: %v", src, err, isObject)
	}
}
