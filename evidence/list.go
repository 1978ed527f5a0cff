package evidence

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Files lists the files of the folder that was opened, slash paths relative to it,
// in no order: those that git tracks, be they there or deleted and not committed yet,
// and those that it neither tracks nor ignores. Without git those that are there, but for folders that tools
// generate, and at most 200,000. It fails only where ctx ends.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	k := r.check()
	if err := k.look(ctx, r.root, true); err != nil {
		return nil, err
	}
	out := make([]string, 0, len(k.tree.entries))
	for i := range k.tree.entries {
		e := &k.tree.entries[i]
		rel, ok := strings.CutPrefix(e.path, k.tree.prefix)
		if e.dir || e.module || !ok {
			continue
		}
		out = append(out, rel)
	}
	return out, nil
}

// Dates tells when the files of a folder were last committed, by slash path
// relative to that folder, an absolute path in the repository. Files that were
// never committed are not in it, nor those whose last change lies behind the cut
// of a shallow clone. Changes that are not committed are not looked at. Without git
// the result is empty. It fails where git fails or ctx ends.
func (r *Repo) Dates(ctx context.Context, dir string) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	if r.git == nil {
		return out, nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	k := r.check()
	rel, err := filepath.Rel(k.git.top, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return out, nil //nolint:nilerr // outside the repository nothing was committed
	}
	if err := k.git.look(ctx); err != nil {
		return nil, fmt.Errorf("dates of commits: %w", err)
	}
	if k.git.head == "" {
		return out, nil
	}
	prefix := filepath.ToSlash(rel) + "/"
	if prefix == "./" {
		prefix = ""
	}
	var at time.Time
	// The first commit of a shallow clone seems to add everything: it is not shown.
	err = k.git.records(ctx, func(rec string) error {
		rec = strings.TrimLeft(rec, "\n")
		if s, ok := strings.CutPrefix(rec, "\x01\x01"); ok {
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				at = time.Unix(n, 0).UTC()
			}
			return nil
		}
		if name, ok := strings.CutPrefix(rec, prefix); ok && name != "" {
			if _, known := out[name]; !known {
				out[name] = at
			}
		}
		return nil
	}, "-c", "log.showRoot="+strconv.FormatBool(!k.git.shallow), "log", "-z", "-c", "--format=\x01\x01%ct", "--no-notes", "--no-decorate", "--no-mailmap", "--no-color", "--no-renames", "--name-only", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=all", "-n", strconv.Itoa(pathCommits), "HEAD", "--", ":(literal)"+strings.TrimSuffix(prefix+".", "/"))
	if err != nil && !errors.Is(err, errCut) {
		return nil, fmt.Errorf("dates of commits: %w", err)
	}
	return out, nil
}

// check begins a look at the repository, with a state of git of its own.
func (r *Repo) check() *check {
	k := &check{why: r.why}
	if r.git != nil {
		g := *r.git
		k.git = &g
	}
	return k
}
