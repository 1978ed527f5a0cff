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
// one for each statement, and why the others are not, a sentence each. What comes
// out reads as itself.
func (r reader) read(answer []byte) (ops []dream.Op, refused []string, err error) {
	list, err := findOps(answer)
	if err != nil {
		return nil, nil, err
	}
	gone := map[int]bool{} // statements that an operation did away with already
	for _, raw := range list {
		op, why := r.sound(raw)
		known := func(o dream.Op) bool { return o.Op == op.Op && slices.Equal(o.Claims, op.Claims) }
		removes := op.Op == opSame || op.Op == opMerge
		// Two that make one statement into two things: which was meant is not
		// ours to guess, and the first is as good as any.
		twice := removes && slices.ContainsFunc(op.Claims, func(id int) bool { return gone[id] })
		switch {
		case why != "":
		case twice:
			why = "it is about a statement of which an operation before it has disposed"
		case slices.ContainsFunc(ops, known):
			why = "it is the same as one before it"
		case len(ops) == len(r.ids):
			why = "there are more operations than statements"
		}
		if why != "" {
			refused = append(refused, named(op.Op)+": "+why)
			continue
		}
		if removes {
			for _, id := range op.Claims {
				gone[id] = true
			}
		}
		ops = append(ops, op)
	}
	return ops, refused, nil
}

// named is an operation's name, as far as it is one: what else a model writes there
// is not told on.
func named(op string) string {
	switch op {
	case opSame, opMerge, opConflict, opKeep:
		return op
	}
	return "an unknown operation"
}

// sound reads one operation and says what is wrong with its form; "" for nothing. A
// number that is no statement's makes all of it wrong: what is left would say
// something else.
func (r reader) sound(raw json.RawMessage) (dream.Op, string) {
	var op dream.Op
	if json.Unmarshal(raw, &op) != nil {
		return dream.Op{Op: op.Op}, "it has not the form that was asked for"
	}
	out := dream.Op{Op: op.Op, Why: r.why(op.Why)}
	ids := map[int]bool{}
	for _, id := range op.Claims {
		if !r.ids[id] {
			return out, "it cites a statement that is not in the cluster"
		}
		ids[id] = true
	}
	out.Claims = slices.Sorted(maps.Keys(ids))
	switch {
	case named(op.Op) != op.Op:
		return out, "there is no such operation"
	case op.Op == opKeep && len(ids) > 0:
		return out, ""
	case op.Op == opKeep:
		return out, "it cites no statement"
	case len(ids) < 2:
		return out, "it needs two statements"
	}
	switch op.Op {
	case opSame:
		if out.Keep = op.Keep; !ids[op.Keep] {
			return out, "it does not say which statement stays"
		}
	case opMerge:
		text, why := r.text(op.Text)
		out.Text = text
		return out, why
	}
	return out, ""
}

// text is a merged text on one line, and why it can't be used. One with what nobody sees in it, half
// characters or a secret is refused: to take that out would be to guess the rest.
func (r reader) text(s string) (clean, why string) {
	s = oneLine(s)
	switch {
	case s == "":
		return s, "the text is empty"
	case len(s) > maxText:
		return s, "the text is too long"
	case strings.ContainsFunc(s, hidden), scan.Visible(s) != s:
		return s, "the text has characters in it that nobody sees"
	case len(r.finder.Find(s)) > 0:
		return s, "the text has a secret in it"
	}
	return s, ""
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
