package doctor

import "dormouse/draft"

// topics counts the matters of a text that have nothing to do with each other nor
// with what the note is called.
func topics(lead, body string) int {
	_, n := draft.Matters(lead, body)
	return n
}
