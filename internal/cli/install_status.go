package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/internal/hook"
	"dormouse/internal/install"
	"dormouse/internal/term"
)

// installed is what of Dormouse the agent runs by itself.
type installed struct {
	Installed []install.State `json:"installed"`
	Plugin    string          `json:"plugin,omitempty"` // the plugin that brings the same, and where it is switched on

	// HookFailures are the hooks of the last week that did nothing, and why.
	HookFailures []hook.Failure `json:"hook_failures,omitempty"`

	way string // the command that installs
	log string // where all failures stand
}

// installed looks into the settings of all scopes. What cannot be read there, other
// commands name.
func (c *common) installed(h host.Host, s host.Session) *installed {
	in := &installed{Installed: []install.State{}, way: "dormouse install " + h.Name()}
	wired, ok := h.(host.Wired)
	if !ok {
		return in
	}
	notes := &install.Notes{}
	if state, err := host.StateFolder(s.Env); err == nil {
		in.log = hook.LogFile(state)
		in.HookFailures, _ = hook.Failures(state, s.Now.AddDate(0, 0, -7)) // a log that can't be read says so in its folder
		notes, _ = install.LoadNotes(state)                                // without them, ours is known by its name
	}
	states, plugin := install.Look(wired, s, notes)
	in.Installed, in.Plugin = append(in.Installed, states...), plugin
	return in
}

// failed tells of hooks that did nothing. Nobody else does: a hook is silent.
func (in *installed) failed(out *term.Out, show func(string) string, row func(string, string)) {
	n := len(in.HookFailures)
	if n == 0 {
		return
	}
	f := in.HookFailures[n-1]
	what, _, _ := strings.Cut(f.What, "\n")
	row("", out.In(term.Yellow, fmt.Sprintf("%s in the last week; the last on %s at %s: %s", count(n, "hook failure"), f.Time.Local().Format("2006-01-02 15:04"), term.Safe(show(f.Event)), term.Safe(show(what)))))
	row("", out.In(term.Faint, "all: "+term.Safe(show(in.log))))
}

// rows print it: what is there, and what is wrong with it. The first line says the
// way to it where nothing is.
func (in *installed) rows(out *term.Out, show func(string) string, row func(string, string)) {
	head := "Hooks"
	line := func(text string) {
		row(head, text)
		head = ""
	}
	hooks := 0
	for _, st := range in.Installed {
		what, program, where := "hooks and MCP server", st.Hooks, st.HooksIn
		switch {
		case st.Hooks == "":
			what, program, where = "MCP server", st.Server, st.ServerIn
		case st.Server == "":
			what = "hooks"
		}
		if st.Hooks != "" {
			hooks++
		}
		line(fmt.Sprintf("%s: %s  %s", what, show(program), out.In(term.Faint, show(where)+", "+installedFor(st.Scope))))
		if st.Partly {
			line(out.In(term.Yellow, "some of the hooks are missing or call another program: "+in.way+" mends it"))
		}
		if st.Hooks != "" && st.Server != "" && st.Server != st.Hooks {
			line(out.In(term.Yellow, "the MCP server is another program: "+show(st.Server)))
		}
		if filepath.IsAbs(program) {
			if _, err := os.Stat(program); err != nil {
				line(out.In(term.Red, show(program)+" is not there: the agent cannot run it; "+in.way+" mends it"))
			}
		}
	}
	switch {
	case in.Plugin != "" && hooks > 0:
		line(out.In(term.Yellow, "twice: "+show(in.Plugin)))
	case in.Plugin != "":
		line("by the plugin  " + out.In(term.Faint, show(in.Plugin)))
	case hooks > 1 && oneProgram(in.Installed) == "":
		line(out.In(term.Yellow, "two programs are called at the same events: uninstall one"))
	case len(in.Installed) == 0:
		line("not installed  " + out.In(term.Faint, in.way+" adds them"))
	}
}

// oneProgram is what all hooks call: the client runs a hook that stands in two
// files once. "" where they differ.
func oneProgram(states []install.State) string {
	one := ""
	for _, st := range states {
		if st.Hooks != "" && one != "" && st.Hooks != one {
			return ""
		}
		if st.Hooks != "" {
			one = st.Hooks
		}
	}
	return one
}
