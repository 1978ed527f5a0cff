package find

import (
	"time"

	"dormouse/recall"
)

// pending is an update of a view on its way: what stays as it was, and what has
// to be indexed anew.
type pending struct {
	v    *view
	b    *recall.Builder
	rows []row // of all files; those without a segment are in b, if anywhere
	gain bool  // something is known now that the table does not say
}

// update indexes what changed. What the old table says of the others stands. With
// the lock, all of it is written.
func (v *view) update(d *diff, by, journal [32]byte, write bool) error {
	if v.tab == nil {
		v.f.conf.Heavy()
	}
	d.sorted()
	p := &pending{v: v, b: recall.NewBuilder()}
	old := v.tab
	moved := old == nil || old.journal != journal
	p.gain = moved || p.dirs(old, d.dirs)
	if old != nil {
		p.rows = make([]row, 0, old.len()+len(d.changed))
		for i := range old.len() {
			if d.same[i] {
				p.keep(old.row(i), moved)
			}
		}
		p.gain = p.gain || len(p.rows) < old.len()
	}
	for _, f := range d.changed {
		p.changed(f, old, moved)
	}
	var refs []segRef
	segs := v.segs
	if old != nil {
		refs = old.segs
	}
	if write {
		refs, segs = p.merge(refs, segs)
	}
	if err := v.take(p.b, p.rows, d.dirs, refs, segs, by, journal); err != nil {
		return err
	}
	if write && p.gain && v.broken == nil && d.problem == nil {
		v.cache.write(v.tab, v.segs)
	}
	if d.problem != nil {
		v.fail(d.problem)
	}
	return nil
}

// dirs reports whether the folders look otherwise than the table says.
func (p *pending) dirs(old *table, now []dirRow) bool {
	if old == nil || len(old.dirs) != len(now) {
		return true
	}
	for _, d := range now {
		known := false
		for _, o := range old.dirs {
			known = known || o.rel == d.rel && o.look == d.look
		}
		if !known {
			return true
		}
	}
	return false
}

// keep takes over a note whose file is as it was. Where the journal moved, what it
// says of the note may be another thing now.
func (p *pending) keep(r row, moved bool) {
	if moved && r.seg != none {
		p.judgeAgain(&r)
	}
	p.rows = append(p.rows, r)
}

func (p *pending) judgeAgain(r *row) {
	j, ok := p.v.judgedAs(r.hash, &r.judged)
	if !ok {
		b, err := p.v.st.Read(r.rel)
		if err != nil || hashOf(b) != r.hash {
			r.judged = unjudged("it changed while it was looked at") // the next look judges it
			r.look = r.look.unsure()
			return
		}
		j = p.v.verdict(b, r.hash)
	}
	r.judged = j
}

// changed reads a file that is new or looks otherwise.
func (p *pending) changed(f seen, old *table, moved bool) {
	t := p.v.read(f)
	if f.row >= 0 {
		was := old.row(f.row)
		if was.hash == t.row.hash && was.unread == t.row.unread {
			p.gain = p.gain || was.look != t.row.look
			was.look = t.row.look
			p.keep(was, moved)
			return
		}
	}
	p.gain = true
	p.add(t, f)
}

// add puts a note into the new segment.
func (p *pending) add(t text, f seen) {
	if t.note != nil {
		p.b.Add(p.v.doc(f.rel, t.note, time.Unix(0, f.look.mod)))
		t.row.judged = p.v.verdict(t.note.Bytes(), t.row.hash)
	}
	p.rows = append(p.rows, t.row)
}

// merge decides which segments stay. Their documents are read again where they do
// not.
func (p *pending) merge(refs []segRef, segs []*recall.Index) ([]segRef, []*recall.Index) {
	if len(refs) == 0 {
		return refs, segs
	}
	live := make([]int, len(refs))
	for i := range p.rows {
		if p.rows[i].seg != none {
			live[p.rows[i].seg]++
		}
	}
	total, dead := p.b.Len(), int(refs[0].docs)-live[0]
	beside := p.b.Len()
	for i, n := range live {
		if total += n; i > 0 {
			beside += n
		}
	}
	var stay int
	switch {
	case max(beside, dead) > max(p.v.f.few, total/tenth):
		stay = 0
	case len(refs) >= p.v.f.segments:
		stay = 1
	default:
		return refs, segs
	}
	p.again(uint32(stay))
	return refs[:stay:stay], segs[:stay:stay]
}

// again reads the notes whose segments go.
func (p *pending) again(from uint32) {
	rows := p.rows
	p.rows, p.gain = nil, true
	for _, r := range rows {
		if r.seg == none || r.seg < from {
			p.rows = append(p.rows, r)
			continue
		}
		f := seen{rel: r.rel, look: r.look, row: -1}
		t := p.v.read(f)
		if t.row.hash == r.hash && t.note != nil {
			t.row.judged, t.row.look = r.judged, r.look
			p.b.Add(p.v.doc(f.rel, t.note, time.Unix(0, r.look.mod)))
			p.rows = append(p.rows, t.row)
			continue
		}
		t.row.look = t.row.look.unsure() // it changed since it was looked at
		p.add(t, f)
	}
}
