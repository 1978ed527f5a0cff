package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dormouse/draft"
	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// maxText is how much is read from standard input, in bytes. A note is one fact;
// the store takes no larger one either.
const maxText = note.MaxBytes

const noteEnding = ".md"

// text is what to remember: the words of the command line, or standard input.
func (o *rememberOptions) text(cmd *cobra.Command, args []string) (string, error) {
	text := strings.Join(args, " ")
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		if len(args) == 0 && isTerminal(o.io.In) {
			_ = cmd.Help()
			return "", usageError{errors.New("remember what? Give a text, or - to type it in")}
		}
		b, err := io.ReadAll(io.LimitReader(o.io.In, maxText+1))
		if err != nil {
			return "", fmt.Errorf("standard input cannot be read: %w", err)
		}
		text = string(b)
	}
	switch {
	case len(text) > maxText:
		return "", fmt.Errorf("the text is longer than %d bytes: a note is one fact; keep the text in a file and remember where it is", maxText)
	case !utf8.ValidString(text):
		return "", errors.New("the text is not UTF-8: the agent could not read it; convert it first, for instance with iconv")
	case strings.IndexByte(text, 0) >= 0:
		return "", errors.New("the text has a NUL byte in it, which no note can hold: remove it, or remember where the file is")
	case strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "":
		return "", usageError{errors.New("there is nothing to remember: the text is blank; give one, or - to type it in (see dormouse remember --help)")}
	}
	return text, nil
}

// place is where the note goes: a store, and whose session should see it.
type place struct {
	c       *common
	st      *store.Store
	host    host.Host
	session host.Session
	global  *host.GlobalMemory // nil: a store of one project
	given   bool               // by --store
	guard   *trust.Guard

	known []draft.Known
	taken map[string]bool // file names in lower case
	index []byte
}

// open opens the store that the flags name and makes nothing.
func (o *rememberOptions) open() (*place, error) {
	h, err := o.theHost()
	if err != nil {
		return nil, err
	}
	keeper, ok := h.(host.Keeper)
	if !ok && (o.store == "" || o.global) {
		return nil, fmt.Errorf("the memory of %s cannot be written from here; name a folder of notes with --store DIR", h.Title())
	}
	p := &place{c: o.common, host: h, given: o.store != ""}
	if o.store != "" && ok {
		s, err := o.session()
		if err != nil {
			return nil, err
		}
		o.findGlobal(h, s, s.Store)
	}
	if o.global || o.common.global != nil {
		return p, o.openGlobal(p, keeper)
	}
	p.st, p.session, _, err = o.openStore()
	return p, err
}

func (o *rememberOptions) openGlobal(p *place, keeper host.Keeper) error {
	s, err := o.session()
	if err != nil {
		return err
	}
	s.Store = ""
	rep, err := keeper.Startup(s)
	if err != nil {
		return err
	}
	if !rep.Mem.On {
		return o.memoryOff(keeper, s, rep)
	}
	if o.by(s).Actor == store.Agent {
		return errAgentGlobal
	}
	if p.global, err = keeper.Global(s); err != nil {
		return err
	}
	o.common.global, o.globalAt, p.session = p.global, shellPath(s, realPath(p.global.Dir)), s
	p.st, err = o.openFolder(keeper, p.global.Dir, defusedLine(p.global))
	return err
}

// limits are those of the store's index; zero without any.
func (p *place) limits() store.Limits {
	if k, ok := p.host.(host.Keeper); ok {
		return k.IndexLimits()
	}
	return store.Limits{}
}

// defused is a text as the index can hold it.
func (p *place) defused(text string) string {
	if p.global != nil {
		return p.global.Defuse(text)
	}
	return text
}

// read learns which notes there are.
func (p *place) read() error {
	items, err := listNotes(p.st)
	if err != nil {
		return err
	}
	p.taken = map[string]bool{}
	pages := map[string]bool{} // they list notes, and are on no matter of their own
	for _, it := range items {
		pages[it.Page] = true
	}
	for _, it := range items {
		p.taken[strings.ToLower(it.Rel)] = true
		if it.Note == nil || pages[it.Rel] {
			continue
		}
		p.known = append(p.known, draft.Known{
			File: it.Rel, Name: it.Note.Name(), Description: it.Note.Description(), Type: it.Note.Type(), Body: string(it.Note.Body()),
		})
	}
	return p.readIndex()
}

// readIndex reads the index as it is now; without one it is empty.
func (p *place) readIndex() error {
	b, err := p.st.Read(store.IndexName)
	if errors.Is(err, store.ErrNoNote) {
		b, err = nil, nil
	}
	p.index = b
	return err
}

// lineOf finds the line of the index that names a note; 0 without one.
func lineOf(index, file string) (n int, text string) {
	for _, e := range note.ParseIndex(index) {
		for _, f := range e.Files {
			if f == file {
				return e.Line, e.Text
			}
		}
	}
	return 0, ""
}

// sameNote is a note that is there on the same matter.
type sameNote struct {
	File        string  `json:"file"`
	Name        string  `json:"name"` // what other commands know it by
	Description string  `json:"description"`
	Kind        string  `json:"kind"`
	Score       float64 `json:"score"`
	Why         string  `json:"why"`
	Line        int     `json:"line,omitempty"` // of the index
	Text        string  `json:"text,omitempty"` // that line
}

// same finds the notes on the matter of a text; none when a second is wanted.
func (p *place) same(text string, again bool) []sameNote {
	out := []sameNote{}
	if again {
		return out
	}
	for _, m := range draft.Same(text, p.known) {
		s := sameNote{File: m.File, Name: strings.TrimSuffix(m.File, noteEnding), Kind: m.Kind.String(), Score: m.Score, Why: m.Why}
		for _, k := range p.known {
			if k.File == m.File {
				s.Description = k.Description
			}
		}
		s.Line, s.Text = lineOf(string(p.index), m.File)
		out = append(out, s)
	}
	return out
}

// writeImport makes the user's instructions import the index, where they do not.
func (o *rememberOptions) writeImport(p *place, reps []*rememberReport) error {
	if p.global == nil {
		return nil
	}
	added, err := o.addImport(p)
	for i, r := range reps {
		r.Import = &importReport{Path: p.global.Import.Path, Line: p.global.Line, Added: added && i == len(reps)-1}
	}
	if added && p.global.Advice != "" {
		reps[len(reps)-1].say("%s", p.global.Advice)
	}
	return err
}

// addImport tells whether the import was not there before.
func (o *rememberOptions) addImport(p *place) (added bool, err error) {
	const tries = 5
	for try := 1; ; try++ {
		ch := p.global.Import
		if ch.Before != nil && string(ch.Before) == string(ch.After) {
			return false, nil
		}
		if o.dryRun {
			return true, nil
		}
		err := atomicfile.Replace(ch.Path, ch.Before, ch.After)
		if err == nil {
			return true, nil
		}
		line := p.global.Line
		if errors.Is(err, atomicfile.ErrChanged) && try < tries {
			if p.global, err = p.host.(host.Keeper).Global(p.session); err == nil {
				continue
			}
		}
		return false, fmt.Errorf("the note is written, but no session sees it yet: %w; put the line %s there yourself", err, line)
	}
}
