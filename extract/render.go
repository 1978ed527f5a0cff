package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/draft"
)

// render writes what a note would say, and its type. why tells why nothing can be
// said: it can't be told what the sentence is about.
func (s *sentence) render(h hit, r *Reader) (text, typ, why string) {
	from, to := s.bounds(h)
	kind, typ := h.p.rule.kind, h.p.rule.typ
	if from >= to || to-from < 2 && h.p.say == "" && !s.toks[from].code && kind != Confirmed && kind != Retraction {
		return "", "", ""
	}
	if kind == Retraction {
		return s.plain(from, to), "project", ""
	}
	if kind == Explicit && typ == "guess" {
		kind, typ = s.inner(h, from)
	}
	it, ok := s.refer(from, to, r.now.named)
	if !ok && kind != Confirmed && kind != "supersede" {
		return "", "", "it is not said what is meant"
	}
	w := writer{s: s, kind: kind, now: r.now.at, it: it, named: r.now.named}
	text = w.write(from, to)
	if kind == Deadline && !w.ahead {
		return "", "", "a day that is past"
	}
	if kind == Who && h.p.say == "" {
		text = s.third(text)
	}
	if h.p.say != "" {
		text = s.say(h.p.say, text, kind)
	}
	if kind == Confirmed && r.now.offer != "" {
		text = strings.TrimRight(text, ".") + " (" + s.l.word("asked") + ": " + strings.TrimRight(clipWords(r.now.offer), " ") + ")"
	}
	text = sentenceCase(text)
	if len(r.finder.Find(text)) > 0 {
		return "", "", "secret"
	}
	if typ == "guess" {
		typ = draft.Guess(text).Type
	}
	return text, typ, ""
}

func clipWords(s string) string {
	const most = 160 // bytes
	if len(s) > most {
		return s[:strings.LastIndexByte(s[:most], ' ')+1] + "…"
	}
	return s
}

// bounds takes the words that say nothing off the ends of what is kept.
func (s *sentence) bounds(h hit) (from, to int) {
	from, to = h.from, h.to
	m := matcher{s: s}
	for from < to {
		next := from
		for _, class := range [...]string{"polite", "lead"} {
			for _, p := range s.l.classes[class] {
				if end, ok := m.phrase(p, from); ok && end > next && end < to {
					next = end
				}
			}
		}
		if next == from {
			break
		}
		from = next
	}
	for to > from+1 {
		cut := to
		for _, p := range s.l.classes["tail"] {
			if at := to - len(p); at > from {
				if end, ok := m.phrase(p, at); ok && end == to {
					cut = min(cut, at)
				}
			}
		}
		if cut == to {
			break
		}
		to = cut
	}
	return from, to
}

// inner finds what somebody asks to remember is: who they are, a place, a day. Its
// type follows from that, else from the text.
func (s *sentence) inner(h hit, from int) (Kind, string) {
	best := (*pattern)(nil)
	for _, id := range s.candidates() {
		p := s.l.patterns[id]
		switch p.rule.kind {
		case Who, Pointer, Deadline:
		default:
			continue
		}
		if g, ok := s.match(p, from); ok && g.from <= from+1 && (best == nil || p.rule.order < best.rule.order) {
			best = p
		}
	}
	if best == nil {
		return Explicit, "guess"
	}
	return best.rule.kind, best.rule.typ
}

// refer finds what a word like "it" stands for: something named in the text before
// it, else what the person named last. at is the token that stands for it, -1 for
// none; ok is false where it can't be told what is meant.
func (s *sentence) refer(from, to int, named string) (at int, ok bool) {
	content := 0
	end := s.reason(from)
	for i := from; i < to && i < end; i++ {
		t := &s.toks[i]
		if t.opaque || !s.l.has("pron", t.norm) {
			if !s.l.has("stop", t.norm) && !s.l.has("verb", t.norm) && !s.l.has("nothing", t.norm) {
				content++
			}
			continue
		}
		next := ""
		if i+1 < to {
			next = s.toks[i+1].norm
		}
		switch {
		case s.l.has("hereNoun", next):
			content++
		case s.l.has("that", t.norm) && i > from && next != "" && !s.l.has("aux", next): // joins two clauses
		case s.l.has("these", t.norm) && next != "" && !t.comma && !s.l.has("aux", next) && !s.l.has("stop", next) && !s.l.has("verb", next):
			return -1, false // "this function": of what is at hand
		case content < 2:
			return i, named != "" && s.l.has("it", t.norm)
		}
	}
	return -1, true
}

// plain is the text of tokens as it stands.
func (s *sentence) plain(from, to int) string {
	if from >= to {
		return ""
	}
	return s.raw[s.toks[from].start:s.toks[to-1].end]
}

// sentenceCase begins a text with a capital letter, unless with a name of code, and
// ends it with a full stop.
func sentenceCase(text string) string {
	text = strings.TrimSpace(strings.Join(strings.Fields(text), " "))
	first, _, _ := strings.Cut(text, " ")
	if !codeLike(strings.TrimRight(first, signs)) && !strings.HasPrefix(first, "`") {
		r, n := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	text = strings.TrimRight(text, " ,;:-–—")
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// say puts a text into words of the rule: "Use $".
func (s *sentence) say(form, text string, kind Kind) string {
	before, after, _ := strings.Cut(form, "$")
	first, rest, _ := strings.Cut(text, " ")
	if w := normal(strings.TrimSpace(before)); w != "" && normal(first) == w && rest != "" {
		text = rest
	}
	if strings.TrimSpace(before) != "" && !codeLike(first) {
		r, n := utf8.DecodeRuneInString(text)
		if second, _ := utf8.DecodeRuneInString(text[n:]); !unicode.IsUpper(second) && !s.lower && s.l.has("stop", normal(first)) {
			text = string(unicode.ToLower(r)) + text[n:]
		}
	}
	out := before + text + after
	if kind == Who {
		return s.third(out)
	}
	return out
}

// word is a word of ours in the language.
func (l *language) word(name string) string {
	if p := l.classes["say-"+name]; len(p) > 0 {
		var w []string
		for _, a := range p[0] {
			w = append(w, a.text)
		}
		return strings.Join(w, " ")
	}
	return name
}
