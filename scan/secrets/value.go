package secrets

import (
	"strings"
	"unicode/utf8"
)

// madeUp reports whether a value stands for a credential and is none: a mask, a
// variable, an example, characters in a row.
func madeUp(v string) bool {
	if v == "" || strings.IndexByte("$<[{%", v[0]) >= 0 {
		return true
	}
	low := strings.ToLower(v)
	for _, word := range [...]string{
		"example", "placeholder", "changeme", "change-me", "change_me", "redacted", "xxxx", "****", "..", "…", "${", "{{", "$(",
		"your-", "your_", "yourtoken", "yourkey", "dummy", "notreal", "not-real", "not_real", "removed]", "insert-", "replace-", "-here", "_here",
	} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return inARow(low)
}

// inARow reports whether eight characters follow one another as in 12345678, or
// eight are the same. Rows of A are part of real tokens.
func inARow(v string) bool {
	up, same := 1, 1
	for i := 1; i < len(v); i++ {
		switch {
		case v[i] == v[i-1]+1 || v[i-1] == '9' && v[i] == '0':
			up++
		default:
			up = 1
		}
		if v[i] == v[i-1] && v[i] != 'a' {
			same++
		} else {
			same = 1
		}
		if up >= 8 || same >= 8 {
			return true
		}
	}
	return false
}

// unlikely reports that a value fits the shape but is no credential. gitleaks
// has no such test: in source code a name and a value are nearly always what
// they seem; in notes the names are words of a sentence, and hashes, paths and
// slugs stand behind them.
func unlikely(before, name, value string, a assignment, generic bool) bool {
	low := strings.ToLower(name)
	if !hasDigit(value) {
		return true
	}
	if (isHex(value) || isUUID(value)) && !containsAny(low, "key", "token", "secret", "passw", "auth", "cred", "api") {
		return true
	}
	if !generic {
		return false
	}
	strong := strongName(low) || containsAny(strings.ToLower(before), "signing ", "encryption ", "master ", "secret ", "private ", "license ")
	if (isHex(value) || isUUID(value)) && !strong {
		return true
	}
	if containsAny(low, "public", "pubkey", "integrity", "checksum", "digest", "fingerprint", "sha1", "sha2", "sha5", "base64", " h1:") {
		return true
	}
	if !strong && (containsAny(low, "hash", "commit", "etag", "revision", "cache", "idempotency") || strings.HasSuffix(strings.TrimRight(low, " \t:='\"`*"), "id")) {
		return true
	}
	if a.op == "is" && !strong && !a.quoted {
		return true
	}
	return wordy(value) || hasAnyPrefix(value, "sha1-", "sha256-", "sha384-", "sha512-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "age1", "data:")
}

// strongName reports whether a name (in lower case) is one of a credential and
// of nothing else: "key" and "access" are not.
func strongName(low string) bool {
	return containsAny(low, "secret", "token", "passw", "api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key", "accesskey", "private key", "private_key", "privatekey", "auth_key", "authkey", "credential", "signing_key", "signing-key", "encryption_key", "encryption-key", "master_key", "master-key")
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func hasAnyPrefix(s string, words ...string) bool {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isHex(s string) bool {
	for i := range len(s) {
		if c := lower(s[i]); (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) > 0
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i:i+1]) {
			return false
		}
	}
	return true
}

// wordy reports whether a value is made of words and small numbers: a path, a
// slug, a version, a name from a program, a date.
func wordy(v string) bool {
	pieces := 0
	for len(v) > 0 {
		n := strings.IndexAny(v, "-_./=+:@~,;")
		piece := v
		if n >= 0 {
			piece, v = v[:n], v[n+1:]
		} else {
			v = ""
		}
		if piece == "" {
			continue
		}
		pieces++
		if !wordyPiece(piece) {
			return false
		}
	}
	return pieces > 0
}

// isCamel reports whether v is a name in a program, GLC_CreateLightmapTextures.
// An AWS key id can be without a digit too, but has no lower case.
func isCamel(v string) bool {
	return !hasDigit(v) && strings.ToUpper(v) != v && wordy(v)
}

// wordyPiece: letters with at most four digits at one end, or eight digits.
func wordyPiece(p string) bool {
	letters := strings.Trim(p, "0123456789")
	if letters == "" {
		return len(p) <= 8
	}
	if hasDigit(letters) || len(p)-len(letters) > 4 {
		return false
	}
	return !scrambled(letters)
}

// scrambled reports whether letters change case more often than camelCase does.
func scrambled(s string) bool {
	changes := 0
	for i := 1; i < len(s); i++ {
		if s[i] < utf8.RuneSelf && isUpper(s[i]) != isUpper(s[i-1]) {
			changes++
		}
	}
	return changes > 2 && changes*3 > len(s)
}

func isLetter(c byte) bool { c = lower(c); return 'a' <= c && c <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
