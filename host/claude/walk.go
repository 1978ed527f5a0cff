package claude

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/frontmatter"
	"dormouse/host/internal/look"
	"dormouse/startup"
)

// start fills the report with what loads when the session begins, in the
// client's order (measured on 2.1.332): managed, user, then from the topmost
// folder down to the start folder, then added folders, then AGENTS.md where it
// takes the place of CLAUDE.md, then the memory index.
func (c *client) start() {
	if off := c.instructionsOff(); off != nil {
		c.left(startup.Left{
			Path: c.cwd, Reason: startup.NotOff, From: off.File, Line: off.Line,
			Why: fmt.Sprintf("no instruction file loads: %s is %s", off.By, off.Value),
		})
		c.memory(c.newPass())
		return
	}
	p := c.newPass()
	c.loadManaged(p)
	c.loadUser(p)
	folders := ancestors(c.cwd)
	own := false
	for _, dir := range folders {
		c.owner = dir
		own = c.loadFolder(p, dir) || own
	}
	c.loadAdded(p)
	c.own = own
	c.fallback(p, folders, own)
	c.memory(p)
}

// ancestors lists the folders from the topmost down to dir.
func ancestors(dir string) []string {
	out := []string{dir}
	for d := filepath.Dir(dir); d != dir; dir, d = d, filepath.Dir(d) {
		out = append(out, d)
	}
	slices.Reverse(out)
	return out
}

// add puts files into the report as loaded at start.
func (c *client) add(docs []doc) {
	for _, d := range docs {
		c.rep.Loaded = append(c.rep.Loaded, c.give(d.file))
		c.owners = append(c.owners, c.owner)
	}
}

// addBefore puts files that take the place of a folder's own before the first
// file of a folder below it. Measured on 2.1.332; without one they go to the
// end, behind added folders too.
func (c *client) addBefore(dir string, docs []doc) {
	at := slices.IndexFunc(c.owners, func(owner string) bool { return owner != "" && owner != dir && look.Inside(dir, owner) })
	if at < 0 {
		at = len(c.owners)
	}
	for i, d := range docs {
		c.rep.Loaded = slices.Insert(c.rep.Loaded, at+i, c.give(d.file))
		c.owners = slices.Insert(c.owners, at+i, dir)
	}
}

// give measures a file and remembers that the model has it.
func (c *client) give(f startup.File) startup.File {
	f.Measure()
	c.seen[f.Path] = true
	return f
}

func (c *client) loadManaged(p *pass) {
	dir := c.managed()
	h := how{scope: startup.Managed, reason: startup.ByManaged, why: "the organisation's policy file"}
	c.add(p.collect(filepath.Join(dir, instructionsName), h))
	if l, raw, ok := c.managedText(); ok {
		c.add([]doc{{file: startup.File{
			Path: managedTextLabel, Scope: startup.Managed, Text: raw, Reason: startup.ByManaged,
			Why: fmt.Sprintf("%q in %s", keyManagedText, l.path), Bytes: int64(len(raw)),
		}}})
	}
	c.addRules(p, filepath.Join(dir, dotFolder, rulesName), startup.Managed, "a rule of the organisation")
}

func (c *client) managedText() (layer, string, bool) {
	for _, l := range slices.Backward(c.settings.layers) {
		if raw, ok := l.keys[keyManagedText]; ok && l.scope == startup.Managed {
			var text string
			if json.Unmarshal(raw, &text) == nil && frontmatter.TrimSpace(text) != "" {
				return l, frontmatter.TrimSpace(text), true
			}
		}
	}
	return layer{}, "", false
}

func (c *client) loadUser(p *pass) {
	if c.config == "" {
		return
	}
	path := filepath.Join(c.config, instructionsName)
	if !c.source(startup.User) {
		c.offBySources(path, startup.User)
		return
	}
	c.add(p.collect(path, how{scope: startup.User, reason: startup.ByUser, why: "the user's own file, for every project"}))
	if c.s.Thorough {
		for _, name := range c.misspelt(c.config, instructionsName) {
			c.leftForCase(filepath.Join(c.config, name), startup.User)
		}
	}
	c.addRules(p, filepath.Join(c.config, rulesName), startup.User, "a rule of the user, for every project")
}

// loadFolder loads one folder of the way from the top down to the start folder.
// It tells whether an instruction file of its own, rules apart, has a text.
func (c *client) loadFolder(p *pass, dir string) bool {
	h := how{scope: startup.Project, reason: startup.ByWalkUp, why: c.whereFrom(dir)}
	path, dotPath := filepath.Join(dir, instructionsName), filepath.Join(dir, dotFolder, instructionsName)
	own := false
	switch {
	case !c.source(startup.Project):
		c.offBySources(path, startup.Project)
		c.offBySources(dotPath, startup.Project)
	case c.inMainCheckout(dir):
		c.leftToWorktree(path)
		c.leftToWorktree(dotPath)
	default:
		c.wrongCase(dir)
		c.add(p.collect(path, h))
		c.add(p.collect(dotPath, h))
		// What the user's own folder holds is no file of a project, also where the
		// project lies below the home folder: AGENTS.md loads beside it (measured).
		own = p.given(path) || dotPath != filepath.Join(c.config, instructionsName) && p.given(dotPath)
		c.addRules(p, filepath.Join(dir, dotFolder, rulesName), startup.Project, "a rule of "+dir)
	}
	return c.loadLocal(p, dir, h) || own
}

func (c *client) loadLocal(p *pass, dir string, h how) bool {
	h.scope = startup.Local
	local := filepath.Join(dir, localName)
	if !c.source(startup.Local) {
		c.offBySources(local, startup.Local)
		return false
	}
	c.add(p.collect(local, h))
	return p.given(local)
}

func (c *client) whereFrom(dir string) string {
	if dir == c.cwd {
		return "in the start folder"
	}
	return "in a folder above the start folder"
}

// inMainCheckout is true for folders of the main checkout when the session
// starts in a worktree that lies inside it: their shared files come from the
// worktree itself.
func (c *client) inMainCheckout(dir string) bool {
	r := c.repo
	return r != nil && r.Linked && look.Inside(r.Main, r.Top) && look.Inside(r.Main, dir) && !look.Inside(r.Top, dir)
}

func (c *client) leftToWorktree(path string) {
	if c.disk.exists(path) {
		c.left(startup.Left{
			Path: path, Scope: startup.Project, Reason: startup.NotShadowed,
			Why: "belongs to the main checkout; the session runs in its worktree " + c.repo.Top,
		})
	}
}

func (c *client) offBySources(path string, scope startup.Scope) {
	if c.disk.exists(path) {
		c.left(startup.Left{
			Path: path, Scope: scope, Reason: startup.NotOff,
			Why: fmt.Sprintf("--setting-sources leaves out %s", scope),
		})
	}
}

// wrongCase reports files of a folder that only another spelling of their name
// keeps out. All spellings are looked for in a thorough look alone, as that reads
// the folder.
func (c *client) wrongCase(dir string) {
	lower := []string{strings.ToLower(instructionsName)}
	if c.s.Thorough {
		lower = c.misspelt(dir, instructionsName, localName)
		if dot := filepath.Join(dir, dotFolder); dot != c.config { // the user's, which is told as such
			for _, name := range c.misspelt(dot, instructionsName) {
				c.leftForCase(filepath.Join(dot, name), startup.Project)
			}
		}
	}
	for _, name := range lower {
		c.leftForCase(filepath.Join(dir, name), startup.Project)
	}
}

// misspelt lists the names in a folder that differ from one that is read in case
// alone.
func (c *client) misspelt(dir string, names ...string) []string {
	entries, _ := os.ReadDir(dir) // one that can't be read has none
	var out []string
	for _, e := range entries {
		for _, name := range names {
			if strings.EqualFold(e.Name(), name) && e.Name() != name {
				out = append(out, e.Name())
			}
		}
	}
	return out
}

func (c *client) leftForCase(path string, scope startup.Scope) {
	_, info, err := c.disk.find(path)
	if err != nil || info.IsDir() {
		return
	}
	right := instructionsName
	if strings.EqualFold(filepath.Base(path), localName) {
		right = localName
	}
	if _, r, err := c.disk.find(filepath.Join(filepath.Dir(path), right)); err == nil && os.SameFile(info, r) {
		return // a file system without case
	}
	c.left(startup.Left{Path: path, Scope: scope, Reason: startup.NotWrongCase, Why: "only the spelling " + right + " is read"})
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// loadAdded loads --add-dir folders, which count only with a variable.
func (c *client) loadAdded(p *pass) {
	if len(c.s.Flags.AddDirs) == 0 {
		return
	}
	_, on := c.switchedOn(envAddDirs)
	for _, dir := range c.s.Flags.AddDirs {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.cwd, dir)
		}
		dir = filepath.Clean(dir)
		info, err := os.Stat(dir)
		switch {
		case err != nil || !info.IsDir():
			c.problem(dir, 0, "--add-dir: there is no such folder")
		case !on:
			c.leftAddedOff(dir)
		default:
			c.loadAddedFolder(p, dir)
		}
	}
}

func (c *client) leftAddedOff(dir string) {
	for _, name := range []string{instructionsName, filepath.Join(dotFolder, instructionsName), localName} {
		if path := filepath.Join(dir, name); c.disk.exists(path) {
			c.left(startup.Left{
				Path: path, Scope: startup.Project, Reason: startup.NotOff,
				Why: "files of --add-dir folders load only with " + envAddDirs + "=1",
			})
		}
	}
}

func (c *client) loadAddedFolder(p *pass, dir string) {
	c.owner = dir
	h := how{scope: startup.Project, reason: startup.ByAddDir, why: "in the added folder " + dir}
	c.add(p.collect(filepath.Join(dir, instructionsName), h))
	c.add(p.collect(filepath.Join(dir, dotFolder, instructionsName), h))
	c.addRules(p, filepath.Join(dir, dotFolder, rulesName), startup.Project, "a rule of the added folder "+dir)
	c.loadLocal(p, dir, h)
}

// fallback loads AGENTS.md where the project has no CLAUDE.md of its own.
func (c *client) fallback(p *pass, folders []string, own bool) {
	h := how{
		scope: startup.Project, reason: startup.ByFallback,
		why: "no " + instructionsName + " or " + localName + " loads for this project, so " + fallbackName + " is read",
	}
	for _, dir := range folders {
		for _, path := range []string{filepath.Join(dir, fallbackName), filepath.Join(dir, dotFolder, fallbackName)} {
			switch {
			case !c.source(startup.Project):
				c.offBySources(path, startup.Project)
			case c.inMainCheckout(dir):
				c.leftToWorktree(path)
			case !own:
				c.addBefore(dir, p.collect(path, h))
			default:
				c.passedOver(p, path)
			}
		}
	}
}

func (c *client) passedOver(p *pass, path string) {
	if !c.disk.exists(path) {
		return
	}
	if real, _, err := c.disk.find(path); err == nil && p.done[real] != "" {
		return // it loads: imported, or CLAUDE.md is a link to it
	}
	c.left(startup.Left{
		Path: path, Scope: startup.Project, Reason: startup.NotShadowed,
		Why: "passed over: " + fallbackName + " is read only when no " + instructionsName + " or " + localName + " loads for the project",
	})
}

// addRules loads the rules of a folder that have no condition, and lists the
// others as waiting.
func (c *client) addRules(p *pass, dir string, scope startup.Scope, why string) {
	for _, d := range p.collectRules(dir, how{scope: scope, reason: startup.ByRule, why: why, ruleLike: true}) {
		c.ruleRemarks(d)
		if d.rule.always() {
			c.add([]doc{d})
			continue
		}
		c.left(d.waiting())
	}
}

// collectRules reads all rule files below a folder, and what they import. The
// client takes them in the file system's order; ours is by name, so that the
// output is stable.
func (p *pass) collectRules(dir string, h how) []doc {
	if !p.c.disk.exists(dir) {
		return nil
	}
	return p.ruleFolder(dir, dir, h, p.c.disk.folder(dir).real != dir, map[string]bool{})
}

// ruleFolder reads one folder of rules; linked tells that a link led to it, and
// named is how it was spelled up to there.
func (p *pass) ruleFolder(dir, named string, h how, linked bool, visited map[string]bool) []doc {
	c := p.c
	real := c.disk.folder(dir).real
	if visited[real] {
		return nil // a link that leads back
	}
	visited[real] = true
	entries, err := os.ReadDir(real)
	if err != nil {
		c.problem(dir, 0, "rules cannot be read: "+reason(err).Error())
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	var out []doc
	for _, e := range entries {
		spelled := filepath.Join(dir, e.Name())
		target, info, err := c.disk.find(spelled)
		if errors.Is(err, errDangling) {
			c.problem(spelled, 0, "a link to nothing; the client reads past it without a word")
			continue
		}
		if err != nil {
			c.problem(spelled, 0, "cannot be read: "+reason(err).Error())
			continue
		}
		switch linked := linked || e.Type()&fs.ModeSymlink != 0; {
		case info.IsDir():
			out = append(out, p.ruleFolder(target, filepath.Join(named, e.Name()), h, linked, visited)...)
		case !strings.HasSuffix(e.Name(), ruleSuffix):
		case linked && p.outside(target, h.scope):
			c.left(startup.Left{
				Path: filepath.Join(named, e.Name()), Scope: h.scope, Reason: startup.NotLinkOutside,
				Why: "leads by a link to " + target + ", outside the start folder, and external files are not approved",
			})
		default:
			out = append(out, p.collect(target, h)...)
		}
	}
	return out
}

// outside tells a file outside the start folder that was never approved. A
// project's rules that a link leads to are left out then; the user's may lie
// anywhere. What a read adds is never taken from outside, approved or not
// (measured on 2.1.332).
func (p *pass) outside(real string, scope startup.Scope) bool {
	return scope != startup.User && !look.Inside(p.c.cwd, real) && (p.read || !p.c.externalApproved())
}

// daysOld is a file's age in whole days, none below zero.
func daysOld(now, mod time.Time) int {
	return max(0, int(now.Sub(mod).Hours()/24))
}
