package shell

import (
	"encoding/base64"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// simple is a command with its words, or assignments alone.
func (r *reader) simple(st *state, c *syntax.CallExpr, in input) input {
	for _, a := range c.Assigns {
		r.assign(st, a) // also before a command: strictly only that command sees it
	}
	if len(c.Args) == 0 {
		return input{known: true}
	}
	ways := [][]Word{nil}
	for _, a := range c.Args {
		ways = times(ways, r.fields(st, a))
		if len(ways[0]) > maxWords {
			r.res.Cut = true
			return input{}
		}
	}
	var out input
	for i, words := range ways {
		o := r.call(st, words, in)
		if i == 0 {
			out = o
		}
	}
	if len(ways) > 1 {
		return input{}
	}
	return out
}

// times puts each of the fields behind each of the ways. Where these would be too
// many, all fields go behind each way, one after the other.
func times(ways, fields [][]Word) [][]Word {
	switch {
	case len(fields) == 0: // a word that becomes nothing
		return ways
	case len(fields) == 1, len(ways)*len(fields) > maxWays:
		all := slices.Concat(fields...)
		for i := range ways {
			ways[i] = append(ways[i], all...)
		}
		return ways
	}
	var next [][]Word
	for _, before := range ways {
		for _, f := range fields {
			next = append(next, slices.Concat(before, f))
		}
	}
	return next
}

// call runs a command's words, and returns what it prints where that is known.
func (r *reader) call(st *state, words []Word, in input) input {
	if r.steps++; r.steps > maxSteps || r.depth >= maxDepth {
		r.res.Cut = true
		return input{}
	}
	if len(words) == 0 {
		return input{known: true}
	}
	name := words[0].Text
	if strings.IndexByte(name, Hole) >= 0 {
		r.res.Unknown = append(r.res.Unknown, "a command whose name can't be told")
		r.res.Commands = append(r.res.Commands, Command{words})
		return input{}
	}
	if body, ok := st.aliases[name]; ok {
		delete(st.aliases, name) // an alias is not looked up within itself
		out := r.script(st, body+" "+quote(words[1:]), in)
		st.aliases[name] = body
		return out
	}
	r.res.Commands = append(r.res.Commands, Command{words})
	if body, ok := st.funcs[name]; ok {
		return r.function(st, body, words[1:], in)
	}
	base := Base(name)
	r.effects(st, base, words, in)
	if out, ok := r.builtin(st, base, words[1:], in); ok {
		return out
	}
	r.wrapped(st, base, words[1:], in)
	switch base {
	case "tee":
		r.tee(st, words[1:], in)
	case "cat":
		if out := r.catted(st, words[1:]); out.known {
			return out
		}
	}
	r.executed(st, name, words[1:], in)
	return prints(st, r.place, base, words[1:], in)
}

// Base is the name of a program without its folder.
func Base(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(base), ".exe")
}

func (r *reader) function(st *state, body *syntax.Stmt, args []Word, in input) input {
	old, known := st.args, st.known
	st.args, st.known = args, true
	r.depth++
	out := r.stmt(st, body, in)
	r.depth--
	st.args, st.known = old, known
	return out
}

// quote writes words so that a shell reads the same words again.
func quote(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case w.Many:
			b.WriteByte(Hole)
		case strings.IndexByte(w.Text, Hole) >= 0:
			b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(w.Text) + `"`)
		case w.Glob:
			b.WriteString(w.Text)
		default:
			b.WriteString("'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// joined is what eval and its like make of words: one text.
func joined(words []Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// builtin runs what changes the shell itself.
func (r *reader) builtin(st *state, name string, args []Word, in input) (out input, ok bool) {
	out = input{known: true}
	switch name {
	case "cd", "pushd":
		r.cd(st, args)
	case "popd":
		st.cd([]string{""})
	case "eval":
		if len(args) == 1 && !args[0].Known() {
			r.res.Unknown = append(r.res.Unknown, "a text that can't be told is handed to eval")
			return input{}, true
		}
		return r.script(st, joined(args), in), true
	case "alias":
		for _, a := range args {
			if n, text, ok := strings.Cut(a.Text, "="); ok && len(st.aliases) < maxVars {
				st.aliases[n] = text
			}
		}
	case "unalias":
		for _, a := range args {
			delete(st.aliases, a.Text)
		}
	case "trap":
		if args = operands(args, ""); len(args) > 1 {
			r.script(st.clone(), args[0].Text, input{})
		}
	case "set":
		r.setOptions(st, args)
	case "source", ".":
		if len(args) > 0 {
			r.sourced(st, args[0], in)
		}
		return input{}, true
	case "read":
		for _, a := range operands(args, "adinNptu") {
			st.set(a.Text, []string{string(Hole)})
		}
	default:
		return input{}, false
	}
	return out, true
}

func (r *reader) cd(st *state, args []Word) {
	args = operands(args, "")
	switch {
	case len(args) == 0:
		st.cd([]string{r.place.Home})
	case !args[0].Known() || args[0].Glob || args[0].Text == "-":
		st.cd([]string{""})
	default:
		st.cd(resolve(st.dirs, r.place.Home, args[0].Text))
	}
	for i, d := range st.dirs {
		if strings.IndexByte(d, Hole) >= 0 {
			st.dirs = slices.Clone(st.dirs)
			st.dirs[i] = ""
		}
	}
}

func (r *reader) setOptions(st *state, args []Word) {
	for i, a := range args {
		switch {
		case a.Text == "--":
			st.args, st.known = args[i+1:], true
			return
		case strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--"):
			st.strict = st.strict || strings.Contains(a.Text, "e")
		case strings.HasPrefix(a.Text, "+"):
			st.strict = st.strict && !strings.Contains(a.Text, "e")
		}
	}
}

// sourced runs a script in this shell: its text is known where it came from the
// text itself.
func (r *reader) sourced(st *state, file Word, in input) {
	text, ok := r.files[file.Text]
	if !ok {
		text, ok = r.writtenIn(st, file.Text)
	}
	switch {
	case ok:
		r.script(st, text, input{})
	case file.Text == "/dev/stdin" && in.known:
		r.script(st, in.text, input{})
	case !file.Known() || file.Text == "/dev/stdin":
		r.res.Unknown = append(r.res.Unknown, "a script that can't be told is run")
	}
}

// prints tells what a few programs print, which hide a text from a look at it.
func prints(st *state, at Place, name string, args []Word, in input) input {
	for _, a := range args {
		if !a.Known() && name != "echo" && name != "printf" {
			return input{}
		}
	}
	say := func(s string) input { return input{text: s, known: true} }
	switch name {
	case "echo":
		return say(echoed(args))
	case "printf":
		return printed(args)
	case "cat", "tee":
		if in.known && (name == "tee" || len(operands(args, "")) == 0) {
			return say(in.text)
		}
	case "base64":
		if in.known && hasOption(args, "-d", "-D", "--decode") {
			if b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(in.text), "")); err == nil {
				return say(strings.ReplaceAll(string(b), string(Hole), ""))
			}
		}
	case "which", "command", "type", "whence":
		if name != "command" || hasOption(args, "-v") {
			if args = operands(args, ""); len(args) == 1 {
				return say(args[0].Text + "\n")
			}
		}
	case "pwd":
		if len(st.dirs) == 1 && st.dirs[0] != "" {
			return say(st.dirs[0] + "\n")
		}
	case "git":
		if at.Project != "" && joined(args) == "rev-parse --show-toplevel" {
			return say(at.Project + "\n")
		}
	case "true", ":", "sleep", "mkdir", "touch", "exit", "return":
		return say("")
	}
	return input{}
}

func echoed(args []Word) string {
	end, escapes := "\n", false
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		if strings.Contains(args[0].Text, "n") {
			end = ""
		}
		escapes = escapes || strings.Contains(args[0].Text, "e")
		args = args[1:]
	}
	text := joined(args)
	if escapes {
		text = ansi(text)
	}
	return text + end
}

// printed is printf, for formats of text and %s alone.
func printed(args []Word) input {
	if len(args) > 1 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return input{}
	}
	format, args := ansi(args[0].Text), args[1:]
	rest := strings.ReplaceAll(strings.ReplaceAll(format, "%s", ""), "%%", "")
	if strings.Contains(rest, "%") {
		return input{}
	}
	var b strings.Builder
	for {
		n := strings.Count(format, "%s")
		text := format
		for i := range n {
			value := ""
			if i < len(args) {
				value = args[i].Text
			}
			text = strings.Replace(text, "%s", strings.ReplaceAll(value, "%", "%%"), 1)
		}
		b.WriteString(strings.ReplaceAll(text, "%%", "%"))
		args = args[min(n, len(args)):]
		if n == 0 || len(args) == 0 {
			return input{text: b.String(), known: true}
		}
	}
}
