package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/note"
	"dormouse/startup"
)

// memory describes the project's private memory and lists what of it loads: its
// index or, where there is none, files of the names that instructions have. It
// loads in every folder, trusted or not, and has no switch. Measured.
func (c *client) memory() []item {
	m := &c.rep.Mem
	m.On, m.Switch = true, startup.Decision{Value: "on", By: "default"}
	m.Dir, m.Where = c.memoryFolder()
	if s, ok := c.settings.get(keyExperimental, keyAutoMemory); ok {
		c.rep.Notice(s.file, s.Line, fmt.Sprintf("%s.%s is %v: it drafts notes for review and decides nothing about what loads", keyExperimental, keyAutoMemory, s.Value))
	}
	entries, err := os.ReadDir(m.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		c.rep.Problem(m.Dir, 0, "the memory folder cannot be used: it is no folder that can be read")
		return nil
	}
	m.Exists = true
	var notes []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && strings.HasSuffix(name, ".md") && name != indexName {
			notes = append(notes, name)
		}
	}
	m.Notes = len(notes)
	index := filepath.Join(m.Dir, indexName)
	if !c.there(index) {
		return c.inFolder(m.Dir, startup.Memory, startup.ByFallback, "there is no "+indexName+" in the memory folder")
	}
	c.compare(m.Dir, index, notes)
	return []item{{index, startup.Memory, startup.ByIndex, "the index of the project's private memory"}}
}

// compare lists the notes that the index does not mention, and the lines of the
// index that name a note that is not there.
func (c *client) compare(dir, index string, notes []string) {
	b, _, err := safefile.Read(index, look.MaxFile)
	if err != nil {
		return // told when it is loaded
	}
	text := look.Text(b)
	for _, n := range notes {
		if !strings.Contains(text, n) && !strings.Contains(text, "[["+strings.TrimSuffix(n, ".md")) {
			c.rep.Leave(startup.Left{
				Path: filepath.Join(dir, n), Scope: startup.Memory, Reason: startup.NotIndexed,
				Why: "no line of " + indexName + " names it, so the agent does not know of it",
			})
		}
	}
	for _, e := range note.ParseIndex(text) {
		for _, f := range e.Files {
			path := filepath.Join(dir, filepath.FromSlash(f))
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				c.rep.Leave(startup.Left{
					Path: path, Scope: startup.Memory, Reason: startup.NotDangling, From: index, Line: e.Line, Text: e.Text,
					Why: "names a note that is not there",
				})
			}
		}
	}
}

func (c *client) memoryFolder() (string, startup.Decision) {
	if c.s.Store != "" {
		return c.s.Store, startup.Decision{Value: c.s.Store, By: "--store"}
	}
	name, from := c.projectName()
	return filepath.Join(c.dot, tmpName, name, memoryName), from
}

// projectName is the name below tmp/ that belongs to the start folder; a
// subfolder is a project of its own. The registry says it, unless a marker says
// that the name is another folder's; then the folder whose marker names this
// one; then a new name. Measured.
func (c *client) projectName() (string, startup.Decision) {
	taken := map[string]bool{}
	for _, l := range c.registry() {
		for _, folder := range l.file.Names(keyProjects) {
			k, _, _ := l.file.Get(keyProjects, folder)
			name := fmt.Sprint(k.Value)
			if folder != c.rep.Cwd { // letter by letter, as the client compares
				taken[name] = true
			} else if mine, _ := c.owned(name); mine {
				return name, startup.Decision{Value: name, By: folder, File: l.path, Line: k.Line}
			}
		}
	}
	for _, base := range []string{tmpName, historyName} {
		entries, err := os.ReadDir(filepath.Join(c.dot, base))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if owner, ok := c.owner(base, e.Name()); ok && owner == c.rep.Cwd {
				return e.Name(), startup.Decision{Value: e.Name(), By: "the folder's own mark", File: filepath.Join(c.dot, base, e.Name(), ownerName), Line: 1}
			}
		}
	}
	slug := slugify(filepath.Base(c.rep.Cwd))
	for n := 0; ; n++ {
		name := slug
		if n > 0 {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		if _, foreign := c.owned(name); !taken[name] && !foreign {
			return name, startup.Decision{Value: name, By: "the name that the client would give this folder"}
		}
	}
}

// registry reads projects.json. One name in it that is not made of lower-case
// letters, digits and dashes makes the client forget all of it. Source.
func (c *client) registry() settings {
	path := filepath.Join(c.dot, registryName)
	before := len(c.rep.Problems)
	list := c.readJSON(path)
	if len(c.rep.Problems) > before { // the client goes on without it
		c.rep.Problems[before].What = strings.Replace(c.rep.Problems[before].What, "does not start with", "forgets", 1)
	}
	for _, l := range list {
		for _, folder := range l.file.Names(keyProjects) {
			k, _, _ := l.file.Get(keyProjects, folder)
			if name, ok := k.Value.(string); !ok || name == "" || strings.Trim(strings.ToLower(name), nameRunes) != "" || name != strings.ToLower(name) {
				c.rep.Problem(path, k.Line, "Gemini CLI forgets this file: a project's name is made of a-z, 0-9 and dashes")
				return nil
			}
		}
	}
	return list
}

// owned tells whether a name may be this folder's, and whether it is another's.
func (c *client) owned(name string) (mine, foreign bool) {
	for _, base := range []string{tmpName, historyName} {
		if owner, ok := c.owner(base, name); ok && owner != c.rep.Cwd {
			return false, true
		}
	}
	return true, false
}

// owner reads the folder that a name below tmp/ or history/ is marked with. A
// mark that cannot be read is somebody else's.
func (c *client) owner(base, name string) (string, bool) {
	b, _, err := safefile.Read(filepath.Join(c.dot, base, name, ownerName), maxSettings)
	if err != nil {
		return "", !errors.Is(err, fs.ErrNotExist)
	}
	return filepath.Clean(trim(string(b))), true
}

// slugify makes a name of a folder's own name. Source.
func slugify(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "project"
}

func sorted(items []item) []item {
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.path, b.path) })
	return items
}
