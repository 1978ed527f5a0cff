package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/doctor"
	"dormouse/draft"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
	"dormouse/trust"
)

// fixReport is what doctor --fix --json prints.
type fixReport struct {
	Dry     bool             `json:"dry_run"`
	Mended  []doctor.Finding `json:"mended"` // the findings whose fixes are meant
	Diff    string           `json:"diff"`
	Changes []doneReport     `json:"changes"` // of the notes, in the journal
	Files   []mendedFile     `json:"files"`   // beside the notes
	Said    []string         `json:"said"`
	Left    *doctor.Report   `json:"left,omitempty"` // what is found afterwards

	Problems []jsonProblem `json:"problems"`
}

// mendedFile is a file outside the memory folder that was changed.
type mendedFile struct {
	Path   string `json:"path"`
	What   string `json:"what"`
	Backup string `json:"backup,omitempty"` // the bytes of before
}

func runDoctorFix(ctx context.Context, o *doctorOptions) error {
	v, err := o.visit(ctx, false)
	if err != nil {
		return err
	}
	defer v.close()
	meant, err := o.meant(v.rep)
	if err != nil {
		return err
	}
	m := &mender{o: o, v: v, by: o.by(v.s), rep: fixReport{
		Dry: o.dry, Mended: meant, Changes: []doneReport{}, Files: []mendedFile{}, Said: []string{}, Problems: []jsonProblem{},
	}}
	if o.global != nil && m.by.Actor == store.Agent {
		return errAgentGlobal
	}
	var plans []doctor.Plan
	for i := range meant {
		plans = append(plans, meant[i].Plan())
	}
	m.plans = doctor.Merge(plans)
	if m.rep.Diff, err = m.diff(); err != nil {
		return err
	}
	if !o.json {
		m.printMeant()
	}
	if o.dry || len(m.plans) == 0 {
		return m.end(ctx, nil)
	}
	if err := m.confirm(); err != nil {
		return err
	}
	return m.end(ctx, m.apply())
}

// meant are the findings whose fix was asked for.
func (o *doctorOptions) meant(rep *doctor.Report) ([]doctor.Finding, error) {
	meant := []doctor.Finding{}
	if o.fix == fixSafe {
		for _, f := range rep.Findings {
			if f.Fix != nil && f.Fix.Applies && f.Fix.Safe {
				meant = append(meant, f)
			}
		}
		return meant, nil
	}
	for word := range strings.SplitSeq(o.fix, ",") {
		known := slices.ContainsFunc(doctor.Rules(), func(r doctor.Rule) bool { return r.ID == word })
		var why error
		n := len(meant)
		for _, f := range rep.Findings {
			if f.Rule != word && f.ID != word {
				continue
			}
			known = true
			if f.Fix == nil || !f.Fix.Applies {
				why = fmt.Errorf("--fix=%s: only a person can mend that: %s", word, f.Message)
				continue
			}
			meant = append(meant, f)
		}
		switch {
		case !known:
			return nil, usageError{fmt.Errorf("--fix=%s: there is no rule and no finding of that name (%s lists the findings with their ids)", word, o.command("doctor --json"))}
		case len(meant) == n && why != nil:
			return nil, why
		}
	}
	return meant, nil
}

// mender carries plans out.
type mender struct {
	o     *doctorOptions
	v     *visit
	by    store.By
	plans []doctor.Plan
	rep   fixReport
}

// diff is what the plans change, as diff -u prints it.
func (m *mender) diff() (string, error) {
	var out strings.Builder
	for _, p := range m.plans {
		switch p.Kind {
		case doctor.Note, doctor.File:
			name := m.name(p)
			out.WriteString(unified(name, name, string(p.Before), string(p.After())))
		case doctor.Discard:
			out.WriteString(unified(m.name(p), os.DevNull, string(p.Before), ""))
		case doctor.Modes:
			for _, mode := range p.To {
				fmt.Fprintf(&out, "mode %04o -> %04o %s\n", mode.Before, mode.Now, mode.Path)
			}
		case doctor.Copy:
			copies, err := m.copies(p)
			if err != nil {
				return "", err
			}
			for _, c := range copies {
				out.WriteString(unified(os.DevNull, c.file, "", string(c.bytes)))
			}
		case doctor.Index:
			planned, done, err := m.v.st.PreviewIndex(m.by, p.Room)
			if err != nil {
				return "", m.o.withRoom(err, "index --fix")
			}
			m.rep.Said = append(m.rep.Said, done.Said...)
			for _, f := range planned {
				out.WriteString(unified(f.Rel, f.Rel, string(f.Before), string(f.After)))
			}
		}
	}
	return out.String(), nil
}

func (m *mender) name(p doctor.Plan) string {
	if p.Kind == doctor.File {
		return relativeTo(orElse(m.v.rep.Root, m.v.rep.Project), p.Path)
	}
	return p.Path
}

// confirm asks a person at a terminal.
func (m *mender) confirm() error {
	if m.o.yes || m.o.json || !isTerminal(m.o.io.In) || !isTerminal(m.o.io.Out) {
		return nil
	}
	fmt.Fprint(m.o.io.Err, "Apply these changes? [y/N] ")
	line, err := bufio.NewReader(m.o.io.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed: the answer was not yes")
	}
	return nil
}

// apply carries the plans out, one after the other. What fails keeps the others
// from nothing.
func (m *mender) apply() error {
	var errs []error
	for _, p := range m.plans {
		if err := m.carryOut(p); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (m *mender) carryOut(p doctor.Plan) error {
	switch p.Kind {
	case doctor.Note:
		done, err := m.v.st.Edit(m.by, p.Path, p.Before, p.After())
		return m.done("edit", p.Path, done, err)
	case doctor.Discard:
		now, err := m.v.st.Read(p.Path)
		if err == nil && !bytes.Equal(now, p.Before) {
			err = fmt.Errorf("%s %w: look again", p.Path, store.ErrConflict)
		}
		if err != nil {
			return err
		}
		done, err := m.v.st.Forget(m.by, p.Path)
		return m.done("forget", p.Path, done, err)
	case doctor.Index:
		done, err := m.v.st.FixIndex(m.by, p.Room)
		return m.done("index", store.IndexName, done, err)
	case doctor.Copy:
		return m.copy(p)
	case doctor.File:
		return m.file(p)
	case doctor.Modes:
		return m.modes(p)
	}
	return nil
}

func (m *mender) done(op, file string, d *store.Done, err error) error {
	if err != nil {
		return m.o.withRoom(err, "index --fix")
	}
	m.rep.Changes = append(m.rep.Changes, m.o.reportDone(op, file, d))
	return nil
}

// file changes a file beside the notes, after its bytes were put aside.
func (m *mender) file(p doctor.Plan) error {
	backup, err := m.o.backup(p.Path, p.Before)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(p.Path)
	if err == nil {
		err = atomicfile.Replace(real, p.Before, p.After())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.name(p), err)
	}
	m.rep.Files = append(m.rep.Files, mendedFile{Path: p.Path, What: "edited", Backup: backup})
	return nil
}

// backup keeps the bytes of a file that no journal knows, in Dormouse's own
// folder.
func (o *doctorOptions) backup(file string, b []byte) (string, error) {
	state, err := stateFolder(o.io.Env)
	if err != nil {
		return "", err
	}
	to := filepath.Join(state, "doctor", "before", store.HashOf(b)[:16]+"-"+filepath.Base(file))
	if have, _, err := safefile.Read(to, note.MaxBytes*4); err == nil && bytes.Equal(have, b) {
		return to, nil
	}
	return to, atomicfile.Replace(to, nil, b)
}

func (m *mender) modes(p doctor.Plan) error {
	for _, mode := range p.To {
		info, err := os.Lstat(mode.Path)
		if err == nil && info.Mode().Perm() == mode.Before {
			err = os.Chmod(mode.Path, mode.Now)
		}
		if err != nil {
			return err
		}
		m.rep.Files = append(m.rep.Files, mendedFile{Path: mode.Path, What: fmt.Sprintf("mode %04o, was %04o", mode.Now, mode.Before)})
	}
	return nil
}

// copied is a note of another memory folder on its way into this one.
type copied struct {
	file  string
	bytes []byte
	by    store.By
}

// copies are the notes of another folder whose text no note here has, under names
// that are free. Each keeps the origin that the journal of its folder tells; what
// nobody knows stays so.
func (m *mender) copies(p doctor.Plan) ([]copied, error) {
	from, err := m.o.openFolder(m.v.h, p.Path, nil)
	if err != nil {
		return nil, err
	}
	defer release(from)
	history, err := from.History("")
	if err != nil {
		return nil, err
	}
	ledger := trust.Read(history)
	items, err := from.List()
	if err != nil {
		return nil, err
	}
	taken, have, err := m.here()
	if err != nil {
		return nil, err
	}
	var out []copied
	for i := range items {
		it := &items[i]
		if it.Note == nil || store.IsPage(it.Rel, it.Note.Bytes()) || have[sameText(it.Note)] {
			continue
		}
		have[sameText(it.Note)] = true
		by := m.by
		by.Origin = string(ledger.Origin(store.HashOf(it.Note.Bytes())))
		out = append(out, copied{freeName(it.Rel, taken), it.Note.Bytes(), by})
	}
	return out, nil
}

// here are the names and texts of the notes that are here.
func (m *mender) here() (taken, have map[string]bool, err error) {
	taken, have = map[string]bool{}, map[string]bool{}
	if m.v.st == nil {
		return taken, have, nil
	}
	items, err := m.v.st.List()
	for i := range items {
		taken[strings.ToLower(items[i].Rel)] = true
		if items[i].Note != nil {
			have[sameText(items[i].Note)] = true
		}
	}
	return taken, have, err
}

func sameText(n *note.Note) string { return strings.Join(strings.Fields(string(n.Body())), " ") }

// freeName is a name for a copy: its own where that is one for a new note and
// free.
func freeName(rel string, taken map[string]bool) string {
	stem := strings.TrimSuffix(path.Base(rel), ".md")
	if store.ValidName(stem+".md") != nil {
		stem = draft.Slug(stem)
	}
	name := stem + ".md"
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d.md", stem, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

func (m *mender) copy(p doctor.Plan) error {
	copies, err := m.copies(p)
	if err != nil {
		return err
	}
	st := m.v.st
	if st == nil {
		if st, err = m.o.openFolder(m.v.h, m.v.start.Mem.Dir, nil); err != nil {
			return err
		}
		m.v.st = st
	}
	var errs []error
	for _, c := range copies {
		done, err := st.Add(c.by, store.New{File: c.file, Bytes: c.bytes, Line: note.Parse(c.bytes).Line(c.file)}, store.Refuse)
		if err := m.done("copy", c.file, done, err); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.file, err))
		}
	}
	return errors.Join(errs...)
}

func (m *mender) printMeant() {
	out := m.o.people()
	if len(m.rep.Mended) == 0 {
		out.Line("nothing to mend: no finding has a fix that can be applied%s", safely(m.o.fix))
		return
	}
	p := pathPrinter(m.v.s)
	for i := range m.rep.Mended {
		f := &m.rep.Mended[i]
		out.Line("%s %s", out.In(term.Cyan, f.Rule), term.Safe(p(f.Message)))
		out.Line("  fix: %s", term.Safe(f.Fix.Title))
	}
	out.Line("")
	for line := range strings.Lines(m.rep.Diff) {
		color := term.Style("")
		switch line[0] {
		case '+':
			color = term.Green
		case '-':
			color = term.Red
		}
		text := term.Safe(strings.TrimRight(line, "\r\n"))
		if color != "" {
			text = out.In(color, text)
		}
		out.Line("%s", text)
	}
}

func safely(fix string) string {
	if fix == fixSafe {
		return " by itself; --fix=ID applies those that a person has to choose"
	}
	return ""
}

// end tells what was done, and what is still found.
func (m *mender) end(ctx context.Context, failed error) error {
	m.rep.Problems = m.o.problemsOf(failed)
	m.v.close()
	m.v.st = nil
	if !m.rep.Dry {
		after, err := m.o.visit(ctx, false)
		if err != nil {
			return errors.Join(failed, err)
		}
		defer after.close()
		m.rep.Left = after.rep
	}
	if m.o.json {
		if err := printJSON(m.o.out, m.rep); err != nil {
			return err
		}
	} else {
		m.printEnd()
	}
	if failed != nil {
		return m.o.said(failed)
	}
	if m.rep.Dry {
		return m.o.verdict(m.v.rep)
	}
	return m.o.verdict(m.rep.Left)
}

func (m *mender) printEnd() {
	out, p := m.o.people(), pathPrinter(m.v.s)
	if m.rep.Dry {
		for _, s := range m.rep.Said {
			out.Line("  %s", term.Safe(s))
		}
		if len(m.plans) > 0 {
			out.Line("")
			out.Line("nothing was changed; without --dry-run these changes are made")
		}
		return
	}
	for _, d := range m.rep.Changes {
		for _, s := range d.Said {
			out.Line("  %s", term.Safe(s))
		}
		if d.ID > 0 {
			out.Line("changed: %s  %s", term.Safe(d.File), out.In(term.Faint, "take it back: "+term.Safe(m.o.command(fmt.Sprintf("undo %d", d.ID)))))
		}
	}
	for _, f := range m.rep.Files {
		out.Line("changed: %s (%s)", term.Safe(p(f.Path)), f.What)
		if f.Backup != "" {
			out.Line("  %s", out.In(term.Faint, "as it was: "+term.Safe(p(f.Backup))))
		}
	}
	if m.rep.Left != nil {
		out.Line("%s", stillFound(m.rep.Left))
	}
}

func stillFound(rep *doctor.Report) string {
	if len(rep.Findings) == 0 {
		return "nothing else is wrong"
	}
	return fmt.Sprintf("%s left: dormouse doctor lists them", count(len(rep.Findings), "finding"))
}
