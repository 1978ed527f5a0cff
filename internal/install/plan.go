// Package install adds Dormouse's hooks and its MCP server to a coding agent's own
// settings files, and takes them out again.
//
// A plan is bytes from which it was made and bytes that are to stand there, so it
// can be shown before it is carried out, and it is refused where a file holds
// others by then. Adding only ever puts bytes in, and a note in Dormouse's own
// folder says which, so that taking out gives the file back byte for byte. Without
// the note, or when somebody has changed the file since, what is Dormouse's is
// found by its content.
package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/host"
	"dormouse/internal/safefile"
)

// maxSettings is the size in bytes of the largest file that is edited. The state
// file of a client that has been used for years has a few megabytes.
const maxSettings = 64 << 20

// A Request says what is to be installed, or taken out, where.
type Request struct {
	Wiring        *host.Wiring
	Program       Program // with its host's name, also for a removal
	Hooks, Server bool    // which of the two
	Notes         *Notes
}

// A Change is a planned edit of one file.
type Change struct {
	Path   string   // links resolved
	Before []byte   // nil: there is no such file
	After  []byte   // nil: the file goes
	Did    []string // what of Dormouse comes or goes, for people
	Has    []string // what of Dormouse the file has afterwards
	// ByContent: the file was changed since it was installed, or there is no note
	// of that, so what went was found by its content.
	ByContent bool
	// Theirs are the events whose hook stood there before anything was installed;
	// it does for ours, and stays.
	Theirs []string

	key     Key
	entry   *Entry   // the note afterwards
	folders []string // that were, or would be, made for the file, the innermost first
	private bool     // a new file is for its owner alone
}

// Changed tells whether the file is to change.
func (c *Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// Plan plans an installation: one change for each file, also for those that have
// everything already. Parts that are there and were not asked for stay, and are
// called by the same program as the others afterwards. It writes nothing.
//
// Errors say which file is in the way, why, and the way out.
func Plan(r Request) ([]Change, error) {
	if err := r.Program.check(r.Wiring.Apart); err != nil {
		return nil, err
	}
	return r.each(r.install)
}

// PlanRemoval plans the way back: what Dormouse's Plan put in goes, and nothing
// else. It writes nothing.
func PlanRemoval(r Request) ([]Change, error) { return r.each(r.uninstall) }

func (r Request) each(do func(t *target, src []byte, entry *Entry, key Key) (Change, error)) ([]Change, error) {
	targets, err := r.targets()
	if err != nil {
		return nil, err
	}
	var all []Change
	for _, t := range targets {
		src, err := read(t.path)
		if err != nil {
			return nil, err
		}
		key := Key{r.Program.Host, t.path, t.where()}
		c, err := do(t, src, r.Notes.find(key), key)
		if err != nil {
			return nil, err
		}
		if c.Changed() {
			if err := writable(t.path, c.Before); err != nil {
				return nil, err
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// targets are the files that the request is about. Where hooks and servers stand
// in one file, it is one target, and knows of both.
func (r Request) targets() ([]*target, error) {
	hooks, err := resolve(r.Wiring.Hooks)
	if err != nil {
		return nil, err
	}
	servers, err := resolve(r.Wiring.Server)
	if err != nil {
		return nil, err
	}
	known := r.Notes.programs()
	if r.Program.Path != "" {
		known = append(known, r.Program.Path)
	}
	make := func(path string, hooks, server *host.Place) *target {
		p := hooks
		if p == nil {
			p = server
		}
		return &target{wiring: r.Wiring, path: path, toml: p.TOML, place: p, goos: r.Program.OS, hooks: hooks, server: server, known: known}
	}
	if hooks == servers {
		return []*target{make(hooks, &r.Wiring.Hooks, &r.Wiring.Server)}, nil
	}
	var all []*target
	if r.Hooks {
		all = append(all, make(hooks, &r.Wiring.Hooks, nil))
	}
	if r.Server {
		all = append(all, make(servers, nil, &r.Wiring.Server))
	}
	return all, nil
}

// where tells this target's note from others of one file.
func (t *target) where() []string {
	if t.server != nil {
		return t.server.Keys
	}
	return t.hooks.Keys
}

// wanted are the parts of the request that a target can have.
func (r Request) wanted(t *target) parts {
	return parts{r.Hooks && t.hooks != nil, r.Server && t.server != nil}
}

func (r Request) install(t *target, src []byte, entry *Entry, key Key) (Change, error) {
	if err := cmp.Or(t.refuse(src), t.unread(src)); err != nil {
		return Change{}, err
	}
	f, err := t.look(src)
	if err != nil {
		return Change{}, fmt.Errorf("%s is left as it is: %w", t.path, err)
	}
	t.setApart(&f, entry, r.Program)
	want, has := r.wanted(t), f.has()
	if want.server && f.another != "" {
		return Change{}, fmt.Errorf("%s has a server named %s already that is not Dormouse (%s): rename or remove it, or install with --hooks-only", t.path, name, f.another)
	}
	want = parts{want.hooks || has.hooks, want.server || has.server}
	c := Change{Path: t.path, Before: src, After: src, Has: t.says(want, f), Theirs: events(f.theirs), key: key, entry: entry, private: !r.Wiring.Shared}
	if t.complete(f, want, r.Program) {
		return c, nil
	}
	base, exact, err := t.strip(src, f, entryAdded(entry))
	if err != nil {
		return Change{}, fmt.Errorf("%s is left as it is: %w", t.path, err)
	}
	after, added, err := t.add(base, f, want, r.Program)
	if err != nil {
		return Change{}, fmt.Errorf("%s is left as it is: %w; mend it first", t.path, err)
	}
	c.After, c.ByContent = after, f.any() && !exact
	c.Did = slices.Clone(c.Has)
	for _, p := range f.programs() {
		if p != r.Program.Path {
			c.Did = append(c.Did, "in place of "+p)
		}
	}
	c.entry = &Entry{Key: key, Added: added, New: src == nil, Folders: missing(filepath.Dir(t.path)), Programs: []string{r.Program.Path}, Theirs: c.Theirs}
	if entry != nil && src != nil {
		c.entry.New, c.entry.Folders = entry.New, entry.Folders
	}
	c.folders = c.entry.Folders
	return c, nil
}

func (r Request) uninstall(t *target, src []byte, entry *Entry, key Key) (Change, error) {
	c := Change{Path: t.path, Before: src, After: src, key: key, private: !r.Wiring.Shared}
	if err := t.refuse(src); err != nil {
		return Change{}, err
	}
	f, err := t.look(src)
	if err != nil {
		return Change{}, fmt.Errorf("%s is left as it is: %w", t.path, err)
	}
	t.setApart(&f, entry, Program{})
	if c.Theirs = events(f.theirs); len(f.theirs) > 0 {
		c.entry = &Entry{Key: key, Programs: entry.Programs, Theirs: c.Theirs} // it is to be known the next time
	}
	want, has := r.wanted(t), f.has()
	rest := parts{has.hooks && !want.hooks, has.server && !want.server}
	if rest == has { // there is nothing of it
		c.Has = t.says(rest, f)
		if rest != (parts{}) {
			c.entry = entry
		}
		return c, nil
	}
	base, exact, err := t.strip(src, f, entryAdded(entry))
	if err != nil {
		return Change{}, fmt.Errorf("%s is left as it is: %w; take it out by hand", t.path, err)
	}
	c.After, c.ByContent, c.Has = base, !exact, t.says(rest, f)
	c.Did = t.says(parts{has.hooks && want.hooks, has.server && want.server}, f)
	if rest != (parts{}) {
		p := r.Program
		p.Path = f.programs()[0]
		after, added, err := t.add(base, f, rest, p)
		if err != nil {
			return Change{}, fmt.Errorf("%s is left as it is: %w", t.path, err)
		}
		c.After, c.entry = after, &Entry{Key: key, Added: added, Programs: []string{p.Path}, Theirs: c.Theirs}
		if entry != nil {
			c.entry.New, c.entry.Folders = entry.New, entry.Folders
		}
		return c, nil
	}
	if entry != nil && entry.New && t.nothing(base) {
		c.After, c.folders = nil, entry.Folders
	}
	return c, nil
}

func entryAdded(e *Entry) *Added {
	if e == nil {
		return nil
	}
	return &e.Added
}

// says names parts for people.
func (t *target) says(p parts, f found) []string {
	var all []string
	if p.hooks {
		all = append(all, fmt.Sprintf("%d hooks", len(t.wiring.Events)-len(events(f.theirs))))
	}
	if p.server {
		all = append(all, "the MCP server "+name)
	}
	return all
}

// read reads a settings file; nil is one that is not there.
func read(path string) ([]byte, error) {
	b, _, err := safefile.Read(path, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w; mend it or move it away first", err)
	case b == nil:
		b = []byte{}
	}
	return b, nil
}

// resolve follows links: a file is changed where it is. A project's own may not
// lead out of it.
func resolve(p host.Place) (string, error) {
	real, err := follow(p.Path)
	if err != nil || p.Within == "" {
		return real, err
	}
	within, err := filepath.EvalSymlinks(p.Within)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(within, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is a link that leads out of the project, to %s, and is left as it is: remove the link first", p.Path, real)
	}
	return real, nil
}

func follow(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return real, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s cannot be followed to a file: %w; mend it or move it away first", path, err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%s is a link to nothing; mend or remove the link first", path)
	}
	// Of a file that is not there yet, the folder may be a link.
	dir := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return filepath.Join(real, filepath.Base(path)), nil
	}
	if dir == filepath.Dir(dir) {
		return path, nil
	}
	real, err = follow(dir)
	return filepath.Join(real, filepath.Base(path)), err
}

// writable refuses a file that its owner has closed, though replacing it would
// go through, and a folder whose own folder is not there.
func writable(path string, before []byte) error {
	if before == nil {
		dir := filepath.Dir(filepath.Dir(path))
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s cannot be made: the folder %s is not there", path, dir)
		}
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only and is left as it is: make it writable first, or add the entries where that file is made from (--dry-run prints them)", path)
	}
	return nil
}

// missing lists the folders that have to be made, the innermost first.
func missing(dir string) []string {
	var all []string
	for {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return slices.Clip(all)
		}
		all = append(all, dir)
		dir = filepath.Dir(dir)
	}
}
