// Package draft turns a sentence that somebody wants remembered into what a note
// needs beside it: a file name, a title, a description, a type. It also takes a
// text with several facts apart and finds the notes that already hold one.
//
// It is pure and does the same at every run: plain rules over words, no model.
// Wherever rules can't tell, it stays silent (Same) or says that it had nothing
// to go by (Draft.TypeWhy): a person can correct a missing offer more easily
// than a wrong one.
//
// The words it knows are English and Ukrainian. Of other languages it compares
// words as they stand, and of scripts without spaces pairs of characters.
package draft
