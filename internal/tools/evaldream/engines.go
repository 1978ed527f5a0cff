package main

import (
	"context"
	"crypto/sha256"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"dormouse/dream"
	"dormouse/evidence"
	"dormouse/note"
	"dormouse/scan/secrets"
	"dormouse/store"
	"dormouse/trust"
)

// An output is what an engine made of a world.
type output struct {
	files    []dream.File // notes, index, pages
	archived []dream.Archive
	result   *dream.Result // nil of an engine that is not ours

	store, archive zone
}

// read normalises what the output says.
func (o *output) read() *output {
	for _, f := range o.files {
		if !f.List {
			o.store.add(string(note.Parse(f.Bytes).Body()))
		}
	}
	for _, a := range o.archived {
		o.archive.add(string(note.Parse(a.Bytes).Body()))
	}
	return o
}

// The engines that are compared.
const (
	engineNoop    = "no-op"
	engineHash    = "exact hash"
	engineMinHash = "MinHash 0.8"
	engineNaive   = "naive rewrite"
	engineRules   = "rules"
	engineModel   = "rules + model"
)

var engines = []string{engineNoop, engineHash, engineMinHash, engineNaive, engineRules, engineModel}

// withNotes is an output of some of the notes, and the index without the others.
func (w *world) withNotes(keep []source) *output {
	o := &output{}
	stays := map[string]bool{}
	for _, n := range keep {
		stays[n.rel] = true
		o.files = append(o.files, dream.File{Rel: n.rel, Bytes: n.bytes, Origin: n.origin, Of: []string{n.rel}})
	}
	var gone []string
	for _, n := range w.notes {
		if !stays[n.rel] {
			gone = append(gone, n.rel)
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(w.lists)) {
		b := w.lists[rel]
		if len(gone) > 0 {
			if less, err := note.ReadIndex(b).Remove(gone...); err == nil {
				b = less
			}
		}
		o.files = append(o.files, dream.File{Rel: rel, Bytes: b, List: true})
	}
	return o.read()
}

func (w *world) noop() *output { return w.withNotes(w.notes) }

// exactHash keeps one of the notes whose text below the front matter is the same
// but for white space.
func (w *world) exactHash() *output {
	seen := map[[32]byte]bool{}
	var keep []source
	for _, n := range w.notes {
		h := sha256.Sum256([]byte(strings.Join(strings.Fields(string(note.Parse(n.bytes).Body())), " ")))
		if !seen[h] {
			keep = append(keep, n)
		}
		seen[h] = true
	}
	return w.withNotes(keep)
}

// naive stands in for a model that is told to rewrite the folder as a summary. It is
// no recording of one: of each note it keeps the first sentence and, by a hash of
// the text, every other one of the rest; of notes about one slot it makes one, in
// which the sentences stand one after the other; and every seventh number comes out
// of its neighbour's sentence. What an agent writes has the agent's origin.
func (w *world) naive() *output {
	groups := map[string][]source{}
	for _, n := range w.notes {
		topic, _, _ := strings.Cut(n.rel, "-")
		groups[topic] = append(groups[topic], n)
	}
	o := &output{}
	index := "# Memory\n\n"
	for _, topic := range slices.Sorted(maps.Keys(groups)) {
		var b strings.Builder
		f := dream.File{Rel: topic + ".md", Origin: trust.Agent}
		last := ""
		for _, n := range groups[topic] {
			f.Of = append(f.Of, n.rel)
			for i, line := range strings.Split(string(note.Parse(n.bytes).Body()), "\n") {
				line = strings.TrimLeft(line, "-# ")
				h := fnv.New32a()
				h.Write([]byte(line))
				if line == "" || i > 0 && h.Sum32()%2 == 0 {
					continue
				}
				number := numberIn(line)
				if h.Sum32()%7 == 0 && number != "" && last != "" {
					line = strings.Replace(line, number, last, 1)
				}
				if number != "" {
					last = number
				}
				b.WriteString(line + " ")
			}
		}
		text, err := note.New(note.Fields{Name: topic, Description: "summary of " + topic, Type: "project"}, b.String())
		if err != nil {
			continue
		}
		f.Bytes = text
		o.files = append(o.files, f)
		index += "- [" + topic + "](" + topic + ".md) — summary\n"
	}
	o.files = append(o.files, dream.File{Rel: "MEMORY.md", Bytes: []byte(index), List: true})
	return o.read()
}

// numberIn is the first word of digits only.
func numberIn(line string) string {
	for _, f := range strings.Fields(line) {
		if f = strings.Trim(f, ".,;:`*"); f != "" && strings.Trim(f, "0123456789") == "" {
			return f
		}
	}
	return ""
}

// A run is what dreams of a world are dreamt with.
type run struct {
	guard  *trust.Guard
	finder *secrets.Finder
	// answers is what the repository said: it may stand in an output.
	answers *strings.Builder
	look    func(context.Context, []evidence.Text) (*evidence.Checked, error)
}

// limits are those of the client's index.
var limits = store.Limits{Lines: 200, Units: 25_000, WantLines: 140, WantUnits: 17_500}

// loads tells what the gate says of a text of an origin: of a store whose journal
// has just this text.
func (r *run) loads(text []byte, o trust.Origin) (bool, string) {
	l := trust.Read([]store.Entry{{
		ID: 1, Op: "remember", Actor: store.Human, Origin: string(o), Time: start,
		Changes: []store.Change{{Path: "x.md", After: store.HashOf(text), Origin: string(o)}},
	}})
	v := r.guard.Judge(l, text)
	return v.Loads, v.Words()
}

func (r *run) clean(text string) (string, []string) {
	out, hits := r.finder.Redact(text)
	var said []string
	for _, h := range hits {
		said = append(said, h.Why)
	}
	return out, said
}

// input is a folder as a dream gets it.
func (r *run) input(w *world, notes []source, lists map[string][]byte, first bool) dream.Input {
	in := dream.Input{Lists: lists, Fixed: w.fixed, Look: r.look, Limits: limits, Clean: r.clean, Loads: r.loads}
	for _, n := range notes {
		d := dream.Note{Rel: n.rel, Bytes: n.bytes, Origin: n.origin, At: n.at, AtBy: "recorded"}
		if ok, why := r.loads(n.bytes, n.origin); !ok {
			d.Held = why
		}
		in.Notes = append(in.Notes, d)
	}
	if first {
		in.Said = w.said
	}
	return in
}

// dream dreams once.
func (r *run) dream(in dream.Input, j dream.Judge) (*output, error) {
	in.Judge = j
	res, err := dream.Dream(context.Background(), in)
	if err != nil {
		return nil, err
	}
	return (&output{files: res.Files, archived: res.Archive, result: res}).read(), nil
}

// again is the folder that an output leaves behind, for the next dream.
func (o *output) again(before []source) (notes []source, lists map[string][]byte) {
	at := map[string]time.Time{}
	for _, n := range before {
		at[n.rel] = n.at
	}
	lists = map[string][]byte{}
	for _, f := range o.files {
		if f.List {
			lists[f.Rel] = f.Bytes
			continue
		}
		n := source{rel: f.Rel, bytes: f.Bytes, origin: f.Origin}
		if len(f.Of) > 0 {
			n.at = at[f.Of[0]]
		}
		if m, ok := note.Parse(f.Bytes).Field("modified"); ok {
			if t, err := time.Parse(time.RFC3339, m.Value.Text); err == nil {
				n.at = t
			}
		}
		notes = append(notes, n)
	}
	return notes, lists
}
