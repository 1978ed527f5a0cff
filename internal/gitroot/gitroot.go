// Package gitroot finds the repository a folder belongs to by reading the files
// git itself keeps, without running git.
package gitroot

import (
	"os"
	"path/filepath"
	"strings"

	"dormouse/internal/safefile"
)

// Repo is a repository as seen from one folder.
type Repo struct {
	// Top is the folder that holds .git: the checkout one stands in.
	Top string
	// Main is the checkout whose identity all linked worktrees share. It is
	// Top for an ordinary checkout, a submodule, a separate git folder and
	// whenever the link to the main one cannot be proven.
	Main string
	// Linked is true when Top is a linked worktree of Main.
	Linked bool
	// Broken tells what is wrong with .git when it cannot be followed, or "".
	Broken string
}

// maxPointer is the size in bytes past which a .git or commondir file is not
// one that git wrote.
const maxPointer = 64 << 10

// Find returns the repository of dir, an absolute path with links resolved, or
// nil outside one. A .git that is there but broken still makes its folder the
// root, as it does for the client (measured on 2.1.332: an empty .git folder, a
// .git file with garbage and one that points nowhere).
func Find(dir string) *Repo {
	for d := dir; ; d = filepath.Dir(d) {
		if info, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			r := &Repo{Top: d, Main: d}
			if !info.IsDir() {
				r.follow()
			}
			return r
		}
		if d == filepath.Dir(d) {
			return nil
		}
	}
}

// follow reads the .git file of a worktree or submodule.
func (r *Repo) follow() {
	gitdir, ok := pointer(filepath.Join(r.Top, ".git"), "gitdir:")
	if !ok {
		r.Broken = "its .git file is not one that git wrote"
		return
	}
	gitdir = absolute(r.Top, gitdir)
	if _, err := os.Stat(gitdir); err != nil {
		r.Broken = "its .git file points to " + gitdir + ", which is not there"
		return
	}
	common, ok := pointer(filepath.Join(gitdir, "commondir"), "")
	if !ok {
		return // a submodule or a separate git folder: its own repository
	}
	common = absolute(gitdir, common)
	if filepath.Dir(gitdir) != filepath.Join(common, "worktrees") {
		r.Broken = "its git folder " + gitdir + " is not among the worktrees of " + common
		return
	}
	// The main repository must name this worktree too: a copied or moved
	// checkout does not take over another one's memory.
	back, ok := pointer(filepath.Join(gitdir, "gitdir"), "")
	if !ok || !same(absolute(gitdir, back), filepath.Join(r.Top, ".git")) {
		r.Broken = "the repository " + common + " knows this worktree under another folder (git worktree repair mends that)"
		return
	}
	r.Linked = true
	if filepath.Base(common) == ".git" {
		r.Main = filepath.Dir(common)
	} else {
		r.Main = common // a bare repository
	}
}

// pointer reads the first line of a small file, behind its prefix.
func pointer(path, prefix string) (string, bool) {
	b, _, err := safefile.Read(path, maxPointer)
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
	rest = strings.TrimSpace(rest)
	return rest, ok && rest != ""
}

func absolute(base, p string) string {
	if !filepath.IsAbs(p) {
		p = filepath.Join(base, p)
	}
	return real(p)
}

// real resolves links where the path exists, and cleans it where it does not.
func real(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	return filepath.Clean(p)
}

func same(a, b string) bool {
	if a == real(b) {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
