package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Read follows a text as if it were run at a place.
func Read(text string, at Place) Result {
	r := &reader{place: at, files: map[string]string{}, written: map[string]string{}, gitAliases: map[string]string{}}
	r.script(newState(at), text, input{})
	return r.res
}

// reader follows one text and all texts within it.
type reader struct {
	res   Result
	place Place
	files map[string]string // texts behind names of <( )
	// written are the texts that went into files, by absolute path, and gitAliases
	// the aliases that were set.
	written, gitAliases map[string]string

	steps int // statements and calls so far
	bytes int // of text parsed so far
	depth int // of texts within texts and functions within functions
}

// input is what a command reads on standard input, or what it prints.
type input struct {
	text  string
	known bool
	piped bool // it comes from somewhere; else it is the terminal
}

var (
	errTooLong = errors.New("the text is too long to be looked through")
	errNested  = errors.New("the text is nested too deep to be looked through")
)

// script parses a text and follows it. The first error stays in the result.
func (r *reader) script(st *state, text string, in input) (out input) {
	fail := func(err error) input {
		if r.res.Err == nil {
			r.res.Err = err
		}
		return input{}
	}
	if r.depth >= maxDepth {
		r.res.Cut = true
		return input{}
	}
	if r.bytes += len(text); r.bytes > MaxText {
		return fail(errTooLong)
	}
	if nesting(text) > maxNesting {
		return fail(errNested)
	}
	// What can't be told is the value of a variable that nobody sets.
	text = strings.ReplaceAll(text, string(Hole), "${__unknown}")
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return fail(fmt.Errorf("it is no shell text: %w", err))
	}
	r.depth++
	defer func() { r.depth-- }()
	return r.stmts(st, file.Stmts, in)
}

// stmts follows statements, and returns what they print where that is known.
func (r *reader) stmts(st *state, list []*syntax.Stmt, in input) input {
	out := input{known: true}
	for _, s := range list {
		before := st.dirs
		o := r.stmt(st, s, in)
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && !st.strict && !st.sure && (b.Op != syntax.OrStmt || !leaves(b.Y)) {
			st.dirs = union(before, st.dirs) // cd x && y may have failed
		}
		out.known = out.known && o.known
		out.text += o.text
	}
	out.text = r.short(out.text)
	return out
}

func (r *reader) stmt(st *state, s *syntax.Stmt, in input) input {
	if r.steps++; r.steps > maxSteps {
		r.res.Cut = true
		return input{}
	}
	in, away, to := r.redirects(st, s, in)
	if s.Cmd == nil {
		return input{known: true}
	}
	if s.Background {
		st = st.clone()
	}
	out := r.command(st, s.Cmd, in)
	for _, o := range to {
		r.write(o, out)
	}
	if away {
		out = input{known: true}
	}
	return out
}

// redirects notes the files that are opened, and tells what stands on standard
// input; away tells that standard output goes elsewhere, and to into which files.
func (r *reader) redirects(st *state, s *syntax.Stmt, in input) (_ input, away bool, to []outlet) {
	for _, rd := range s.Redirs {
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			in = input{piped: true, known: true}
			if rd.Hdoc != nil {
				in = r.heredoc(st, rd)
			}
		case syntax.WordHdoc:
			texts := r.texts(st, rd.Word, false)
			in = input{text: strings.Join(texts, "\n") + "\n", known: true, piped: true}
		case syntax.RdrIn:
			in = input{piped: true}
			if words := r.open(st, rd, false); len(words) == 1 {
				in.text, in.known = r.writtenIn(st, words[0].Text)
			}
		case syntax.DplIn, syntax.DplOut:
			r.fieldsOf(st, rd.Word)
		default:
			away = away || rd.N == nil || rd.N.Value == "1" || rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll
			to = append(to, r.outlet(st, rd, r.open(st, rd, true)))
		}
	}
	return in, away, to
}

// open notes the file behind a redirection.
func (r *reader) open(st *state, rd *syntax.Redirect, write bool) []Word {
	words := r.fieldsOf(st, rd.Word)
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "/dev/") {
			r.touch(st.dirs, w, write, "the redirection "+rd.Op.String()+" "+w.Text)
		}
	}
	return words
}

// fieldsOf are all words that a word may become.
func (r *reader) fieldsOf(st *state, w *syntax.Word) []Word {
	return slices.Concat(r.fields(st, w)...)
}

// heredoc is the body of a here-document.
func (r *reader) heredoc(st *state, rd *syntax.Redirect) input {
	body := ""
	plain := true
	for _, p := range rd.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		plain = plain && ok && strings.IndexByte(lit.Value, '\\') < 0
	}
	if plain {
		body = strings.Join(r.texts(st, rd.Hdoc, true), "\n")
	} else {
		for _, p := range rd.Hdoc.Parts { // its end was quoted: nothing is replaced
			if lit, ok := p.(*syntax.Lit); ok {
				body += lit.Value
			}
		}
	}
	if rd.Op == syntax.DashHdoc {
		lines := strings.SplitAfter(body, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		body = strings.Join(lines, "")
	}
	return input{text: body, known: true, piped: true}
}

func (r *reader) command(st *state, c syntax.Command, in input) input {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return r.simple(st, c, in)
	case *syntax.BinaryCmd:
		return r.binary(st, c, in)
	case *syntax.Block:
		return r.stmts(st, c.Stmts, in)
	case *syntax.Subshell:
		return r.stmts(st.clone(), c.Stmts, in)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return r.stmt(st, c.Stmt, in)
		}
	case *syntax.CoprocClause:
		return r.stmt(st.clone(), c.Stmt, in)
	case *syntax.FuncDecl:
		if c.Name != nil {
			st.funcs[c.Name.Value] = c.Body
		}
		return input{known: true}
	case *syntax.DeclClause:
		r.declare(st, c)
		return input{known: true}
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
		r.compound(st, c, in)
	default:
		r.inside(st, c)
	}
	return input{}
}

func (r *reader) binary(st *state, c *syntax.BinaryCmd, in input) input {
	switch c.Op {
	case syntax.AndStmt:
		sure := st.sure
		st.sure = true
		out := r.stmt(st, c.X, in)
		st.sure = sure
		then := r.stmt(st, c.Y, in)
		return input{text: out.text + then.text, known: out.known && then.known}
	case syntax.OrStmt:
		sure := st.sure
		st.sure = st.sure || leaves(c.Y)
		r.stmt(st, c.X, in)
		st.sure = sure
		if leaves(c.Y) {
			r.stmt(st.clone(), c.Y, in)
			return input{}
		}
		st.maybe(func() { r.stmt(st, c.Y, in) })
		return input{}
	default:
		out := r.stmt(st.clone(), c.X, in)
		out.piped = true
		return r.stmt(st.clone(), c.Y, out)
	}
}

// leaves tells whether a statement ends the script.
func leaves(s *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.Block); ok && len(b.Stmts) > 0 {
		return leaves(b.Stmts[len(b.Stmts)-1])
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && (c.Args[0].Lit() == "exit" || c.Args[0].Lit() == "return")
}

func (r *reader) compound(st *state, c syntax.Command, in input) {
	perhaps := func(list []*syntax.Stmt) {
		if len(list) > 0 {
			st.maybe(func() { r.stmts(st, list, in) })
		}
	}
	switch c := c.(type) {
	case *syntax.IfClause:
		for part := c; part != nil; part = part.Else {
			perhaps(part.Cond)
			perhaps(part.Then)
		}
	case *syntax.WhileClause:
		// Twice: what is set behind a use counts the second time.
		for range 2 {
			perhaps(c.Cond)
			st.maybe(func() {
				if c.Cond != nil {
					r.readVars(st, c.Cond, in)
				}
				r.stmts(st, c.Do, in)
			})
		}
	case *syntax.ForClause:
		r.loop(st, c)
		perhaps(c.Do)
		perhaps(c.Do)
	case *syntax.CaseClause:
		r.fieldsOf(st, c.Word)
		for _, item := range c.Items {
			perhaps(item.Stmts)
		}
	}
}

// readVars gives the variables of while read a b the words of what is piped in.
func (r *reader) readVars(st *state, cond []*syntax.Stmt, in input) {
	call, ok := cond[len(cond)-1].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "read" {
		return
	}
	for _, a := range call.Args[1:] {
		name := a.Lit()
		if !syntax.ValidName(name) {
			continue
		}
		values := []string{string(Hole)}
		if in.known {
			values = nil
			for line := range strings.Lines(in.text) {
				values = append(values, strings.TrimRight(line, "\n"))
			}
		}
		st.set(name, values)
	}
}

// loop sets the variable of a for loop.
func (r *reader) loop(st *state, c *syntax.ForClause) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		r.inside(st, c.Loop)
		return
	}
	var values []string
	for _, item := range it.Items {
		for _, w := range r.fieldsOf(st, item) {
			values = append(values, w.Text)
		}
	}
	if !it.InPos.IsValid() { // for x; do: over the arguments
		for _, w := range st.args {
			values = append(values, w.Text)
		}
		if !st.known {
			values = append(values, string(Hole))
		}
	}
	if len(values) == 0 {
		values = []string{""}
	}
	st.set(it.Name.Value, values)
}

func (r *reader) declare(st *state, c *syntax.DeclClause) {
	for _, a := range c.Args {
		if a.Naked && a.Value != nil {
			r.fieldsOf(st, a.Value)
		}
		r.assign(st, a)
	}
}

func (r *reader) assign(st *state, a *syntax.Assign) {
	if a.Name == nil || a.Naked {
		return
	}
	name := a.Name.Value
	switch {
	case a.Array != nil:
		var list []Word
		if a.Append || st.perhaps {
			list = st.lists[name]
		}
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				list = slices.Concat(list, r.fieldsOf(st, e.Value))
			}
		}
		if len(st.lists) < maxVars && len(list) <= maxWords {
			st.lists[name] = list
		}
	case a.Index != nil:
		if a.Value != nil {
			st.lists[name] = slices.Concat(st.lists[name], r.fieldsOf(st, a.Value))
		}
	case a.Append:
		st.append(name, r.texts(st, a.Value, false))
	default:
		st.set(name, r.texts(st, a.Value, false))
	}
}
