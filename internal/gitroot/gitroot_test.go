package gitroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// setup runs shell lines in a fresh folder and returns its real path.
func setup(t *testing.T, lines ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-ec", strings.Join(lines, "\n"))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+root, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return root
}

const repo = "git init -q main && cd main && mkdir -p d && echo 1 >d/f && git add . && git commit -qm a && cd .."

func TestFind(t *testing.T) {
	for _, tc := range []struct {
		name      string
		lines     []string
		from      string
		top, main string // "" means outside a repository
		linked    bool
		broken    string
	}{
		{"outside a repository", []string{"mkdir p"}, "p", "", "", false, ""},
		{"at the root", []string{repo}, "main", "main", "main", false, ""},
		{"in a subfolder", []string{repo}, "main/d", "main", "main", false, ""},
		{"without a commit", []string{"git init -q e"}, "e", "e", "e", false, ""},
		{"in a linked worktree", []string{repo, "cd main && git worktree add -q ../wt"}, "wt/d", "wt", "main", true, ""},
		{"in a worktree inside its repository", []string{repo, "cd main && git worktree add -q w/1"}, "main/w/1", "main/w/1", "main", true, ""},
		{"in a worktree with relative paths", []string{
			repo, "cd main && git worktree add -q ../wt && cd ..",
			"echo 'gitdir: ../main/.git/worktrees/wt' >wt/.git && echo ../../../../wt/.git >main/.git/worktrees/wt/gitdir",
		}, "wt", "wt", "main", true, ""},
		{"in a worktree of a bare repository", []string{repo, "git clone -q --bare main b.git && cd b.git && git worktree add -q ../wt"}, "wt", "wt", "b.git", true, ""},
		{"in a moved worktree", []string{repo, "cd main && git worktree add -q ../wt && mv ../wt ../wt2"}, "wt2", "wt2", "wt2", false, "another folder"},
		{"in a submodule", []string{repo, "git init -q s && cd s && git -c protocol.file.allow=always submodule add -q ../main lib"}, "s/lib/d", "s/lib", "s/lib", false, ""},
		{"with a separate git folder", []string{"git init -q --separate-git-dir g s && mkdir s/d"}, "s/d", "s", "s", false, ""},
		{"inside .git", []string{repo}, "main/.git", "main", "main", false, ""},
		{"with an empty .git folder", []string{"mkdir -p p/.git p/d"}, "p/d", "p", "p", false, ""},
		{"with garbage in .git", []string{"mkdir p && echo garbage >p/.git"}, "p", "p", "p", false, "not one that git wrote"},
		{"with a .git that points nowhere", []string{"mkdir p && echo 'gitdir: /nowhere' >p/.git"}, "p", "p", "p", false, "/nowhere"},
		{"with a pipe as .git", []string{"mkdir p && mkfifo p/.git"}, "p", "p", "p", false, "not one that git wrote"},
		{"with .git a link", []string{"git init -q p && mv p/.git g && ln -s ../g p/.git"}, "p", "p", "p", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := setup(t, tc.lines...)
			r := Find(filepath.Join(root, tc.from))
			if tc.top == "" {
				if r != nil {
					t.Errorf("found %+v", r)
				}
				return
			}
			if r == nil {
				t.Fatal("found none")
			}
			if r.Top != filepath.Join(root, tc.top) || r.Main != filepath.Join(root, tc.main) || r.Linked != tc.linked {
				t.Errorf("found %+v", r)
			}
			if !strings.Contains(r.Broken, tc.broken) || (r.Broken == "") != (tc.broken == "") {
				t.Errorf("broken: %q, want %q", r.Broken, tc.broken)
			}
		})
	}
}
