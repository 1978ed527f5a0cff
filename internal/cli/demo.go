package cli

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/term"
)

func newDemo(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show all of it on a sample project, in a temporary folder that is removed again",
		Long: `Lays out a small project with the faults that people meet, runs the commands on it
and prints what they say. No network, no model, nothing outside one temporary folder.`,
		Example: "  dormouse demo",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runDemo(c) },
	}
}

// step is one command of the demo and what to say before it.
type step struct {
	say  string
	args []string
}

// demoSteps grow with each capability.
var demoSteps = []step{
	{"Why did my agent forget? The memory screen of the sample project ~/shop:", nil},
	{"Every file that loads, in order, and what does not:", []string{"context"}},
	{"The whole check-up, with the evidence and what mends it:", []string{"doctor"}},
	{"One file: why does docs/style.md not load?", []string{"context", "--explain", "docs/style.md"}},
	{"Remember something. The index is full, so nothing is written, and it says what could go:", []string{"remember", "Refunds are paid out on Fridays"}},
	{"With room made, it is written, and shown to reach the agent:", []string{"remember", "--make-room", "Refunds are paid out on Fridays"}},
	{"Every change stands in a journal …", []string{"history"}},
	{"… and can be taken back:", []string{"undo"}},
	{"Switch memory off for this checkout …", []string{"off", "--local"}},
	{"… and see which switch decides now:", []string{"status"}},
}

func runDemo(c *common) error {
	root, err := os.MkdirTemp("", "dormouse-demo-")
	if err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	defer os.RemoveAll(root) //nolint:errcheck // what is left lies in the temporary folder
	interrupted := make(chan os.Signal, 1)
	// Also the signal of a closed pipe: without a handler it would end the
	// process before the folder is removed.
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer signal.Stop(interrupted)

	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	streams, err := laySample(c, root)
	if err != nil {
		return fmt.Errorf("laying out the sample project: %w", err)
	}
	if c.json {
		return demoJSON(c, streams)
	}
	out := c.people()
	for _, st := range demoSteps {
		select {
		case <-interrupted:
			return fmt.Errorf("interrupted")
		default:
		}
		out.Line("%s", out.In(term.Yellow, "# "+st.say))
		out.Line("%s", out.In(term.Bold, "$ "+strings.Join(append([]string{"dormouse"}, st.args...), " ")))
		if code := Main(st.args, streams); code == exitUsage {
			return fmt.Errorf("the demo's own step %q failed", strings.Join(st.args, " "))
		}
		if c.out.err != nil {
			return nil // nobody listens any more
		}
		out.Line("")
	}
	out.Line("%s", out.In(term.Yellow, "# That was a sample. Your own project: dormouse"))
	return nil
}

// demoJSON prints the steps as a list.
func demoJSON(c *common, streams *IO) error {
	type result struct {
		Say    string   `json:"say"`
		Args   []string `json:"args"`
		Exit   int      `json:"exit"`
		Output string   `json:"output"`
	}
	var results []result
	for _, st := range demoSteps {
		var b strings.Builder
		quiet := *streams
		quiet.Out, quiet.Err = &b, &b
		code := Main(st.args, &quiet)
		results = append(results, result{st.say, append([]string{}, st.args...), code, b.String()})
	}
	return printJSON(c.out, results)
}

// sample is the sample project: a shop whose agent forgets for five reasons.
var sample = map[string]string{
	"shop/CLAUDE.md": `# Shop

<!-- the agent never sees this line -->
Prices are integers in cents. See @docs/money.md for rounding.
Style: @docs/style.md, as agreed.
`,
	"shop/CLAUDE.local.md":     "My test database listens on port 5433.\n",
	"shop/AGENTS.md":           "Run the linter before each commit.\n",
	"shop/docs/money.md":       "Round half to even, once, at the end.\n",
	"shop/docs/style.md":       "No abbreviations in names.\n",
	"shop/.claude/rules/go.md": "---\npaths: \"**/*.go\"\n---\nErrors are wrapped once.\n",
	"shop/cmd/main.go":         "package main\n",
	// As much of a repository as git takes for one.
	"shop/.git/HEAD":            "ref: refs/heads/main\n",
	"shop/.git/objects/info/of": "",
	"shop/.git/refs/heads/of":   "",
	".claude/CLAUDE.md":         "Answer in short sentences.\n",
}

func onlyPath(getenv func(string) string) func(string) string {
	return func(name string) string {
		if name != "PATH" {
			return ""
		}
		return getenv(name)
	}
}

// laySample writes the sample below home and returns the surroundings of a
// session there.
func laySample(c *common, home string) (*IO, error) {
	project := filepath.Join(home, "shop")
	files := map[string]string{}
	for name, text := range sample {
		files[filepath.Join(home, filepath.FromSlash(name))] = text
	}
	env := host.Env{
		Home: home, OS: c.io.Env.OS, Root: home, // no policy file of this machine takes part
		// Of this machine only where programs are: git is asked what the repository had.
		Getenv: onlyPath(c.io.Env.Getenv),
		Lookup: func(name string) (string, bool) { v := onlyPath(c.io.Env.Getenv)(name); return v, v != "" },
	}
	if err := writeAll(files); err != nil {
		return nil, err
	}
	h, err := c.theHost()
	if err != nil {
		return nil, err
	}
	store, err := h.Folder(host.Session{Cwd: project, Env: env, Now: c.io.Now()}, host.MemoryFolder)
	if err != nil {
		return nil, err
	}
	if err := writeAll(sampleNotes(store)); err != nil {
		return nil, err
	}
	return &IO{
		In: strings.NewReader(""), Out: c.io.Out, Err: c.io.Out, Now: c.io.Now, Env: env, // what is refused stands where it happens
		Getwd: func() (string, error) { return project, nil },
	}, nil
}

// sampleNotes is a store whose index has outgrown what loads: the newest line,
// which matters most, is the one that is lost.
func sampleNotes(store string) map[string]string {
	const many = 202
	files := map[string]string{}
	var index strings.Builder
	for i := 1; i <= many; i++ {
		name, hook := fmt.Sprintf("order_%03d.md", i), fmt.Sprintf("what was learnt with order %d", i)
		if i == many {
			name, hook = "deploy_only_from_main.md", "never deploy from a branch, the user was clear about it"
		}
		fmt.Fprintf(&index, "- [%s](%s) — %s\n", strings.TrimSuffix(name, ".md"), name, hook)
		files[filepath.Join(store, name)] = fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata:\n  type: project\n---\n\n%s.\n", strings.TrimSuffix(name, ".md"), hook, hook)
	}
	files[filepath.Join(store, "MEMORY.md")] = index.String()
	files[filepath.Join(store, "refunds.md")] = "---\nname: refunds\ndescription: refunds need two people\n---\n\nRefunds need two people.\n"
	return files
}

func writeAll(files map[string]string) error {
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
