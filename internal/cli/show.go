package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dormouse/frontmatter"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
)

type showOptions struct {
	*common
	raw bool
}

func newShow(c *common) *cobra.Command {
	o := &showOptions{common: c}
	cmd := &cobra.Command{
		Use:   "show NOTE[@ID]",
		Short: "Print a note: its exact bytes, or on a terminal what is known of it too",
		Long: `Prints a note's exact bytes into a pipe. On a terminal it first says where the note
stands, how old it is and who changed it last, and shows hidden and control characters
as escapes. NOTE is a path, a file name with or without .md, or the name in the note;
MEMORY.md is the index. NOTE@ID is the note as it was after change ID, see
dormouse history.

Exit status: 0; 1 when there is no such note; 2 for wrong use.`,
		Example: `  dormouse show feedback_tests
  dormouse show feedback_tests.md@12 > old.md
  dormouse show feedback_tests --json | jq .links`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneNote(cmd, args); err != nil {
				return err
			}
			if o.raw && o.json {
				return usageError{errors.New("--raw prints the bytes: it does not go with --json")}
			}
			return runShow(o, args[0])
		},
	}
	cmd.Flags().BoolVar(&o.raw, "raw", false, "the exact bytes, also on a terminal")
	return cmd
}

// oneNote refuses anything but one argument.
func oneNote(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usageError{fmt.Errorf("%s takes one note, but got %s (see dormouse list)", cmd.CommandPath(), count(len(args), "word"))}
	}
	return nil
}

// shown is a note as show prints it.
type shown struct {
	File string `json:"file"`
	At   int    `json:"at,omitempty"`   // the change after which it was so; 0: now
	Text string `json:"text,omitempty"` // of a file that is no note: the index
	UTF8 bool   `json:"utf8"`           // false: what is printed here is not byte by byte what stands there
	age
	Size     int64        `json:"size"` // bytes
	Fields   []shownField `json:"fields"`
	Body     string       `json:"body"`
	BodyLine int          `json:"body_line"` // 1-based line on which the body begins
	Problems []shownLine  `json:"problems"`
	Links    []shownLink  `json:"links"`
	Line     int          `json:"index_line"` // as it is now; 0: none
	Page     string       `json:"page,omitempty"`
	Loads    bool         `json:"loads"`
	Changed  *shownChange `json:"last_change,omitempty"` // what the journal knows

	kind string // the note's type
}

type shownField struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // text; true or false; a list; a map; a number as it is written
	Line  int    `json:"line"`
}

type shownLine struct {
	Line int    `json:"line,omitempty"`
	What string `json:"what"`
}

type shownLink struct {
	Target string `json:"target"`
	File   string `json:"file,omitempty"` // slash path below the store
	Line   int    `json:"line"`
}

// shownChange is the last change of a file in the journal; Since tells that the
// file is not any more as that change left it.
type shownChange struct {
	ID      int    `json:"id"`
	Time    string `json:"time"` // UTC
	Actor   string `json:"actor"`
	Session string `json:"session,omitempty"`
	Op      string `json:"op"`
	Since   bool   `json:"changed_since"`

	when, who string // for people
}

func runShow(o *showOptions, word string) error {
	st, s, rep, err := o.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	v, err := versionOf(st, word)
	if err != nil {
		return err
	}
	b, err := bytesAt(st, v)
	if err != nil {
		return err
	}
	if o.raw || !o.json && !isTerminal(o.io.Out) {
		_, err = o.out.Write(b)
		return err
	}
	sh, err := o.describe(st, o.toldOf(st, s, rep), v, b)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(o.out, sh)
	}
	printShown(o.people(), sh, b)
	return nil
}

// bytesAt reads a version. A note that is gone now is found by what the journal
// keeps only when a change is named.
func bytesAt(st *store.Store, v version) ([]byte, error) {
	if v.id == 0 {
		return st.Read(v.rel)
	}
	return st.At(v.rel, v.id)
}

func (o *showOptions) describe(st *store.Store, told told, v version, b []byte) (*shown, error) {
	sh := &shown{
		File: v.rel, At: v.id, UTF8: utf8.Valid(b), Size: int64(len(b)),
		Fields: []shownField{}, Problems: []shownLine{}, Links: []shownLink{},
	}
	mod := o.io.Now()
	if v.rel == store.IndexName {
		sh.Text = string(b)
		mod = fileTime(filepath.Join(st.Dir(), v.rel), mod)
		sh.age = ageOf(nil, mod, o.io.Now())
		sh.Loads = told.text != "" && !told.generated
	} else {
		items, err := listNotes(st)
		if err != nil {
			return nil, err
		}
		for i := range items {
			if items[i].Rel == v.rel {
				sh.Line, sh.Page, sh.Loads, mod = items[i].IndexLine, items[i].Page, told.lines[v.rel] > 0, items[i].Mod
			}
		}
		n := note.Parse(b)
		sh.read(n)
		sh.age = ageOf(n, mod, o.io.Now())
	}
	sh.Changed = lastChange(st, v, b)
	return sh, nil
}

func (sh *shown) read(n *note.Note) {
	for _, f := range n.Fields {
		sh.Fields = append(sh.Fields, shownField{f.Key, plainValue(f.Value), f.Line})
	}
	for _, p := range n.Problems {
		sh.Problems = append(sh.Problems, shownLine{p.Line, p.Text})
	}
	for _, l := range n.Links() {
		sh.Links = append(sh.Links, shownLink{l.Target, l.File, l.Line})
	}
	sh.kind = n.Type()
	sh.Body, sh.BodyLine = string(n.Body()), n.BodyLine()
}

func plainValue(v frontmatter.Value) any {
	switch v.Kind {
	case frontmatter.Null:
		return nil
	case frontmatter.Bool:
		return strings.EqualFold(v.Text, "true")
	case frontmatter.List:
		out := []any{}
		for _, item := range v.Items {
			out = append(out, plainValue(item))
		}
		return out
	case frontmatter.Map:
		out := map[string]any{}
		for _, f := range v.Fields {
			out[f.Key] = plainValue(f.Value)
		}
		return out
	}
	return v.Text
}

// fileTime is a file's time, or else the one given.
func fileTime(path string, or time.Time) time.Time {
	if info, err := os.Lstat(path); err == nil {
		return info.ModTime()
	}
	return or
}

// lastChange is the last one that touched the file, up to the version's own.
func lastChange(st *store.Store, v version, b []byte) *shownChange {
	entries, _ := st.History(v.rel) // history tells what is wrong with a journal
	for _, e := range entries {
		if v.id > 0 && e.ID > v.id {
			continue
		}
		for _, c := range e.Changes {
			if c.Path == v.rel {
				sum := sha256.Sum256(b)
				return &shownChange{
					ID: e.ID, Time: e.Time.UTC().Format("2006-01-02T15:04:05Z"), Actor: string(e.Actor), Session: e.Session, Op: e.Op,
					Since: c.After != hex.EncodeToString(sum[:]), when: localTime(e.Time), who: who(e),
				}
			}
		}
	}
	return nil
}

func printShown(out *term.Out, sh *shown, b []byte) {
	title := version{sh.File, sh.At}.String()
	out.Line("%s", out.In(term.Bold, term.Safe(title)))
	out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s, %s, %s old by its %s", typeWords(sh), size(sh.Size), count(sh.Days, "day"), sh.From)))
	if sh.File != store.IndexName {
		out.Line("%s", out.In(term.Faint, placeWords(sh)))
	}
	if c := sh.Changed; c != nil {
		words := fmt.Sprintf("change %d: %s by %s, %s", c.ID, c.Op, c.who, c.when)
		switch {
		case c.Actor == string(store.Outside) && c.Op == "seen":
			words = fmt.Sprintf("as it was when dormouse first looked, %s", c.when)
		case c.Actor == string(store.Outside):
			words = fmt.Sprintf("change %d: by another program, seen %s", c.ID, c.when)
		}
		if c.Since {
			words += "; changed since by another program"
		}
		out.Line("%s", out.In(term.Faint, term.Safe(words)))
	}
	for _, p := range sh.Problems {
		out.Line("%s", out.In(term.Yellow, term.Safe(onLine(p.Line, p.What))))
	}
	out.Line("")
	printText(out, string(b))
}

func typeWords(sh *shown) string {
	if sh.kind != "" {
		return term.Safe(sh.kind) + " note"
	}
	if sh.File == store.IndexName {
		return "the index"
	}
	return "note without a type"
}

func placeWords(sh *shown) string {
	words := "not in the index"
	switch {
	case sh.Line > 0:
		words = fmt.Sprintf("line %d of the index", sh.Line)
	case sh.Page != "":
		words = "in the index by page " + term.Safe(sh.Page)
	}
	if sh.Loads {
		return words + "; a session is told of it"
	}
	return words + "; no session is told of it"
}

// printText prints a file's text line by line, with nothing in it that a
// terminal would act on. A tab stays one.
func printText(out *term.Out, text string) {
	for line := range strings.Lines(text) {
		out.Line("%s", visible(strings.TrimSuffix(line, "\n")))
	}
}

// visible makes one line harmless; the carriage return of a line break is none
// of its text.
func visible(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if !strings.Contains(line, "\t") {
		return term.Safe(line)
	}
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = term.Safe(parts[i])
	}
	return strings.Join(parts, "\t")
}
