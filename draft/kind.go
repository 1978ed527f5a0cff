package draft

import (
	"fmt"
	"strings"

	"dormouse/claim/token"
	"dormouse/note"
)

// A cue is something in a text that speaks for a type.
type cue struct {
	typ    string
	weight float64
	words  string // as they stand in the text
}

// later is how much less a sentence after the first one counts.
const later = 0.4

// maxSentences are looked at; the first say what a note is about.
const maxSentences = 6

// guessType adds up what speaks for each type. Project is the type of a text for
// which nothing speaks.
func guessType(text string) (typ, why string) {
	if typ, _, ok := labelled(plainLine(firstLine(text))); ok {
		return typ, fmt.Sprintf("the text begins with %q", typ+":")
	}
	var cues []cue
	n := 0
	for b := range blocks(text) {
		for _, s := range token.Sentences(plainLine(strings.Join(b.lines, "\n"))) {
			w := words(s)
			if len(w) == 0 || n == maxSentences {
				continue
			}
			factor := 1.0
			if n > 0 {
				factor = later
			}
			if !b.head {
				n++
			}
			for _, c := range sentenceCues(w) {
				c.weight *= factor
				cues = append(cues, c)
			}
		}
	}
	return decide(cues)
}

func firstLine(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func decide(cues []cue) (typ, why string) {
	const (
		base    = 0.9 // what a single weak cue must not overcome
		telling = 0.5 // what a word must weigh to be named as the reason
	)
	sum := map[string]float64{Project: base}
	for _, c := range cues {
		sum[c.typ] += c.weight
	}
	typ = Project
	for _, t := range []string{Feedback, User, Reference} {
		if sum[t] > sum[typ] {
			typ = t
		}
	}
	var best cue
	for _, c := range cues {
		if c.typ == typ && c.weight > best.weight {
			best = c
		}
	}
	if best.typ == "" || typ == Project && best.weight < telling {
		return typ, "nothing in the text speaks for another type"
	}
	return typ, fmt.Sprintf("%q %s", note.Clip(best.words, maxQuoted), reason(typ))
}

func reason(typ string) string {
	switch typ {
	case User:
		return "says who the user is"
	case Feedback:
		return "is a rule for the agent"
	case Reference:
		return "says where something is found"
	}
	return "tells of ongoing work"
}

// A sentence that is read for cues.
type reading struct {
	words []spelled
	cues  []cue
	me    bool // the user speaks of himself
}

func sentenceCues(w []spelled) []cue {
	r := reading{words: w}
	r.opening()
	for i := range w {
		if !r.me {
			r.rule(i)
		}
		r.place(i)
		r.work(i)
		r.person(i)
	}
	return r.cues
}

// at returns the plain word i, "" outside.
func (r *reading) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].plain
}

func (r *reading) add(typ string, weight float64, from, to int) {
	var text []string
	for _, w := range r.words[from:min(to, len(r.words))] {
		text = append(text, w.text)
	}
	r.cues = append(r.cues, cue{typ, weight, strings.Join(text, " ")})
}

// opening reads how the sentence begins: with I, the user, we.
func (r *reading) opening() {
	first, second := r.at(0), r.at(1)
	switch {
	case isI(first):
		if r.wantsOfYou() {
			r.add(Feedback, 3, 0, 3)
			return
		}
		r.user(3, 0, 2)
	case first == "my" || first == "мій" || first == "моя" || first == "моє" || first == "мої":
		r.user(2.5, 0, 2)
	case first == "as" && (second == "a" || second == "an") && r.has("i", "im", "ive"):
		r.user(3, 0, 3)
	case first == "call" && second == "me":
		r.user(4, 0, 2)
	case first == "the" && second == "user" && r.verbAt(2), first == "user" && r.verbAt(1), first == "користувач" && len(r.words) > 2,
		first == "користувачка" && len(r.words) > 2:
		r.user(3, 0, 3)
	case (first == "у" || first == "в") && second == "мене":
		r.user(2.5, 0, 2)
	case ukrainianMe(first):
		r.user(2.5, 0, 2)
	}
}

func (r *reading) user(weight float64, from, to int) {
	r.me = true
	r.add(User, weight, from, to)
}

// isI reports whether a first word is the user who speaks.
func isI(w string) bool {
	switch w {
	case "i", "im", "ive", "id", "ill", "я", "мене", "мені":
		return true
	}
	return false
}

// wantsOfYou reports whether the sentence that begins with I asks something of
// the agent: I want you to, I told you, I don't want.
func (r *reading) wantsOfYou() bool {
	for i := 1; i < min(len(r.words), 5); i++ {
		switch r.at(i) {
		case "you", "ти", "тебе", "тобі", "щоб":
			return true
		case "asked", "told", "said":
			return true
		case "want", "хочу":
			return r.at(i-1) == "dont" || r.at(i-1) == "не" || r.has("you")
		}
	}
	return false
}

func (r *reading) has(any ...string) bool {
	for i := range r.words {
		for _, w := range any {
			if r.at(i) == w {
				return true
			}
		}
	}
	return false
}

// verbAt reports whether word i is like is, has, prefers, does.
func (r *reading) verbAt(i int) bool {
	w := r.at(i)
	switch w {
	case "is", "has", "was", "does", "doesnt", "isnt", "can", "cant", "never", "always", "usually", "often", "wants":
		return true
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && r.words[i].kind == token.Word
}

// ukrainianMe reports whether a sentence that begins so has the user as its
// unspoken subject.
func ukrainianMe(w string) bool {
	switch w {
	case "маю", "працюю", "люблю", "вчу", "пишу", "знаю", "живу", "розумію", "вмію", "керую", "навчаюсь", "навчаюся", "займаюсь", "займаюся",
		"викладаю", "говорю", "розмовляю", "користуюсь", "користуюся", "цікавлюсь", "цікавлюся", "відповідаю", "програмую", "читаю", "бачу", "проживаю":
		return true
	}
	return false
}

// person finds words of a trade and of experience.
func (r *reading) person(i int) {
	w, next := r.at(i), r.at(i+1)
	switch {
	case i > 0 && r.words[i].begins && isI(w) && !r.me && !r.ruled() && !r.has("you"):
		r.add(User, 1.5, i, i+2)
		return
	case w == "who" && i >= 3 && i < 6 && r.words[0].title && r.at(1) == "is":
		r.add(User, 1.8, 0, i)
		return
	case w == "years" && next == "of", w == "first" && next == "time", w == "new" && next == "to" && i < 4,
		w == "experience" && (next == "with" || next == "in"), w == "familiar" && next == "with", w == "comfortable" && next == "with",
		w == "expertise" && next == "in", w == "років" && next == "досвіду", w == "роки" && next == "досвіду":
		r.add(User, 1.5, i, i+2)
		return
	}
	switch w {
	case "developer", "engineer", "designer", "manager", "analyst", "scientist", "student", "researcher", "freelancer", "programmer", "architect",
		"teacher", "physicist", "junior", "senior", "phd", "cto", "ceo", "fluent", "beginner",
		"розробник", "розробниця", "інженер", "інженерка", "дизайнер", "дизайнерка", "аналітик", "аналітикиня", "студент", "студентка",
		"тестувальник", "тестувальниця", "менеджер", "менеджерка", "програміст", "програмістка", "науковець", "викладач", "досвід":
		if i < 4 {
			r.add(User, 1.2, i, i+1)
		}
	}
}
