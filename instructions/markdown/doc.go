// Package markdown lexes the part of Markdown that decides two questions about
// an instruction file: which text can hold an import, and which blocks are
// comments. It is not a renderer and builds no tree.
//
// # What it copies
//
// Claude Code 2.1.332 lexes instruction files as the JavaScript library marked
// (MIT licence) does without its GitHub extensions (gfm: false), so a question
// like "is this @path code?" has the answer that marked gives, not the one that
// CommonMark gives. This package follows marked 15.0.7. Of the more than 60
// releases from 4.2.12 to 18.2.1 that were tried, 15.0.0 to 15.0.7 are the only
// ones that agreed with the client on every input, apart from two differences
// that the client has and the releases have not:
//
//   - Block quotes. Which line without a ">" still belongs to a quote is
//     decided as CommonMark does it, by the innermost open paragraph (see
//     quote.go), not by one regular expression.
//   - Link definitions are tokens of their own: they stay in the text when
//     comments are taken out of it.
//
// testdata/peer holds the release with those two differences put in; the tests
// compare this package with it.
//
// goldmark and its like are not used: they follow CommonMark, which differs from
// marked in many small ways that decide whether a file loads, and they compile
// regular expressions when the process starts, which a command that runs in a
// hook cannot pay for.
//
// # Where it differs
//
// Known and left as it is, all far from what people write:
//
//   - A backslash before an astral symbol (as in `\😀`) shifts marked's mask
//     by one UTF-16 unit, so emphasis before it in the same paragraph may pair
//     otherwise.
//   - Indented code that continues a paragraph keeps its blanks behind U+2028.
//   - In a quote with list items, where a line lacks the ">" and later ones have
//     it again but lack the items' indentation (about 1 in 10,000 generated
//     documents full of containers).
//   - Text that costs more than the work limit (see Lex), or that is nested
//     more than 1,000 deep, counts as plain text from there on and Cut is set.
//     The client goes on, quadratically, or gives up the file.
//
// Positions are byte offsets. Derived texts (a quote without its markers, a
// list item without its indentation) remember where each byte came from.
package markdown
