// Package instructions reads the text of instruction files as the client does:
// which @words import a file, and what is left when the comments are out. It is
// pure: text in, facts out.
package instructions
