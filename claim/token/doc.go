// Package token cuts a text into words, values, paths and signs, in lower case
// and without accents, and words down to their stems. It knows the lines of
// Markdown as far as a sentence needs it.
//
// It is pure, reads each byte once, and takes any bytes.
package token
