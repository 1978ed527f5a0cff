package claude

import (
	"os"
	"path/filepath"
	"strings"

	"dormouse/startup"
)

// elsewhere finds what people lose notes to: other folders of this machine
// that share the store's lossy name, and stores of this very project under
// another spelling that no session reads.
func (c *client) elsewhere() {
	if _, fixed := c.fixedName(); !fixed {
		c.rep.Mem.Shared = sameName(c.root(), FolderName(c.root()))
	}
	c.unreadStores()
}

// unreadStores looks for stores below the names this project could also have
// gone by: the start folder, the way it was spelled, the worktree, and (when
// another folder is set) the default one.
func (c *client) unreadStores() {
	m := &c.rep.Mem
	candidates := []struct{ path, why string }{
		{c.root(), "the default folder of this project; notes now go to " + m.Dir},
		{filepath.Clean(c.s.Cwd), "named after the start folder as spelled, through a link; the client resolves links first"},
		{c.cwd, "named after the start folder; the client uses the repository"},
	}
	if c.repo != nil {
		candidates = append(candidates, struct{ path, why string }{c.repo.Top, "named after the worktree; the client uses the main checkout"})
	}
	listed := map[string]bool{m.Dir: true}
	for _, cand := range candidates {
		dir := filepath.Join(c.memoryBase(), projectsName, FolderName(cand.path), memoryName)
		if listed[dir] || !c.hasNotes(dir) {
			continue
		}
		listed[dir] = true
		m.Others = append(m.Others, startup.Store{Dir: dir, Notes: countNotes(dir), Why: cand.why})
	}
	for _, place := range inTreePlaces {
		dir := filepath.Join(c.root(), filepath.FromSlash(place))
		if listed[dir] || !c.disk.exists(filepath.Join(dir, indexName)) {
			continue
		}
		m.Others = append(m.Others, startup.Store{Dir: dir, Notes: countNotes(dir), Why: "a memory folder inside the project tree; the client does not read it"})
	}
}

// inTreePlaces are where people, other tools and agents that guess put a memory
// folder into the project.
var inTreePlaces = []string{memoryName, dotFolder + "/" + memoryName, ".memory", "docs/" + memoryName}

func (c *client) hasNotes(dir string) bool {
	return countNotes(dir) > 0 || c.disk.exists(filepath.Join(dir, indexName))
}

// sameName searches the disk for other folders whose path gives the same
// folder name. It only descends into folders whose own name still fits, so it
// reads a handful of folders.
func sameName(root, name string) []string {
	if len(name) > folderNameMax {
		return nil // hashed: nothing can be told from a part of it
	}
	top := filepath.VolumeName(root) + string(filepath.Separator)
	s := search{root: root}
	s.down(top, name[min(len(name), len(FolderName(top))):], 0)
	return s.found
}

// search looks for paths that give a certain folder name.
type search struct {
	root  string
	found []string
}

const (
	maxSearchDepth = 64
	maxShared      = 8
)

// down looks in dir for what gives the rest of the name.
func (s *search) down(dir, rest string, depth int) {
	if depth > maxSearchDepth || len(s.found) >= maxShared {
		return
	}
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	entries, _ := f.ReadDir(-1)
	f.Close() // only read
	for _, e := range entries {
		n := len(e.Name())
		if !e.IsDir() || len(rest) == 0 || n > 4*len(rest) {
			continue
		}
		part := FolderName(e.Name())
		if !strings.HasPrefix(rest, part) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch left := rest[len(part):]; {
		case left == "" && path != s.root && isProject(path):
			s.found = append(s.found, path)
		case left != "" && left[0] == '-':
			s.down(path, left[1:], depth+1)
		}
	}
}
