package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/internal/term"
	"dormouse/store"
	"dormouse/trust"
)

type verifyOptions struct {
	*common
	hold bool
	sign string
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

--hold takes their lines out of the index (one change, which dormouse undo takes back).
--sign KEY signs where the journal ends with an SSH key, through ssh-keygen; a later verify
checks the signature.

Exit status: 0; 1 when something was changed from outside, is held, or the journal is
damaged; 2 for wrong use.`,
		Example: `  dormouse verify
  dormouse verify --hold
  dormouse verify --sign ~/.ssh/id_ed25519`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runVerify(o) },
	}
	cmd.Flags().BoolVar(&o.hold, "hold", false, "take what may not load out of the index")
	cmd.Flags().StringVar(&o.sign, "sign", "", "sign the journal's end with this SSH key")
	return cmd
}

type verifyReport struct {
	Store    string        `json:"store"`
	Journal  string        `json:"journal"` // whole, none, or what is wrong
	Signed   string        `json:"signed,omitempty"`
	Changed  *store.Entry  `json:"changed,omitempty"` // by other programs, since the last look
	Notes    int           `json:"notes"`
	Held     []trust.Held  `json:"held"`
	TakenOut *doneReport   `json:"taken_out,omitempty"`
	Problems []jsonProblem `json:"problems"`
}

func runVerify(o *verifyOptions) error {
	st, s, _, err := o.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	rep := verifyReport{Store: st.Dir(), Held: []trust.Held{}, Problems: []jsonProblem{}}
	rep.Changed, err = st.Verify()
	if errors.Is(err, store.ErrBroken) {
		rep.Journal = err.Error()
		rep.Problems = o.problemsOf(err)
		return o.finish(&rep, errFound)
	}
	if err != nil {
		return err
	}
	if rep.Journal = "none"; st.HasJournal() {
		rep.Journal = "whole"
	}
	if rep.Signed, err = checkSignature(st); err != nil {
		rep.Problems = o.problemsOf(err)
	}
	t := &trusting{st: st, s: s}
	if t.guard, err = o.guard(); err != nil {
		return err
	}
	if err := t.look(o.common); err != nil {
		return err
	}
	rep.Held, rep.Notes = orEmpty(t.state.Held), t.state.Notes
	if err := o.act(&rep, t); err != nil {
		return err
	}
	var found error
	if len(rep.Held) > 0 || rep.Changed != nil || len(rep.Problems) > 0 {
		found = errFound
	}
	return o.finish(&rep, found)
}

// act does what the flags ask for.
func (o *verifyOptions) act(rep *verifyReport, t *trusting) error {
	if o.hold {
		done, err := t.guard.Hold(t.st, o.by(t.s), t.state.Held)
		if err != nil {
			return err
		}
		if done != nil && done.ID != 0 {
			r := o.reportDone(trust.OpHold, store.IndexName, done)
			rep.TakenOut = &r
		}
	}
	if o.sign == "" {
		return nil
	}
	if !t.st.HasJournal() {
		return errors.New("there is no journal to sign: Dormouse has written nothing here yet")
	}
	if err := t.st.SignHead(signer(o.sign)); err != nil {
		return err
	}
	rep.Signed = "now"
	return nil
}

func (o *verifyOptions) finish(rep *verifyReport, found error) error {
	if o.json {
		if err := printJSON(o.out, rep); err != nil {
			return err
		}
		return found
	}
	out := o.people()
	switch rep.Journal {
	case "whole":
		words := "the journal is whole"
		if rep.Signed != "" {
			words += ", signed " + rep.Signed
		}
		out.Line("%s", words)
	case "none":
		out.Line("there is no journal yet: Dormouse has written nothing here")
	default:
		out.Line("%s", out.In(term.Red, term.Safe(rep.Journal)))
	}
	for _, p := range rep.Problems {
		if p.What != rep.Journal {
			out.Line("%s", out.In(term.Red, term.Safe(p.What)))
		}
	}
	if rep.Changed != nil {
		out.Line("another program changed %s since the last look (change %d): %s", count(len(rep.Changed.Changes), "file"), rep.Changed.ID, o.command(fmt.Sprintf("diff %d", rep.Changed.ID)))
	}
	switch {
	case rep.Journal != "whole" && rep.Journal != "none":
	case len(rep.Held) == 0:
		out.Line("%s looked at; all of them may load", count(rep.Notes, "note"))
	default:
		out.Line("%s", out.In(term.Bold, fmt.Sprintf("%d should not reach a session:", len(rep.Held))))
		printHeld(out, rep.Held)
		out.Line("see them, and decide: %s", o.command("review"))
	}
	if rep.TakenOut != nil {
		out.Line("their lines were taken out of the index; take it back: %s", o.command(fmt.Sprintf("undo %d", rep.TakenOut.ID)))
	}
	return found
}
