package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/startup"
)

type contextOptions struct {
	*common
	raw     bool
	reads   []string
	explain string
	agent   string
	flags   host.Flags
	sources string
}

func newContext(c *common) *cobra.Command {
	o := &contextOptions{common: c}
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Print exactly what a session started here would load, in order",
		Long: `Prints every file that a session started here would load, in the order in which
the model gets them, with the reason; then what does not load, and why.

Files in folders below the start folder load only with a read there, and are not looked
for: --explain FILE answers for one, --read FILE shows what a read adds.

Exit status: 0; 1 when something could not be read or part of the index is cut; 2 for
wrong use. With --explain: 0 when the file loads, at the start or by a --read that is
given; 1 when it does not, or only a further read would bring it in.`,
		Example: `  dormouse context
  dormouse context --read src/main.go          what a read of that file adds
  dormouse context --explain docs/rules.md     does it load, and which rule decided
  dormouse context --raw | wc -w               the bare text the model gets
  dormouse context --json | jq '.not_loaded[] | select(.reason=="cut") | .text'
  dormouse context --agent reviewer            what a subagent gets of its own memory`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(o.flags.AddDirs) > 0 { // as the client's own flag, it takes several folders
				o.flags.AddDirs = append(o.flags.AddDirs, args...)
			} else if err := noArgs(cmd, args); err != nil {
				return err
			}
			if cmd.Flags().Changed("setting-sources") {
				o.flags.SettingSources = &o.sources
			}
			return runContext(o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.raw, "raw", false, "print only the text, in the order the model gets it")
	f.StringArrayVar(&o.reads, "read", nil, "also what a read of this `file` adds (repeatable, in order)")
	f.StringVar(&o.explain, "explain", "", "answer for one `file`: loads or not, and the rule that decided")
	f.StringVar(&o.agent, "agent", "", "what the subagent of this `name` is given")
	f.BoolVar(&o.flags.Bare, "bare", false, "as with the client's --bare")
	f.BoolVar(&o.flags.SafeMode, "safe-mode", false, "as with the client's --safe-mode")
	f.StringArrayVar(&o.flags.AddDirs, "add-dir", nil, "as with the client's --add-dir `folder` (repeatable)")
	f.StringVar(&o.flags.Settings, "settings", "", "as with the client's --settings `file-or-json`")
	f.StringVar(&o.sources, "setting-sources", "", "as with the client's --setting-sources `list`")
	return cmd
}

func runContext(o *contextOptions) error {
	if o.raw && (o.explain != "" || o.json) {
		return usageError{errors.New("--raw prints the bare text: it goes with neither --explain nor --json")}
	}
	s, err := o.session()
	if err != nil {
		return err
	}
	s.Flags, s.Agent = o.flags, o.agent
	for _, r := range o.reads {
		s.Reads = append(s.Reads, absolute(s.Cwd, r))
	}
	if o.explain != "" {
		return runExplain(o, s)
	}
	_, rep, err := o.look(s)
	if err != nil {
		return err
	}
	switch {
	case o.json:
		_, err = o.out.Write(append(rep.AppendJSON(nil), '\n'))
	case o.raw:
		err = printRaw(o.out, rep)
		printProblems(o.io.Err, rep)
	default:
		printContext(o.people(), rep, s)
	}
	if err != nil {
		return err
	}
	return verdict(rep)
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func printRaw(w io.Writer, rep *startup.Report) error {
	for _, list := range [][]startup.File{rep.Loaded, rep.After} {
		for _, f := range list {
			if _, err := io.WriteString(w, f.Text+"\n\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func printProblems(w io.Writer, rep *startup.Report) {
	for _, p := range rep.Problems {
		fmt.Fprintf(w, "dormouse: %s: %s\n", term.Safe(at(p.Path, p.Line)), term.Safe(p.What)) // nowhere left to say it
	}
}

// at is file:line, or the file alone.
func at(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

func printContext(out *term.Out, rep *startup.Report, s host.Session) {
	p := pathPrinter(s)
	who := "A session started"
	if s.Agent != "" {
		who = "The agent " + term.Safe(s.Agent) + " of a session started"
	}
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("%s in %s loads %s, ~%s tokens", who, p(rep.Cwd), count(len(rep.Loaded), "file"), thousands(rep.Tokens()))))
	out.Line("%s", out.In(term.Faint, "by the rules of "+rep.Client))
	if s.Agent != "" {
		out.Line("Its own memory: %s, by %s", p(rep.Mem.Dir), decisionWords(rep.Mem.Where, p))
	}
	out.Line("")
	printFiles(out, rep.Loaded, p)
	if len(rep.After) > 0 {
		out.Line("")
		out.Line("%s", out.In(term.Bold, "Added by the reads"))
		printFiles(out, rep.After, p)
	}
	printAges(out, rep.Ages, p)
	printLeft(out, rep.Left, p)
	printRemarks(out, "Could not be read as they stand", rep.Problems, p)
	printRemarks(out, "Remarks", rep.Notices, p)
}

func printFiles(out *term.Out, files []startup.File, p func(string) string) {
	for i, f := range files {
		out.Line("%3d  %s %s", i+1, out.In(term.Cyan, term.Pad(scopeWord(f), 8)), term.Safe(p(f.Path)))
		out.Line("     %s", out.In(term.Faint, fmt.Sprintf("%s, %s, ~%s tokens; %s", count(f.Lines, "line"), size(f.Bytes), thousands(f.Tokens), term.Safe(shortWhy(f, p)))))
		if f.Cut != nil {
			out.Line("     %s", out.In(term.Red, cutWords(f.Cut)))
		}
	}
}

func scopeWord(f startup.File) string {
	if f.Scope == "" {
		return "project"
	}
	return string(f.Scope)
}

func shortWhy(f startup.File, p func(string) string) string {
	if f.ImportedBy != "" {
		return fmt.Sprintf("imported by %s:%d", p(f.ImportedBy), f.ImportLine)
	}
	return p(f.Why)
}

func cutWords(c *startup.Cut) string {
	by := map[string]string{"lines": "the limit of lines", "size": "the limit of size", "both": "both limits"}[c.By]
	if c.WithinLine > 0 {
		return fmt.Sprintf("cut inside line %d by %s; %s after it do not load", c.WithinLine, by, count(c.CutLines, "line"))
	}
	return fmt.Sprintf("cut from line %d by %s: %d of %d lines do not load", c.FirstCutLine, by, c.CutLines, c.TotalLines)
}

func printAges(out *term.Out, ages []startup.Age, p func(string) string) {
	for _, a := range ages {
		told := "the model is not told"
		if a.Warn {
			told = "the model is told so"
		}
		out.Line("%s is %s old (%s)", term.Safe(p(a.Path)), count(a.Days, "day"), told)
	}
}

func printLeft(out *term.Out, left []startup.Left, p func(string) string) {
	words := len(left)
	left = slices.DeleteFunc(slices.Clone(left), isWord)
	words -= len(left)
	if len(left) == 0 {
		return
	}
	out.Line("")
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("Does not load (%d)", len(left))))
	if words > 0 {
		defer out.Line("%s", out.In(term.Faint, fmt.Sprintf("  and %s that are no imports where they stand: dormouse context --explain FILE", count(words, "@word"))))
	}
	for _, l := range left {
		out.Line("  %s %s", out.In(term.Yellow, term.Pad(string(l.Reason), 18)), term.Safe(leftWords(l, p)))
	}
}

// isWord is true for an @word that is no import: an e-mail address, a code
// span. They are listed where one file is explained.
func isWord(l startup.Left) bool { return l.Reason == startup.NotImportText }

func leftWords(l startup.Left, p func(string) string) string {
	switch l.Reason {
	case startup.NotCut:
		return fmt.Sprintf("%s: %s", at(filepath.Base(l.Path), l.Line), l.Text)
	case startup.NotDangling:
		return fmt.Sprintf("%s: %s (%s)", at(filepath.Base(l.From), l.Line), l.Text, p(l.Why))
	case startup.NotImportText:
		return fmt.Sprintf("%s: %s (%s)", at(p(l.From), l.Line), l.Text, p(l.Why))
	}
	words := p(l.Path) + ": " + p(l.Why)
	if l.From != "" && !strings.Contains(l.Why, l.From) {
		words += fmt.Sprintf(" (%s)", at(p(l.From), l.Line))
	}
	return words
}

func printRemarks(out *term.Out, title string, list []startup.Problem, p func(string) string) {
	if len(list) == 0 {
		return
	}
	out.Line("")
	out.Line("%s", out.In(term.Bold, title))
	for _, r := range list {
		where := ""
		if r.Path != "" {
			where = at(p(r.Path), r.Line) + ": "
		}
		out.Line("  %s%s", where, p(r.What))
	}
}
