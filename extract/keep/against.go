package keep

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"dormouse/claim"
	"dormouse/extract"
	"dormouse/note"
	"dormouse/trust"
)

// against is a statement of a note that can't hold beside a candidate.
type against struct {
	Place
	alone bool // the note says nothing else
}

// against finds the notes that say otherwise, each with the first such statement.
// Only the comparison of one statement with one decides: that a note as a whole is
// near is no reason to think that it is wrong.
func (k *Keeper) against(text string) []against {
	words := map[string]bool{}
	for _, t := range claim.Terms(text) {
		words[t] = true
	}
	var out []against
	for _, n := range k.notes {
		for _, cl := range claim.Split(n.Body) {
			if !sharesTerm(words, cl.Text) || claim.Compare(cl.Text, text).Kind != claim.Conflict {
				continue
			}
			line := cl.Line + k.head(n.File)
			out = append(out, against{Place{n.File, line}, !saysMore(n.Body[:cl.Start]) && !saysMore(n.Body[cl.End:])})
			break
		}
	}
	return out
}

func sharesTerm(words map[string]bool, text string) bool {
	for _, t := range claim.Terms(text) {
		if words[t] {
			return true
		}
	}
	return false
}

// saysMore reports whether a part of a note says anything. A heading does not, but
// code, a quote or a reason does.
func saysMore(text string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.ContainsFunc(line, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// head is how many lines of a note's file stand before its text.
func (k *Keeper) head(file string) int {
	n := k.items[file].Note
	if n == nil {
		return 0
	}
	return bytes.Count(bytes.TrimSuffix(n.Bytes(), n.Body()), []byte("\n"))
}

// asides say which notes were left though they say otherwise; none for none.
func asides(places []Place) []string {
	if len(places) == 0 {
		return nil
	}
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.String()
	}
	return []string{strings.Join(names, " and ") + " says otherwise, beside other things, and stays as it is: edit it, or let a dream settle it"}
}

// saidAt is when what a note says was said, as it records it.
func saidAt(n *note.Note) (time.Time, bool) {
	text, ok := n.Text("modified")
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// stands tells why an older note is not superseded by what the person says now: it
// is of the same day, or newer.
func (k *Keeper) stands(c extract.Candidate, a against) string {
	it := k.items[a.File]
	at := it.Mod
	if said, ok := saidAt(it.Note); ok {
		at = said
	}
	was, is := at.UTC().Format(dayForm), c.Time.UTC().Format(dayForm)
	here := fmt.Sprintf("%s says otherwise than line %d of session %s", a.Place, c.Line, c.Session)
	switch {
	case was == is:
		return here + " and is of the same day, so neither comes first"
	case was > is:
		return here + " and is newer"
	}
	return ""
}

// supersede marks the older note and takes its line out of the index. Both are in
// the journal, and undo brings them back.
func (k *Keeper) supersede(c extract.Candidate, older, by string) error {
	before, err := k.St.Read(older)
	if err != nil {
		return err
	}
	after := before
	for _, f := range [][2]string{{"superseded_by", strings.TrimSuffix(by, ".md")}, {"invalid_at", c.Time.UTC().Format(dayForm)}} {
		next, err := note.Parse(after).Set(f[0], f[1])
		if err != nil {
			return fmt.Errorf("%s: %w", older, err)
		}
		after = next
	}
	if _, err := k.St.Edit(k.maker(c, trust.UserTurn), older, before, after); err != nil {
		return err
	}
	_, err = k.St.EditLists(k.maker(c, trust.UserTurn), "supersede", func(_ string, text []byte) ([]byte, error) {
		rest, err := note.ReadIndex(text).Remove(older)
		if errors.Is(err, note.ErrNotListed) {
			return text, nil
		}
		return rest, err
	})
	return err
}
