package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

// trusting is a store that is looked through by a guard.
type trusting struct {
	c     *common // whose commands mean this store
	st    *store.Store
	s     host.Session
	guard *trust.Guard
	state *trust.Standing
}

// beside reports whether it is the store for all projects, looked at with that of
// the project.
func (t *trusting) beside() bool { return t.c.globalAt != "" }

// judge opens the notes, lets the agent's transcripts vouch for what it wrote, and
// judges all that is there.
func (c *common) judge() (*trusting, error) {
	t, err := c.trusting()
	if err != nil {
		return nil, err
	}
	if err := t.look(c); err != nil {
		release(t.st)
		return nil, err
	}
	return t, nil
}

// trusting opens the notes that the flags name, and judges nothing yet.
func (c *common) trusting() (*trusting, error) {
	st, s, _, err := c.openStore()
	if err != nil {
		return nil, err
	}
	t := &trusting{c: c, st: st, s: s}
	if t.guard, err = c.guard(); err != nil {
		release(st)
		return nil, err
	}
	t.guard.Imported = c.global != nil
	return t, nil
}

// globalTrusting opens the notes for all projects, which load in every session
// here as well; nil where there are none, where they are those that project
// names, or where --store names the notes to look at. dir is their folder, also
// when they can't be opened.
func (c *common) globalTrusting(project string) (t *trusting, dir string, err error) {
	if c.store != "" {
		return nil, "", nil
	}
	h, err := c.theHost()
	if err != nil {
		return nil, "", err
	}
	s, err := c.session()
	if err != nil {
		return nil, "", err
	}
	// What keeps it from being imported keeps nobody from looking at it.
	g, _ := globalMemory(h, s)
	if g == nil || project != "" && samePath(g.Dir, project) {
		return nil, "", nil
	}
	if _, err := os.Lstat(g.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	own := *c // its commands name another folder
	own.global, own.globalAt = g, shellPath(s, realPath(g.Dir))
	t = &trusting{c: &own, s: s}
	t.s.Store = g.Dir
	if t.guard, err = c.guard(); err == nil {
		t.guard.Imported = true
		t.st, err = c.openFolder(h, g.Dir, defusedLine(g))
	}
	if err != nil {
		return nil, g.Dir, err
	}
	return t, g.Dir, nil
}

func (t *trusting) look(c *common) error {
	if _, err := t.guard.Recognise(t.st, c.transcripts(t.s)); err != nil {
		return err
	}
	var err error
	t.state, err = t.guard.Look(t.st)
	return err
}

// transcripts finds the session logs that may have written a note: that of the
// session it names, wherever that was started, and those of this project.
func (c *common) transcripts(s host.Session) func(session string) []string {
	return func(session string) []string {
		h, err := c.theHost()
		if err != nil {
			return nil
		}
		s.Store = ""
		own, err := h.Folder(s, host.TranscriptsFolder)
		if err != nil {
			return nil
		}
		pattern := filepath.Join(globSafe(own), "*.jsonl")
		if session != "" {
			if session != filepath.Base(session) || strings.ContainsAny(session, `*?[\`) {
				return nil
			}
			pattern = filepath.Join(globSafe(filepath.Dir(own)), "*", session+".jsonl")
		}
		files, _ := filepath.Glob(pattern) // only a bad pattern is an error
		return files
	}
}

// globSafe keeps a path's own characters from being a pattern.
func globSafe(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// heldWords says why a note does not load, with its place.
func heldWords(h *trust.Held) string {
	words := make([]string, len(h.Reasons))
	for i, r := range h.Reasons {
		words[i] = r.Words
		if r.Line > 0 {
			words[i] += fmt.Sprintf(" (line %d)", r.Line)
		}
	}
	if len(words) == 0 {
		return "it waits for a decision"
	}
	return strings.Join(words, "; ")
}

// inList reports whether it is a line of the index, or of the page behind it, and
// no note.
func (t *trusting) inList(h *trust.Held) bool {
	if h.Path != store.PageName {
		return h.Path == store.IndexName
	}
	page, err := t.st.Read(h.Path)
	return err == nil && store.IsPage(h.Path, page)
}

// where names what is held.
func where(h *trust.Held) string {
	switch {
	case h.Waiting && h.Path == store.IndexName:
		return "a line of " + store.IndexName + " (waits outside the index)"
	case h.Waiting:
		return h.Path + " (waits outside the folder)"
	case h.Path == store.IndexName || h.Path == store.PageName:
		return at(h.Path, h.IndexLine)
	}
	return h.Path
}

func printHeld(out *term.Out, held []trust.Held) {
	for i := range held {
		h := &held[i]
		listed := ""
		if h.IndexLine > 0 && h.Path != store.IndexName && h.Path != store.PageName {
			listed = fmt.Sprintf(", and line %d of %s tells a session of it", h.IndexLine, store.IndexName)
		}
		// What a held note says is for a person at a terminal: out of a pipe an
		// agent may read.
		title := ""
		if out.Width > 0 {
			title = "  " + term.Safe(h.Title)
		}
		out.Line("  %s%s", out.In(term.Yellow, term.Safe(where(h))), title)
		out.Line("      origin %s%s: %s", h.Origin, listed, term.Safe(heldWords(h)))
	}
}
