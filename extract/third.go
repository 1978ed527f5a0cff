package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// third tells of the person what they tell of themselves.
func (s *sentence) third(text string) string {
	t := teller{l: s.l, words: strings.Fields(text)}
	for t.i < len(t.words) {
		t.step()
	}
	out := strings.Join(t.out, " ")
	if t.named || strings.Contains(strings.ToLower(out), strings.ToLower(s.l.user)) {
		return out
	}
	if t.began {
		r, n := utf8.DecodeRuneInString(out)
		return s.l.user + " " + string(unicode.ToLower(r)) + out[n:]
	}
	return s.l.user + ": " + out
}

// teller puts a text into the third person.
type teller struct {
	l     *language
	words []string
	i     int
	out   []string
	named bool // the user is the subject already
	began bool // the first word is a verb
}

func (t *teller) step() {
	bare := strings.TrimRight(t.words[t.i], ",.;:!)")
	tail := t.words[t.i][len(bare):]
	w := normal(bare)
	next := ""
	if tail == "" && t.i+1 < len(t.words) {
		next = normal(strings.TrimRight(t.words[t.i+1], ",.;:!)"))
	}
	l := t.l
	switch {
	case !t.named && next != "" && l.person[w+" "+next] != "":
		t.subject(l.person[w+" "+next], t.words[t.i+1][len(strings.TrimRight(t.words[t.i+1], ",.;:!)")):])
		t.i += 2
	case !t.named && l.person[w] != "":
		t.subject(l.person[w], tail)
		t.i++
	case l.isMe(w) && !t.named:
		t.i++
		t.me(next)
	case l.also[w] != "":
		word := l.also[w]
		if !t.named && l.agent[w] != "" {
			word = l.agent[w]
		}
		t.out = append(t.out, word+tail)
		t.i++
	default:
		if v := l.conjugated(w); l.noI && v != "" {
			t.began = t.began || len(t.out) == 0
			bare = v
		} else if l.noI && len(t.out) == 0 && (l.adverbs[w] || next != "" && l.adverbs[w]) {
			t.began = true
		}
		t.out = append(t.out, bare+tail)
		t.i++
	}
}

// subject writes the user and a verb.
func (t *teller) subject(verb, tail string) {
	t.user()
	t.out = append(t.out, verb+tail)
}

func (t *teller) user() {
	u := t.l.user
	if len(t.out) > 0 {
		r, n := utf8.DecodeRuneInString(u)
		u = string(unicode.ToLower(r)) + u[n:]
	}
	t.out, t.named = append(t.out, u), true
}

// me writes the user for "I" and the verb behind it.
func (t *teller) me(next string) {
	t.user()
	for t.i < len(t.words) && t.l.adverbs[normal(t.words[t.i])] {
		t.out = append(t.out, t.words[t.i])
		t.i++
	}
	if t.i == len(t.words) {
		return
	}
	bare := strings.TrimRight(t.words[t.i], ",.;:!)")
	if v := t.l.conjugated(normal(bare)); v != "" {
		t.out = append(t.out, v+t.words[t.i][len(bare):])
		t.i++
		return
	}
	if t.l.noI && !t.l.has("before-noun", next) {
		t.out[len(t.out)-1] += " —"
	}
}

func (l *language) isMe(w string) bool {
	for _, m := range strings.Fields(l.me) {
		if normal(m) == w {
			return true
		}
	}
	return false
}

// conjugated is a verb in the third person, "" where the rules know none.
func (l *language) conjugated(w string) string {
	if v := l.verbs[w]; v != "" {
		return v
	}
	for _, e := range l.endings {
		stem, ok := strings.CutSuffix(w, e[0])
		if ok && utf8.RuneCountInString(stem) >= 1 {
			return stem + e[1]
		}
	}
	return ""
}
