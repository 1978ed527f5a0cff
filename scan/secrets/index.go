package secrets

// An index finds all keywords in a text in one pass: it looks at each three
// bytes, and few of the 32768 trigrams of a text begin a keyword. Five bits of a
// letter are the same in both cases.
type index struct {
	head    []uint16 // by trigram: 1 + the first of its entries; 0: none
	entries []entry
}

// An entry is a keyword (lower case, three bytes or more) and a rule that has it.
type entry struct {
	keyword string
	rule    uint16
	next    uint16 // 1 + the next entry with the same trigram; 0: none
}

const trigrams = 1 << 15

func trigram(s string) int {
	return int(s[0]&31)<<10 | int(s[1]&31)<<5 | int(s[2]&31)
}

func (x *index) add(keyword string, rule int) {
	if x.head == nil {
		x.head = make([]uint16, trigrams)
	}
	h := trigram(keyword)
	x.entries = append(x.entries, entry{keyword, uint16(rule), x.head[h]})
	x.head[h] = uint16(len(x.entries))
}

// each calls do for each keyword in the text and each rule that has it, in order
// of their starts, with the offset of the keyword's first byte and the one after
// its last.
func (x *index) each(text string, do func(rule, start, end int)) {
	if len(text) < 3 {
		return
	}
	h := trigram("\x00" + text[:2])
	for i := 2; i < len(text); i++ {
		h = (h<<5 | int(text[i]&31)) & (trigrams - 1)
		for e := x.head[h]; e != 0; {
			entry := &x.entries[e-1]
			if hasFold(text[i-2:], entry.keyword) {
				do(int(entry.rule), i-2, i-2+len(entry.keyword))
			}
			e = entry.next
		}
	}
}

// hasFold reports whether text begins with low, which is in lower case; only
// ASCII letters are folded.
func hasFold(text, low string) bool {
	if len(text) < len(low) {
		return false
	}
	for i := range len(low) {
		if lower(text[i]) != low[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
