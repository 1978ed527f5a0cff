package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

func timeFaults() map[string][]variant {
	out := map[string][]variant{}
	for _, t := range []struct{ rule, file string }{{"time-bound", "words.txt"}, {"deadline-past", "deadlines.txt"}} {
		for i := range tableLen(t.file) {
			out[t.rule] = append(out[t.rule], v(fmt.Sprintf("sentence %d", i), func(w *world) label {
				r := w.table(t.file)[i]
				n := w.remark(w.pick(r[0], r[1]))
				return at(w.note(n), r[0])
			}))
		}
	}
	out["deadline-past"] = append(out["deadline-past"], v("in the description", func(w *world) label {
		n := w.remark("The partner's test system answers on the public address.")
		n.description = fillDates("Partner's test system, valid until "+w.pick("{long-50}", "{long+90}"), w.now)
		return at(w.note(n), "valid until")
	}))
	out["old-note"] = oldNotes()
	return out
}

func oldNotes() []variant {
	old := func(name, typ string, days int, change func(w *world, n *noteFile, then time.Time)) variant {
		return v(name, func(w *world) label {
			n := w.addNote(typ, "hall-scanner", "Distance at which the scanner reads", scanner)
			if w.faulty {
				change(w, n, w.now.AddDate(0, 0, -days))
			}
			return label{path: w.note(n)}
		})
	}
	return []variant{
		old("project", "project", 430, func(_ *world, n *noteFile, then time.Time) { n.modified = then }),
		old("reference", "reference", 560, func(_ *world, n *noteFile, then time.Time) { n.modified = then }),
		old("cloned, so the file is new", "project", 480, func(w *world, n *noteFile, then time.Time) {
			n.modified, n.mtime = then, w.now.Add(-time.Hour)
		}),
		old("nothing recorded, the file is old", "project", 440, func(_ *world, n *noteFile, then time.Time) {
			n.unstamped, n.mtime = true, then
		}),
		old("nothing recorded, old in git", "project", 450, func(w *world, n *noteFile, then time.Time) {
			n.unstamped, n.mtime = true, w.now.Add(-time.Hour)
			w.later(func() error { return commitStore(w.memory(), n.file, then) })
		}),
	}
}

// commitStore makes a memory folder a repository in which one note is old.
func commitStore(dir, file string, then time.Time) error {
	if err := gitIn(dir, nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	for _, c := range []struct {
		path string
		when time.Time
	}{{file, then}, {".", then.AddDate(1, 0, 20)}} {
		if err := gitIn(dir, nil, "add", c.path); err != nil {
			return err
		}
		date := c.when.Format(time.RFC3339)
		cmd := exec.Command("git", "-c", "user.name=Maria", "-c", "user.email=maria@corp.example", "commit", "-q", "-m", "notes")
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git commit: %w: %s", err, out)
		}
	}
	return nil
}

// factFaults are notes that hold several facts; the sound ones have as many lines
// about one thing.
func factFaults() map[string][]variant {
	facts := []string{
		"Labels are 60 mm wide because the second printer jams on anything else.",
		"Prices come from the finance portal on the last day of a month.",
		"Rui reads everything that touches money.",
		"The crane in the north hall disturbs the network.",
		"Customer Castor wants two copies of every invoice.",
		"The translators work with spreadsheets only.",
		"Backups are kept in Frankfurt for nine years.",
		"The sandbox of the payment provider sleeps at night.",
	}
	one := []string{
		"The label printer in the north hall takes rolls of 60 mm.",
		"A new roll sits on the left pin of that printer.",
		"Its print head is set for thermal paper of the cheap kind.",
		"A jam in it shows as three red flashes.",
		"Its lid has to be closed for ten seconds after a jam.",
		"The spare print head for it lies in the cupboard beside it.",
		"Its serial number is on the back, not below.",
		"The vendor of the printer answers within a day.",
	}
	shape := func(name string, join func(lines []string) string) variant {
		return v(name, func(w *world) label {
			lines := one
			if w.faulty {
				lines = facts
			}
			n := w.addNote("project", "label-printer", "What is known of the label printer", join(lines)+"\n")
			return label{path: w.note(n)}
		})
	}
	return map[string][]variant{"many-facts": {
		shape("list", func(l []string) string { return "- " + strings.Join(l, "\n- ") }),
		shape("numbered", func(l []string) string {
			s := ""
			for i, x := range l {
				s += fmt.Sprintf("%d. %s\n", i+1, x)
			}
			return s
		}),
		shape("headings", func(l []string) string {
			s := ""
			for i := 0; i < len(l); i += 2 {
				s += "## " + strings.Join(strings.Fields(l[i])[:3], " ") + "\n\n" + l[i] + " " + l[i+1] + "\n\n"
			}
			return s
		}),
		shape("paragraphs", func(l []string) string { return strings.Join(l, "\n\n") }),
		shape("one paragraph", func(l []string) string { return strings.Join(l, " ") }),
	}}
}
