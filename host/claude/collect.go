package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/frontmatter"
	"dormouse/host/internal/look"
	"dormouse/instructions"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// doc is one instruction file as it was read, before it is decided whether it
// loads now or waits.
type doc struct {
	file startup.File
	rule rulePaths // what its frontmatter says about when it loads
	// full is the text before it is trimmed: what a read adds is not trimmed.
	full string
}

// how says by which way a file was reached.
type how struct {
	scope    startup.Scope
	reason   startup.Reason
	why      string
	from     string // importing file
	line     int    // its line
	depth    int    // import levels below the first file
	ruleLike bool   // frontmatter decides when it loads
}

// pass is one run over files in which each real file counts once.
type pass struct {
	c    *client
	done map[string]string // real path to the path it was first reached by
	full map[string]bool   // real paths with something left to load
	read bool              // a read's pass: approval does not count in it
}

func (c *client) newPass() *pass {
	return &pass{c: c, done: map[string]string{}, full: map[string]bool{}}
}

// given tells whether a file was reached, by whatever way, and has a text.
func (p *pass) given(path string) bool {
	real, _, err := p.c.disk.find(path)
	return err == nil && p.full[real]
}

// collect reads a file and, behind it, all that it imports. A file that is not
// there gives nothing and no remark: the caller knows whether that matters.
func (p *pass) collect(path string, h how) []doc {
	c := p.c
	real, _, err := c.disk.find(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if errors.Is(err, errDangling) {
		c.problem(path, 0, "a link to nothing; the client reads past it without a word")
		return nil
	}
	if err != nil {
		c.unreadable(path, h, fmt.Errorf("%s: %w", path, reason(err)))
		return nil
	}
	if first, ok := p.done[real]; ok {
		if first == path && h.from == "" {
			return nil // the same place twice on the way: ~/.claude below a project in the home folder
		}
		c.left(startup.Left{
			Path: path, Scope: h.scope, Reason: startup.NotDuplicate, From: h.from, Line: h.line,
			Why: "the same file loads already as " + first,
		})
		return nil
	}
	if from, ok := c.excluded(path, h.scope); ok {
		c.left(startup.Left{
			Path: path, Scope: h.scope, Reason: startup.NotExcluded, From: from.File, Line: from.Line, Text: from.Value,
			Why: fmt.Sprintf("excluded by %s %q", keyExcludes, from.Value),
		})
		return nil
	}
	p.done[real] = path
	b, info, err := safefile.Read(real, maxFile)
	if err != nil {
		c.unread(path, h, info, err)
		return nil
	}
	return p.parse(path, real, b, info.ModTime(), h)
}

// parse makes the doc of one file's bytes and collects its imports.
func (p *pass) parse(path, real string, b []byte, mod time.Time, h how) []doc {
	c := p.c
	whole := look.Text(b)
	rule, body, bodyLine := splitRule(whole)
	loads, imports := instructions.Read(body)
	if slices.ContainsFunc(imports, func(im instructions.Import) bool { return im.Verdict == instructions.BreaksFile }) {
		c.unreadable(path, h, errors.New("an import in it has a NUL in its path, and then the client loads nothing of the file"))
		return nil
	}
	text := frontmatter.TrimSpace(loads)
	d := doc{file: startup.File{
		Path: path, Scope: h.scope, Text: text, Reason: h.reason, Why: h.why,
		ImportedBy: h.from, ImportLine: h.line, Bytes: int64(len(b)), Modified: mod,
	}, rule: rule, full: loads}
	if real != path {
		d.file.RealPath = real
	}
	out := []doc{d}
	if text == "" {
		c.left(startup.Left{Path: path, Scope: h.scope, Reason: startup.NotEmpty, From: h.from, Line: h.line, Why: "nothing is left of it to load"})
		out = nil
	} else {
		p.full[real] = true
	}
	for _, im := range imports {
		im.Line += bodyLine - 1
		out = append(out, p.follow(path, real, im, h)...)
	}
	return out
}

// follow resolves one @word of a file and collects what it names.
func (p *pass) follow(path, real string, im instructions.Import, h how) []doc {
	c := p.c
	miss := func(reason startup.Reason, target, why string) []doc {
		c.left(startup.Left{Path: target, Scope: h.scope, Reason: reason, From: path, Line: im.Line, Text: "@" + im.Raw, Why: why})
		return nil
	}
	target := c.target(real, im.Path)
	if im.Verdict != instructions.Imports {
		return miss(startup.NotImportText, target, "not imported: "+im.Verdict.String())
	}
	if h.depth >= importDepth {
		return miss(startup.NotImportDepth, target, fmt.Sprintf("more than %d levels of imports", importDepth))
	}
	treal, info, err := c.disk.find(target)
	if err != nil {
		return p.missing(miss, real, target, im)
	}
	if info.IsDir() {
		return miss(startup.NotAFile, target, "an import of a folder loads nothing")
	}
	if !importable(target) {
		return miss(startup.NotImportKind, target, "files that end so are not imported")
	}
	// Both the path as written and the file it leads to must lie inside.
	if p.outside(target, h.scope) || p.outside(treal, h.scope) {
		why := fmt.Sprintf("outside the start folder %s, and external imports are not approved for %s", c.cwd, c.root())
		if p.read {
			why = fmt.Sprintf("outside the start folder %s; what a read adds is never taken from outside, approved or not", c.cwd)
		}
		return miss(startup.NotImportExternal, target, why)
	}
	return p.collect(target, how{
		scope: h.scope, reason: startup.ByImport, from: path, line: im.Line, depth: h.depth + 1, ruleLike: h.ruleLike,
		why: fmt.Sprintf("imported by line %d of %s", im.Line, path),
	})
}

// missing tells an import that finds nothing from one that only its last
// character keeps from finding its file.
func (p *pass) missing(miss func(startup.Reason, string, string) []doc, real, target string, im instructions.Import) []doc {
	if short := im.Trimmed(); short != im.Path && short != "" {
		near := p.c.target(real, short)
		if _, info, err := p.c.disk.find(near); err == nil && !info.IsDir() {
			none := miss(startup.NotImportPunct, target, fmt.Sprintf(
				"finds no file: the %q behind it is taken as part of the name; %s is there", im.Trailing, near))
			p.c.rep.Left[len(p.c.rep.Left)-1].Near = near
			return none
		}
	}
	return miss(startup.NotImportMissing, target, "finds no file")
}

// target makes an import's path absolute: relative to the real place of the
// file that names it.
func (c *client) target(real, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(c.s.Env.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(real), path)
}

// importable tells whether an import of that name loads, by its ending.
func importable(path string) bool {
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	if ext == "" || ext == base { // Makefile, .env
		return true
	}
	return len(ext) > 1 && strings.Contains(importKinds, " "+strings.ToLower(ext[1:])+" ")
}

// unread records why an existing file was not read.
func (c *client) unread(path string, h how, info fs.FileInfo, err error) {
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		c.left(startup.Left{
			Path: path, Scope: h.scope, Reason: startup.NotTooLarge, From: h.from, Line: h.line,
			Why: fmt.Sprintf("%d bytes; the client skips files over %d", info.Size(), maxFile),
		})
		c.problem(path, 0, fmt.Sprintf("too large to load: %d bytes, the client's limit is %d", info.Size(), maxFile))
	case errors.Is(err, safefile.ErrNotRegular):
		c.left(startup.Left{Path: path, Scope: h.scope, Reason: startup.NotAFile, From: h.from, Line: h.line, Why: "not a file: a " + safefile.Kind(info.Mode())})
		c.problem(path, 0, "not a file: a "+safefile.Kind(info.Mode()))
	default:
		c.unreadable(path, h, err)
	}
}

func (c *client) unreadable(path string, h how, err error) {
	what := strings.TrimPrefix(err.Error(), path+": ")
	c.left(startup.Left{Path: path, Scope: h.scope, Reason: startup.NotUnreadable, From: h.from, Line: h.line, Why: "cannot be read: " + what})
	c.problem(path, 0, "cannot be read: "+what)
}

func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// externalApproved looks up whether the user once approved external imports
// for this project: the client's state file has an entry for the main checkout.
// One for a folder above or below does not count. Measured on 2.1.332.
func (c *client) externalApproved() bool {
	if c.approval == nil {
		ok := c.lookUpApproval()
		c.approval = &ok
	}
	return *c.approval
}

// statePath is the client's state file.
func (c *client) statePath() string {
	if _, ok := c.s.Env.Lookup(envConfigDir); ok {
		return filepath.Join(c.config, stateName)
	}
	return filepath.Join(c.s.Env.Home, stateName)
}

func (c *client) lookUpApproval() bool {
	path := c.statePath()
	b, _, err := safefile.Read(path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var state struct {
		Projects map[string]map[string]json.RawMessage `json:"projects"`
	}
	if err == nil {
		err = json.Unmarshal(b, &state)
	}
	if err != nil {
		c.problem(path, 0, "the client's state file cannot be used: "+err.Error())
		return false
	}
	return truthy(state.Projects[filepath.ToSlash(c.root())][keyApproved])
}

// truthy is JavaScript's idea of a true value.
func truthy(v json.RawMessage) bool {
	switch string(v) {
	case "", "null", "false", "0", `""`:
		return false
	}
	return true
}
