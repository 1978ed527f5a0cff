// Package housekeeping holds tests of the tree as a whole: which package may
// import which, what the binary may not link, what may not run before main, and
// what every source file must have. It has no code of its own.
package housekeeping
