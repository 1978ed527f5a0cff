package doctor

import (
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/startup"
	"dormouse/store"
)

// When instructions drown the rest, in tokens (estimated, see startup.Tokens):
// a file of that size is about the 25,000 characters that the client grants an
// index as a whole.
const (
	longFile = 6_000
	longAll  = 12_000
)

// nearLimit is the share of a limit from which an index is near it.
const nearLimit = 0.9

// limits tells of an index that is cut, or will be, and of long instructions.
func (c *check) limits() error {
	if x := c.rep.Mem.Index; x != nil && !x.Generated {
		c.indexLimits(x)
	}
	c.long()
	return nil
}

func (c *check) indexLimits(x *startup.Index) {
	size := fmt.Sprintf("%d of at most %d lines and %d of at most %d characters", x.Lines, x.LinesLimit, x.Chars, x.CharsLimit)
	cut := c.cutLines()
	switch {
	case x.LoadedLines < x.Lines || x.LoadedChars < x.Chars:
		at := Place{Path: x.Path, Line: 1}
		if len(cut) > 0 {
			at.Line, at.Text = cut[0].Line, cut[0].Text
		}
		f := c.add("index-cut", at, "", "%s is over the limit of %s: %d of %d lines load, and %d do not",
			c.show(x.Path), overWhat(x), x.LoadedLines, x.Lines, x.Lines-x.LoadedLines)
		f.evidence("it has %s (UTF-16 units, as the client counts)", size)
		if x.LoadedLines == x.Lines || x.LoadedLines == 0 {
			f.evidence("the cut falls inside a line, so its end does not load")
		}
		for _, l := range cut {
			if l.Count > 1 {
				f.evidence("%s", l.Why)
				continue
			}
			f.evidence("line %d does not load: %s", l.Line, clip(l.Text))
		}
		f.fix("move its least valuable lines to a page that the index links to", "index --fix --make-room", true, Plan{Kind: Index, Room: store.MakeRoom})
	case float64(x.Lines) >= nearLimit*float64(x.LinesLimit) || float64(x.Chars) >= nearLimit*float64(x.CharsLimit):
		c.add("index-near-limit", Place{Path: x.Path}, "", "%s has %s; past a limit its end does not load", c.show(x.Path), size).
			fix("make room before it is cut", "index --fix --make-room", false, Plan{Kind: Index, Room: store.MakeRoom})
	}
}

func (c *check) cutLines() []startup.Left {
	var out []startup.Left
	for _, l := range c.rep.Left {
		if l.Reason == startup.NotCut {
			out = append(out, l)
		}
	}
	return out
}

func overWhat(x *startup.Index) string {
	switch lines, chars := x.Lines > x.LinesLimit, x.Chars > x.CharsLimit; {
	case lines && chars:
		return fmt.Sprintf("%d lines and of %d characters", x.LinesLimit, x.CharsLimit)
	case chars:
		return fmt.Sprintf("%d characters", x.CharsLimit)
	}
	return fmt.Sprintf("%d lines", x.LinesLimit)
}

// long tells of instructions that are so long that they drown the rest.
func (c *check) long() {
	all, biggest := 0, 0
	for i := range c.rep.Loaded {
		f := &c.rep.Loaded[i]
		if f.Scope == startup.Memory || filepath.Base(f.Path) == store.IndexName {
			continue
		}
		all += f.Tokens
		if f.Tokens > c.rep.Loaded[biggest].Tokens || c.rep.Loaded[biggest].Scope == startup.Memory {
			biggest = i
		}
		if f.Tokens > longFile {
			c.add("instructions-long", Place{Path: f.Path}, "file", "%s costs ~%d tokens in every session; over %d a rule in it is easily lost", c.show(f.Path), f.Tokens, longFile).
				fix("move what only some files need into rules with paths, and what is seldom needed into files to be read", "", false, Plan{})
		}
	}
	if all <= longAll {
		return
	}
	f := c.add("instructions-long", Place{Path: c.rep.Loaded[biggest].Path}, "all", "the instructions cost ~%d tokens in every session, over %d together", all, longAll)
	for _, w := range c.out.Tokens {
		if strings.HasPrefix(w.Path, c.dir) && c.dir != "" {
			continue
		}
		f.evidence("~%d tokens: %s", w.Tokens, c.show(w.Path))
	}
}
