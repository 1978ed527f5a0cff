package scan

import (
	"strconv"
	"strings"
)

type hostKind uint8

const (
	hostNone    hostKind = iota // no host name
	hostLocal                   // this machine or a private network
	hostKnown                   // a service that nearly every project talks to
	hostUnknown                 // anybody's
	hostIP                      // a public address without a name
)

// hosts tells known hosts from others.
type hosts struct{ allow []string }

// kind says what text is as a host name; hostNone for file names, versions and
// expressions with dots.
func (h *hosts) kind(text string) hostKind {
	name, _, _ := strings.Cut(text, ":")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".local") {
		return hostLocal
	}
	if kind := ipKind(name); kind != hostNone {
		return kind
	}
	if !hostShaped(name) || !topLevel(name[strings.LastIndexByte(name, '.')+1:]) {
		return hostNone
	}
	return h.trusted(name)
}

// kindOf is kind for the host of a URL, where no shape is in doubt; url decides
// on hosts where anybody can put a file.
func (h *hosts) kindOf(host, url string) hostKind {
	switch {
	case host == "" || host == "::1" || host == "localhost":
		return hostLocal
	case h.kind(host) == hostLocal:
		return hostLocal
	}
	if kind := ipKind(host); kind != hostNone {
		return kind
	}
	if !strings.Contains(host, ".") {
		return hostLocal
	}
	if host == "raw.githubusercontent.com" {
		for _, owner := range [...]string{"/homebrew/", "/nvm-sh/", "/golangci/", "/helm/", "/ohmyzsh/"} {
			if strings.Contains(url, owner) {
				return hostKnown
			}
		}
		return h.allowed(host)
	}
	return h.trusted(host)
}

func (h *hosts) allowed(name string) hostKind {
	for _, a := range h.allow {
		if within(name, strings.ToLower(a)) {
			return hostKnown
		}
	}
	return hostUnknown
}

func (h *hosts) trusted(name string) hostKind {
	for known := range strings.FieldsSeq(knownHosts) {
		if within(name, known) && !openToAll(name) {
			return hostKnown
		}
	}
	return h.allowed(name)
}

// openToAll are corners of known services where anybody can put or read things.
func openToAll(name string) bool {
	switch name {
	case "gist.github.com", "gist.githubusercontent.com", "raw.githubusercontent.com", "docs.google.com",
		"drive.google.com", "script.google.com", "forms.google.com", "sites.google.com", "storage.google.com":
		return true
	}
	return false
}

func within(name, domain string) bool {
	return name == domain || strings.HasSuffix(name, domain) && name[len(name)-len(domain)-1] == '.'
}

// knownHosts are registries, tool vendors and documentation that instructions of
// ordinary projects name.
const knownHosts = `github.com gitlab.com bitbucket.org codeberg.org npmjs.com npmjs.org yarnpkg.com pnpm.io
pypi.org pythonhosted.org python.org crates.io docs.rs rust-lang.org rustup.rs golang.org go.dev nodejs.org
docker.com docker.io ghcr.io quay.io gcr.io debian.org ubuntu.com fedoraproject.org archlinux.org alpinelinux.org
brew.sh deno.land deno.com bun.sh astral.sh jsr.io microsoft.com google.com mozilla.org w3.org wikipedia.org
stackoverflow.com anthropic.com claude.com claude.ai openai.com kubernetes.io k8s.io helm.sh hashicorp.com
terraform.io apple.com maven.org apache.org gradle.org rubygems.org packagist.org nuget.org sigstore.dev
json-schema.org ietf.org rfc-editor.org schema.org unicode.org ecma-international.org sentry.io cloudflare.com
postgresql.org sqlite.org mysql.com redis.io nginx.org letsencrypt.org volta.sh sdkman.io nixos.org jetbrains.com
godoc.org golangci-lint.run pre-commit.com digitalocean.com keepachangelog.com semver.org conventionalcommits.org shields.io readthedocs.io readthedocs.org`

// hostShaped reports dots between labels of letters, digits and hyphens.
func hostShaped(name string) bool {
	label := 0
	dots := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.':
			if label == 0 {
				return false
			}
			dots++
			label = 0
		case c == '-' || asciiLetter(rune(c)) || c >= '0' && c <= '9' || c >= 0x80:
			label++
		default:
			return false
		}
	}
	return dots > 0 && label > 1 && len(name) < 254
}

// topLevel reports the ends of host names that are not ends of file names.
func topLevel(name string) bool {
	switch name {
	case "com", "org", "net", "io", "dev", "example", "ai", "co", "info", "xyz", "site", "online", "cloud", "tech",
		"biz", "ru", "cn", "top", "tk", "link", "click", "live", "pw", "cc", "gg", "uk", "de", "fr", "eu", "nl", "ua",
		"jp", "br", "edu", "gov", "app", "onion", "invalid", "website", "moe", "lol", "icu", "buzz", "digital":
		return true
	}
	return false
}

// ipKind says what a dotted address is: private ranges of RFC 1918, RFC 3927
// and loopback are local.
func ipKind(name string) hostKind {
	var part [4]int
	n := 0
	for field := range strings.SplitSeq(name, ".") {
		v, err := strconv.Atoi(field)
		if err != nil || v < 0 || v > 255 || n == 4 {
			return hostNone
		}
		part[n] = v
		n++
	}
	if n != 4 {
		return hostNone
	}
	switch a, b := part[0], part[1]; {
	case a == 127 || a == 10 || a == 0 || a == 255, a == 192 && b == 168, a == 172 && b >= 16 && b < 32, a == 169 && b == 254:
		return hostLocal
	}
	return hostIP
}

// urlHost returns the host of a URL in lower case, without port and user.
func urlHost(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if strings.HasPrefix(rest, "[") {
		rest, _, _ = strings.Cut(rest[1:], "]")
		return rest
	}
	rest, _, _ = strings.Cut(rest, ":")
	return strings.TrimSuffix(rest, ".")
}

// isTemplate reports an address with a place for what was said or read: that is
// how text leaves through a link or an image.
func isTemplate(url string) bool {
	_, query, ok := strings.Cut(url, "?")
	if !ok {
		query = url[strings.Index(url, "://")+1:]
	}
	open := strings.IndexAny(query, "{<[$%")
	if open < 0 {
		return false
	}
	inside := query[open:]
	if strings.HasPrefix(inside, "$(") || strings.HasPrefix(inside, "{{") && ok {
		return true
	}
	if inside[0] == '%' {
		return false
	}
	for _, word := range [...]string{
		"message", "conversation", "chat", "history", "prompt", "context", "answer", "response", "env", "secret",
		"memory", "transcript", "content", "summary", "base64", "password", "credential", "session", "data", "stolen", "leak",
	} {
		if strings.Contains(inside, word) {
			return ok || word != "content" && word != "context" && word != "session" && word != "data"
		}
	}
	return false
}
