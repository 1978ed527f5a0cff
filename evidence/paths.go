package evidence

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// verdict is what became of one thing, whichever texts name it.
type verdict struct {
	state State
	now   string
	why   string
	stamp string
	skip  bool // of another place: not looked up at all
}

func present() verdict           { return verdict{state: Present} }
func unknown(why string) verdict { return verdict{state: Unknown, why: why} }
func (c commit) says(verb string) (why, stamp string) {
	if c.hash == "" {
		return verb + " in the working tree, not committed yet", ""
	}
	why = verb + " in " + c.hash + " (" + c.date + ")"
	if c.subject != "" {
		why += ": " + c.subject
	}
	return why, c.hash
}

// normal makes a repository's path of a reference; ok is false where it lies
// outside.
func (k *check) normal(text string) (p string, dirOnly, ok bool) {
	p = strings.ReplaceAll(text, `\`, "/")
	dirOnly = strings.HasSuffix(p, "/")
	if strings.HasPrefix(p, "/") {
		rel, err := filepath.Rel(k.tree.top, filepath.FromSlash(p))
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			return "", false, false
		}
		p = filepath.ToSlash(rel)
	}
	p = path.Clean(strings.TrimPrefix(p, "./"))
	return p, dirOnly, p != "." && !strings.HasPrefix(p, "../") && p != ".."
}

// lookPath tells how the tree of today stands to a path.
func (k *check) lookPath(text string) (verdict, bool) {
	p, dirOnly, ok := k.normal(text)
	if !ok {
		return verdict{skip: true}, true
	}
	gone := false
	for _, i := range k.tree.find(p, dirOnly) {
		e := &k.tree.entries[i]
		if e.dir || k.tree.onDisk(e) {
			return present(), true
		}
		gone = true
	}
	if k.tree.lies(p) || k.tree.prefix != "" && k.tree.lies(k.tree.prefix+p) {
		return present(), true
	}
	if gone {
		return verdict{state: Gone, why: "deleted in the working tree, not committed yet"}, false
	}
	return unknown(""), false
}

// judgePaths asks the history for all paths that are missing.
func (k *check) judgePaths(ctx context.Context, missing map[string]verdict) error {
	if len(missing) == 0 {
		return nil
	}
	if k.git == nil || k.git.head == "" {
		for text, v := range missing {
			if v.state != Gone {
				missing[text] = unknown(k.noHistory())
			}
		}
		return nil
	}
	log, err := k.pathLog(ctx)
	if err != nil {
		return k.orUnknown(ctx, missing, err)
	}
	var rest []string
	for text, v := range missing {
		p, dirOnly, _ := k.normal(text)
		if got, ok := k.fateOf(log, p, dirOnly); ok {
			if v.state != Gone || got.state == Moved {
				missing[text] = got
			}
		} else if v.state != Gone {
			rest = append(rest, text)
		}
	}
	if len(rest) > 0 {
		k.judgeUnheard(ctx, log, rest, missing)
	}
	return k.dropIgnored(ctx, missing)
}

// fateOf tells what became of a path by the history.
func (k *check) fateOf(log *pathLog, p string, dirOnly bool) (verdict, bool) {
	candidates := []string{p}
	if k.tree.prefix != "" {
		candidates = []string{k.tree.prefix + p, p}
	}
	if !dirOnly {
		for _, c := range candidates {
			i, ok := log.find(c)
			if !ok {
				continue
			}
			now, end := log.follow(k.tree, i)
			if now != "" {
				return k.moved(log.commits[log.events[i].commit], now), true
			}
			why, stamp := log.commits[end.commit].says("removed")
			return verdict{state: Gone, why: why, stamp: stamp}, true
		}
	}
	for _, c := range candidates {
		dir, events := log.findDir(c)
		if len(events) == 0 {
			continue
		}
		e := log.events[events[0]]
		if to := log.followDir(k.tree, dir, events); to != "" {
			return k.moved(log.commits[e.commit], to+"/"), true
		}
		why, stamp := log.commits[e.commit].says("removed")
		return verdict{state: Gone, why: why, stamp: stamp}, true
	}
	return verdict{}, false
}

func (k *check) moved(c commit, now string) verdict {
	why, stamp := c.says("renamed to " + clean(now))
	return verdict{state: Moved, now: now, why: why, stamp: stamp}
}

// judgeUnheard decides on the paths that HEAD's history does not know.
func (k *check) judgeUnheard(ctx context.Context, log *pathLog, rest []string, missing map[string]verdict) {
	others := k.otherBranches(ctx)
	for _, text := range rest {
		p, dirOnly, _ := k.normal(text)
		if branch, ok := others.find(p); ok {
			missing[text] = verdict{state: Elsewhere, why: "only on another branch: " + clean(branch)}
			continue
		}
		switch {
		case log.cut && k.git.shallow:
			missing[text] = unknown("not in the tree; the clone is shallow, so its history can't tell")
		case log.cut:
			missing[text] = unknown("not in the tree, and the history is too long to be read to its end")
		case dirOnly || !k.fits(p) || k.tree.underModule(path.Dir(p)):
			missing[text] = unknown("neither in the tree nor in its history")
		default:
			missing[text] = verdict{state: Never, why: "the repository has " + clean(k.nearest(p)) + "/ but has and had nothing of this name"}
		}
	}
}

// nearest is the deepest folder above the path that the repository has.
func (k *check) nearest(p string) string {
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if k.tree.dirs[d] || k.tree.dirs[k.tree.prefix+d] {
			return d
		}
	}
	return ""
}

// dropIgnored turns what is missing but ignored by git into Unknown: such files
// come and go without a commit.
func (k *check) dropIgnored(ctx context.Context, missing map[string]verdict) error {
	var ask strings.Builder
	byPath := map[string][]string{}
	for text, v := range missing {
		if v.state != Gone && v.state != Never {
			continue
		}
		p, _, _ := k.normal(text)
		if strings.IndexByte(p, 0) >= 0 || k.tree.underModule(p) {
			continue
		}
		if byPath[p] == nil {
			ask.WriteString(p + "\x00")
		}
		byPath[p] = append(byPath[p], text)
	}
	if ask.Len() == 0 {
		return nil
	}
	out, err := k.git.output(ctx, ask.String(), 16<<20, "check-ignore", "-z", "--stdin", "--no-index")
	if err != nil {
		return ctx.Err() // exit 1: none is ignored
	}
	for p := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		for _, text := range byPath[p] {
			missing[text] = unknown("ignored by git")
		}
	}
	return nil
}

// branchPaths are the files that commits outside HEAD's history added.
type branchPaths struct {
	byStem map[string][]int32
	paths  []string
	refs   []string
}

func (b *branchPaths) find(p string) (string, bool) {
	for _, i := range b.byStem[stem(p)] {
		if matches(b.paths[i], p, true) {
			return b.refs[i], true
		}
	}
	for i, q := range b.paths {
		if strings.HasPrefix(q, p+"/") || strings.Contains(q, "/"+p+"/") {
			return b.refs[i], true
		}
	}
	return "", false
}

// otherBranches lists what the other branches added. A failure makes an empty list.
func (k *check) otherBranches(ctx context.Context) *branchPaths {
	b := &branchPaths{byStem: map[string][]int32{}}
	ref, status := "", ""
	_ = k.git.records(ctx, func(rec string) error {
		rec = strings.TrimLeft(rec, "\n")
		switch {
		case status == "" && strings.HasPrefix(rec, "\x01\x01"):
			ref = rec[2:]
		case status == "":
			status = rec
		default:
			if len(b.paths) < maxEvents {
				key := stem(rec)
				b.byStem[key] = append(b.byStem[key], int32(len(b.paths)))
				b.paths, b.refs = append(b.paths, rec), append(b.refs, shortRef(ref))
			}
			status = ""
		}
		return nil
	}, "-c", "log.showRoot=true", "log", "-z", "--source", "--format=\x01\x01%S", "--no-notes", "--no-decorate", "--no-mailmap", "--no-color", "--no-renames", "--name-status", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=all", "--diff-filter=A", "-n", "20000", "--branches", "--remotes", "--not", "HEAD", "--")
	return b
}

func shortRef(r string) string {
	for _, p := range []string{"refs/heads/", "refs/remotes/"} {
		if s, ok := strings.CutPrefix(r, p); ok {
			return s
		}
	}
	return r
}

// A commit as findings name it.
type commit struct{ hash, date, subject string }

// pathEvent is the end of a path: a removal, or with to set a renaming.
type pathEvent struct {
	path, to string
	commit   int // index in pathLog.commits: the smaller the newer
}

// pathLog is what became of the paths that are no more.
type pathLog struct {
	commits []commit
	events  []pathEvent // newest first
	byStem  map[string][]int32
	byPath  map[string][]int32
	under   map[string][]int32 // by each folder above the path
	cut     bool               // the history goes on further than was read
}

// maxEvents bounds the memory of a pathLog.
const maxEvents = 300_000

func (l *pathLog) add(e pathEvent) {
	if len(l.events) >= maxEvents {
		l.cut = true
		return
	}
	i := int32(len(l.events))
	l.events = append(l.events, e)
	k := stem(e.path)
	l.byStem[k] = append(l.byStem[k], i)
	l.byPath[e.path] = append(l.byPath[e.path], i)
	for d := path.Dir(e.path); d != "." && d != "/"; d = path.Dir(d) {
		l.under[d] = append(l.under[d], i)
	}
}

// readPathLog asks git what was removed and renamed, in one pass from the newest
// commit back, and what is staged to be.
func (g *gitRepo) readPathLog(ctx context.Context) (*pathLog, error) {
	l := &pathLog{byStem: map[string][]int32{}, byPath: map[string][]int32{}, under: map[string][]int32{}, cut: g.shallow}
	if g.head == "" {
		return l, nil
	}
	l.commits = append(l.commits, commit{}) // of what is not committed yet
	p := pathParser{log: l}
	err := g.records(ctx, p.record, "diff-index", "--cached", "-M", "-l1000", "-z", "--name-status", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--diff-filter=DR", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	p = pathParser{log: l}
	err = g.records(ctx, p.record, "log", "-z", "-c", "--format="+logFormat, "--encoding=UTF-8", "--no-notes", "--no-decorate", "--no-mailmap", "--no-color", "-M", "-l1000",
		"--name-status", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--diff-filter=DR", "-n", strconv.Itoa(pathCommits+1), "HEAD", "--")
	if errors.Is(err, errCut) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		l.cut, err = true, nil
	}
	if len(l.commits) > pathCommits {
		l.cut = true
	}
	return l, err
}

// logFormat begins each commit of a log with a sign that no path and no line of
// a diff's frame has.
const logFormat = "\x01\x01%h %cs %s"

func parseCommit(rec string) (commit, bool) {
	rest, ok := strings.CutPrefix(rec, "\x01\x01")
	if !ok {
		return commit{}, false
	}
	hash, rest, ok1 := strings.Cut(rest, " ")
	date, subject, ok2 := strings.Cut(rest, " ")
	if r := []rune(subject); len(r) > 120 {
		subject = string(r[:119]) + "…"
	}
	return commit{hash, date, clean(subject)}, ok1 && ok2
}

// clean makes a text fit for a line that a person reads.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\ufeff' || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
}

// pathParser reads the records of --name-status -z.
type pathParser struct {
	log    *pathLog
	status string
	from   string
}

func (p *pathParser) record(rec string) error {
	if p.status == "" {
		rec = strings.TrimLeft(rec, "\n")
	}
	if strings.HasPrefix(rec, "\x01\x01") && p.status == "" {
		if c, ok := parseCommit(rec); ok {
			p.log.commits = append(p.log.commits, c)
		}
		return nil
	}
	at := len(p.log.commits) - 1
	switch {
	case p.status == "":
		p.status = rec
		return nil
	case p.status[0] == 'R' && p.from == "" && !combined(p.status):
		p.from = rec
		return nil
	case p.from != "":
		p.log.add(pathEvent{p.from, rec, at})
	case strings.Trim(p.status, "D") == "":
		p.log.add(pathEvent{rec, "", at})
	}
	p.status, p.from = "", ""
	return nil
}

// combined reports whether the status is that of a merge: a letter for each
// parent, and one path only.
func combined(status string) bool {
	return len(status) > 1 && (status[1] < '0' || status[1] > '9')
}

// follow goes from an event along later renames to what is there now. It returns
// the path of today, or "" and the event that ended it.
func (l *pathLog) follow(t *tree, i int32) (now string, end pathEvent) {
	e := l.events[i]
	for range 64 {
		if e.to == "" {
			return "", e
		}
		if t.has(e.to) {
			return e.to, e
		}
		next := int32(-1)
		for _, j := range l.byPath[e.to] {
			if l.events[j].commit < e.commit {
				next = j // the oldest of the newer ones
			}
		}
		if next < 0 {
			return "", pathEvent{path: e.to, commit: 0}
		}
		e = l.events[next]
	}
	return "", e
}

func (t *tree) has(p string) bool {
	found := false
	t.alike(p, func(i int32) bool {
		if t.entries[i].path == p {
			found = t.onDisk(&t.entries[i])
			return false
		}
		return true
	})
	return found
}

// find returns the newest event of a path, one of the very path before one that
// only ends with it.
func (l *pathLog) find(ref string) (int32, bool) {
	if hits := l.byPath[ref]; len(hits) > 0 {
		return hits[0], true
	}
	for _, i := range l.byStem[stem(ref)] {
		if matches(l.events[i].path, ref, true) {
			return i, true
		}
	}
	return 0, false
}

// findDir returns the newest event below a folder and the folder's full path.
func (l *pathLog) findDir(ref string) (dir string, events []int32) {
	if hits := l.under[ref]; len(hits) > 0 {
		return ref, hits
	}
	best := ""
	for d, hits := range l.under {
		if matches(d, ref, false) && (best == "" || hits[0] < l.under[best][0] || hits[0] == l.under[best][0] && d < best) {
			best = d
		}
	}
	return best, l.under[best]
}

// followDir tells where most of a folder's files went, "" where nowhere.
func (l *pathLog) followDir(t *tree, dir string, events []int32) string {
	votes := map[string]int{}
	newest := l.events[events[0]].commit
	total := 0
	for n, i := range events {
		e := l.events[i]
		if n > 1000 || e.commit != newest {
			break
		}
		total++
		now, _ := l.follow(t, i)
		tail := strings.TrimPrefix(e.path, dir)
		if to, ok := strings.CutSuffix(now, tail); ok && to != "" {
			votes[to]++
		}
	}
	best := ""
	for to, n := range votes {
		if best == "" || n > votes[best] || n == votes[best] && to < best {
			best = to
		}
	}
	if best != "" && 2*votes[best] >= total {
		return best
	}
	return ""
}
