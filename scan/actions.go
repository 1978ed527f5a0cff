package scan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An ActionKind says what a text asks for.
type ActionKind string

// The kinds of actions.
const (
	Command     ActionKind = "command"      // run something
	URL         ActionKind = "url"          // an address outside this machine
	Package     ActionKind = "package"      // install something, or take it from elsewhere
	Permission  ActionKind = "permission"   // rights, checks, settings, approval
	OutsidePath ActionKind = "outside-path" // a file outside the project, or one with credentials
	Memory      ActionKind = "memory"       // keep, copy, write or drop notes
	Secrecy     ActionKind = "secrecy"      // keep something from the user
	Override    ActionKind = "override"     // set instructions aside, pose as somebody, obey later
)

// An Action is one thing that a text asks for.
type Action struct {
	Kind         ActionKind
	Start, End   int // bytes of the text given
	Line, Column int // of Start, from 1; columns in runes
}

// Actions returns what text asks for, in order of place, whoever wrote it. It is
// wider than Scan: "run go test" is a command and no finding. It is meant for
// notes of low origin, where a plain fact may load and a request may not; so it
// takes doubt for a request.
func (s *Scanner) Actions(text string) []Action {
	r := newRun(s.get(), text, nil)
	r.view = viewOf(text)
	r.findRegions()
	r.spoofs()
	r.sentences()
	r.encoded()
	a := actor{run: r, seen: map[Action]bool{}}
	for _, f := range r.found {
		if kind := actionOf(f.Rule); kind != "" {
			a.add(kind, span{f.Start, f.End})
		}
	}
	l := lexer{text: r.view.text, words: r.words, hosts: &r.hosts, own: r.own}
	for l.next() {
		a.sentence(&l.s)
	}
	return a.results()
}

// actionOf says which action a finding of a rule stands for; "" for none.
func actionOf(rule string) ActionKind {
	kind, name, _ := strings.Cut(rule, "/")
	switch kind {
	case "spoof", "encoded":
		return Override
	case "instruction":
	default:
		return ""
	}
	switch name {
	case "secrecy", "hidden-action":
		return Secrecy
	case "exfiltration", "data-out", "redirect", "link", "endorsed-address":
		return URL
	case "secret-exposed", "outside-secret":
		return OutsidePath
	case "remote-code", "odd-binary", "evidence":
		return Command
	case "package", "package-name", "package-swap":
		return Package
	case "persistence", "memory-write":
		return Memory
	case "override", "persona", "delayed", "decode", "address-agent", "recommendation", "other-language":
		return Override
	}
	return Permission
}

// actionPatterns say what a request for each kind looks like.
const actionPatterns = `
command:
run!
toolcmd 1 flag|url|file|pkgverb|outside|subst|local
softcmd 1 flag
pipe 2 shellprog
use! 4 script|cmdword|scriptfile
rundo! 4 script|scriptfile|cmdword
xrun!
do! 4 scriptfile
package:
pkgcmd 1 pkgverb
installverb!
use! 3 pkgcmd
registryflag
registryvar 2 url|local|unknown
addverb! 3 package
xinstall!
use! 4 package
permission:
perm! 6 config
agentperm
bypassmode
chmod2
skip! 4 check
insecure
perm! 5 check
noneed 5 check|askn
check 5 noneed
no|not 3 ask!
without 3 askn
approve! 6 all|without|request|pr
trust! 4 any
xskip!
outside-path:
outside
any! 6 sens
sens 6 any!
memory:
store! 6 memory
rememberverb!
copy! 4 this 3 notething
keep! 3 this 3 notething
not 2 remove! 3 this 3 notething
remove! 4 memory
any! 5 agentfiles
memory 4 modal
xstore!
secrecy:
not 3 tell! 4 principal|user
any! 6 quiet
quiet 3 any!
quiet2
hide!
between
leave! 4 out
ifasked
not 2 tell! 3 obj
xsecretly
{xneg xtell xuser} 8
override:
nowyou 8 you
ignore! 4 instr|rules2|agentfiles
trigger 3 user 4 say 14 any!
recommend! 6 first3
obey!
`

// An actor collects the actions of one text.
type actor struct {
	*run
	list []Action
	seen map[Action]bool
}

func (a *actor) add(kind ActionKind, s span) {
	act := Action{Kind: kind, Start: s.start, End: s.end}
	if s.end <= s.start || len(a.list) >= overall || a.seen[act] {
		return
	}
	a.seen[act] = true
	a.list = append(a.list, act)
}

func (a *actor) sentence(s *sentence) {
	if s.all.empty() {
		return
	}
	for i := range s.tokens {
		a.token(s, i)
	}
	a.actions.matches(s, func(kind, first, last int) bool {
		a.add(ActionKind(a.actionKinds[kind]), a.viewSpan(s.tokens[first].start, s.tokens[last].end))
		return true
	})
}

// token finds the actions that one token is: an address, a command in code.
func (a *actor) token(s *sentence, i int) {
	t := &s.tokens[i]
	if t.bits.meets(&a.own.url) && !t.bits.meets(&a.own.email) {
		a.add(URL, a.viewSpan(t.start, t.end))
	}
	if !t.is(coded) || i > 0 && s.tokens[i-1].is(coded) && !t.is(startsLine) && !t.is(afterBreak) {
		return
	}
	alone := i+1 >= len(s.tokens) || !s.tokens[i+1].is(coded) || s.tokens[i+1].is(startsLine)
	switch {
	case t.bits.meets(&a.own.soft) && !alone && !t.bits.meets(&a.own.file):
		a.add(Command, a.viewSpan(t.start, s.tokens[i+1].end))
	case t.bits.meets(&a.own.scriptFile) && strings.HasPrefix(a.view.text[t.start:], "./"):
		a.add(Command, a.viewSpan(t.start, t.end))
	case t.bits.meets(&a.own.scriptFile) && !alone && s.tokens[i+1].bits.meets(&a.own.flag):
		a.add(Command, a.viewSpan(t.start, t.end))
	}
}

func (a *actor) results() []Action {
	slices.SortFunc(a.list, func(x, y Action) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End), cmp.Compare(x.Kind, y.Kind))
	})
	p := places{text: a.text}
	for i := range a.list {
		a.list[i].Line, a.list[i].Column = p.of(a.list[i].Start)
	}
	return a.list
}

// places turns offsets into lines and columns; the offsets must not fall.
type places struct {
	text   string
	at     int // counted up to here
	line   int // line feeds before at
	column int // runes between the line's start and at
}

func (p *places) of(offset int) (line, column int) {
	for {
		n := strings.IndexByte(p.text[p.at:offset], '\n')
		if n < 0 {
			break
		}
		p.at += n + 1
		p.line++
		p.column = 0
	}
	p.column += utf8.RuneCountInString(p.text[p.at:offset])
	p.at = offset
	return p.line + 1, p.column + 1
}
