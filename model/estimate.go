package model

import "unicode/utf8"

// defaultMaxTokens of an answer.
const defaultMaxTokens = 8192

// Tokens that no text of ours accounts for.
const (
	turnOverhead = 10  // around each message
	repairWords  = 200 // of the turn that asks for a repair
	toolOverhead = 500 // what Anthropic puts before the first tool is the most (346 documented)
)

// tokens estimates from above how many tokens a text has. Tokenizers differ, and
// none is worth its megabytes here: prose has 4 letters a token and counts 3, other
// ASCII counts 1 each, and a character of 2, 3, 4 bytes counts 1, 2, 3. A long run
// of random letters has more than this says; the correction after the answer
// catches that.
func tokens(text string) int {
	letters, n := 0, 0
	for _, r := range text {
		switch {
		case r == ' ' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			letters++
		case r < utf8.RuneSelf:
			n++
		default:
			n += max(utf8.RuneLen(r)-1, 1)
		}
	}
	return n + (letters+2)/3
}

// MaxOutput is the most tokens an answer of this request may have.
func (r Request) MaxOutput() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return defaultMaxTokens
}

// guess is what one answer costs at most.
func (c *caller) guess(r Request) Usage {
	in := c.overhead + tokens(r.System) + turnOverhead
	for _, m := range r.Messages {
		in += turnOverhead + tokens(m.Text)
		for _, call := range m.Calls {
			in += turnOverhead + tokens(call.Name) + tokens(string(call.Input))
		}
		for _, result := range m.Results {
			in += turnOverhead + tokens(result.Text)
		}
	}
	if len(r.Tools) > 0 {
		in += toolOverhead
	}
	for _, t := range r.Tools {
		in += turnOverhead + tokens(t.Name) + tokens(t.Description) + tokens(string(t.Schema))
	}
	if r.Schema != nil {
		in += tokens(string(r.Schema)) // beside the text, in a field of its own
	}
	return c.priced(Usage{Input: in, Output: r.MaxOutput(), Estimated: true})
}

// Estimate says what a request costs at most: with a schema, the turn of repair
// included. Tries that fail can come on top; a Limit books each.
func (c *caller) Estimate(r Request) Usage {
	if r.Schema == nil {
		return c.guess(r)
	}
	r = tellSchema(r)
	u := c.guess(r)
	again := u
	again.Input += repairWords + min(repairQuote, u.Output)
	u.add(c.priced(again))
	return u
}
