package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"dormouse/dream"
	"dormouse/note"
)

// dreams is how often a folder is dreamt over and over.
const dreams = 10

// repeat dreams on what the first dream left: nothing may change any more, and
// nothing may be lost.
func (c *checker) repeat() {
	last, o := c.o, *c.o
	before := c.w.notes
	for k := 2; k <= dreams; k++ {
		notes, lists := last.again(before)
		next, err := c.r.dream(c.r.input(c.w, notes, lists, false), nil)
		if !c.done(fmt.Sprintf("dream %d", k), err) {
			return
		}
		rel, same := sameFiles(last.files, next.files)
		c.add(rowBytes, "dream", same, func() string { return fmt.Sprintf("dream %d: %s", k, differs(last, next, rel)) })
		for _, t := range next.archive.texts {
			if !slices.Contains(o.archive.texts, t) {
				o.archive.texts = append(o.archive.texts, t)
			}
		}
		before, last = notes, next
	}
	o.files, o.store = last.files, last.store
	tenth := *c
	tenth.o = &o
	for _, f := range c.w.Facts {
		tenth.retained(rowTenth, f)
	}
}

// done counts a dream, and reports whether it came to its end.
func (c *checker) done(which string, err error) bool {
	kind := "the first"
	if which != kind {
		kind = "a further one"
	}
	c.add(rowDone, kind, err == nil, func() string { return which + ": " + err.Error() })
	return err == nil
}

// sameFiles compares two outputs, and names the first file that differs.
func sameFiles(a, b []dream.File) (string, bool) {
	old := map[string][]byte{}
	for _, f := range a {
		old[f.Rel] = f.Bytes
	}
	for _, f := range b {
		was, ok := old[f.Rel]
		if !ok || !bytes.Equal(was, f.Bytes) {
			return f.Rel, false
		}
		delete(old, f.Rel)
	}
	for rel := range old {
		return rel, false
	}
	return "", true
}

// differs shows the first lines in which a file differs.
func differs(a, b *output, rel string) string {
	text := func(o *output) []string {
		for _, f := range o.files {
			if f.Rel == rel {
				return strings.Split(string(f.Bytes), "\n")
			}
		}
		return nil
	}
	was, is := text(a), text(b)
	for i := range max(len(was), len(is)) {
		switch {
		case i >= len(was):
			return fmt.Sprintf("%s has more: %q", rel, is[i])
		case i >= len(is):
			return fmt.Sprintf("%s has no more: %q", rel, was[i])
		case was[i] != is[i]:
			return fmt.Sprintf("%s: %q became %q", rel, was[i], is[i])
		}
	}
	return rel
}

// shuffled dreams on the notes in another order, and under other names.
func (c *checker) shuffled(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 99))
	notes := slices.Clone(c.w.notes)
	r.Shuffle(len(notes), func(i, k int) { notes[i], notes[k] = notes[k], notes[i] })
	o, err := c.r.dream(c.r.input(c.w, notes, c.w.lists, true), nil)
	if !c.done("shuffled", err) {
		return
	}
	rel, same := sameFiles(c.o.files, o.files)
	c.add(rowShuffled, "world", same, func() string { return differs(c.o, o, rel) })
	order := r.Perm(len(notes))
	back, there := renamer(notes, order)
	lists := map[string][]byte{}
	for rel, b := range c.w.lists {
		lists[rel] = []byte(there.Replace(string(b)))
	}
	for i, n := range notes {
		notes[i].rel, notes[i].bytes = there.Replace(n.rel), []byte(there.Replace(string(n.bytes)))
	}
	if o, err = c.r.dream(c.r.input(c.w, notes, lists, true), nil); !c.done("renamed", err) {
		return
	}
	for kind, of := range map[string]func(*output, *strings.Replacer) []string{"statements": statements, "which stand together": texts} {
		was, is := of(c.o, nil), of(o, back)
		c.add(rowRenamed, kind, slices.Equal(was, is), func() string { return missing(was, is) })
	}
}

// missing names what one of two lists has alone.
func missing(was, is []string) string {
	for _, t := range is {
		if !slices.Contains(was, t) {
			return fmt.Sprintf("new under other names: %q", t)
		}
	}
	for _, t := range was {
		if !slices.Contains(is, t) {
			return fmt.Sprintf("missing under other names: %q", t)
		}
	}
	return "other copies"
}

// statements are the lines of all notes of an output, without what names decide on.
func statements(o *output, back *strings.Replacer) []string {
	var out []string
	for _, t := range texts(o, back) {
		out = append(out, strings.Split(t, "\n")...)
	}
	slices.Sort(out)
	return out
}

// renamer gives each note a name that is no part of another's, in another order.
func renamer(notes []source, order []int) (back, there *strings.Replacer) {
	var to, from []string
	for i, n := range notes {
		old, fresh := strings.TrimSuffix(n.rel, ".md"), fmt.Sprintf("kx%04dq", order[i])
		from = append(from, fresh, old)
		for _, around := range []pair{{"", ".md"}, {"name: ", "\n"}, {"[[", "]]"}, {"[", "]("}} {
			to = append(to, around.a+old+around.b, around.a+fresh+around.b)
		}
	}
	// Longer names first: one may be the end of another.
	type both struct{ a, b string }
	var all []both
	for i := 0; i < len(to); i += 2 {
		all = append(all, both{to[i], to[i+1]})
	}
	slices.SortStableFunc(all, func(a, b both) int { return len(b.a) - len(a.a) })
	to = to[:0]
	for _, x := range all {
		to = append(to, x.a, x.b)
	}
	return strings.NewReplacer(from...), strings.NewReplacer(to...)
}

// texts are what the notes of an output say, the lines of each in order and the
// targets of links taken out: names decide on these.
func texts(o *output, back *strings.Replacer) []string {
	var out []string
	for _, f := range o.files {
		if f.List {
			continue
		}
		text := string(note.Parse(f.Bytes).Body())
		if back != nil {
			text = back.Replace(text)
		}
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			if a, b, ok := strings.Cut(l, "[["); ok {
				_, b, _ = strings.Cut(b, "]]")
				lines[i] = a + b
			}
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
		slices.Sort(lines)
		out = append(out, strings.Join(lines, "\n"))
	}
	slices.Sort(out)
	return out
}
