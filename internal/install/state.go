package install

import (
	"bytes"
	"path/filepath"
	"slices"

	"dormouse/host"
	"dormouse/startup"
)

// A State is what of Dormouse the settings of one scope have.
type State struct {
	Scope    startup.Scope `json:"scope"`
	Hooks    string        `json:"hooks,omitempty"` // the program that the hooks call
	HooksIn  string        `json:"hooks_in,omitempty"`
	Server   string        `json:"server,omitempty"` // the program that the server is
	ServerIn string        `json:"server_in,omitempty"`
	// Partly: some of the hooks are missing, or they call different programs.
	Partly bool `json:"partly,omitempty"`
}

// Look tells what of Dormouse is installed, by scope, weakest first; scopes without
// it are left out, and so are files that cannot be read, which other commands name.
// twice is what does the same already: see [host.Wiring].
func Look(h host.Wired, s host.Session, notes *Notes) (states []State, twice string) {
	for _, scope := range []startup.Scope{startup.User, startup.Project, startup.Local} {
		w, err := h.Wiring(s, scope)
		if err != nil {
			continue
		}
		twice = w.Twice
		r := Request{Wiring: w, Program: Program{OS: s.Env.OS, Host: h.Name()}, Hooks: true, Server: true, Notes: notes}
		st := r.state(scope)
		// In the home folder the project's own file is the user's: it is told once.
		if slices.ContainsFunc(states, func(o State) bool { return st.HooksIn != "" && o.HooksIn == st.HooksIn }) {
			st.Hooks, st.HooksIn, st.Partly = "", "", false
		}
		if st.Hooks != "" || st.Server != "" {
			states = append(states, st)
		}
	}
	return states, twice
}

func (r Request) state(scope startup.Scope) State {
	st := State{Scope: scope}
	targets, err := r.targets()
	if err != nil {
		return st
	}
	for _, t := range targets {
		src, err := read(t.path)
		if err != nil || !t.mayHave(src) {
			continue
		}
		f, err := t.look(src)
		if err != nil {
			continue
		}
		if f.server != "" {
			st.Server, st.ServerIn = f.server, t.path
		}
		if len(f.hooks) > 0 {
			st.Hooks, st.HooksIn = f.hooks[0].program, t.path
			p := r.Program
			p.Path = st.Hooks
			st.Partly = !t.complete(f, f.has(), p) && !t.complete(found{hooks: f.hooks}, parts{hooks: true}, p)
		}
	}
	return st
}

// mayHave tells cheaply that there is nothing of ours: a state file has megabytes.
func (t *target) mayHave(src []byte) bool {
	if bytes.Contains(src, []byte(name)) {
		return true
	}
	for _, p := range t.known {
		if bytes.Contains(src, []byte(filepath.Base(p))) {
			return true
		}
	}
	return false
}

// Elsewhere returns the settings file in which Dormouse's hooks are installed, ""
// without one. A hook that a plugin brought asks it, so that an event is not dealt
// with twice: the client runs both.
func Elsewhere(h host.Wired, s host.Session, notes *Notes) string {
	states, _ := Look(h, s, notes)
	for _, st := range states {
		if st.Hooks != "" {
			return st.HooksIn
		}
	}
	return ""
}
