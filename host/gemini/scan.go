package gemini

import "strings"

// word is an @path in a text.
type word struct {
	start, end int // bytes, the @ included
	line       int // 1-based
	path       string
	code       bool // stands in code, so it is no import
}

// scan finds the @paths of a text: an @ at the start or behind white space, up
// to the next white space, that goes on with a letter, a dot or a slash. Only
// blank, tab and line ends are white space. Measured.
func scan(text string) []word {
	var out []word
	var code codeScanner
	line, counted := 1, 0
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '@')
		if at < 0 {
			return out
		}
		at += i
		i = at + 1
		if at > 0 && !isWhite(text[at-1]) {
			continue
		}
		end := len(text)
		if n := strings.IndexAny(text[i:], " \t\r\n"); n >= 0 {
			end = i + n
		}
		if path := text[i:end]; path != "" && (path[0] == '.' || path[0] == '/' || path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z') {
			if out == nil {
				code = newCodeScanner(text)
			}
			line += strings.Count(text[counted:at], "\n")
			counted = at
			out = append(out, word{at, end, line, path, code.contains(at)})
		}
		i = min(end+1, len(text))
	}
}

func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// codeScanner finds the code of a text as the client does: a run of backticks,
// anything, and the same run again, by the pattern /(`+)([\s\S]*?)\1/g. A run
// that nothing closes is tried with fewer backticks; so two alone are a pair of
// single ones. Measured.
type codeScanner struct {
	text    string
	runs    []run
	longest []int // longest run at or behind each, one more at the end
	next    int   // index of the first run that no region has used up
	from    int   // where the next region may start
	start   int   // the last region …
	end     int   // … that was found
}

type run struct{ at, length int }

func newCodeScanner(text string) codeScanner {
	s := codeScanner{text: text}
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '`')
		if n < 0 {
			break
		}
		i += n
		length := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		s.runs = append(s.runs, run{i, length})
		i += length
	}
	s.longest = make([]int, len(s.runs)+1)
	for i := len(s.runs) - 1; i >= 0; i-- {
		s.longest[i] = max(s.runs[i].length, s.longest[i+1])
	}
	return s
}

// contains tells whether an offset lies in code. Offsets must not fall from one
// call to the next.
func (s *codeScanner) contains(at int) bool {
	for s.end <= at && s.advance() {
	}
	return at >= s.start && at < s.end
}

// advance finds the next region, in time that adds up to that of one pass.
func (s *codeScanner) advance() bool {
	for s.next < len(s.runs) {
		r := s.runs[s.next]
		if s.from > r.at { // a region ended within this run
			r.length -= s.from - r.at
			r.at = s.from
		}
		if r.length <= 0 {
			s.next++
			continue
		}
		// The longest that a later run can close, unless half of this run is longer:
		// its first half is then closed by its second.
		k := min(r.length, s.longest[s.next+1])
		if half := r.length / 2; k <= half {
			if half == 0 {
				s.next++
				continue
			}
			s.start, s.end, s.from = r.at, r.at+2*half, r.at+2*half
			return true
		}
		s.next++
		for s.runs[s.next].length < k {
			s.next++
		}
		s.start, s.end = r.at, s.runs[s.next].at+k
		s.from = s.end
		return true
	}
	return false
}
