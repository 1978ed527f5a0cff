package bymodel

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/dream"
	"dormouse/scan"
	"dormouse/scan/secrets"
)

// Bounds of an answer.
const (
	maxAnswer = 256 << 10 // bytes; answerTokens make less than a tenth
	maxText   = 4 << 10   // bytes of a merged text
	maxWhy    = 300       // bytes of a reason; what is more is cut
	maxStarts = 100       // places at which JSON is looked for in prose
)

// The operations.
const (
	opSame     = "same"
	opMerge    = "merge"
	opConflict = "conflict"
	opKeep     = "keep"
)

// Why an answer can't be read. None of them holds a word of it.
var (
	errLong   = errors.New("it is too long")
	errCut    = errors.New("it ends in the middle of a JSON value")
	errNoOps  = errors.New("there is no list of operations in it")
	errDiffer = errors.New("there are two lists of operations in it that differ")
)

// reader reads answers on one cluster.
type reader struct {
	ids    map[int]bool // of its statements
	finder *secrets.Finder
}

// read takes any bytes and returns the operations in them that are sound, at most
// one for each statement, and how many were not. What comes out reads as itself.
func (r reader) read(answer []byte) (ops []dream.Op, dropped int, err error) {
	list, err := findOps(answer)
	if err != nil {
		return nil, 0, err
	}
	gone := map[int]bool{} // statements that an operation did away with already
	for _, raw := range list {
		op, ok := r.sound(raw)
		known := func(o dream.Op) bool { return o.Op == op.Op && slices.Equal(o.Claims, op.Claims) }
		removes := op.Op == opSame || op.Op == opMerge
		// Two that make one statement into two things: which was meant is not
		// ours to guess, and the first is as good as any.
		twice := removes && slices.ContainsFunc(op.Claims, func(id int) bool { return gone[id] })
		if !ok || twice || len(ops) == len(r.ids) || slices.ContainsFunc(ops, known) {
			dropped++
			continue
		}
		if removes {
			for _, id := range op.Claims {
				gone[id] = true
			}
		}
		ops = append(ops, op)
	}
	return ops, dropped, nil
}

// sound reads one operation and says whether its form is right. A number that is
// no statement's makes all of it wrong: what is left would say something else.
func (r reader) sound(raw json.RawMessage) (dream.Op, bool) {
	var op dream.Op
	if json.Unmarshal(raw, &op) != nil {
		return dream.Op{}, false
	}
	ids := map[int]bool{}
	for _, id := range op.Claims {
		if !r.ids[id] {
			return dream.Op{}, false
		}
		ids[id] = true
	}
	out := dream.Op{Op: op.Op, Claims: slices.Sorted(maps.Keys(ids)), Why: r.why(op.Why)}
	switch op.Op {
	case opSame:
		out.Keep = op.Keep
		return out, len(ids) >= 2 && ids[op.Keep]
	case opMerge:
		text, ok := r.text(op.Text)
		out.Text = text
		return out, ok && len(ids) >= 2
	case opConflict:
		return out, len(ids) >= 2
	case opKeep:
		return out, len(ids) >= 1
	}
	return dream.Op{}, false
}

// text is a merged text on one line. One with what nobody sees in it, half
// characters or a secret is refused: to take that out would be to guess the rest.
func (r reader) text(s string) (string, bool) {
	s = oneLine(s)
	ok := s != "" && len(s) <= maxText && !strings.ContainsFunc(s, hidden) &&
		scan.Visible(s) == s && len(r.finder.Find(s)) == 0
	return s, ok
}

// why is a reason fit for a ledger. Nothing hangs on it, so it is mended.
func (r reader) why(s string) string {
	if len(s) > maxText {
		s = s[:maxText]
	}
	s = strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c): // of which some are controls
			return ' '
		case hidden(c):
			return -1
		}
		return c
	}, s))
	if len(s) > maxWhy {
		n := maxWhy - len("…")
		for !utf8.RuneStart(s[n]) {
			n--
		}
		s = strings.TrimSpace(s[:n]) + "…"
	}
	if len(r.finder.Find(s)) > 0 {
		return ""
	}
	return s
}

// oneLine makes line ends and tabs into spaces.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c == '\n' || c == '\r' || c == '\t' {
			return ' '
		}
		return c
	}, s))
}

// hidden reports whether a character is one that steers, breaks lines, is not seen,
// or stands for bytes that were none.
func hidden(c rune) bool {
	return c == utf8.RuneError || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}

// findOps finds the list of operations in an answer, prose around it or not.
func findOps(answer []byte) ([]json.RawMessage, error) {
	if len(answer) > maxAnswer {
		return nil, errLong
	}
	if list, ok := opsOf(answer); ok {
		return list, nil
	}
	var found []json.RawMessage
	rest, some := answer, false
	for range maxStarts {
		i := bytes.IndexByte(rest, '{')
		if i < 0 {
			break
		}
		rest = rest[i:]
		var value json.RawMessage
		d := json.NewDecoder(bytes.NewReader(rest))
		err := d.Decode(&value)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			// What was cut is not looked into: a part could pass for the whole.
			return nil, errCut
		}
		if err != nil {
			rest = rest[1:]
			continue
		}
		rest = rest[d.InputOffset():]
		list, ok := opsOf(value)
		switch {
		case !ok:
		case some && !slices.EqualFunc(found, list, sameJSON):
			return nil, errDiffer
		default:
			found, some = list, true
		}
	}
	if !some {
		return nil, errNoOps
	}
	return found, nil
}

func opsOf(value []byte) ([]json.RawMessage, bool) {
	var a struct {
		Ops *[]json.RawMessage `json:"ops"`
	}
	if json.Unmarshal(value, &a) != nil || a.Ops == nil {
		return nil, false
	}
	return *a.Ops, true
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
