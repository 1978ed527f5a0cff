// Package claude holds the end-to-end test against the real client: random
// projects, what it really sent, and what dormouse says it would send. It is
// built with -tags claude only; make test-claude installs the client and runs it.
package claude
