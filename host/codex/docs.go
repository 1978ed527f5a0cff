package codex

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// userDoc loads the user's own file: the override if there is anything in it,
// else AGENTS.md. Its size is not limited; white space around it goes. Measured.
func (c *client) userDoc() {
	taken := ""
	for _, name := range []string{overrideName, docName} {
		path := filepath.Join(c.home, name)
		left := startup.Left{Path: path, Scope: startup.User}
		b, info, err := safefile.Read(path, look.MaxFile)
		text := strings.TrimSpace(look.Text(b))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			c.deadLink(path)
		case taken != "":
			left.Reason, left.Why = startup.NotShadowed, taken+" takes its place"
			c.rep.Leave(left)
		case err != nil:
			c.unread(left, info, err)
		case text == "":
			left.Reason, left.Why = startup.NotEmpty, "nothing in it"
			c.rep.Leave(left)
		default:
			taken = name
			c.load(startup.File{
				Path: path, Scope: startup.User, Text: text, Reason: startup.ByUser,
				Why: "the user's own file, for every project", Bytes: info.Size(), Modified: info.ModTime(),
			})
		}
	}
}

func (c *client) load(f startup.File) {
	f.RealPath = look.Real(f.Path)
	f.Measure()
	c.rep.Loaded = append(c.rep.Loaded, f)
}

// unread records what stands in a file's place but is not read. A folder there
// is nothing that anybody has to mend.
func (c *client) unread(l startup.Left, info fs.FileInfo, err error) {
	if info != nil && info.IsDir() {
		l.Reason, l.Why = startup.NotAFile, "a folder, not a file; Codex passes over it"
		c.rep.Leave(l)
		return
	}
	c.rep.Unread(l, info, err)
}

// deadLink tells of a link that leads nowhere; the client takes it for absent.
func (c *client) deadLink(path string) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		c.rep.Problem(path, 0, "a link to nothing; Codex reads past it without a word")
	}
}

// docs is one look for the project's files.
type docs struct {
	*client
	names  []string
	budget int64 // bytes for all files together …
	rest   int64 // … and what is left of them
	set    setting
	broken string // the path that made the client give up
	loaded []startup.File
	left   []startup.Left
}

// projectDocs loads at most one file of each folder from the project's root
// down to the start folder, until the budget is used up.
func (c *client) projectDocs() {
	d := &docs{client: c, names: c.names()}
	d.budget, d.set = c.maxBytes()
	d.rest = d.budget
	off := d.off()
	for _, dir := range look.Upward(c.root(c.config.withoutProject()), c.rep.Cwd) {
		path := d.find(dir, off)
		switch {
		case path == "":
		case off != nil:
			d.leave(path, startup.NotOff, off.File, off.Line, fmt.Sprintf("the project's files are off: %s is %s", off.By, off.Value))
		default:
			d.take(path)
		}
	}
	d.finish()
}

// off tells what keeps all of the project's files out, or nil. A project is
// untrusted when the settings call it so; one that nobody has decided about
// loads. Measured.
func (d *docs) off() *startup.Decision {
	by, level := d.trust(d.config, d.rep.Cwd, d.main)
	if level != untrusted {
		if d.budget > 0 {
			return nil
		}
		by = d.set
	}
	dec := by.decision()
	return &dec
}

func (d *docs) leave(path string, reason startup.Reason, from string, line int, why string) {
	d.left = append(d.left, startup.Left{Path: path, Scope: scopeOf(path), Reason: reason, From: from, Line: line, Why: why})
}

// scopeOf takes the override for the user's own: it is made to be kept out of
// the repository.
func scopeOf(path string) startup.Scope {
	if filepath.Base(path) == overrideName {
		return startup.Local
	}
	return startup.Project
}

// find returns the folder's file that loads: the first name that is a file,
// even a blank one. The others are listed as passed over.
func (d *docs) find(dir string, off *startup.Decision) string {
	taken := ""
	for _, name := range d.names {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		switch {
		case taken != "": // the client looks no further
			if err == nil && info.Mode().IsRegular() {
				d.leave(path, startup.NotShadowed, "", 0, filepath.Base(taken)+" takes its place: Codex reads one file of a folder")
			}
		case errors.Is(err, fs.ErrNotExist):
			d.deadLink(path)
		case err != nil:
			if off == nil {
				d.giveUp(path, err)
			}
		case !info.Mode().IsRegular():
			d.unread(startup.Left{Path: path, Scope: scopeOf(path)}, info, safefile.ErrNotRegular)
		default:
			taken = path
		}
	}
	if lower := filepath.Join(dir, strings.ToLower(docName)); taken == "" {
		if info, err := os.Stat(lower); err == nil && info.Mode().IsRegular() {
			d.leave(lower, startup.NotWrongCase, "", 0, "only the spelling "+docName+" is read")
		}
	}
	return taken
}

// giveUp remembers the first path that the system refuses. The client then
// loads no file of the project at all, and says nothing. Measured.
func (d *docs) giveUp(path string, err error) {
	if d.broken == "" {
		d.broken = path
		d.rep.Unread(startup.Left{Path: path, Scope: scopeOf(path)}, nil, err)
	}
}

// take reads one file as far as the budget goes.
func (d *docs) take(path string) {
	if d.rest == 0 {
		d.leave(path, startup.NotBudget, d.set.file, d.set.Line, fmt.Sprintf("the files above it use up the budget of %d bytes for all project files (%s)", d.budget, keyMaxBytes))
		return
	}
	b, info, err := safefile.Read(path, look.MaxFile)
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		d.rep.Unread(startup.Left{Path: path, Scope: scopeOf(path)}, info, err)
		return
	case err != nil:
		d.giveUp(path, err)
		return
	}
	kept := b[:min(int64(len(b)), d.rest)]
	text := look.Text(kept)
	if strings.TrimSpace(text) == "" {
		d.blank(path, len(kept) < len(b))
		return
	}
	f := startup.File{
		Path: path, Scope: scopeOf(path), Text: text, Reason: startup.ByWalkUp, Why: d.where(path),
		Bytes: int64(len(b)), Modified: info.ModTime(),
	}
	if len(kept) < len(b) {
		f.Cut = cutAfter(b, len(kept))
		d.leave(path, startup.NotBudget, path, max(f.Cut.FirstCutLine, f.Cut.WithinLine),
			fmt.Sprintf("cut: %d of its %d bytes fit into the budget of %d for all project files (%s)", len(kept), len(b), d.budget, keyMaxBytes))
	}
	d.rest -= int64(len(kept))
	d.loaded = append(d.loaded, f)
}

func (d *docs) where(path string) string {
	switch name := filepath.Base(path); {
	case name != overrideName && name != docName:
		return fmt.Sprintf("a fallback name: there is no %s in %s", docName, filepath.Dir(path))
	case filepath.Dir(path) == d.rep.Cwd:
		return "in the start folder"
	}
	return "in a folder above the start folder"
}

// blank leaves out a file without text. It costs nothing of the budget.
func (d *docs) blank(path string, cut bool) {
	why := "nothing in it"
	if cut {
		why = "nothing but white space in the part that the budget leaves"
	}
	if filepath.Base(path) == overrideName {
		why += ", and it still takes the place of " + docName
	}
	d.leave(path, startup.NotEmpty, "", 0, why)
}

// cutAfter describes a cut behind the first n bytes of b. A half character
// there reaches the model as U+FFFD. Measured.
func cutAfter(b []byte, n int) *startup.Cut {
	whole, head := strings.TrimSuffix(string(b), "\n"), string(b[:n])
	cut, line := &startup.Cut{By: "size", TotalLines: startup.Lines(whole)}, startup.Lines(head)
	if strings.HasSuffix(head, "\n") {
		cut.FirstCutLine, cut.CutLines = line, cut.TotalLines-line+1
	} else {
		cut.WithinLine, cut.CutLines = line, cut.TotalLines-line
	}
	return cut
}

// finish puts the files into the report, or none of them when one was refused.
func (d *docs) finish() {
	const why = "Codex loads no file of a project when it cannot read one of them"
	for _, f := range d.loaded {
		if d.broken == "" {
			d.load(f)
		} else {
			d.rep.Leave(startup.Left{Path: f.Path, Scope: f.Scope, Reason: startup.NotUnreadable, From: d.broken, Why: why})
		}
	}
	for _, l := range d.left {
		if d.broken != "" && l.Reason == startup.NotBudget {
			if l.From == l.Path {
				continue // cut: it is among the loaded
			}
			l.Reason, l.From, l.Line, l.Why = startup.NotUnreadable, d.broken, 0, why
		}
		d.rep.Leave(l)
	}
}
