package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dormouse/evidence"
	"dormouse/trust"
)

// The states of a path that a note names.
const (
	isPresent   = "present"
	isDeleted   = "deleted"
	isRenamed   = "renamed"
	isElsewhere = "elsewhere"
	isNever     = "never"
)

// A tree is the repository that a world's notes speak of, path by path.
type tree struct {
	paths []string
	state map[string]string
	now   map[string]string // of what was renamed
}

// paths plants statements that name files.
func (w *world) paths() {
	folders := []string{"src/" + pick(w.r, words), "lib/" + pick(w.r, words), "cmd/" + pick(w.r, words)}
	file := func() string {
		return folders[w.r.IntN(3)] + "/" + pick(w.r, parts) + "_" + pick(w.r, words) + pick(w.r, []string{".go", ".py", ".ts"})
	}
	for _, f := range folders { // neighbours, so that what was never there is missing
		w.tree.add(f+"/main.go", isPresent)
	}
	for i, state := range []string{isPresent, isPresent, isPresent, isDeleted, isDeleted, isDeleted, isRenamed, isRenamed, isRenamed, isElsewhere, isElsewhere, isNever, isNever} {
		p, _ := w.unique(file)
		w.tree.add(p, state)
		if state == isRenamed {
			w.tree.now[p], _ = w.unique(file)
		}
		f := w.add("path", &fact{Subject: w.service(), Value: p, State: state})
		text := say(pick(w.r, w.frame.path), f.Subject, p, "")
		d := w.lists4[w.r.IntN(4)]
		if i%2 == 0 {
			d = w.newNote("project", w.day(), trust.UserTurn)
		}
		// A mark may stand in the middle of the sentence, next to the path.
		pre, post, _ := strings.Cut(text, "`"+p+"`")
		looked := pre + "`" + p + "`" + hole + post
		if strings.Trim(post, " .") == "" {
			looked = pre + "`" + p + "`"
		}
		w.putAs(d, f, text, looked)
	}
}

func (t *tree) add(path, state string) {
	t.paths = append(t.paths, path)
	t.state[path] = state
}

// write makes the repository with git: a first commit with all that ever was, one
// that removes and renames, and a branch with more.
func (t *tree) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var first, second, branch strings.Builder
	for i, p := range t.paths {
		text := "// " + p + "\n" + strings.Repeat(fmt.Sprintf("line %d of %s\n", i, p), 12)
		add := fmt.Sprintf("M 100644 inline %s\ndata %d\n%s\n", p, len(text), text)
		switch t.state[p] {
		case isNever:
		case isElsewhere:
			branch.WriteString(add)
		case isDeleted:
			second.WriteString("D " + p + "\n")
			first.WriteString(add)
		case isRenamed:
			second.WriteString("R " + p + " " + t.now[p] + "\n")
			first.WriteString(add)
		default:
			first.WriteString(add)
		}
	}
	in := fmt.Sprintf("commit refs/heads/main\nmark :1\ncommitter Maria Koval <maria@corp.example> 1764579600 +0000\ndata 5\nbegin\n%s\n", first.String()) +
		fmt.Sprintf("commit refs/heads/main\nmark :2\ncommitter Maria Koval <maria@corp.example> 1792058400 +0000\ndata 7\ntidy up\nfrom :1\n%s\n", second.String()) +
		fmt.Sprintf("commit refs/heads/experiment\nmark :3\ncommitter Maria Koval <maria@corp.example> 1792144800 +0000\ndata 6\ntry it\nfrom :2\n%s\n", branch.String())
	for _, c := range []struct {
		in   string
		args []string
	}{{"", []string{"init", "-q", "-b", "main"}}, {in, []string{"fast-import", "--quiet"}}, {"", []string{"reset", "-q", "--hard"}}} {
		cmd := exec.Command("git", c.args...)
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader([]byte(c.in))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s in %s: %w: %s", c.args[0], filepath.Base(dir), err, out)
		}
	}
	return nil
}

// looker asks the repository, and keeps the answer to a question that comes again:
// ten dreams of one world ask the same.
func looker(dir string) (func(context.Context, []evidence.Text) (*evidence.Checked, error), error) {
	repo, err := evidence.Open(dir, os.Getenv)
	if err != nil {
		return nil, err
	}
	known := map[string]*evidence.Checked{}
	return func(ctx context.Context, texts []evidence.Text) (*evidence.Checked, error) {
		var key strings.Builder
		for _, t := range texts {
			fmt.Fprintf(&key, "%q %q\n", t.Name, t.Body)
		}
		if c := known[key.String()]; c != nil {
			return c, nil
		}
		c, err := repo.Check(ctx, texts)
		if err == nil {
			known[key.String()] = c
		}
		return c, err
	}, nil
}
