package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/guard"
	"dormouse/guard/suggest"
	"dormouse/internal/atomicfile"
	"dormouse/internal/guardfiles"
	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
)

type guardSuggestOptions struct {
	*common
	write bool
}

func newGuardSuggest(c *common) *cobra.Command {
	o := &guardSuggestOptions{common: c}
	cmd := &cobra.Command{
		Use:   "suggest [FILE[:LINE]...]",
		Short: "Find lines that forbid something, and offer the rule that enforces it",
		Long: `Looks through the instruction files that load here, or those that are named, for lines such as
"never force-push", "do not edit migrations/" or "ask before deploying", in English and Ukrainian,
and offers a rule for each. Nothing is written without --write, which adds a block of the offered
rules at the end of the file they were found in.

Exit status: 0 fine, 1 a file could not be read or was not changed; 2 for wrong use.`,
		Example: `  dormouse guard suggest
  dormouse guard suggest CLAUDE.md:12 --write`,
		RunE: func(_ *cobra.Command, args []string) error { return runGuardSuggest(o, args) },
	}
	cmd.Flags().BoolVar(&o.write, "write", false, "add the offered rules to the files")
	return cmd
}

type guardSuggestReport struct {
	Suggestions []guardSuggestion `json:"suggestions"`
	Written     []string          `json:"written"`
	Problems    []guardProblem    `json:"problems"`
}

type guardSuggestion struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Text  string   `json:"text"`
	Rules []string `json:"rules"`
}

// suggestIn is a file to be looked through.
type suggestIn struct {
	file  string
	lines []int // these alone; none: all
	loads bool
}

func runGuardSuggest(o *guardSuggestOptions, args []string) error {
	g, files, err := o.suggestFiles(args)
	if err != nil {
		return err
	}
	rep := guardSuggestReport{Suggestions: []guardSuggestion{}, Written: []string{}, Problems: []guardProblem{}}
	for _, f := range files {
		if err := o.suggestFor(&rep, g, f); err != nil {
			rep.Problems = append(rep.Problems, guardProblem{File: f.file, What: o.errorText(err)})
		}
	}
	if o.json {
		err = printJSON(o.out, rep)
	} else {
		o.printSuggestions(&rep, pathPrinter(g.s), args)
	}
	if err == nil && len(rep.Problems) > 0 {
		return errFound
	}
	return err
}

// suggestFiles are the files that are named, or all instruction files that load.
func (o *guardSuggestOptions) suggestFiles(args []string) (*guarded, []suggestIn, error) {
	s, err := o.session()
	if err != nil {
		return nil, nil, err
	}
	h, rep, err := o.look(s)
	if err != nil {
		return nil, nil, err
	}
	g := &guarded{s: s, root: rep.Root, cwd: rep.Cwd}
	g.rules, _ = guardfiles.Load(h, s, rep)
	loads := guardfiles.Files(h, s, rep)
	if len(args) == 0 {
		files := make([]suggestIn, 0, len(loads))
		for _, f := range loads {
			files = append(files, suggestIn{file: f, loads: true})
		}
		return g, files, nil
	}
	cwd, err := o.io.Getwd()
	if err != nil {
		return nil, nil, err
	}
	var files []suggestIn
	for _, a := range args {
		f := suggestIn{file: a}
		if n := strings.LastIndexByte(a, ':'); n > 0 {
			if line, err := strconv.Atoi(a[n+1:]); err == nil && line > 0 {
				f.file, f.lines = a[:n], []int{line}
			}
		}
		f.file = absolute(cwd, f.file)
		for _, l := range loads {
			if samePath(l, f.file) {
				f.file, f.loads = l, true
			}
		}
		if n := slices.IndexFunc(files, func(b suggestIn) bool { return b.file == f.file }); n >= 0 && f.lines != nil && files[n].lines != nil {
			files[n].lines = append(files[n].lines, f.lines...)
			continue
		}
		files = append(files, f)
	}
	return g, files, nil
}

func (o *guardSuggestOptions) suggestFor(rep *guardSuggestReport, g *guarded, f suggestIn) error {
	before, _, err := safefile.Read(f.file, note.MaxBytes)
	if err != nil {
		return fmt.Errorf("looking for rules: %w", err)
	}
	var rules []string
	for _, s := range suggest.Lines(string(before), g.rules) {
		if f.lines != nil && !slices.Contains(f.lines, s.Line) {
			continue
		}
		rep.Suggestions = append(rep.Suggestions, guardSuggestion{f.file, s.Line, s.Text, s.Rules})
		rules = append(rules, s.Rules...)
	}
	if !o.write || len(rules) == 0 {
		return nil
	}
	if !f.loads {
		return errors.New("nothing was written: it does not load for a session here, so its rules would not hold (see dormouse context)")
	}
	return o.writeRules(rep, f.file, before, rules)
}

// writeRules adds a block at the end of a file, and no other byte.
func (o *guardSuggestOptions) writeRules(rep *guardSuggestReport, file string, before []byte, rules []string) error {
	after := withBlock(before, rules)
	src := guard.Source{File: file, Base: guard.BaseOf(filepath.ToSlash(file))}
	was, _ := guard.Parse(src, string(before))
	now, _ := guard.Parse(src, string(after))
	if len(now) != len(was)+len(rules) {
		return errors.New("nothing was written: at its end a code block or a comment is still open, and the rules would be part of it; close it first")
	}
	if err := atomicfile.Replace(guardfiles.Resolve(file), before, after); err != nil {
		return fmt.Errorf("adding rules: %w", err)
	}
	rep.Written = append(rep.Written, file)
	return nil
}

// withBlock puts a guard block behind a text, with the text's own line ends.
func withBlock(text []byte, rules []string) []byte {
	eol := "\n"
	if strings.Contains(string(text), "\r\n") {
		eol = "\r\n"
	}
	out := string(text)
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += eol
	}
	out += eol + "```guard" + eol
	for _, r := range rules {
		out += r + eol
	}
	return []byte(out + "```" + eol)
}

func (o *guardSuggestOptions) printSuggestions(rep *guardSuggestReport, show func(string) string, args []string) {
	out := o.people()
	for _, s := range rep.Suggestions {
		out.Line("%s:%d  %s", show(s.File), s.Line, out.In(term.Faint, term.Safe(s.Text)))
		for _, r := range s.Rules {
			out.Line("    %s", term.Safe(r))
		}
	}
	for _, f := range rep.Written {
		out.Line("added to %s", show(f))
	}
	printGuardProblems(out, rep.Problems, show)
	switch {
	case len(rep.Suggestions) == 0 && len(rep.Problems) == 0:
		out.Line("no line was found that could be a rule, or there is a rule for each already")
	case len(rep.Suggestions) > 0 && !o.write:
		words := "guard suggest"
		for _, a := range args {
			words += " " + a
		}
		out.Line("%s --write adds them at the end of the files; %s FILE:LINE --write one line's", o.command(words), o.command("guard suggest"))
	}
}
