package cli

import (
	"bufio"
	"bytes"
	"cmp"
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

The notes for all projects come after those of the project, unless --store names a folder.
Without a terminal it lists the titles and ends with 1.

Exit status: 0 when nothing is left to decide; 1 when something is; 2 for wrong use.`,
		Example: `  dormouse review`,
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runReview(o) },
	}
}

func runReview(o *reviewOptions) error {
	places, err := o.places()
	if len(places) == 0 {
		return err
	}
	for _, t := range places {
		defer release(t.st)
	}
	troubled := o.said(err)
	if o.json || !isTerminal(o.io.In) || !isTerminal(o.io.Out) || o.by(places[0].s).Actor != store.Human {
		return cmp.Or(o.titles(places), troubled)
	}
	o.in = bufio.NewReader(o.io.In)
	out := o.people()
	left := 0
	for _, t := range places {
		n, err := o.forPlace(t).session(t, out)
		left += n
		if errors.Is(err, errQuit) {
			return errFound
		}
		troubled = cmp.Or(o.said(err), troubled) // one store's trouble hides nothing of the other
	}
	switch {
	case left > 0:
		out.Line("%d left for another time", left)
		return errFound
	case troubled == nil:
		out.Line("nothing is left to decide")
	}
	return troubled
}

// places are the stores to decide on: that of the project, or that --store names,
// and that for all projects. The error is of those that can't be looked through.
func (o *reviewOptions) places() ([]*trusting, error) {
	var out []*trusting
	project := ""
	t, err := o.judge()
	if _, wrong := errors.AsType[usageError](err); wrong {
		return nil, err
	}
	if err == nil {
		out, project = append(out, t), t.st.Dir()
	}
	g, dir, gerr := o.globalTrusting(project)
	if g != nil {
		if gerr = g.look(g.c); gerr == nil {
			return append(out, g), err
		}
		release(g.st)
	}
	if gerr != nil {
		gerr = fmt.Errorf("the notes for all projects, %s: %w", dir, gerr)
	}
	if err == nil || gerr == nil {
		return out, cmp.Or(err, gerr)
	}
	return out, errors.Join(err, gerr)
}

// forPlace is the review of one of them.
func (o *reviewOptions) forPlace(t *trusting) *reviewOptions {
	return &reviewOptions{common: t.c, in: o.in}
}

// session goes through what is held in one store, and returns how many were left.
func (o *reviewOptions) session(t *trusting, out *term.Out) (left int, err error) {
	if t.beside() && len(t.state.Held) > 0 {
		out.Line("")
		out.Line("%s", out.In(term.Bold, "the notes for all projects, "+term.Safe(t.st.Dir())))
	}
	if err := o.takeOut(t, out); err != nil {
		return 0, err
	}
	held, decided := t.state.Held, map[string]bool{}
	for i := 0; i < len(held); i++ {
		h := &held[i]
		if h.Has(trust.ByRejected) && h.IndexLine == 0 {
			continue // decided, and nowhere to be seen
		}
		if h.Waiting && decided[h.Hash] {
			continue // it waits, and stood in the index again
		}
		printReviewed(out, t, h, i+1, len(held))
		answer, err := o.ask(out, h)
		if err != nil {
			return left, err
		}
		done, all, err := o.decide(t, out, h, answer)
		switch {
		case errors.Is(err, errQuit):
			return left, err
		case err != nil:
			out.Line("%s", out.In(term.Red, term.Safe(err.Error())))
			i--
			continue
		case !done:
			left++
		}
		decided[h.Hash] = decided[h.Hash] || done
		if all {
			n, err := o.approveRest(t, held[i+1:])
			if err != nil {
				return left, err
			}
			out.Line("%s approved; those of the worst class still wait", count(n, "more"))
			held = worstOf(held[i+1:])
			i = -1
		}
	}
	return left, nil
}

// heldReport is what is held in one store, as JSON.
type heldReport struct {
	Store  string       `json:"store"`
	Held   []trust.Held `json:"held"`
	Global *heldReport  `json:"global,omitempty"`
}

// titles is all that a pipe, or the agent, gets to see.
func (o *reviewOptions) titles(places []*trusting) error {
	n := 0
	for _, t := range places {
		n += len(t.state.Held)
	}
	if o.json {
		if err := printJSON(o.out, heldIn(places)); err != nil {
			return err
		}
	} else {
		out := o.people()
		for _, t := range places {
			if t.beside() && len(t.state.Held) > 0 {
				out.Line("%s", out.In(term.Bold, "the notes for all projects, "+term.Safe(t.st.Dir())))
			}
			printHeld(out, t.state.Held)
		}
		if n > 0 {
			out.Line("a person decides on them, at a terminal: %s", o.command("review"))
		} else {
			out.Line("nothing waits for review")
		}
	}
	if n > 0 {
		return errFound
	}
	return nil
}

func heldIn(places []*trusting) *heldReport {
	rep := &heldReport{Held: []trust.Held{}}
	for _, t := range places {
		own := heldReport{Store: t.st.Dir(), Held: orEmpty(t.state.Held)}
		if t.beside() {
			rep.Global = &own
			continue
		}
		*rep = own
	}
	return rep
}

func (o *reviewOptions) takeOut(t *trusting, out *term.Out) error {
	done, err := t.guard.Hold(t.st, o.by(t.s), t.state.Held)
	if err != nil || done == nil || done.ID == 0 {
		return err
	}
	out.Line("held lines were taken out of the index until you have decided (take it back: %s)", term.Safe(o.command(fmt.Sprintf("undo %d", done.ID))))
	return t.look(o.common) // a line that stood for itself waits now
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
	case t.inList(h) && h.IndexLine > 0:
		return nil
	case t.inList(h):
		_, err := t.st.EditIndex(by, trust.OpApprove, func(index []byte) ([]byte, error) { return withLine(index, h.Text), nil })
		return o.withRoom(err, "index --fix")
	case h.Waiting:
		by.From = append(by.From, store.Source{Hash: h.Hash, Note: h.Path})
		_, err := t.st.Add(by, store.New{File: h.Path, Bytes: h.Text, Line: note.Parse(h.Text).Line(h.Path)}, store.Refuse)
		return o.withRoom(err, "index --fix")
	}
	_, err := t.st.Relist(by, trust.OpApprove, h.Path, store.Refuse)
	return o.withRoom(err, "index --fix")
}

// withLine is an index with a line at its end, unless it is there already.
func withLine(index, line []byte) []byte {
	for l := range bytes.Lines(index) {
		if bytes.Equal(bytes.TrimSpace(l), bytes.TrimSpace(line)) {
			return index
		}
	}
	out := bytes.Clone(index)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return append(append(out, line...), '\n')
}

// withoutLine is an index without the lines that read so.
func withoutLine(index, line []byte) []byte {
	out := []byte{}
	for l := range bytes.Lines(index) {
		if !bytes.Equal(bytes.TrimSpace(l), bytes.TrimSpace(line)) {
			out = append(out, l...)
		}
	}
	return out
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
	if t.inList(h) {
		return errors.New("a line of the index is approved, rejected, purged or skipped: edit the index itself with dormouse edit MEMORY.md, once the line is there")
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
	switch {
	case h.Waiting:
		return nil
	case t.inList(h):
		_, err := t.st.EditLists(by, trust.OpReject, func(_ string, text []byte) ([]byte, error) { return withoutLine(text, h.Text), nil })
		return err
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
		for _, f := range l.Sources {
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
