package mcpserver

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"dormouse/internal/mcpserver/memory"
	"dormouse/scan"
	"dormouse/startup"
	"dormouse/trust"
)

//go:embed instructions.md
var instructions string

// mostTokens bounds an answer, in tokens as package startup reckons them. Clients
// warn of more than 10,000 (Claude Code 2.1.332), and the reckoning may be some
// percent off.
const mostTokens = 8_000

// harmless makes visible what nobody sees.
func harmless(text string) string { return scan.Visible(text) }

// page is an answer in the making: what does not fit any more is counted.
type page struct {
	fence  trust.Fence
	text   strings.Builder
	tokens int
	fenced bool
	left   int
}

func newPage() *page { return &page{fence: trust.NewFence()} }

// say adds words of our own. They are short, so they always go in.
func (p *page) say(format string, args ...any) {
	line := harmless(fmt.Sprintf(format, args...)) + "\n"
	p.tokens += startup.Tokens(line)
	p.text.WriteString(line)
}

// quote adds a text of somebody else, within the fence, and tells whether it fit.
// Names of files are somebody else's words too, so the title has none.
func (p *page) quote(title string, t memory.Text) bool {
	where := t.Path
	if t.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, t.Line)
	}
	head := trust.Head{Note: where, Days: t.Days, Origin: t.Origin, Approved: t.Approved}
	part := title + "\n" + p.fence.Wrap(head, t.Text)
	if !p.fenced {
		part = p.fence.Rule() + part
	}
	n := startup.Tokens(part)
	if p.tokens+n > mostTokens {
		p.left++
		return false
	}
	p.tokens += n
	p.fenced = true
	p.text.WriteString(part)
	return true
}

func (p *page) String() string { return p.text.String() }

// titleOf says of which kind a text is and of when. A kind that is none of the
// usual ones is the text's own word.
func titleOf(t memory.Text) string {
	words := "note"
	switch t.Kind {
	case "user", "feedback", "project", "reference":
		words = t.Kind + " note"
	case "instructions", "the user said", "the agent said":
		words = t.Kind
	}
	if !t.Date.IsZero() {
		words += ", " + t.Date.Format(time.DateOnly)
	}
	return words + ":"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
