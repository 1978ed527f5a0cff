package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"dormouse/extract"
	"dormouse/extract/bymodel"
	"dormouse/extract/keep"
	"dormouse/host"
	"dormouse/model"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/transcript"
)

type extractOptions struct {
	*common
	since    string
	all      bool
	dry      bool
	makeRoom bool

	into   string // the store's folder, links resolved; "": of the common flags
	engine engineOptions
}

func newExtract(c *common) *cobra.Command {
	o := &extractOptions{common: c}
	cmd := &cobra.Command{
		Use:   "extract [SESSION|FILE]...",
		Short: "Draw notes out of sessions: what you said that should last",
		Long: `Reads session logs and keeps what the person said that should last: what they asked to be
remembered, how they corrected the agent, who they are, where things are, by when. It needs
no model. Only what the person typed counts; what came out of tools can only wait in the
review, and so does what is not sure, until a second session says it too. One-off wishes,
guesses, quoted and pasted text, and what instructions or notes say already are not kept,
and secrets never are.

Without an argument it reads the sessions of this project that it has not read yet. Reading
one again adds nothing, and what you forgot or undid does not come back from the same words.
A session of another project is refused unless --project or --store says where its notes go.
Every note tells its session; dormouse undo takes it back.

Exit status: 0; 1 when something could not be read or written; 2 for wrong use.`,
		Example: `  dormouse extract
  dormouse extract --dry-run
  dormouse extract ~/.claude/projects/-home-me-app/3f2a….jsonl
  dormouse extract --since 2026-11-01
  dormouse extract --model ollama:qwen3 --dry-run
  dormouse extract --all --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.engine.check(cmd); err != nil {
				return err
			}
			return runExtract(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "", "sessions from this day on (2026-11-30), also those that were read")
	f.BoolVar(&o.all, "all", false, "all sessions of this project, also those that were read")
	f.BoolVar(&o.dry, "dry-run", false, "say what would be kept, and write nothing; a model is not asked, only what it would cost at most is said")
	f.BoolVar(&o.makeRoom, "make-room", false, "when the index is full, move its least valuable lines out")
	o.engine.flags(cmd)
	return cmd
}

// extractReport is what extract --json prints.
type extractReport struct {
	Store    string          `json:"store"`
	Dry      bool            `json:"dry_run"`
	Sessions []sessionReport `json:"sessions"`
	Notes    []extractedRow  `json:"notes"`   // what became of each candidate
	Dropped  []droppedRow    `json:"dropped"` // what looked worth remembering and was not
	Skipped  int             `json:"skipped"` // sessions that were read before
	Counts   map[string]int  `json:"counts"`  // by action
	// MovedOut are the index lines that made room, for --make-room.
	MovedOut []store.Candidate `json:"moved_out"`
	Model    *modelReport      `json:"model,omitempty"`
	Problems []jsonProblem     `json:"problems"`
}

type sessionReport struct {
	File    string `json:"file"`
	Session string `json:"session,omitempty"`
	Host    string `json:"host,omitempty"`
	Cwd     string `json:"cwd,omitempty"` // that it was started in, where the log says
	Turns   int    `json:"turns"`
	Bad     int    `json:"bad_lines"` // cut, no JSON, or too long
	Copies  int    `json:"copies"`    // turns that another session had already
}

type extractedRow struct {
	Action     keep.Action  `json:"action"`
	Kind       extract.Kind `json:"kind"`
	Type       string       `json:"type"`
	Text       string       `json:"text"`
	Quote      string       `json:"quote"`
	Confidence float64      `json:"confidence"`
	Why        string       `json:"why"`
	File       string       `json:"file,omitempty"`
	Into       string       `json:"supersedes,omitempty"`
	Against    []keep.Place `json:"against,omitempty"` // lines that say otherwise, in notes that say more
	Session    string       `json:"session"`
	Line       int          `json:"line"`
	Change     int          `json:"change,omitempty"`
}

type droppedRow struct {
	Quote   string `json:"quote,omitempty"`
	Why     string `json:"why"`
	Session string `json:"session"`
	Line    int    `json:"line"`
}

func runExtract(ctx context.Context, o *extractOptions, args []string) error {
	from, err := o.day()
	if err != nil {
		return err
	}
	if len(args) > 0 && (o.all || o.since != "") {
		return usageError{errors.New("--all and --since choose among the sessions of this project; name sessions or files without them")}
	}
	st, s, rep, err := o.openToWrite()
	if err != nil {
		return err
	}
	defer release(st)
	o.into = st.Dir()
	if len(args) > 0 {
		if err := o.ofThisProject(s, rep, args); err != nil {
			return err
		}
	}
	x := &extraction{o: o, st: st, paths: pathPrinter(s)}
	if o.engine.spec != "" { // what is wrong with it shows before anything is written
		if x.model, err = o.engine.open(o.common); err != nil {
			return err
		}
	}
	done, err := o.openDone()
	if err != nil {
		return err
	}
	defer done.close()
	files, skipped, err := o.sessions(s, args, from, done)
	if err != nil {
		return err
	}
	x.report = extractReport{
		Store: st.Dir(), Dry: o.dry, Sessions: []sessionReport{}, Notes: []extractedRow{}, Dropped: []droppedRow{}, Skipped: skipped,
		Counts: map[string]int{}, MovedOut: []store.Candidate{}, Problems: []jsonProblem{},
	}
	failed := x.run(ctx, files, rep, done)
	return x.print(failed)
}

// day reads --since.
func (o *extractOptions) day() (time.Time, error) {
	if o.since == "" {
		return time.Time{}, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, o.since, time.Local)
	if err != nil {
		return day, usageError{fmt.Errorf("--since: %q is no day; write it as 2026-11-30", o.since)}
	}
	return day, nil
}

// extraction is one run.
type extraction struct {
	o      *extractOptions
	st     *store.Store
	report extractReport
	paths  func(string) string // writes paths for people
	shown  int                 // notes of the report that are printed
	model  model.Model         // nil: none is asked
	forBot []botSession        // the sessions, as a model gets them
}

// botSession is a session for a model, and the log it is of.
type botSession struct {
	*bymodel.Reader
	file string
}

func (x *extraction) run(ctx context.Context, files []string, rep *startup.Report, done *doneSessions) error {
	k, err := x.keeper()
	if err != nil {
		return err
	}
	reader, seen := extract.New(), &transcript.Seen{}
	reader.Known, reader.Zone = knownTexts(rep), time.Local
	bar := newBar(x.o.io.Err, len(files))
	defer bar.end()
	var errs []error
	full := false
	for _, file := range files {
		bar.step(filepath.Base(file))
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		info, found, err := x.read(file, reader, seen)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		outcomes, err := k.Keep(found.Candidates)
		x.take(outcomes, k.CleanDropped(found.Dropped))
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, x.o.withRoom(err, "extract")))
			if _, full = errors.AsType[*store.FullError](err); full {
				break // what comes has no room either
			}
			continue
		}
		if !x.o.dry {
			done.add(file, info)
		}
	}
	bar.end()
	if x.model != nil && len(x.forBot) > 0 {
		asked := 0
		if !full {
			if !x.o.json {
				x.printNotes(x.o.people()) // a server may keep us waiting
			}
			if asked, err = x.askModel(ctx, k); err != nil {
				errs = append(errs, err)
			}
		}
		for _, b := range x.forBot[asked:] {
			delete(done.list, b.file) // the next run with a model reads it again
		}
	}
	return errors.Join(append(errs, done.save(x.o.dry))...)
}

func (x *extraction) keeper() (*keep.Keeper, error) {
	guard, err := x.o.guard()
	if err != nil {
		return nil, err
	}
	k := &keep.Keeper{St: x.st, Guard: guard, Dry: x.o.dry, Room: store.Room(x.o.makeRoom)}
	h, err := x.o.theHost()
	if keeper, ok := h.(host.Keeper); ok {
		k.Limits = keeper.IndexLimits()
	}
	return k, err
}

func (x *extraction) take(outcomes []keep.Outcome, dropped []extract.Dropped) {
	for _, c := range outcomes {
		x.report.Counts[string(c.Action)]++
		x.report.Notes = append(x.report.Notes, extractedRow{
			Action: c.Action, Kind: c.Kind, Type: c.Type, Text: c.Text, Quote: c.Quote, Confidence: c.Confidence, Why: c.Why,
			File: c.File, Into: c.Into, Against: c.Against, Session: c.Session, Line: c.Line, Change: c.Change,
		})
		x.report.MovedOut = append(x.report.MovedOut, c.MovedOut...)
	}
	for _, d := range dropped {
		x.report.Dropped = append(x.report.Dropped, droppedRow{d.Quote, d.Why, d.Session, d.Line})
	}
}
