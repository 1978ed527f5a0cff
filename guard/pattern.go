package guard

import (
	"errors"
	"fmt"
	"strings"

	"dormouse/guard/shell"
)

// pattern is what a command rule looks for.
type pattern struct {
	name     []string   // alternatives for the program's name
	operands [][]string // alternatives for each, in order; {"**"}: any number
	options  [][]string // each must be there, wherever: one of its alternatives
}

// Bounds of one pattern, against rules made to be slow.
const (
	maxPattern = 1000 // bytes
	maxOptions = 50   // words
)

func compileCommand(text string) (pattern, error) {
	var p pattern
	words := strings.Fields(text)
	switch {
	case len(words) == 0:
		return p, errors.New("no command stands behind it: deny command git push --force")
	case len(text) > maxPattern || len(words) > maxOptions:
		return p, fmt.Errorf("the pattern is longer than %d characters or %d words: name what matters and leave the rest out", maxPattern, maxOptions)
	case strings.ContainsAny(text, "\"'`\\;&<>$"):
		return p, errors.New("a pattern is plain words, without quotes and shell signs: one command, as in deny command git push --force")
	}
	for i, w := range words {
		alternatives, err := group(w)
		switch {
		case err != nil:
			return p, err
		case i == 0:
			for _, a := range alternatives {
				if strings.HasPrefix(a, "-") {
					return p, fmt.Errorf("the program's name comes first, not the option %s: deny command git push %s", a, a)
				}
				p.name = append(p.name, shell.Base(a))
			}
		case hasOption(alternatives):
			p.options = append(p.options, alternatives)
		default:
			p.operands = append(p.operands, alternatives)
		}
	}
	return p, nil
}

// group reads (a|b), or a word as a group of one.
func group(w string) ([]string, error) {
	inner, open := strings.CutPrefix(w, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	switch {
	case open != closed || strings.ContainsAny(inner, "()"):
		return nil, fmt.Errorf("%s: a choice is one word in parentheses without spaces: (-f|--force)", clip(w))
	case !open && strings.Contains(w, "|"):
		return nil, fmt.Errorf("%s: a choice needs parentheses: (%s)", clip(w), clip(w))
	}
	alternatives := strings.Split(inner, "|")
	if !open {
		return []string{w}, nil
	}
	for _, a := range alternatives {
		if a == "" {
			return nil, fmt.Errorf("%s: a choice has a word on each side of |", clip(w))
		}
	}
	return alternatives, nil
}

func hasOption(alternatives []string) bool {
	for _, a := range alternatives {
		if len(a) > 1 && a[0] == '-' {
			return true
		}
	}
	return false
}

// operand is a word of a command that is no option.
type operand struct {
	shell.Word
	skip bool // it may be the value of an option before it, or no word at all
}

// call is a command taken apart, once for all rules.
type call struct {
	name     string
	operands []operand
	options  []shell.Word // up to --
	after    []string     // the word behind each option, its value perhaps
	opaque   bool         // one of the words may be any words
}

func takeApart(words []shell.Word) call {
	c := call{}
	if len(words) == 0 {
		return c
	}
	c.name = shell.Base(words[0].Text)
	ended, skip := false, false
	for i, w := range words[1:] {
		c.opaque = c.opaque || w.Many
		switch {
		case w.Text == "--" && !ended:
			ended, skip = true, false
		case !ended && len(w.Text) > 1 && w.Text[0] == '-':
			c.options = append(c.options, w)
			value := ""
			if i+2 < len(words) {
				value = words[i+2].Text
			}
			c.after = append(c.after, value)
			skip = !strings.Contains(w.Text, "=")
		default:
			c.operands = append(c.operands, operand{w, skip || w.Many})
			skip = false
		}
	}
	return c
}

// matches tells whether a command is one that the pattern names. With guess, what
// can't be told counts as what would match.
func (p *pattern) matches(c *call, guess bool) bool {
	if !oneOf(p.name, c.name, guess) || !p.inOrder(c.operands, guess) {
		return false
	}
	for _, alternatives := range p.options {
		if !(guess && c.opaque) && !hasOne(alternatives, c, guess) {
			return false
		}
	}
	return true
}

func oneOf(alternatives []string, word string, guess bool) bool {
	for _, a := range alternatives {
		if a == "*" || a == "**" || matchWord(a, word) || guess && strings.IndexByte(word, shell.Hole) >= 0 && meet(a, word) {
			return true
		}
	}
	return false
}

// inOrder tells whether the operands begin with those of the pattern. What may be
// an option's value may be passed over.
func (p *pattern) inOrder(words []operand, guess bool) bool {
	reached := make([]bool, len(p.operands)+1) // by the words so far
	reached[0] = true
	for i := range words {
		p.pass(reached)
		if reached[len(p.operands)] {
			return true
		}
		w := &words[i]
		for n := len(p.operands) - 1; n >= 0; n-- {
			if !reached[n] {
				continue
			}
			any := isAny(p.operands[n])
			if !any && (oneOf(p.operands[n], w.Text, guess) || guess && w.Many) {
				reached[n+1] = true
			}
			if w.Many && guess { // it may be all the words that are wanted
				for m := n + 1; m <= len(p.operands); m++ {
					reached[m] = true
				}
			}
			reached[n] = any || w.skip
		}
	}
	p.pass(reached)
	return reached[len(p.operands)]
}

// pass goes on over ** that stand for nothing.
func (p *pattern) pass(reached []bool) {
	for n, alternatives := range p.operands {
		if reached[n] && isAny(alternatives) {
			reached[n+1] = true
		}
	}
}

func isAny(alternatives []string) bool { return len(alternatives) == 1 && alternatives[0] == "**" }

// hasOne tells whether one of the alternatives is among the options, or, for one
// that is no option, among the operands.
func hasOne(alternatives []string, c *call, guess bool) bool {
	for _, a := range alternatives {
		if a[0] != '-' || len(a) == 1 {
			for i := range c.operands {
				if oneOf([]string{a}, c.operands[i].Text, guess) {
					return true
				}
			}
			continue
		}
		if isOptionThere(a, c, guess) {
			return true
		}
	}
	return false
}

func isOptionThere(want string, c *call, guess bool) bool {
	missing := want[1:] // letters of -rf that no cluster had yet
	for i, o := range c.options {
		if sameOption(want, o.Text) || guess && strings.IndexByte(o.Text, shell.Hole) >= 0 && meet(want, o.Text) {
			return true
		}
		if name, value, ok := strings.Cut(want, "="); ok && name == o.Text && matchWord(value, c.after[i]) {
			return true
		}
		if len(want) <= maxCluster+1 && want[1] != '-' && isCluster(o.Text) {
			missing = strings.Map(func(r rune) rune {
				if r < 0x80 && strings.IndexByte(clusterOf(o.Text), byte(r)) >= 0 {
					return -1
				}
				return r
			}, missing)
			if missing == "" {
				return true
			}
		}
	}
	return false
}

// maxCluster is how many letters behind one dash are letters of their own in a rule
// (-rf); more are one word, as in find -delete.
const maxCluster = 3

func isCluster(o string) bool { return len(o) > 1 && o[0] == '-' && o[1] != '-' }

// clusterOf are the letters of -xvf, up to what may be the value of one of them.
func clusterOf(o string) string {
	n := 1
	for n < len(o) && (o[n]|0x20 >= 'a' && o[n]|0x20 <= 'z') {
		n++
	}
	if n == 1 && n < len(o) {
		n = 2 // -1
	}
	return o[1:n]
}

// sameOption tells whether a word is the option: with a value behind =, shortened as
// GNU and git allow it, or with one dash for two as Go programs do.
func sameOption(want, word string) bool {
	if matchWord(want, word) {
		return true
	}
	name, _, _ := strings.Cut(word, "=")
	if strings.ContainsAny(want, "=*?") {
		return false
	}
	if name == want || len(want) > 2 && want[1] != '-' && name == "-"+want {
		return true
	}
	// --forc for --force. But --force is no short form of --force-with-lease: what
	// ends where a word of the other ends is an option of its own.
	return len(name) >= 5 && strings.HasPrefix(name, "--") && strings.HasPrefix(want, name) && want[len(name)] != '-'
}
