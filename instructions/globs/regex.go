package globs

import (
	"errors"
	"strings"
	"unicode/utf16"
)

// regex is a JavaScript regular expression without flags but i, as far as the
// rewriting of a pattern can produce one: it works on UTF-16 units and does not
// know Unicode classes. Matching takes time proportional to expression times path.
type regex struct {
	prog  []inst
	never bool // a class of nothing stands in every way through it
	begin beginning
	first *set // what a name must begin with; nil where that is not known
}

// beginning is where alone a match can begin.
type beginning uint8

const (
	anywhere beginning = iota
	atName             // at the start of a name: (?:^|\/)
	atPath             // at the start of the path: ^
)

func beginningOf(src string) beginning {
	switch {
	case strings.HasPrefix(src, "^"):
		return atPath
	case strings.HasPrefix(src, nameStart):
		return atName
	}
	return anywhere
}

// nameStart is how a pattern without a slash begins.
const nameStart = `(?:^|\/)`

type opcode uint8

const (
	opSet    opcode = iota // one unit out of set
	opSplit                // go on at x and at y
	opJump                 // go on at x
	opStart                // at the start of the path
	opEnd                  // at the end
	opName                 // at the end, or before a slash that ends the path: (?=$|\/$)
	opWord                 // at a word boundary
	opNoWord               // not at one
	opMatch
)

type inst struct {
	op   opcode
	x, y int
	set  *set
}

// set is a class of units.
type set struct {
	not    bool
	ranges []unitRange
}

type unitRange struct{ lo, hi uint16 }

var (
	errBracket  = errors.New("a [ has no end")
	errParen    = errors.New("parentheses do not pair")
	errRepeat   = errors.New("a sign of repetition has nothing before it")
	errOrder    = errors.New("a range in [ ] runs backwards")
	errEscape   = errors.New("a backslash at the end")
	errTooLarge = errors.New("it is too long")
	errUnknown  = errors.New("it holds a construct that is not followed here")
)

// maxProg bounds a compiled pattern, in instructions. A pattern that needs more
// could match a path of the longest length only if nearly all of it were stars.
const maxProg = 1 << 16

type regexParser struct {
	src   []uint16
	pos   int
	depth int
	prog  []inst
	bars  bool // it holds alternatives outside parentheses
	refs  bool // it holds \1 to \9
	group bool // it holds a group that could be referred to
}

func compileRegex(src string) (*regex, error) {
	p := &regexParser{src: utf16.Encode([]rune(src))}
	if err := p.alternatives(); err != nil {
		return nil, err
	}
	if p.pos < len(p.src) {
		return nil, errParen
	}
	if p.refs && p.group {
		return nil, errUnknown
	}
	p.emit(inst{op: opMatch})
	re := &regex{prog: p.prog, never: !canEnd(p.prog)}
	if !p.bars {
		re.begin = beginningOf(src)
	}
	// In front of the name stand a split, a start, a jump and a slash. What may be
	// left out begins with a split.
	if next := re.prog[min(4, len(re.prog)-1)]; re.begin == atName && next.op == opSet {
		re.first = next.set
	}
	return re, nil
}

// canEnd reports whether some way through a program ends, if every class that is
// not empty finds its unit.
func canEnd(prog []inst) bool {
	seen := make([]bool, len(prog))
	stack := []int{0}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := prog[pc]; {
		case in.op == opMatch:
			return true
		case in.op == opJump:
			stack = append(stack, in.x)
		case in.op == opSplit:
			stack = append(stack, in.x, in.y)
		case in.op != opSet || in.set.not || len(in.set.ranges) > 0:
			stack = append(stack, pc+1)
		}
	}
	return false
}

func (p *regexParser) emit(i inst) int {
	p.prog = append(p.prog, i)
	return len(p.prog) - 1
}

func (p *regexParser) peek(k int) uint16 {
	if p.pos+k < len(p.src) {
		return p.src[p.pos+k]
	}
	return 0
}

// take steps over text if it comes next.
func (p *regexParser) take(text string) bool {
	for i := range len(text) {
		if p.pos+i >= len(p.src) || p.src[p.pos+i] != uint16(text[i]) {
			return false
		}
	}
	p.pos += len(text)
	return true
}

// alternatives reads terms separated by bars up to a closing parenthesis.
func (p *regexParser) alternatives() error {
	var jumps []int
	for {
		start := len(p.prog)
		if err := p.terms(); err != nil {
			return err
		}
		if !p.take("|") {
			break
		}
		p.bars = p.bars || p.depth == 0
		p.insert(start, inst{op: opSplit, x: start + 1})
		jumps = append(jumps, p.emit(inst{op: opJump}))
		p.prog[start].y = len(p.prog)
	}
	for _, j := range jumps {
		p.prog[j].x = len(p.prog)
	}
	return nil
}

// insert puts an instruction in front of code that was written already.
func (p *regexParser) insert(at int, i inst) {
	p.prog = append(p.prog, inst{})
	copy(p.prog[at+1:], p.prog[at:])
	p.prog[at] = i
	for k := at + 1; k < len(p.prog); k++ {
		in := &p.prog[k]
		if in.op == opSplit || in.op == opJump {
			if in.x >= at {
				in.x++
			}
			if in.op == opSplit && in.y >= at {
				in.y++
			}
		}
	}
}

func (p *regexParser) terms() error {
	for p.pos < len(p.src) && p.peek(0) != '|' && p.peek(0) != ')' {
		if len(p.prog) > maxProg {
			return errTooLarge
		}
		start := len(p.prog)
		repeatable, err := p.term()
		if err != nil {
			return err
		}
		if err := p.repetition(start, repeatable); err != nil {
			return err
		}
	}
	return nil
}

// repetition reads a sign after a term; the code of the term begins at start.
func (p *regexParser) repetition(start int, repeatable bool) error {
	sign := p.peek(0)
	switch {
	case p.pos >= len(p.src) || sign != '*' && sign != '+' && sign != '?' && !p.counted():
		return nil
	case !repeatable:
		return errRepeat
	case sign == '{':
		return errUnknown
	}
	p.pos++
	p.take("?") // a lazy sign changes nothing for whether it matches
	switch sign {
	case '*':
		p.insert(start, inst{op: opSplit, x: start + 1})
		p.emit(inst{op: opJump, x: start})
		p.prog[start].y = len(p.prog)
	case '+':
		p.emit(inst{op: opSplit, x: start, y: len(p.prog) + 1})
	case '?':
		p.insert(start, inst{op: opSplit, x: start + 1})
		p.prog[start].y = len(p.prog)
	}
	return nil
}

// counted reports whether {n}, {n,} or {n,m} comes next.
func (p *regexParser) counted() bool {
	if p.peek(0) != '{' {
		return false
	}
	k := 1
	digits := func() int {
		from := k
		for p.peek(k) >= '0' && p.peek(k) <= '9' {
			k++
		}
		return k - from
	}
	if digits() == 0 {
		return false
	}
	if p.peek(k) == ',' {
		k++
		digits()
	}
	return p.peek(k) == '}'
}

// term reads one term and reports whether a sign of repetition may follow it.
func (p *regexParser) term() (bool, error) {
	if p.take(end) {
		p.emit(inst{op: opName})
		return true, nil
	}
	if p.counted() {
		return false, errRepeat
	}
	c := p.peek(0)
	p.pos++
	switch c {
	case '^':
		p.emit(inst{op: opStart})
		return false, nil
	case '$':
		p.emit(inst{op: opEnd})
		return false, nil
	case '*', '+', '?':
		return false, errRepeat
	case '(':
		return true, p.parens()
	case '[':
		s, err := p.class()
		if err != nil {
			return false, err
		}
		p.set(s)
		return true, nil
	case '.':
		p.set(&set{not: true, ranges: lineEnds()})
		return true, nil
	case '\\':
		return p.escaped()
	}
	p.set(&set{ranges: []unitRange{{c, c}}})
	return true, nil
}

func (p *regexParser) set(s *set) {
	p.emit(inst{op: opSet, set: s})
}

func (p *regexParser) parens() error {
	if !p.take("?:") {
		if p.peek(0) == '?' {
			return errUnknown
		}
		p.group = true
	}
	if p.depth++; p.depth > 100 {
		return errTooLarge
	}
	if err := p.alternatives(); err != nil {
		return err
	}
	p.depth--
	if !p.take(")") {
		return errParen
	}
	return nil
}

// escaped reads what follows a backslash outside a class.
func (p *regexParser) escaped() (bool, error) {
	if p.pos >= len(p.src) {
		return false, errEscape
	}
	switch c := p.peek(0); {
	case c == 'b' || c == 'B':
		p.pos++
		op := opWord
		if c == 'B' {
			op = opNoWord
		}
		p.emit(inst{op: op})
		return false, nil
	case c >= '1' && c <= '9':
		p.refs = true
	}
	p.set(p.escape(false))
	return true, nil
}

// class reads a class after its opening bracket.
func (p *regexParser) class() (*set, error) {
	s := &set{not: p.take("^")}
	for {
		if p.pos >= len(p.src) {
			return nil, errBracket
		}
		if p.take("]") {
			return s, nil
		}
		lo, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if p.peek(0) != '-' || p.peek(1) == ']' || p.pos+1 >= len(p.src) {
			s.ranges = append(s.ranges, lo.ranges...)
			continue
		}
		p.pos++
		hi, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if err := s.span(lo, hi); err != nil {
			return nil, err
		}
	}
}

// span adds lo-hi; where one of them is a class the dash is a dash.
func (s *set) span(lo, hi *set) error {
	l, okL := lo.single()
	h, okH := hi.single()
	if !okL || !okH {
		s.ranges = append(append(s.ranges, lo.ranges...), hi.ranges...)
		s.ranges = append(s.ranges, unitRange{'-', '-'})
		return nil
	}
	if l > h {
		return errOrder
	}
	s.ranges = append(s.ranges, unitRange{l, h})
	return nil
}

func (s *set) single() (uint16, bool) {
	if len(s.ranges) != 1 || s.ranges[0].lo != s.ranges[0].hi || s.not {
		return 0, false
	}
	return s.ranges[0].lo, true
}

func (p *regexParser) classAtom() (*set, error) {
	if p.pos >= len(p.src) {
		return nil, errBracket
	}
	c := p.peek(0)
	p.pos++
	if c != '\\' {
		return &set{ranges: []unitRange{{c, c}}}, nil
	}
	if p.pos >= len(p.src) {
		return nil, errEscape
	}
	return p.escape(true), nil
}

// escape reads an escape that stands for a character or a class of them.
func (p *regexParser) escape(inClass bool) *set {
	c := p.peek(0)
	p.pos++
	switch c {
	case 'd', 'D', 's', 'S', 'w', 'W':
		return shorthand(c)
	case 'x':
		return p.hexUnit(2, c)
	case 'u':
		return p.hexUnit(4, c)
	case 'c':
		return p.control(inClass)
	}
	if c >= '0' && c <= '7' {
		return p.octal(c - '0')
	}
	if i := strings.IndexByte("fnrtvb", byte(c)); c < 128 && i >= 0 && (c != 'b' || inClass) {
		c = uint16("\f\n\r\t\v\b"[i])
	}
	return &set{ranges: []unitRange{{c, c}}}
}

func (p *regexParser) hexUnit(digits int, letter uint16) *set {
	v := uint16(0)
	for k := range digits {
		d := strings.IndexByte("0123456789abcdef", byte(p.peek(k))|0x20)
		if p.peek(k) >= 128 || p.peek(k) < '0' || d < 0 {
			return &set{ranges: []unitRange{{letter, letter}}}
		}
		v = v<<4 | uint16(d)
	}
	p.pos += digits
	return &set{ranges: []unitRange{{v, v}}}
}

// control reads \cX; without a letter the backslash is a backslash.
func (p *regexParser) control(inClass bool) *set {
	c := p.peek(0)
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	if letter || inClass && (c >= '0' && c <= '9' || c == '_') {
		p.pos++
		return &set{ranges: []unitRange{{c % 32, c % 32}}}
	}
	p.pos-- // the c stands for itself
	return &set{ranges: []unitRange{{'\\', '\\'}}}
}

func (p *regexParser) octal(v uint16) *set {
	for range 2 {
		d := p.peek(0)
		if d < '0' || d > '7' || v*8+d-'0' > 0xff {
			break
		}
		v = v*8 + d - '0'
		p.pos++
	}
	return &set{ranges: []unitRange{{v, v}}}
}

func lineEnds() []unitRange {
	return []unitRange{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
}

// shorthand is \d, \s or \w, or in capitals what is not in them.
func shorthand(c uint16) *set {
	var r []unitRange
	switch c | 0x20 {
	case 'd':
		r = []unitRange{{'0', '9'}}
	case 'w':
		r = []unitRange{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	case 's':
		r = []unitRange{
			{'\t', '\r'},
			{' ', ' '},
			{0xa0, 0xa0},
			{0x1680, 0x1680},
			{0x2000, 0x200a},
			{0x2028, 0x2029},
			{0x202f, 0x202f},
			{0x205f, 0x205f},
			{0x3000, 0x3000},
			{0xfeff, 0xfeff},
		}
	}
	if c >= 'a' {
		return &set{ranges: r}
	}
	out := []unitRange{}
	from := 0
	for _, x := range r {
		if int(x.lo) > from {
			out = append(out, unitRange{uint16(from), x.lo - 1})
		}
		from = int(x.hi) + 1
	}
	return &set{ranges: append(out, unitRange{uint16(from), 0xffff})}
}
