package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A commit is one of the main line, or the one commit of a branch that was merged.
type commit struct {
	message string
	set     map[string]string
	drop    []string
	move    []rename
}

// steps are the changes from the first tree to today's: what was renamed, removed
// and rewritten, one each.
func (k *kind) steps() []commit {
	var out []commit
	for _, r := range k.renamed {
		out = append(out, commit{
			message: fmt.Sprintf("Move %s to %s", r.from, r.to),
			move:    []rename{r}, set: map[string]string{r.to: k.files[r.to]},
		})
	}
	for _, p := range k.order {
		if _, ok := k.earlier[p]; ok {
			out = append(out, commit{message: "Bring " + p + " up to date", set: map[string]string{p: k.files[p]}})
		}
	}
	for i := 0; i < len(k.gone); i += 2 {
		end := min(i+2, len(k.gone))
		out = append(out, commit{message: "Remove " + strings.Join(k.gone[i:end], ", "), drop: k.gone[i:end]})
	}
	return out
}

// firstTree are the commits that build the tree of the beginning.
func (k *kind) firstTree(tracked map[string]string) []commit {
	tree := map[string]string{}
	for p, text := range tracked {
		tree[p] = text
	}
	for p, text := range k.earlier {
		tree[p] = text
	}
	for p, text := range k.removed {
		tree[p] = text
	}
	for _, r := range k.renamed {
		delete(tree, r.to)
		tree[r.from] = r.text
	}
	groups := map[string]map[string]string{}
	for p, text := range tree {
		top, _, ok := strings.Cut(p, "/")
		if !ok {
			top = ""
		}
		if groups[top] == nil {
			groups[top] = map[string]string{}
		}
		groups[top][p] = text
	}
	var out []commit
	for _, top := range sortedKeys(groups) {
		message := "Initial commit"
		if top != "" {
			message = "Add " + top
		}
		out = append(out, commit{message: message, set: groups[top]})
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A stream is the input of git fast-import.
type stream struct {
	bytes.Buffer
	mark int
	when int64
}

func (s *stream) commit(ref string, c commit, from, merge int) int {
	s.mark++
	s.when += 4*86400 + 3607 // dates are fixed, so that a run can be repeated
	fmt.Fprintf(s, "commit refs/heads/%s\nmark :%d\ncommitter Maria Koval <maria@corp.example> %d +0200\ndata %d\n%s\n", ref, s.mark, s.when, len(c.message), c.message)
	if from > 0 {
		fmt.Fprintf(s, "from :%d\n", from)
	}
	if merge > 0 {
		fmt.Fprintf(s, "merge :%d\n", merge)
	}
	for _, r := range c.move {
		fmt.Fprintf(s, "R %q %q\n", r.from, r.to)
	}
	for _, p := range c.drop {
		fmt.Fprintf(s, "D %s\n", p)
	}
	for _, p := range sortedKeys(c.set) {
		mode := "100644"
		if strings.HasSuffix(p, ".sh") {
			mode = "100755"
		}
		fmt.Fprintf(s, "M %s inline %s\ndata %d\n%s\n", mode, p, len(c.set[p]), c.set[p])
	}
	s.WriteByte('\n')
	return s.mark
}

// mergedBranches are the branches that were merged and removed; the facts about
// branches that are gone are about these.
func (k *kind) mergedBranches() []string {
	out := slices.Clone(k.merged)
	for _, f := range k.factsOf("branch") {
		if !slices.Contains(out, f.gone) {
			out = append(out, f.gone)
		}
	}
	return out
}

// importStream writes the whole history: the main line, branches that were merged
// and removed, branches that stand, tags.
func (w *world) importStream() []byte {
	s := &stream{when: 1757000000}
	k, at := w.kind, 0
	for _, c := range k.firstTree(w.tracked) {
		at = s.commit(k.main, c, at, 0)
	}
	steps, merged := k.steps(), k.mergedBranches()
	if gone := k.factsOf("tag"); len(gone) > 0 {
		steps[1].message = "Release " + gone[0].gone // the tag itself was removed
	}
	var late []int
	for i, c := range steps {
		if len(merged) == 0 || i%2 == 1 {
			at = s.commit(k.main, c, at, 0)
			late = append(late, at)
			continue
		}
		side := s.commit(merged[0], c, at, 0)
		message := fmt.Sprintf("Merge branch '%s'", merged[0])
		if i%4 == 2 {
			message = fmt.Sprintf("Merge pull request #%d from %s/%s", 20+i, w.names.org, merged[0])
		}
		c.message = message // a merge holds the tree of both, and fast-import makes none by itself
		at = s.commit(k.main, c, at, side)
		late = append(late, at)
		merged = merged[1:]
	}
	for i, t := range k.tags {
		m := late[max(0, len(late)-2*len(k.tags)+2*i+1)]
		fmt.Fprintf(s, "reset refs/tags/%s\nfrom :%d\n\n", t, m)
	}
	for _, b := range k.branches {
		switch files := k.onBranch[b]; {
		case b == k.main:
		case files != nil:
			s.commit(b, commit{message: "Try it out", set: files}, at, 0)
		default:
			fmt.Fprintf(s, "reset refs/heads/%s\nfrom :%d\n\n", b, late[len(late)/2])
		}
	}
	return s.Bytes()
}

func (w *world) git(stdin []byte, args ...string) error {
	return gitIn(w.proj, stdin, args...)
}

func gitIn(dir string, stdin []byte, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	cmd.Stdin = bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// repository makes the repository and checks its main branch out.
func (w *world) repository() error {
	if err := os.MkdirAll(w.proj, 0o755); err != nil {
		return err
	}
	if err := w.git(nil, "init", "-q", "-b", w.kind.main); err != nil {
		return err
	}
	if err := w.git(w.importStream(), "fast-import", "--quiet"); err != nil {
		return err
	}
	var refs strings.Builder
	for _, b := range w.kind.mergedBranches() {
		fmt.Fprintf(&refs, "delete refs/heads/%s\n", b)
	}
	fmt.Fprintf(&refs, "create refs/remotes/origin/%s refs/heads/%s\n", w.kind.main, w.kind.main)
	if w.remoteOnly {
		last := w.kind.branches[len(w.kind.branches)-1]
		fmt.Fprintf(&refs, "create refs/remotes/origin/%s refs/heads/%s\ndelete refs/heads/%s\n", last, last, last)
	}
	if err := w.git([]byte(refs.String()), "update-ref", "--stdin"); err != nil {
		return err
	}
	config := fmt.Sprintf("[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = git@git.%s:%s/%s.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
		w.names.domain, w.names.org, w.names.project)
	if err := os.WriteFile(filepath.Join(w.proj, ".git", "config"), []byte(config), 0o644); err != nil {
		return err
	}
	if w.packed {
		if err := w.git(nil, "pack-refs", "--all"); err != nil {
			return err
		}
	}
	return w.git(nil, "reset", "-q", "--hard")
}
