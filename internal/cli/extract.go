package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/extract/bymodel"
	"dormouse/extract/keep"
	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/transcript"
)

type extractOptions struct {
	*common
	since string
	all   bool
	dry   bool

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
one again adds nothing. Every note tells its session; dormouse undo takes it back.

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
	Model    *modelReport    `json:"model,omitempty"`
	Problems []jsonProblem   `json:"problems"`
}

type sessionReport struct {
	File    string `json:"file"`
	Session string `json:"session,omitempty"`
	Host    string `json:"host,omitempty"`
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
	done, err := o.openDone()
	if err != nil {
		return err
	}
	defer done.close()
	files, skipped, err := o.sessions(s, args, from, done)
	if err != nil {
		return err
	}
	x := &extraction{o: o, st: st, report: extractReport{
		Store: st.Dir(), Dry: o.dry, Sessions: []sessionReport{}, Notes: []extractedRow{}, Dropped: []droppedRow{}, Skipped: skipped, Counts: map[string]int{}, Problems: []jsonProblem{},
	}}
	failed := x.run(ctx, files, rep, done)
	return x.print(s, failed)
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

// sessions are the logs to read, the oldest first, and how many were left out as
// they were read before.
func (o *extractOptions) sessions(s host.Session, args []string, from time.Time, done *doneSessions) (files []string, skipped int, err error) {
	if len(args) > 0 {
		for _, arg := range args {
			file, err := o.logOf(s, arg)
			if err != nil {
				return nil, 0, err
			}
			files = append(files, file)
		}
		return files, 0, nil
	}
	type log struct {
		path string
		mod  time.Time
	}
	var logs []log
	for _, path := range o.transcripts(s)("") {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch {
		case !from.IsZero() && info.ModTime().Before(from):
			continue
		case from.IsZero() && !o.all && done.has(path, info):
			skipped++
			continue
		}
		logs = append(logs, log{path, info.ModTime()})
	}
	slices.SortFunc(logs, func(a, b log) int {
		if c := a.mod.Compare(b.mod); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	for _, l := range logs {
		files = append(files, l.path)
	}
	return files, skipped, nil
}

// logOf is the file that an argument names: a path, or a session's id.
func (o *extractOptions) logOf(s host.Session, arg string) (string, error) {
	cwd, err := o.io.Getwd()
	if err != nil {
		return "", err
	}
	path := absolute(cwd, o.fromHome(arg))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if !strings.ContainsAny(arg, `/\`) {
		if found := o.transcripts(s)(strings.TrimSuffix(arg, ".jsonl")); len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("%s: there is no such file, and no session of that id", arg)
}

// extraction is one run.
type extraction struct {
	o      *extractOptions
	st     *store.Store
	report extractReport
	forBot []botSession // the sessions, as a model gets them
}

// botSession is a session for a model, and the log it is of.
type botSession struct {
	*bymodel.Reader
	file string
}

func (x *extraction) run(ctx context.Context, files []string, rep *startup.Report, done *doneSessions) error {
	guard, err := x.o.guard()
	if err != nil {
		return err
	}
	reader, seen := extract.New(), &transcript.Seen{}
	reader.Known, reader.Zone = knownTexts(rep), time.Local
	bar := newBar(x.o.io.Err, len(files))
	defer bar.end()
	var errs []error
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
		k := &keep.Keeper{St: x.st, Guard: guard, Dry: x.o.dry}
		outcomes, err := k.Keep(found.Candidates)
		x.take(outcomes, found.Dropped)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		if !x.o.dry {
			done.add(file, info)
		}
	}
	if x.o.engine.spec != "" && len(x.forBot) > 0 {
		asked, err := x.askModel(ctx, func() *keep.Keeper { return &keep.Keeper{St: x.st, Guard: guard, Dry: x.o.dry} })
		errs = append(errs, err)
		for _, b := range x.forBot[asked:] {
			delete(done.list, b.file) // the next run with a model reads it again
		}
	}
	return errors.Join(append(errs, done.save(x.o.dry))...)
}

// read goes through one log.
func (x *extraction) read(file string, reader *extract.Reader, seen *transcript.Seen) (fs.FileInfo, *extract.Found, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer release(f)
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a file", file)
	}
	if err != nil {
		return nil, nil, err
	}
	row, bot := sessionReport{File: file}, (*bymodel.Reader)(nil)
	if x.o.engine.spec != "" {
		bot = bymodel.New()
		x.forBot = append(x.forBot, botSession{bot, file})
	}
	stats, err := transcript.Read(f, seen, func(t *transcript.Turn) error {
		if row.Session == "" {
			row.Session = t.Session
		}
		reader.Turn(t)
		if bot != nil {
			bot.Turn(t)
		}
		return nil
	})
	found := reader.End()
	row.Host, row.Turns, row.Bad, row.Copies = stats.Host, stats.Turns, stats.Bad+stats.TooLong, stats.Duplicates
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	x.report.Sessions = append(x.report.Sessions, row)
	return info, found, reader.Err()
}

// knownTexts are what the instructions of a session here say already.
func knownTexts(rep *startup.Report) []claim.Source {
	var out []claim.Source
	for i := range rep.Loaded {
		if f := &rep.Loaded[i]; f.Scope != startup.Memory {
			out = append(out, claim.Source{Name: f.Path, Text: f.Text, Fixed: true})
		}
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		if b, err := os.ReadFile(filepath.Join(orElse(rep.Root, rep.Cwd), name)); err == nil && len(b) < 1<<20 {
			out = append(out, claim.Source{Name: name, Text: string(b), Fixed: true})
		}
	}
	return out
}

func (x *extraction) take(outcomes []keep.Outcome, dropped []extract.Dropped) {
	for _, c := range outcomes {
		x.report.Counts[string(c.Action)]++
		x.report.Notes = append(x.report.Notes, extractedRow{
			Action: c.Action, Kind: c.Kind, Type: c.Type, Text: c.Text, Quote: c.Quote, Confidence: c.Confidence, Why: c.Why,
			File: c.File, Into: c.Into, Session: c.Session, Line: c.Line, Change: c.Change,
		})
	}
	for _, d := range dropped {
		x.report.Dropped = append(x.report.Dropped, droppedRow{d.Quote, d.Why, d.Session, d.Line})
	}
}

func (x *extraction) print(s host.Session, failed error) error {
	x.report.Problems = x.o.problemsOf(failed)
	if x.o.json {
		if err := printJSON(x.o.out, x.report); err != nil {
			return err
		}
		return x.o.said(failed)
	}
	out, p := x.o.people(), pathPrinter(s)
	for _, r := range x.report.Notes {
		out.Line("%s %s", out.In(term.Cyan, term.Pad(string(r.Action), 10)), term.Safe(p(r.Text)))
		where := fmt.Sprintf("%s, line %d of session %s", r.Kind, r.Line, shortSession(r.Session))
		if r.File != "" {
			where = r.File + "; " + where
		}
		out.Line("%s %s", strings.Repeat(" ", 10), out.In(term.Faint, term.Safe(where)))
		if r.Action != keep.Kept && r.Why != "" {
			out.Line("%s %s", strings.Repeat(" ", 10), term.Safe(r.Why))
		}
	}
	words := []string{}
	for _, a := range []keep.Action{keep.Kept, keep.Confirmed, keep.Superseded, keep.Forgotten, keep.Review, keep.Waits, keep.Known, keep.Dropped} {
		if n := x.report.Counts[string(a)]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, a))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing worth keeping"}
	}
	out.Line("%s read: %s", count(len(x.report.Sessions), "session"), strings.Join(words, ", "))
	if n := len(x.report.Dropped); n > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s looked worth it and not kept (--json says why)", count(n, "sentence"))))
	}
	if x.report.Skipped > 0 {
		out.Line("%s", out.In(term.Faint, fmt.Sprintf("%s read before (--all reads them again)", count(x.report.Skipped, "session"))))
	}
	if x.report.Counts[string(keep.Review)] > 0 {
		out.Line("%s", out.In(term.Faint, "what waits: "+x.o.command("review")))
	}
	if x.o.dry {
		out.Line("nothing was written")
	}
	return x.o.said(failed)
}
