package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/startup"
)

// explanation answers for one file.
type explanation struct {
	Path  string    `json:"path"`
	Loads string    `json:"loads"` // "start", "read" (after a read), or "no"
	Rules []ruling  `json:"decided_by"`
	Names []mention `json:"names,omitempty"` // what the file itself names with @
}

// ruling is one rule that decided about the file.
type ruling struct {
	Reason startup.Reason `json:"reason"`
	Why    string         `json:"why"`
	From   string         `json:"from,omitempty"`
	Line   int            `json:"line,omitempty"`
	Text   string         `json:"text,omitempty"`
}

// mention is one @word of the file and what became of it.
type mention struct {
	Line   int            `json:"line"`
	Text   string         `json:"text"`
	Loads  bool           `json:"loads"`
	Reason startup.Reason `json:"reason"`
	Why    string         `json:"why"`
}

func runExplain(o *contextOptions, s host.Session) error {
	h, rep, err := o.look(s)
	if err != nil {
		return err
	}
	e := explain(rep, meantFile(rep, absolute(s.Cwd, o.explain), o.explain))
	asked := e.Loads == "read" // by a read that was given
	if len(e.Rules) == 0 {
		if err := explainUnnamed(h, s, rep, e); err != nil {
			return err
		}
	}
	if o.json {
		err = printJSON(o.out, e)
	} else {
		printExplanation(o.people(), e, pathPrinter(s))
	}
	if err == nil && e.Loads != "start" && !asked {
		return errFound
	}
	return err
}

// meantFile is a note of the store, where one of that name is there and no file
// is where the words lead.
func meantFile(rep *startup.Report, path, words string) string {
	if _, err := os.Lstat(path); err == nil || !rep.Mem.On || rep.Mem.Dir == "" || !filepath.IsLocal(words) {
		return path
	}
	for _, name := range []string{words, words + noteEnding} {
		at := filepath.Join(rep.Mem.Dir, name)
		if info, err := os.Lstat(at); err == nil && info.Mode().IsRegular() {
			return at
		}
	}
	return path
}

// inMemory tells whether a path leads into the memory folder.
func inMemory(rep *startup.Report, path string) bool {
	if rep.Mem.Dir == "" {
		return false
	}
	for _, dir := range []string{rep.Mem.Dir, realPath(rep.Mem.Dir)} {
		for _, p := range []string{path, realPath(path)} {
			if strings.HasPrefix(p, dir+string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}

// explain gathers what a report says about one path, as spelled or as the file
// it leads to.
func explain(rep *startup.Report, path string) *explanation {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	e := &explanation{Path: path, Loads: "no"}
	same := func(p string) bool { return p != "" && (p == path || p == real) }
	for _, f := range rep.Loaded {
		if same(f.Path) || same(f.RealPath) {
			e.Loads = "start"
			e.Rules = append(e.Rules, ruling{Reason: f.Reason, Why: f.Why, From: f.ImportedBy, Line: f.ImportLine})
		}
	}
	for _, f := range rep.After {
		if same(f.Path) || same(f.RealPath) {
			e.Loads = "read"
			e.Rules = append(e.Rules, ruling{Reason: f.Reason, Why: f.Why, From: f.ImportedBy, Line: f.ImportLine})
		}
	}
	for _, l := range rep.Left {
		if e.Loads != "no" && l.Reason == startup.NotDuplicate {
			continue // the way by which it does not load says nothing new
		}
		if (same(l.Path) || same(l.Near)) && l.Reason != startup.NotCut {
			e.Rules = append(e.Rules, ruling{l.Reason, l.Why, l.From, l.Line, l.Text})
		}
	}
	e.Names = mentions(rep, same)
	return e
}

// mentions lists what the file names with @, loaded or not.
func mentions(rep *startup.Report, same func(string) bool) []mention {
	var out []mention
	for _, list := range [][]startup.File{rep.Loaded, rep.After} {
		for _, f := range list {
			if f.ImportedBy != "" && same(f.ImportedBy) {
				out = append(out, mention{f.ImportLine, f.Path, true, f.Reason, "loads"})
			}
		}
	}
	for _, l := range rep.Left {
		if l.From != "" && same(l.From) && strings.HasPrefix(l.Text, "@") {
			out = append(out, mention{l.Line, l.Text, false, l.Reason, l.Why})
		}
	}
	return out
}

// explainUnnamed answers for a file that the report does not mention.
func explainUnnamed(h host.Host, s host.Session, rep *startup.Report, e *explanation) error {
	add := func(reason startup.Reason, why string) {
		e.Rules = append(e.Rules, ruling{Reason: reason, Why: why})
	}
	show := pathPrinter(s)
	if !rep.Mem.On && inMemory(rep, e.Path) { // which is then not looked into
		by := rep.Mem.Switch
		e.Rules = append(e.Rules, ruling{Reason: startup.NotOff, Why: "memory is off: " + decisionWords(by, show)})
		return nil
	}
	info, err := os.Stat(e.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", show(e.Path))
	case err != nil:
		return errors.New(show(err.Error()))
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file", show(e.Path))
	}
	if inMemory(rep, e.Path) && filepath.Ext(e.Path) == ".md" {
		add("note", "a note: an index line names it, and the agent reads it when it needs it; no note loads at start")
		return nil
	}
	// Would it load with a read beside it?
	s.Reads = append(s.Reads, filepath.Join(filepath.Dir(e.Path), "\x01any file"))
	again, err := h.Startup(s)
	if err != nil {
		return err
	}
	if after := explain(again, e.Path); after.Loads == "read" {
		e.Loads, e.Rules, e.Names = after.Loads, after.Rules, after.Names
		return nil
	}
	add("unnamed", "no rule of the client names this file: it is not among those it looks for, and nothing that loads imports it")
	return nil
}

func printExplanation(out *term.Out, e *explanation, p func(string) string) {
	words := map[string]string{
		"start": out.In(term.Green, "loads at start"),
		"read":  out.In(term.Yellow, "loads after a read, not at start"),
		"no":    out.In(term.Red, "does not load"),
	}[e.Loads]
	out.Line("%s  %s", term.Safe(p(e.Path)), words)
	for _, r := range e.Rules {
		line := fmt.Sprintf("  %s  %s", r.Reason, p(r.Why))
		if r.From != "" {
			line += fmt.Sprintf(" (%s)", at(p(r.From), r.Line))
		}
		out.Line("%s", term.Safe(line))
	}
	if len(e.Names) > 0 {
		out.Line("It names:")
	}
	for _, m := range e.Names {
		out.Line("  line %d  %s  %s", m.Line, term.Safe(p(m.Text)), term.Safe(string(m.Reason)+": "+p(m.Why)))
	}
}
