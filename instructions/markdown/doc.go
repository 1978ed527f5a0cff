// Package markdown lexes the part of Markdown that decides two questions about
// an instruction file: which text can hold an import, and which blocks are
// comments. It is not a renderer and builds no tree.
//
// # What it copies
//
// Claude Code 2.1.332 lexes instruction files with the JavaScript library
// marked (MIT licence) without its GitHub extensions (gfm: false), so a
// question like "is this @path code?" has the answer that marked gives, not
// the one that CommonMark gives. This package follows marked 16.2.0: of 60
// released versions it is the only one that agreed with the client on every
// input tried, apart from two differences that the client has and the
// release has not:
//
//   - Block quotes. Which line without a ">" still belongs to a quote is
//     decided as CommonMark does it, by the innermost open paragraph (see
//     quote.go), not by one regular expression.
//   - A second definition of the same link label stays in the text.
//
// testdata/peer holds the release with those two differences put in; the tests
// compare this package with it.
//
// goldmark and the other Go libraries are not used: they follow CommonMark,
// which differs from marked in hundreds of small ways that decide whether a
// file loads, and they build their tables when the process starts, which a
// command that runs in a hook cannot pay for.
//
// # Where it differs
//
// Known and left as it is, all far from what people write:
//
//   - A backslash before an astral symbol (as in `\😀`) shifts marked's mask
//     by one UTF-16 unit, so emphasis before it in the same paragraph may pair
//     otherwise.
//   - Indented code that continues a paragraph keeps its blanks behind U+2028.
//   - In a quoted list that goes on without ">" and then again with it, a line
//     that both opens a block and is indented less than its list item
//     (measured: about 1 in 10,000 generated documents full of containers).
//   - Text that costs more than the work limit (see Lex), or that is nested
//     more than 1,000 deep, counts as plain text from there on and Cut is set.
//     The client goes on, quadratically, or gives up the file.
//
// Positions are byte offsets. Derived texts (a quote without its markers, a
// list item without its indentation) remember where each byte came from.
package markdown
