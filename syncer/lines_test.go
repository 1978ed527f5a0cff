package syncer_test

import "dormouse/note"

// lines are the index lines of one note.
func lines(name, hook string) []note.Line {
	return []note.Line{{File: name + ".md", Title: name, Hook: hook}}
}
