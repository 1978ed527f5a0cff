package doctor

import (
	"fmt"
	"os"
	"path/filepath"
)

// Locked tells why a file is not to be changed, "" where it may be: a link leads
// from it out of the project and out of its own folder, to something that others
// use as well, or its owner took the right to write it away. root is the project's.
func Locked(path, root string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "" // whoever writes it finds out
	}
	home, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return ""
	}
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		top = root
	}
	if !below(top, real) && (filepath.Dir(real) != home || below(top, filepath.Clean(path))) {
		return fmt.Sprintf("it is a link to %s, outside the project", real)
	}
	if info, err := os.Stat(real); err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Sprintf("it has mode %04o, so nobody is to write it", info.Mode().Perm())
	}
	return ""
}

// below tells whether a path is a folder's or lies in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// lock leaves to a person what a plan may not change.
func (c *check) lock(f *Finding) {
	if f.Fix == nil || f.Fix.plan.Kind == None {
		return
	}
	path := ""
	switch p := &f.Fix.plan; p.Kind {
	case File:
		path = p.Path
	case Note:
		path = c.notePath(p.Path)
	default:
		return
	}
	base := c.root
	if f.Fix.plan.Kind == Note {
		base = c.dir
	}
	if why := Locked(path, base); why != "" {
		f.evidence("%s is not changed by --fix: %s", c.show(path), why)
		f.Fix.Safe, f.Fix.Applies, f.Fix.plan = false, false, Plan{}
	}
}
