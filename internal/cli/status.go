package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/startup"
)

func newStatus(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "The memory screen of this project (the same as dormouse alone)",
		Long: `One screen: memory on or off and which switch decided, the memory folder, what
loads and what it costs, how full the index is, and the one thing most worth doing.

Exit status: 0; 1 when something could not be read or part of the index is cut; 2 for wrong use.`,
		Example: `  dormouse status
  dormouse status --json | jq .next
  dormouse --project ~/src/app`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runStatus(c) },
	}
}

// statusReport is the report and what to do about it.
type statusReport struct {
	*startup.Report
	TotalTokens int            `json:"tokens"`
	Next        startup.Advice `json:"next"`
	installed
}

func runStatus(c *common) error {
	s, err := c.session()
	if err != nil {
		return err
	}
	s.Thorough = true
	h, rep, err := c.look(s)
	if err != nil {
		return err
	}
	next, in := c.advise(h, s, rep), c.installed(h, s)
	if c.json {
		if err := printJSON(c.out, statusReport{rep, rep.Tokens(), next, *in}); err != nil {
			return err
		}
	} else {
		printStatus(c, h, rep, next, in, s)
	}
	return verdict(rep)
}

const label = 10 // columns of the left edge

func printStatus(c *common, h host.Host, rep *startup.Report, next startup.Advice, in *installed, s host.Session) {
	out, p := c.people(), pathPrinter(s)
	row := func(name, text string) { out.Line("%s%s", out.In(term.Bold, term.Pad(name, label)), text) }
	row("Project", fmt.Sprintf("%s  %s", term.Safe(p(rep.Cwd)), out.In(term.Faint, h.Title()+"; rules of "+rep.Client)))
	row("Memory", memoryWords(out, &rep.Mem, p))
	row("Store", storeWords(&rep.Mem, p))
	printMeters(out, rep, row)
	if rep.Mem.On && rep.Mem.Exists {
		row("Notes", notesWords(&rep.Mem, p))
	}
	in.rows(out, p, row)
	in.failed(out, p, row)
	for _, o := range rep.Mem.Others {
		row("", out.In(term.Yellow, fmt.Sprintf("also %s in %s: %s", count(o.Notes, "note"), term.Safe(p(o.Dir)), term.Safe(p(o.Why)))))
	}
	for _, o := range rep.Mem.Shared {
		row("", out.In(term.Yellow, fmt.Sprintf("%s has the same store name: its notes and these would mix", term.Safe(p(o)))))
	}
	out.Line("")
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("Loads at start: %s, ~%s tokens", count(len(rep.Loaded), "file"), thousands(rep.Tokens()))))
	for _, f := range rep.Loaded {
		out.Line("  %s ~%6s  %8s  %s", out.In(term.Cyan, term.Pad(scopeWord(f), 8)), thousands(f.Tokens), size(f.Bytes), term.Tail(p(f.Path), out.Width-30))
	}
	printLeftSummary(out, rep, c.command("context"))
	printRemarks(out, "Could not be read as they stand", rep.Problems, p)
	printRemarks(out, "Remarks", rep.Notices, p)
	out.Line("")
	row("Next", term.Safe(p(next.What)))
	if next.How != "" {
		row("", out.In(term.Cyan, term.Safe(p(next.How))))
	}
}

func memoryWords(out *term.Out, m *startup.MemoryState, p func(string) string) string {
	state := out.In(term.Green, "on")
	if !m.On {
		state = out.In(term.Red, "off")
	}
	return fmt.Sprintf("%s  decided by %s", state, decisionWords(m.Switch, p))
}

func decisionWords(d startup.Decision, p func(string) string) string {
	switch {
	case d.By == "default":
		return "the client's default"
	case d.File != "":
		return fmt.Sprintf("%s = %s in %s", d.By, term.Safe(d.Value), term.Safe(at(p(d.File), d.Line)))
	case d.Value == "given":
		return d.By
	}
	return fmt.Sprintf("the variable %s=%s", d.By, term.Safe(d.Value))
}

func storeWords(m *startup.MemoryState, p func(string) string) string {
	words := term.Safe(p(m.Dir))
	if m.On && !m.Exists {
		words += "  (not there yet)"
	}
	if m.Where.File != "" {
		return words + "  " + decisionWords(m.Where, p)
	}
	return words + "  " + term.Safe(p(m.Where.By))
}

func printMeters(out *term.Out, rep *startup.Report, row func(string, string)) {
	ix := rep.Mem.Index
	if ix == nil {
		return
	}
	const cells = 20
	made := ""
	if ix.Generated {
		made = "  made by the client from the notes, as there is no " + "MEMORY.md"
	}
	row("Index", fmt.Sprintf("%s  %s of %s lines%s", out.Meter(ix.Lines, ix.LinesLimit, cells), thousands(ix.Lines), thousands(ix.LinesLimit), made))
	row("", fmt.Sprintf("%s  %s of %s characters", out.Meter(ix.Chars, ix.CharsLimit, cells), thousands(ix.Chars), thousands(ix.CharsLimit)))
	for _, f := range rep.Loaded {
		if f.Cut != nil {
			row("", out.In(term.Red, cutWords(f.Cut)))
		}
	}
}

func notesWords(m *startup.MemoryState, p func(string) string) string {
	words := thousands(m.Notes)
	for i, n := range m.Oldest {
		sep := ", "
		if i == 0 {
			sep = "; oldest: "
		}
		words += fmt.Sprintf("%s%s (%s)", sep, term.Safe(baseOf(n.Path, m.Dir)), count(n.Days, "day"))
	}
	return words
}

func printLeftSummary(out *term.Out, rep *startup.Report, more string) {
	counts, total := map[startup.Reason]int{}, 0
	var order []startup.Reason
	for _, l := range rep.Left {
		if isWord(l) {
			continue
		}
		if counts[l.Reason] == 0 {
			order = append(order, l.Reason)
		}
		n := max(1, l.Count)
		counts[l.Reason] += n
		total += n
	}
	if total == 0 {
		return
	}
	words := ""
	for i, r := range order {
		if i > 0 {
			words += ", "
		}
		words += fmt.Sprintf("%d %s", counts[r], r)
	}
	out.Line("")
	out.Line("%s  %s", out.In(term.Bold, "Does not load: "+thousands(total)), words)
	out.Line("%s", out.In(term.Faint, "  each one with its reason: "+term.Safe(more)))
}
