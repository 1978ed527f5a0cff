package model

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// The names of what a Spec can begin with.
const (
	anthropicName = "anthropic"
	openaiName    = "openai"
	ollamaName    = "ollama"
	claudeName    = "claude-cli"
	codexName     = "codex-cli"
)

// Endpoint is a server to ask: what a Spec and the environment come to.
type Endpoint struct {
	Provider string // "anthropic", "openai" or "ollama": the wire form
	Model    string
	Base     string // of OpenAI with /v1, as its own SDKs want it
	Key      Key
	Bearer   bool // the key is one of ANTHROPIC_AUTH_TOKEN
	Stream   bool
}

type spec struct{ provider, model, base string }

// CheckSpec tells what is wrong with a Config.Spec as it is written; nothing is
// looked up. Errors wrap ErrNoEngine.
func CheckSpec(text string) error { _, err := parseSpec(text); return err }

func parseSpec(text string) (spec, error) {
	provider, rest, _ := strings.Cut(text, ":")
	s := spec{provider: provider, model: rest}
	for _, scheme := range []string{"@http://", "@https://"} {
		if i := strings.LastIndex(rest, scheme); i >= 0 {
			s.model, s.base = rest[:i], rest[i+1:]
		}
	}
	program := provider == claudeName || provider == codexName
	switch {
	case provider != anthropicName && provider != openaiName && provider != ollamaName && !program:
		return s, fmt.Errorf("%w: %.40q begins with none of anthropic:, openai:, ollama:, claude-cli, codex-cli", ErrNoEngine, provider)
	case program && s.base != "":
		return s, fmt.Errorf("%w: %s takes no address", ErrNoEngine, provider)
	case s.model == "" && !program:
		return s, fmt.Errorf("%w: %s: needs the name of a model behind it", ErrNoEngine, provider)
	case strings.HasPrefix(s.model, "-") || len(s.model) > 200 || strings.ContainsFunc(s.model, func(r rune) bool { return r <= ' ' || r > '~' }):
		// It becomes an argument of a program and part of each report.
		return s, fmt.Errorf("%w: that is no name of a model", ErrNoEngine)
	}
	return s, nil
}

func (s spec) name() string {
	if s.model == "" {
		return s.provider
	}
	return s.provider + ":" + s.model
}

// address says where the server of a spec is, and whether that is the provider's
// own.
func (s spec) address(getenv func(string) string) (base string, own bool, err error) {
	standard := map[string]string{
		anthropicName: "https://api.anthropic.com",
		openaiName:    "https://api.openai.com/v1",
		ollamaName:    "http://127.0.0.1:11434",
	}[s.provider]
	variable := map[string]string{anthropicName: "ANTHROPIC_BASE_URL", openaiName: "OPENAI_BASE_URL", ollamaName: "OLLAMA_HOST"}[s.provider]
	base, from := s.base, "the specification"
	if base == "" {
		base, from = strings.TrimSpace(getenv(variable)), variable
		if s.provider == ollamaName {
			base = ollamaHost(base)
		}
	}
	if base == "" {
		return standard, true, nil
	}
	u, err := url.Parse(base)
	switch {
	// The error of url.Parse quotes what may hold a password.
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", false, fmt.Errorf("%w: %s holds no address like https://host/path", ErrNoEngine, from)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", false, fmt.Errorf("%w: the address in %s may hold no password, query or fragment: keys come from the environment", ErrNoEngine, from)
	case u.Scheme == "http" && s.base == "" && !loopback(u.Hostname()):
		return "", false, fmt.Errorf("%w: %s is plain http to another machine: anybody on the way could read it; if that is meant, write %s:%s@http://… as the model",
			ErrNoEngine, from, s.provider, s.model)
	}
	base = strings.TrimRight(base, "/")
	return base, base == standard, nil
}

// ollamaHost reads OLLAMA_HOST as Ollama's own client does: scheme and port may be
// left out, and the address to listen on at all interfaces is asked on loopback.
func ollamaHost(host string) string {
	if host == "" {
		return ""
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		return host
	}
	name, port := u.Hostname(), u.Port()
	switch {
	case name == "0.0.0.0" || name == "" || name == "::":
		name = "127.0.0.1"
	case strings.Contains(name, ":"):
		name = "[" + name + "]"
	}
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	if port != "" {
		name += ":" + port
	}
	u.Host = name
	return u.String()
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
