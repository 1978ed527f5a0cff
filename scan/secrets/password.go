package secrets

import "strings"

// password reads `password: v`, DB_PASSWORD=v, --password v and "the password
// for the lab is v". Any value can be a password, so most of this says what is
// none: words of a sentence, types, code.
func password(text string, at, after int) (start, end int, ok bool) {
	if after == at+len("pw:") && lower(text[at+2]) != 'd' {
		after = at + len("pw") // an index has no keyword of two bytes
	}
	if !passwordName(text, at, after) {
		return 0, 0, false
	}
	a, ok := assigned(text, at, after)
	if !ok || a.op == "," || a.op == ">" || a.op == "||" || strings.ContainsAny(text[after:a.value], "\r\n") {
		return besides(text, at, after)
	}
	// "the pass is 2.4x faster", and with "pass" all that is passed somewhere.
	if a.op == "is" && (after-at == len("pass") || after-at == len("pwd")) {
		return 0, 0, false
	}
	// A comparison with a name.
	if a.op == "=" && !a.quoted && strings.Contains(text[after:a.value], "==") {
		return 0, 0, false
	}
	start = a.value
	end = valueEnd(text, start, a.quoted)
	v := text[start:end]
	if len(v) < 4 || len(v) > 200 || madeUp(v) || isCode(text, v, end) || common(v, "") || isUUID(v) {
		return 0, 0, false
	}
	return start, end, likelyPassword(text, v, a, end)
}

// besides reads a password with no sign before it: "the temporary password
// v for the VPN". Four digits or a sign in it tell it from a name such as OAuth2.
func besides(text string, at, after int) (start, end int, ok bool) {
	start = skip(text, after, " \"'`", 2)
	if start == after || text[after] != ' ' {
		return 0, 0, false
	}
	end = valueEnd(text, start, start > after+1)
	v := text[start:end]
	plain := strings.Trim(v, "0123456789")
	// "pass `old2` to it" has the verb.
	if a := text[start-1]; !strings.EqualFold(text[at:after], "pass") && start > after+1 && (a == '"' || a == '\'' || a == '`') && len(v) >= 6 && hasDigit(v) && hasLetter(v) {
		return start, end, !madeUp(v) && !isCode(text, v, end) && !common(v, "") && !strings.Contains(v, " ") && !strings.Contains(v, "_")
	}
	if len(v) < 8 || len(v) > 60 || !hasDigit(v) || !hasLetter(v) || madeUp(v) || isCode(text, v, end) || strings.ContainsAny(v, " ,:;=|@\"'") {
		return 0, 0, false
	}
	return start, end, strings.ContainsAny(v, "!#$%^&*") || strings.Count(v, "-")+strings.Count(v, "_")+strings.Count(v, "/")+strings.Count(v, ".") == 0 && !isHex(v) && len(v)-len(plain) >= 4
}

// passwordName reports whether the word at text[at:after] is a name of its own
// or the end of one: DB_PASS and passwordProd, not compass, passed or passing.
func passwordName(text string, at, after int) bool {
	word := strings.ToLower(text[at:after])
	if word != "pass" && word != "pwd" && word != "pw" {
		// Names that go on are not of the password itself: PASSWORD_FILE, password_hash.
		rest := strings.ToLower(text[after:min(len(text), after+14)])
		rest = strings.TrimLeft(rest, "_-. ")
		return !hasAnyPrefix(rest, "file", "hash", "length", "len", "field", "policy", "min", "max", "manager", "reset", "store", "path", "url", "prompt", "input", "protected", "less", "encoder", "hint", "cmd", "command", "label", "placeholder", "validator", "expir")
	}
	if at > 0 && isWord(text[at-1]) && text[at-1] != '_' {
		return false
	}
	return after >= len(text) || !isWord(text[after])
}

// valueEnd finds the end of a value: its quote, or white space or a sign that
// ends a sentence.
func valueEnd(text string, start int, quoted bool) int {
	end := start
	if quoted && start > 0 && strings.IndexByte("'\"`", text[start-1]) >= 0 {
		quote := text[start-1]
		for end < len(text) && end-start <= 200 && text[end] != quote && text[end] != '\n' {
			end++
		}
		if end < len(text) && text[end] == quote {
			return end
		}
		end = start
	}
	for end < len(text) && end-start <= 200 && !isSpace(text[end]) && strings.IndexByte("'\"`;", text[end]) < 0 {
		end++
	}
	for end > start && strings.IndexByte(".,:)]}*>", text[end-1]) >= 0 {
		end--
	}
	return end
}

// isCode reports whether a value is an expression of a program.
func isCode(text, v string, end int) bool {
	if strings.ContainsAny(v, "()") || end < len(text) && text[end] == '(' {
		return true
	}
	if hasAnyPrefix(v, "os.", "env.", "process.", "config.", "settings.", "self.", "this.", "args.", "@", "&", "~/", "./", "/", "http://", "https://", "op://", "vault:", "secretsmanager:", "ref+", "arn:", "!vault", "!secret") {
		return true
	}
	// user.password, cfg->pw, Data::Password
	return strings.Contains(v, "->") || strings.Contains(v, "::") || strings.Contains(v, ".") && isIdentifier(strings.ReplaceAll(v, ".", ""))
}

func isIdentifier(v string) bool {
	for i := range len(v) {
		if !isWord(v[i]) || '0' <= v[i] && v[i] <= '9' {
			return false
		}
	}
	return true
}

// likelyPassword weighs a value that is no placeholder: with a digit or a sign
// in it it is a password; letters alone only where nothing but a value can
// stand.
func likelyPassword(text, v string, a assignment, end int) bool {
	if a.op == "|" && !hasDigit(v) {
		return false
	}
	if a.op == "is" {
		// "the password is 12 characters long", "is 3rd-party", "is in 1Password"
		if !a.quoted && (!hasDigit(v) || !hasLetter(v) || lowerSlug(v)) {
			return false
		}
		return !strings.Contains(v, " ") || a.quoted && hasDigit(v)
	}
	if a.quoted {
		return !strings.Contains(v, " ") || hasDigit(v) || strings.Count(v, " ") >= 3
	}
	if strings.Trim(v, "0123456789.-/:") == "" {
		return len(v) >= 6 && strings.Trim(v, "0123456789") == "" // no version, no date
	}
	if hasDigit(v) || strings.ContainsAny(v, "!#$%^&+=?~@*") {
		return true
	}
	// docker run -e POSTGRES_PASSWORD=v
	if name := text[a.name : a.value-1]; a.op == "=" && text[a.value-1] == '=' && len(v) >= 6 && strings.ToUpper(name) == name && strings.ToLower(name) != name {
		return true
	}
	if !wholeLine(text, a.name, end) {
		return false
	}
	// Names in a program: password = new_password.
	return a.op != "=" || strings.ToUpper(text[a.name:a.name+1]) == text[a.name:a.name+1] || !strings.Contains(v, "_")
}

// secretValue reads a value with signs that the generic rule stops at, behind a
// name that only credentials have: SECRET_KEY = 'k3x!9v$w...'.
func secretValue(text string, at, after int) (start, end int, ok bool) {
	a, ok := assigned(text, at, after)
	if !ok || strings.ContainsAny(text[after:a.value], "\r\n") {
		return 0, 0, false
	}
	start, end = a.value, valueEnd(text, a.value, a.quoted)
	v := text[start:end]
	if len(v) < 16 || len(v) > 200 || !hasDigit(v) || !hasLetter(v) || strings.ContainsAny(v, " <>[]{}()|/\\") || strings.Contains(v, "...") {
		return 0, 0, false
	}
	mixed := strings.ToUpper(v) != v && strings.ToLower(v) != v
	return start, end, (a.quoted || mixed) && entropy(v) >= 3.5 && !madeUp(v) && !isCode(text, v, end) && !wordy(v) && strings.ContainsAny(v, "!#$%^&*?~@")
}

func hasLetter(v string) bool {
	for i := range len(v) {
		if isLetter(v[i]) {
			return true
		}
	}
	return false
}

// lowerSlug reports whether v is words in lower case and numbers with dashes.
func lowerSlug(v string) bool {
	return strings.ContainsAny(v, "-/.") && wordy(v) && strings.ToLower(v) == v
}

// wholeLine reports whether the assignment is all there is on its line, as in an
// .env file or front matter.
func wholeLine(text string, start, end int) bool {
	before := text[max(0, start-40):start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	before = strings.TrimPrefix(strings.Trim(before, " \t-*>\"'`"), "export")
	after := text[end:min(len(text), end+80)]
	if n := strings.IndexByte(after, '\n'); n >= 0 {
		after = after[:n]
	}
	after = strings.TrimLeft(after, " \t\r\"'`,;")
	return strings.TrimSpace(before) == "" && (after == "" || after[0] == '#')
}

// common reports whether a password is a word that stands for one, a type or
// the user's name: postgres://postgres:postgres@localhost.
func common(v, user string) bool {
	low := strings.ToLower(strings.Trim(v, "_-.,;:!?*<>\\"))
	if low == strings.ToLower(user) || strings.Trim(low, low[:min(1, len(low))]) == "" {
		return true // or one character again and again
	}
	switch low {
	case "", "password", "passwort", "passwd", "pass", "pw", "pwd", "passphrase", "secret", "mysecret", "mypassword", "my-password", "my_password", "yourpassword",
		"password1", "password123", "pass123", "secret123", "test123", "foo", "bar", "baz", "foobar", "test", "testing", "testpass", "testpassword", "test-password", "test_password",
		"postgres", "mysql", "root", "admin", "user", "guest", "minioadmin", "changeit", "default", "sample", "demo", "fake", "mock", "some-password", "somepassword", "token",
		"string", "str", "text", "varchar", "char", "bool", "boolean", "bytes", "number", "object", "any", "type", "none", "null", "nil", "undefined", "true", "false", "yes", "no",
		"required", "optional", "hidden", "masked", "empty", "missing", "invalid", "incorrect", "wrong", "unknown", "unset", "disabled", "enabled", "expired", "rotated", "removed", "omitted", "stripped",
		"encrypted", "hashed", "plaintext", "plain", "bcrypt", "argon2", "argon2id", "scrypt", "sha256", "md5", "base64", "utf8", "utf-8", "stdin", "prompt", "interactive", "keychain", "keyring", "1password", "bitwarden", "vault", "env", "environment",
		"see", "stored", "ask", "never", "always", "must", "should", "cannot", "the", "your", "same", "login", "value", "here", "n/a", "tbd", "todo", "field", "input", "passkey", "oauth", "oauth2", "oidc", "ldap", "saml", "2fa", "totp":
		return true
	}
	return false
}
