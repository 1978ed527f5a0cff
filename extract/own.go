package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is bytes of a block's text.
type span struct{ start, end int }

const (
	// maxOwn is how much of what somebody typed is read, in bytes. More than that
	// nobody types in one message; what is longer was pasted.
	maxOwn = 1500
	// longLines is how many lines that much has to have to count as pasted.
	longLines = 12
	// paragraph is how much of the first and the last paragraph around a paste is
	// read, in bytes.
	paragraph = 600
)

// own finds the lines of a text that are the person's own words, in order:
// neither code, quotations, logs, traces, mails nor what was pasted. intro tells
// of a line whether it leads in somebody else's words.
func own(text string, intro func(line string, blankAfter bool) bool) []span {
	o := ownReader{text: text, intro: intro, last: lastFence(text)}
	o.diff = strings.Contains("\n"+text, "\n+ ") && strings.Contains("\n"+text, "\n- ")
	for at := 0; at < len(text) && !o.rest; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		o.line(at, end)
		at = end + 1
	}
	return o.withoutPaste()
}

// lastFence is where the last line with a fence of code begins, in bytes.
func lastFence(text string) int {
	last, at := 0, 0
	for l := range strings.Lines(text) {
		if s := strings.TrimSpace(l); strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") {
			last = at
		}
		at += len(l)
	}
	return last
}

type ownReader struct {
	text  string
	intro func(string, bool) bool
	out   []span
	fence string // open code fence
	last  int    // where the last fence begins
	tag   string // open tag
	skip  bool   // to the next blank line
	rest  bool   // to the end
	diff  bool   // lines with + and lines with -: nobody writes a list so
	heads int    // lines like those on top of a mail, one after the other
}

func (o *ownReader) line(start, end int) {
	raw := o.text[start:end]
	s := strings.TrimSpace(raw)
	switch {
	case o.fence != "":
		// What is pasted may hold code blocks of its own: which fence closes which
		// can't be told, so all up to the last one is code.
		if strings.HasPrefix(s, o.fence) && start >= o.last {
			o.fence = ""
		}
		return
	case o.tag != "":
		if strings.Contains(s, o.tag) {
			o.tag = ""
		}
		return
	case s == "":
		o.skip, o.heads = false, 0
		return
	case strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~"):
		o.fence = s[:3]
		return
	case o.skip:
		return
	case mailHead(s):
		if o.heads++; o.heads == 2 {
			o.rest = true
			o.out = o.out[:len(o.out)-1]
			return
		}
	case s[0] == '<' && o.opensTag(s):
		return
	case pastedLine(raw, s):
		o.skip = true
		return
	case o.diff && (strings.HasPrefix(raw, "+ ") || strings.HasPrefix(raw, "- ")):
		return
	case s[0] == '>' || s[0] == '|' || strings.HasPrefix(raw, "    ") || raw[0] == '\t':
		return
	}
	o.out = append(o.out, span{start, end})
	blank := end+1 < len(o.text) && strings.TrimSpace(o.text[end+1:min(len(o.text), end+3)]) == "" || strings.HasPrefix(o.text[min(end+1, len(o.text)):], "\n")
	if o.intro(s, blank && end+2 < len(o.text)) {
		o.rest = true
	}
}

func (o *ownReader) opensTag(s string) bool {
	end := strings.IndexAny(s, "> ")
	if end < 2 || !unicode.IsLetter(rune(s[1])) {
		return false
	}
	if closing := "</" + s[1:end]; !strings.Contains(s, closing) {
		o.tag = closing
	}
	return true
}

// mailHead tells lines like "Subject: x".
func mailHead(s string) bool {
	head, rest, ok := strings.Cut(s, ": ")
	if !ok || rest == "" || len(head) > 16 {
		return false
	}
	switch strings.ToLower(head) {
	case "from", "to", "cc", "subject", "date", "sent", "reply-to", "від", "кому", "тема", "дата", "копія":
		return true
	}
	return false
}

// pastedLine tells a line of a log, a trace, a diff, a terminal, of JSON.
func pastedLine(raw, s string) bool {
	for _, p := range [...]string{"Traceback (", "File \"", "at ", "goroutine ", "panic: ", "Caused by:", "diff --git ", "@@ ", "+++ ", "--- ", "$ ", "% ", ">>> ", "error[", "warning[", "npm ERR!", "Exception in ", "FAIL ", "--- FAIL", "PASS", "{", "[{", "<?xml", "<!DOCTYPE", "#!/", "import ", "package ", "func ", "def ", "class ", "const ", "SELECT ", "curl "} {
		if strings.HasPrefix(s, p) {
			return p != "at " || strings.ContainsAny(s, "(:")
		}
	}
	if len(s) > 18 && (s[0] >= '0' && s[0] <= '9' || s[0] == '[') {
		t := strings.TrimLeft(s, "[")
		if len(t) > 10 && t[4] == '-' && t[7] == '-' || len(t) > 8 && t[2] == ':' && t[5] == ':' {
			return true
		}
	}
	for _, p := range [...]string{" ERROR ", " WARN ", " INFO ", " DEBUG ", "[ERROR]", "[INFO]", "[WARN]", "ERROR:", "Error: ", "error: "} {
		if strings.HasPrefix(s, strings.TrimLeft(p, " ")) || strings.Contains(s, p) && p[0] == ' ' {
			return true
		}
	}
	return strings.HasSuffix(s, "{") || strings.HasSuffix(s, "};") || strings.HasSuffix(s, ");")
}

// withoutPaste keeps of a long text only what stands around it.
func (o *ownReader) withoutPaste() []span {
	n := 0
	for _, s := range o.out {
		n += s.end - s.start
	}
	if n <= maxOwn || len(o.out) <= longLines && n <= 4*maxOwn {
		return o.out
	}
	first, last := o.paragraphEnds()
	var out []span
	for i, s := range o.out {
		if i < first || i >= last {
			out = append(out, s)
		}
	}
	return out
}

// paragraphEnds returns how many spans the first paragraph has and where the last
// one begins; none of either where they are long themselves.
func (o *ownReader) paragraphEnds() (first, last int) {
	size := 0
	for first < len(o.out) {
		size += o.out[first].end - o.out[first].start
		first++
		if first == len(o.out) || o.out[first].start > o.out[first-1].end+1 {
			break
		}
	}
	if size > paragraph {
		first = 0
	}
	size, last = 0, len(o.out)
	for last > first {
		last--
		size += o.out[last].end - o.out[last].start
		if last == first || o.out[last].start > o.out[last-1].end+1 {
			break
		}
	}
	if size > paragraph {
		last = len(o.out)
	}
	return first, last
}

// maxSentences of a message are looked at.
const maxSentences = 200

// sentences cuts the person's lines into sentences. A list mark in front is left
// out, "# " is not: that is how one adds a note by hand.
func sentences(text string, lines []span) []span {
	var out []span
	for i := 0; i < len(lines); i++ {
		s := lines[i]
		for i+1 < len(lines) && wraps(text, s, lines[i+1]) {
			i++
			s.end = lines[i].end
		}
		for s.start < s.end && len(out) < maxSentences {
			end := sentenceEnd(text, s)
			if t := trim(text, span{s.start, end}); t.start < t.end {
				out = append(out, t)
			}
			s.start = end
		}
	}
	return out
}

// wraps tells whether a line goes on in the next.
func wraps(text string, a, b span) bool {
	const full = 60 // bytes of a line that was broken because it was full
	if b.start != a.end+1 || a.end-a.start < full || strings.ContainsAny(text[a.end-1:a.end], ".!?:;") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[b.start:b.end])
	return unicode.IsLower(r)
}

func sentenceEnd(text string, s span) int {
	for i := s.start; i < s.end; i++ {
		switch text[i] {
		case '"', '`':
			if end, ok := quoted(text[:s.end], i); ok {
				i = end - 1
			}
			continue
		case '.', '!', '?', ';':
		default:
			if !strings.HasPrefix(text[i:s.end], "…") {
				continue
			}
			i += len("…") - 1
		}
		for i+1 < s.end && strings.IndexByte(".!?", text[i+1]) >= 0 {
			i++
		}
		if i+1 == s.end || text[i+1] == ' ' && !abbreviation(text[s.start:i+1]) {
			return i + 1
		}
	}
	return s.end
}

func abbreviation(s string) bool {
	for _, a := range [...]string{"e.g.", "i.e.", "etc.", "vs.", "approx.", "incl.", "resp.", "напр.", "тобто.", "т.д."} {
		if strings.HasSuffix(s, a) {
			return true
		}
	}
	return false
}

func trim(text string, s span) span {
	raw := strings.TrimLeftFunc(text[s.start:s.end], unicode.IsSpace)
	for _, mark := range [...]string{"- ", "* ", "+ ", "• "} {
		raw = strings.TrimPrefix(raw, mark)
	}
	s.start = s.end - len(raw)
	s.end = s.start + len(strings.TrimRightFunc(raw, unicode.IsSpace))
	return s
}
