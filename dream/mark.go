package dream

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/claim"
	"dormouse/evidence"
)

// stale marks the statements that name what the repository no longer has.
func (d *desk) stale(ctx context.Context) error {
	if d.in.Look == nil {
		return nil
	}
	var texts []evidence.Text
	for _, l := range d.leaves {
		if l.live() && !l.fixed {
			if _, ok := d.looked[l.body()]; !ok {
				d.looked[l.body()] = nil
				texts = append(texts, evidence.Text{Name: l.rel, Body: l.body()})
			}
		}
	}
	if len(texts) > 0 {
		found, err := d.in.Look(ctx, texts)
		if err != nil {
			return err
		}
		for _, f := range found.Findings {
			body := texts[f.Text].Body
			d.looked[body] = append(d.looked[body], f)
		}
	}
	for _, l := range d.leaves {
		if l.live() && !l.fixed {
			d.mark(l, d.looked[l.body()])
		}
	}
	return nil
}

func (d *desk) mark(l *leaf, found []evidence.Finding) {
	body, claims := l.body(), claim.Split(l.body())
	if len(claims) != len(l.cells) {
		return
	}
	type place struct {
		at, cell int
		text     string
	}
	var places []place
	for _, f := range found {
		text := staleMark(f)
		if text == "" {
			continue
		}
		i := slices.IndexFunc(claims, func(c claim.Claim) bool { return c.Start <= f.Ref.Start && f.Ref.End <= c.End })
		if i < 0 || otherPlace(claims[i].Text) {
			continue
		}
		p := place{markAt(body[:claims[i].End], claims[i].Start, f.Ref.Start, f.Ref.End), i, " " + text}
		if marked(body, p.at, text, claims[i].Text) || slices.Contains(places, p) {
			continue
		}
		places = append(places, p)
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.at - b.at })
	var out strings.Builder
	at := 0
	for _, p := range places {
		out.WriteString(body[at:p.at] + p.text)
		at = p.at
	}
	if len(places) == 0 || !l.setBody(out.String()+body[at:], l.cells) {
		return
	}
	d.touched[l] = true
	d.marks[l] = append(d.marks[l], found...)
	for _, p := range places {
		l.cells[p.cell].row.fate(Stale)
		l.cells[p.cell].row.Why = "it names what the repository no longer has " + strings.TrimSpace(p.text)
	}
}

// marked reports whether a mark stands at a place already.
func marked(body string, at int, mark, statement string) bool {
	return strings.HasPrefix(body[at:], " (") && strings.Contains(statement, mark) || strings.HasSuffix(body[:at], " "+mark)
}

// markAt is where in a statement, that begins at from and ends with the text, the mark
// goes of a name in it: right behind the name, but never into code, a command or a
// link, which would be another one with it.
func markAt(text string, from, start, end int) int {
	at := end
	if e := codeEnd(text, from, start); e > 0 {
		at = e
	} else if argument(text, end) {
		return cellEnd(text, end)
	}
	for {
		was := at
		at += locator(text[at:])
		for at < len(text) && strings.IndexByte("`\"')*_", text[at]) >= 0 {
			at++
		}
		if open := strings.LastIndexByte(text[from:at], '['); open >= 0 && !strings.Contains(text[from+open:at], "](") {
			if n := strings.Index(text[at:], "]("); n >= 0 { // what a link is called
				if m := strings.IndexByte(text[at+n:], ')'); m >= 0 {
					at += n + m + 1
				}
			}
		}
		if at == was {
			return at
		}
	}
}

// codeEnd is the end of the code span, of the link or of the quotation that a place
// stands in; 0 where it stands in none.
func codeEnd(text string, from, at int) int {
	for i := from; i < at; {
		opening, closing := pairAt(text[i:])
		if opening == 0 {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		inner := i + opening
		k := strings.Index(text[inner:], closing)
		if k < 0 {
			i = inner
			continue
		}
		if i = inner + k + len(closing); i > at {
			return i
		}
	}
	return 0
}

// pairAt is the length of a mark that opens what is read as a whole, and the mark that
// closes it.
func pairAt(s string) (opening int, closing string) {
	if ticks := len(s) - len(strings.TrimLeft(s, "`")); ticks > 0 {
		return ticks, s[:ticks]
	}
	for _, p := range [...][2]string{{`"`, `"`}, {"“", "”"}, {"„", "”"}, {"«", "»"}, {"](", ")"}, {"[[", "]]"}} {
		if strings.HasPrefix(s, p[0]) {
			return len(p[0]), p[1]
		}
	}
	if len(s) > 1 && s[0] == '<' && letterOrDigit(firstRune(s[1:])) {
		return 1, ">"
	}
	return 0, ""
}

// argument reports whether a name without marks around it is a part of a command:
// a flag or a sign of the shell follows.
func argument(text string, end int) bool {
	rest := text[end:]
	next := strings.TrimLeft(rest, " ")
	if len(next) == len(rest) {
		return false
	}
	word, _, _ := strings.Cut(next, " ")
	switch word {
	case "||", "&&", ">", ">>", "<", "&", ";", "2>&1":
		return true
	case "|":
		return !inRow(text, end)
	}
	flag := strings.TrimLeft(word, "-")
	return len(flag) < len(word) && flag != "" && letterOrDigit(firstRune(flag))
}

// inRow reports whether a place stands in a table.
func inRow(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " \t>"), "|")
}

// cellEnd is the end of a statement, or of the cell of a table, without the signs that
// end a sentence.
func cellEnd(text string, from int) int {
	to := len(text)
	if n := strings.IndexByte(text[from:], '|'); n >= 0 && inRow(text, from) {
		to = from + n
	}
	return from + len(strings.TrimRight(text[from:to], " \t.!?;,*_"))
}

// locator is how much of a text belongs to the name before it: the line in a file, a
// call's brackets, whose it is.
func locator(s string) int {
	for _, whole := range [...]string{"()", "'s", "’s"} {
		if strings.HasPrefix(s, whole) {
			return len(whole)
		}
	}
	n := 0
	switch {
	case strings.HasPrefix(s, "#L"):
		n = len("#L")
	case strings.HasPrefix(s, ":"):
		n = 1
	default:
		return 0
	}
	digits := len(s[n:]) - len(strings.TrimLeft(s[n:], "0123456789-L"))
	if digits == 0 {
		return 0
	}
	return n + digits
}

// markName marks a name in a description as in the text.
func markName(description string, f evidence.Finding) string {
	mark := staleMark(f)
	if mark == "" || strings.Contains(description, mark) {
		return description
	}
	for from := 0; ; {
		i := strings.Index(description[from:], f.Ref.Text)
		if i < 0 || f.Ref.Text == "" {
			return description
		}
		start, end := from+i, from+i+len(f.Ref.Text)
		before, _ := utf8.DecodeLastRuneInString(description[:start])
		if from = end; letterOrDigit(before) || strings.ContainsRune("/_-.", before) || letterOrDigit(firstRune(description[end:])) || strings.HasPrefix(description[end:], "/") {
			continue // a part of another name
		}
		at := markAt(description, 0, start, end)
		return description[:at] + " " + mark + description[at:]
	}
}

// otherPlace reports whether a statement says that it is about another repository,
// which can't be asked: "in the repo api-gateway". Which one this is called nobody
// knows here, so to say nothing of it is the worst that can come of it.
func otherPlace(text string) bool {
	words := strings.Fields(text)
	for i, w := range words[:max(0, len(words)-1)] {
		switch strings.ToLower(strings.Trim(w, ".,;:()*_\"'")) {
		case "repo", "repository", "submodule", "fork", "репо", "репозиторій", "репозиторії", "репозиторію", "сабмодуль", "форк":
		default:
			continue
		}
		next := words[i+1]
		if strings.ContainsAny(w[len(w)-1:], ".,;)") {
			continue // the name ends a part of the sentence, and what follows is another
		}
		name := strings.Trim(next, ".,;:()*_\"'`")
		if strings.HasPrefix(next, "`") || strings.ContainsAny(name, "-/_") || capital(name) {
			return !strings.ContainsAny(name, "/.") || strings.Count(name, "/") == 1 && !strings.Contains(name, ".")
		}
	}
	return false
}

// staleMark is what is written behind a name that the repository no longer has;
// "" where there is no evidence against it. What somebody wrote into a commit's
// subject is not taken over.
func staleMark(f evidence.Finding) string {
	switch f.State {
	case evidence.Gone:
		if f.Stamp != "" {
			return "(removed in " + f.Stamp + ")"
		}
		return "(removed)"
	case evidence.Moved:
		if plainPath(f.Now) {
			return "(renamed to " + f.Now + ")"
		}
		return "(renamed)"
	case evidence.Differs:
		if plainPath(f.Now) {
			return "(changed since: now " + f.Now + ")"
		}
	}
	return ""
}

// plainPath reports whether a name is made of what names are usually made of, so
// that it can stand in a sentence.
func plainPath(s string) bool {
	const longest = 160 // bytes
	return s != "" && len(s) <= longest && strings.IndexFunc(s, func(r rune) bool {
		return !letterOrDigit(r) && !strings.ContainsRune("._-/+@", r)
	}) < 0
}
