package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"dormouse/dream"
	"dormouse/dream/bymodel"
	"dormouse/dream/shelf"
	"dormouse/extract"
	"dormouse/extract/keep"
	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/transcript"
)

// dreamer makes a dream.
type dreamer func(context.Context, dream.Input) (*dream.Result, error)

type dreamOptions struct {
	*common
	since   string
	all     bool
	without bool // sessions
	dry     bool
	apply   bool
	auto    bool

	engine engineOptions
	dream  dreamer
}

func newDream(c *common) *cobra.Command { return newDreamBy(c, dream.Dream) }

func newDreamBy(c *common, by dreamer) *cobra.Command {
	o := &dreamOptions{common: c, dream: by}
	cmd := &cobra.Command{
		Use:   "dream [SESSION|FILE]...",
		Short: "Tidy the notes up: one note a fact, nothing that no longer holds, nothing lost",
		Long: `Makes a new set of notes out of those that are there and of what sessions said: duplicates
become one, what was said later takes the place of what was said before, "yesterday" becomes
a date, the index is made anew. It needs no model. The notes stay as they are: the dream
waits until you apply it, with an account of what became of every statement.

Without an argument it reads the sessions of this project that dormouse extract has not read
yet, at most 100.

--auto is for a timer or a hook: it dreams only when the last dream is a day old and five
sessions are newer than it (dream.every and dream.sessions in the configuration), leaves the
result for you unless dream.apply is true, and says one line.

Exit status: 0; 1 when something could not be read or written, was refused, or the model gave
no answer that can be used; 2 for wrong use.`,
		Example: `  dormouse dream
  dormouse dream --dry-run
  dormouse dream show
  dormouse dream diff
  dormouse dream apply
  dormouse dream --no-sessions --apply
  dormouse dream --model ollama:qwen3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			// It reads all there is, and nobody waits for it to start.
			runtime.GOMAXPROCS(runtime.NumCPU())
			if o.auto {
				return runDreamAuto(cmd.Context(), o)
			}
			return runDream(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "", "sessions from this day on (2026-11-30), also those that were read")
	f.BoolVar(&o.all, "all", false, "all sessions of this project, also those that were read")
	f.BoolVar(&o.without, "no-sessions", false, "the notes alone")
	f.BoolVar(&o.dry, "dry-run", false, "say what would become of the notes, and keep nothing; a model is not asked")
	f.BoolVar(&o.apply, "apply", false, "apply it at once")
	f.BoolVar(&o.auto, "auto", false, "only if it is time, for a timer or a hook")
	o.engine.flags(cmd)
	cmd.AddCommand(newDreamList(c), newDreamShow(c), newDreamDiff(c), newDreamApply(c), newDreamDiscard(c), newDreamRestore(c))
	return cmd
}

func (o *dreamOptions) check(cmd *cobra.Command, args []string) error {
	chosen := 0
	for _, on := range []bool{len(args) > 0, o.all, o.since != "", o.without} {
		if on {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return usageError{errors.New("sessions by name, --since, --all and --no-sessions are four ways to choose: take one")}
	case o.auto && (chosen > 0 || o.dry || o.apply):
		return usageError{errors.New("--auto chooses by itself what to read, and dream.apply in the configuration whether to apply it")}
	case o.dry && o.apply:
		return usageError{errors.New("--dry-run keeps nothing, and --apply changes the notes: take one")}
	}
	return o.engine.check(cmd)
}

// dreamReport is what dream --json prints.
type dreamReport struct {
	Store     string           `json:"store"`
	Ran       bool             `json:"ran"`
	Reason    string           `json:"reason,omitempty"` // why it did not run
	Dry       bool             `json:"dry_run"`
	ID        string           `json:"id,omitempty"`     // "" if nothing is kept
	Status    string           `json:"status,omitempty"` // of the kept one
	Changed   bool             `json:"changed"`          // the notes would be, or are, others
	Change    int              `json:"change,omitempty"` // of the journal, where it was applied
	Sessions  []sessionReport  `json:"sessions"`
	Skipped   int              `json:"skipped"` // sessions that extract has read
	Counts    *dream.Counts    `json:"counts,omitempty"`
	Files     []fileMark       `json:"files"` // that would be others
	Conflicts []shelf.Conflict `json:"conflicts"`
	Waiting   int              `json:"waiting"` // what sessions said that is for the review, once it is applied
	Refused   []string         `json:"refused"` // of a model's proposals
	Model     *dreamModel      `json:"model,omitempty"`
	Said      []string         `json:"said"`
	Problems  []jsonProblem    `json:"problems"`
}

// dreamModel is what a model did, or why it did nothing more.
type dreamModel struct {
	Name    string  `json:"name"`
	Asked   int     `json:"asked"`  // groups of statements
	Cached  int     `json:"cached"` // whose answer was there from before
	Failed  int     `json:"failed"` // of those asked: no answer that can be used
	Left    int     `json:"left"`   // not asked about, because of the problem
	Tokens  int     `json:"tokens"`
	Cost    float64 `json:"dollars"`
	Problem string  `json:"problem,omitempty"`
}

// fileMark is a file and what happens to it: + made, - removed, ~ changed.
type fileMark struct {
	File string `json:"file"`
	Mark string `json:"mark"`
}

// dreaming is one run.
type dreaming struct {
	o     *dreamOptions
	k     *keptDreams
	rep   *startup.Report
	made  shelf.Made
	in    dream.Input
	out   dreamReport
	files []string // the logs to read
	left  int      // sessions that are left for the next dream
	done  *doneSessions
	judge *bymodel.Engine // nil: no model is asked
}

func runDream(ctx context.Context, o *dreamOptions, args []string) error {
	k, rep, err := o.openDreams(o.apply)
	if err != nil {
		return err
	}
	defer k.close()
	w := o.dreaming(k, rep)
	if err := w.choose(args); err != nil {
		return err
	}
	if !o.dry {
		unlock, err := k.shelf.Lock()
		if err != nil {
			return err
		}
		defer unlock()
	}
	failed := w.run(ctx)
	return w.print(failed)
}

func (o *dreamOptions) dreaming(k *keptDreams, rep *startup.Report) *dreaming {
	w := &dreaming{o: o, k: k, rep: rep}
	w.made = shelf.Made{Store: k.st.Dir(), At: o.io.Now().UTC().Truncate(time.Second), Auto: o.auto}
	w.made.Build, _ = builtVersion()
	w.out = dreamReport{
		Store: k.st.Dir(), Dry: o.dry, Sessions: []sessionReport{}, Files: []fileMark{}, Conflicts: []shelf.Conflict{},
		Refused: []string{}, Said: []string{}, Problems: []jsonProblem{},
	}
	return w
}

// choose finds the session logs to read, and refuses too many before anything is
// read.
func (w *dreaming) choose(args []string) error {
	if w.o.without {
		return nil
	}
	files, err := w.unread(args)
	if err != nil {
		return err
	}
	if n := len(files); n > dream.MaxSessions {
		return fmt.Errorf("%s would be read, and one dream takes %d: let dormouse extract read them first, choose some with --since DAY or by name, or leave them out with --no-sessions",
			count(n, "session"), dream.MaxSessions)
	}
	w.files = files
	return nil
}

// unread are the sessions that are asked for, or else not read yet, oldest first.
func (w *dreaming) unread(args []string) ([]string, error) {
	e := &extractOptions{common: w.o.common, since: w.o.since, all: w.o.all, dry: true}
	from, err := e.day()
	if err != nil {
		return nil, err
	}
	done, err := e.openDone() // dry: without the lock
	if err != nil {
		return nil, err
	}
	files, skipped, err := e.sessions(w.k.s, args, from, done)
	w.out.Skipped, w.done = skipped, done
	return files, err
}

// run reads, dreams and keeps. What of the sessions can't be read does not end it.
func (w *dreaming) run(ctx context.Context) error {
	w.out.Ran = true
	found, unread := w.read(ctx)
	if err := w.gather(ctx); err != nil {
		return errors.Join(unread, err)
	}
	// What a person forgot does not come back from the session that it came from.
	w.in.Said = keep.Fresh(w.k.history, found)
	if err := w.askFor(); err != nil {
		return errors.Join(unread, err)
	}
	res, err := w.o.dream(ctx, w.in)
	silent := w.tellModel(res)
	if err == nil && res == nil {
		err = errors.New("the dream has no result")
	}
	if err != nil {
		return errors.Join(unread, fmt.Errorf("dreaming: %w", err))
	}
	w.take(res)
	if w.o.dry {
		return unread
	}
	return errors.Join(unread, silent, w.keep(res))
}

// read goes through the session logs.
func (w *dreaming) read(ctx context.Context) ([]extract.Candidate, error) {
	reader, seen := extract.New(), &transcript.Seen{}
	reader.Known, reader.Zone = knownTexts(w.rep), time.Local
	x := &extraction{o: &extractOptions{common: w.o.common, dry: true}, st: w.k.st}
	bar := newBar(w.o.io.Err, len(w.files))
	defer bar.end()
	var found []extract.Candidate
	var errs []error
	for _, file := range w.files {
		bar.step(filepath.Base(file))
		if err := ctx.Err(); err != nil {
			return found, errors.Join(append(errs, err)...)
		}
		info, got, err := x.read(file, reader, seen)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		row := x.report.Sessions[len(x.report.Sessions)-1]
		w.made.Sessions = append(w.made.Sessions, shelf.Session{
			File: file, ID: row.Session, Size: info.Size(), Modified: info.ModTime(), Known: w.done.has(file, info),
		})
		found = append(found, got.Candidates...)
	}
	w.out.Sessions = orEmpty(x.report.Sessions)
	return found, errors.Join(errs...)
}

// take puts the result into the report.
func (w *dreaming) take(res *dream.Result) {
	w.out.Counts, w.out.Waiting, w.out.Refused = &res.Counts, len(res.Waiting), orEmpty(res.Refused)
	for _, c := range res.Conflicts {
		w.out.Conflicts = append(w.out.Conflicts, shelf.Conflict{A: c.A, B: c.B, Why: c.Why, Left: c.Left})
	}
	for _, r := range res.Diff(&w.in) {
		w.out.Files = append(w.out.Files, fileMark{r.Rel, markOf(r)})
	}
	w.out.Changed = len(w.out.Files) > 0
}

func markOf(r store.Replacement) string {
	switch {
	case r.Before == nil:
		return "+"
	case r.After == nil:
		return "-"
	}
	return "~"
}

// keep puts the dream onto the shelf, if it would change anything or has something
// for the review, and applies it if that is wanted.
func (w *dreaming) keep(res *dream.Result) error {
	if !w.out.Changed && len(res.Waiting) == 0 {
		return w.k.shelf.SetRan(shelf.Ran{At: w.made.At, Left: w.left})
	}
	d, fresh, err := w.k.shelf.Keep(w.made, &w.in, res, !w.o.auto)
	if err != nil {
		return err
	}
	w.out.ID, w.out.Status = d.ID, string(d.Status)
	switch {
	case d.Status == shelf.Discarded:
		w.out.Said = append(w.out.Said, fmt.Sprintf("it is the same as %s, which was discarded", d.ID))
	case !fresh:
		w.out.Said = append(w.out.Said, fmt.Sprintf("it is the same as %s, which waits", d.ID))
	}
	if err := w.k.shelf.SetRan(shelf.Ran{At: w.made.At, ID: d.ID, Left: w.left}); err != nil {
		return err
	}
	if w.o.auto {
		if err := w.replaced(d); err != nil {
			return err
		}
	}
	if !w.o.apply || d.Status != shelf.Waiting {
		return nil
	}
	done, err := w.k.apply(d)
	w.out.Status = string(d.Status)
	if done != nil {
		w.out.Change, w.out.Said = done.ID, append(w.out.Said, done.Said...)
	}
	return err
}

// replaced discards the older dreams that no person asked for and that still wait:
// a timer would pile them up.
func (w *dreaming) replaced(by *shelf.Dream) error {
	dreams, _ := w.k.shelf.List() // a damaged one stays where it is
	for i := range dreams {
		d := &dreams[i]
		if d.ID == by.ID || !d.Auto || w.k.standing(d).word != standWaiting {
			continue
		}
		if err := w.k.shelf.Decide(d, shelf.Discarded, w.made.At, 0, "a newer dream took its place: "+by.ID); err != nil {
			return err
		}
	}
	return nil
}

func (w *dreaming) print(failed error) error {
	w.out.Problems = w.o.problemsOf(failed)
	if w.o.json {
		if err := printJSON(w.o.out, w.out); err != nil {
			return err
		}
		return w.o.said(failed)
	}
	if w.out.Counts != nil {
		if w.o.auto {
			w.o.people().Line("%s", term.Safe(w.oneLine()))
		} else {
			w.printResult(w.o.people(), pathPrinter(w.k.s))
		}
	}
	return w.o.said(failed)
}

// printResult tells what the dream is and what to do with it.
func (w *dreaming) printResult(out *term.Out, show func(string) string) {
	n := w.out.Counts
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("%s and %s read", count(n.Notes, "note"), count(len(w.out.Sessions), "session"))))
	printFates(out, n)
	if k := len(w.out.Conflicts); k > 0 && w.out.ID != "" {
		out.Line("%s", out.In(term.Yellow, count(k, "conflict")+" that nobody decided"))
	} else {
		printConflicts(out, w.out.Conflicts) // no dream is kept that could show them
	}
	if w.out.Waiting > 0 && w.out.Change == 0 {
		out.Line("%s for the review, once it is applied", count(w.out.Waiting, "candidate"))
	}
	printRefused(out, w.out.Refused, fewRefused)
	if w.out.Skipped > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s read by dormouse extract before (--all reads them again)", count(w.out.Skipped, "session"))))
	}
	for _, s := range w.out.Said {
		out.Line("%s", show(w.o.hinted(s)))
	}
	switch {
	case w.out.Change > 0:
		out.Line("applied as change %d: %s", w.out.Change, filesWords(w.out.Files))
		out.Line("%s", out.In(term.Faint, "take it back: "+term.Safe(w.o.command(fmt.Sprintf("undo %d", w.out.Change)))))
	case w.o.dry && w.out.Changed:
		out.Line("it would be %s after: %s", count(n.After, "note"), filesWords(w.out.Files))
		out.Line("nothing was written")
	case !w.out.Changed && w.out.ID == "":
		out.Line("nothing would change")
	case w.out.Status == string(shelf.Waiting):
		out.Line("dream %s: it would be %s after: %s", w.out.ID, count(n.After, "note"), filesWords(w.out.Files))
		out.Line("%s", out.In(term.Faint, "look at it: "+term.Safe(w.o.command("dream show"))+", "+term.Safe(w.o.command("dream diff"))))
		out.Line("%s", out.In(term.Faint, "apply it: "+term.Safe(w.o.command("dream apply"))))
	}
}

// fewRefused are told of at once; dream show has all.
const fewRefused = 5

func printRefused(out *term.Out, refused []string, most int) {
	for _, r := range refused[:min(most, len(refused))] {
		out.Line("refused of the model: %s", term.Safe(r))
	}
	if more := len(refused) - most; more > 0 {
		out.Line("and %d more were refused", more)
	}
}

// filesWords counts what happens to files.
func filesWords(files []fileMark) string {
	n := map[string]int{}
	for _, f := range files {
		n[f.Mark]++
	}
	return fmt.Sprintf("%s changed, %d made, %d gone", count(n["~"], "file"), n["+"], n["-"])
}

func printFates(out *term.Out, n *dream.Counts) {
	line := ""
	for _, f := range fates() {
		if k := n.Fates[f.fate]; k > 0 {
			line += fmt.Sprintf(", %s %s", thousands(k), f.fate)
		}
	}
	if line != "" {
		out.Line("%s: %s", count(n.Claims, "statement"), line[2:])
	}
}

// oneLine is what a timer's log gets.
func (w *dreaming) oneLine() string {
	words := fmt.Sprintf("dream: %s and %s read", count(w.out.Counts.Notes, "note"), count(len(w.out.Sessions), "session"))
	if w.left > 0 {
		words += fmt.Sprintf(", %s left for the next dream", thousands(w.left))
	}
	switch {
	case w.out.Change > 0:
		return fmt.Sprintf("%s; applied as change %d (%s)", words, w.out.Change, w.o.command(fmt.Sprintf("undo %d", w.out.Change)))
	case w.out.ID == "" && len(w.out.Conflicts) > 0:
		return fmt.Sprintf("%s; nothing would change, and nobody decided %s (%s)", words, count(len(w.out.Conflicts), "conflict"), w.o.command("dream --dry-run"))
	case w.out.ID == "":
		return words + "; nothing would change"
	case w.out.Status == string(shelf.Waiting):
		return fmt.Sprintf("%s; %s waits for you (%s)", words, w.out.ID, w.o.command("dream show"))
	}
	return fmt.Sprintf("%s; the same as %s, which was %s", words, w.out.ID, w.out.Status)
}

// openDreams opens the store that the flags name, and the shelf beside it; nothing
// is made.
func (c *common) openDreams(write bool) (*keptDreams, *startup.Report, error) {
	open := c.openStore
	if write {
		open = c.openToWrite
	}
	st, s, rep, err := open()
	if err != nil {
		return nil, nil, err
	}
	k := &keptDreams{c: c, st: st, s: s}
	state, err := host.StateFolder(c.io.Env)
	if err == nil {
		k.guard, err = c.guard()
	}
	if err != nil {
		k.close()
		return nil, nil, err
	}
	if c.store != "" && !st.Exists() {
		k.close()
		return nil, nil, fmt.Errorf("--store %s: no folder is there", c.store)
	}
	k.guard.Imported = c.global != nil
	k.shelf = shelf.At(state, st.Dir())
	return k, rep, nil
}
