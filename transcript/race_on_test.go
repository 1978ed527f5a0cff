//go:build race

package transcript

// shadow is how many times the memory of a process may be what it reads with: the
// race detector keeps several bytes for each.
const shadow = 3
