package draft

import (
	"iter"
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// Split returns the facts of a text in order: the items of its lists, its
// paragraphs, and the sentences of a paragraph where each stands by itself.
// Nothing but white space and the marks of the items is lost.
//
// What belongs together stays together: a heading or label with what comes first
// below it, an item with what is indented below it, code with what is above it, a
// list with the sentence that leads it in ("Never commit:"), and a paragraph that
// explains ("Why: ", "Otherwise …") with the one before.
func Split(text string) []string {
	var out []string
	for b := range joined(blocks(text)) {
		out = append(out, b.facts()...)
	}
	return out
}

// A block is some lines of a text that stay together.
type block struct {
	lines  []string // without line breaks
	item   bool     // of a list; its mark is cut off
	indent int      // of the item's mark, in bytes
	code   bool     // has a fence
	head   bool     // a heading
	gap    bool     // an empty line is before it
}

// A blocker reads lines into blocks and hands out each when the next one begins,
// so that a large text needs little memory.
type blocker struct {
	yield func(block) bool
	now   block
	open  *block // now, once there is one
	fence string // of the code that is open
	gap   bool
	done  bool // nobody wants more
}

// blocks yields the blocks of a text in order.
func blocks(text string) iter.Seq[block] {
	return func(yield func(block) bool) {
		r := blocker{yield: yield}
		for line := range strings.Lines(text) {
			if r.line(strings.TrimRight(line, "\r\n")); r.done {
				return
			}
		}
		if r.open != nil {
			yield(*r.open)
		}
	}
}

func (r *blocker) line(line string) {
	bare := strings.TrimLeft(line, " \t")
	indent := len(line) - len(bare)
	last := r.open
	mark := token.Fence(bare)
	switch {
	case r.fence != "":
		last.lines = append(last.lines, line)
		if mark != "" && strings.HasPrefix(mark, r.fence) && strings.TrimSpace(bare[len(mark):]) == "" {
			r.fence = ""
		}
	case strings.TrimSpace(bare) == "":
		r.gap = true
	case mark != "":
		r.fence = mark
		if last == nil || last.head {
			last = r.begin(block{})
		}
		last.code = true
		r.add(last, line)
	case token.IsHeading(bare):
		r.add(r.begin(block{head: true}), line)
	case token.MarkLen(bare) > 0 && !(last != nil && last.item && indent > last.indent+1):
		r.add(r.begin(block{item: true, indent: indent}), bare[token.MarkLen(bare):])
	case last == nil, last.head, r.gap && !(last.item && indent > last.indent+1):
		r.add(r.begin(block{}), line)
	default:
		r.add(last, line)
	}
}

func (r *blocker) begin(b block) *block {
	if r.open != nil && !r.yield(*r.open) {
		r.done = true
	}
	b.gap = r.gap
	r.gap = false
	r.now, r.open = b, &r.now
	return r.open
}

// add puts a line at the end of a block, behind the empty line that was before it.
func (r *blocker) add(b *block, line string) {
	if r.gap && len(b.lines) > 0 {
		b.lines = append(b.lines, "")
	}
	r.gap = false
	b.lines = append(b.lines, line)
}

// joined puts together the blocks that don't stand by themselves.
func joined(blocks iter.Seq[block]) iter.Seq[block] {
	return func(yield func(block) bool) {
		var last block // the one that may still grow; without lines there is none
		led := false   // it leads in a list, and so takes all of its items
		for b := range blocks {
			switch {
			case len(last.lines) == 0:
			case led && b.item:
				last.take(b, "- ")
				continue
			case last.head || last.label():
				last.take(b, "")
				last.head, last.item, last.indent, last.code = b.head, b.item, b.indent, b.code
				led = b.leadsIn()
				continue
			case !b.item && !b.head && explains(b.lines[0]):
				last.take(b, "")
				continue
			}
			if len(last.lines) > 0 && !yield(last) {
				return
			}
			last, led = b, b.leadsIn()
		}
		if len(last.lines) > 0 {
			yield(last)
		}
	}
}

// take adds the lines of another block, with a mark before the first.
func (b *block) take(other block, mark string) {
	if other.gap {
		b.lines = append(b.lines, "")
	}
	b.lines = append(b.lines, mark+other.lines[0])
	b.lines = append(b.lines, other.lines[1:]...)
}

// leads reports whether the block ends with a colon.
func (b *block) leads() bool {
	return strings.HasSuffix(strings.TrimRight(b.lines[len(b.lines)-1], " \t*_"), ":")
}

// leadsIn reports whether the items below the block belong to it.
func (b *block) leadsIn() bool { return !b.item && !b.head && b.leads() && !b.label() }

// label reports whether the block is a line like "Notes:", which says nothing of
// the items below it.
func (b *block) label() bool {
	if b.item || b.head || len(b.lines) != 1 || !b.leads() {
		return false
	}
	for _, w := range words(b.lines[0]) {
		switch w.plain {
		case "note", "notes", "remember", "facts", "things", "misc", "summary", "learned", "learnings", "points",
			"нотатки", "запамятай", "запамятати", "факти", "різне", "пункти", "памятай":
			return true
		}
	}
	return false
}

// explains reports whether a paragraph or sentence needs what is before it: it
// begins with a word that points back.
func explains(s string) bool {
	first, second := firstWords(s)
	switch first {
	case "":
		return true
	case "why", "because", "this", "that", "these", "those", "thats", "it", "its", "they", "them", "their", "he", "she", "his", "her", "so",
		"but", "and", "or", "otherwise", "therefore", "thus", "hence", "then", "instead", "also", "however", "else", "such", "same", "example",
		"e", "eg", "reason", "there", "here", "both", "either", "neither", "rather", "only", "except", "unless",
		"чому", "бо", "тому", "це", "цей", "ця", "ці", "той", "та", "те", "ті", "він", "вона", "воно", "вони", "його", "її", "їх", "але", "а", "і",
		"інакше", "отже", "також", "наприклад", "причина", "тоді", "там", "тут", "або", "однак", "проте":
		return true
	case "how", "як":
		return second == "to" || second == "застосовувати"
	case "for", "in":
		return second == "example" || second == "that" || second == "this"
	}
	return false
}

// minSentences is the length in bytes of the shortest two sentences of three
// words.
const minSentences = len("a b c. d e f")

// facts returns the text of a block, or of its sentences.
func (b *block) facts() []string {
	text := trim(strings.Join(b.lines, "\n")) // Join copies nothing of one line
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if b.code || b.head || strings.Contains(text, "\n\n") || strings.ContainsAny(text, "|") || strings.Contains(text, "\n- ") {
		return []string{text}
	}
	if len(text) < minSentences || len(text) > maxHead || token.IsHeading(text) {
		return []string{text}
	}
	parts := token.Sentences(text)
	if len(parts) < 2 || !independent(parts) {
		return []string{text}
	}
	for i := range parts {
		parts[i] = trim(parts[i])
	}
	return parts
}

// independent reports whether each sentence stands by itself: it has three words
// and a sign at its end, points to nothing before it, and has no word of its
// matter in common with another.
func independent(parts []string) bool {
	seen := map[string]int{}
	for i, s := range parts {
		w := words(s)
		if len(w) < 3 || i > 0 && explains(s) || !ended(s) && i < len(parts)-1 {
			return false
		}
		for _, one := range w {
			if pointsBack(one.plain) {
				return false
			}
		}
		for _, term := range claim.Terms(s) {
			if before, ok := seen[term]; ok && before != i {
				return false
			}
			seen[term] = i
		}
	}
	return true
}

func ended(s string) bool {
	s = strings.TrimRight(s, " \t\r\n)\"'`*_»”")
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, "…") || strings.HasSuffix(s, "。")
}

// pointsBack reports whether a word anywhere in a sentence stands for something
// that another sentence named.
func pointsBack(w string) bool {
	switch w {
	case "it", "its", "they", "them", "their", "these", "those", "he", "she", "him", "otherwise", "former", "latter",
		"його", "її", "їх", "їхній", "він", "вона", "воно", "вони", "інакше", "цього", "цьому", "цим", "них", "нього", "неї":
		return true
	}
	return false
}

// trim leaves spaces like U+00A0 in place: a dash behind one is no list mark, and
// must not become one.
func trim(s string) string {
	return strings.TrimRight(strings.TrimLeft(s, " \t\n"), " \t\r\n")
}
