package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"dormouse/guard"
	"dormouse/host"
	"dormouse/internal/guardfiles"
	"dormouse/internal/term"
)

func newGuard(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "List the rules that are enforced, and try them",
		Long: "Lists the rules that a person marked as binding in an instruction file, with file and line,\n" +
			"and the lines that are no rules. A rule stands in a code block with the word guard:\n\n" +
			"    ```guard\n" +
			"    deny command git push (-f|--force)   # rewrites shared history\n" +
			"    ask  command terraform apply\n" +
			"    deny edit    migrations/**\n" +
			"    deny tool    WebFetch\n" +
			"    ```\n\n" +
			"Rules count from the files that load for a session here, also from those that wait for a\n" +
			"read; notes never count, since an agent writes them. docs/guard.md has all forms.\n\n" +
			"Exit status: 0 fine, 1 a line is no rule or a file could not be read; 2 for wrong use.",
		Example: `  dormouse guard
  dormouse guard test git push --force
  dormouse guard suggest`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runGuard(c) },
	}
	cmd.AddCommand(newGuardTest(c), newGuardSuggest(c))
	return cmd
}

type guardReport struct {
	Rules    []guardRule    `json:"rules"`
	Problems []guardProblem `json:"problems"`
}

type guardRule struct {
	Rule    string `json:"rule"`
	Action  string `json:"action"`
	Kind    string `json:"kind"`
	Pattern string `json:"pattern"`
	Why     string `json:"why,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

type guardProblem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"`
	What string `json:"what"`
}

func jsonRule(r *guard.Rule) guardRule {
	return guardRule{r.String(), r.Action.String(), string(r.Kind), r.Pattern, r.Why, r.File, r.Line}
}

func jsonProblems(list []guard.Problem) []guardProblem {
	out := make([]guardProblem, 0, len(list))
	for _, p := range list {
		out = append(out, guardProblem(p))
	}
	return out
}

// guarded are the rules that hold for a session here.
type guarded struct {
	s        host.Session
	root     string // the repository's, or "" outside one
	cwd      string
	rules    guard.Rules
	problems []guard.Problem
}

func (c *common) guarded() (*guarded, error) {
	s, err := c.session()
	if err != nil {
		return nil, err
	}
	h, rep, err := c.look(s)
	if err != nil {
		return nil, err
	}
	g := &guarded{s: s, root: rep.Root, cwd: rep.Cwd}
	g.rules, g.problems = guardfiles.Load(h, s, rep)
	for _, p := range rep.Problems {
		g.problems = append(g.problems, guard.Problem{File: p.Path, Line: p.Line, What: p.What})
	}
	return g, nil
}

func runGuard(c *common) error {
	g, err := c.guarded()
	if err != nil {
		return err
	}
	rep := guardReport{Rules: make([]guardRule, 0, len(g.rules)), Problems: jsonProblems(g.problems)}
	for i := range g.rules {
		rep.Rules = append(rep.Rules, jsonRule(&g.rules[i]))
	}
	if c.json {
		err = printJSON(c.out, rep)
	} else {
		printGuard(c.people(), &rep, pathPrinter(g.s), c.command("guard suggest"))
	}
	if err == nil && len(rep.Problems) > 0 {
		return errFound
	}
	return err
}

func printGuard(out *term.Out, rep *guardReport, show func(string) string, suggest string) {
	width, at := 0, ""
	for i := range rep.Rules {
		width = max(width, min(60, term.Width(term.Safe(rep.Rules[i].Rule))))
	}
	for i := range rep.Rules {
		r := &rep.Rules[i]
		if r.File != at {
			at = r.File
			out.Line("%s", out.In(term.Bold, show(r.File)))
		}
		line := fmt.Sprintf("%5d  %s", r.Line, term.Pad(term.Safe(r.Rule), width))
		if r.Why != "" {
			line += "  " + out.In(term.Faint, term.Safe(r.Why))
		}
		out.Line("%s", strings.TrimRight(line, " "))
	}
	if len(rep.Rules) == 0 {
		out.Line("no guard rules load here; %s looks for lines that could be rules", suggest)
	}
	printGuardProblems(out, rep.Problems, show)
}

func printGuardProblems(out *term.Out, list []guardProblem, show func(string) string) {
	for _, p := range list {
		where := show(p.File)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		out.Line("%s", out.In(term.Red, fmt.Sprintf("%s: %s", where, show(p.What))))
		if p.Text != "" {
			out.Line("    %s", term.Safe(p.Text))
		}
	}
}

type guardTestOptions struct {
	*common
	tool  string
	paths []string
}

func newGuardTest(c *common) *cobra.Command {
	o := &guardTestOptions{common: c}
	cmd := &cobra.Command{
		Use:   "test [flags] COMMAND...",
		Short: "Say what the rules would do about a command or a tool call",
		Long: `Decides about a call as the hook would, and runs nothing. One word is a whole shell text;
several are the words of one command. Flags come before it.

Exit status: 0 no rule speaks about it, 1 it would be denied or asked about; 2 for wrong use.`,
		Example: `  dormouse guard test git push --force
  dormouse guard test 'cd migrations && rm *'
  dormouse guard test --tool Edit --path migrations/001.sql`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && o.tool == "" && len(o.paths) == 0 {
				return usageError{fmt.Errorf("test what? Give a command, or --tool NAME with --path FILE (see %s --help)", cmd.CommandPath())}
			}
			if len(o.paths) > 0 && o.tool == "" {
				return usageError{fmt.Errorf("--path needs the tool that would get it: --tool Edit")}
			}
			return runGuardTest(o, args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&o.tool, "tool", "", "the tool that is called (a command's is Bash)")
	cmd.Flags().StringArrayVar(&o.paths, "path", nil, "a file that the tool gets")
	return cmd
}

type guardVerdict struct {
	Action   string         `json:"action"` // "none", "ask" or "deny"
	Rule     *guardRule     `json:"rule,omitempty"`
	Found    string         `json:"found,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Problems []guardProblem `json:"problems"`
}

func runGuardTest(o *guardTestOptions, args []string) error {
	text, err := commandText(args)
	if err != nil {
		return err
	}
	g, err := o.guarded()
	if err != nil {
		return err
	}
	if o.tool == "" {
		o.tool = "Bash"
	}
	v := g.rules.Decide(guard.Call{
		Tool: o.tool, Command: text, Paths: o.paths, Cwd: g.cwd, Project: g.root, Home: g.s.Env.Home, Resolve: guardfiles.Resolve,
	})
	rep := guardVerdict{Action: v.Action.String(), Found: v.Found, Reason: v.Reason, Problems: jsonProblems(g.problems)}
	if v.Rule != nil {
		r := jsonRule(v.Rule)
		rep.Rule = &r
	}
	if o.json {
		err = printJSON(o.out, rep)
	} else {
		printVerdict(o.people(), &rep, pathPrinter(g.s), len(g.rules))
	}
	if err == nil && v.Action != guard.NoOpinion {
		return errFound
	}
	return err
}

// commandText is the shell text of one word, or the command that several make.
func commandText(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		q, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			return "", usageError{fmt.Errorf("word %d can't be part of a command: %w", i+1, err)}
		}
		quoted[i] = q
	}
	return strings.Join(quoted, " "), nil
}

func printVerdict(out *term.Out, v *guardVerdict, show func(string) string, rules int) {
	if v.Rule == nil {
		out.Line("no rule speaks about it (%s)", count(rules, "rule"))
	} else {
		style := term.Yellow
		if v.Action == guard.Deny.String() {
			style = term.Red
		}
		out.Line("%s by %s:%d", out.In(style, v.Action), show(v.Rule.File), v.Rule.Line)
		out.Line("    %s", term.Safe(v.Rule.Rule))
		out.Line("the agent is told: %s", show(v.Reason))
	}
	printGuardProblems(out, v.Problems, show)
}
