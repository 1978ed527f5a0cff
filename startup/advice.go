package startup

import (
	"fmt"
	"path/filepath"
)

// Advice is the one thing most worth doing, and a command or edit that does it.
type Advice struct {
	What string `json:"what"`
	How  string `json:"how,omitempty"`
}

// nearLimit is the share of a limit, in percent, from which the index is worth
// shortening; the client asks the agent for the same (documented: 140 of 200).
const nearLimit = 70

// Advise picks what is most worth doing: first what is broken, then what is
// lost in silence, then what is about to be.
func Advise(r *Report) Advice {
	for _, rule := range []func(*Report) *Advice{
		adviseProblem, adviseOff, adviseCut, adviseBudget, adviseBlankIndex, adviseOthers, adviseShared,
		adviseImports, adviseUnindexed, adviseDangling, adviseRules, adviseNear, adviseEmpty,
	} {
		if a := rule(r); a != nil {
			return *a
		}
	}
	return Advice{What: "nothing: all that is here loads"}
}

func adviseProblem(r *Report) *Advice {
	if len(r.Problems) == 0 {
		return nil
	}
	p := r.Problems[0]
	return &Advice{What: fmt.Sprintf("mend %s: %s", p.Path, p.What)}
}

func adviseOff(r *Report) *Advice {
	if r.Mem.On {
		return nil
	}
	switch d := r.Mem.Switch; {
	case d.File != "":
		return &Advice{What: "memory is off by " + d.File + "; switch it on if that is not meant", How: onCommand(r, d)}
	case d.By[0] == '-':
		return &Advice{What: "memory is off for this start only, by " + d.By}
	case d.By == "default":
		return nil // the client's own choice is no fault
	default:
		return &Advice{What: fmt.Sprintf("memory is off by the variable %s; unset it if that is not meant", d.By), How: "unset " + d.By}
	}
}

// onCommand is what undoes a setting where it was made.
func onCommand(r *Report, d Decision) string {
	switch {
	case d.By != "" && d.By[0] < 'a': // a variable in an env block, which no command of ours edits
		return fmt.Sprintf("take %s out of %s", d.By, d.File)
	case filepath.Base(d.File) == "settings.local.json":
		return "dormouse on --local"
	case filepath.Dir(filepath.Dir(d.File)) == r.Cwd:
		return "dormouse on --project"
	}
	return "dormouse on"
}

func adviseCut(r *Report) *Advice {
	n := r.CutLines()
	if r.Mem.Index == nil || n == 0 {
		return nil
	}
	return &Advice{
		What: fmt.Sprintf("shorten %s: %d of its lines never reach the agent", r.Mem.Index.Path, n),
		How:  "dormouse context   lists every line that is lost",
	}
}

func adviseBudget(r *Report) *Advice {
	for _, l := range r.Left {
		if l.Reason == NotBudget {
			return &Advice{What: fmt.Sprintf("shorten what loads before %s: %s", l.Path, l.Why)}
		}
	}
	return nil
}

func adviseBlankIndex(r *Report) *Advice {
	if ix := r.Mem.Index; ix == nil || ix.Lines > 0 || r.Mem.Notes == 0 {
		return nil
	}
	return &Advice{What: fmt.Sprintf("%s is blank, so none of the %d notes is known to the agent; remove it and the client makes an index, or write a line for each note",
		r.Mem.Index.Path, r.Mem.Notes)}
}

func adviseOthers(r *Report) *Advice {
	if len(r.Mem.Others) == 0 {
		return nil
	}
	o := r.Mem.Others[0]
	return &Advice{What: fmt.Sprintf("look into %s: notes are there that no session here reads", o.Dir)}
}

func adviseShared(r *Report) *Advice {
	if len(r.Mem.Shared) == 0 || !r.Mem.Exists {
		return nil
	}
	return &Advice{
		What: fmt.Sprintf("this project and %s share one store by the likeness of their names; give one its own folder", r.Mem.Shared[0]),
		How:  `"autoMemoryDirectory": "~/…" in .claude/settings.local.json`,
	}
}

func adviseImports(r *Report) *Advice {
	return adviseLeft(r, "mend the import in %s: %s", NotImportPunct, NotImportMissing, NotImportExternal)
}

// meant tells whether somebody meant the entry to load: an @word that finds no
// file and has no ending is more likely a package or a person.
func meant(l Left) bool {
	return l.Reason != NotImportMissing || filepath.Ext(l.Path) != ""
}

func adviseLeft(r *Report, format string, reasons ...Reason) *Advice {
	for _, reason := range reasons {
		for _, l := range r.Left {
			if l.Reason == reason && meant(l) {
				where := l.Path
				if l.From != "" {
					where = fmt.Sprintf("%s:%d", l.From, l.Line)
				}
				return &Advice{What: fmt.Sprintf(format, where, l.Why)}
			}
		}
	}
	return nil
}

func adviseUnindexed(r *Report) *Advice {
	n, first := 0, ""
	for _, l := range r.Left {
		if l.Reason == NotIndexed {
			if n == 0 {
				first = filepath.Base(l.Path)
			}
			n++
		}
	}
	if n == 0 {
		return nil
	}
	if n == 1 {
		return &Advice{What: fmt.Sprintf("one note has no index line, so the agent does not know of it: %s", first), How: "dormouse context"}
	}
	return &Advice{What: fmt.Sprintf("%d notes have no index line, so the agent does not know of them (%s …)", n, first), How: "dormouse context"}
}

func adviseDangling(r *Report) *Advice {
	return adviseLeft(r, "mend the index line %s: it %s", NotDangling)
}

func adviseRules(r *Report) *Advice {
	return adviseLeft(r, "mend the rule %s: %s", NotRuleBroken)
}

func adviseNear(r *Report) *Advice {
	ix := r.Mem.Index
	if ix == nil || !near(ix.Lines, ix.LinesLimit) && !near(ix.Chars, ix.CharsLimit) {
		return nil
	}
	return &Advice{What: fmt.Sprintf("shorten %s soon: %d of %d lines, %d of %d characters are used", ix.Path, ix.Lines, ix.LinesLimit, ix.Chars, ix.CharsLimit)}
}

// near tells whether a limit is nearly used up; 0 is no limit.
func near(n, limit int) bool { return limit > 0 && n*100 >= limit*nearLimit }

func adviseEmpty(r *Report) *Advice {
	if len(r.Loaded) > 0 {
		return nil
	}
	return &Advice{What: "nothing loads here: write an instruction file, or tell the agent what to remember"}
}
