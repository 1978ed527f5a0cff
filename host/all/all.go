// Package all lists the hosts. A further host is one package and one line here.
package all

import (
	"dormouse/host"
	"dormouse/host/claude"
	"dormouse/host/codex"
	"dormouse/host/gemini"
)

// Hosts returns every host, the one that is asked about by default first.
func Hosts() []host.Host {
	return []host.Host{claude.Host{}, codex.Host{}, gemini.Host{}}
}
