// Package guardfiles reads the guard rules that hold for a session from the
// instruction files that load for it.
package guardfiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/guard"
	"dormouse/host"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// maxFile is the size in bytes past which a file is not looked through for rules.
const maxFile = 4 << 20

// Load reads the rules of all instruction files that load when a session starts,
// after its reads, or with a file that the agent will read (rules with paths): a
// limit that begins only after a read would be none. What an agent can write as a
// note never counts, whoever imports it. A file that can't be read is a problem;
// the rules of the others hold.
func Load(h host.Host, s host.Session, rep *startup.Report) (guard.Rules, []guard.Problem) {
	l := loader{rep: rep}
	var notes []string
	for _, f := range instructionFiles(rep) {
		// What reaches the model has no line numbers of the file, but tells whether a
		// second read is worth it.
		if f.Text != "" && !strings.Contains(f.Text, "guard") {
			continue
		}
		if notes == nil {
			notes = noteFolders(h, s, rep)
		}
		if !isNote(notes, f) {
			l.add(f)
		}
	}
	return l.rules, l.problems
}

// Files are the files whose rules count, in order.
func Files(h host.Host, s host.Session, rep *startup.Report) []string {
	var out []string
	notes := noteFolders(h, s, rep)
	for _, f := range instructionFiles(rep) {
		if !isNote(notes, f) {
			out = append(out, f.Path)
		}
	}
	return out
}

// instructionFiles are all that load, now or with a read, but for the index.
func instructionFiles(rep *startup.Report) []*startup.File {
	seen := map[string]bool{}
	var out []*startup.File
	add := func(f *startup.File) {
		if f.Scope != startup.Memory && !seen[f.Path] {
			seen[f.Path] = true
			out = append(out, f)
		}
	}
	for _, files := range [][]startup.File{rep.Loaded, rep.After} {
		for i := range files {
			add(&files[i])
		}
	}
	for i := range rep.Left {
		if w := &rep.Left[i]; w.Reason == startup.NotRuleWaiting {
			add(&startup.File{Path: w.Path, Scope: w.Scope})
		}
	}
	return out
}

// noteFolders are the folders whose files an agent writes on its own.
func noteFolders(h host.Host, s host.Session, rep *startup.Report) []string {
	folders := []string{rep.Mem.Dir}
	if k, ok := h.(host.Keeper); ok {
		if g, _ := k.Global(s); g != nil { // what keeps it from being imported changes nothing here
			folders = append(folders, g.Dir)
		}
	}
	for _, d := range folders {
		if real := Resolve(d); d != "" && real != d {
			folders = append(folders, real)
		}
	}
	return folders
}

func isNote(notes []string, f *startup.File) bool {
	for _, dir := range notes {
		for _, path := range []string{f.Path, f.RealPath} {
			if rest, ok := strings.CutPrefix(path, dir); ok && dir != "" && rest != "" && os.IsPathSeparator(rest[0]) {
				return true
			}
		}
	}
	return false
}

type loader struct {
	rep      *startup.Report
	rules    guard.Rules
	problems []guard.Problem
}

func (l *loader) add(f *startup.File) {
	text, _, err := safefile.Read(f.Path, maxFile)
	if err != nil {
		l.problems = append(l.problems, guard.Problem{File: f.Path, What: fmt.Sprintf("guard rules that may stand in it do not hold: %v", err)})
		return
	}
	rules, problems := guard.Parse(guard.Source{File: f.Path, Base: l.base(f)}, string(text))
	l.rules = append(l.rules, rules...)
	l.problems = append(l.problems, problems...)
}

// base is the folder that a file's path patterns begin at. An imported file counts
// like the one that imports it, the user's files like files of the project.
func (l *loader) base(f *startup.File) string {
	for range 16 { // imports go four levels deep
		up := l.importer(f)
		if up == nil {
			break
		}
		f = up
	}
	if f.Scope == startup.User || f.Scope == startup.Managed {
		if l.rep.Root != "" {
			return filepath.ToSlash(l.rep.Root)
		}
		return filepath.ToSlash(l.rep.Cwd)
	}
	return guard.BaseOf(filepath.ToSlash(f.Path))
}

func (l *loader) importer(f *startup.File) *startup.File {
	if f.ImportedBy == "" {
		return nil
	}
	for _, files := range [][]startup.File{l.rep.Loaded, l.rep.After} {
		for i := range files {
			if files[i].Path == f.ImportedBy {
				return &files[i]
			}
		}
	}
	return nil
}

// Resolve follows the links in a path. Of one that does not exist (yet), the part
// that does is followed.
func Resolve(path string) string {
	if path == "" {
		return ""
	}
	rest := ""
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		// A link that leads to what is not there yet: writing through it makes that.
		if to, err := os.Readlink(p); err == nil && filepath.Dir(p) != p {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(p), to)
			}
			return filepath.Join(to, rest)
		}
		if p == filepath.Dir(p) {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}
