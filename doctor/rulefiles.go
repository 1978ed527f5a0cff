package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"dormouse/frontmatter"
	"dormouse/instructions/globs"
	"dormouse/startup"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fileText is a doc as it stands on the disk.
func fileText(d doc) string {
	if d.mark {
		return "\ufeff" + d.text
	}
	return d.text
}

// conditionKeys are what people write where the client wants paths: it knows none
// of them, and loads the rule always (measured on 2.1.332 for globs). The others
// are what editors of the same kind call it.
const conditionKeys = " globs glob path pattern patterns files applyto matches include "

// rules tells of rule files that load never, or always though they were meant for
// some files.
func (c *check) rules() error {
	for _, l := range c.rep.Left {
		if l.Reason == startup.NotRuleBroken {
			at := Place{Path: l.Path, Line: l.Line}
			c.add("rule-broken", at, "never", "%s never loads: %s", c.at(at), l.Why)
		}
	}
	for _, d := range c.docs {
		if !d.rule {
			continue
		}
		block, ok := frontmatter.Split(d.text)
		if !ok {
			c.neverEnds(d)
			continue
		}
		rule := globs.ReadRule(block.Front)
		if rule.Broken != nil {
			continue
		}
		if rule.Always {
			c.unknownKey(d, block)
			continue
		}
		if err := c.neverMatches(d, block, rule); err != nil {
			return err
		}
	}
	return nil
}

// neverEnds tells of front matter without an end, which the client takes for the
// rule's text: it loads always (measured on 2.1.332).
func (c *check) neverEnds(d doc) {
	first, rest, _ := strings.Cut(d.text, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return
	}
	second, _, _ := strings.Cut(rest, "\n")
	if key, _, ok := strings.Cut(second, ":"); ok && key != "" && !strings.ContainsAny(key, " #*-") {
		at := Place{Path: d.path, Line: 1, Text: first}
		c.add("rule-broken", at, "unended", "%s: the front matter has no end, so it counts as text and the rule loads always", c.at(at)).level(Warning)
	}
}

func (c *check) unknownKey(d doc, block frontmatter.Block) {
	fields, err := frontmatter.Parse(block.Front)
	if err != nil {
		return
	}
	if _, ok := fields.Get("paths"); ok {
		return
	}
	for _, f := range fields.List {
		if lower := strings.ToLower(f.Key); lower != "paths" && !strings.Contains(conditionKeys, " "+lower+" ") {
			continue
		}
		at := Place{Path: d.path, Line: block.Line + f.Line - 1, Text: f.Key + ":"}
		finding := c.add("rule-unknown-key", at, f.Key, "%s has the key %s, which the client does not know: the rule loads always; paths is the key", c.at(at), f.Key)
		before := fileText(d)
		if start, end := lineSpan(before, at.Line); strings.HasPrefix(before[start:end], f.Key+":") {
			finding.fix("call the key paths", "", false, Plan{Kind: File, Path: d.path, Before: []byte(before), Edits: []Edit{{start, start + len(f.Key), "paths"}}})
		}
		return
	}
}

// neverMatches compares the paths of a project's rule with the files that are
// there. Those of the user's rules are for many projects.
func (c *check) neverMatches(d doc, block frontmatter.Block, rule globs.Rule) error {
	base := ruleBase(d.path)
	if d.scope == startup.User || d.scope == startup.Managed || base == "" || rule.Never() {
		return nil
	}
	files, err := c.tree()
	if err != nil || len(files) == 0 {
		return err
	}
	for _, f := range files {
		if rel, err := filepath.Rel(base, filepath.Join(c.root, filepath.FromSlash(f))); err == nil && rule.Match(filepath.ToSlash(rel)) {
			return nil
		}
	}
	var list []string
	for _, p := range rule.Patterns {
		list = append(list, p.Text)
	}
	at := Place{Path: d.path, Line: block.Line + rule.Line - 1}
	f := c.add("rule-never-matches", at, strings.Join(list, ","), "%s: the paths of the rule (%s) match none of the %d files of the project", c.at(at), strings.Join(list, ", "), len(files))
	for _, p := range rule.Patterns {
		if p.Suspect != "" {
			f.evidence("%q: %s", p.Text, p.Suspect)
		}
	}
	return nil
}

// ruleBase is the folder that a rule's paths are relative to: the one that holds
// .claude.
func ruleBase(path string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == ".claude" {
			return filepath.Dir(dir)
		}
	}
	return ""
}

// exists tells whether a path of the project is there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// tree lists the files of the project, slash paths relative to its root.
func (c *check) tree() ([]string, error) {
	if c.repo == nil {
		return nil, nil
	}
	return c.repo.Files(c.ctx)
}
