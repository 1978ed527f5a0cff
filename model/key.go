package model

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Key is a secret that doesn't print: whatever formats or marshals it gets
// "[key]". It is a function inside, since package fmt calls no method of a field
// that is not exported, and would print a string there.
type Key struct{ reveal func() string }

// NewKey wraps a secret.
func NewKey(text string) Key {
	if text == "" {
		return Key{}
	}
	return Key{func() string { return text }}
}

// Reveal returns the secret itself, for the header it goes into.
func (k Key) Reveal() string {
	if k.reveal == nil {
		return ""
	}
	return k.reveal()
}

// Empty reports whether there is no key.
func (k Key) Empty() bool { return k.reveal == nil }

const hidden = "[key]"

// String hides the key.
func (k Key) String() string { return hidden }

// Format hides the key from every verb, %#v and %x included.
func (k Key) Format(f fmt.State, _ rune) { fmt.Fprint(f, hidden) }

// MarshalJSON hides the key.
func (k Key) MarshalJSON() ([]byte, error) { return json.Marshal(hidden) }

func keyVariable(provider string) string {
	if provider == anthropicName {
		return "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"
	}
	return "OPENAI_API_KEY"
}

func keychainName(provider string) string { return "dormouse-" + provider }

// findKey looks into the environment first, then into the keychain. bearer says
// that it is a token and no API key.
func findKey(provider string, getenv func(string) string) (key Key, bearer bool) {
	clean := func(name string) string { return strings.TrimSpace(getenv(name)) }
	switch provider {
	case anthropicName:
		if k := clean("ANTHROPIC_API_KEY"); k != "" {
			return NewKey(k), false
		}
		if k := clean("ANTHROPIC_AUTH_TOKEN"); k != "" {
			return NewKey(k), true
		}
	case openaiName:
		if k := clean("OPENAI_API_KEY"); k != "" {
			return NewKey(k), false
		}
	default:
		return Key{}, false // a local server
	}
	return NewKey(keychain(provider, getenv)), false
}

// keychainTime is how long a person has to allow the look.
const keychainTime = 30 * time.Second

// keychain asks the system's keychain program, and only reads. No such program,
// no such entry and a person who says no are all no key.
func keychain(provider string, getenv func(string) string) string {
	name, args := "secret-tool", []string{"lookup", "service", "dormouse", "provider", provider}
	if runtime.GOOS == "darwin" {
		name, args = "security", []string{"find-generic-password", "-w", "-s", keychainName(provider)}
	}
	path := lookPath(name, getenv)
	if path == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), keychainTime)
	defer cancel()
	out, err := run(ctx, program{path: path, args: args, env: environment(getenv, keychainVariables())})
	if err != nil {
		return ""
	}
	key := strings.TrimSpace(string(out))
	if len(key) > 4096 || strings.ContainsAny(key, "\r\n\x00") {
		return "" // no header can carry it
	}
	return key
}

func keychainVariables() []string {
	return []string{"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"}
}

// secretVariables are those that programs we start may be given, and echo.
func secretVariables() []string {
	return []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "CODEX_API_KEY",
		"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK",
	}
}

// minSecret in bytes: replacing a shorter one would spoil texts that only happen
// to hold it.
const minSecret = 6

func environmentSecrets(getenv func(string) string) []Key {
	var list []Key
	for _, name := range secretVariables() {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			list = append(list, NewKey(v))
		}
	}
	return list
}

// scrub takes the secrets out of a text that came from outside.
func scrub(text string, secrets []Key) string {
	// The longest first: one may be the beginning of another.
	sorted := slices.Clone(secrets)
	slices.SortFunc(sorted, func(a, b Key) int { return len(b.Reveal()) - len(a.Reveal()) })
	for _, s := range sorted {
		if len(s.Reveal()) >= minSecret {
			text = strings.ReplaceAll(text, s.Reveal(), hidden)
		}
	}
	return text
}
