package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fields gives the words that a word becomes, for each way it may come out.
func (r *reader) fields(st *state, w *syntax.Word) [][]Word {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, "\\{") {
			return [][]Word{{{Text: lit.Value, Glob: strings.ContainsAny(lit.Value, "*?[")}}}
		}
	}
	if len(w.Parts) > maxParts || openBraces(w) > maxBraces {
		r.res.Cut = true
		r.inside(st, w)
		return [][]Word{{{Text: string(Hole), Many: true}}}
	}
	out := [][]Word{nil}
	for _, parts := range braces(w) {
		var next [][]Word
		for _, pieces := range r.parts(st, parts, false) {
			ws := words(pieces, false)
			for _, before := range out {
				next = append(next, slices.Concat(before, ws))
			}
		}
		out = r.atMost(next)
	}
	return out
}

// texts gives the values a word may have where it is not split into several.
// inQuotes is for the body of a here-document, which is read as if in quotes.
func (r *reader) texts(st *state, w *syntax.Word, inQuotes bool) []string {
	if w == nil {
		return []string{""}
	}
	var out []string
	for _, pieces := range r.parts(st, w.Parts, inQuotes) {
		var b strings.Builder
		for _, p := range pieces {
			if p.gap {
				b.WriteByte(' ')
			}
			b.WriteString(p.text)
		}
		out = append(out, r.short(b.String()))
	}
	return out
}

// short replaces a text that grows without end.
func (r *reader) short(s string) string {
	if len(s) > maxBytes {
		r.res.Cut = true
		return string(Hole)
	}
	return s
}

// atMost keeps as many ways as are looked at.
func (r *reader) atMost(ways [][]Word) [][]Word {
	if len(ways) > maxWays {
		r.res.Cut = true
		return ways[:maxWays]
	}
	return ways
}

// Bounds of one word, against words made to be slow.
const (
	maxParts  = 500
	maxBraces = 30
)

func openBraces(w *syntax.Word) (n int) {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

// braces expands {a,b}; what counts up ({1..9}) becomes a hole.
func braces(w *syntax.Word) [][]syntax.WordPart {
	if openBraces(w) == 0 {
		return [][]syntax.WordPart{w.Parts}
	}
	split := &syntax.Word{Parts: slices.Clone(w.Parts)}
	syntax.SplitBraces(split)
	return braceParts(split.Parts)
}

func braceParts(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		alternatives := [][]syntax.WordPart{{p}}
		if b, ok := p.(*syntax.BraceExp); ok && !b.Sequence {
			alternatives = nil
			for _, e := range b.Elems {
				alternatives = append(alternatives, braceParts(e.Parts)...)
			}
		}
		var next [][]syntax.WordPart
		for _, before := range out {
			for _, a := range alternatives {
				if len(next) < 4*maxWays {
					next = append(next, slices.Concat(before, a))
				}
			}
		}
		out = next
	}
	return out
}

// parts gives the pieces of a word, for each way it may come out.
func (r *reader) parts(st *state, parts []syntax.WordPart, inQuotes bool) [][]piece {
	out := [][]piece{nil}
	if len(parts) > maxParts && !inQuotes {
		r.res.Cut = true
		return [][]piece{hole(false)}
	}
	for _, p := range parts {
		if len(out) > 1 && len(out[0]) > maxParts {
			r.res.Cut = true
			out = out[:1]
		}
		alternatives := r.part(st, p, inQuotes)
		if len(alternatives) == 1 && len(out) == 1 {
			out[0] = append(out[0], alternatives[0]...)
			continue
		}
		var next [][]piece
		for _, before := range out {
			for _, a := range alternatives {
				next = append(next, slices.Concat(before, a))
			}
		}
		if len(next) > maxWays {
			r.res.Cut = true
			next = next[:maxWays]
		}
		out = next
	}
	return out
}

func (r *reader) part(st *state, p syntax.WordPart, inQuotes bool) [][]piece {
	switch p := p.(type) {
	case *syntax.Lit:
		if inQuotes {
			return [][]piece{quoted(unescapeDouble(p.Value))}
		}
		return [][]piece{unescape(p.Value)}
	case *syntax.SglQuoted:
		if p.Dollar {
			return [][]piece{quoted(ansi(p.Value))}
		}
		return [][]piece{quoted(p.Value)}
	case *syntax.DblQuoted:
		ways := r.parts(st, p.Parts, true)
		if len(p.Parts) == 0 {
			ways = [][]piece{quoted("")}
		}
		return ways
	case *syntax.ParamExp:
		return r.param(st, p, inQuotes)
	case *syntax.CmdSubst:
		out := r.stmts(st.clone(), p.Stmts, input{})
		if !out.known {
			return [][]piece{hole(inQuotes)}
		}
		text := strings.TrimRight(out.text, "\n")
		return [][]piece{{{text: text, quoted: inQuotes, split: !inQuotes}}}
	case *syntax.ProcSubst:
		out := r.stmts(st.clone(), p.Stmts, input{})
		if out.known {
			r.files[procName(len(r.files))] = out.text
			return [][]piece{quoted(procName(len(r.files) - 1))}
		}
		return [][]piece{hole(true)}
	case *syntax.ExtGlob:
		return [][]piece{{{text: "*"}}}
	case *syntax.BraceExp:
		return [][]piece{hole(true)}
	default:
		r.inside(st, p)
		return [][]piece{hole(inQuotes)}
	}
}

// procName is how a <( ) whose text is known stands in a word.
func procName(n int) string { return "/dev/fd/" + strconv.Itoa(63-n) }

// inside runs the commands that stand within something else, such as $((…)).
func (r *reader) inside(st *state, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.stmts(st.clone(), n.Stmts, input{})
			return false
		case *syntax.ProcSubst:
			r.stmts(st.clone(), n.Stmts, input{})
			return false
		}
		return true
	})
}

func (r *reader) param(st *state, p *syntax.ParamExp, inQuotes bool) [][]piece {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	if p.Index != nil {
		return [][]piece{r.element(st, p, name, inQuotes)}
	}
	if name == "@" || name == "*" {
		return [][]piece{listed(st.args, st.known, inQuotes && name == "@", inQuotes)}
	}
	values, set := r.values(st, name)
	if p.Excl && set && p.Names == 0 {
		var of []string
		for _, v := range values {
			more, _ := r.values(st, v)
			of = append(of, more...)
		}
		values, set = of, len(of) > 0
	}
	switch {
	case p.Exp != nil && p.Exp.Op <= syntax.AssignUnsetOrNull: // :+ + :- - := = and their like
		return r.defaulted(st, p, name, values, set, inQuotes)
	case p.Length || p.Width || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Exp != nil:
		r.inside(st, p)
		return [][]piece{hole(inQuotes || p.Length)}
	case !set && strings.ContainsAny(name, "?#$!-"):
		return [][]piece{hole(true)}
	case !set:
		return [][]piece{hole(inQuotes)}
	}
	return valuePieces(values, inQuotes)
}

func valuePieces(values []string, inQuotes bool) [][]piece {
	out := make([][]piece, 0, len(values))
	for _, v := range values {
		if v == string(Hole) {
			out = append(out, hole(inQuotes))
			continue
		}
		out = append(out, []piece{{text: v, quoted: inQuotes, split: !inQuotes}})
	}
	return out
}

// defaulted is ${a:-b} and its like: the value, and the other word where it may
// be the one that counts.
func (r *reader) defaulted(st *state, p *syntax.ParamExp, name string, values []string, set, inQuotes bool) [][]piece {
	other := [][]piece{nil}
	if p.Exp.Word != nil {
		other = r.parts(st, p.Exp.Word.Parts, inQuotes)
	}
	for _, pieces := range other {
		for i := range pieces {
			pieces[i].split = !pieces[i].quoted // also what is written there
		}
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if set && (p.Exp.Op == syntax.AlternateUnset || !slices.Contains(values, "")) {
			return other
		}
		return append(other, nil)
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if set && !slices.Contains(values, "") {
			return valuePieces(values, inQuotes)
		}
		if name != "" && p.Exp.Op != syntax.DefaultUnset && p.Exp.Op != syntax.DefaultUnsetOrNull {
			st.set(name, r.texts(st, p.Exp.Word, false))
		}
		if !set {
			return append(other, hole(inQuotes))
		}
		return other
	default: // ${a:?b}
		if set {
			return valuePieces(values, inQuotes)
		}
		return [][]piece{hole(inQuotes)}
	}
}

// values of a variable; set is false where the text does not say.
func (r *reader) values(st *state, name string) (values []string, set bool) {
	if name == "PWD" {
		for _, d := range st.dirs {
			if d == "" {
				return nil, false
			}
		}
		return st.dirs, true
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		switch {
		case !st.known:
			return nil, false
		case n > len(st.args):
			return []string{""}, true
		}
		return []string{st.args[n-1].Text}, true
	}
	if list := st.lists[name]; len(list) > 0 {
		return []string{list[0].Text}, true
	}
	values, set = st.vars[name]
	return values, set
}

// element is ${a[i]} or all of an array.
func (r *reader) element(st *state, p *syntax.ParamExp, name string, inQuotes bool) []piece {
	list, known := st.lists[name]
	w, ok := p.Index.(*syntax.Word)
	if !ok || p.Length || p.Slice != nil || p.Repl != nil || p.Exp != nil || p.Excl {
		r.inside(st, p)
		return hole(inQuotes)
	}
	index := w.Lit()
	if index == "@" || index == "*" {
		return listed(list, known, inQuotes && index == "@", inQuotes)
	}
	if n, err := strconv.Atoi(index); err == nil && known && n >= 0 && n < len(list) {
		return []piece{{text: list[n].Text, quoted: inQuotes, split: !inQuotes}}
	}
	return hole(inQuotes)
}

// listed is $@ and its like: each its own word in "$@", and split further without
// the quotes.
func listed(list []Word, known, apart, inQuotes bool) []piece {
	if !known {
		return hole(inQuotes && !apart)
	}
	var out []piece
	for i, w := range list {
		if i > 0 {
			between := piece{text: " ", quoted: inQuotes, split: !inQuotes}
			if apart {
				between = piece{gap: true}
			}
			out = append(out, between)
		}
		out = append(out, piece{text: w.Text, quoted: inQuotes, split: !inQuotes, many: w.Many})
	}
	return out
}
