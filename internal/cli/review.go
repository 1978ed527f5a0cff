package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/scan"
	"dormouse/store"
	"dormouse/trust"
)

type reviewOptions struct {
	*common
	in *bufio.Reader
}

func newReview(c *common) *cobra.Command {
	o := &reviewOptions{common: c}
	return &cobra.Command{
		Use:   "review",
		Short: "See what is kept from loading, and decide (on a terminal only)",
		Long: `Goes through the notes and index lines that should not reach a session, one by one: the raw
text with everything hidden made visible, how it came to be, what changed, and why it is held.
You approve just these bytes, edit, reject, purge, or leave it. Held lines are taken out of
the index first, unless trust.held is "report" in the configuration.

Only a person at a terminal can do this: not a pipe, not the agent. What is of the worst
class can't be approved with others at once, and takes its name typed out.

Without a terminal it lists the titles and ends with 1.

Exit status: 0 when nothing is left to decide; 1 when something is; 2 for wrong use.`,
		Example: `  dormouse review`,
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runReview(o) },
	}
}

func runReview(o *reviewOptions) error {
	t, err := o.judge()
	if err != nil {
		return err
	}
	defer release(t.st)
	if o.json || !isTerminal(o.io.In) || !isTerminal(o.io.Out) || o.by(t.s).Actor != store.Human {
		return o.titles(t)
	}
	o.in = bufio.NewReader(o.io.In)
	out := o.people()
	if err := o.takeOut(t, out); err != nil {
		return err
	}
	left := 0
	held := t.state.Held
	for i := 0; i < len(held); i++ {
		h := &held[i]
		if h.Has(trust.ByRejected) && h.IndexLine == 0 {
			continue // decided, and nowhere to be seen
		}
		printReviewed(out, t, h, i+1, len(held))
		answer, err := o.ask(out, h)
		if err != nil {
			return err
		}
		done, all, err := o.decide(t, out, h, answer)
		switch {
		case errors.Is(err, errQuit):
			return errFound
		case err != nil:
			out.Line("%s", out.In(term.Red, term.Safe(err.Error())))
			i--
			continue
		case !done:
			left++
		}
		if all {
			n, err := o.approveRest(t, held[i+1:])
			if err != nil {
				return err
			}
			out.Line("%s approved; those of the worst class still wait", count(n, "more"))
			held = worstOf(held[i+1:])
			i = -1
		}
	}
	if left > 0 {
		out.Line("%d left for another time", left)
		return errFound
	}
	out.Line("nothing is left to decide")
	return nil
}

// titles is all that a pipe, or the agent, gets to see.
func (o *reviewOptions) titles(t *trusting) error {
	held := orEmpty(t.state.Held)
	if o.json {
		if err := printJSON(o.out, map[string]any{"store": t.st.Dir(), "held": held}); err != nil {
			return err
		}
	} else {
		out := o.people()
		printHeld(out, held)
		if len(held) > 0 {
			out.Line("a person decides on them, at a terminal: %s", o.command("review"))
		} else {
			out.Line("nothing waits for review")
		}
	}
	if len(held) > 0 {
		return errFound
	}
	return nil
}

func (o *reviewOptions) takeOut(t *trusting, out *term.Out) error {
	done, err := t.guard.Hold(t.st, o.by(t.s), t.state.Held)
	if err != nil || done == nil || done.ID == 0 {
		return err
	}
	out.Line("held lines were taken out of the index until you have decided (take it back: %s)", o.command(fmt.Sprintf("undo %d", done.ID)))
	held := t.state.Held
	if err := t.look(o.common); err != nil {
		return err
	}
	// A line that stood for itself is gone from the index, and still has to be
	// decided on.
	for _, h := range held {
		if h.Path == store.IndexName {
			h.IndexLine = 0
			t.state.Held = append(t.state.Held, h)
		}
	}
	return nil
}

var errQuit = errors.New("quit")

func (o *reviewOptions) ask(out *term.Out, h *trust.Held) (string, error) {
	more := "[A]pprove this and all but the worst, "
	if h.Worst {
		more = ""
	}
	fmt.Fprintf(out, "%s", out.In(term.Bold, "[a]pprove, "+more+"[e]dit, [r]eject, [p]urge, [s]kip, [q]uit? "))
	line, err := o.in.ReadString('\n')
	if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
		return "q", nil //nolint:nilerr // nobody is there any more: nothing is decided
	}
	return strings.TrimSpace(line), nil
}

// decide does what was answered. done tells that nothing is left to decide on it.
func (o *reviewOptions) decide(t *trusting, out *term.Out, h *trust.Held, answer string) (done, all bool, err error) {
	switch answer {
	case "a":
		if h.Worst && !o.typedOut(out, h) {
			return false, false, errors.New("the name is another one; nothing was approved")
		}
		return true, false, o.approve(t, h)
	case "A":
		if h.Worst {
			return false, false, errors.New("this one is of the worst class: decide on it by itself")
		}
		return true, true, o.approve(t, h)
	case "e":
		return true, false, o.edit(t, out, h)
	case "r":
		return true, false, o.reject(t, h)
	case "p":
		return true, false, o.purge(t, h)
	case "s", "":
		return false, false, nil
	case "q":
		return false, false, errQuit
	}
	return false, false, fmt.Errorf("%q is no answer", answer)
}

// typedOut asks for the name of a note of the worst class: a key is pressed too
// easily.
func (o *reviewOptions) typedOut(out *term.Out, h *trust.Held) bool {
	fmt.Fprintf(out, "it is of the worst class; type %s to approve it all the same: ", term.Safe(h.Path))
	line, _ := o.in.ReadString('\n') // nothing typed is another name
	return strings.TrimSpace(line) == h.Path
}

func (o *reviewOptions) approve(t *trusting, h *trust.Held) error {
	by := o.by(t.s)
	by.Origin = string(h.Origin)
	if _, err := t.st.Record(by, trust.OpApprove, store.Mark{Path: h.Path, Bytes: h.Text}); err != nil {
		return err
	}
	return o.bringBack(t, by, h)
}

// bringBack puts what was approved where a session is told of it.
func (o *reviewOptions) bringBack(t *trusting, by store.By, h *trust.Held) error {
	switch {
	case h.Path == store.IndexName:
		if h.IndexLine > 0 {
			return nil
		}
		_, err := t.st.EditIndex(by, trust.OpApprove, func(index []byte) ([]byte, error) {
			if len(index) > 0 && !bytes.HasSuffix(index, []byte("\n")) {
				index = append(index, '\n')
			}
			return append(bytes.Clone(index), append(bytes.Clone(h.Text), '\n')...), nil
		})
		return o.withRoom(err, "index --fix")
	case h.Waiting:
		by.From = append(by.From, store.Source{Hash: h.Hash, Note: h.Path})
		_, err := t.st.Add(by, store.New{File: h.Path, Bytes: h.Text, Line: note.Parse(h.Text).Line(h.Path)}, store.Refuse)
		return o.withRoom(err, "index --fix")
	}
	_, err := t.st.Relist(by, trust.OpApprove, h.Path, store.Refuse)
	return o.withRoom(err, "index --fix")
}

func (o *reviewOptions) approveRest(t *trusting, held []trust.Held) (int, error) {
	n := 0
	for i := range held {
		if held[i].Worst {
			continue
		}
		if err := o.approve(t, &held[i]); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func worstOf(held []trust.Held) []trust.Held {
	var out []trust.Held
	for _, h := range held {
		if h.Worst {
			out = append(out, h)
		}
	}
	return out
}

// edit lets the person change the text, and takes what comes back as approved: a
// person has seen it, and written it.
func (o *reviewOptions) edit(t *trusting, out *term.Out, h *trust.Held) error {
	if h.Path == store.IndexName {
		return errors.New("a line of the index is approved or rejected; edit it with dormouse edit MEMORY.md")
	}
	command, err := editorCommand(o.io.Env.Getenv)
	if err != nil {
		return err
	}
	dir, err := t.st.Drafts()
	if err != nil {
		return err
	}
	draft, err := heldDraft(dir, h)
	if err != nil {
		return err
	}
	if err := runEditor(command, draft, o.io); err != nil {
		return fmt.Errorf("the editor: %w; what you wrote is in %s", err, draft)
	}
	after, _, err := safefile.Read(draft, note.MaxBytes)
	if err != nil {
		return err
	}
	if err := editTrouble(h.Text, after); err != nil {
		return fmt.Errorf("%w; what you wrote is in %s", err, draft)
	}
	edited := *h
	edited.Text, edited.Hash = after, store.HashOf(after)
	by := o.by(t.s)
	if !h.Waiting && !bytes.Equal(after, h.Text) {
		if _, err := t.st.Edit(by, h.Path, h.Text, after); err != nil {
			return err
		}
	}
	_ = os.Remove(draft) // one that stays is found by purge
	out.Line("approved as you wrote it")
	return o.approve(t, &edited)
}

// reject turns a text down. A note leaves the folder: without its line an agent
// could still come across it.
func (o *reviewOptions) reject(t *trusting, h *trust.Held) error {
	by := o.by(t.s)
	if _, err := t.st.Record(by, trust.OpReject, store.Mark{Path: h.Path, Bytes: h.Text}); err != nil {
		return err
	}
	if h.Waiting || h.Path == store.IndexName {
		return nil
	}
	_, err := t.st.Forget(by, h.Path)
	return err
}

// purge removes the text from everything that Dormouse keeps.
func (o *reviewOptions) purge(t *trusting, h *trust.Held) error {
	if err := o.reject(t, h); err != nil {
		return err
	}
	_, err := t.st.Purge(o.by(t.s), h.Text)
	return err
}

// printReviewed shows one: the reason, the chain, the difference, the raw text.
func printReviewed(out *term.Out, t *trusting, h *trust.Held, n, of int) {
	style := term.Yellow
	if h.Worst {
		style = term.Red
	}
	out.Line("")
	out.Line("%s", out.In(style, fmt.Sprintf("%d of %d: %s", n, of, term.Safe(where(h)))))
	out.Line("held because %s", term.Safe(heldWords(h)))
	if h.Worst {
		out.Line("%s", out.In(term.Red, "of the worst class"))
	}
	out.Line("origin %s", h.Origin)
	for _, l := range t.state.Ledger.Why(h.Hash) {
		out.Line("  %d  %s  %s by %s, origin %s", l.Entry.ID, localTime(l.Entry.Time), l.Entry.Op, term.Safe(who(l.Entry)), l.Origin)
		for _, f := range l.Entry.From {
			out.Line("       from %s", term.Safe(sourceWords(f)))
		}
	}
	for _, k := range trust.Claims(h.Text) {
		out.Line("  it says %s of itself, which counts for nothing", term.Safe(k))
	}
	printDifference(out, t, h)
	out.Line("%s", out.In(term.Faint, "the text, with everything hidden made visible:"))
	for line := range strings.Lines(string(h.Text)) {
		out.Line("  | %s", term.Safe(scan.Visible(strings.TrimRight(line, "\r\n"))))
	}
}

// printDifference shows what the last change of the note did, if there was
// something before.
func printDifference(out *term.Out, t *trusting, h *trust.Held) {
	for _, l := range t.state.Ledger.Why(h.Hash) {
		for _, c := range l.Entry.Changes {
			if c.Path != h.Path || c.After != h.Hash || c.Before == "" {
				continue
			}
			before, err := t.st.Content(c.Before)
			if err != nil {
				return
			}
			out.Line("%s", out.In(term.Faint, "what changed:"))
			for line := range strings.Lines(unified(h.Path, h.Path, scan.Visible(string(before)), scan.Visible(string(h.Text)))) {
				out.Line("  %s", term.Safe(strings.TrimRight(line, "\n")))
			}
			return
		}
	}
}

// heldDraft makes a file for the editor.
func heldDraft(dir string, h *trust.Held) (string, error) {
	f, err := os.CreateTemp(dir, "review-*-"+shortBase(h.Path))
	if err != nil {
		return "", fmt.Errorf("a draft for the editor cannot be made: %w", err)
	}
	_, err = f.Write(h.Text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("a draft for the editor cannot be written: %w", err)
	}
	return f.Name(), nil
}
