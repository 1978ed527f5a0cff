package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/claim"
	"dormouse/dream"
	"dormouse/dream/bymodel"
	"dormouse/dream/shelf"
	"dormouse/evidence"
	"dormouse/host"
	"dormouse/internal/gitroot"
	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// gather brings together what a dream works on. A note that can't be read ends it:
// the index would be made without it.
func (w *dreaming) gather(ctx context.Context) error {
	k := w.k
	if !w.o.dry {
		// So that what the agent wrote itself counts as its own.
		if _, err := k.guard.Recognise(k.st, w.o.transcripts(k.s)); err != nil && !errors.Is(err, store.ErrBroken) {
			return err
		}
	}
	if err := k.readHistory(); err != nil {
		return err
	}
	items, err := k.st.List()
	if err != nil {
		return err
	}
	ledger := trust.Read(k.history)
	w.in = dream.Input{Now: w.o.io.Now().UTC(), Lists: map[string][]byte{}, Fixed: loadedTexts(w.rep)}
	dates := w.dates(ctx)
	for i := range items {
		it := &items[i]
		if err := readable(it); err != nil {
			return err
		}
		text := append([]byte{}, it.Note.Bytes()...) // never nil: an empty file is one
		if store.IsPage(it.Rel, text) {
			w.in.Lists[it.Rel] = text
			continue
		}
		n := dream.Note{Rel: it.Rel, Bytes: text, Origin: ledger.Origin(store.HashOf(text))}
		n.At, n.AtBy = dates.of(it)
		if why := unfit(it.Rel); why != "" {
			n.Held, n.Soft = why, false // it stays as it is, and no line leads to it
			w.out.Said = append(w.out.Said, fmt.Sprintf("%s: %s", term.Safe(it.Rel), why))
			w.in.Notes = append(w.in.Notes, n)
			continue
		}
		if v := k.guard.Judge(ledger, text); !v.Loads {
			n.Held, n.Soft = orElse(v.Words(), "it waits for a decision"), v.Soft()
		}
		w.in.Notes = append(w.in.Notes, n)
	}
	index, err := k.st.Read(store.IndexName)
	switch {
	case err == nil:
		w.in.Lists[store.IndexName] = append([]byte{}, index...)
		// What stands there beside the lines of notes is no note's, and is compared.
		w.in.Fixed = append(w.in.Fixed, claim.Source{Name: store.IndexName, Text: ownText(index), Fixed: true})
	case !errors.Is(err, store.ErrNoNote):
		return err
	}
	return w.conditions()
}

func readable(it *store.Item) error {
	switch {
	case it.Err != nil:
		return fmt.Errorf("the index can't be made without a note that can't be read: %w; move it out of the folder, or mend it", it.Err)
	case it.Note == nil:
		return fmt.Errorf("%s can't be read, and the index can't be made without it", it.Rel)
	case !utf8.ValidString(it.Rel):
		return fmt.Errorf("the name %q is not UTF-8: rename that note first", it.Rel)
	}
	return nil
}

// unfit tells why no line of an index can lead to a file of that name; "" if one can.
func unfit(rel string) string {
	if strings.ContainsFunc(rel, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	}) {
		return "its name has a line break or a character that nobody sees in it, so the index can't name it: rename the file"
	}
	return ""
}

// conditions are what a dream asks others.
func (w *dreaming) conditions() error {
	k := w.k
	h, err := w.o.theHost()
	if err != nil {
		return err
	}
	conf, err := w.o.storeConfig(h, k.st.Dir())
	if err != nil {
		return err
	}
	w.in.Limits, w.in.KeepHeld = conf.Limits, k.guard.Policy.Held == trust.Report
	if w.o.global != nil {
		w.in.Line = defusedLine(w.o.global)
	} else if repo, err := evidence.Open(orElse(w.rep.Root, w.rep.Cwd), w.o.io.Env.Getenv); err == nil {
		// What is said for all projects is not about this one.
		w.in.Look = repo.Check
	}
	// A guard is not for several goroutines, and a dream may have some.
	var one sync.Mutex
	w.in.Clean = func(text string) (string, []string) {
		one.Lock()
		defer one.Unlock()
		return k.guard.Clean(text)
	}
	gate, history := k.guard.Gate(), k.history
	w.in.Loads = func(text []byte, o trust.Origin) (bool, string) {
		one.Lock()
		defer one.Unlock()
		// Just what the store will ask when the text is written.
		return gate.Lists(store.Proposal{
			By: store.By{Actor: store.Dream, Origin: string(o)}, Op: "dream", After: text, History: func() []store.Entry { return history },
		})
	}
	return nil
}

// askFor makes the model that may be asked about what rules can't settle.
func (w *dreaming) askFor() error {
	e := &w.o.engine
	if e.spec == "" {
		return nil
	}
	m, err := e.open(w.o.common)
	if err != nil {
		return err
	}
	w.made.Model, w.out.Model = m.Name(), &dreamModel{Name: m.Name()}
	if w.o.dry {
		return nil
	}
	state, err := host.StateFolder(w.o.io.Env)
	if err != nil {
		return err
	}
	w.judge = bymodel.New(m, shelf.Answers(state))
	w.in.Judge = w.judge
	if !w.o.json {
		fmt.Fprintf(w.o.io.Err, "dormouse: %s is asked about what rules can't settle: at most %s tokens%s\n", term.Safe(m.Name()), thousands(e.tokens), dollars(e.dollars)) // nowhere left to say it
	}
	return nil
}

// tellModel puts what the model did into the report, and what of its answers was
// refused at once into the result. What failed leaves statements as they are, and is
// said; the error is that not one answer could be used.
func (w *dreaming) tellModel(res *dream.Result) error {
	if w.judge == nil {
		return nil
	}
	r, out := w.judge.Report(), w.out.Model
	out.Asked, out.Cached, out.Failed, out.Left = r.Asked, r.Cached, r.Failed, r.Left
	out.Tokens, out.Cost = r.Usage.Input+r.Usage.Output+r.Usage.CacheRead+r.Usage.CacheWrite, r.Usage.Dollars
	if res != nil {
		res.Refused = append(res.Refused, r.Refused...)
		res.Counts.Refused = len(res.Refused)
	}
	err := errors.Join(r.Ended, r.Cache)
	if err != nil {
		out.Problem = w.o.errorText(err)
	}
	if r.Silent() {
		return fmt.Errorf("%s gave no answer that can be used, so what rules can't settle stays as it is; what the rules decided stands", out.Name)
	}
	if err != nil {
		fmt.Fprintf(w.o.io.Err, "dormouse: warning: the model was not asked about all (%s); what the rules decided stands\n", term.Safe(out.Problem)) // nowhere left to say it
	}
	return nil
}

// loadedTexts are the instructions that load here.
func loadedTexts(rep *startup.Report) []claim.Source {
	var out []claim.Source
	for i := range rep.Loaded {
		if f := &rep.Loaded[i]; f.Scope != startup.Memory {
			out = append(out, claim.Source{Name: f.Path, Text: f.Text, Fixed: true})
		}
	}
	return out
}

// ownText is what an index says beside its lines of notes, each line where it was.
func ownText(index []byte) string {
	var b strings.Builder
	at := 0
	for _, l := range note.ReadIndex(index).Listed() {
		if l.Start < at {
			continue
		}
		b.Write(index[at:l.Start])
		b.WriteString(strings.Repeat("\n", bytes.Count(index[l.Start:l.Rest], []byte("\n"))))
		at = l.Rest
	}
	b.Write(index[at:])
	return b.String()
}

// noteDates tell when notes were last written.
type noteDates struct {
	now     time.Time
	dreamt  map[string]shelf.Dated // what dreams wrote, by path and hash
	journal map[string]time.Time   // by path and hash
	git     map[string]time.Time   // by path
}

func (w *dreaming) dates(ctx context.Context) *noteDates {
	d := &noteDates{now: w.o.io.Now(), journal: map[string]time.Time{}, dreamt: map[string]shelf.Dated{}}
	dreams, _ := w.k.shelf.List() // without a damaged one the file time counts
	for i := range dreams {
		for rel, said := range dreams[i].Dates {
			d.dreamt[rel+"\x00"+dreams[i].OutputHash(rel)] = said
		}
	}
	for _, e := range w.k.history { // newest first: the oldest counts
		// What came from outside is as old as its file, what an undo brought back is
		// as old as it was, and a dream says nothing new.
		if e.Actor == store.Outside || e.Actor == store.Dream || e.Undoes > 0 || e.Op == "rollback" {
			continue
		}
		for _, c := range e.Changes {
			d.journal[c.Path+"\x00"+c.After] = e.Time
		}
	}
	dir := w.k.st.Dir()
	if gitroot.Find(dir) != nil {
		if repo, err := evidence.Open(dir, w.o.io.Env.Getenv); err == nil {
			d.git, _ = repo.Dates(ctx, dir) // without them the file time counts
		}
	}
	return d
}

// of is when a note was last written, and by what that is known: what it says of
// itself comes first. What lies in the future is not believed.
func (d *noteDates) of(it *store.Item) (time.Time, string) {
	var known []dream.Moment
	for _, key := range []string{"modified", "updated", "date", "created"} {
		if text, ok := it.Note.Text(key); ok {
			if at, err := parseMoment(text); err == nil {
				known = append(known, dream.Moment{At: at, By: dream.ByRecord})
			}
		}
	}
	key := it.Rel + "\x00" + store.HashOf(it.Note.Bytes())
	known = append(known,
		dream.Moment{At: d.dreamt[key].At, By: d.dreamt[key].By},
		dream.Moment{At: d.journal[key], By: dream.ByJournal},
		dream.Moment{At: d.git[it.Rel], By: dream.ByGit},
		dream.Moment{At: it.Mod, By: dream.ByFile})
	m := dream.When(d.now, known...)
	return m.At.UTC(), m.By
}

func parseMoment(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Parse(time.DateOnly, text)
}
