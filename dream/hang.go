package dream

import (
	"strconv"
	"strings"

	"dormouse/claim"
	"dormouse/claim/token"
)

// hangs reports whether a statement that stays would hang in the air without those
// that go: it goes on with one of them, counts on from it, or leads to it.
func hangs(body string, claims []claim.Claim, drop map[int]bool) bool {
	points := false // an item with a number goes
	for i, c := range claims {
		if drop[i] {
			start, _, _ := span(body, c)
			_, _, n := numbered(body[start:])
			points = points || n
		}
	}
	for i, c := range claims {
		switch {
		case drop[i]:
		case i > 0 && drop[i-1] && resumes(c.Text):
			return true
		case sumsUp(c.Text) && dropsIn(claims, drop, 0, i, c.Under):
			return true
		case counts(c.Text) && (dropsIn(claims, drop, 0, i, c.Under) || dropsIn(claims, drop, i+1, len(claims), c.Under) && countedOff(claims, drop)):
			return true
		case points && pointsAt(c.Text):
			return true
		case strings.HasSuffix(c.Text, ":") && leadsToNothing(body, claims, drop, i):
			return true
		}
	}
	return false
}

// dropsIn reports whether one of the statements from one number to another goes that
// stands below the same heading.
func dropsIn(claims []claim.Claim, drop map[int]bool, from, to int, under string) bool {
	for i := from; i < to; i++ {
		if drop[i] && claims[i].Under == under {
			return true
		}
	}
	return false
}

// countedOff reports whether one of the statements that go counts: first, second.
func countedOff(claims []claim.Claim, drop map[int]bool) bool {
	for i, c := range claims {
		if drop[i] && counts(c.Text) {
			return true
		}
	}
	return false
}

// leadsToNothing reports whether all that a statement like "these are:" leads to goes.
func leadsToNothing(body string, claims []claim.Claim, drop map[int]bool, i int) bool {
	if i+1 >= len(claims) || !drop[i+1] || claims[i+1].Under != claims[i].Under {
		return false
	}
	for k := i + 1; k < len(claims) && isItem(body, claims[k].Start) == isItem(body, claims[i+1].Start) && claims[k].Under == claims[i].Under; k++ {
		if !drop[k] {
			return false
		}
	}
	return true
}

// The words with which a statement goes on with the one before it, sums up what was
// said, or counts, in lower case, English and Ukrainian.
const (
	explains = `why|how to apply|because|reason:|the reason|otherwise|so that|so the|so we|so it|so they|so all|so,|this is|this was|this means|this makes|this happened|this lets|this keeps|that is|that was|that's|that means|that makes|therefore|thus|hence|consequently|as a result|for that reason|for this reason|чому|як застосовувати|бо|тому|отже|через це|причина:|інакше|це тому|це через|це для|це був|це була|це було|це означає|це дає|це зроблено`
	thing    = `it|it's|воно|він|вона`
	onward   = explains + `|then|this one|that one|these are|those are|it|its|it's|they|their|he|his|she|her|instead|but|however|still|such|the same|the latter|the former|the other|the others|another one|the rest|він|вона|вони|воно|його|її|їх|їхній|натомість|але|проте|однак|такий|така|таке|такі|те саме|інший|інша|інше|інші|решта|останній|останнє`
	sums     = `both|neither|either of them|all of them|all of these|none of them|the other|the others|the latter|the former|the rest|обидва|обидві|обоє|жоден з них|усі вони|всі вони|решта`
	counting = `first|firstly|second|secondly|third|thirdly|fourth|fifth|finally|lastly|по-перше|по-друге|по-третє|перше|друге|третє|насамкінець|нарешті`
)

// goesAlong reports whether a statement only explains the one before it, or goes on
// with it in the same paragraph: it has no sense without.
func goesAlong(body string, claims []claim.Claim, i int) bool {
	if i == 0 || i >= len(claims) || claims[i].Start < claims[i-1].End || claims[i].Under != claims[i-1].Under {
		return false
	}
	between := body[claims[i-1].End:claims[i].Start]
	if inRow(body, claims[i].Start) {
		return false
	}
	if leads(claims[i].Text, explains) {
		return !isItem(body, claims[i].Start) || strings.Count(between, "\n") == 0
	}
	return leads(claims[i].Text, thing) && strings.Count(between, "\n") < 2 && !isItem(body, claims[i].Start)
}

func resumes(text string) bool { return leads(text, onward) }

func sumsUp(text string) bool {
	if leads(text, sums) {
		return true
	}
	low := " " + strings.ToLower(text) + " " // "third, both are set"
	return counts(text) && (strings.Contains(low, " both ") || strings.Contains(low, " обидва ") || strings.Contains(low, " обидві "))
}

// counts reports whether a statement counts: "Second, the pool has ten".
func counts(text string) bool {
	rest, ok := led(text, counting)
	return ok && strings.HasPrefix(rest, ",")
}

func leads(text, words string) bool {
	_, ok := led(text, words)
	return ok
}

// led is what follows the words of a list that a text begins with.
func led(text, words string) (rest string, ok bool) {
	low := strings.ToLower(strings.TrimLeft(text, "*_ `\"'([>-"))
	low = strings.NewReplacer("’", "'", "ʼ", "'").Replace(low)
	for w := range strings.SplitSeq(words, "|") {
		if rest, ok := strings.CutPrefix(low, w); ok && (rest == "" || !letterOrDigit(firstRune(rest)) && rest[0] != '-' && rest[0] != '\'') {
			return rest, true
		}
	}
	return "", false
}

// pointsAt reports whether a statement speaks of a place in its text by number, or of
// what stands above or below it: "see point 1 above".
func pointsAt(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		w = strings.Trim(w, ".,;:!?()*_\"'#")
		switch w {
		case "above", "below", "вище", "нижче":
			return true
		case "point", "points", "step", "steps", "item", "items", "no", "number", "пункт", "пункту", "пункті", "крок", "кроку", "кроці":
			if i+1 < len(words) {
				if _, err := strconv.Atoi(strings.Trim(words[i+1], ".,;:!?()*_\"'#")); err == nil {
					return true
				}
			}
		}
	}
	return false
}

// A gap is where an item of a numbered list went.
type gap struct {
	at     int // byte of the text without it
	number int
	indent int
}

// numbered reads the number of the list's item that a line begins with.
func numbered(line string) (number, indent int, ok bool) {
	bare := strings.TrimLeft(line, " \t>")
	digits := len(bare) - len(strings.TrimLeft(bare, "0123456789"))
	if digits == 0 || token.MarkLen(bare) == 0 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(bare[:digits])
	return n, len(line) - len(bare), err == nil
}

// renumber counts on where items of numbered lists went. A list that does not count, or
// not by one, stays as it is.
func renumber(body string, gaps []gap) string {
	for g := len(gaps) - 1; g >= 0; g-- {
		var out strings.Builder
		out.WriteString(body[:gaps[g].at])
		next, open := gaps[g].number+1, true
		for l := range strings.Lines(body[gaps[g].at:]) {
			n, indent, ok := numbered(l)
			switch {
			case !open, strings.TrimSpace(l) == "":
			case ok && indent == gaps[g].indent && n == next:
				digits := strconv.Itoa(n)
				l = strings.Replace(l, digits, strconv.Itoa(n-1), 1)
				next++
			case len(l)-len(strings.TrimLeft(l, " \t>")) <= gaps[g].indent:
				open = false
			}
			out.WriteString(l)
		}
		body = out.String()
	}
	return body
}
