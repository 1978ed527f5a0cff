package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes Markdown that is full of what lexers disagree about. An @@ in
// a part becomes a fresh @name.
type generator struct {
	*rand.Rand
	names int
}

var containers = strings.Split("|> |> |>|>  |> > |>>|- |* |1. |  |    |   |     |\t|> - |>   |>     |- > |  > |    > |> 1. |>    |- - |  - | |>\t|-\t|      |2. |10) |> \t|>-|> + |   - |+ |-|1.|-     |1.  |- [ ] |  -\t|\t\t", "|")

var starts = []string{
	"", "", "", "", "", " ", "  ", "   ", "    ", "      ", "\t", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "> ", ">", "> > ",
	"- - ", "> - ", "- > ", "-", "1.", "  - ", "    - ", "- [ ] ", "# ", "## ", "#", ">\t", "-\t", "-     ", "1.  ",
}

var lines = []string{
	"", "", "", "", "```", "~~~", "````", "```js", "``` `x", "---", "***", "===", "-", "=", "- - -", "<!-- c", "-->", "<!-- c -->",
	"<div>", "</div>", "<pre>", "</pre>", "<script>", "</script>", "<span>", "<p", "<?x", "?>", "<![CDATA[", "<!X", "[r]: /u", "[r]: <u> \"t", "[r]:",
	"| a | b |", "|---|---|", "   ", "\t", " ", "<!-->", "<!--->", "<!---->", "<!-- c --> <!-- d -->", "* * *", "___", " <!-- c -->", "<b>", "<textarea>",
	"[q\\]]: /u 't'", "<a b='c' d>", "<PRE>", "</A >", "<DIV/>", "[r]: /u (t", "\u00a0", "<h1 ", "<hr/>",
}

var pieces = []string{
	"@@", "@@", "@@", " @@", " @@", " @@", " @@ ", "@@ ", "\n@@", "a", "b ", " ", "  ", "`", "`", "``", "` ", " `", "``` ",
	"*", "**", "_", "__", "*", "_", "***", "\\", "\\`", "\\*", "[", "](", "[r]", "[x]", "][r]", "][]", "]", ")", "(", "![", "<", ">", "<b>", "</b>",
	"<a href=\"x", "\">", "<!-- ", " -->", "<!--", "-->", "<!-- c -->", "&amp;", "\"", "'", "~~", "http://x.y ", "<http://x>", "<m@x.y>", "!", ":", "#",
	"[x](y)", "[x](y \"t", " x ", "é", "日", "😀", "…", ".", ",", "<i x=", "='", "<?", "?>", "  \n", "\\\n", "\n", "\u00a0", "\u2028", "\\[", "\\]", "\\ ", "[x]( <y> )",
	"(a(b)c)", "[x](y 't')", "[x](y't ", "[x](y(() \"t ", "\")", "< ", "[x](y\u00a0'", "')", "\\<", "![x](y \"t ", "$*", "*.*", "[r]: ", "\r\n", "\r", "<![CDATA[", "]]>", "<!D ", "\t", "a_b", "a*b",
}

var bodies = []string{
	"", "a @@", "b", "<!-- @@", "<? @@", "<div @@", "<b>", "`", " ` @@", "===", "---", "***", "```", "~~~", "# h @@", "#", "- x @@", "1. y @@",
	"2. @@", "> z @@", "<!-- c -->", "-->", "[r]: /u", "[r]: /u \"t", "@@ \"", "[r]", "\\", "a  ", "<a x=\"", "\">", "  ", "text @@ `b", "*a @@", "b*", "</div>",
	"</b>", "<!X @@", "<script>", "</script>", "-", "- ", "+", "1.", "[q", "]: /v", "<![CDATA[ @@", "]]>", "<pre", ">", "_@@_", "**", "[x](", "y)", "| a |", "a\tb",
}

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

// named puts a fresh name for every @@ in.
func (g *generator) named(s string) string {
	for strings.Contains(s, "@@") {
		s = strings.Replace(s, "@@", fmt.Sprintf("@n%d", g.names), 1)
		g.names++
	}
	return s
}

// document is the seed's document: of mixed parts, or of nested containers.
func document(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	var b strings.Builder
	for n := 1 + g.IntN(9); n > 0; n-- {
		if seed%2 == 0 {
			b.WriteString(g.named(g.mixed()))
		} else {
			b.WriteString(g.named(g.nested()))
		}
		if n > 1 || g.IntN(3) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (g *generator) mixed() string {
	if g.IntN(3) == 0 {
		if g.IntN(3) == 0 {
			return g.pick(starts) + g.pick(lines)
		}
		return g.pick(lines)
	}
	s := g.pick(starts)
	for n := 1 + g.IntN(1+g.IntN(10)); n > 0; n-- {
		s += g.pick(pieces)
	}
	return s + [...]string{"", "@@", " @@", " @@"}[g.IntN(4)]
}

func (g *generator) nested() string {
	s := g.pick(containers)
	if g.IntN(5) == 0 {
		s += g.pick(containers)
	}
	s += g.pick(bodies)
	if g.IntN(4) == 0 {
		s += " " + g.pick(bodies)
	}
	if g.IntN(12) == 0 {
		s += "\n"
	}
	return s
}
