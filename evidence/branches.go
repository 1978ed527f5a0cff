package evidence

import (
	"context"
	"path/filepath"
	"strings"

	"dormouse/internal/safefile"
)

// maxReflog is the size in bytes past which HEAD's reflog is not read.
const maxReflog = 16 << 20

// refNames are the branches and tags of now.
type refNames struct {
	names map[string]bool // "main", "origin/main", "v1.0"
	tags  bool            // there are tags
}

func (g *gitRepo) refNames(ctx context.Context) (*refNames, error) {
	r := &refNames{names: map[string]bool{}}
	err := g.run(ctx, "", lineReader(func(line string) error {
		if len(r.names) > maxRefs {
			return errEnough
		}
		for _, p := range []string{"refs/heads/", "refs/tags/"} {
			if s, ok := strings.CutPrefix(line, p); ok {
				r.names[s] = true
				r.tags = r.tags || p == "refs/tags/"
			}
		}
		if s, ok := strings.CutPrefix(line, "refs/remotes/"); ok {
			r.names[s] = true
			if _, short, ok := strings.Cut(s, "/"); ok {
				r.names[short] = true
			}
		}
		return nil
	}), "for-each-ref", "--format=%(refname)")
	return r, err
}

// judgeBranches looks the branches up, and the missing ones in the reflog of HEAD
// and the subjects of merges.
func (k *check) judgeBranches(ctx context.Context, all map[string]verdict) error {
	if len(all) == 0 {
		return nil
	}
	if k.git == nil {
		for text := range all {
			all[text] = unknown(k.noHistory())
		}
		return nil
	}
	refs, err := k.git.refNames(ctx)
	if err != nil {
		return k.orUnknown(ctx, all, err)
	}
	missing := map[string][]string{} // short name to the texts that say it
	for text := range all {
		short := strings.TrimPrefix(strings.TrimPrefix(text, "refs/heads/"), "origin/")
		if refs.names[text] || refs.names[short] {
			all[text] = present()
			continue
		}
		all[text] = unknown("no branch or tag of this name, and nothing tells that there was one")
		missing[short] = append(missing[short], text)
	}
	if len(missing) == 0 {
		return nil
	}
	set := func(short string, v verdict) {
		for _, text := range missing[short] {
			all[text] = v
		}
		delete(missing, short)
	}
	k.branchSubjects(ctx, missing, refs.tags, set)
	k.branchReflog(missing, refs, set)
	return ctx.Err()
}

// branchReflog finds names that HEAD once stood on.
func (k *check) branchReflog(missing map[string][]string, refs *refNames, set func(string, verdict)) {
	if len(missing) == 0 {
		return
	}
	b, _, err := safefile.Read(filepath.Join(k.git.dir, "logs", "HEAD"), maxReflog)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(b)) {
		_, msg, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if rest, ok := strings.CutPrefix(msg, "checkout: moving from "); ok {
			from, to, _ := strings.Cut(rest, " to ")
			for _, name := range []string{from, to} {
				if missing[name] != nil {
					set(name, verdict{state: Gone, why: "this checkout was on it once, and the branch is no more"})
				}
			}
		}
		if rest, ok := strings.CutPrefix(msg, "Branch: renamed refs/heads/"); ok {
			from, to, _ := strings.Cut(rest, " to refs/heads/")
			if missing[from] != nil && refs.names[to] {
				set(from, verdict{state: Moved, now: to, why: "the branch was renamed to " + clean(to)})
			}
		}
	}
}

// branchSubjects finds names in the subjects of merges, and of commits that made
// a release. A clone without any tags was made without them: then a release tells
// nothing of its tag.
func (k *check) branchSubjects(ctx context.Context, missing map[string][]string, tags bool, set func(string, verdict)) {
	if k.git.head == "" {
		return
	}
	args := []string{"log", "--format=" + logFormat, "--encoding=UTF-8", "--no-notes", "--no-decorate", "--no-mailmap", "--no-color", "--no-patch", "-n", "50000", "--grep=[Mm]erge"}
	if tags {
		args = append(args, "--grep=[Rr]eleas", "--grep=[Tt]ag", "--grep=[Vv]ersion", "--grep=[Bb]ump", "--grep=^[^ ][^ ]*$")
	}
	_ = k.git.run(ctx, "", lineReader(func(line string) error {
		c, ok := parseCommit(line)
		if !ok {
			return nil
		}
		for _, name := range mergedNames(c.subject) {
			if missing[name] != nil {
				set(name, verdict{state: Gone, why: "merged in " + c.hash + " (" + c.date + ") and the branch is no more: " + c.subject, stamp: c.hash})
			}
		}
		if name := releasedName(c.subject); tags && missing[name] != nil {
			set(name, verdict{state: Gone, why: "released in " + c.hash + " (" + c.date + ") and the tag is no more: " + c.subject, stamp: c.hash})
		}
		if len(missing) == 0 {
			return errEnough
		}
		return nil
	}), append(args, "--branches", "--remotes", "--tags", "HEAD", "--")...)
}

// releasedName is the tag that the subject of a commit says it makes: "Release
// v1.2", "chore(release): 1.2.0", "Bump version to 1.2.0", "Tag v1.2-rc1", or the
// name alone. It is "" where the subject tells of none.
func releasedName(subject string) string {
	words := strings.Fields(subject)
	if len(words) == 0 || len(words) > 6 {
		return ""
	}
	name := strings.Trim(words[len(words)-1], "'\"`.()")
	if !branchName(name) || !strings.ContainsAny(name, "0123456789") {
		return ""
	}
	for _, w := range words[:len(words)-1] {
		switch strings.ToLower(strings.Trim(w, ":")) {
		case "release", "released", "releases", "releasing", "tag", "tagged", "version", "bump", "to", "cut", "prepare", "for", "chore", "chore(release)", "build(release)", "ci(release)", "publish", "the", "new", "final":
		default:
			return ""
		}
	}
	return name
}

// mergedNames are the branches that the subject of a merge tells of.
func mergedNames(subject string) []string {
	var out []string
	if !strings.HasPrefix(subject, "Merge") {
		return nil
	}
	quoted := strings.Split(subject, "'")
	for i := 1; i < len(quoted); i += 2 {
		name := strings.TrimPrefix(strings.TrimPrefix(quoted[i], "refs/heads/"), "origin/")
		out = append(out, name)
	}
	if rest, ok := strings.CutPrefix(subject, "Merge pull request #"); ok {
		if _, from, ok := strings.Cut(rest, " from "); ok {
			if _, name, ok := strings.Cut(strings.TrimSpace(from), "/"); ok {
				out = append(out, name)
			}
		}
	}
	if rest, ok := strings.CutPrefix(subject, "Merge branch "); ok && len(quoted) < 3 {
		if f := strings.Fields(rest); len(f) > 0 {
			out = append(out, f[0])
		}
	}
	if _, into, ok := strings.Cut(subject, " into "); ok {
		out = append(out, strings.Trim(strings.TrimSpace(into), "'"))
	}
	return out
}
