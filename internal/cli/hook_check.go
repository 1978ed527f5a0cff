package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"dormouse/internal/hook"
	"dormouse/internal/safefile"
	"dormouse/note"
	"dormouse/scan"
	"dormouse/scan/secrets"
	"dormouse/startup"
	"dormouse/store"
)

// maxWritten bounds what is looked at of a file that was written, in bytes.
const maxWritten = 4 << 20

// postTool looks at what the agent wrote into a memory folder, and tells it what to
// mend. What is fine gets no answer.
func (o *hookOptions) postTool(context.Context) error {
	paths := o.event.Paths()
	if len(paths) == 0 {
		return nil
	}
	rep, err := o.host.Startup(o.s)
	if err != nil || !rep.Mem.On || rep.Mem.Dir == "" {
		return err
	}
	find := secrets.New()
	var said []string
	for _, p := range paths {
		rel, ok := inFolder(rep.Mem.Dir, absolute(o.event.Cwd, p))
		if !ok {
			continue
		}
		list, err := written(rep, find, rel, filepath.Join(rep.Mem.Dir, rel))
		if err != nil {
			return err
		}
		said = append(said, list...)
		list, err = o.keptSaid(rep.Mem.Dir, filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		said = append(said, list...)
	}
	for i := range said { // a name or a value of the file may be in it
		clean, _ := find.Redact(scan.Visible(strings.Join(strings.Fields(said[i]), " ")))
		said[i] = note.Clip(clean, saidUnits)
	}
	if len(said) > 0 {
		o.out = hook.Context(o.event.Name, "Dormouse looked at what was written into the memory folder:\n- "+strings.Join(said, "\n- ")+"\n")
	}
	return nil
}

// keptSaid tells of a note that was written and is kept back, or, where the index was
// written, of its lines that lead to such notes. What the person typed is theirs only
// once a session's log has been read for it, so this says what is so for now.
func (o *hookOptions) keptSaid(dir, rel string) ([]string, error) {
	if path.Ext(rel) != ".md" {
		return nil, nil
	}
	st, err := o.openFolder(o.host, dir, nil)
	if err != nil {
		return nil, err
	}
	defer release(st)
	items, err := listNotes(st)
	if err != nil {
		return nil, err
	}
	index := rel == store.IndexName
	held, err := o.keptBack(st, items, func(it *store.Item) bool { return it.Rel == rel || index && it.IndexLine > 0 })
	if err != nil {
		return nil, err
	}
	var said []string
	for i := range items {
		it := &items[i]
		switch why := held[it.Rel]; {
		case why == "" || len(said) == maxSaid:
		case index:
			said = append(said, fmt.Sprintf("%s:%d leads to %s, which %s", store.IndexName, it.IndexLine, it.Rel, way(why)))
		default:
			said = append(said, it.Rel+" "+way(why))
		}
	}
	return said, nil
}

// way is why a note is kept back, and what an agent can do about it: it is not to find
// other words that get past.
func way(why string) string {
	if why == heldRejected {
		return why + ": leave it out, and give it no line in the index."
	}
	return "waits for the user's review, unless the words are the user's own: it asks for action, or holds what should not load, so Dormouse keeps it from sessions. Leave it as it is, tell the user that it waits (dormouse review, at a terminal), and give it no line in the index."
}

// inFolder is a path's place in a folder, both with their links resolved.
func inFolder(dir, file string) (string, bool) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(real, filepath.Base(file))
	}
	rel, err := filepath.Rel(dir, file)
	return rel, err == nil && filepath.IsLocal(rel)
}

// written says what is wrong with a file in the memory folder, and the way to mend
// it, one sentence or two each.
func written(rep *startup.Report, find *secrets.Finder, rel, file string) ([]string, error) {
	b, _, err := safefile.Read(file, maxWritten)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // gone again
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was written: %w", err)
	}
	name := filepath.ToSlash(rel)
	var said []string
	for _, h := range find.Find(string(b)) {
		said = append(said, fmt.Sprintf("%s:%d holds %s. Notes are kept and shared as plain text: take it out, and say where it is found instead.", name, 1+strings.Count(string(b[:h.Start]), "\n"), h.Why))
		if len(said) == maxSaid {
			break
		}
	}
	switch {
	case name == store.IndexName:
		said = append(said, indexSaid(rep)...)
	case path.Ext(name) == ".md":
		said = append(said, noteSaid(name, b)...)
	default:
		said = append(said, fmt.Sprintf("%s is no .md file, so no session finds it: write it as a note.", name))
	}
	return said, nil
}

const (
	maxSaid   = 5   // findings of one kind
	saidUnits = 600 // of one finding, in UTF-16
)

// indexSaid tells of an index that does not load whole.
func indexSaid(rep *startup.Report) []string {
	for i := range rep.Loaded {
		f := &rep.Loaded[i]
		if f.Cut == nil || f.Scope != startup.Memory || rep.Mem.Index == nil {
			continue
		}
		x := rep.Mem.Index
		// Which lines, and not what they say: it may be anything.
		first, last := 0, 0
		for _, l := range rep.Left {
			if l.Reason == startup.NotCut && l.Line > 0 {
				if first == 0 {
					first = l.Line
				}
				last = l.Line
			}
		}
		words := fmt.Sprintf("MEMORY.md has %d lines and %d characters, and sessions are told of the first %d lines only (limits: %d lines, %d characters).", x.Lines, x.Chars, x.LoadedLines, x.LinesLimit, x.CharsLimit)
		if first > 0 {
			words += fmt.Sprintf(" The notes in lines %d to %d are not seen.", first, last)
		}
		return []string{words + " Join lines, or move the least important ones to a page that the index links to (dormouse index --fix does it, and loses none)."}
	}
	return nil
}

// noteSaid tells of a note that is not read as it looks.
func noteSaid(name string, b []byte) []string {
	n := note.Parse(b)
	switch {
	case strings.TrimSpace(string(b)) == "":
		return []string{name + " is empty."}
	case n.HasFront && !n.Seen:
		return []string{name + ": its front matter is not seen, as it ends too far down, or never: close it with a line of three dashes."}
	}
	for _, p := range n.Problems {
		if !strings.HasPrefix(p.Text, "not YAML (") || p.Locks {
			return []string{fmt.Sprintf("%s:%d: %s. Write the front matter as plain YAML (name, description, type), with quotes around values that have \": \" or \" #\" in them.", name, max(p.Line, 1), p.Text)}
		}
	}
	if n.HasFront && n.Description() == "" {
		return []string{name + " has no description: say in one line what it is about, as that is what sessions are shown."}
	}
	return nil
}
