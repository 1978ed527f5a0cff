package find

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"dormouse/internal/safefile"
	"dormouse/recall"
	"dormouse/trust"
)

const instructionKey = "instructions----" // as long as a hash

// maxInstruction is the size in bytes of the largest file that is read.
const maxInstruction = 4 << 20

// instructions are files that a person wrote for the agent. They are few, so they
// are read each time.
type instructions struct {
	idx      *recall.Index
	sections map[string]section
	problems []error
}

// section is a part of a file, below one heading.
type section struct {
	path    string
	heading string // with those it stands below, joined with " / "
	text    string
	line    int // 1-based, of its first line
	mod     time.Time
}

func (s *search) instructions() *instructions {
	in := &instructions{sections: map[string]section{}}
	b := recall.NewBuilder()
	seen := map[string]bool{}
	for _, path := range s.f.conf.Instructions {
		if seen[path] {
			continue
		}
		seen[path] = true
		text, info, err := safefile.Read(path, maxInstruction)
		if err != nil {
			in.problems = append(in.problems, fmt.Errorf("reading the instructions: %w", err))
			continue
		}
		for _, sec := range sectionsOf(masked(s.f.secrets, clean(string(text)))) {
			sec.path, sec.mod = path, info.ModTime().UTC()
			id := fmt.Sprintf("%s/%s#%d", instructionKey, path, sec.line)
			in.sections[id] = sec
			b.Add(recall.Doc{ID: id, Kind: recall.Instruction, Title: sec.heading, Body: sec.text, When: sec.mod, Group: path, Seq: sec.line})
		}
	}
	in.idx = b.Index()
	return in
}

// sectionsOf takes a Markdown text apart at its headings, which stand in no code.
func sectionsOf(text string) []section {
	var out []section
	var above []string // headings by level
	cur := section{line: 1}
	fence := ""
	n := 0
	flush := func() {
		if strings.TrimSpace(cur.text) != "" {
			out = append(out, cur)
		}
	}
	for line := range strings.Lines(text) {
		n++
		trimmed := strings.TrimSpace(line)
		switch level := strings.IndexFunc(trimmed, func(r rune) bool { return r != '#' }); {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case level >= 1 && level <= 6 && strings.HasPrefix(trimmed[level:], " "):
			flush()
			above = append(above[:min(level-1, len(above))], strings.TrimSpace(trimmed[level:]))
			cur = section{line: n, heading: strings.Join(above, " / ")}
		}
		cur.text += line
	}
	flush()
	return out
}

func (in *instructions) parts(notesOf) []recall.Part { return []recall.Part{{Index: in.idx}} }

func (in *instructions) hit(s *search, h recall.Hit) (Hit, bool) {
	sec, ok := in.sections[h.ID]
	if !ok {
		return Hit{}, false
	}
	out := Hit{
		Kind: recall.Instruction, Path: sec.path, Title: flat(sec.heading), Date: sec.mod, Origin: trust.Human, Loads: true,
		text: sec.text,
	}
	if out.Title == "" {
		out.Title = filepath.Base(sec.path)
	}
	head := 0
	if sec.heading != "" {
		head = strings.IndexByte(sec.text, '\n') + 1 // the heading is shown already
	}
	s.excerpt(&out, sec.text, head)
	out.Line += sec.line - 1
	return out, true
}

func (in *instructions) standing(*search, int) ([]Hit, int) { return nil, 0 }

func (in *instructions) report(a *Answer) { a.Problems = append(a.Problems, in.problems...) }

func (in *instructions) close() {}
