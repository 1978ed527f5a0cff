package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// neutral empties the instructions, so that nothing but the case stands in them.
func (w *world) neutral() {
	w.plain()
	w.tracked["CLAUDE.md"] = "# " + w.names.project + "\n\nThe handbook of the team is printed and hangs in the kitchen.\n"
	delete(w.homeFiles, ".claude/CLAUDE.md")
}

func (w *world) table(file string) [][]string {
	t := rows(file, w.now)
	for _, r := range t {
		for i := range r {
			r[i] = strings.ReplaceAll(r[i], "MAIN", w.kind.main)
		}
	}
	return t
}

func tableLen(file string) int { return len(rows(file, time.Time{})) }

// only is the kind of project that a row of conflicts.txt fits, "" for any.
func only(row []string) string {
	if len(row) > 4 {
		return row[4]
	}
	return ""
}

func sayingFaults() map[string][]variant {
	out := map[string][]variant{}
	for i, row := range rows("conflicts.txt", time.Time{}) {
		places := []struct{ name, file string }{{"CLAUDE.md", "CLAUDE.md"}, {"a rule", ".claude/rules/house.md"}, {"the local file", "CLAUDE.local.md"}, {"an import", "docs/house-rules.md"}}
		place := places[0]
		if i%3 == 2 {
			place = places[1+i/3%3]
		}
		out["conflict-instructions"] = append(out["conflict-instructions"], variant{name: row[0] + " in " + place.name, kind: only(row), make: func(w *world) label {
			return w.conflictWith(w.table("conflicts.txt")[i], place.file)
		}})
		out["conflict-notes"] = append(out["conflict-notes"], variant{name: row[0], kind: only(row), make: func(w *world) label {
			w.neutral()
			r := w.table("conflicts.txt")[i]
			a := w.addNote("feedback", "agreed-in-april", "What was agreed in April", r[1]+"\n\n**Why:** the team voted on it.\n")
			b := w.addNote("feedback", "agreed-in-june", "What was agreed in June", w.pick(r[2], r[3])+"\n\n**Why:** Lisbon asked for it.\n")
			return at(w.note(b), r[2]).or(at(w.note(a), r[1]))
		}})
	}
	for k, forms := range map[string][]variant{
		"duplicate-exact": exactDuplicates(), "duplicate-near": nearDuplicates(), "duplicate-instructions": repeatedInstructions(),
		"repeats-repository": repeatedRepository(), "belongs-in-instructions": belongings(),
	} {
		out[k] = forms
	}
	return out
}

// instruct puts a line into an instruction file.
func (w *world) instruct(file, text string) string {
	switch file {
	case "CLAUDE.md":
		w.say("## Agreed", "", "- "+text)
	case "CLAUDE.local.md":
		w.untracked[file] = "# Mine\n\n" + text + "\n"
	case "docs/house-rules.md":
		w.say("@docs/house-rules.md")
		w.tracked[file] = "# House rules\n\n1. " + text + "\n"
	default:
		w.tracked[file] = "# House\n\n" + text + "\n"
	}
	return filepath.Join(w.proj, file)
}

func (w *world) conflictWith(r []string, file string) label {
	w.neutral()
	path := w.instruct(file, r[1])
	n := w.addNote("feedback", "agreed-in-june", "What was agreed in June", w.pick(r[2], r[3])+"\n\n**Why:** Lisbon asked for it.\n")
	return at(w.note(n), r[2]).or(at(path, r[1]))
}

func exactDuplicates() []variant {
	d := func(name string, i int, slug string, change func(string) string) variant {
		return v(name, func(w *world) label {
			r := w.table("duplicates.txt")[i]
			a := w.addNote("project", "told-by-oksana", "What Oksana told", r[0]+"\n")
			b := w.addNote("project", slug, "What Oksana told in the second talk", change(w.pick(r[0], r[3]))+"\n")
			return label{path: w.note(b)}.or(label{path: w.note(a)})
		})
	}
	same := func(s string) string { return s }
	return []variant{
		d("other name and description", 0, "second-talk", same),
		d("in a folder", 2, "archive/told-by-oksana", same),
		d("white space", 3, "second-talk", func(s string) string { return s + "  \n" }),
		d("Windows line ends", 4, "second-talk", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") + "\r" }),
		d("Ukrainian", 6, "друга-розмова", same),
		v("a copy of the file", func(w *world) label {
			a := w.notes[0]
			b := w.addNote(a.typ, "copy-of-the-first", a.description, a.body)
			if !w.faulty {
				b.body, b.description = scanner, "Distance of the scanner"
				b.typ = "project"
			}
			b.name = a.name
			return label{path: w.note(b)}.or(label{path: w.note(a)})
		}),
	}
}

func nearDuplicates() []variant {
	var out []variant
	for i := range tableLen("duplicates.txt") {
		for j, form := range []string{"light edit", "in other words"} {
			out = append(out, v(fmt.Sprintf("%s %d", form, i), func(w *world) label {
				r := w.table("duplicates.txt")[i]
				a := w.addNote("feedback", "told-by-oksana", "What Oksana told", r[0]+"\n")
				b := w.addNote("feedback", "second-talk", "What came up in the second talk", w.pick(r[1+j], r[3])+"\n")
				return label{path: w.note(b)}.or(label{path: w.note(a)})
			}))
		}
	}
	two := func(name string, merge func(a, b string) string) variant {
		return v(name, func(w *world) label {
			t := w.table("duplicates.txt")
			a := w.addNote("feedback", "told-by-oksana", "What Oksana told", t[4][0]+" "+t[7][0]+"\n")
			b := w.addNote("feedback", "second-talk", "What came up in the second talk", w.pick(merge(t[4][0], t[7][0]), t[4][3])+"\n")
			return label{path: w.note(b)}.or(label{path: w.note(a)})
		})
	}
	return append(out,
		two("sentences in another order", func(a, b string) string { return b + " " + a }),
		two("other line breaks and marks", func(a, b string) string {
			return "- " + strings.Replace(a, "may see", "can see", 1) + "\n- " + strings.ReplaceAll(b, "ninety", "**ninety**")
		}))
}

func repeatedInstructions() []variant {
	d := func(name string, i, form int, file string) variant {
		return v(name, func(w *world) label {
			w.neutral()
			r := w.table("duplicates.txt")[i]
			path := w.instruct(file, r[0])
			n := w.addNote("feedback", "told-by-oksana", "What Oksana told", w.pick(r[form], r[3])+"\n")
			return at(w.note(n), r[form]).or(at(path, r[0]), label{path: w.note(n)})
		})
	}
	return []variant{
		d("word by word", 0, 0, "CLAUDE.md"), d("light edit", 2, 1, "CLAUDE.md"), d("in other words", 4, 2, "CLAUDE.md"),
		d("in a rule", 3, 0, ".claude/rules/house.md"), d("in an import", 5, 1, "docs/house-rules.md"), d("in the local file", 7, 0, "CLAUDE.local.md"),
		d("Ukrainian", 6, 1, "CLAUDE.md"),
	}
}

func repeatedRepository() []variant {
	var out []variant
	for i := range 9 {
		out = append(out, v(fmt.Sprintf("sentence %d", i), func(w *world) label {
			r := w.kind.repeats[i%len(w.kind.repeats)]
			n := w.remark(w.pick(w.names.fill(r.text), scanner))
			return label{path: w.note(n)}
		}))
	}
	return out
}

func belongings() []variant {
	var out []variant
	for i := range tableLen("belongs.txt") {
		out = append(out, v(fmt.Sprintf("rule %d", i), func(w *world) label {
			w.neutral()
			r := w.table("belongs.txt")[i]
			about := []string{"labels", "invoices", "returns"}
			why := []string{"Lisbon asked for it after the outage of March.", "The auditors wrote it into their report.", "Rui lost a weekend over it."}
			l := label{}
			for j, a := range about {
				text := r[j] + "\n\n**Why:** " + why[j] + "\n"
				if !w.faulty && j > 0 {
					text = []string{"", "Invoices are checked by two people.\n", "Returns are paid on Fridays.\n"}[j]
				}
				n := w.addNote("feedback", "talk-about-"+a, "What came up in the talk about "+a, text)
				if j == 0 {
					l.path = w.note(n)
				} else {
					l = l.or(label{path: w.note(n)})
				}
			}
			return l
		}))
	}
	return out
}
