package instructions

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/instructions/markdown"
)

// Verdict says whether an @ in an instruction file imports, or why it does not.
type Verdict uint8

// The verdicts. All were measured on 2.1.332.
const (
	Imports          Verdict = iota // the client looks for a file of that name
	InCodeBlock                     // in a fenced or indented code block
	InCodeSpan                      // between backticks
	InComment                       // in <!-- … -->
	InHTML                          // in a tag, or in a block that opens with one
	InLinkTarget                    // in a link's target or title, or <…>
	InImage                         // in an image, its text included
	InDefinition                    // in a link definition
	Escaped                         // behind a backslash
	NotAfterSpace                   // neither at the start of a text nor behind white space
	BadFirst                        // the path begins with a character that none may begin with
	BreaksFile                      // a NUL in the path: the client loads nothing of the file
	NotScanned                      // too costly to lex: see markdown.Lex
	numberOfVerdicts = int(NotScanned) + 1
)

// String says it in words, to be read after "not imported: ".
func (v Verdict) String() string {
	words := [numberOfVerdicts]string{
		"imported", "in a code block", "in a code span", "in a comment", "in html",
		"in a link target", "in an image", "in a link definition", "escaped",
		"not after white space", "a path cannot begin like this", "a NUL in the path", "not looked at",
	}
	if int(v) < len(words) {
		return words[v]
	}
	return "unknown"
}

// Import is an @path in an instruction file, imported or not.
type Import struct {
	// Path is the path as the client resolves it, or would: without the
	// #fragment, `\ ` as a space, and trimmed.
	Path    string
	Raw     string // as written, behind the @
	Offset  int    // of the @ in the text, in bytes
	Line    int    // from 1; CR LF, CR and LF end a line
	Column  int    // from 1, in characters (Unicode code points)
	Verdict Verdict
	// Despite is set when Verdict is Imports and the @ stands where people
	// believe that it does not count. In a list item it often does: the client
	// reads an item's text as a whole before it looks at code spans, comments
	// and links in it.
	Despite Verdict
	// Trailing is the punctuation that Path ends in. It belongs to the path, so
	// `see @a.md.` finds nothing; if the path without it names a file, say so.
	Trailing string
}

// Trimmed returns Path without Trailing.
func (i Import) Trimmed() string { return strings.TrimSuffix(i.Path, i.Trailing) }

// ScanImports lists the imports in text, an instruction file's text behind the
// frontmatter with its comments still in it, in the order in which the client
// loads them. Behind them it lists, from the first to the last, every other @
// that a path could follow, with the reason why it is none. Two imports can have
// one Offset: in a list item the client reads @a.md`b` as "a.md`b`" and then as
// "a.md".
//
// It does no path resolution and no I/O.
func ScanImports(text string) []Import {
	if strings.IndexByte(text, '@') < 0 {
		return nil
	}
	return scan(text, markdown.Lex(text))
}

func scan(text string, doc *markdown.Doc) []Import {
	var found []Import
	for _, t := range doc.Texts {
		found = appendImports(found, t)
	}
	found = unique(found)
	found = append(found, others(found, text, doc)...)
	locate(found, text)
	return found
}

// byPlace returns the indexes of found in the order of their offsets.
func byPlace(found []Import) []int {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return found[a].Offset - found[b].Offset })
	return order
}

// unique leaves out the import that a list item's text and a token in it both
// have.
func unique(found []Import) []Import {
	type place struct {
		offset, length int
	}
	seen := make(map[place]bool, len(found))
	return slices.DeleteFunc(found, func(i Import) bool {
		p := place{i.Offset, len(i.Raw)}
		again := seen[p]
		seen[p] = true
		return again
	})
}

// appendImports finds /(?:^|\s)@((?:[^\s\\]|\\ )+)/g in a text.
func appendImports(found []Import, t markdown.Text) []Import {
	s := t.Value
	for at := 0; ; {
		k := strings.IndexByte(s[at:], '@')
		if k < 0 {
			return found
		}
		k += at
		at = k + 1
		if !afterSpace(s, k) {
			continue
		}
		at = rawEnd(s, k+1)
		if raw := s[k+1 : at]; raw != "" {
			if path, ok := importPath(raw); ok {
				found = append(found, newImport(path, raw, t.Offset(k), Imports))
			}
		}
	}
}

func newImport(path, raw string, offset int, v Verdict) Import {
	if v == Imports && strings.IndexByte(path, 0) >= 0 {
		v = BreaksFile
	}
	return Import{Path: path, Raw: raw, Offset: offset, Verdict: v, Trailing: trailing(path)}
}

// afterSpace tells whether k is the start of s or behind white space.
func afterSpace(s string, k int) bool {
	if k == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s[:k])
	return markdown.IsSpace(r)
}

// rawEnd returns where the path that starts at p ends: at white space that no
// backslash stands before, or at another backslash.
func rawEnd(s string, p int) int {
	for p < len(s) {
		if s[p] == '\\' {
			if p+1 == len(s) || s[p+1] != ' ' {
				return p
			}
			p += 2
			continue
		}
		r, w := utf8.DecodeRuneInString(s[p:])
		if markdown.IsSpace(r) {
			return p
		}
		p += w
	}
	return p
}

// importPath returns the path that the client makes of raw and whether it takes
// it for one, by how it begins.
func importPath(raw string) (string, bool) {
	path, _, _ := strings.Cut(raw, "#")
	path = strings.ReplaceAll(path, `\ `, " ")
	ok := strings.HasPrefix(path, "./") || strings.HasPrefix(path, "~/") || len(path) > 1 && path[0] == '/' ||
		path != "" && isFirst(path[0])
	return markdown.Trim(path), ok
}

// isFirst tells whether a relative path may begin with c.
func isFirst(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}

// trailing returns the punctuation at the end of path that a person may have
// meant for the sentence.
func trailing(path string) string {
	rest := strings.TrimRight(path, ",.:;)!?\"'")
	if rest == "" || strings.HasSuffix(rest, "/") {
		return ""
	}
	return path[len(rest):]
}

// others lists what is not imported, and notes in found where the imports stand.
// Of several @ in a word it looks at the first.
func others(found []Import, text string, doc *markdown.Doc) []Import {
	spans := newSpanFinder(doc.Spans)
	var out []Import
	order := byPlace(found)
	until := 0
	for k := 0; ; k++ {
		i := strings.IndexByte(text[k:], '@')
		if i < 0 {
			return out
		}
		k += i
		kind, imported := spans.at(k), false
		for ; len(order) > 0 && found[order[0]].Offset == k; order = order[1:] {
			f := &found[order[0]]
			f.Despite = verdictOf(kind)
			until = max(until, k+1+len(f.Raw))
			imported = true
		}
		if imported || k < until {
			continue
		}
		other, listed := notImported(text, k, kind, doc.Cut)
		if listed {
			out = append(out, other)
		}
		until = k + 1 + len(other.Raw)
	}
}

// notImported says why the @ at k, which stands in a span of the given kind, is
// no import. An @ that no path could follow is not worth a word.
func notImported(text string, k int, kind markdown.Kind, cut bool) (Import, bool) {
	end := rawEnd(text, k+1)
	if kind == markdown.CodeSpan {
		if i := strings.IndexByte(text[k:end], '`'); i >= 0 {
			end = k + i
		}
	}
	raw := text[k+1 : end]
	path, ok := importPath(raw)
	after := afterSpace(text, k)
	v := verdictOf(kind)
	switch {
	case v != Imports:
	case !ok:
		v = BadFirst
	case !after:
		v = NotAfterSpace
	case cut:
		v = NotScanned
	default:
		v = NotAfterSpace
	}
	return newImport(path, raw, k, v), ok || raw != "" && after && v == BadFirst
}

func verdictOf(k markdown.Kind) Verdict {
	switch k {
	case markdown.Code:
		return InCodeBlock
	case markdown.CodeSpan:
		return InCodeSpan
	case markdown.Comment:
		return InComment
	case markdown.HTML:
		return InHTML
	case markdown.LinkTarget:
		return InLinkTarget
	case markdown.Image:
		return InImage
	case markdown.Definition:
		return InDefinition
	case markdown.Escape:
		return Escaped
	}
	return Imports
}

// spanFinder finds the innermost span at ascending offsets.
type spanFinder struct {
	spans []markdown.Span
	open  []markdown.Span
}

func newSpanFinder(spans []markdown.Span) *spanFinder {
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b markdown.Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return &spanFinder{spans: spans}
}

func (f *spanFinder) at(offset int) markdown.Kind {
	for len(f.spans) > 0 && f.spans[0].Start <= offset {
		f.open = append(f.open, f.spans[0])
		f.spans = f.spans[1:]
	}
	for len(f.open) > 0 && f.open[len(f.open)-1].End <= offset {
		f.open = f.open[:len(f.open)-1]
	}
	if len(f.open) == 0 {
		return markdown.Plain
	}
	return f.open[len(f.open)-1].Kind
}

// locate fills in lines and columns.
func locate(found []Import, text string) {
	line, column, at := 1, 1, 0
	for _, i := range byPlace(found) {
		for at < found[i].Offset {
			_, w := utf8.DecodeRuneInString(text[at:])
			if text[at] == '\n' || text[at] == '\r' && !strings.HasPrefix(text[at+1:], "\n") {
				line, column = line+1, 1
			} else {
				column++
			}
			at += w
		}
		found[i].Line, found[i].Column = line, column
	}
}
