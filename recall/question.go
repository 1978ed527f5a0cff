package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dormouse/recall/words"
)

// A questionTerm is one word of the question.
type questionTerm struct {
	stem    string
	word    string  // as it stands in the question; "" for one that was added to it
	weight  float64 // 1 for a word of the question
	idf     float64
	docs    int   // that hold it, in all parts
	numbers []int // the term in each part, -1 where no document holds it
}

// A question is a text taken apart.
type question struct {
	terms   []questionTerm
	pairs   [][2]int        // terms that follow each other
	keys    map[string]bool // all words, stop words too
	whether bool            // it asks whether something is so
	mine    bool            // the speaker asks about himself
	yours   bool            // or about the one who is asked
	periods []period        // days that it names
}

// weakWeight is the weight of a word that a question is asked with.
const weakWeight = 0.5

// Words that a question begins with where it asks whether something is so.
const whetherWords = " am are did do does had has have is ive was were чи хіба невже "

// Words by which a question says whose it is about.
const (
	mineWords  = " i im ive me mine my myself мене мені мною мій моя моє мої мою мого моїх моїй моїм я "
	yoursWords = " you your yours ви вам вас ваш ваша ваші тебе тобі твій твоя твої ти "
)

// maxText is how many bytes of a question are read: what comes after them in a
// pasted log is no question. maxTerms is how many of its words are looked up, and
// maxDated the longest question in which a date is one of what is asked for.
const (
	maxText  = 64 << 10
	maxTerms = 64
	maxDated = 1000
)

func parse(q Query) question {
	q.Text = q.Text[:min(len(q.Text), maxText)]
	p := question{keys: map[string]bool{}}
	at := map[string]int{}
	last := -1
	words.Each(q.Text, func(t words.Token) {
		key := string(t.Key)
		p.keys[key] = true
		if len(p.keys) == 1 {
			p.whether = strings.Contains(whetherWords, " "+key+" ")
		}
		p.mine = p.mine || strings.Contains(mineWords, " "+key+" ")
		p.yours = p.yours || strings.Contains(yoursWords, " "+key+" ")
		if words.IsStop(t.Key) {
			return
		}
		stem := words.Stem(key)
		i, ok := at[stem]
		if !ok {
			i = len(p.terms)
			at[stem] = i
			term := questionTerm{stem: stem, word: q.Text[t.Start:t.End], weight: 1}
			if words.IsWeak(stem) {
				term.weight = weakWeight
			}
			p.terms = append(p.terms, term)
		}
		if last >= 0 && last != i {
			p.pairs = append(p.pairs, [2]int{last, i})
		}
		last = i
	})
	if len(q.Text) <= maxDated {
		p.periods = periods(q.Text, q.Now)
	}
	return p
}

// limit keeps the words that say most, where there are more than are looked up.
func (p *question) limit() {
	if len(p.terms) <= maxTerms {
		return
	}
	order := make([]int, len(p.terms))
	for i := range order {
		order[i] = i
	}
	says := func(i int) float64 { return p.terms[i].weight * p.terms[i].idf }
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(says(y), says(x)) })
	kept := order[:maxTerms]
	slices.Sort(kept)
	var terms []questionTerm
	place := map[int]int{}
	for _, i := range kept {
		place[i] = len(terms)
		terms = append(terms, p.terms[i])
	}
	var pairs [][2]int
	for _, pair := range p.pairs {
		x, ok1 := place[pair[0]]
		y, ok2 := place[pair[1]]
		if ok1 && ok2 {
			pairs = append(pairs, [2]int{x, y})
		}
	}
	p.terms, p.pairs = terms, pairs[:min(len(pairs), maxTerms)]
}

// find looks a term up in all parts.
func (t *questionTerm) find(parts []Part, docs int) {
	t.numbers = make([]int, len(parts))
	t.docs = 0
	for i, p := range parts {
		t.numbers[i] = p.Index.lookup(t.stem)
		if t.numbers[i] >= 0 {
			t.docs += p.Index.count(t.numbers[i])
		}
	}
	if t.docs > 0 {
		t.idf = idf(docs, t.docs)
	}
}

// idf returns how much it says that a document holds a term, of so many
// documents, when so many hold it.
func idf(docs, holding int) float64 {
	return math.Log(1 + max(0, float64(docs-holding)+0.5)/(float64(holding)+0.5))
}
