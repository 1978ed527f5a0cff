package extract

import (
	"strings"
	"unicode"

	"dormouse/claim/token"
	"dormouse/note"
	"dormouse/transcript"
)

// maxQuote is how much of a sentence is quoted, in bytes, and how long a fact may
// be: what is longer says more than one.
const maxQuote = 600

// personText looks at what the person typed.
func (r *Reader) personText(t *transcript.Turn, b *transcript.Block) {
	text, hidden := transcript.WithoutPrivate(b.Text)
	if hidden {
		r.drop(t, "", "private")
	}
	lines := own(text, r.leadsIn)
	if len(lines) == 0 {
		return
	}
	p := prompt{r: r, t: t, text: text, work: textSteps}
	all := sentences(text, lines)
	if p.asksWhich(all) {
		r.drop(t, "", "a choice")
		return
	}
	for i := 0; i < len(all); i++ {
		if i+1 < len(all) && p.goesOn(all[i], all[i+1]) {
			all[i+1].start = all[i].start
			continue
		}
		p.sentence(all[i])
		if p.quoting {
			break
		}
	}
}

// prompt is one text of the person.
type prompt struct {
	r       *Reader
	t       *transcript.Turn
	text    string
	secrets []span
	looked  bool // for secrets
	last    *sentence
	listed  *hitIn // "remember:" with a list below
	quoting bool   // what follows is somebody else's
	work    int    // steps that are left

	correction bool // the sentence before was one, and is the last candidate
	challenged bool // the sentence before asks why the agent took something
}

// hitIn is a hit and where.
type hitIn struct {
	hit
	s *sentence
}

// asksWhich tells whether a text ends by asking which of what it lists: none of that
// is what the person wants.
func (p *prompt) asksWhich(all []span) bool {
	if len(all) < 2 {
		return false
	}
	last := all[len(all)-1]
	raw := p.text[last.start:last.end]
	for _, l := range p.r.languages {
		s := l.readSentence(raw, 0, tokens(raw), nil)
		if _, ok := s.phraseAt("choices", s.first); ok && strings.HasSuffix(raw, "?") {
			return true
		}
	}
	return false
}

// goesOn tells a sentence that is none without the next: "not npm. pnpm."
func (p *prompt) goesOn(a, b span) bool {
	const short, shorter = 80, 40 // bytes
	if a.end-a.start > short || b.end-b.start > short || strings.IndexByte(p.text[a.end:b.start], '\n') >= 0 {
		return false
	}
	if p.turnsNext(a, b) || p.stopsNext(a, b) || p.answersNext(a, b) {
		return true
	}
	if a.end-a.start > shorter || b.end-b.start > shorter || !strings.HasSuffix(p.text[a.start:a.end], ".") {
		return false
	}
	words := strings.Fields(p.text[a.start:a.end])
	if len(words) < 2 || len(words) > 3 {
		return false
	}
	for _, l := range p.r.languages {
		if l.has("not", normal(words[0])) {
			return true
		}
	}
	return false
}

// answersNext tells whether a few words only name what the next sentence tells of:
// design docs? they're in Notion. Wrong package manager. It's pnpm.
func (p *prompt) answersNext(a, b span) bool {
	const most = 4 // words
	toks, next := tokens(p.text[a.start:a.end]), tokens(p.text[b.start:b.end])
	if len(toks) > most {
		return false
	}
	for _, l := range p.r.languages {
		s := l.readSentence(p.text[a.start:a.end], a.start, toks, nil)
		t := l.readSentence(p.text[b.start:b.end], b.start, next, nil)
		_, told := t.phraseAt("told", t.first)
		_, wrong := s.phraseAt("wrong", 0)
		if told && (wrong && p.r.now.acted || strings.HasSuffix(p.text[a.start:a.end], "?") && s.hasAny("thing")) {
			return true
		}
	}
	return false
}

// stopsNext tells whether a sentence asks, and the next tells to stop that: adding
// comments again? stop it.
func (p *prompt) stopsNext(a, b span) bool {
	const most = 4 // words
	if !p.r.now.acted || !strings.HasSuffix(p.text[a.start:a.end], "?") {
		return false
	}
	toks := tokens(p.text[b.start:b.end])
	for _, l := range p.r.languages {
		s := l.readSentence(p.text[b.start:b.end], b.start, toks, nil)
		if len(s.toks) > most {
			return false
		}
		for i := 0; i <= s.first; i++ { // "stop" greets nobody here
			if _, ok := s.phraseAt("enough", i); ok {
				return true
			}
		}
	}
	return false
}

// saysNothing tells whether nothing follows what was hit but thanks.
func (h *hitIn) saysNothing() bool {
	for i := h.from; i < len(h.s.toks); {
		next, ok := h.s.phraseAt("tail", i)
		if !ok {
			return false
		}
		i = next
	}
	return true
}

// turnsNext tells whether a sentence only names what to take, and the next turns
// down what the agent had used: could you redo that with uv? pip is not supported.
func (p *prompt) turnsNext(a, b span) bool {
	if !p.r.now.acted {
		return false
	}
	toks, next := tokens(p.text[a.start:a.end]), tokens(p.text[b.start:b.end])
	for _, l := range p.r.languages {
		s := l.readSentence(p.text[a.start:a.end], a.start, toks, nil)
		t := l.readSentence(p.text[b.start:b.end], b.start, next, nil)
		s.recent, t.recent = p.r.now.recent, p.r.now.recent
		if n := len(s.toks) - s.first; (n > 0 && n <= 2 || s.hasAny("swap")) && !s.tellsAny() && t.tellsAny() && t.hasAny("turned") {
			return true
		}
	}
	return false
}

// challenges tells whether a sentence asks why the agent took something: why npm?
func (p *prompt) challenges(raw string, toks []lexeme) bool {
	const most = 6 // words
	if !p.r.now.acted || len(toks) > most || !strings.HasSuffix(raw, "?") {
		return false
	}
	for _, l := range p.r.languages {
		s := l.readSentence(raw, 0, toks, nil)
		s.recent = p.r.now.recent
		if s.tellsAny() {
			return true
		}
	}
	return false
}

func (p *prompt) sentence(at span) {
	raw := p.text[at.start:at.end]
	toks := tokens(raw)
	if len(toks) == 0 {
		return
	}
	byHand := strings.HasPrefix(raw, "# ") && len(toks) > 2
	if p.listed != nil && !byHand {
		p.item(raw, at)
		return
	}
	best := p.best(raw, at, toks)
	challenged := best == nil && p.challenges(raw, toks)
	defer func() { p.challenged = challenged }()
	if best == nil || kindOf(best.p.rule) != Correction {
		p.correction = false
	}
	switch {
	case best == nil && byHand:
		p.byHand(raw, at, toks)
	case best == nil:
		p.remember(raw, at, toks)
		p.quoting = p.pastes(raw, toks)
	case best.p.rule.kind == Explicit && best.saysNothing():
		if strings.HasSuffix(raw, ":") {
			p.listed = best
		} else if best.start > best.s.first {
			best.from, best.to, best.start = best.s.first, best.start, best.s.first
			p.take(best, byHand)
		} else if p.last != nil {
			p.before(best)
		}
	default:
		p.take(best, byHand)
	}
}

// best is the hit that counts, of all languages.
func (p *prompt) best(raw string, at span, toks []lexeme) *hitIn {
	var best *hitIn
	for _, l := range p.r.languages {
		s := l.readSentence(raw, at.start, toks, p.r.now.offered)
		s.last, s.recent = p.last, p.r.now.recent
		most := min(s.work, p.work)
		s.work = most
		ids := s.candidates()
		s.findDates(ids)
		for _, id := range ids {
			pat := l.patterns[id]
			if !p.applies(pat.rule) || pat.rule.kind == Deadline && s.hasAny("standing") {
				continue
			}
			for _, place := range s.places(pat) {
				if h, ok := s.match(pat, place); ok {
					if best == nil || better(h, best.hit) || best.s.l != l && l.other == other(raw) && h.start <= best.start && tier(h.p.rule) <= tier(best.p.rule) {
						best = &hitIn{h, s}
					}
					break
				}
			}
		}
		p.work -= most - s.work
		s.work = max(s.work, 0)
	}
	return best
}

func (p *prompt) applies(r *rule) bool {
	if r.conf == 0 { // of drops and dates
		return false
	}
	return (!r.after || p.r.now.acted) && (!r.then || p.correction || p.challenged) && (!r.offered || len(p.r.now.offered) > 0)
}

// better tells which of two hits says what the sentence is: one that takes back or
// asks to remember, else the one that begins first, else the one whose rule comes
// first.
func better(a, b hit) bool {
	if x, y := tier(a.p.rule), tier(b.p.rule); x != y {
		return x < y
	}
	if x, y := a.p.rule, b.p.rule; x.offered != y.offered && (x.kind == Who || y.kind == Who) {
		return x.offered // "I like uv", when that was the question
	}
	if a.start != b.start {
		return a.start < b.start
	}
	if a.p.rule.order != b.p.rule.order {
		return a.p.rule.order < b.p.rule.order
	}
	return a.p.index < b.p.index
}

func tier(r *rule) int {
	switch {
	case r.kind == Retraction:
		return 0
	case r.kind == Explicit && r.conf > 0.92:
		return 1
	case r.weak:
		return 3
	}
	return 2
}

// pastes tells a sentence that says that somebody else's text follows: here is the
// text of the issue.
func (p *prompt) pastes(raw string, toks []lexeme) bool {
	for _, l := range p.r.languages {
		s := l.readSentence(raw, 0, toks, nil)
		if _, ok := s.phraseAt("paste", s.first); ok && s.hasAny("source") {
			return true
		}
	}
	return false
}

// remember keeps what a sentence without a fact says for what follows: the name of
// a thing, and the sentence itself.
func (p *prompt) remember(raw string, at span, toks []lexeme) {
	p.last = &sentence{raw: raw, at: at.start, toks: toks}
	p.name(toks)
}

func (p *prompt) name(toks []lexeme) {
	if p.secret(p.last) {
		return
	}
	for i := range toks {
		if t := &toks[i]; t.code && !t.opaque {
			p.r.now.named = p.last.raw[t.start:t.end]
		}
	}
}

// byHand takes "# fact", the way to add a note by hand.
func (p *prompt) byHand(raw string, at span, toks []lexeme) {
	for _, l := range p.r.languages {
		if l.other != other(raw) {
			continue
		}
		s := l.readSentence(raw, at.start, toks, nil)
		s.findDates(s.candidates())
		pat := &pattern{rule: &rule{kind: Explicit, conf: 0.95, typ: "guess", why: "a line that begins with #"}}
		p.take(&hitIn{hit{p: pat, to: len(s.toks)}, s}, true)
		return
	}
}

// item takes a line below "remember:".
func (p *prompt) item(raw string, at span) {
	toks := tokens(raw)
	s := p.listed.s.l.readSentence(raw, at.start, toks, nil)
	s.findDates(s.candidates())
	h := p.listed.hit
	h.start, h.from, h.to = 0, 0, len(s.toks)
	p.take(&hitIn{h, s}, true)
}

// before takes the sentence in front of "remember that."
func (p *prompt) before(h *hitIn) {
	last := p.last
	s := h.s.l.readSentence(last.raw, last.at, last.toks, nil)
	s.findDates(s.candidates())
	p.take(&hitIn{hit{p: h.p, to: len(s.toks)}, s}, false)
}

// other tells whether a text is mostly of another script than Latin.
func other(s string) bool {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x80 && unicode.IsLetter(r):
			n--
		case unicode.IsLetter(r):
			n++
		}
	}
	return n > 0
}

// take makes a candidate of a hit, or says why not.
func (p *prompt) take(h *hitIn, byHand bool) {
	s, r := h.s, h.p.rule
	defer func() {
		p.last = s
		p.name(s.toks)
	}()
	raw := s.raw
	if p.secret(s) {
		p.r.drop(p.t, "", "secret")
		return
	}
	from, lost := s.denied(h.hit)
	h.from = from
	why := s.gate(h.hit)
	if why == "" && lost {
		why = "its opposite"
	}
	if p.ledIn(h) {
		why = "reported"
	}
	if s.work <= 0 {
		why, byHand = "too tangled to read", false // what speaks against it may have been missed
	}
	if why != "" && !byHand {
		p.r.drop(p.t, raw, why)
		p.quoting = why == "reported" && (s.colonBefore(h.from) || strings.HasSuffix(raw, ":"))
		return
	}
	var text, typ string
	text, typ, why = s.render(h.hit, p.r)
	switch {
	case why != "":
		p.r.drop(p.t, raw, why)
		return
	case text == "":
		return
	case len(text) > maxQuote:
		p.r.drop(p.t, raw, "too long for one fact")
		return
	}
	c := Candidate{
		Kind: kindOf(r), Type: typ, Text: text, Confidence: r.conf, Quote: clip(raw), Why: r.why, Origin: transcript.Person,
		Session: p.t.Session, Line: p.t.Line, Time: p.t.Time, Language: s.l.name,
	}
	about := s.topic(h.hit)
	if r.bare && !p.r.turned(about) || tier(r) == 2 && c.Kind == Explicit && s.named(0, len(s.toks)) && !s.hasAny("here") {
		c.Confidence = bareConfidence
	}
	if c.Kind == Correction && p.correction && p.join(c, about) {
		return
	}
	n := len(p.r.now.found.Candidates)
	p.r.settle(p.t, c, about)
	after := p.r.now.found.Candidates
	p.correction = c.Kind == Correction && len(after) > 0 && after[len(after)-1].Text == c.Text && len(after) <= n+1
}

// join makes one candidate of two sentences that set the agent right: what not to
// use, and what to use.
func (p *prompt) join(c Candidate, about topic) bool {
	all := p.r.now.found.Candidates
	last := &all[len(all)-1]
	if last.Line != c.Line || len(last.Text)+len(c.Text) >= maxQuote {
		return false
	}
	i := strings.Index(p.text, last.Quote)
	j := strings.LastIndex(p.text, c.Quote)
	if i < 0 || j < i {
		return false
	}
	last.Quote = clip(p.text[i : j+len(c.Quote)])
	last.Text += " " + c.Text
	last.Confidence = max(last.Confidence, c.Confidence)
	n := len(all) - 1
	p.r.now.against[n] = append(p.r.now.against[n], about.against...)
	return true
}

// kindOf is the kind that callers know: to change a choice is to correct.
func kindOf(r *rule) Kind {
	if r.kind == "supersede" {
		return Correction
	}
	return r.kind
}

func clip(s string) string {
	if len(s) <= maxQuote {
		return s
	}
	return s[:token.CutAt(s, maxQuote)]
}

// secret tells whether a secret stands in a sentence. The whole text is looked at:
// what is around a password tells that it is one.
func (p *prompt) secret(s *sentence) bool {
	if !p.looked {
		p.looked = true
		for _, h := range p.r.finder.Find(p.text) {
			p.secrets = append(p.secrets, span{h.Start, h.End})
		}
	}
	for _, x := range p.secrets {
		if x.start < s.at+len(s.raw) && x.end > s.at {
			return true
		}
	}
	return false
}

// maxDropped of a session are reported.
const maxDropped = 200

func (r *Reader) drop(t *transcript.Turn, quote, why string) {
	if len(r.now.found.Dropped) >= maxDropped {
		return
	}
	if quote != "" {
		masked, _ := r.finder.Redact(quote)
		quote = note.Clip(strings.Join(strings.Fields(masked), " "), 160)
	}
	r.now.found.Dropped = append(r.now.found.Dropped, Dropped{Quote: quote, Why: why, Session: t.Session, Line: t.Line})
}

// fileName tells a line that is the name of a file and nothing else: what follows
// stands in that file.
func fileName(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && len(s)-dot > 1 && len(s)-dot <= 6 && !strings.ContainsAny(s, " \t")
}

// leadsIn tells a line that leads in somebody else's words.
func (r *Reader) leadsIn(line string, blankAfter bool) bool {
	colon := strings.HasSuffix(line, ":")
	if colon && fileName(strings.TrimSuffix(line, ":")) {
		return true
	}
	if !colon && !blankAfter || len(line) > 200 {
		return false
	}
	weak, mine := false, false
	for _, t := range tokens(line) {
		for _, l := range r.languages {
			switch {
			case l.has("weak", t.norm):
				weak = weak || colon
			case l.has("source", t.norm):
				return true
			case l.has("mine", t.norm):
				mine = true
			}
		}
	}
	return weak && !mine
}

// agentText notes what the agent offered last.
func (r *Reader) agentText(text string) {
	r.now.acted = true
	r.noted(text)
	r.now.offered, r.now.offer = nil, ""
	const tail = 2000 // bytes; a question stands at the end
	if len(text) > tail {
		text = text[len(text)-tail:]
	}
	i := strings.LastIndexByte(text, '?')
	if i < 0 {
		return
	}
	start := strings.LastIndexAny(text[:i], ".!?\n") + 1
	r.now.offer = strings.TrimSpace(text[start : i+1])
	for _, t := range tokens(r.now.offer) {
		if !t.opaque {
			if r.now.offered == nil {
				r.now.offered = map[string]bool{}
			}
			r.now.offered[t.norm] = true
		}
	}
	for _, l := range r.languages {
		for w := range r.now.offered {
			if l.has("stop", w) || l.has("common", w) || l.has("pron", w) || l.has("verb", w) || l.has("hereNoun", w) {
				delete(r.now.offered, w)
			}
		}
	}
}

const (
	// bareConfidence is that of "use X, not Y" where the agent had not used Y, and of
	// "always …" about one function: they may be about one place.
	bareConfidence = 0.7
	maxRecent      = 2000 // words
)

// noted remembers the words of what the agent did and said since the person spoke.
func (r *Reader) noted(text string) {
	const most = 4000 // bytes
	if len(text) > most {
		text = text[:token.CutAt(text, most)]
	}
	if r.now.recent == nil {
		r.now.recent = map[string]bool{}
	}
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(signs+"'", c) }) {
		if len(r.now.recent) < maxRecent {
			r.now.recent[normal(w)] = true
		}
	}
}

// turned tells whether the agent had just used what is turned down.
func (r *Reader) turned(about topic) bool {
	for _, w := range about.against {
		if r.now.recent[w] {
			return true
		}
	}
	return false
}
