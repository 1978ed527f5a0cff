package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
)

type editOptions struct {
	*common
	from string
}

func newEdit(c *common) *cobra.Command {
	o := &editOptions{common: c}
	cmd := &cobra.Command{
		Use:   "edit NOTE",
		Short: "Change a note in your editor; its index line goes along",
		Long: `Opens a copy of the note in $VISUAL, else $EDITOR, and takes over what it holds when
the editor ends. What would hide or lock the note from the agent is refused: the copy then
stays where it is, and the note as it was. An index line that said the old description
says the new one. If another program changed the note meanwhile, both edits are kept
where they touch different lines.

Exit status: 0; 1 when the edit was refused; 2 for wrong use.`,
		Example: `  dormouse edit feedback_tests
  EDITOR="code --wait" dormouse edit feedback_tests
  dormouse edit feedback_tests --from new.md      without an editor
  sed s/npm/pnpm/ old.md | dormouse edit feedback_tests --from -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneNote(cmd, args); err != nil {
				return err
			}
			return runEdit(o, args[0])
		},
	}
	cmd.Flags().StringVar(&o.from, "from", "", "take the new text from this `file`, - for standard input")
	return cmd
}

// editing is one edit of one note.
type editing struct {
	*editOptions
	st     *store.Store
	by     store.By
	word   string // the note as it was asked for
	rel    string
	before []byte
	draft  string // the file that holds the new text; "" while it has none
	ours   bool   // the draft lies in our own folder
}

func runEdit(o *editOptions, word string) error {
	st, s, _, err := o.openToWrite()
	if err != nil {
		return err
	}
	defer release(st)
	e := &editing{editOptions: o, st: st, by: o.by(s), word: word}
	if e.rel, err = resolve(st, word); err != nil {
		return err
	}
	if e.before, err = st.Read(e.rel); err != nil {
		return err
	}
	after, err := e.newText()
	if err != nil {
		return err
	}
	if bytes.Equal(e.before, after) {
		if _, err := st.Read(e.rel); errors.Is(err, store.ErrNoNote) {
			return e.refused(after, err)
		}
		e.removeDraft()
		return e.unchanged()
	}
	if err := editTrouble(e.before, after); err != nil {
		return e.refused(after, err)
	}
	done, err := st.Edit(e.by, e.rel, e.before, after)
	if err != nil {
		return e.refused(after, err)
	}
	e.removeDraft()
	return e.report(done, after)
}

// newText is what the note shall be: from the editor, a file or standard input.
func (e *editing) newText() ([]byte, error) {
	switch e.from {
	case "":
		return e.fromEditor()
	case "-":
		b, err := io.ReadAll(io.LimitReader(e.io.In, note.MaxBytes+1))
		if err != nil {
			return nil, fmt.Errorf("reading standard input: %w", err)
		}
		return b, nil
	}
	cwd, err := e.io.Getwd() // the shell's, whatever --project says
	if err != nil {
		return nil, err
	}
	at := absolute(cwd, e.from)
	b, _, err := safefile.Read(at, note.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", e.from, err)
	}
	e.draft = at
	e.ours = e.isDraft(at)
	return b, nil
}

// isDraft tells whether a file is one that an earlier edit kept.
func (e *editing) isDraft(file string) bool {
	dir, err := e.st.Drafts()
	return err == nil && filepath.Dir(file) == filepath.Clean(dir)
}

func (e *editing) fromEditor() ([]byte, error) {
	command, err := editorCommand(e.io.Env.Getenv)
	if err != nil {
		return nil, err
	}
	if err := e.writeDraft(e.before); err != nil {
		return nil, err
	}
	// What another program does to the note while the editor is open can be taken
	// back only if the journal knows how it was.
	_, _ = e.st.Look() // the edit does not depend on it
	streams := *e.io
	if e.json { // standard output is for the one object
		streams.Out = streams.Err
	}
	failed := runEditor(command, e.draft, &streams)
	after, _, err := safefile.Read(e.draft, note.MaxBytes)
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		return nil, e.kept(fmt.Errorf("it has more than %s, too much for a note", size(note.MaxBytes)))
	case err != nil:
		return nil, fmt.Errorf("the editor left no file to read, so %s is as it was: %w", e.rel, err)
	case failed != nil && bytes.Equal(e.before, after):
		e.removeDraft()
		return nil, fmt.Errorf("the editor %q failed, so %s is as it was: %w", command, e.rel, failed)
	case failed != nil:
		return nil, e.kept(fmt.Errorf("the editor %q failed: %w", command, failed))
	}
	return after, nil
}

// writeDraft makes a file for the editor. Its name ends in the note's, which
// tells an editor what kind of text it is.
func (e *editing) writeDraft(b []byte) error {
	dir, err := e.st.Drafts()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "edit-*-"+shortBase(e.rel))
	if err != nil {
		return fmt.Errorf("a draft for the editor cannot be made: %w", err)
	}
	e.draft, e.ours = f.Name(), true
	_, err = f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		e.removeDraft()
		return fmt.Errorf("a draft for the editor cannot be written: %w", err)
	}
	return nil
}

// shortBase is the end of a note's file name, short enough to stand behind
// something else in a name, and without what CreateTemp would fill in.
func shortBase(rel string) string {
	base := strings.ReplaceAll(path.Base(rel), "*", "_")
	const most = 120 // bytes
	for len(base) > most {
		_, n := utf8.DecodeRuneInString(base)
		base = base[n:]
	}
	return base
}

func (e *editing) removeDraft() {
	if e.draft != "" && e.ours {
		_ = os.Remove(e.draft) // one that stays is found by purge
	}
}

// refused keeps the text that was not taken and says where it is.
func (e *editing) refused(after []byte, why error) error {
	if e.draft == "" {
		if err := e.writeDraft(after); err != nil {
			return errors.Join(why, err)
		}
	}
	return e.kept(why)
}

func (e *editing) kept(why error) error {
	if errors.Is(why, store.ErrNoNote) {
		return e.gone()
	}
	hint := "mend it there"
	if errors.Is(why, store.ErrConflict) || errors.Is(why, store.ErrChanged) {
		hint = fmt.Sprintf("bring in what changed (%s)", e.command("show "+shellWord(e.word)))
	}
	return fmt.Errorf("%s is as it was: %w; your text is kept in %s: %s, then %s%s",
		e.rel, why, e.draft, hint, e.again(), shellWord(e.draft))
}

// again is the command that takes a kept text, up to the text's file.
func (e *editing) again() string { return e.command("edit "+shellWord(e.word)) + " --from " }

// gone tells of a note that another program removed or renamed meanwhile. The
// draft is a whole note: as a file of the folder it needs only its index line.
func (e *editing) gone() error {
	return fmt.Errorf("%s is gone: another program removed or renamed it meanwhile; your text is kept in %s; "+
		"either take that back (%s names the change, %s brings the note back) and then %s%s, or put your text there as a new note: cp %s %s and %s",
		e.rel, e.draft, e.command("history "+shellWord(e.rel)), e.command("undo ID"), e.again(), shellWord(e.draft),
		shellWord(e.draft), shellWord(filepath.Join(e.st.Dir(), filepath.FromSlash(e.rel))), e.command("index --fix"))
}

// shellWord quotes a word for a command line that is to be copied.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./+@%:,", r) || r >= 0x80
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// editTrouble tells why a new text cannot be taken. What was wrong with the note
// before the edit does not stand in its way.
func editTrouble(before, after []byte) error {
	const mark = "\uFFFD"
	switch {
	case len(bytes.TrimSpace(after)) == 0:
		return errors.New("the text is empty (to remove a note: dormouse forget)")
	case len(after) > note.MaxBytes:
		return fmt.Errorf("the text has more than %s, too much for a note", size(note.MaxBytes))
	case !utf8.Valid(after):
		return fmt.Errorf("the text is not UTF-8 (byte %d)", invalidAt(after))
	case bytes.Count(after, []byte(mark)) > bytes.Count(before, []byte(mark)):
		return errors.New("the text has characters U+FFFD that were not there: something could not read it as UTF-8")
	}
	was := map[string]bool{}
	for _, p := range blocking(before) {
		was[p.Text] = true
	}
	for _, p := range blocking(after) {
		if len(was) == 0 || !was[p.Text] {
			return errors.New(onLine(p.Line, p.Text))
		}
	}
	return nil
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// blocking are the problems that hide the front matter from the client, or keep
// its fields from being edited.
func blocking(b []byte) []note.Problem {
	n := note.Parse(b)
	if n.HasFront && !n.Seen {
		return n.Problems
	}
	return slices.DeleteFunc(slices.Clone(n.Problems), func(p note.Problem) bool { return !p.Locks })
}

func (e *editing) unchanged() error {
	if e.json {
		return printJSON(e.out, e.reportDone("edit", e.rel, &store.Done{}))
	}
	e.people().Line("%s is unchanged", term.Safe(e.rel))
	return nil
}

func (e *editing) report(done *store.Done, after []byte) error {
	if e.json {
		return printJSON(e.out, e.reportDone("edit", e.rel, done))
	}
	out := e.people()
	out.Line("%s is changed%s", term.Safe(e.rel), alsoChanged(done, e.rel))
	for _, p := range note.Parse(after).Problems {
		out.Line("  %s", term.Safe(onLine(p.Line, p.Text)))
	}
	e.printDone(out, done)
	return nil
}

// alsoChanged names what a write changed besides the note.
func alsoChanged(done *store.Done, rel string) string {
	words := ""
	for _, c := range done.Changes {
		if c.Path != rel {
			words += ", and " + term.Safe(c.Path) + " with it"
		}
	}
	return words
}
