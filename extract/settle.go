package extract

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"dormouse/claim"
	"dormouse/transcript"
)

// topic is what a sentence is about: the words that a retraction names, and those
// that a choice turns down.
type topic struct {
	words   []string
	against []string
	text    string // of a retraction: as it stands
	last    bool   // takes back what was said last
	gone    string // "no longer holds"
	instead bool   // turns over the choice before, and does not name it: "use tabs after all"
}

func (s *sentence) topic(h hit) topic {
	from, to := s.bounds(h)
	if h.p.rule.kind == Retraction {
		to = s.matterEnd(from, to)
	}
	t := topic{words: s.content(from, to), last: h.p.rule.kind == Retraction && h.p.rule.conf < Threshold, gone: s.l.word("gone")}
	if from < to {
		t.text = strings.Trim(s.plain(from, to), signs+" ")
	}
	for i := range s.toks {
		if _, ok := s.phraseAt("outed", i); ok && i > 0 {
			t.against = append(t.against, s.toks[i-1].norm)
		}
		next, ok := s.phraseAt("against", i)
		if !ok || next >= len(s.toks) {
			continue
		}
		for next < len(s.toks)-1 && !s.toks[next].comma && (s.l.has("stop", s.toks[next].norm) || s.l.has("used", s.toks[next].norm)) {
			next++
		}
		t.against = append(t.against, s.toks[next].norm)
	}
	t.instead = h.p.rule.kind == "supersede" && len(t.against) == 0
	return t
}

// matterEnd is where a retraction stops naming what it takes back: at a comma, or at
// the verb that says that it no longer holds.
func (s *sentence) matterEnd(from, to int) int {
	for i := from; i < to; i++ {
		switch t := &s.toks[i]; {
		case i > from && s.l.has("aux", t.norm):
			return i
		case t.comma:
			return i + 1
		}
	}
	return to
}

// content is the words that name a matter.
func (s *sentence) content(from, to int) []string {
	var out []string
	for i := from; i < to && i < len(s.toks); i++ {
		w := s.toks[i].norm
		if s.toks[i].opaque || s.l.has("stop", w) || s.l.has("pron", w) || s.l.has("common", w) || s.l.has("polite", w) || s.l.has("aside", w) {
			continue
		}
		out = append(out, w)
	}
	return out
}

// settle adds a candidate to what the session gave, against what it gave before.
func (r *Reader) settle(t *transcript.Turn, c Candidate, about topic) {
	if c.Kind == Retraction {
		r.takeBack(t, c, about)
		return
	}
	if known := r.knows(c.Text); known != "" {
		r.drop(t, c.Quote, "said already in "+known)
		return
	}
	found := &r.now.found
	if about.instead {
		r.replaceLast(c.Line)
	}
	for i := 0; i < len(found.Candidates); i++ {
		old := &found.Candidates[i]
		if old.Kind == Retraction || old.Origin != transcript.Person {
			continue
		}
		switch r.relate(old, &c, about, r.now.against[i]) {
		case claim.Exact, claim.Same:
			old.Confidence = max(old.Confidence, c.Confidence)
			return
		case claim.Within:
			if len(c.Text) <= len(old.Text) {
				old.Confidence = max(old.Confidence, c.Confidence)
				return
			}
			r.remove(i, "said more fully later")
			i--
		case claim.Conflict:
			r.remove(i, "overtaken by line "+strconv.Itoa(c.Line))
			i--
		}
	}
	r.add(c, about.against...)
}

func (r *Reader) add(c Candidate, against ...string) {
	if len(r.now.found.Candidates) >= maxCandidates {
		return
	}
	r.now.found.Candidates = append(r.now.found.Candidates, c)
	r.now.prompts = append(r.now.prompts, r.now.person)
	r.now.against = append(r.now.against, against)
}

// replaceLast takes out the choice that was made last, where that is not long ago.
func (r *Reader) replaceLast(line int) {
	const recent = 8 // prompts
	all := r.now.found.Candidates
	for i := len(all) - 1; i >= 0 && r.now.prompts[i] >= r.now.person-recent; i-- {
		if all[i].Kind == Correction || all[i].Kind == Confirmed {
			r.remove(i, "overtaken by line "+strconv.Itoa(line))
			return
		}
	}
}

// remove takes out a candidate and says why.
func (r *Reader) remove(i int, why string) {
	f := &r.now.found
	c := f.Candidates[i]
	f.Candidates = slices.Delete(f.Candidates, i, i+1)
	r.now.prompts = slices.Delete(r.now.prompts, i, i+1)
	r.now.against = slices.Delete(r.now.against, i, i+1)
	if len(f.Dropped) < maxDropped {
		f.Dropped = append(f.Dropped, Dropped{Quote: c.Quote, Why: why, Session: c.Session, Line: c.Line})
	}
}

// relate tells how a candidate relates to an earlier one of the session.
func (r *Reader) relate(old, c *Candidate, about topic, turned []string) claim.Kind {
	if old.Text == c.Text {
		return claim.Exact
	}
	if old.Kind != Who && old.Kind != Pointer && turnsDown(old, about, turned) {
		return claim.Conflict
	}
	rel := claim.Compare(old.Text, c.Text)
	if rel.Kind == claim.Conflict && (old.Kind == Who || old.Kind == Pointer && c.Kind != Pointer) {
		return claim.None // somebody may be and know several things
	}
	return rel.Kind
}

// turnsDown tells whether what is said now speaks against what an earlier
// candidate says to do.
func turnsDown(old *Candidate, about topic, turned []string) bool {
	for _, w := range about.against {
		if len(w) < 2 || slices.Contains(turned, w) {
			continue
		}
		toks := tokens(old.Text)
		for i := range toks {
			if toks[i].norm == w || strings.HasPrefix(toks[i].norm, w+"-") {
				return true
			}
		}
	}
	return false
}

// takeBack takes out what a retraction means. Where that is not of this session,
// the retraction is a candidate itself.
func (r *Reader) takeBack(t *transcript.Turn, c Candidate, about topic) {
	f := &r.now.found
	if about.last || len(about.words) == 0 {
		if n := len(f.Candidates); n > 0 && r.now.prompts[n-1] >= r.now.person-2 {
			r.remove(n-1, "taken back in line "+strconv.Itoa(c.Line))
		}
		return
	}
	hit := false
	for i := len(f.Candidates) - 1; i >= 0; i-- {
		if f.Candidates[i].Kind != Retraction && means(about, f.Candidates[i].Text+" "+f.Candidates[i].Quote) {
			r.remove(i, "taken back in line "+strconv.Itoa(c.Line))
			hit = true
		}
	}
	if hit {
		return
	}
	c.Text = sentenceCase(strings.Trim(about.text, ".,;:") + " " + about.gone)
	if len(r.finder.Find(c.Text)) == 0 {
		r.add(c)
	}
}

// means tells whether a retraction names what a text says.
func means(about topic, text string) bool {
	low := normal(text)
	if len(about.text) > 3 && strings.Contains(low, normal(about.text)) {
		return true
	}
	in := 0
	for _, w := range about.words {
		if strings.Contains(low, stem(w)) {
			in++
		}
	}
	return in > 0 && in*3 >= len(about.words)*2
}

// stem cuts the ending of a longer word.
func stem(w string) string {
	r := []rune(w)
	if len(r) > 6 {
		return string(r[:len(r)-2])
	}
	return w
}

// knows names the instruction or note that says already what a text says.
func (r *Reader) knows(text string) string {
	if len(r.Known) == 0 {
		return ""
	}
	for i, rel := range claim.Find(text, r.Known) {
		if rel.Kind == claim.Exact || rel.Kind == claim.Same || rel.Kind == claim.Within && rel.More == 2 {
			return r.Known[i].Name
		}
	}
	return ""
}

const (
	confirmedConfidence = 0.85
	maxWaiting          = 10000 // candidates that are remembered over sessions
)

// confirm lets a candidate pass that another session gave as well.
func (r *Reader) confirm(c *Candidate) {
	if c.Confidence >= Threshold || c.Origin != transcript.Person || c.Kind == Retraction {
		return
	}
	words := claim.Terms(c.Text)
	slices.Sort(words)
	h := fnv.New64a()
	h.Write([]byte(strings.Join(words, " ")))
	key := string(h.Sum(nil))
	if s, ok := r.waiting[key]; ok && s != c.Session {
		c.Confidence = confirmedConfidence
		c.Why += ", in two sessions"
	} else if len(r.waiting) < maxWaiting {
		r.waiting[key] = c.Session
	}
}
