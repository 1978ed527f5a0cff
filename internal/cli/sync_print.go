package cli

import (
	"errors"
	"fmt"

	"dormouse/internal/term"
	"dormouse/syncer"
)

// syncReport is what a pull or push did, or would do.
type syncReport struct {
	Op     string
	Dry    bool
	Server *pair
	Items  []syncer.Item

	folder *syncer.Folder
	index  bool // the list on the server was changed
	errs   []error
}

// printSync prints it, and ends with 1 where a note did not go where it should.
func (o *syncOptions) printSync(r *syncReport) error {
	problem := errors.Join(r.errs...)
	open := 0
	for i := range r.Items {
		if r.Items[i].Open() {
			open++
		}
	}
	if o.json {
		if err := o.jsonSync(r); err != nil {
			return err
		}
	} else {
		o.peopleSync(r)
	}
	if problem != nil {
		if o.json {
			return o.said(problem)
		}
		return problem
	}
	if open > 0 {
		return errFound
	}
	return nil
}

func (o *syncOptions) jsonSync(r *syncReport) error {
	said := make([]string, len(r.folder.Said)) // never null
	for i := range r.folder.Said {
		said[i] = o.hinted(r.folder.Said[i])
	}
	type jsonStore struct {
		URL  string `json:"url"`
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	return printJSON(o.out, struct {
		Op       string        `json:"op"`
		Dry      bool          `json:"dry_run"`
		Store    jsonStore     `json:"store"`
		Items    []syncer.Item `json:"items"`
		Changes  []int         `json:"changes"` // in the journal
		Index    bool          `json:"index_changed"`
		Said     []string      `json:"said"`
		Problems []jsonProblem `json:"problems"`
	}{
		r.Op, r.Dry,
		jsonStore{r.Server.URL, r.Server.Store, r.Server.Name},
		orEmpty(r.Items), orEmpty(r.folder.Changes), r.index, said, o.problemsOf(r.errs...),
	})
}

func (o *syncOptions) peopleSync(r *syncReport) {
	out := o.people()
	done, waits, agree, held := 0, 0, 0, 0
	for i := range r.Items {
		it := &r.Items[i]
		switch {
		case it.Action == syncer.Waits:
			waits++
			continue
		case it.Action == syncer.Agree:
			agree++
			continue
		case it.Writes():
			done++
			if it.Action != syncer.Remove {
				held++
			}
		}
		printItem(out, it, o.push)
	}
	way := map[bool]string{false: "from", true: "to"}[o.push]
	verb := map[bool]string{false: "changed", true: "to change"}[r.Dry]
	out.Line("%s %s %s (%s at %s): %s %s", r.Op, way, term.Safe(r.Server.Name), term.Safe(r.Server.Store), term.Safe(r.Server.URL), count(done, "note"), verb)
	if r.Dry {
		out.Line("%s", out.In(term.Faint, "nothing was written"))
	}
	if agree > 0 {
		out.Line("  %s found the same on both sides", count(agree, "note"))
	}
	if waits > 0 {
		there, other := "on the server", "pull"
		if !o.push {
			there, other = "here", "push"
		}
		out.Line("  %s changed only %s: %s", count(waits, "note"), there, term.Safe(o.command(other)))
	}
	if r.index {
		out.Line("  the list MEMORY.md on the server is up to date with them")
	}
	if !o.push && held > 0 && !r.Dry {
		out.Line("  what came from a server loads in no session until you have looked at it: %s", term.Safe(o.command("review")))
	}
	for _, id := range r.folder.Changes {
		out.Line("%s", out.In(term.Faint, "take it back: "+term.Safe(o.command(fmt.Sprintf("undo %d", id)))))
	}
}

// printItem is one line about one note.
func printItem(out *term.Out, i *syncer.Item, push bool) {
	here, there := "here", "on the server"
	if push {
		here, there = there, here
	}
	name := term.Safe(i.Path)
	why := term.Safe(i.Why)
	switch i.Action {
	case syncer.Create:
		out.Line("+ %s", name)
	case syncer.Update:
		out.Line("~ %s", name)
	case syncer.Remove:
		out.Line("- %s", name)
	case syncer.Move:
		out.Line("~ %s, which was %s", name, term.Safe(i.Moved))
	case syncer.Merge:
		out.Line("~ %s: both sides changed other lines of it, and both edits are in it", name)
	case syncer.Keep:
		out.Line("= %s was removed %s, but changed %s: it stays", name, there, here)
	case syncer.Restore:
		out.Line("+ %s was removed %s, but changed %s: it is back", name, here, there)
	case syncer.Conflict:
		if i.Copy == "" {
			out.Line("%s", out.In(term.Yellow, "! "+name+": "+why+"; pull first, which keeps both"))
			return
		}
		out.Line("%s", out.In(term.Yellow, fmt.Sprintf("! %s: %s; it is as it was, and the server's text is in %s", name, why, term.Safe(i.Copy))))
	case syncer.Pass:
		out.Line("%s", out.In(term.Faint, "· "+name+" is passed over: "+why))
	case syncer.Refuse:
		out.Line("%s", out.In(term.Yellow, "! "+name+": "+why))
	case syncer.Agree, syncer.Waits:
	}
}
