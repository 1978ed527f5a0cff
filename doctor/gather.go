package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/claim"
	"dormouse/frontmatter"
	"dormouse/internal/safefile"
	"dormouse/startup"
	"dormouse/store"
)

// doc is one instruction file: what it holds on the disk.
type doc struct {
	path  string
	scope startup.Scope
	text  string // whole, without a byte order mark
	mark  bool   // there was one
	body  string // without front matter
	line  int    // of the body's first line in the file, 1-based
	loads bool   // at start
	rule  bool   // it lies in a folder of rules
}

// maxDoc is the size in bytes of the largest instruction file that is looked
// through; the client loads none that is larger.
const maxDoc = 4 << 20

func gather(ctx context.Context, in Input) (*check, error) {
	rep := in.Startup
	c := &check{in: in, ctx: ctx, rep: rep, root: rootOf(rep), info: map[string]Rule{}, claims: map[string][]claim.Claim{}}
	for _, r := range Rules() {
		c.info[r.ID] = r
	}
	c.out = &Report{
		Host: rep.Host, Project: rep.Cwd, Root: rep.Root,
		Findings: []Finding{}, Suppressed: []Suppressed{}, Ages: []Age{}, Tokens: []Weight{},
	}
	c.out.Checked.Rules = len(c.info)
	c.out.Skipped = append(c.out.Skipped, in.Skipped...)
	c.readDocs()
	if in.Store != nil {
		if err := c.readStore(in.Store); err != nil {
			return nil, err
		}
	}
	if in.Store == nil && in.Unsafe == nil && rep.Mem.On && len(in.Skipped) == 0 {
		c.skip("notes: there is no memory folder yet")
	}
	c.weigh()
	c.repo = in.Repo
	return c, nil
}

func (c *check) skip(format string, args ...any) {
	c.out.Skipped = append(c.out.Skipped, fmt.Sprintf(format, args...))
}

// readDocs reads the instruction files that load at start, later, or on a
// condition.
func (c *check) readDocs() {
	seen := map[string]bool{}
	take := func(path string, scope startup.Scope, loads, rule bool) {
		if !filepath.IsAbs(path) || scope == startup.Memory || seen[path] {
			return
		}
		seen[path] = true
		b, _, err := safefile.Read(path, maxDoc)
		if err != nil {
			return // the report says so
		}
		d := doc{path: path, scope: scope, text: strings.TrimPrefix(string(b), "\ufeff"), mark: strings.HasPrefix(string(b), "\ufeff"), loads: loads, rule: rule}
		block, _ := frontmatter.Split(d.text)
		d.body, d.line = block.Body, 1+strings.Count(d.text[:len(d.text)-len(block.Body)], "\n")
		c.docs = append(c.docs, d)
	}
	for i := range c.rep.Loaded {
		f := &c.rep.Loaded[i]
		take(f.Path, f.Scope, true, f.Reason == startup.ByRule)
	}
	for i := range c.rep.After {
		f := &c.rep.After[i]
		take(f.Path, f.Scope, false, f.Reason == startup.ByRuleMatch)
	}
	for _, l := range c.rep.Left {
		if l.Reason == startup.NotRuleWaiting || l.Reason == startup.NotRuleBroken {
			take(l.Path, l.Scope, false, true)
		}
	}
	c.out.Checked.Instructions = len(c.docs)
}

func (c *check) readStore(st *store.Store) error {
	c.dir, c.out.Store = st.Dir(), st.Dir()
	items, err := st.List()
	c.items = items
	if err != nil && items == nil {
		return err
	}
	c.index, err = st.Read(store.IndexName)
	if _, lerr := os.Lstat(c.indexPath()); errors.Is(err, store.ErrNoNote) && lerr == nil {
		err = errors.New("it is a link to nothing, or no file")
	}
	if err != nil && (!errors.Is(err, store.ErrNoNote) || c.index != nil || exists(c.indexPath())) {
		c.add("index-unreadable", Place{Path: filepath.Join(c.dir, store.IndexName)}, "", "%s can't be read: %v", store.IndexName, err)
	}
	c.out.Checked.Notes = len(items)
	c.out.Checked.IndexLines = strings.Count(string(c.index), "\n")
	if len(c.index) > 0 && c.index[len(c.index)-1] != '\n' {
		c.out.Checked.IndexLines++
	}
	return nil
}

// weigh lists what loads by its tokens.
func (c *check) weigh() {
	for i := range c.rep.Loaded {
		f := &c.rep.Loaded[i]
		c.out.Tokens = append(c.out.Tokens, Weight{f.Path, f.Tokens})
	}
	slices.SortStableFunc(c.out.Tokens, func(a, b Weight) int {
		return cmp.Or(b.Tokens-a.Tokens, strings.Compare(a.Path, b.Path))
	})
}

// notePath is a note's absolute path.
func (c *check) notePath(rel string) string { return filepath.Join(c.dir, filepath.FromSlash(rel)) }

// note yields the notes that could be read, but for the page that continues the
// index.
func (c *check) notes(visit func(it *store.Item)) {
	for i := range c.items {
		it := &c.items[i]
		if it.Note != nil && !store.IsPage(it.Rel, it.Note.Bytes()) {
			visit(it)
		}
	}
}

// live are the notes that still hold: not those that say of themselves that
// another one took their place, which are kept to be brought back.
func (c *check) live(visit func(it *store.Item)) {
	c.notes(func(it *store.Item) {
		if !superseded(it) {
			visit(it)
		}
	})
}

func superseded(it *store.Item) bool {
	if it.Note == nil {
		return false
	}
	_, by := it.Note.Text("superseded_by")
	_, at := it.Note.Text("invalid_at")
	return by || at
}
