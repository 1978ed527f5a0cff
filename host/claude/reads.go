package claude

import (
	"fmt"
	"os"
	"path/filepath"

	"dormouse/host/internal/look"
	"dormouse/startup"
)

// read adds what the client adds when the agent reads a file, once a session
// for each path as it is spelled. Measured on 2.1.332: a file need not exist,
// nothing loads for one outside the start folder, and a file that was read
// itself counts as given.
func (c *client) read(path string) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.cwd, path)
	}
	if len(path) > maxPath {
		c.problem(path[:80]+"…", 0, fmt.Sprintf("no path is as long: %d bytes", len(path)))
		return
	}
	path = filepath.Clean(path)
	c.age(path)
	c.seen[path] = true
	if !look.Inside(c.cwd, path) {
		path = filepath.Join(c.disk.folder(filepath.Dir(path)).real, filepath.Base(path))
		c.seen[path] = true
	}
	if c.instructionsOff() != nil || !look.Inside(c.cwd, path) || path == c.cwd {
		return
	}
	p := c.readPass()
	c.matchRules(p, filepath.Join(c.managed(), dotFolder, rulesName), startup.Managed, path)
	if c.source(startup.User) && c.config != "" {
		c.matchRules(p, filepath.Join(c.config, rulesName), startup.User, path)
	}
	for _, dir := range between(c.cwd, filepath.Dir(path)) {
		c.nested(dir, path)
	}
	if c.source(startup.Project) {
		for _, dir := range ancestors(c.cwd) {
			if !c.inMainCheckout(dir) {
				c.matchRules(p, filepath.Join(dir, dotFolder, rulesName), startup.Project, path)
			}
		}
	}
}

func (c *client) readPass() *pass {
	p := c.newPass()
	p.read = true
	return p
}

// between lists the folders below top down to dir.
func between(top, dir string) []string {
	if !look.Inside(top, dir) {
		return nil
	}
	all := ancestors(dir)
	return all[len(ancestors(top)):]
}

// nested loads a folder below the start folder.
func (c *client) nested(dir, read string) {
	p := c.readPass()
	h := how{scope: startup.Project, reason: startup.ByNested, why: "below the start folder: loads with the first read in " + dir}
	if c.source(startup.Project) {
		c.after(p.collect(filepath.Join(dir, instructionsName), h))
		c.after(p.collect(filepath.Join(dir, dotFolder, instructionsName), h))
	}
	if c.source(startup.Local) {
		l := h
		l.scope = startup.Local
		c.after(p.collect(filepath.Join(dir, localName), l))
	}
	if !c.source(startup.Project) {
		return
	}
	c.nestedFallback(p, dir, h)
	h.ruleLike = true
	rules := filepath.Join(dir, dotFolder, rulesName)
	var matched []doc
	for _, d := range p.collectRules(rules, h) {
		if d.rule.always() {
			c.after([]doc{d})
		} else if d.rule.matches(dir, read) {
			matched = append(matched, d)
		}
	}
	for _, d := range matched {
		c.afterMatch(d, read)
	}
}

// nestedFallback adds what the AGENTS.md of a nested folder imports. The client
// leaves out the file itself but not its imports, where neither the project nor
// the folder has a CLAUDE.md of its own. Measured on 2.1.332.
func (c *client) nestedFallback(p *pass, dir string, h how) {
	for _, name := range []string{instructionsName, filepath.Join(dotFolder, instructionsName), localName} {
		if c.own || p.given(filepath.Join(dir, name)) {
			return
		}
	}
	for _, path := range []string{filepath.Join(dir, fallbackName), filepath.Join(dir, dotFolder, fallbackName)} {
		for _, d := range p.collect(path, h) {
			if d.file.Path != path {
				c.after([]doc{d})
				continue
			}
			c.left(startup.Left{
				Path: path, Scope: startup.Project, Reason: startup.NotShadowed,
				Why: "a read does not load the " + fallbackName + " of a folder below, only what it imports",
			})
		}
	}
}

// matchRules loads the conditional rules of a folder whose paths match a read.
func (c *client) matchRules(p *pass, rules string, scope startup.Scope, read string) {
	base := c.cwd
	if scope == startup.Project {
		base = filepath.Dir(filepath.Dir(rules))
	}
	h := how{scope: scope, reason: startup.ByRuleMatch, ruleLike: true}
	kept := len(c.rep.Left) // what stays out was said at the start
	for _, d := range p.collectRules(rules, h) {
		if !d.rule.always() && d.rule.matches(base, read) {
			c.afterMatch(d, read)
		}
	}
	c.rep.Left = c.rep.Left[:kept]
}

func (c *client) afterMatch(d doc, read string) {
	d.file.Reason = startup.ByRuleMatch
	d.file.Why = fmt.Sprintf("its paths (%s) match %s", d.rule.patterns(), read)
	c.after([]doc{d})
}

// after puts files into the report as added by a read.
func (c *client) after(docs []doc) {
	for _, d := range docs {
		if c.seen[d.file.Path] {
			continue
		}
		c.dropWaiting(d.file.Path)
		d.file.Text = d.full
		f := c.give(d.file)
		f.Text = breakTags(f.Text) // as the client does for what a read adds, not for what loads at start
		c.rep.After = append(c.rep.After, f)
	}
}

// dropWaiting takes a rule that has loaded off the list of what waits.
func (c *client) dropWaiting(path string) {
	for i, l := range c.rep.Left {
		if l.Path == path && l.Reason == startup.NotRuleWaiting {
			c.rep.Left = append(c.rep.Left[:i], c.rep.Left[i+1:]...)
			return
		}
	}
}

// age records how old a memory file is that is read: by its file time, which a
// copy or a clone makes new. The client states it from two whole days on.
func (c *client) age(path string) {
	dir := c.rep.Mem.Dir
	if !c.rep.Mem.On || dir == "" || !look.Inside(dir, path) || path == dir {
		return
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return
	}
	days := daysOld(c.s.Now, info.ModTime())
	c.rep.Ages = append(c.rep.Ages, startup.Age{Path: path, Days: days, Warn: days >= ageWarnDays})
}
