// Package guard reads the rules that a person marked as binding in an instruction
// file, and decides about calls of tools by them. An instruction is advice, which
// an agent may forget; a rule is looked at before each call.
//
// Rules stand in a fenced code block with the info string guard, one a line:
//
//	deny command git push (-f|--force)   # rewrites shared history
//	ask  edit    migrations/**
//
// There is no rule that allows: whoever can add a text to what loads can make the
// agent's limits tighter and never wider. docs/guard.md has the whole grammar.
//
// The package is pure: text in, rules and verdicts out.
package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"dormouse/instructions/markdown"
)

// Action is what is done about a call. A greater one is stronger.
type Action uint8

// The actions.
const (
	NoOpinion Action = iota // no rule speaks about it; that is no permission
	Ask                     // a person is asked
	Deny
)

// String is the word of the grammar, or "none".
func (a Action) String() string { return [...]string{"none", "ask", "deny"}[a] }

// Kind is what a rule is about.
type Kind string

// The kinds.
const (
	Command Kind = "command" // a command in a shell, however it is written
	Edit    Kind = "edit"    // any change of a file: made, written, moved, deleted
	Read    Kind = "read"
	Tool    Kind = "tool"    // a tool of the agent, by its name
	Unknown Kind = "unknown" // what can't be told and could be what another rule is about
)

// Source is a file that rules are read from.
type Source struct {
	File string // as it is named to people
	// Base is the folder that path patterns begin at, absolute with slashes: the
	// one that holds the file, or .claude with it; the project's for user rules.
	Base string
}

// Rule is one line of a guard block.
type Rule struct {
	Action  Action
	Kind    Kind
	Pattern string // as written; "" for Unknown
	Why     string // the comment behind it
	Source
	Line int // 1-based

	command pattern
	path    pathPattern
}

// String is the rule as one writes it, without its comment.
func (r *Rule) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Action, r.Kind, r.Pattern))
}

// At is where the rule stands: file:line.
func (r *Rule) At() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// Problem is a line of a block that is no rule. The other rules hold.
type Problem struct {
	File string
	Line int    // 1-based
	Text string // the line
	What string // the reason and the way out
}

// Rules are what holds, in the order in which the files load.
type Rules []Rule

// maxRules bounds the rules of one file: a call is compared with each.
const maxRules = 500

// Parse reads the blocks of one file's text, as it is on disk.
func Parse(src Source, text string) (Rules, []Problem) {
	if !mentions(text) {
		return nil, nil
	}
	var rules Rules
	var problems []Problem
	// Spans are ranges of the text as it was given, which is to be that of the lines.
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	doc := markdown.Lex(text)
	for _, s := range doc.Spans {
		if s.Kind != markdown.Code {
			continue
		}
		body, ok := block(text, s)
		if !ok {
			continue
		}
		first := strings.Count(text[:body.from], "\n") + 1
		more, bad := parseBlock(src, text[body.from:body.to], first)
		rules = append(rules, more...)
		if !body.closed && len(bad) > 0 {
			bad = bad[:1]
			bad[0].What = "the guard block has no end, so all that follows it counts as rules: write ``` on a line behind its last rule"
		}
		problems = append(problems, bad...)
	}
	if doc.Cut {
		problems = append(problems, Problem{File: src.File, Line: 1, What: "the file is too long or nested too deep to find all its guard blocks: move them to the top"})
	}
	if len(rules) > maxRules {
		r := &rules[maxRules]
		problems = append(problems, Problem{src.File, r.Line, r.String(), fmt.Sprintf("a file has at most %d rules; from here on they don't count: use patterns with * or (a|b)", maxRules)})
		rules = rules[:maxRules]
	}
	return rules, problems
}

// mentions tells whether a text can hold a block at all. Most don't, and a look
// costs far less than reading the Markdown.
func mentions(text string) bool {
	for at := 0; ; {
		n := strings.Index(text[at:], infoString)
		if n < 0 {
			return false
		}
		at += n
		if before := strings.TrimRight(text[:at], " \t"); strings.HasSuffix(before, "```") || strings.HasSuffix(before, "~~~") {
			return true
		}
		at += len(infoString)
	}
}

// infoString marks a block.
const infoString = "guard"

type span struct {
	from, to int
	closed   bool
}

// block returns the lines within a fence with the info string guard.
func block(source string, s markdown.Span) (span, bool) {
	text := source[s.Start:s.End]
	head, _, more := strings.Cut(text, "\n")
	fence := strings.TrimLeft(head, " \t")
	char := strings.TrimLeft(fence, "`")
	if len(fence) < 3 || fence[0] != '`' && fence[0] != '~' {
		return span{}, false
	}
	if fence[0] == '~' {
		char = strings.TrimLeft(fence, "~")
	}
	// In any case and among other words of the info string: a rule that is nearly
	// marked is meant.
	if !more || !slices.ContainsFunc(strings.Fields(char), func(w string) bool {
		return strings.EqualFold(strings.Trim(w, "{}.,"), infoString)
	}) {
		return span{}, false
	}
	out := span{from: s.Start + len(head) + 1, to: s.End}
	body := strings.TrimRight(source[out.from:out.to], "\n \t")
	last := strings.LastIndexByte(body, '\n') + 1
	mark := strings.Trim(body[last:], " \t>")
	if len(mark) >= 3 && strings.Trim(mark, fence[:1]) == "" {
		out.to, out.closed = out.from+last, true
	}
	return out, true
}

func parseBlock(src Source, text string, first int) (rules Rules, problems []Problem) {
	n := first - 1
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimLeft(line, ">")) // a block in a quote
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := ParseLine(src, line)
		if err != nil {
			problems = append(problems, Problem{src.File, n, line, err.Error()})
			continue
		}
		r.Line = n
		rules = append(rules, r)
	}
	return rules, problems
}

// ParseLine reads one rule. Errors say what is wrong and what to write instead.
func ParseLine(src Source, line string) (Rule, error) {
	r := Rule{Source: src}
	body, why := line, ""
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && (line[i-1] == ' ' || line[i-1] == '\t') {
			body, why = strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:])
			break
		}
	}
	r.Why = why
	verb, rest := cutWord(body)
	switch strings.ToLower(verb) {
	case "deny":
		r.Action = Deny
	case "ask":
		r.Action = Ask
	case "allow":
		return r, fmt.Errorf("there is no allow: a rule can only forbid or ask, and what no rule speaks about is the client's to decide")
	default:
		return r, fmt.Errorf("a rule begins with deny or ask, not with %q: deny command git push --force", clip(verb))
	}
	kind, pattern := cutWord(rest)
	r.Kind, r.Pattern = Kind(strings.ToLower(kind)), pattern
	if r.Kind == "write" {
		r.Kind = Edit // any change is both
	}
	var err error
	switch r.Kind {
	case Command:
		r.command, err = compileCommand(pattern)
	case Edit, Read:
		r.path, err = compilePath(src.Base, pattern)
	case Tool:
		if pattern == "" || strings.ContainsAny(pattern, " \t") {
			err = fmt.Errorf("a tool rule has one name behind it, * allowed: deny tool mcp__github__*")
		}
	case Unknown:
		if pattern != "" {
			err = fmt.Errorf("nothing stands behind unknown: %s unknown", r.Action)
		}
	default:
		err = fmt.Errorf("behind %s comes command, edit, read, tool or unknown, not %q: %s command git push --force", r.Action, clip(kind), r.Action)
	}
	return r, err
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if n := strings.IndexAny(s, " \t"); n >= 0 {
		return s[:n], strings.TrimSpace(s[n:])
	}
	return s, ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// BaseOf is the folder that the path patterns of an instruction file begin at, where
// file is absolute with slashes: the folder of the file, or the one that holds .claude
// with it.
func BaseOf(file string) string {
	dir := path.Dir(file)
	for d := dir; d != path.Dir(d); d = path.Dir(d) {
		if path.Base(d) == ".claude" {
			return path.Dir(d)
		}
	}
	return dir
}
