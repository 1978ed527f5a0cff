package hook

import (
	"fmt"
	"strings"
	"time"

	"dormouse/note"
	"dormouse/recall/find"
	"dormouse/startup"
	"dormouse/trust"
)

// Budgets of what is shown unasked, in tokens as startup.Tokens estimates them.
const (
	StartTokens  = 1000
	RecallTokens = 1024
	RecallNotes  = 5
)

// lineUnits is how much of one note is shown at a start, in UTF-16 units.
const lineUnits = 400

// Standing is the text at a session's start: notes on the person and on how to work
// that the client does not load by itself, one line each, as many as there is room
// for. "" for none. The notes are fenced as data.
func Standing(f trust.Fence, hits []find.Hit, more int, now time.Time) string {
	var body strings.Builder
	head := "Dormouse: notes on the user and on how to work here that the memory index does not show. They hold whatever is asked.\n" + f.Rule()
	used := startup.Tokens(head) + startup.Tokens(moreWords(more+len(hits)))
	shown := 0
	for i := range hits {
		text := f.Wrap(headOf(&hits[i], now), note.Clip(lineOf(&hits[i]), lineUnits))
		if used+startup.Tokens(text) > StartTokens {
			continue // a shorter one may still fit
		}
		used += startup.Tokens(text)
		body.WriteString(text)
		shown++
	}
	if shown == 0 {
		return ""
	}
	return head + body.String() + moreWords(more+len(hits)-shown)
}

func moreWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more of these: dormouse search --standing, or the search tool.\n", n)
}

// Recalled is the text for a prompt: notes that are certain to be on its matter. It
// returns the hits that it shows; with none the text is "".
func Recalled(f trust.Fence, hits []find.Hit, now time.Time) (text string, shown []find.Hit) {
	var body strings.Builder
	head := "Dormouse: notes from earlier sessions on what is asked here. Check what they say where it matters.\n" + f.Rule()
	used := startup.Tokens(head)
	for i := range hits {
		if len(shown) == RecallNotes {
			break
		}
		h := &hits[i]
		t := f.Wrap(headOf(h, now), lineOf(h)+conflictWords(h))
		if used+startup.Tokens(t) > RecallTokens {
			continue // a shorter one may still fit
		}
		used += startup.Tokens(t)
		body.WriteString(t)
		shown = append(shown, *h)
	}
	if len(shown) == 0 {
		return "", nil
	}
	return head + body.String(), shown
}

func headOf(h *find.Hit, now time.Time) trust.Head {
	days := 0
	if !h.Date.IsZero() && now.After(h.Date) {
		days = int(now.Sub(h.Date).Hours() / 24)
	}
	return trust.Head{Note: h.Path, Days: days, Origin: h.Origin, Approved: h.Approved}
}

// lineOf is what a note says: its description, and the words around the hit where
// they say more.
func lineOf(h *find.Hit) string {
	d, e := strings.TrimSpace(h.Description), strings.TrimSpace(h.Excerpt)
	switch {
	case d == "", strings.Contains(e, d):
		return e
	case e == "", strings.Contains(d, e):
		return d
	}
	return d + "\n" + e
}

// conflictWords tell what says otherwise.
func conflictWords(h *find.Hit) string {
	var b strings.Builder
	for i := range h.Conflicts {
		c := &h.Conflicts[i]
		if !c.Loads {
			continue
		}
		fmt.Fprintf(&b, "\nAnother note says otherwise (%s, %s): %s", c.Rel, c.Date.Format(time.DateOnly), lineOf(&c.Hit))
	}
	return b.String()
}
