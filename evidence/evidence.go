// Package evidence checks what a note says of a repository against the
// repository: paths, symbols, commands, branches, hosts and versions that it
// names. What the repository had once and has no more is evidence that the note
// is stale; what can't be found and was never there is not, or a weak one.
//
// It reads the working tree and asks git for its history. It writes nothing, and
// runs nothing that the repository could have chosen: no hooks, no filters, no
// pagers, no external programs of a repository's configuration.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Kind is a kind of thing that a text names.
type Kind string

// The kinds.
const (
	Path    Kind = "path"    // src/old/auth.go, docs/, `config.toml`
	Symbol  Kind = "symbol"  // `ParseIndex`, `Store.Open()`, `MAX_RETRIES`
	Command Kind = "command" // `npm run lint`, `make deploy`, `go run ./cmd/x`, `cargo xtask y`
	Branch  Kind = "branch"  // branch `release-2`, origin/dev, tag v1.2
	Host    Kind = "host"    // of a URL
	Version Kind = "version" // "uses Go 1.21", "React 17", "requires node 16"
)

// A Ref is something checkable that a text names.
type Ref struct {
	Kind         Kind
	Text         string // as it stands, without marks around it
	Line, Column int    // 1-based; columns in runes
	Start, End   int    // bytes of the text
}

// A State tells how the repository stands to a Ref.
type State string

// The states. Only Gone, Moved and Differs are evidence against a note; Never is
// a weak one.
const (
	Present   State = "present"
	Gone      State = "gone"      // it was there, and a commit removed it
	Moved     State = "moved"     // a commit renamed it; Now has the new name
	Differs   State = "differs"   // a version or host: Now has what the repository says today
	Elsewhere State = "elsewhere" // on another branch only
	Never     State = "never"     // the repository has and had nothing of that name, though it has its neighbours
	Unknown   State = "unknown"   // can't be told
)

// A Text is one text to check.
type Text struct {
	Name string // a path, for a person
	Body string
}

// A Finding is a Ref that is not Present, or that can't be told to be.
type Finding struct {
	Text  int // index of the text
	Ref   Ref
	State State
	Now   string // the new path, the version or host of today; "" where there is none
	Why   string // whole words for a person: "removed in 3f2a1bc (2026-04-02): drop the old auth"
	Stamp string // the commit that decided, abbreviated; "" without one
}

// Checked is what a check looked at.
type Checked struct {
	Findings []Finding // in the order of texts and places; none that are Present
	Refs     int       // things looked up; of what is not in the tree only where there is a history to ask
	ByKind   map[Kind]int
	// NoHistory is why the past could not be asked, or not all of it; "" where it
	// could. Then nothing can be told to be Gone or Moved.
	NoHistory string
}

// A Repo is a repository, or a folder that is none, to check against. It can be
// used by several goroutines at once.
type Repo struct {
	root string // absolute, links resolved
	git  *gitRepo
	why  string // why git can't be asked, "" where it can
}

// Open looks at the repository that a folder is the root of, or lies in. A folder
// outside git can be checked too, but then nothing is Gone or Moved. Of the
// environment git gets PATH, HOME and TMPDIR, beside what keeps it harmless. It
// fails where root is no folder.
func Open(root string, getenv func(string) string) (*Repo, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("look at the repository: %w", err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("look at the repository: %w", err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("look at the repository: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("look at the repository: %s: %w", abs, errNoFolder)
	}
	r := &Repo{root: abs}
	r.git, r.why = openGit(abs, getenv)
	return r, nil
}

var errNoFolder = errors.New("is not a folder")

// Check looks everything up that the texts name, all in one go: one look at the
// tree, one pass over its files where symbols or hosts are asked for, one question
// to git's history for each kind of which something is missing.
//
// It fails only where ctx ends. What git can't tell is Unknown, with the reason.
func (r *Repo) Check(ctx context.Context, texts []Text) (*Checked, error) {
	k := r.check()
	defer k.close()
	// Git lists the tree while the texts are read.
	looked := make(chan error, 1)
	if len(texts) > 0 {
		go func() { looked <- k.look(ctx, r.root, false) }()
	} else {
		looked <- nil
	}
	asked := collect(texts)
	if err := <-looked; err != nil {
		return nil, err
	}
	if len(asked.refs) > 0 {
		if err := k.judge(ctx, asked); err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
	}
	out := asked.result(texts, k)
	out.NoHistory = k.blind()
	return out, nil
}

// blind tells why the history can't be asked, or not to its end.
func (k *check) blind() string {
	switch {
	case k.git == nil:
		return k.why
	case k.git.shallow:
		return "the clone is shallow, so most of its history is not here"
	}
	return ""
}

// check is the state of one Check.
type check struct {
	git  *gitRepo
	why  string // why git can't be asked
	tree *tree

	log     *pathLog
	read    manifests
	readBuf []byte
	disk    *folders
	endings map[string]bool // what hasEnding found
}

// close gives the folders back that are open.
func (k *check) close() {
	if k.disk != nil {
		k.disk.close()
	}
}

// placed is a Ref and the text that it is of.
type placed struct {
	text int
	ref  Ref
}

// question is all that is asked, each thing once.
type question struct {
	refs  []placed
	kinds map[Kind]map[string]verdict
}

// collect reads the texts, on as many goroutines as files are read on later.
func collect(texts []Text) *question {
	found := make([][]Ref, len(texts))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range scanWorkers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(texts); i = int(next.Add(1)) - 1 {
				found[i] = Refs(texts[i].Body)
			}
		})
	}
	wg.Wait()
	q := &question{kinds: map[Kind]map[string]verdict{}}
	for i, refs := range found {
		for _, r := range refs {
			q.refs = append(q.refs, placed{i, r})
			m := q.kinds[r.Kind]
			if m == nil {
				m = map[string]verdict{}
				q.kinds[r.Kind] = m
			}
			m[r.Text] = verdict{}
		}
	}
	return q
}

func (q *question) result(texts []Text, k *check) *Checked {
	c, t, blind := &Checked{ByKind: map[Kind]int{}}, k.tree, k.blind() != ""
	for _, p := range q.refs {
		v := q.kinds[p.ref.Kind][p.ref.Text]
		if v.skip {
			continue
		}
		if !blind || v.state != Unknown {
			c.Refs++
			c.ByKind[p.ref.Kind]++
		}
		if v.state == Never && ofElsewhere(texts[p.text].Body, p.ref.Start, p.ref.End, t.dirs) {
			v = unknown("neither in the tree nor in its history, and the text speaks of another place")
		}
		if (v.state == Gone || v.state == Moved) && ofAnotherRepository(p.ref.Kind, texts[p.text].Body, p.ref.Start, p.ref.End) {
			v = unknown("not in the tree any more, and the text speaks of another repository")
		}
		if v.state == Never && madeAnew(texts[p.text].Body, p.ref.Start, p.ref.End) {
			v = unknown("neither in the tree nor in its history, and the text says that it is made anew and not kept")
		}
		if v.state != Present {
			c.Findings = append(c.Findings, Finding{Text: p.text, Ref: p.ref, State: v.state, Now: v.now, Why: v.why, Stamp: v.stamp})
		}
	}
	return c
}

// look lists the tree, by git or, where that does not answer, by walking it. New
// files, which git lists at a higher cost, are only in it with all set.
func (k *check) look(ctx context.Context, root string, all bool) error {
	if k.git != nil {
		err := k.list(ctx, root, all)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("check: %w", ctx.Err())
		}
		k.git, k.why = nil, refusal(err)
	}
	k.tree = newTree(root, "")
	if err := k.tree.walk(ctx, root); err != nil {
		return fmt.Errorf("check: list the files: %w", err)
	}
	return nil
}

// list reads git's index, and with all set what is new beside it, while git tells
// of the state of the checkout.
func (k *check) list(ctx context.Context, root string, all bool) error {
	prefix := ""
	if rel, err := filepath.Rel(k.git.top, root); err == nil && rel != "." {
		prefix = filepath.ToSlash(rel) + "/"
	}
	k.tree = newTree(k.git.top, prefix)
	var others func() []string
	if all {
		others = k.startOthers(ctx)
	}
	state := make(chan error, 1)
	go func() { state <- k.git.look(ctx) }()
	err := k.git.listTracked(ctx, k.tree)
	if lookErr := <-state; lookErr != nil {
		err = lookErr
	}
	if all {
		k.addOthers(others())
	}
	return err
}

// startOthers lets git list what is new, and returns how to wait for it. Without
// its answer new files are looked up one by one on the disk.
func (k *check) startOthers(ctx context.Context) func() []string {
	git, others := *k.git, make(chan []string, 1)
	go func() {
		var names []string
		_ = git.listOthers(ctx, func(name string) error {
			if len(names) < maxWalk {
				names = append(names, name)
			}
			return nil
		})
		others <- names
	}()
	return func() []string { return <-others }
}

func (k *check) addOthers(names []string) {
	for _, name := range names {
		k.tree.add(entry{path: strings.TrimSuffix(name, "/"), dir: strings.HasSuffix(name, "/")})
	}
}

// judge decides on everything that was asked. The files that paths name are read
// first: mostly they hold the symbols that the same text names, and the others
// needn't be read then. What git knows of new files and of the history is only
// asked for where something is missing.
func (k *check) judge(ctx context.Context, q *question) error {
	w := wordsOf(q.kinds[Symbol], q.kinds[Host])
	k.lookNamed(ctx, q.kinds[Path], w)
	missing := k.lookNames(q)
	var others func() []string
	if missing.some && k.git != nil {
		others = k.startOthers(ctx)
	}
	k.scanTree(ctx, k.tree.from(0), w.symbols, w.hosts)
	if others == nil && w.open() && k.git != nil {
		others = k.startOthers(ctx)
	}
	if others != nil {
		first := len(k.tree.entries)
		k.addOthers(others())
		k.scanTree(ctx, k.tree.from(first), w.symbols, w.hosts)
		if len(k.tree.entries) > first {
			missing = k.lookNames(q)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// Two questions to the history at once share nothing that either writes.
	words := make(chan error, 1)
	go func() { words <- k.judgeWords(ctx, w, q.kinds[Symbol], q.kinds[Host]) }()
	err := k.judgeNames(ctx, q, missing)
	return errors.Join(err, <-words)
}

// lookNamed looks at the files that paths name: at what they hold where words are
// asked for, and else whether they are there.
func (k *check) lookNamed(ctx context.Context, paths map[string]verdict, w *wanted) {
	var named []int32
	for text := range paths {
		if p, dirOnly, ok := k.normal(text); ok {
			for _, i := range k.tree.find(p, dirOnly) {
				if e := &k.tree.entries[i]; !e.dir && !e.sparse {
					named = append(named, i)
				}
			}
		}
	}
	slices.Sort(named)
	named = slices.Compact(named)
	k.scanTree(ctx, named, w.symbols, w.hosts)
	k.tree.visit(ctx, named, 0, func(d *folders, _ []byte, i int32) bool {
		if e := &k.tree.entries[i]; e.there == notLooked {
			e.there = isGone
			if _, _, _, ok := d.stat(e.path); ok {
				e.there = isThere
			}
		}
		return true
	})
}

// missingNames are the paths and commands that the tree of today has not.
type missingNames struct {
	paths, commands map[string]verdict
	some            bool // something of any kind is not as the texts say
}

// lookNames decides by the tree on paths, commands and versions.
func (k *check) lookNames(q *question) missingNames {
	m := missingNames{paths: map[string]verdict{}, commands: map[string]verdict{}}
	for text := range q.kinds[Path] {
		v, done := k.lookPath(text)
		q.kinds[Path][text] = v
		if !done {
			m.paths[text] = v
		}
	}
	for text := range q.kinds[Command] {
		q.kinds[Command][text] = present()
		if t, ok := parseCommand(text); ok && !k.lookCommand(t) {
			m.commands[text] = verdict{}
		}
	}
	k.judgeVersions(q.kinds[Version])
	m.some = len(m.paths)+len(m.commands) > 0
	for _, v := range q.kinds[Version] {
		m.some = m.some || v.state != Present
	}
	return m
}

// judgeNames decides on all but symbols and hosts.
func (k *check) judgeNames(ctx context.Context, q *question, missing missingNames) error {
	if err := k.judgePaths(ctx, missing.paths); err != nil {
		return err
	}
	merge(q.kinds[Path], missing.paths)
	if err := k.judgeCommands(ctx, missing.commands); err != nil {
		return err
	}
	merge(q.kinds[Command], missing.commands)
	return k.judgeBranches(ctx, q.kinds[Branch])
}

func merge(into, from map[string]verdict) {
	for text, v := range from {
		into[text] = v
	}
}

// pathLog reads the history of paths, once.
func (k *check) pathLog(ctx context.Context) (*pathLog, error) {
	if k.log == nil {
		log, err := k.git.readPathLog(ctx)
		if err != nil {
			return nil, err
		}
		k.log = log
	}
	return k.log, nil
}

// orUnknown turns a failure of git into Unknown for all that was asked, and the
// end of ctx into an error.
func (k *check) orUnknown(ctx context.Context, all map[string]verdict, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for text := range all {
		all[text] = unknown(refusal(err))
	}
	return nil
}

// noHistory tells why nothing can be said of the past.
func (k *check) noHistory() string {
	if k.git == nil {
		return "not in the tree; " + k.why
	}
	return "not in the tree; the repository has no commits yet"
}
