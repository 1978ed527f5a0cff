package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/dream"
	"dormouse/dream/shelf"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

func newDreamRestore(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "restore ID FILE",
		Short: "Bring a note back that a dream moved into its archive",
		Long: `Makes a note of what a dream has moved into its archive, with the origin it had. If a whole
note took its place, that one goes. Both stand in the journal, and dormouse undo takes them
back.

Exit status: 0; 1 when there is no such dream or file; 2 for wrong use.`,
		Example: `  dormouse dream show 20261201-3f2a9c
  dormouse dream restore 20261201-3f2a9c test-database.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("%s takes a dream and a file of its archive, but got %d words", cmd.CommandPath(), len(args))}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return c.decideDream(args[:1], func(k *keptDreams, d *shelf.Dream) error { return k.restore(d, args[1]) })
		},
	}
}

// restoredReport is what dream restore --json prints.
type restoredReport struct {
	Dream    string        `json:"dream"`
	File     string        `json:"file"`           // the note that is back
	Went     string        `json:"went,omitempty"` // the note that had taken its place
	Changes  []doneReport  `json:"changes"`
	Problems []jsonProblem `json:"problems"`
}

func (k *keptDreams) restore(d *shelf.Dream, name string) error {
	a, err := archived(d, name)
	if err != nil {
		return err
	}
	if stands := k.standing(d); stands.word != standApplied && stands.word != standUnfinished {
		return fmt.Errorf("the dream %s is not applied (%s), so %s is where it was", d.ID, stands.word, a.Of)
	}
	if was, err := k.shelf.Before(d, a.Of); a.Of == store.IndexName || err == nil && store.IsPage(a.Of, was) {
		return fmt.Errorf("%s has lines that left %s, and is no note; it is kept in %s", a.Rel, a.Of, k.shelf.ArchivePath(d, a.Rel))
	}
	rows, err := k.shelf.Rows(d)
	if err != nil {
		return err
	}
	text, err := k.textOf(d, a)
	if err != nil {
		return err
	}
	by := k.c.by(k.s)
	by.Origin = string(trust.Read(k.history).Origin(d.Inputs[a.Of]))
	by.From = []store.Source{{Hash: d.Inputs[a.Of], Note: a.Of, Place: dreamPlace + d.ID}}
	if a.Of == "" { // the person's words in a session, which something else had stood against
		by.Origin = string(trust.UserTurn)
	}
	file, there, err := k.freeFor(a, text)
	if err != nil {
		return err
	}
	if there {
		return k.printThere(d, file)
	}
	added, err := k.st.Add(by, store.New{File: file, Bytes: text, Line: note.Parse(text).Line(file)}, store.MakeRoom)
	if err != nil {
		return k.c.withRoom(err, "index --fix")
	}
	rep := restoredReport{Dream: d.ID, File: file, Changes: []doneReport{k.c.reportDone("restore", file, added)}}
	went, failed := k.usurper(d, a, rows)
	var gone *store.Done
	if failed == nil && went != "" && went != file {
		if gone, failed = k.st.Forget(k.c.by(k.s), went); failed == nil {
			rep.Went, rep.Changes = went, append(rep.Changes, k.c.reportDone("forget", went, gone))
		}
	}
	rep.Problems = k.c.problemsOf(failed)
	if k.c.json {
		if err := printJSON(k.c.out, rep); err != nil {
			return err
		}
		return k.c.said(failed)
	}
	k.printRestored(k.c.people(), &rep, added, gone)
	return k.c.said(failed)
}

// printThere tells that a note is back already.
func (k *keptDreams) printThere(d *shelf.Dream, file string) error {
	if k.c.json {
		return printJSON(k.c.out, restoredReport{Dream: d.ID, File: file, Changes: []doneReport{}, Problems: []jsonProblem{}})
	}
	k.c.people().Line("%s is there, and says just that: nothing was written", term.Safe(file))
	return nil
}

func (k *keptDreams) printRestored(out *term.Out, rep *restoredReport, added, gone *store.Done) {
	out.Line("%s is back", term.Safe(rep.File))
	if rep.Went == "" {
		out.Line("  a further dream may move it out again, for the same reason: pinned: true below its metadata keeps it")
	}
	k.c.printDone(out, added)
	if gone != nil {
		out.Line("%s, which had taken its place, is gone", term.Safe(rep.Went))
		k.c.printDone(out, gone)
	}
}

// archived finds a file of the archive by its own name, or by that of the note it
// was.
func archived(d *shelf.Dream, name string) (*dream.Archive, error) {
	asked := strings.TrimPrefix(name, "./")
	var of []*dream.Archive
	for i := range d.Archive {
		a := &d.Archive[i]
		if a.Rel == asked || a.Rel == asked+".md" {
			return a, nil
		}
		if a.Of == asked || a.Of == asked+".md" {
			of = append(of, a)
		}
	}
	switch {
	case len(of) == 1:
		return of[0], nil
	case len(d.Archive) == 0:
		return nil, fmt.Errorf("the dream %s moved nothing into its archive", d.ID)
	}
	list := d.Archive
	var names []string
	for i := range list {
		names = append(names, list[i].Rel)
	}
	const most = 8
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return nil, fmt.Errorf("%s: no such file is in the archive of %s: there are %s%s", name, d.ID, strings.Join(names, ", "), more)
}

// textOf is what a restored note says: of a whole note the bytes that it had, else
// what went of it, without the marks of what no longer holds.
func (k *keptDreams) textOf(d *shelf.Dream, a *dream.Archive) ([]byte, error) {
	if a.Whole && slices.ContainsFunc(d.Changes, func(c shelf.Change) bool { return c.Rel == a.Of && c.Before }) {
		return k.shelf.Before(d, a.Of)
	}
	b, err := k.shelf.Archived(d, a.Rel)
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"superseded_by", "invalid_at"} {
		n := note.Parse(b)
		if _, there := n.Field(key); !there {
			continue
		}
		if b, err = n.Remove(key); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Rel, err)
		}
	}
	return b, nil
}

// freeFor is a name for a restored note: the one it had, if it is free; of what was
// only a part of a note, that of the archive. there tells that a note of such a name
// says just that already: it was restored before.
func (k *keptDreams) freeFor(a *dream.Archive, text []byte) (file string, there bool, err error) {
	names := []string{a.Of, path.Base(a.Rel)}
	if !a.Whole {
		slices.Reverse(names)
	}
	for _, rel := range names {
		stem := strings.TrimSuffix(rel, noteEnding)
		if store.ValidName(rel) != nil {
			stem = "restored"
		}
		for i := 1; i < 100; i++ {
			name := stem + noteEnding
			if i > 1 {
				name = fmt.Sprintf("%s-%d%s", stem, i, noteEnding)
			}
			if store.ValidName(name) != nil {
				break
			}
			if _, err := k.st.Find(name); errors.Is(err, store.ErrNoNote) {
				return name, false, nil
			}
			if had, err := k.st.Read(name); err == nil && bytes.Equal(had, text) {
				return name, true, nil
			}
		}
	}
	return "", false, fmt.Errorf("%s: every name for it is taken", a.Rel)
}

// usurper is the note that took the place of what went, if it says nothing else and
// nobody has changed it since; "" for none. What a model wrote of several statements
// is none: it says what else stood there, too.
func (k *keptDreams) usurper(d *shelf.Dream, a *dream.Archive, rows []dream.Row) (string, error) {
	type key struct {
		file, claim string
		line        int
	}
	deciders, in := map[key]bool{}, map[string]bool{}
	for i := range rows {
		if r := &rows[i]; r.Gone && r.To == a.Rel && r.By != nil {
			deciders[key{r.By.File, r.By.Claim, r.By.Line}] = true
		}
	}
	for i := range rows {
		if r := &rows[i]; !r.Gone && deciders[key{r.File, r.Claim, r.Line}] {
			if r.Fate == dream.Rewritten || slices.Contains(r.Also, dream.Rewritten) {
				return "", nil
			}
			in[r.To] = true
		}
	}
	if len(in) != 1 {
		return "", nil // several, or the instructions
	}
	rel := ""
	for rel = range in {
		break
	}
	for i := range rows {
		if r := &rows[i]; !r.Gone && r.To == rel && r.Field == "" && r.Fate != dream.Merged && !deciders[key{r.File, r.Claim, r.Line}] {
			return "", nil // it says more
		}
	}
	if trust.Read(k.history).Origin(d.Inputs[rel]) == trust.Human {
		return "", nil // the person wrote it into a command: only they say that it goes
	}
	was, err := k.shelf.Output(d, rel)
	if err != nil {
		return "", err
	}
	now, err := k.st.Read(rel)
	if errors.Is(err, store.ErrNoNote) {
		return "", nil
	}
	if err != nil || store.HashOf(now) != store.HashOf(was) {
		return "", err
	}
	return rel, nil
}
