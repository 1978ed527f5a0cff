package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"dormouse/guard/shell"
)

// Call is a tool call that an agent wants to make.
type Call struct {
	Tool    string
	Command string   // the shell text, for tools that run one; the patch, for apply_patch
	Paths   []string // files it names: absolute, or relative to Cwd
	Cwd     string   // absolute; with slashes or the system's signs
	Project string   // the repository's root; "" outside one
	Home    string   // ~; "" when not known
	// Resolve follows links in a path, and returns it as it is where that fails.
	// Nil: links are not followed.
	Resolve func(string) string
}

// Verdict is what the rules say about a call.
type Verdict struct {
	Action Action
	Rule   *Rule  // the strongest, and of those the first; nil for NoOpinion
	Found  string // what it is about: the command or the path
	// Reason is for the agent: what is forbidden, who says so, what may be done
	// instead.
	Reason string
}

// Decide tells what the rules say about a call. Its time is bounded for any input.
func (rs Rules) Decide(c Call) Verdict {
	if len(rs) == 0 {
		return Verdict{}
	}
	c.Cwd, c.Project, c.Home = slashes(c.Cwd), slashes(c.Project), slashes(c.Home)
	j := judge{rules: rs, call: c}
	j.findLinked()
	j.tool()
	what := toolEffect(c.Tool)
	switch {
	case c.Tool == patchTool:
		c.Paths = append(slices.Clone(c.Paths), shell.PatchFiles(c.Command)...)
	case c.Command != "":
		j.command()
		what |= reads | changes
	}
	for _, p := range c.Paths {
		for _, abs := range j.absolute(p) {
			if what&changes != 0 {
				j.file(&shell.Access{Path: abs, Write: true, By: p})
			}
			if what&reads != 0 {
				j.file(&shell.Access{Path: abs, By: p})
			}
		}
	}
	return j.verdict()
}

// slashes gives a path of Windows the form that patterns have.
func slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }

type judge struct {
	rules Rules
	call  Call
	best  Action
	rule  *Rule
	found string
	note  string // what the reason says beside the rule
	own   bool   // the rule is that a file with rules is changed by a person
	// linked are the folders of rules that are reached through a link, and where
	// they really are.
	linked   []linkedFolder
	followed int        // how many paths links were followed for
	holders  []ruleFile // the files that hold rules
}

// ruleFile is a file that holds rules, by one of its names.
type ruleFile struct {
	name string
	rule *Rule // the first in it
}

type linkedFolder struct{ named, real string }

// findLinked looks up where the files and folders of the rules really are.
func (j *judge) findLinked() {
	last := ""
	for i := range j.rules {
		r := &j.rules[i]
		if r.File == last {
			continue
		}
		last = r.File
		j.holders = append(j.holders, ruleFile{slashes(r.File), r})
		if j.call.Resolve != nil {
			j.holders = append(j.holders, ruleFile{slashes(j.call.Resolve(r.File)), r})
		}
	}
	if j.call.Resolve == nil {
		return
	}
	seen := map[string]bool{}
	for i := range j.rules {
		base := j.rules[i].Base
		if base == "" || seen[base] {
			continue
		}
		seen[base] = true
		if real := slashes(j.call.Resolve(base)); real != base && real != "" {
			j.linked = append(j.linked, linkedFolder{base, real})
		}
	}
}

// hit is a rule that speaks about the call. The first of the strongest counts.
func (j *judge) hit(r *Rule, action Action, found, note string) {
	if action > j.best {
		j.best, j.rule, j.found, j.note, j.own = action, r, found, note, false
	}
}

func (j *judge) tool() {
	for i := range j.rules {
		if r := &j.rules[i]; r.Kind == Tool && matchWord(r.Pattern, j.call.Tool) {
			j.hit(r, r.Action, j.call.Tool, "")
		}
	}
}

// absolute is a path as it is written, and where its links lead.
func (j *judge) absolute(p string) []string {
	p = slashes(p)
	switch {
	case p == "":
		return nil
	case strings.HasPrefix(p, "~/") && j.call.Home != "":
		p = j.call.Home + p[1:]
	case p[0] != '/' && (len(p) < 2 || p[1] != ':'):
		if j.call.Cwd == "" {
			return nil
		}
		p = j.call.Cwd + "/" + p
	}
	return j.follow(path.Clean(p))
}

// maxLinks is for how many paths of one call links are followed: it costs the
// caller a look at the disk each.
const maxLinks = 200

// follow gives the names of a path: its own, where its links lead, and the same
// below a folder of rules that is itself reached through a link.
func (j *judge) follow(p string) []string {
	names := []string{p}
	if j.call.Resolve == nil || strings.IndexByte(p, shell.Hole) >= 0 {
		return names
	}
	if j.followed++; j.followed <= maxLinks {
		if real := slashes(j.call.Resolve(p)); real != p && real != "" {
			names = append(names, real)
		}
	}
	for _, l := range j.linked {
		for _, n := range names {
			if rest, ok := strings.CutPrefix(n, l.real); ok && (rest == "" || rest[0] == '/') {
				names = append(names, l.named+rest)
			}
		}
	}
	return names
}

// file compares a file with the path rules, and with the files that hold the rules.
func (j *judge) file(a *shell.Access) {
	for i := range j.rules {
		r := &j.rules[i]
		if r.Kind != Edit && r.Kind != Read {
			continue
		}
		if (r.Kind == Edit) == a.Write {
			switch r.path.matches(a, j.call.Home) {
			case yes:
				j.hit(r, r.Action, a.By, shown(a))
			case perhaps:
				j.unknown(a.By, "it could be about "+r.Pattern)
			case no:
			}
		}
	}
	if a.Write {
		j.ownFile(a)
	}
}

// ownFile asks before a file is changed that rules stand in: who can take a rule
// out isn't held by it.
func (j *judge) ownFile(a *shell.Access) {
	if j.best >= Ask {
		return
	}
	for _, h := range j.holders {
		inside := a.Tree && !a.Some && strings.HasPrefix(h.name, strings.TrimSuffix(a.Path, "/")+"/")
		if inside || strings.EqualFold(h.name, a.Path) {
			j.hit(h.rule, Ask, a.By, shown(a))
			j.own = true
			return
		}
	}
}

// shown tells of the path, where the words of the command don't name it plainly.
func shown(a *shell.Access) string {
	if strings.HasSuffix(a.By, a.Path) {
		return ""
	}
	if a.Write {
		return "it would change " + a.Path
	}
	return "it would read " + a.Path
}

// unknown applies the rules for what can't be told.
func (j *judge) unknown(found, why string) {
	for i := range j.rules {
		if r := &j.rules[i]; r.Kind == Unknown {
			j.hit(r, r.Action, found, why)
		}
	}
}

// command compares a shell text with the rules.
func (j *judge) command() {
	text := j.call.Command
	res := shell.Read(text, shell.Place{Dir: j.call.Cwd, Home: j.call.Home, Project: j.call.Project})
	for i := range res.Commands {
		j.words(res.Commands[i].Words)
	}
	j.files(res.Files)
	for _, what := range res.Unknown {
		j.unknown(text, what)
	}
	for _, code := range res.Code {
		j.code(code)
	}
	if res.Err != nil {
		j.unread(text, res.Err.Error())
	} else if res.Cut {
		j.unread(text, "it does more than is looked through")
	}
}

func (j *judge) words(words []shell.Word) {
	c := takeApart(words)
	for i := range j.rules {
		r := &j.rules[i]
		switch {
		case r.Kind != Command:
		case r.command.matches(&c, false):
			j.hit(r, r.Action, line(words), "")
		case r.command.matches(&c, true):
			j.unknown(line(words), "it could be "+r.Pattern)
		}
	}
}

func (j *judge) files(files []shell.Access) {
	type key struct {
		path              string
		write, tree, some bool
	}
	seen := map[key]bool{}
	for i := range files {
		a := files[i]
		k := key{a.Path, a.Write, a.Tree, a.Some}
		if seen[k] {
			continue
		}
		seen[k] = true
		names := []string{a.Path}
		if !a.Glob {
			names = j.follow(a.Path)
		}
		for _, a.Path = range names {
			j.file(&a)
		}
	}
}

// code is a text in another language: what it does is not known. It could be what
// a rule is about where it names the same things.
func (j *judge) code(code string) {
	for i := range j.rules {
		r := &j.rules[i]
		word := ""
		switch r.Kind {
		case Command:
			word = r.command.name[0]
		case Edit, Read:
			word = path.Base(strings.TrimRight(r.path.whole, "*/"))
		default:
			continue
		}
		if word = strings.Trim(word, "*"); word != "" && word != "." && strings.Contains(strings.ToLower(code), strings.ToLower(word)) {
			j.unknown(clip(code), "code in another language that names "+word)
		}
	}
}

// line writes words for people.
func line(words []shell.Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
		if b.Len() > 4*maxShown {
			break
		}
	}
	return b.String()
}

// maxShown is how much of a command a reason repeats, in characters.
const maxShown = 200

func (j *judge) verdict() Verdict {
	if j.rule == nil {
		return Verdict{}
	}
	v := Verdict{Action: j.best, Rule: j.rule, Found: told(j.found)}
	if j.own {
		v.Reason = fmt.Sprintf("A person decides about this: %s%s. Guard rules stand in %s, and only a person changes those. If the answer is no, go on without it.",
			v.Found, inBrackets(told(j.note)), j.short(j.rule.File))
		return v
	}
	v.Reason = reason(v, told(j.note), fmt.Sprintf("%s:%d", j.short(j.rule.File), j.rule.Line))
	return v
}

// short names a file from the project's root.
func (j *judge) short(file string) string {
	if rest, ok := strings.CutPrefix(slashes(file), strings.TrimSuffix(j.call.Project, "/")+"/"); ok && j.call.Project != "" {
		return rest
	}
	return file
}

// told makes a text of the call one line of bounded length.
func told(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, string(shell.Hole), "…")), " ")
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// reason says what is forbidden, by whom, and what may be done instead.
func reason(v Verdict, note, at string) string {
	r := v.Rule
	var b strings.Builder
	if v.Action == Deny {
		b.WriteString("Not allowed: ")
	} else {
		b.WriteString("A person decides about this: ")
	}
	fmt.Fprintf(&b, "%s%s. The rule is %q, written in %s%s. ", v.Found, inBrackets(note), r.String(), at, inBrackets(r.Why))
	if v.Action == Ask {
		b.WriteString("If the answer is no, go on without it.")
		return b.String()
	}
	switch r.Kind {
	case Edit:
		b.WriteString("Leave the file as it is, and say what you would change; ")
	case Read:
		b.WriteString("Go on without what is in it; ")
	case Tool:
		b.WriteString("Go on without this tool; ")
	default:
		b.WriteString("Go on without this command, and don't reach the same by another way; ")
	}
	b.WriteString("if it is needed, ask the person to do it or to change the rule.")
	return b.String()
}
