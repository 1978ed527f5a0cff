// Package scan reads a text that a coding agent may keep as memory and says
// what in it looks like poison: characters and markup that a person does not
// see, encoded instructions, forged delimiters and roles, and instructions to
// the agent together with something they reach for (a command, an address, a
// package, a permission, a file outside the project, the memory itself, silence
// towards the user). It also reports secrets and, on request, personal data.
//
// It is a warning layer. Poison can be plain prose with nothing to find in it,
// so what may load is decided by where a text came from, not by this package;
// [Scanner.Actions] tells that decision what a text asks for.
//
// The package is pure: text in, findings out. Offsets are bytes of the text
// given, lines and columns count from 1, columns in runes. No text makes it
// panic, and its work grows linearly with the text.
package scan
