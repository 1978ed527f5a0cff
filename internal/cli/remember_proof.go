package cli

import (
	"fmt"
	"path/filepath"

	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// proof is whether a session started here would see a note.
type proof struct {
	loads bool
	line  int    // of the index, 1-based
	way   string // what is in the way; "" when it loads
	asked bool   // a folder was named that no session here reads: nothing is wrong
}

// prove asks the host again, after the write, what a session here would load.
func (o *rememberOptions) prove(p *place) (func(rel string) proof, error) {
	s, err := o.session()
	if err != nil {
		return nil, err
	}
	s.Store = ""
	rep, err := p.host.Startup(s)
	if err != nil {
		return nil, err
	}
	show := pathPrinter(s)
	if err := p.readIndex(); err != nil {
		return nil, err
	}
	return func(rel string) proof {
		pr := proof{}
		if p.global == nil && !samePath(rep.Mem.Dir, p.st.Dir()) {
			pr.asked = p.given
			pr.way = fmt.Sprintf("no session started in %s reads %s: its notes are in %s", show(rep.Cwd), show(p.st.Dir()), show(rep.Mem.Dir))
			return pr
		}
		pr.line, _ = lineOf(string(p.index), rel)
		text, ok := loadedIndex(rep, p.st.Dir())
		if n, _ := lineOf(text, rel); ok && n > 0 {
			pr.loads = true
			return pr
		}
		pr.way = inTheWay(rep, p, rel, pr.line, show)
		return pr
	}, nil
}

// loadedIndex is what loads of the index in a folder, by whatever way.
func loadedIndex(rep *startup.Report, dir string) (string, bool) {
	index := filepath.Join(dir, store.IndexName)
	for _, f := range rep.Loaded {
		if f.Reason != startup.ByGeneratedIndex && filepath.Base(f.Path) == store.IndexName && samePath(f.Path, index) {
			return f.Text, true
		}
	}
	return "", false
}

// inTheWay says why the line of a note does not load.
func inTheWay(rep *startup.Report, p *place, rel string, line int, show func(string) string) string {
	index, file := filepath.Join(p.st.Dir(), store.IndexName), filepath.Join(p.st.Dir(), filepath.FromSlash(rel))
	if p.global == nil && !rep.Mem.On {
		return "memory is off: " + decisionWords(rep.Mem.Switch, show)
	}
	if line == 0 && p.held(rel) {
		return fmt.Sprintf("no line of %s names it until a person has approved it, at a terminal: %s", store.IndexName, p.c.command("review"))
	}
	if line == 0 {
		return fmt.Sprintf("no line of %s names it; %s gives it one", store.IndexName, p.c.command("index --fix"))
	}
	for _, pb := range rep.Problems {
		if samePath(pb.Path, index) {
			return show(pb.Path) + ": " + show(pb.What)
		}
	}
	for _, l := range rep.Left {
		switch {
		case l.Reason == startup.NotCut && samePath(l.Path, index) && l.Line == line:
			return fmt.Sprintf("line %d of %s is %s", line, store.IndexName, l.Why)
		case l.Reason != startup.NotCut && l.Reason != startup.NotDangling && (samePath(l.Path, index) || samePath(l.Path, file)):
			return show(l.Path) + ": " + show(l.Why)
		case p.global != nil && (l.Reason == startup.NotOff && l.Path == rep.Cwd || samePath(l.Path, p.global.Import.Path)):
			return show(l.Why)
		}
	}
	if p.global != nil {
		return fmt.Sprintf("%s does not load in a session here", show(p.global.Import.Path))
	}
	return fmt.Sprintf("line %d of %s does not load: it stands in a comment, or behind the limits", line, store.IndexName)
}

// held reports whether a note may not have a line: making one is refused then.
func (p *place) held(rel string) bool {
	text, err := p.st.Read(rel)
	if err != nil {
		return false
	}
	history, _ := p.st.History("") // what it can't tell of has the lowest origin
	return !p.guard.Judge(trust.Read(history), text).Loads
}
