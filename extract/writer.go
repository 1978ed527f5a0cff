package extract

import (
	"strings"
	"time"
	"unicode"
)

// writer copies tokens of a sentence, with dates made absolute and the person named.
type writer struct {
	s     *sentence
	kind  Kind
	now   time.Time
	it    int    // the token that stands for something, -1 for none
	named string // what it stands for
	ahead bool   // a day to come was found, or one that needed no working out
	out   strings.Builder
	done  int // bytes of the sentence
}

func (w *writer) write(from, to int) string {
	s := w.s
	recurring := w.recurring(from, to)
	w.done = s.toks[from].start
	for i := from; i < to; i++ {
		t := &s.toks[i]
		if end := s.until[i]; end > i && end <= to && w.date(i, end, recurring) {
			i = end - 1
			continue
		}
		if n := w.replace(i); n != "" {
			w.put(t.start, t.end, n)
		}
	}
	w.out.WriteString(s.raw[w.done:s.toks[to-1].end])
	if to == len(s.toks) { // what closes the sentence: a bracket, a quote
		w.out.WriteString(strings.TrimRight(strings.TrimRightFunc(s.raw[s.toks[to-1].end:], unicode.IsSpace), ":;,.!?…*_(~-—–= "))
	}
	return w.out.String()
}

// put writes what stands before a place, and text instead of it.
func (w *writer) put(start, end int, text string) {
	w.out.WriteString(w.s.raw[w.done:start])
	w.out.WriteString(text)
	w.done = end
}

// recurring tells whether days in a rule are those of every week.
func (w *writer) recurring(from, to int) bool {
	if w.kind == Deadline {
		return false
	}
	for i := from; i < to; i++ {
		if w.s.l.has("recurring", w.s.toks[i].norm) {
			return true
		}
	}
	return false
}

// date writes a date that was relative.
func (w *writer) date(i, end int, recurring bool) bool {
	s := w.s
	m := s.dateOf[i]
	if recurring && m.op == "weekday" {
		return false
	}
	d, ok := s.resolve(m, w.now)
	w.ahead = w.ahead || !d.past
	if !ok {
		return false
	}
	start, stop := s.toks[i].start, s.toks[end-1].end
	if d.append {
		w.put(stop, stop, " ("+d.text+")")
		return true
	}
	text := d.text
	if i == 0 || !s.l.has("before-date", s.toks[i-1].norm) {
		text = strings.Replace(s.l.sayAhead, "$", text, 1)
	}
	w.put(start, stop, text)
	return true
}

// replace is what stands for a token in a note, "" for itself.
func (w *writer) replace(i int) string {
	s := w.s
	t := &s.toks[i]
	if t.opaque || t.code {
		return ""
	}
	switch {
	case i == w.it && w.named != "":
		return w.named
	case w.kind != Who && s.l.agent[t.norm] != "":
		return s.l.agent[t.norm]
	case w.done <= t.start && w.out.Len() == 0 && w.done == t.start && normal(s.raw[t.start:t.end]) != t.norm:
		return t.norm // a slip of the finger in the first word
	}
	return ""
}
