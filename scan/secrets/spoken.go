package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spokenWithin is how far behind the word for a secret its value may begin, in bytes.
const spokenWithin = 90

// spokenRules are those for secrets that somebody says in a sentence, where no sign
// of a program stands: "токен для CI — v", "the api key v for the maps service".
//
// Keywords are compared without regard to case in ASCII only, so those in Cyrillic
// lack their first letter, the one that may be a capital.
func spokenRules() []*rule {
	return []*rule{
		{id: "spoken-secret", why: "a secret said in words", kind: kindCode, rank: rankGeneric, code: spoken, keywords: []string{
			"ароль", "аролем", "окен", "люч", "екрет", "одове слово",
			"api key", "token", "access key", "secret", "password", "passphrase", "passcode", "credentials",
		}},
		{id: "spoken-pin", why: "a PIN", kind: kindCode, boundary: true, rank: rankPassword, code: pin, keywords: []string{"pin", "passcode"}},
		{id: "spoken-pin", why: "a PIN", kind: kindCode, rank: rankPassword, code: pin, keywords: []string{"ін", "ін-код", "од від"}},
		{id: "passphrase", why: "a passphrase", kind: kindCode, rank: rankPassword, code: passphrase, keywords: []string{"passphrase", "одова фраза"}},
		{id: "spoken-secret", why: "a password said in words", kind: kindCode, rank: rankPassword, code: asPassword, keywords: []string{" as password", " as the password", " as passphrase", " як пароль"}},
	}
}

// wholeSpoken tells whether a word begins at a place and is none of a program.
func wholeSpoken(text string, at int) bool {
	if at < len(text) && text[at] >= utf8.RuneSelf {
		_, n := utf8.DecodeLastRuneInString(text[:at])
		at -= n // the letter that the keyword lacks
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return at == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
}

// spoken reads the first word behind the word for a secret that looks like nothing
// but a value: letters in both cases, or none of a language, with digits.
func spoken(text string, at, after int) (start, end int, ok bool) {
	if !wholeSpoken(text, at) {
		return 0, 0, false
	}
	for i := after; i < len(text) && i < after+spokenWithin; {
		if strings.IndexByte("\n\r.;,\"'`()+{}[]<>|\\", text[i]) >= 0 {
			return 0, 0, false
		}
		if text[i] != ' ' {
			i++
			continue
		}
		for i < len(text) && text[i] == ' ' {
			i++
		}
		v := i
		if v < len(text) && strings.IndexByte("\"'`", text[v]) >= 0 {
			v++
		}
		if e := valueEnd(text, v, false); e > v && saidValue(text, text[v:e], e) {
			return v, e, true
		}
	}
	return 0, 0, false
}

func saidValue(text, v string, end int) bool {
	if len(v) < 12 || len(v) > 200 || !hasDigit(v) || !hasLetter(v) || madeUp(v) || isCode(text, v, end) || isUUID(v) || strings.ContainsAny(v, "/\\@<>{}[]|=,:") {
		return false
	}
	for _, r := range v {
		if r >= utf8.RuneSelf {
			return false
		}
	}
	if strings.ToLower(v) == v { // of a slug or a version there are many
		return len(v) >= 16 && random(v) && !strings.ContainsAny(v, "-._")
	}
	return strings.ToUpper(v) != v && entropy(v) >= 3 && !strings.Contains(v, "_") && strings.Count(v, ".") == 0
}

// pin reads four to eight digits said to be a PIN.
func pin(text string, at, after int) (start, end int, ok bool) {
	if !wholeSpoken(text, at) {
		return 0, 0, false
	}
	line := command(text[after:])
	for i := 0; i < len(line) && i < 40 && strings.IndexByte(".;\n", line[i]) < 0; i++ {
		if line[i] < '0' || line[i] > '9' {
			continue
		}
		n := i
		for n < len(line) && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		before := strings.TrimRight(line[:i], " \"'`")
		said := before == "" || strings.HasSuffix(before, " is") || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "—") || strings.HasSuffix(before, " це") || strings.HasSuffix(before, " -")
		whole := n == len(line) || strings.IndexByte(" .,;!?)\"'`<", line[n]) >= 0 && !hasFold(line[n:], " char") && !hasFold(line[n:], " digit")
		return after + i, after + n, said && whole && n-i >= 4 && n-i <= 8 && (i == 0 || !isWord(line[i-1]))
	}
	return 0, 0, false
}

// passphrase reads three words or more that are said to be one.
func passphrase(text string, at, after int) (start, end int, ok bool) {
	line := command(text[after:])
	if n := strings.IndexAny(line, ".;!?"); n >= 0 {
		line = line[:n]
	}
	for _, verb := range [...]string{" is ", ": ", " — ", " - ", " це "} {
		i := strings.Index(line, verb)
		if i < 0 || i > 40 {
			continue
		}
		start = after + i + len(verb)
		words := strings.Fields(line[i+len(verb):])
		if len(words) < 3 || len(words) > 10 {
			return 0, 0, false
		}
		for _, w := range words {
			if !plainWord(w) {
				return 0, 0, false
			}
		}
		return start, after + len(strings.TrimRight(line, " ")), true
	}
	return 0, 0, false
}

// plainWord tells words such as a passphrase is made of from those that sentences
// are.
func plainWord(w string) bool {
	switch w {
	case "the", "a", "an", "in", "on", "at", "to", "of", "for", "not", "too", "very", "stored", "kept", "never", "always", "required", "and", "or", "by", "with", "from", "that", "you", "we", "it", "у", "в", "на", "не", "і", "та", "з", "для":
		return false
	}
	return strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLower(r) }) < 0
}

// asPassword reads the word before "as password".
func asPassword(text string, at, _ int) (start, end int, ok bool) {
	end = at
	start = strings.LastIndexAny(text[:end], " \n\t") + 1
	v := strings.Trim(text[start:end], "\"'`")
	start += strings.Index(text[start:end], v)
	return start, start + len(v), len(v) >= 6 && hasDigit(v) && hasLetter(v) && !madeUp(v) && !common(v, "") && !isCode(text, v, end)
}
