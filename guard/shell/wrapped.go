package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// wrapped runs what a command runs in turn.
func (r *reader) wrapped(st *state, name string, args []Word, in input) {
	switch {
	case isShell(name):
		r.shell(st, args, in)
		return
	case name == "xargs":
		r.xargs(st, args, in)
		return
	case name == "find" || name == "fd":
		r.find(st, args)
		return
	case name == "git":
		r.gitAlias(st, args)
	case name == "command" && hasOption(args, "-v", "-V"):
		return
	}
	for _, code := range optionValue(args, codeOption(name)...) {
		r.script(st.clone(), code.Text, input{})
	}
	if code := optionValue(args, interpreterOption(name)...); len(code) > 0 {
		r.res.Code = append(r.res.Code, joined(code))
	} else if interpreterOption(name) != nil && in.piped && len(operands(args, "")) == 0 {
		r.res.Code = append(r.res.Code, in.text)
	} else if files := operands(args, ""); interpreterOption(name) != nil && len(files) > 0 {
		if text, ok := r.writtenIn(st, files[0].Text); ok {
			r.res.Code = append(r.res.Code, text)
		}
	}
	for _, w := range wrapperOf(name) {
		rest, ok := behind(args, w.sub)
		if !ok {
			continue
		}
		for _, command := range w.commands(rest) {
			r.run(st, w, command, in)
		}
		return
	}
}

func (r *reader) run(st *state, w wrapper, command []Word, in input) {
	inner := st.clone()
	if w.far {
		inner.dirs = []string{""}
	}
	r.depth++
	defer func() { r.depth-- }()
	if w.text {
		r.script(inner, joined(command), input{})
		return
	}
	r.call(inner, command, in)
}

// behind returns the words behind a subcommand. Options may stand before it, and
// the word behind an option may be its value.
func behind(args []Word, sub string) ([]Word, bool) {
	if sub == "" {
		return args, true
	}
	first, more, _ := strings.Cut(sub, " ")
	option := false
	for i, a := range args {
		switch {
		case a.Text == first:
			return behind(args[i+1:], more)
		case len(a.Text) > 1 && a.Text[0] == '-':
			option = !strings.Contains(a.Text, "=")
		case option:
			option = false
		default:
			return nil, false
		}
	}
	return nil, false
}

// commands are the words of the command that a wrapper runs. Behind an option
// that is not known there are two: with the next word as its value, and without.
func (w wrapper) commands(args []Word) [][]Word {
	skip, unsure := w.skip, false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--" && skip == 0:
			return [][]Word{args[i+1:]}
		case t == "--":
		case len(t) > 1 && t[0] == '-':
			known := takesNext(t, w.valued) || strings.Contains(w.long, " "+t+" ")
			if known {
				i++
			}
			unsure = !known && !strings.Contains(t, "=") && (len(t) > 2 || args[i].Many)
		case isAssign(t) && skip == w.skip && !w.text: // env and sudo take A=b
		case skip > 0:
			skip--
		default:
			out := [][]Word{args[i:]}
			if unsure && i+1 < len(args) {
				out = append(out, args[i+1:])
			}
			return out
		}
	}
	return nil
}

func isAssign(t string) bool {
	name, _, ok := strings.Cut(t, "=")
	return ok && syntax.ValidName(name)
}

// shell is sh and its like: a text behind -c, a script, or what is piped in.
func (r *reader) shell(st *state, args []Word, in input) {
	i, code := 0, false
	for ; i < len(args); i++ {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		if t == "--" {
			i++
			break
		}
		if !strings.HasPrefix(t, "--") {
			code = code || strings.Contains(t[1:], "c")
			if strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O") {
				i++
			}
		} else if t == "--rcfile" || t == "--init-file" {
			i++
		}
	}
	inner := st.clone()
	inner.strict, inner.sure, inner.perhaps = false, false, false
	rest := args[min(i, len(args)):]
	switch {
	case code && len(rest) > 0:
		inner.args, inner.known = rest[min(2, len(rest)):], true
		if strings.Trim(rest[0].Text, string(Hole)) == "" && rest[0].Text != "" {
			r.res.Unknown = append(r.res.Unknown, "a text that can't be told is handed to a shell")
			return
		}
		r.script(inner, rest[0].Text, in)
	case len(rest) > 0 && rest[0].Text != "-":
		inner.args, inner.known = rest[1:], true
		r.sourced(inner, rest[0], in)
	case in.known:
		r.script(inner, in.text, input{})
	case in.piped:
		r.res.Unknown = append(r.res.Unknown, "what comes out of a pipe is run by a shell")
	}
}

func (r *reader) xargs(st *state, args []Word, in input) {
	marks := optionValue(args, "-I", "-J", "--replace")
	for _, command := range (wrapper{valued: "IJnPLdaEs", long: " --max-args --max-procs --delimiter --arg-file --max-lines --replace "}).commands(args) {
		command = slices.Clone(command)
		var more []Word
		if in.known {
			for _, f := range strings.Fields(strings.NewReplacer(`"`, "", `'`, "").Replace(in.text)) {
				more = append(more, Word{Text: f})
			}
			more = more[:min(len(more), maxWords)]
		} else {
			more = []Word{{Text: string(Hole), Many: true}}
		}
		inner := st.clone()
		r.depth++
		if len(marks) == 0 || marks[0].Text == "" {
			r.call(inner, append(command, more...), input{})
		} else {
			r.replaced(inner, command, marks[0].Text, more)
		}
		r.depth--
	}
}

// replaced calls a command with each value in place of a mark.
func (r *reader) replaced(st *state, command []Word, mark string, values []Word) {
	for _, v := range values {
		words := slices.Clone(command)
		for i := range words {
			if strings.Contains(words[i].Text, mark) {
				whole := words[i].Text == mark
				words[i].Text = r.short(strings.ReplaceAll(words[i].Text, mark, v.Text))
				if whole {
					words[i] = v
					words[i].Many = false // one word in its place
				}
			}
		}
		r.call(st, words, input{})
	}
}

// find runs what stands behind -exec, for what is found below its folders.
func (r *reader) find(st *state, args []Word) {
	roots, picks := findRoots(args)
	for i := 0; i < len(args); i++ {
		switch args[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && args[end].Text != ";" && args[end].Text != "+" {
			end++
		}
		var found []Word
		for _, root := range roots {
			w := Word{Text: root.Text, Glob: root.Glob, Tree: true, Some: picks}
			if i+1 < len(args) && isShell(Base(args[i+1].Text)) {
				w = Word{Text: root.Text + "/" + string(Hole)} // as "$1" of a script it is one file
			}
			found = append(found, w)
		}
		r.depth++
		r.replaced(st.clone(), args[i+1:end], "{}", found)
		r.depth--
		i = end
	}
}

// findRoots are the folders that find goes through; picks tells that it takes
// only some of what is there.
func findRoots(args []Word) (roots []Word, picks bool) {
	n := 0
	for n < len(args) && (args[n].Text == "-L" || args[n].Text == "-H" || args[n].Text == "-P") {
		n++
	}
	for ; n < len(args); n++ {
		if t := args[n].Text; t == "!" || t == "(" || strings.HasPrefix(t, "-") {
			break
		}
		roots = append(roots, args[n])
	}
	for _, a := range args[n:] {
		switch a.Text {
		case "-exec", "-execdir", "-delete", "-type", "-mindepth", "-maxdepth", "-depth", "-print":
		default:
			picks = picks || strings.HasPrefix(a.Text, "-")
		}
		if a.Text == "-exec" || a.Text == "-execdir" {
			break
		}
	}
	if len(roots) == 0 {
		roots = []Word{{Text: "."}}
	}
	return roots, picks
}
