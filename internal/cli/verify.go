package cli

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

type verifyOptions struct {
	*common
	hold, acknowledge, newKey bool
	sign                      string
}

func newVerify(c *common) *cobra.Command {
	o := &verifyOptions{common: c}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the journal, and which notes may not load",
		Long: `Checks that the journal is what was written (nothing changed, dropped, moved or cut off),
records what other programs changed in the folder since the last look, recognises what the
agent wrote in its sessions, and lists the notes and index lines that should not reach a
session: what asks for action and comes from nobody that you can trust. Their text is
shown by dormouse review only.

The notes for all projects are looked at as well, unless --store names a folder.

--hold takes their lines out of the index (one change, which dormouse undo takes back).
--sign KEY signs where the journal ends with an SSH key, through ssh-keygen; a later verify
checks the signature, and says by which key it is. --new-key lets another key than the last
one sign. --acknowledge records that you know of the damage that the journal tells of.
Signing and acknowledging are for a person, not for the agent.

Exit status: 0; 1 when something was changed from outside, is held, or the journal is
damaged; 2 for wrong use.`,
		Example: `  dormouse verify
  dormouse verify --hold
  dormouse verify --sign ~/.ssh/id_ed25519`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runVerify(o) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.hold, "hold", false, "take what may not load out of the index")
	f.StringVar(&o.sign, "sign", "", "sign the journal's end with this SSH `key`")
	f.BoolVar(&o.newKey, "new-key", false, "with --sign: the key is another one than the last time")
	f.BoolVar(&o.acknowledge, "acknowledge", false, "you know of the damage that was reported")
	return cmd
}

type verifyReport struct {
	Store        string        `json:"store"`
	Journal      string        `json:"journal"` // whole, none, or what is wrong
	Acknowledged string        `json:"acknowledged,omitempty"`
	Signed       string        `json:"signed,omitempty"`
	SignedBy     string        `json:"signed_by,omitempty"` // the key's fingerprint and comment
	Changed      *store.Entry  `json:"changed,omitempty"`   // by other programs, since the last look
	Notes        int           `json:"notes"`
	Held         []trust.Held  `json:"held"`
	TakenOut     *doneReport   `json:"taken_out,omitempty"`
	Problems     []jsonProblem `json:"problems"`
	Global       *verifyReport `json:"global,omitempty"` // of the notes for all projects

	c        *common // whose commands mean this store
	unsigned bool    // there is no journal that could be signed
}

var errNoJournal = errors.New("there is no journal to sign: Dormouse has written nothing here yet")

func runVerify(o *verifyOptions) error {
	if err := o.allowed(); err != nil {
		return err
	}
	t, err := o.trusting()
	if _, wrong := errors.AsType[usageError](err); wrong {
		return err
	}
	project := ""
	if t != nil {
		defer release(t.st)
		project = t.st.Dir()
	}
	g, dir, gerr := o.globalTrusting(project)
	if g != nil {
		defer release(g.st)
	}
	if dir == "" && gerr == nil {
		if err != nil {
			return err
		}
		rep, err := o.verify(t)
		if err != nil {
			return err
		}
		return o.finish(rep)
	}
	// What is wrong with one of the two hides nothing of the other.
	rep := o.verifyOrTell(t, "", err)
	rep.Global = o.verifyOrTell(g, dir, gerr)
	if rep.unsigned && rep.Global.unsigned {
		rep.Problems = append(rep.Problems, o.problemsOf(errNoJournal)...)
	}
	return o.finish(rep)
}

// allowed refuses what is for a person, and flags that do not go together.
func (o *verifyOptions) allowed() error {
	if o.newKey && o.sign == "" {
		return usageError{errors.New("--new-key goes with --sign KEY, the key that signs")}
	}
	s, err := o.session()
	if err != nil {
		return err
	}
	if (o.sign != "" || o.acknowledge) && o.by(s).Actor != store.Human {
		return errors.New("to sign the journal, and to acknowledge its damage, is for a person, and this runs inside the agent: run it in a terminal of your own")
	}
	return nil
}

// verifyOrTell is verify with its error as part of the report; err is the one
// that kept the store from being opened.
func (o *verifyOptions) verifyOrTell(t *trusting, dir string, err error) *verifyReport {
	rep := &verifyReport{Store: dir, Held: []trust.Held{}, Problems: []jsonProblem{}, c: o.common}
	if err == nil {
		rep, err = o.verify(t)
	}
	if rep.unsigned = errors.Is(err, errNoJournal); rep.unsigned {
		return rep // there may be one for the other
	}
	if err != nil {
		rep.Problems = append(rep.Problems, rep.c.problemsOf(err)...)
		rep.Journal = cmp.Or(rep.Journal, rep.Problems[len(rep.Problems)-1].What)
	}
	return rep
}

// verify looks through one store. The report holds what was found until an error.
func (o *verifyOptions) verify(t *trusting) (*verifyReport, error) {
	rep := &verifyReport{Store: t.st.Dir(), Held: []trust.Held{}, Problems: []jsonProblem{}, c: t.c}
	err := o.journal(rep, t)
	if errors.Is(err, store.ErrBroken) {
		rep.Journal = t.c.errorText(err)
		rep.Problems = t.c.problemsOf(err)
		if o.sign != "" {
			rep.Problems = append(rep.Problems, jsonProblem{"nothing was signed"})
		}
		return rep, nil
	}
	if err != nil {
		return rep, err
	}
	if rep.Journal = "none"; t.st.HasJournal() {
		rep.Journal = "whole"
	}
	if rep.Signed, rep.SignedBy, err = checkSignature(t.st); err != nil {
		rep.Problems = t.c.problemsOf(err)
	}
	if err := t.look(t.c); err != nil {
		return rep, err
	}
	rep.Held, rep.Notes = orEmpty(t.state.Held), t.state.Notes
	return rep, o.act(rep, t)
}

// journal checks the journal. Damage that is acknowledged is told of once more.
func (o *verifyOptions) journal(rep *verifyReport, t *trusting) (err error) {
	rep.Changed, err = t.st.Verify()
	if !o.acknowledge || !errors.Is(err, store.ErrBroken) {
		return err
	}
	was := err
	if err := t.st.Acknowledge(t.c.by(t.s)); err != nil {
		return fmt.Errorf("%w; that you know of it can't be recorded: %w", was, err)
	}
	if rep.Changed, err = t.st.Verify(); !errors.Is(err, store.ErrBroken) { // what still is broken is told again
		rep.Acknowledged = t.c.errorText(was)
	}
	return err
}

// act does what the flags ask for.
func (o *verifyOptions) act(rep *verifyReport, t *trusting) error {
	if o.hold {
		done, err := t.guard.Hold(t.st, t.c.by(t.s), t.state.Held)
		if err != nil {
			return err
		}
		if done != nil && done.ID != 0 {
			r := t.c.reportDone(trust.OpHold, store.IndexName, done)
			rep.TakenOut = &r
		}
	}
	if o.sign == "" {
		return nil
	}
	if !t.st.HasJournal() {
		return errNoJournal
	}
	by, err := signJournal(t.st, t.c.by(t.s), o.sign, o.newKey)
	if err != nil {
		return err
	}
	rep.Signed, rep.SignedBy = "now", by
	return nil
}

// found reports whether there is something to look into.
func (r *verifyReport) found() bool {
	return len(r.Held) > 0 || r.Changed != nil || len(r.Problems) > 0 || r.Global != nil && r.Global.found()
}

func (o *verifyOptions) finish(rep *verifyReport) error {
	if o.json {
		if err := printJSON(o.out, rep); err != nil {
			return err
		}
	} else {
		out := o.people()
		rep.print(out)
		if g := rep.Global; g != nil {
			out.Line("")
			out.Line("%s", out.In(term.Bold, "the notes for all projects, "+term.Safe(g.Store)))
			g.print(out)
		}
	}
	if rep.found() {
		return errFound
	}
	return nil
}

func (r *verifyReport) print(out *term.Out) {
	r.printJournal(out)
	for _, p := range r.Problems {
		if p.What != r.Journal {
			out.Line("%s", out.In(term.Red, term.Safe(p.What)))
		}
	}
	if r.Changed != nil {
		out.Line("another program changed %s since the last look (change %d): %s", count(len(r.Changed.Changes), "file"), r.Changed.ID, term.Safe(r.c.command(fmt.Sprintf("diff %d", r.Changed.ID))))
	}
	switch {
	case r.Journal != "whole" && r.Journal != "none":
	case len(r.Held) == 0:
		out.Line("%s looked at; all of them may load", count(r.Notes, "note"))
	default:
		out.Line("%s", out.In(term.Bold, fmt.Sprintf("%s looked at, %s held: what should not reach a session:", count(r.Notes, "note"), thousands(len(r.Held)))))
		printHeld(out, r.Held)
		out.Line("see them, and decide: %s", term.Safe(r.c.command("review")))
	}
	if r.TakenOut != nil {
		out.Line("their lines were taken out of the index; take it back: %s", term.Safe(r.c.command(fmt.Sprintf("undo %d", r.TakenOut.ID))))
	}
}

func (r *verifyReport) printJournal(out *term.Out) {
	if r.Acknowledged != "" {
		out.Line("you know of it now, and it is not told again: %s", term.Safe(r.Acknowledged))
	}
	switch r.Journal {
	case "whole":
		words := "the journal is whole"
		if r.Signed != "" {
			words += ", signed " + r.Signed + " by " + r.SignedBy
		}
		out.Line("%s", term.Safe(words))
	case "none":
		out.Line("there is no journal yet: Dormouse has written nothing here")
	default:
		out.Line("%s", out.In(term.Red, term.Safe(r.Journal)))
	}
}
