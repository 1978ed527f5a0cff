package guard

import (
	"path"
	"strings"

	"dormouse/guard/shell"
)

// Bounds on the look at a text that can't be followed.
const (
	maxUnread = 1 << 20 // bytes
	maxWindow = 64      // words of one command
	maxTokens = 20_000
)

// unread is for a text that can't be followed: if its words, wherever a command
// could begin, could be what a rule is about, a person is asked.
func (j *judge) unread(text, why string) {
	if len(text) > maxUnread {
		for i := range j.rules {
			if r := &j.rules[i]; r.Kind == Command || r.Kind == Edit || r.Kind == Read {
				j.hit(r, Ask, clip(text), why+", and the rule could be about it")
			}
		}
		return
	}
	total := 0
	seen := map[string]bool{}
	for segment := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";|&(){}<>`\n", r) }) {
		words := tokens(segment)
		for i := range words {
			if total++; total > maxTokens {
				j.unread(strings.Repeat(" ", maxUnread+1), why)
				return
			}
			j.unreadCommand(words[i:min(len(words), i+maxWindow)], why)
			if t := words[i].Text; !seen[t] {
				seen[t] = true
				j.unreadPath(t, why)
			}
		}
	}
}

// tokens are the words of a text, without quotes and backslashes.
func tokens(text string) []shell.Word {
	var out []shell.Word
	for f := range strings.FieldsSeq(text) {
		f = strings.Map(func(r rune) rune {
			if strings.ContainsRune("\"'\\$\x00", r) {
				return -1
			}
			return r
		}, f)
		if f != "" {
			out = append(out, shell.Word{Text: f})
		}
	}
	return out
}

func (j *judge) unreadCommand(words []shell.Word, why string) {
	var c call
	name := shell.Base(words[0].Text)
	for i := range j.rules {
		r := &j.rules[i]
		if r.Kind != Command || !oneOf(r.command.name, name, false) {
			continue
		}
		if c.name == "" {
			c = takeApart(words)
		}
		if r.command.matches(&c, false) {
			j.hit(r, Ask, line(words), why+"; the words could be what the rule is about")
		}
	}
}

func (j *judge) unreadPath(token, why string) {
	if _, value, ok := strings.Cut(token, "="); ok {
		token = value
	}
	if token == "" || j.call.Cwd == "" && token[0] != '/' {
		return
	}
	p := token
	if token[0] != '/' {
		p = j.call.Cwd + "/" + token
	}
	a := shell.Access{Path: path.Clean(p)}
	for i := range j.rules {
		if r := &j.rules[i]; (r.Kind == Edit || r.Kind == Read) && r.path.matches(&a, j.call.Home) == yes {
			j.hit(r, Ask, token, why+"; it names what the rule is about")
		}
	}
}
