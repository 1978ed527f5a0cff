package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

// trusting is a store that is looked through by a guard.
type trusting struct {
	st    *store.Store
	s     host.Session
	guard *trust.Guard
	state *trust.Standing
}

// look opens the notes, lets the agent's transcripts vouch for what it wrote, and
// judges all that is there.
func (c *common) judge() (*trusting, error) {
	st, s, _, err := c.openStore()
	if err != nil {
		return nil, err
	}
	t := &trusting{st: st, s: s}
	if t.guard, err = c.guard(); err == nil {
		err = t.look(c)
	}
	if err != nil {
		release(st)
		return nil, err
	}
	return t, nil
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
	return strings.Join(words, "; ")
}

// where names what is held.
func where(h *trust.Held) string {
	switch {
	case h.Waiting:
		return h.Path + " (waits outside the folder)"
	case h.Path == store.IndexName:
		return at(h.Path, h.IndexLine)
	}
	return h.Path
}

func printHeld(out *term.Out, held []trust.Held) {
	for i := range held {
		h := &held[i]
		listed := ""
		if h.IndexLine > 0 && h.Path != store.IndexName {
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
