// Package agents holds the end-to-end test against Codex CLI and Gemini CLI: what
// dormouse install put into an empty home is what they start, against a scripted
// model on loopback. It is built with -tags agents only; scripts/test-agents.sh
// installs both and runs it.
package agents
