package claude

import (
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/frontmatter"
	"dormouse/instructions/globs"
	"dormouse/startup"
)

// rulePaths is when a rule file loads, by its frontmatter. The zero value means
// always.
type rulePaths struct {
	set  bool
	rule globs.Rule
	line int // of the first line of the frontmatter in the file, 1-based
}

// splitRule takes the frontmatter off a file: what it says about paths, the
// body, and the body's first line in the file, 1-based.
func splitRule(text string) (rulePaths, string, int) {
	b, ok := frontmatter.Split(text)
	if !ok {
		return rulePaths{}, text, 1
	}
	line := 1 + strings.Count(text[:b.BodyOffset], "\n")
	return rulePaths{set: true, rule: globs.ReadRule(b.Front), line: b.Line}, b.Body, line
}

func withoutFront(text string) string {
	b, _ := frontmatter.Split(text)
	return b.Body
}

// always tells whether the rule loads whatever is read.
func (r rulePaths) always() bool { return !r.set || r.rule.Always }

// matches tells whether a read brings the rule in; its patterns are relative to
// base.
func (r rulePaths) matches(base, read string) bool {
	rel, err := filepath.Rel(base, read)
	return err == nil && r.set && r.rule.Match(filepath.ToSlash(rel))
}

// patterns lists the paths as the client matches them.
func (r rulePaths) patterns() string {
	var out []string
	for _, p := range r.rule.Patterns {
		out = append(out, p.Text)
	}
	return strings.Join(out, ", ")
}

// waiting is the remark on a rule that does not load at start.
func (d doc) waiting() startup.Left {
	l := startup.Left{Path: d.file.Path, Scope: d.file.Scope, From: d.file.Path, Line: d.rule.line + d.rule.rule.Line - 1}
	if d.rule.rule.Never() {
		l.Reason, l.Why = startup.NotRuleBroken, "no read can ever match its paths: "+d.rule.problem()
		return l
	}
	l.Reason, l.Why = startup.NotRuleWaiting, "waits for a read that matches its paths: "+d.rule.patterns()
	return l
}

// problem says what is wrong with the paths.
func (r rulePaths) problem() string {
	for _, p := range r.rule.Patterns {
		if p.Problem != "" {
			return fmt.Sprintf("%q: %s", p.Text, p.Problem)
		}
	}
	return r.patterns()
}

// ruleRemarks tells what a reader would not expect of the frontmatter.
func (c *client) ruleRemarks(d doc) {
	r := d.rule
	if !r.set || d.file.Reason != startup.ByRule {
		return
	}
	switch {
	case r.rule.Broken != nil:
		c.notice(d.file.Path, r.line, fmt.Sprintf("the frontmatter cannot be read (%v), so the rule loads always", r.rule.Broken))
	case r.rule.NotText:
		c.notice(d.file.Path, r.line+r.rule.Line-1, "paths holds no pattern, so the rule loads always")
	}
}

// fields are the values of an agent's frontmatter.
type fields struct {
	list frontmatter.Fields
	from int
}

func frontFields(text string) fields {
	b, ok := frontmatter.Split(text)
	if !ok {
		return fields{}
	}
	f, err := frontmatter.Parse(b.Front)
	if err != nil {
		return fields{}
	}
	return fields{f, b.Line}
}

// text is a scalar's text, of whatever kind.
func (f fields) text(key string) string {
	field, _ := f.list.Get(key)
	return field.Value.Text
}

func (f fields) line(key string) int {
	field, ok := f.list.Get(key)
	if !ok {
		return 0
	}
	return f.from + field.Line - 1
}
