package yaml

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// rnd makes texts that look like front matter, most of them slightly wrong.
type rnd struct{ *rand.Rand }

func (r *rnd) one(of ...string) string { return of[r.IntN(len(of))] }

func (r *rnd) key() string {
	return r.one("description", "name", "type", "metadata", "paths", "a", "b", "x-y", "Key", "k1", `"q"`, "'s'", "a b", "<<", "? a", "ключ", "", "&x k", "!t k", "*x", "[k]", "1", "null", "?", "-")
}

func (r *rnd) scalar() string {
	return r.one("plain", "two words", "a: b", "a:b", "a :b", "*x", "&x y", "!t y", "!!str 5", "@a", "`b`", "%c", "[a, b]", "[a", "a]", "{a: 1}", "{a}", "{a", "a}", "#c", "a #c", "a#c", `"dq"`, `"dq`, `dq"`, "'sq'", "'sq", "it's", `"a" b`, `"a: b" c`, "yes", "no", "true", "false", "null", "~", "", "1", "1.5", "1e3", "0x1F", "0o17", "017", "1_000", ".5", "-", "- a", "-a", "?", "? a", ":", ": a", "a:", "|", ">", "|-", ">+", "2024-01-02", "12:30", "http://a.b/c: d", `a\b`, `"a\nb"`, `"a\q"`, `"\u00e9"`, "a, b", "**/*.go", "src/**", `"src/**"`, "[*.go]", "{a,b}/**", "тест", "😀: x", "a\tb", "a  b", "|x", ">x", "!", "&", "*", "=", "...", "--", "=1", "+1", ".inf", ".nan", "a%b", "100%", "x@y.z", "$x", "(a)", "a|b", "a>b", "<b>", "a;b", "''", `""`, `" "`, "[]", "{}", "[[a]]", "[{a: b}]", "[a: b]", "{a: [b]}", "[ ]", "[a,]", "[,a]", "{a: b, c}", `{"a":b}`, `["a":b]`, `\`, "a!b", "!a", "a\u00a0", "NULL", "True", "Infinity", "NaN", "0", "-0", "00", "1.", "1e", "0x", `a: "b"`, `"a": b`, "b: 'c'", "a # b: c", "a:  b", "x\u2028y", "[a #c]", "a: [b", "x: *y", "x: &y", "- - a", `[a, "b]`, `"a" "b"`, `a""b`, "[a]b", "[a] b", "{a} b", `"a"b`, `"a"#b`, `"a" #b`, "&a", "&a *a", "&a &b c", "!a !b c", "!a &b c", "*a : b", "|2", "|9", ">1-", "|-2", "% a", "@", "`", "*x c", "[*x]", "!!int 5", "!!int x", "!!null", "! 5", "!<x> 1", "!x!y z", "{? a: b}", "[? a]", "[: a]", "{: a}", "[a b: c]", "{a: !t}", "[&y a, *y]", "[a\tb]", `{a: "b", 'c': d}`, "a:: b", ":a", "::", "[a:]", "{a:}", "[-]", "[-a]", "[#a]", "[a, #b", "{a: b", "]", "}", ",", ",a")
}

func (r *rnd) sep() string {
	return r.one(": ", ": ", ": ", ": ", ": ", ": ", ": ", ": ", ":", " : ", ":  ", ":\t", "::", "= ", "", " :\t")
}

func (r *rnd) pad(max int) string { return strings.Repeat(" ", r.IntN(max+1)) }

func (r *rnd) line(ind string) string { return ind + r.key() + r.sep() + r.scalar() }

func (r *rnd) chunk() []string {
	switch c := r.IntN(20); {
	case c < 9:
		return []string{r.line("")}
	case c < 10:
		return r.nested()
	case c < 12:
		out := []string{r.one("paths:", "a:", "description:", "- b:", "paths: &x", "a: !t", "? a", ":")}
		for range r.IntN(4) {
			out = append(out, r.pad(3)+r.one("- ", "- ", "- ", "-\t", "-")+r.one("", "", r.key()+": ")+r.scalar())
		}
		return out
	case c < 14:
		return r.block()
	case c < 15:
		return []string{r.pad(3) + r.one("cont", "cont: x", "- a", "# c", `"x`, `x"`, "\ttab", "", "  ", "]", "}", "a, b", "...", ", x", "x]", `x\`, "'")}
	case c < 16:
		return []string{r.one("# c", "", "  ", "\t", " # c", "\t# c")}
	case c < 17:
		return []string{r.one("description: ", "a: ", "- ") + r.scalar() + r.one("", " ", "\t", "\r", " # c")}
	case c < 18:
		out := []string{r.one("a: ", "- ", "") + r.one("[", "{", `"`, "'", "[a,", "{a:", "{a: b,")}
		for range r.IntN(3) {
			out = append(out, r.pad(3)+r.scalar()+r.one("", ",", " ,", ":", `\`))
		}
		return append(out, r.pad(2)+r.one("]", "}", `"`, "'", "],", "] # c", ", x]"))
	}
	return []string{r.scalar()}
}

func (r *rnd) nested() []string {
	out := []string{r.one("metadata:", "a:", "x-y:", "description:", "paths:", "- a:", "-", "? a", "- - a: b", "a: &x", "a: !t", "&x", "!t")}
	for range r.IntN(4) {
		ind := r.pad(4)
		out = append(out, r.line(ind))
		if r.IntN(4) == 0 {
			out = append(out, r.line(ind+r.pad(2)))
		}
	}
	return out
}

func (r *rnd) block() []string {
	out := []string{r.one("description: ", "a: ", "- ", "- a: ", "? ", "") + r.one("|", ">", "|-", ">-", "|+", ">+", "|2", ">2", "|1-", "> x", "| # c", "&x |", "!t >")}
	ind := r.pad(3)
	for range r.IntN(5) {
		out = append(out, r.one("", ind, ind+r.one("t1", "t2: x", "# c", "- a", " more", "\tt", "  "), ind+r.scalar(), r.pad(3)+"t"))
	}
	return out
}

func (r *rnd) text() string {
	var out []string
	for range 1 + r.IntN(5) {
		out = append(out, r.chunk()...)
	}
	s := strings.Join(out, r.one("\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\r")) + r.one("\n", "")
	if r.IntN(7) == 0 {
		s = regexp.MustCompile(`(?m)^ +`).ReplaceAllStringFunc(s, func(m string) string {
			return r.one(m, m, "\t", "\t\t", " \t", "\t ")
		})
	}
	if r.IntN(4) == 0 && s != "" {
		s = r.mutate(s)
	}
	return strings.ReplaceAll(s, "---", "--")
}

// mutate cuts, doubles or swaps a few characters.
func (r *rnd) mutate(s string) string {
	rs := []rune(s)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(rs) + 1)
		c := []rune(r.one(" ", "\n", "\t", ":", "-", "#", `"`, "'", "[", "]", "{", "}", ",", "&", "*", "!", "|", ">", "?", `\`, "x", ": ", "\n ", "...", "%"))
		if r.IntN(3) == 0 && i < len(rs) {
			rs = append(rs[:i:i], rs[i+1:]...)
			continue
		}
		rs = append(append(rs[:i:i], c...), rs[i:]...)
	}
	return string(rs)
}
