package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/store"
)

// otherFolders are the memory folders besides st that may hold a copy: those
// that have a journal, which may keep one, and the notes for all projects.
func (o *purgeOptions) otherFolders(st *store.Store, s host.Session) ([]string, error) {
	state, err := host.StateFolder(o.io.Env)
	if err != nil {
		return nil, err
	}
	kept, err := store.Kept(state)
	if err != nil {
		err = fmt.Errorf("which other folders there are cannot be told: %w", err)
	}
	if h, herr := o.theHost(); herr == nil {
		if g, _ := globalMemory(h, s); g != nil {
			if _, err := os.Stat(g.Dir); err == nil {
				kept = append(kept, g.Dir)
			}
		}
	}
	had, out := map[string]bool{realPath(st.Dir()): true}, []string{}
	for _, dir := range kept {
		if real := realPath(dir); !had[real] {
			had[real] = true
			out = append(out, real)
		}
	}
	return out, err
}

// purgeFolder purges one of the other folders.
func (o *purgeOptions) purgeFolder(s host.Session, dir string, secrets [][]byte) (*store.Purged, error) {
	h, err := o.theHost()
	if err != nil {
		return nil, err
	}
	st, err := o.openFolder(h, dir, nil)
	if err != nil {
		return nil, err
	}
	defer release(st)
	return purgeAll(st, o.by(s), secrets)
}

// purgeAll purges each secret from one folder, and adds up what was done.
func purgeAll(st *store.Store, by store.By, secrets [][]byte) (*store.Purged, error) {
	var all *store.Purged
	for _, secret := range secrets {
		done, err := st.Purge(by, secret)
		if all == nil {
			all = done
		} else if done != nil {
			addPurged(all, done)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func addPurged(all, more *store.Purged) {
	if more.ID != 0 {
		all.ID = more.ID
	}
	all.Index, all.Changes = more.Index, append(all.Changes, more.Changes...)
	all.Said, all.NotReached = withNew(all.Said, more.Said), withNew(all.NotReached, more.NotReached)
	all.Files = withNew(all.Files, more.Files)
	all.Copies, all.Entries, all.Drafts = all.Copies+more.Copies, all.Entries+more.Entries, all.Drafts+more.Drafts
}

// withNew adds what is not there yet.
func withNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// reachErrors are the files of a folder that may still hold the secret.
func reachErrors(dir string, p *store.Purged, show func(string) string) []error {
	var out []error
	for _, s := range p.NotReached {
		out = append(out, errors.New(show(dir)+": "+s))
	}
	return out
}

// notReached is what holds copies that Dormouse has no say over.
func (o *purgeOptions) notReached() []string {
	return []string{
		fmt.Sprintf("the agent's transcripts (their folder: %s)", o.command("path transcripts")),
		"backups, and the history of a repository that holds the notes",
		"other machines that the notes were copied to",
	}
}

type purgeReport struct {
	doneReport
	purgedFolder
	Dreams     []string       `json:"dreams"`    // kept dreams that held it, and went
	Elsewhere  []purgedFolder `json:"elsewhere"` // the other memory folders, each of them
	NotReached []string       `json:"not_reached"`
	Indexes    int            `json:"indexes"` // search indexes that went: each is made anew
	Problems   []jsonProblem  `json:"problems"`
}

// purgedFolder is what one memory folder held.
type purgedFolder struct {
	Store   string   `json:"store"`
	Files   []string `json:"files"`
	Copies  int      `json:"journal_copies"`
	Entries int      `json:"journal_entries"`
	Drafts  int      `json:"drafts"`
}

func (p *purgedFolder) held() bool { return len(p.Files)+p.Copies+p.Entries+p.Drafts > 0 }

func purgedOf(dir string, p *store.Purged) purgedFolder {
	return purgedFolder{Store: dir, Files: orEmpty(p.Files), Copies: p.Copies, Entries: p.Entries, Drafts: p.Drafts}
}

func (o *purgeOptions) reportPurge(dir string, p *store.Purged) purgeReport {
	return purgeReport{
		doneReport: o.reportDone("purge", "", &p.Done), purgedFolder: purgedOf(dir, p),
		Dreams: []string{}, Elsewhere: []purgedFolder{}, NotReached: o.notReached(),
	}
}

func printPurge(out *term.Out, r *purgeReport, show func(string) string) {
	held := false
	for _, f := range append([]purgedFolder{r.purgedFolder}, r.Elsewhere...) {
		held = held || f.held()
		printPurged(out, &f, show)
	}
	if held {
		out.Line("Names made from it, and starts of it that stood before a “…”, went with it.")
	}
	if len(r.Dreams) > 0 {
		out.Line("%s that held it went, too: %s", count(len(r.Dreams), "kept dream"), term.Safe(strings.Join(r.Dreams, ", ")))
	}
	if r.Indexes > 0 {
		out.Line("the search index went, too; the next search makes it anew")
	}
	for _, s := range r.Said {
		out.Line("  %s", term.Safe(s))
	}
	out.Line("Dormouse cannot reach these; look there too, and replace the secret where it is valid:")
	for _, w := range r.NotReached {
		out.Line("  %s", term.Safe(w))
	}
}

func printPurged(out *term.Out, f *purgedFolder, show func(string) string) {
	if !f.held() {
		out.Line("no note, journal entry or draft of %s holds it", show(f.Store))
		return
	}
	out.Line("purged from %s, %s, %s, %s of %s", count(len(f.Files), "file"), countCopies(f.Copies),
		countEntries(f.Entries), count(f.Drafts, "draft"), show(f.Store))
	for _, name := range f.Files {
		out.Line("  %s", term.Safe(name))
	}
}

func countCopies(n int) string {
	if n == 1 {
		return "1 copy in the journal"
	}
	return thousands(n) + " copies in the journal"
}

func countEntries(n int) string {
	if n == 1 {
		return "1 journal entry"
	}
	return thousands(n) + " journal entries"
}
