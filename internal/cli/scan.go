package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/scan"
)

type scanOptions struct {
	*common
	personal bool
}

func newScan(c *common) *cobra.Command {
	o := &scanOptions{common: c}
	cmd := &cobra.Command{
		Use:   "scan [FILE...|-]",
		Short: "Look through a text for hidden characters, instructions to the agent, and secrets",
		Long: `Reads files, or standard input, and names what could do harm in an agent's memory: text
that a person can't see, encoded text, forged delimiters, instructions to the agent that reach
for something, and secrets, which are never printed. It is a warning: what may load is
decided by where a text came from (dormouse why), and a text can be harmful with nothing
in it that could be found.

Exit status: 0 nothing was found, 1 something was, or could not be read; 2 for wrong use.`,
		Example: `  dormouse scan CLAUDE.md
  git show HEAD:AGENTS.md | dormouse scan -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && isTerminal(o.io.In) {
				return usageError{fmt.Errorf("scan what? Name files, or pipe a text in (see %s --help)", cmd.CommandPath())}
			}
			return runScan(o, args)
		},
	}
	cmd.Flags().BoolVar(&o.personal, "personal", false, "look for personal data too (mail, phone, bank and card numbers)")
	return cmd
}

type scanReport struct {
	Files    []scanFile    `json:"files"`
	Problems []jsonProblem `json:"problems"`
}

type scanFile struct {
	File     string        `json:"file"` // "-": standard input
	Findings []scanFinding `json:"findings"`
}

type scanFinding struct {
	Rule   string `json:"rule"`
	Kind   string `json:"kind"`
	Level  string `json:"level"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // characters, from 1
	Shown  string `json:"shown"`  // with everything hidden made visible, and secrets masked
	Why    string `json:"why"`
}

func runScan(o *scanOptions, files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	rep := scanReport{Files: []scanFile{}, Problems: []jsonProblem{}}
	scanner := scan.New()
	found := false
	for _, name := range files {
		text, err := o.readScanned(name)
		if err != nil {
			rep.Problems = append(rep.Problems, o.problemsOf(err)...)
			found = true
			continue
		}
		f := scanFile{File: name, Findings: []scanFinding{}}
		for _, x := range scanner.Scan(text, scan.Options{Personal: o.personal}) {
			f.Findings = append(f.Findings, scanFinding{x.Rule, string(x.Kind), x.Level.String(), x.Line, x.Column, x.Shown, x.Why})
			found = true
		}
		rep.Files = append(rep.Files, f)
	}
	if o.json {
		if err := printJSON(o.out, rep); err != nil {
			return err
		}
	} else {
		printScan(o.people(), &rep)
	}
	if found {
		return errFound
	}
	return nil
}

func (o *scanOptions) readScanned(name string) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(io.LimitReader(o.io.In, note.MaxBytes+1))
		if err == nil && len(b) > note.MaxBytes {
			err = fmt.Errorf("it is longer than %d bytes; scan it in parts", note.MaxBytes)
		}
		if err != nil {
			return "", fmt.Errorf("standard input: %w", err)
		}
		return string(b), nil
	}
	cwd, err := o.io.Getwd()
	if err != nil {
		return "", err
	}
	b, _, err := safefile.Read(absolute(cwd, name), note.MaxBytes)
	if errors.Is(err, safefile.ErrTooLarge) {
		err = fmt.Errorf("%w; scan it in parts: split -b 900k", err)
	}
	return string(b), err
}

func printScan(out *term.Out, rep *scanReport) {
	for _, p := range rep.Problems {
		out.Line("%s", out.In(term.Red, term.Safe(p.What)))
	}
	for _, f := range rep.Files {
		if len(f.Findings) == 0 {
			out.Line("%s: nothing found", term.Safe(f.File))
		}
		for _, x := range f.Findings {
			style := term.Yellow
			if x.Level == scan.Block.String() {
				style = term.Red
			}
			out.Line("%s:%d:%d: %s %s: %s", term.Safe(f.File), x.Line, x.Column, out.In(style, x.Level), x.Rule, x.Why)
			out.Line("    %s", term.Safe(x.Shown))
		}
	}
}
