package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/doctor"
	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
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

// fixRounds bounds how often --fix looks again: what one mend uncovers, the next
// look finds.
const fixRounds = 5

func runDoctorFix(ctx context.Context, o *doctorOptions) error {
	m := &mender{o: o, tried: map[string]bool{}, rep: fixReport{
		Dry: o.dry, Mended: []doctor.Finding{}, Changes: []doneReport{}, Files: []mendedFile{}, Said: []string{}, Problems: []jsonProblem{},
	}}
	defer m.close()
	for n := range fixRounds {
		again, err := m.round(ctx, n == 0)
		if err != nil && len(m.rep.Changes)+len(m.rep.Files) == 0 {
			return err
		}
		if err != nil || !again {
			return m.end(ctx, err)
		}
	}
	return m.end(ctx, nil)
}

// round looks, shows what the fixes change, and carries them out. It reports
// whether another look could find more to mend.
func (m *mender) round(ctx context.Context, first bool) (again bool, err error) {
	m.close()
	if m.v, err = m.o.visit(ctx, false); err != nil {
		return false, err
	}
	m.by = m.o.by(m.v.s)
	meant, err := m.o.meant(m.v.rep)
	if err != nil {
		return false, err
	}
	meant = slices.DeleteFunc(meant, m.again)
	if !first && len(meant) == 0 {
		m.left = m.v.rep
		return false, nil
	}
	if m.o.global != nil && m.by.Actor == store.Agent {
		return false, errAgentGlobal
	}
	var plans []doctor.Plan
	for i := range meant {
		plans = append(plans, meant[i].Plan())
	}
	m.plans = doctor.Merge(plans)
	diff, err := m.diff()
	if err != nil {
		return false, err
	}
	m.rep.Mended, m.rep.Diff = append(m.rep.Mended, meant...), m.rep.Diff+diff
	if !m.o.json {
		m.printMeant(meant, diff)
	}
	if m.o.dry || len(m.plans) == 0 {
		return false, nil
	}
	if err := m.confirm(); err != nil {
		return false, err
	}
	m.failed = m.apply()
	return m.o.fix == fixSafe && m.failed == nil, nil
}

// again tells a fix that was tried before, from the same bytes.
func (m *mender) again(f doctor.Finding) bool {
	p := f.Plan()
	key := f.ID + store.HashOf(p.Before)
	was := m.tried[key]
	m.tried[key] = true
	return was
}

func (m *mender) close() {
	if m.v != nil {
		m.v.close()
		m.v.st = nil
	}
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
	o      *doctorOptions
	v      *visit // of this round
	by     store.By
	plans  []doctor.Plan   // of this round
	tried  map[string]bool // fixes by finding and bytes
	failed error           // what could not be carried out
	left   *doctor.Report  // of a look that found nothing more to mend
	rep    fixReport
	hide   masker
}

// diff is what the plans change, as diff -u prints it.
func (m *mender) diff() (string, error) {
	var out strings.Builder
	for _, p := range m.plans {
		switch p.Kind {
		case doctor.Note, doctor.File:
			name := m.name(p)
			out.WriteString(m.hide.unified(name, name, string(p.Before), string(p.After())))
		case doctor.Discard:
			out.WriteString(m.hide.unified(m.name(p), os.DevNull, string(p.Before), ""))
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
				out.WriteString(m.hide.unified(os.DevNull, c.file, "", string(c.bytes)))
			}
		case doctor.Index:
			planned, done, err := m.v.st.PreviewIndex(m.by, p.Room)
			if err != nil {
				return "", m.o.withRoom(err, "index --fix")
			}
			if m.o.dry {
				for _, s := range done.Said {
					m.rep.Said = append(m.rep.Said, m.hide.mask(s))
				}
			}
			for _, f := range planned {
				out.WriteString(m.hide.unified(f.Rel, f.Rel, string(f.Before), string(f.After)))
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
	for i := range d.Said {
		d.Said[i] = m.hide.mask(d.Said[i])
	}
	m.rep.Changes = append(m.rep.Changes, m.o.reportDone(op, file, d))
	return nil
}

// file changes a file beside the notes, after its bytes were put aside.
func (m *mender) file(p doctor.Plan) error {
	if why := doctor.Locked(p.Path, orElse(m.v.rep.Root, m.v.rep.Project)); why != "" { // since the look
		return fmt.Errorf("%s is not changed: %s", m.name(p), why)
	}
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
	state, err := host.StateFolder(o.io.Env)
	if err != nil {
		return "", err
	}
	to := filepath.Join(state, "doctor", "before", store.HashOf(b)[:16]+"-"+filepath.Base(file))
	return to, keepPrivate(to, b)
}

// keepPrivate writes a file that only its owner may read, in a folder of that
// kind: it is empty until it is so.
func keepPrivate(to string, b []byte) error {
	have, _, err := safefile.Read(to, note.MaxBytes*4)
	if err != nil {
		have = []byte{}
		if err := atomicfile.Replace(to, nil, have); err != nil {
			return err
		}
	}
	for dir, mode := to, fs.FileMode(0o600); ; dir, mode = filepath.Dir(dir), 0o700 {
		if filepath.Base(dir) == "doctor" && mode == 0o700 {
			return errors.Join(os.Chmod(dir, mode), atomicfile.Replace(to, have, b))
		}
		if err := os.Chmod(dir, mode); err != nil {
			return err
		}
	}
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

func (m *mender) printMeant(meant []doctor.Finding, diff string) {
	out := m.o.people()
	if len(meant) == 0 {
		out.Line("nothing to mend: no finding has a fix that can be applied%s", safely(m.o.fix))
		return
	}
	p := pathPrinter(m.v.s)
	for i := range meant {
		f := &meant[i]
		out.Line("%s %s", out.In(term.Cyan, f.Rule), term.Safe(p(f.Message)))
		out.Line("  fix: %s", term.Safe(f.Fix.Title))
	}
	out.Line("")
	for line := range strings.Lines(diff) {
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
	failed = errors.Join(m.failed, failed)
	m.rep.Problems = m.o.problemsOf(failed)
	m.close()
	if m.rep.Left = m.left; !m.rep.Dry && m.left == nil {
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
		return m.o.verdict(m.v.rep) // of a dry run, which looks once
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
