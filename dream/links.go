package dream

import (
	"maps"
	"path"
	"slices"
	"strings"

	"dormouse/note"
)

// links leads links to what stands for a note that went, and to the note that was
// meant where only its spelling differs.
func (d *desk) links() {
	byName := map[string]*leaf{}
	there := map[string]bool{}
	for _, l := range d.leaves {
		if l.out {
			continue
		}
		there[l.rel], there[slugOf(l)] = true, true
		for _, name := range [...]string{slugOf(l), l.note.Name()} {
			k := plainName(name)
			if had, ok := byName[k]; ok && had != l {
				byName[k] = nil // two are called so
				continue
			}
			byName[k] = l
		}
	}
	for rel := range d.in.Lists {
		there[rel] = true
	}
	for _, l := range d.leaves {
		if l.live() && !l.fixed {
			d.relink(l, byName, there)
		}
	}
}

func plainName(s string) string {
	return strings.Trim(strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSuffix(s, ".md"))), "-")
}

func (d *desk) relink(l *leaf, byName map[string]*leaf, there map[string]bool) {
	raw := l.note.Bytes()
	offset := len(raw) - len(l.note.Body())
	body := l.body()
	var out strings.Builder
	at := 0
	for _, k := range l.note.Links() {
		target := d.leadsTo(k, byName, there)
		if target == nil || target == l || target.held != "" && l.held == "" {
			continue // what a held note is called is its own word
		}
		text := string(raw[k.Offset:k.End])
		now := slugOf(target)
		if !k.Wiki {
			now = target.rel
		} else if name := target.note.Name(); plainPath(strings.ReplaceAll(name, " ", "-")) {
			now = name
		}
		next := strings.Replace(text, k.Target, now, 1)
		if next == text || k.Offset < offset {
			continue
		}
		out.WriteString(body[at:k.Offset-offset] + next)
		at = k.End - offset
	}
	if at == 0 {
		return
	}
	before := slices.Clone(l.cells)
	texts := make([]string, len(before))
	for i, c := range before {
		texts[i] = c.text
	}
	if l.setBody(out.String()+body[at:], l.cells) {
		d.touched[l] = true
		for i, c := range before {
			if c.text != texts[i] {
				c.row.fate(Rewritten)
				c.row.Why = strings.TrimPrefix(c.row.Why+"; a link leads to where the note is now", "; ")
			}
		}
	}
}

// leadsTo is the note that a link is to lead to now; nil where it is fine, or
// nobody knows.
func (d *desk) leadsTo(k note.Link, byName map[string]*leaf, there map[string]bool) *leaf {
	rel := k.File
	if k.Wiki {
		rel = strings.TrimSuffix(k.Target, ".md") + ".md"
	}
	if rel == "" || there[rel] || !k.Wiki && !strings.HasSuffix(rel, ".md") {
		return nil
	}
	if to, ok := d.moved[rel]; ok {
		for to != nil && to.out {
			to = d.moved[to.rel]
		}
		return to
	}
	if k.Wiki {
		for _, old := range slices.Sorted(maps.Keys(d.moved)) {
			to := d.moved[old]
			if to != nil && plainName(old[strings.LastIndexByte(old, '/')+1:]) == plainName(k.Target) {
				for to != nil && to.out {
					to = d.moved[to.rel]
				}
				return to
			}
		}
	}
	if k.Wiki && there[strings.TrimSuffix(path.Base(k.Target), ".md")] {
		return nil // it is found in a folder below
	}
	to := byName[plainName(k.Target[strings.LastIndexByte(k.Target, '/')+1:])]
	if to != nil && k.Wiki && to.note.Name() == k.Target {
		return nil // it is found by its name
	}
	return to
}
