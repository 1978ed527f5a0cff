package doctor

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Nested turns the files of a project into reads that bring in the instruction
// files of the folders below the start folder, so that these are looked at too.
// files are slash paths relative to root; the answer is absolute.
func Nested(root, cwd string, files []string) []string {
	folders := map[string]bool{}
	for _, f := range files {
		dir, name := path.Dir(f), path.Base(f)
		switch {
		case strings.Contains("/"+f, "/.claude/rules/") && strings.HasSuffix(f, ".md"):
			dir = strings.TrimSuffix(("/" + f)[:strings.LastIndex("/"+f, "/.claude/rules/")], "/")
		case name != "CLAUDE.md" && name != "CLAUDE.local.md":
			continue
		}
		dir = filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(dir, "/.claude")))
		if rel, err := filepath.Rel(cwd, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
			folders[filepath.Join(dir, readName)] = true
		}
	}
	out := make([]string, 0, len(folders))
	for f := range folders {
		out = append(out, f)
	}
	slices.Sort(out)
	return out[:min(len(out), maxNested)]
}

const (
	// readName is a file that need not exist: a read of one that is an instruction
	// file itself would not load it.
	readName  = "any"
	maxNested = 200
)
