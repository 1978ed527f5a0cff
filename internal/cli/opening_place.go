package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/host"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
)

// errAgentGlobal keeps an agent from writing what would load in every project as
// the user's own word.
var errAgentGlobal = errors.New("the notes for all projects are for a person at a terminal, and this runs inside the agent: what an agent writes stays in its project; run it in a terminal of your own")

// openToWrite is openStore for a command that changes what the notes say.
func (c *common) openToWrite() (st *store.Store, s host.Session, rep *startup.Report, err error) {
	st, s, rep, err = c.openStore()
	if err == nil && c.global != nil && c.by(s).Actor == store.Agent {
		release(st)
		return nil, s, rep, errAgentGlobal
	}
	return st, s, rep, err
}

// storeConfig is how a folder of notes is opened.
func (c *common) storeConfig(h host.Host, dir string) (store.Config, error) {
	state, err := host.StateFolder(c.io.Env)
	if err != nil {
		return store.Config{}, err
	}
	guard, err := c.guard()
	if err != nil {
		return store.Config{}, err
	}
	conf := store.Config{Dir: dir, State: state, Now: c.io.Now, Gate: guard.Gate()}
	if keeper, ok := h.(host.Keeper); ok {
		conf.Limits = keeper.IndexLimits()
	}
	return conf, nil
}

// openFolder opens a folder of notes, with the guard at its door; line changes
// the index lines that are written there, nil: none.
func (c *common) openFolder(h host.Host, dir string, line func(note.Line) note.Line) (*store.Store, error) {
	conf, err := c.storeConfig(h, dir)
	if err != nil {
		return nil, err
	}
	conf.Line = line
	return store.Open(conf)
}

// globalMemory is the host's store for all projects; nil where it has none. The
// error tells why it cannot be written.
func globalMemory(h host.Host, s host.Session) (*host.GlobalMemory, error) {
	keeper, ok := h.(host.Keeper)
	if !ok {
		return nil, nil // a host without one
	}
	s.Store = ""
	return keeper.Global(s)
}

// findGlobal notices that --store names the store of all projects.
func (c *common) findGlobal(h host.Host, s host.Session, dir string) {
	if c.store == "" {
		return
	}
	if g, _ := globalMemory(h, s); g != nil && samePath(g.Dir, dir) {
		c.global = g
	}
}

// defusedLine makes an index line harmless for an index that is imported.
func defusedLine(g *host.GlobalMemory) func(note.Line) note.Line {
	return func(l note.Line) note.Line {
		l.Title, l.Hook = g.Defuse(l.Title), g.Defuse(l.Hook)
		return l
	}
}

// samePath compares two paths by where they really are, also when they are not
// there yet.
func samePath(a, b string) bool {
	if a == b {
		return true
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(ia, ib)
	}
	return realPath(a) == realPath(b)
}

// realPath resolves the links in what there is of a path.
func realPath(path string) string {
	rest := ""
	for dir := filepath.Clean(path); ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

// offError says that memory is off.
type offError struct{ error }

// memoryOff refuses to work on the host's own folder, with what decided and the
// way out.
func (c *common) memoryOff(h host.Host, s host.Session, rep *startup.Report) error {
	const folder = "name a folder with --store DIR"
	by, p := rep.Mem.Switch, pathPrinter(s)
	if by.By == "default" {
		return offError{fmt.Errorf("memory is off, as %s has it unless its own configuration says otherwise; %s", h.Title(), folder)}
	}
	words := by.By
	if by.Value != "" && by.Value != "given" {
		words = fmt.Sprintf("%s is %s", by.By, by.Value)
	}
	if by.File != "" {
		words += " in " + at(p(by.File), by.Line)
	}
	quiet := *rep
	quiet.Problems = nil // they come first for the screen, but this is about the switch
	way := p(c.advise(h, s, &quiet).How)
	if strings.HasPrefix(way, "dormouse ") {
		way = "switch it on with " + way
	}
	if way != "" {
		way += ", or "
	}
	return offError{fmt.Errorf("memory is off: %s; %s%s", words, way, folder)}
}

// advise is the one thing most worth doing here, with a command that can do it.
func (c *common) advise(h host.Host, s host.Session, rep *startup.Report) startup.Advice {
	a := startup.Advise(rep)
	if words, ok := strings.CutPrefix(a.How, "dormouse on"); ok {
		a.How = c.wayOn(h, s, &rep.Mem.Switch, startup.Scope(strings.TrimPrefix(words, " --")))
	}
	a.How = c.hinted(a.How)
	return a
}

// wayOn is the command that switches memory on, tried out as a plan: a setting
// of one scope may be void by one of another.
func (c *common) wayOn(h host.Host, s host.Session, by *startup.Decision, first startup.Scope) string {
	file := at(by.File, by.Line)
	sw, ok := h.(host.MemorySwitch)
	if !ok {
		return fmt.Sprintf("change %s in %s", by.By, file)
	}
	if first == "" {
		first = startup.User
	}
	for _, scope := range []startup.Scope{first, startup.Project, startup.Local} {
		change, err := sw.SwitchMemory(s, scope, true)
		if err != nil || change.Void != "" {
			continue
		}
		if scope == startup.User {
			return "dormouse on"
		}
		return "dormouse on --" + string(scope)
	}
	return fmt.Sprintf("change %s in %s, which no setting of yours beats", by.By, file)
}

// told is what a session started here is told of the notes of a folder.
type told struct {
	lines     map[string]int // of each note, the line of the loaded text that names it
	generated bool           // that text is made by the client, as there is no index
	text      string         // the text
	unread    string         // why no session started here reads the folder; "": one does
}

// toldOf asks what a session loads. With --store that is another question than
// what it would load if this folder were its memory.
func (c *common) toldOf(st *store.Store, s host.Session, rep *startup.Report) told {
	t := told{lines: map[string]int{}}
	show := pathPrinter(s)
	if c.store != "" {
		s.Store = ""
		var err error
		if _, rep, err = c.look(s); err != nil {
			t.unread = "what a session started here reads cannot be told: " + show(err.Error())
			return t
		}
	}
	same := samePath(rep.Mem.Dir, st.Dir())
	read := same && rep.Mem.On
	index := filepath.Join(st.Dir(), store.IndexName)
	for i := range rep.Loaded {
		f := &rep.Loaded[i]
		if (!same || f.Scope != startup.Memory) && (filepath.Base(f.Path) != store.IndexName || !samePath(f.Path, index)) {
			continue
		}
		read = true
		t.take(f)
	}
	switch {
	case read:
	case same:
		t.unread = "no session started here reads this folder, as memory is off: " + decisionWords(rep.Mem.Switch, show)
	default:
		t.unread = fmt.Sprintf("no session started in %s reads this folder", show(rep.Cwd))
	}
	return t
}

func (t *told) take(f *startup.File) {
	t.generated = t.generated || f.Reason == startup.ByGeneratedIndex
	t.text += f.Text
	for _, e := range note.ParseIndex(f.Text) {
		for _, file := range e.Files {
			if t.lines[file] == 0 {
				t.lines[file] = e.Line
			}
		}
	}
}
