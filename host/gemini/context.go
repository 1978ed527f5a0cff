package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// item is a file that was found and would load.
type item struct {
	path   string
	scope  startup.Scope
	reason startup.Reason
	why    string
}

// start fills the report with what loads when the session begins. The user's
// file and the private memory stand in the system prompt, the others in the
// first message. A file that two ways lead to loads once: as the user's, an
// extension's, the project's, the memory's, in this order. Measured.
func (c *client) start() {
	user := c.fresh(c.inFolder(c.dot, startup.User, startup.ByUser, "the user's own file, for every project"))
	extensions := c.fresh(c.extensions())
	project := c.fresh(c.project())
	memory := c.fresh(c.memory())
	for _, it := range slices.Concat(user, memory, extensions, project) {
		c.rep.Loaded = append(c.rep.Loaded, c.measured(it, c.format())...)
	}
}

// measured loads a file and what it imports, with sizes.
func (c *client) measured(it item, format string) []startup.File {
	files := c.load(it, format)
	for i := range files {
		files[i].RealPath = look.Real(files[i].Path)
		files[i].Measure()
	}
	return files
}

func (c *client) format() string {
	if s, ok := c.settings.get(keyContext, keyFormat); ok {
		if v, ok := s.Value.(string); ok {
			return c.expand(v)
		}
	}
	return "tree"
}

// inFolder lists the context files of one folder, in the order of the names.
func (c *client) inFolder(dir string, scope startup.Scope, reason startup.Reason, why string) []item {
	var out []item
	for _, name := range c.names {
		path := filepath.Join(dir, name)
		if c.there(path) {
			out = append(out, item{path, scope, reason, why})
		}
	}
	return out
}

// there tells whether something stands at path; a link to nothing is remarked on.
func (c *client) there(path string) bool {
	_, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err == nil || !errors.Is(err, fs.ErrPermission)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		c.rep.Problem(path, 0, "a link to nothing; Gemini CLI reads past it without a word")
	}
	return false
}

// fresh drops the files that the model has been given already.
func (c *client) fresh(items []item) []item { return c.distinct(items, &c.seen) }

// distinct drops the files that are among those seen, by whatever path.
func (c *client) distinct(items []item, among *[]seen) []item {
	var out []item
	for _, it := range items {
		info, err := os.Stat(it.path)
		i := slices.IndexFunc(*among, func(s seen) bool { return s.path == it.path || err == nil && os.SameFile(s.info, info) })
		if i < 0 {
			*among = append(*among, seen{it.path, info})
			out = append(out, it)
		} else if first := (*among)[i].path; first != it.path {
			c.rep.Leave(startup.Left{Path: it.path, Scope: it.scope, Reason: startup.NotDuplicate, Why: "the same file loads already as " + first})
		}
	}
	return out
}

// project lists the files on the way down to each workspace folder. The client
// sorts their paths as text, so that a file of a subfolder whose name sorts
// before GEMINI.md comes before the file of the folder above it. Of several
// paths to one file the topmost counts. Measured.
func (c *client) project() []item {
	var out []item
	for _, root := range c.roots {
		out = append(out, c.upward(root, root, startup.ByWalkUp)...)
	}
	if c.trusted.Value == "true" {
		return sorted(c.distinct(out, new([]seen)))
	}
	for _, it := range out {
		c.rep.Leave(startup.Left{Path: it.path, Scope: it.scope, Reason: startup.NotOff, From: c.trusted.File, Line: c.trusted.Line, Why: c.whyNotTrusted()})
	}
	return nil
}

func (c *client) whyNotTrusted() string {
	if c.trusted.By == byNobody {
		return "the folder is not trusted yet: Gemini CLI asks at its first start here, and without a terminal it does not start"
	}
	return fmt.Sprintf("the folder is not trusted, by %s", c.trusted.By)
}

// upward lists the files from the top that belongs to root down to dir.
func (c *client) upward(root, dir string, reason startup.Reason) []item {
	top := root
	if marked := look.Marked(root, c.markers); marked != "" {
		top = marked
	}
	var out []item
	for _, folder := range look.Upward(top, dir) {
		if folder == c.dot { // the user's own; the way ends there
			out = nil
			continue
		}
		why := "in a folder above the start folder"
		switch {
		case reason == startup.ByNested:
			why = "above a file that is read"
		case root != c.rep.Cwd:
			reason, why = startup.ByAddDir, "of the included folder "+root
		case folder == c.rep.Cwd:
			why = "in the start folder"
		}
		out = append(out, c.inFolder(folder, startup.Project, reason, why)...)
	}
	return out
}

// load reads one file and what it imports.
func (c *client) load(it item, format string) []startup.File {
	left := startup.Left{Path: it.path, Scope: it.scope}
	b, info, err := safefile.Read(it.path, look.MaxFile)
	switch {
	case info != nil && info.IsDir():
		left.Reason, left.Why = startup.NotAFile, "a folder, not a file"
		c.rep.Leave(left)
		return nil
	case err != nil:
		c.rep.Unread(left, info, err)
		if errors.Is(err, safefile.ErrNotRegular) {
			c.rep.Notice(it.path, 0, "Gemini CLI waits for it at start, perhaps for ever")
		}
		return nil
	}
	f := startup.File{Path: it.path, Scope: it.scope, Reason: it.reason, Why: it.why, Bytes: int64(len(b)), Modified: info.ModTime()}
	im := importer{client: c, root: c.importRoot(filepath.Dir(it.path)), first: it.path}
	files := im.run(f, look.Text(b), format)
	files[0].Text = trim(files[0].Text)
	return slices.DeleteFunc(files, func(f startup.File) bool {
		if trim(f.Text) == "" {
			c.rep.Leave(startup.Left{Path: f.Path, Scope: f.Scope, Reason: startup.NotEmpty, From: f.ImportedBy, Line: f.ImportLine, Why: "nothing in it"})
			return true
		}
		return false
	})
}

// trim removes what JavaScript's trim removes from both ends.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return r >= '\t' && r <= '\r' || r == ' ' || r == 0xA0 || r == 0xFEFF || r == 0x2028 || r == 0x2029 || r > 0x7F && unicode.Is(unicode.Zs, r)
	})
}

// read adds what a read of a file or folder by the agent adds: the context
// files on the way down to it that the model has not been given. Measured.
func (c *client) read(path string) {
	path = filepath.Clean(path)
	if real := look.Real(path); real != "" {
		path = real
	}
	root := ""
	for _, r := range c.roots {
		if look.Inside(r, path) && len(r) > len(root) {
			root = r
		}
	}
	info, err := os.Stat(path)
	switch {
	case root == "" || blocked(strings.TrimPrefix(path, root)):
		c.rep.Notice(path, 0, "Gemini CLI refuses to read it: it lies outside the workspace, or in node_modules, .git or .env")
		return
	case err != nil:
		c.rep.Notice(path, 0, "there is nothing to read, so nothing is added")
		return
	case c.trusted.Value != "true":
		return
	}
	dir := path
	if !info.IsDir() {
		dir = filepath.Dir(path)
	}
	for _, it := range c.fresh(c.upward(root, dir, startup.ByNested)) {
		c.rep.After = append(c.rep.After, c.measured(it, "tree")...)
	}
}

func blocked(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		switch strings.ToLower(strings.TrimRight(part, " .")) {
		case ".git", ".env", "node_modules":
			return true
		}
	}
	return false
}
