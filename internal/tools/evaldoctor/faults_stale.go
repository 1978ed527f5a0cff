package main

import (
	"fmt"
	"strings"
)

// A manner is how a note brings a fact in.
type manner struct {
	name string
	put  func(w *world, f fact, thing string) *noteFile
}

func manners() []manner {
	return []manner{
		{"by itself", func(w *world, f fact, thing string) *noteFile { return w.remark(f.say(thing)) }},
		{"behind a lead-in", func(w *world, f fact, thing string) *noteFile {
			return w.remark("Agreed with Oksana and written down for the next person.\n\n" + f.say(thing))
		}},
		{"with its reason", func(w *world, f fact, thing string) *noteFile {
			return w.remark(f.say(thing) + "\n\n**Why:** the question came up twice in the planning round.")
		}},
		{"in a list", func(w *world, f fact, thing string) *noteFile {
			return w.remark("From the planning round:\n\n- " + f.say(thing) + "\n- Oksana knows the details.")
		}},
		{"behind Ukrainian", func(w *world, f fact, thing string) *noteFile {
			return w.remark("Записано зі слів Оксани, англійською — для команди в Лісабоні.\n\n" + f.say(thing))
		}},
	}
}

// factVariant is the i-th fact of its classes in the project's kind.
func factVariant(i int, classes ...string) variant {
	m := manners()[i%5]
	return v(fmt.Sprintf("fact %d %s", i, m.name), func(w *world) label {
		facts := w.kind.factsOf(classes...)
		f := facts[i%len(facts)]
		n := m.put(w, f, w.pick(f.gone, f.today))
		return at(w.note(n), f.mark())
	})
}

func staleFaults() map[string][]variant {
	out := map[string][]variant{}
	for _, r := range []struct {
		rule    string
		n       int
		classes []string
	}{
		{"stale-path", 10, []string{"path"}},
		{"stale-symbol", 10, []string{"symbol"}},
		{"stale-command", 9, []string{"command"}},
		{"stale-branch", 10, []string{"branch", "tag"}},
		{"stale-host", 9, []string{"host"}},
		{"stale-version", 9, []string{"version"}},
		{"unknown-path", 8, []string{"unknown"}},
	} {
		for i := range r.n {
			out[r.rule] = append(out[r.rule], factVariant(i, r.classes...))
		}
	}
	out["stale-path"] = append(out["stale-path"],
		v("in the description", func(w *world) label {
			f := w.kind.factsOf("path")[0]
			n := w.remark("Oksana explained it in the planning round.")
			n.description = "Who answers for " + w.pick(f.gone, f.today)
			return at(w.note(n), f.gone)
		}),
		v("absolute", func(w *world) label {
			f := w.kind.factsOf("path")[0]
			n := w.remark(f.say(w.proj + "/" + w.pick(f.gone, f.today)))
			return at(w.note(n), f.gone)
		}),
		v("in plain text", func(w *world) label {
			f := w.kind.factsOf("path")[0]
			n := w.remark(strings.ReplaceAll(f.say(w.pick(f.gone, f.today)), "`", ""))
			return at(w.note(n), f.gone)
		}))
	return out
}
