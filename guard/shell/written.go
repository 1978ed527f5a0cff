package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A text may write a script and run it, or name an alias and use it: what it wrote is
// known then, and followed like the text itself.

// outlet is where what a command prints goes: files, by all the names they may have.
type outlet struct {
	paths []string
	more  bool // >>: behind what is there
}

// outlet is what a redirection of standard output leads to.
func (r *reader) outlet(st *state, rd *syntax.Redirect, words []Word) (out outlet) {
	if rd.N != nil && rd.N.Value != "1" {
		return outlet{}
	}
	out.more = rd.Op == syntax.AppOut || rd.Op == syntax.AppAll
	for _, w := range words {
		if w.Known() && !w.Glob && !strings.HasPrefix(w.Text, "/dev/") {
			out.paths = append(out.paths, resolve(st.dirs, r.place.Home, w.Text)...)
		}
	}
	return out
}

// write keeps a text that goes into files. One that can't be told takes away what is
// known of them, unless it comes behind.
func (r *reader) write(o outlet, text input) {
	for _, p := range o.paths {
		_, had := r.written[p]
		switch {
		case len(p) > maxPath, !had && len(r.written) >= maxVars:
		case text.known && o.more:
			r.written[p] = r.short(r.written[p] + text.text)
		case text.known:
			r.written[p] = text.text
		case !o.more:
			delete(r.written, p)
		}
	}
}

// writtenIn is the text that was written into a file, wherever the shell may be.
func (r *reader) writtenIn(st *state, file string) (text string, ok bool) {
	if len(r.written) == 0 || file == "" {
		return "", false
	}
	for _, p := range resolve(st.dirs, r.place.Home, file) {
		if text, ok = r.written[p]; ok {
			return text, true
		}
	}
	return "", false
}

// catted is what cat prints of files whose texts are known.
func (r *reader) catted(st *state, args []Word) (out input) {
	files := operands(args, "")
	var b strings.Builder
	for _, f := range files {
		text, ok := r.writtenIn(st, f.Text)
		if !ok {
			return input{}
		}
		b.WriteString(text)
	}
	return input{text: r.short(b.String()), known: len(files) > 0}
}

// tee writes what it reads into each of its files.
func (r *reader) tee(st *state, args []Word, in input) {
	o := outlet{more: hasOption(args, "-a", "--append")}
	for _, f := range operands(args, "") {
		if f.Known() && !f.Glob {
			o.paths = append(o.paths, resolve(st.dirs, r.place.Home, f.Text)...)
		}
	}
	r.write(o, in)
}

// executed follows a script that is run by its path, if the text wrote it. Without a
// line that names another program it is the shell's.
func (r *reader) executed(st *state, name string, args []Word, in input) {
	if !strings.Contains(name, "/") {
		return
	}
	text, ok := r.writtenIn(st, name)
	if !ok {
		return
	}
	if head, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(head, "#!") {
		words := strings.Fields(head[2:])
		if len(words) > 1 && Base(words[0]) == "env" {
			words = words[1:]
			if words[0] == "-S" && len(words) > 1 {
				words = words[1:]
			}
		}
		if len(words) > 0 && !isShell(Base(words[0])) {
			r.res.Code = append(r.res.Code, text)
			return
		}
	}
	inner := st.clone()
	inner.strict, inner.sure, inner.perhaps = false, false, false
	inner.args, inner.known = args, true
	r.script(inner, text, in)
}

// gitAlias runs aliases that the text itself sets: git -c alias.p='push -f' p, and
// git config alias.p 'push -f' before.
func (r *reader) gitAlias(st *state, args []Word) {
	_, sub, rest := r.gitCommand(st, args)
	if sub == "config" {
		words := operands(rest, "")
		for i := range words[:max(0, len(words)-1)] {
			if name, ok := aliasName(words[i].Text); ok && len(r.gitAliases) < maxVars {
				r.gitAliases[name] = words[i+1].Text
			}
		}
		return
	}
	value, ok := r.gitAliases[strings.ToLower(sub)]
	for _, set := range optionValue(args, "-c") {
		key, text, _ := strings.Cut(set.Text, "=")
		if name, is := aliasName(key); is && name == strings.ToLower(sub) {
			value, ok = text, true
		}
	}
	if !ok {
		return
	}
	if code, shell := strings.CutPrefix(value, "!"); shell {
		value = code
	} else {
		value = "git " + value
	}
	r.script(st.clone(), value+" "+quote(rest), input{})
}

// aliasName is the name of a git alias, from its key in git's configuration, which has
// no upper and lower case.
func aliasName(key string) (string, bool) {
	return strings.CutPrefix(strings.ToLower(key), "alias.")
}
