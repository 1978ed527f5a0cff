package draft

import (
	"strings"
	"unicode"

	"dormouse/claim/token"
	"dormouse/note"
)

const (
	maxTitle       = 60  // UTF-16 units
	maxDescription = 120 // UTF-16 units
)

// The types of notes.
const (
	User      = "user"      // who the user is: role, experience, preferences
	Feedback  = "feedback"  // how the agent should work
	Project   = "project"   // work, goals and constraints that code and history don't tell
	Reference = "reference" // where something is to be found
)

// Draft is what a note needs beside its text.
type Draft struct {
	Name        string // the file name without .md, see Slug
	Title       string // for people: the first heading or sentence, at most 60 UTF-16 units
	Description string // the first sentence in one line, at most 120 UTF-16 units
	Type        string // User, Feedback, Project or Reference
	TypeWhy     string // what decided, in words for a person
	Facts       int    // how many facts the text holds, see Split; 0 of an empty text
}

// Guess proposes what a note needs. The same text always gives the same.
func Guess(text string) Draft {
	heading, first := opening(text[:token.CutAt(text, maxHead)])
	title := heading
	if title == "" {
		title = first
	}
	if first == "" {
		first = heading
	}
	d := Draft{
		Title:       note.Clip(strings.TrimRight(title, ":"), maxTitle),
		Description: note.Clip(first, maxDescription),
		Name:        Slug(title),
		Facts:       len(Split(text)),
	}
	if title == "" {
		d.Name = Slug(text)
	}
	d.Type, d.TypeWhy = guessType(text[:token.CutAt(text, maxHead)])
	return d
}

// opening returns the first heading, if the text begins with one, and the first
// sentence below it, each as one line without marks.
func opening(text string) (heading, sentence string) {
	for b := range blocks(text) {
		line := plainLine(strings.Join(b.lines, "\n"))
		switch {
		case line == "":
		case b.head && heading == "":
			heading = line
		case b.head:
		default:
			return heading, firstSentence(unlabel(line))
		}
	}
	return heading, ""
}

// firstSentence returns the first sentence of a line without its final dot.
func firstSentence(line string) string {
	if parts := token.Sentences(line); len(parts) > 0 {
		line = strings.TrimSpace(parts[0])
	}
	if strings.HasSuffix(line, "..") {
		return line
	}
	return strings.TrimSuffix(strings.TrimSuffix(line, "."), "。")
}

// plainLine makes one line of a text: no list marks, quote marks, hashes, stars
// around words, control and hidden characters.
func plainLine(s string) string {
	s = strings.ToValidUTF8(s, "")
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for line != "" {
			n := token.MarkLen(line)
			if n == 0 && (line[0] == '>' || token.IsHeading(line)) {
				n = 1
			}
			if n == 0 {
				break
			}
			line = strings.TrimSpace(line[n:])
		}
		if f := token.Fence(line); f != "" {
			continue
		}
		b.WriteString(line)
		b.WriteByte(' ')
	}
	s = strings.NewReplacer("**", "", "__", "").Replace(b.String())
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c'
	}), " ")
}

// unlabel cuts a type in front of the text: "feedback: use tabs".
func unlabel(line string) string {
	if _, rest, ok := labelled(line); ok && rest != "" {
		return rest
	}
	return line
}

// labelled finds the type that the text names in front of itself.
func labelled(line string) (typ, rest string, ok bool) {
	before, after, found := strings.Cut(line, ":")
	if !found || len(before) > 20 {
		return "", line, false
	}
	switch typ = strings.ToLower(strings.Trim(before, "[]() *_#")); typ {
	case User, Feedback, Project, Reference:
		return typ, strings.TrimSpace(strings.TrimLeft(after, "*_ ")), true
	}
	return "", line, false
}
