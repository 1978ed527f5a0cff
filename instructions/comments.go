package instructions

import (
	"strings"

	"dormouse/instructions/markdown"
)

// StripComments returns what the client leaves of a file's text, which begins
// behind the frontmatter, when it takes the comments out: no comment in a block
// of html that opens with one, at column 0 to 3 and not inside a list, a quote
// or a paragraph. A block of which only white space would stay goes whole, with
// the line feeds behind it. Everything else stays byte for byte, except that
// with a block taken out every CR LF and every lone CR becomes a line feed. The
// caller trims.
//
// Measured on 2.1.332.
func StripComments(text string) string {
	if !strings.Contains(text, commentMark) {
		return text
	}
	return stripped(text, markdown.Lex(text))
}

const commentMark = "<!--"

// Read does what StripComments and ScanImports do, at the cost of one of them.
func Read(text string) (loads string, imports []Import) {
	comments, at := strings.Contains(text, commentMark), strings.IndexByte(text, '@') >= 0
	if !comments && !at {
		return text, nil
	}
	doc := markdown.Lex(text)
	loads = text
	if comments {
		loads = stripped(text, doc)
	}
	if at {
		imports = scan(text, doc)
	}
	return loads, imports
}

func stripped(text string, doc *markdown.Doc) string {
	var b strings.Builder
	at, found := 0, false
	for _, h := range doc.HTML {
		ranges, ok := h.Comments()
		if !ok || !h.Top {
			continue
		}
		found = true
		for _, r := range ranges {
			b.WriteString(doc.Source[at : h.Start+r[0]])
			at = h.Start + r[1]
		}
	}
	if !found {
		return text
	}
	b.WriteString(doc.Source[at:])
	return b.String()
}
