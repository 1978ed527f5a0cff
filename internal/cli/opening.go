package cli

import (
	"fmt"
	"io"

	"dormouse/host"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
)

// openStore opens the notes that the common flags name: --store DIR, or the
// host's memory folder of the project. With memory off and no --store it
// refuses. rep is the host's startup report (not thorough), which tells which
// index lines load.
func (c *common) openStore() (st *store.Store, s host.Session, rep *startup.Report, err error) {
	s, err = c.session()
	if err != nil {
		return nil, s, nil, err
	}
	return c.openStoreOf(s)
}

// openStoreOf is openStore for a session that is known.
func (c *common) openStoreOf(asked host.Session) (st *store.Store, s host.Session, rep *startup.Report, err error) {
	s = asked
	h, rep, err := c.look(s)
	if err != nil {
		return nil, s, nil, err
	}
	if s.Store == "" {
		s.Store = rep.Mem.Dir
		if !rep.Mem.On {
			return nil, s, rep, c.memoryOff(h, s, rep)
		}
	}
	if s.Store == "" {
		return nil, s, rep, fmt.Errorf("where the notes are cannot be told%s; name a folder with --store DIR", firstProblem(rep))
	}
	var line func(note.Line) note.Line
	if c.findGlobal(h, s, s.Store); c.global != nil {
		line = defusedLine(c.global)
	}
	st, err = c.openFolder(h, s.Store, line)
	return st, s, rep, err
}

// firstProblem is the first thing that the host could not read, as ": what".
func firstProblem(rep *startup.Report) string {
	if len(rep.Problems) == 0 {
		return ""
	}
	return ": " + rep.Problems[0].What
}

// by tells who makes a change: the agent when this runs inside a session of it,
// else the person.
func (c *common) by(s host.Session) store.By {
	if c.actor != nil {
		return *c.actor
	}
	h, err := c.theHost()
	if err != nil {
		return store.By{Actor: store.Human}
	}
	if in, ok := h.(host.Insider); ok {
		if session, inside := in.Inside(s.Env); inside {
			return store.By{Actor: store.Agent, Session: session}
		}
	}
	return store.By{Actor: store.Human}
}

// release ends the use of a store or a folder. Each write is on the disk when it
// returns, so there is nothing to lose.
func release(c io.Closer) { _ = c.Close() }
