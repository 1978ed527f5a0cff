package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dormouse/evidence"
	"dormouse/host"
	"dormouse/internal/gitroot"
	"dormouse/internal/safefile"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
)

// stores tells of notes of this project that lie where no session reads them, and
// of projects that share a memory folder.
func (c *check) stores() error {
	c.out.Checked.Stores = len(c.in.Memories)
	m := &c.rep.Mem
	if !m.On {
		return nil
	}
	told, beside := map[string]bool{m.Dir: true, c.dir: true}, []host.Memory(nil)
	for _, o := range m.Others {
		told[o.Dir] = true
		c.unread(o, nil)
	}
	for _, mem := range c.in.Memories {
		if told[mem.Dir] || sameFolder(mem.Dir, m.Dir) {
			continue
		}
		if why, proof := c.belongs(mem); why != "" {
			c.unread(startup.Store{Dir: mem.Dir, Notes: mem.Notes, Why: why}, proof)
		} else if c.goneBeside(mem) {
			beside = append(beside, mem)
		}
	}
	if c.in.Store == nil && c.in.Unsafe == nil && len(beside) == 1 { // of several none is more likely
		mem := beside[0]
		c.add("store-unread", Place{Path: mem.Dir}, "beside", "no session reads %s (%s): it is named after %s beside this project, which is gone, and this project has no notes", mem.Dir, notesWord(mem.Notes), mem.Roots[0]).
			level(Info).
			evidence("nothing else tells that %s was this project under another name", mem.Roots[0]).
			fix("if it was, copy its notes into the memory folder that is read; nothing there is changed", "", false, Plan{Kind: Copy, Path: mem.Dir})
	}
	c.shared()
	return nil
}

// unread tells of one store that no session reads. It is no news where every note
// of it is here too: it was merged.
func (c *check) unread(o startup.Store, proof []string) {
	if r := gitroot.Find(c.root); r != nil && r.Linked && strings.HasPrefix(o.Why, "named after the start folder as spelled") && c.realStart() {
		o.Why = "named after the worktree " + r.Top + "; the client uses the main checkout"
	}
	missing, ok := c.notHere(o.Dir)
	if ok && missing == 0 {
		return
	}
	f := c.add("store-unread", Place{Path: o.Dir}, "", "%s of this project lie in %s, which no session reads: %s", notesWord(o.Notes), o.Dir, o.Why)
	if c.dir != "" || c.rep.Mem.Dir != "" {
		f.evidence("sessions started here read %s", c.rep.Mem.Dir)
	}
	if missing > 0 && missing < o.Notes {
		f.evidence("%d of them are not here", missing)
	}
	f.Evidence = append(f.Evidence, proof...)
	f.fix("copy its notes into the memory folder that is read; nothing there is changed", "", false, Plan{Kind: Copy, Path: o.Dir})
}

// realStart tells a start folder that no link leads to.
func (c *check) realStart() bool {
	real, err := filepath.EvalSymlinks(c.rep.Cwd)
	return err == nil && real == c.rep.Cwd
}

// goneBeside tells a memory folder with notes whose project lay beside this one and
// is not there any more: no proof that it was this one, and worth a look where this
// one has no notes.
func (c *check) goneBeside(mem host.Memory) bool {
	if mem.Notes == 0 || len(mem.Roots) == 0 {
		return false
	}
	for _, r := range mem.Roots {
		if _, err := os.Lstat(r); err == nil || filepath.Dir(r) != filepath.Dir(c.root) {
			return false
		}
	}
	return true
}

func notesWord(n int) string {
	switch n {
	case 0:
		return "an index"
	case 1:
		return "1 note"
	}
	return fmt.Sprintf("%d notes", n)
}

// notHere counts the notes of another folder whose text no note here has; ok is
// false where it can't be read.
func (c *check) notHere(dir string) (n int, ok bool) {
	files, err := store.Notes(dir, false)
	if err != nil || len(files) == 0 {
		return 0, false
	}
	have := map[string]bool{}
	for i := range c.items {
		if c.items[i].Note != nil {
			have[bodyKey(c.items[i].Note)] = true
		}
	}
	for _, f := range files {
		b, _, err := safefile.Read(filepath.Join(dir, filepath.FromSlash(f.Rel)), note.MaxBytes)
		if err != nil || !have[bodyKey(note.Parse(b))] {
			n++
		}
	}
	return n, true
}

func bodyKey(n *note.Note) string { return strings.Join(strings.Fields(string(n.Body())), " ") }

// belongs finds out whether a memory folder is one of this project that was left
// behind, and says by what.
func (c *check) belongs(mem host.Memory) (why string, proof []string) {
	var gone []string
	for _, r := range mem.Roots {
		real, err := filepath.EvalSymlinks(r)
		if err != nil {
			if c.within(r) {
				return "named after " + r + ", a folder of this project that is gone, as of a worktree that was removed", []string{r + " is not there any more"}
			}
			gone = append(gone, r)
			continue
		}
		repo := gitroot.Find(real)
		switch {
		case real != r && c.within(real):
			return "named after " + r + ", a link to this project; the client resolves links first", nil
		case repo != nil && repo.Linked && repo.Main == c.main() && repo.Top != repo.Main:
			return "named after the worktree " + r + "; the client uses the main checkout", nil
		case real == c.root || real == c.rep.Cwd || repo != nil && repo.Top == c.root:
			return "named after " + r + "; the client uses " + c.rep.Mem.Where.Value, nil
		default:
			return "", nil // it has a project of its own
		}
	}
	if len(mem.Roots) == 0 && (c.in.SameName == nil || len(c.in.SameName(mem.Dir, "")) > 0) {
		return "", nil
	}
	return c.leftBehind(mem, gone)
}

// within tells whether a folder is the project's, or lies in it.
func (c *check) within(path string) bool {
	rel, err := filepath.Rel(c.root, path)
	return err == nil && filepath.IsLocal(rel)
}

// main is the main checkout of the project.
func (c *check) main() string {
	if r := gitroot.Find(c.root); r != nil {
		return r.Main
	}
	return c.root
}

// leftBehind weighs the evidence that a folder that is gone was this project.
func (c *check) leftBehind(mem host.Memory, gone []string) (why string, proof []string) {
	was := "a folder that is gone"
	if len(gone) > 0 {
		was = gone[0]
		proof = append(proof, was+" is not there any more")
	}
	commits, known := c.commonCommits(mem.Logs)
	if known > 0 {
		proof = append(proof, fmt.Sprintf("%d of %d commits that its sessions name are in this repository", known, commits))
	}
	paths, here := c.commonPaths(mem)
	if here > 0 {
		proof = append(proof, fmt.Sprintf("%d of %d files that its notes and sessions name are here", here, paths))
	}
	same := slices.ContainsFunc(gone, func(r string) bool { return filepath.Base(r) == filepath.Base(c.root) }) ||
		len(gone) == 0 && strings.HasSuffix(filepath.Base(filepath.Dir(mem.Dir)), "-"+filepath.Base(c.root))
	beside := slices.ContainsFunc(gone, func(r string) bool { return filepath.Dir(r) == filepath.Dir(c.root) })
	if same {
		proof = append(proof, "the last part of the name is the same")
	}
	const few = 2
	switch {
	case commits > 0 && known == 0:
		return "", nil // another repository
	case known > 0, here >= few && 2*here >= paths && (same || beside || here >= 2*few), same && (paths == 0 || 2*here >= paths):
		return "the project was " + was + " once: it was moved or renamed", proof
	}
	return "", nil
}

// shared tells of other projects whose memory is the same folder.
func (c *check) shared() {
	others := c.rep.Mem.Shared
	for _, other := range others {
		f := c.add("store-shared", Place{Path: c.rep.Mem.Dir}, other, "%s and %s share the memory folder %s: each one's sessions read and write the other's notes", c.main(), other, c.rep.Mem.Dir)
		f.evidence("the folder is named after the path with every character but letters and digits as -, so both have one name")
		for _, mem := range c.in.Memories {
			if mem.Dir == c.rep.Mem.Dir && len(mem.Roots) > 1 {
				f.evidence("sessions beside it were started in %s", strings.Join(mem.Roots, " and "))
			}
		}
		f.fix("give one of them a folder of its own: autoMemoryDirectory in .claude/settings.local.json, or rename the folder", "", false, Plan{})
	}
}

func sameFolder(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// What is looked at of one store for evidence.
const (
	logEvidence  = 512 << 10 // bytes of each transcript
	maxEvidence  = 40        // paths
	maxCommits   = 20
	commitPrompt = "Recent commits:"
)

// commonCommits counts the commits that the client told its sessions of (measured
// on 2.1.332: the git status at the start, with the last commits), and those of
// them that are in this repository.
func (c *check) commonCommits(logs []string) (all, here int) {
	if c.repo == nil {
		return 0, 0
	}
	hash := regexp.MustCompile(`\\n([0-9a-f]{7,40}) `)
	var found []string
	for _, log := range logs {
		head, _, err := safefile.Head(log, logEvidence)
		if err != nil {
			continue
		}
		text := string(head)
		for at := strings.Index(text, commitPrompt); at >= 0 && len(found) < maxCommits; {
			text = text[at+len(commitPrompt):]
			end := strings.IndexByte(text, '"')
			if end < 0 {
				end = len(text)
			}
			for _, m := range hash.FindAllStringSubmatch(text[:end], maxCommits) {
				if !slices.Contains(found, m[1]) {
					found = append(found, m[1])
				}
			}
			at = strings.Index(text, commitPrompt)
		}
	}
	return len(found), c.repo.Commits(c.ctx, found)
}

// commonPaths counts the files that a store's notes and sessions name, and those
// of them that are in this project.
func (c *check) commonPaths(mem host.Memory) (all, here int) {
	seen := map[string]bool{}
	take := func(rel string) {
		rel = filepath.ToSlash(filepath.Clean(filepath.FromSlash(rel)))
		if seen[rel] || !filepath.IsLocal(rel) || rel == "." || len(seen) >= maxEvidence || !strings.ContainsAny(rel, "./") {
			return
		}
		seen[rel] = true
		if exists(filepath.Join(c.root, filepath.FromSlash(rel))) {
			here++
		}
	}
	files, _ := store.Notes(mem.Dir, false) // none is as good as none that can be read
	for _, f := range files[:min(len(files), maxEvidence)] {
		b, _, err := safefile.Read(filepath.Join(mem.Dir, filepath.FromSlash(f.Rel)), note.MaxBytes)
		if err != nil {
			continue
		}
		for _, ref := range evidence.Refs(string(note.Parse(b).Body())) {
			if ref.Kind == evidence.Path {
				take(ref.Text)
			}
		}
	}
	for _, log := range mem.Logs {
		head, _, err := safefile.Head(log, logEvidence)
		if err != nil {
			continue
		}
		for _, root := range mem.Roots {
			for _, rel := range filesBelow(string(head), root) {
				take(rel)
			}
		}
	}
	return len(seen), here
}

// filesBelow finds the paths of tool calls below a folder.
func filesBelow(text, root string) []string {
	var out []string
	start := `"file_path":"` + filepath.ToSlash(root) + "/"
	text = strings.ReplaceAll(text, `"file_path": "`, `"file_path":"`)
	for at := strings.Index(text, start); at >= 0 && len(out) < maxEvidence; at = strings.Index(text, start) {
		text = text[at+len(start):]
		if end := strings.IndexByte(text, '"'); end > 0 {
			out = append(out, text[:end])
		}
	}
	return out
}
