package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"dormouse/host"
	"dormouse/internal/install"
	"dormouse/internal/term"
	"dormouse/startup"
)

// installReport is what install and uninstall print with --json.
type installReport struct {
	Host    string        `json:"host"`
	Scope   startup.Scope `json:"scope"`
	Program string        `json:"program,omitempty"` // what the agent calls
	DryRun  bool          `json:"dry_run"`
	Changed bool          `json:"changed"`
	Files   []installFile `json:"files"`
	Advice  []string      `json:"advice,omitempty"`
}

type installFile struct {
	Path      string   `json:"path"`
	Changed   bool     `json:"changed"`
	New       bool     `json:"new,omitempty"`     // there was no such file
	Removed   bool     `json:"removed,omitempty"` // it was made by install, and is gone
	Did       []string `json:"did,omitempty"`     // what came, or went
	Has       []string `json:"has"`               // what of Dormouse is in it afterwards
	Theirs    []string `json:"theirs,omitempty"`  // events whose hook stood there before, and stays
	ByContent bool     `json:"by_content,omitempty"`
	Diff      string   `json:"diff,omitempty"` // with --dry-run
}

func (o *installOptions) report(h host.Host, s host.Session, r install.Request, changes []install.Change) error {
	rep := installReport{Host: h.Name(), Scope: o.scope(), Program: r.Program.Path, DryRun: o.dryRun, Files: []installFile{}}
	for _, c := range changes {
		f := installFile{
			Path: c.Path, Changed: c.Changed(), New: c.Before == nil && c.After != nil, Removed: c.Before != nil && c.After == nil,
			Did: c.Did, Has: append([]string{}, c.Has...), Theirs: c.Theirs, ByContent: c.ByContent && c.Changed(),
		}
		if o.dryRun && f.Changed {
			from, to := c.Path, c.Path
			if f.New {
				from = os.DevNull
			}
			if f.Removed {
				to = os.DevNull
			}
			f.Diff = unified(from, to, string(c.Before), string(c.After))
		}
		rep.Changed = rep.Changed || f.Changed
		rep.Files = append(rep.Files, f)
	}
	if !o.away && rep.Changed {
		rep.Advice = slices.Clone(r.Wiring.Advice)
		if _, err := findServer(); err != nil && r.Server && o.program == "" {
			rep.Advice = append(rep.Advice, "The MCP server cannot start yet: "+err.Error())
		}
	}
	if o.json {
		return printJSON(o.out, rep)
	}
	o.tell(h, s, rep)
	return nil
}

func (o *installOptions) tell(h host.Host, s host.Session, rep installReport) {
	out, show := o.people(), pathPrinter(s)
	if o.dryRun {
		d := &diffReport{}
		for _, f := range rep.Files {
			if f.Changed {
				d.Files = append(d.Files, fileDiff{File: f.Path, Diff: f.Diff})
			}
		}
		printDiff(out, d, isTerminal(o.io.Out))
		if !rep.Changed {
			out.Line("Nothing would change.")
		}
		return
	}
	did, there := "Installed in", "is installed already"
	if o.away {
		did, there = "Taken out of", "was not installed"
	}
	if !rep.Changed {
		out.Line("Dormouse %s in %s, %s. Nothing was changed.", there, h.Title(), installedFor(rep.Scope))
		for _, f := range rep.Files {
			tellTheirs(out, show(f.Path), f.Theirs)
		}
		return
	}
	out.Line("%s", out.In(term.Bold, fmt.Sprintf("%s %s, %s:", did, h.Title(), installedFor(rep.Scope))))
	for _, f := range rep.Files {
		what := strings.Join(f.Did, ", ")
		switch {
		case !f.Changed:
			what = "as it was"
		case f.Removed:
			what += "; the file was made by the installation and is gone"
		}
		out.Line("  %s  %s", out.In(term.Cyan, show(f.Path)), term.Safe(what))
		tellTheirs(out, "", f.Theirs)
		if f.ByContent {
			out.Line("    %s", out.In(term.Yellow, "it was changed since it was installed, or there is no note of that: only Dormouse's own entries were taken out"))
		}
	}
	if !o.away {
		out.Line("They call %s. To take it out again: %s", show(rep.Program), o.undoing())
	}
	for _, a := range rep.Advice {
		out.Line("%s", out.In(term.Yellow, a))
	}
}

// tellTheirs tells of hooks that a person wrote before anything was installed.
func tellTheirs(out *term.Out, file string, events []string) {
	if len(events) == 0 {
		return
	}
	out.Line("  %s  %s", file, out.In(term.Yellow, fmt.Sprintf("%s that stood there before (%s): left as it was", count(len(events), "hook"), term.Safe(strings.Join(events, ", ")))))
}

func installedFor(scope startup.Scope) string {
	switch scope {
	case startup.Project:
		return "for all who share this project"
	case startup.Local:
		return "for you in this project"
	}
	return "for every project of yours"
}
