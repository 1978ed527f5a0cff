package keep

import (
	"strings"
	"unicode"

	"dormouse/extract"
	"dormouse/scan/secrets"
)

// masked stands for a secret that only its name gave away.
const masked = "[secret removed]"

// Clean is a text as it may be printed or recorded: what the guard and the scan for
// secrets know is masked, and so is what stands behind a name like "pin" or
// "password". Of a sentence that goes no further a mask too many costs nothing.
func (k *Keeper) Clean(text string) string {
	if text, _ = k.Guard.Clean(text); k.Guard.Policy.NoScan { // which is for notes that a person writes
		if k.finder == nil {
			k.finder = secrets.New()
		}
		text, _ = k.finder.Redact(text)
	}
	return hideNamed(text)
}

// CleanDropped is what was not kept, fit to be printed.
func (k *Keeper) CleanDropped(list []extract.Dropped) []extract.Dropped {
	out := make([]extract.Dropped, len(list))
	for i, d := range list {
		d.Quote, d.Why = k.Clean(d.Quote), k.Clean(d.Why)
		out[i] = d
	}
	return out
}

// hideNamed masks what a flag, a variable or a word says is a secret: --pin X,
// DB_PASS=X, "the API key: X".
func hideNamed(text string) string {
	var out strings.Builder
	done, named := 0, 0 // named: words to go in which a value may follow the name
	flag := false       // the name was a flag: the next word is its value whatever it is
	for start, end := range words(text) {
		word := text[start:end]
		from, ok := valueIn(word)
		switch {
		case ok && !placeholder(word[from:]) && (word[from-1] == '=' && !vague(word[:from]) || opaque(word[from:])):
			start += from
		case flag && !strings.HasPrefix(word, "-") && !placeholder(word), named > 0 && opaque(word):
		default:
			flag = strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && secretName(word) && !vague(word)
			if named--; secretName(word) {
				named = nearName
			}
			continue
		}
		end = start + len(strings.TrimRight(text[start:end], ".,;:!?)\"'»”`"))
		out.WriteString(text[done:start] + masked)
		done, named, flag = end, 0, false
	}
	return out.String() + text[done:]
}

// nearName is how many words behind its name a secret may stand.
const nearName = 4

// words are the places of the words of a text.
func words(text string) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		start := -1
		for i, r := range text + " " {
			switch space := unicode.IsSpace(r); {
			case space && start >= 0:
				if !yield(start, i) {
					return
				}
				start = -1
			case !space && start < 0:
				start = i
			}
		}
	}
}

// valueIn is where the value begins in a word like --pin=X or DB_PASS:X.
func valueIn(word string) (int, bool) {
	i := strings.IndexAny(word, "=:")
	return i + 1, i > 0 && secretName(word[:i])
}

// vague names are as often those of a column to sort by.
func vague(name string) bool {
	name = strings.ToLower(strings.Trim(name, "-=:"))
	return name == "key" || name == "код" || name == "ключ"
}

// placeholder tells what stands for a secret and is none: $TOKEN, <token>, {{ … }}.
func placeholder(value string) bool {
	value = strings.TrimLeft(value, "\"'`")
	return value == "" || strings.ContainsAny(value[:1], "$<{[%*@")
}

// secretName reports whether a word is the name of a secret, whatever it is put
// together with: API_KEY, --db-password, ключа.
func secretName(word string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch part {
		case "pin", "pass", "passwd", "password", "passphrase", "passcode", "pwd", "secret", "token", "key", "apikey", "otp", "credential", "credentials",
			"пін", "код", "ключ", "ключа", "ключем", "пароль", "пароля", "паролем", "паролю", "токен", "токена", "секрет", "секрету":
			return true
		}
	}
	return false
}

// opaque reports whether a word looks made by a machine, or for one: of eight or
// more letters and digits mixed, as no word of a language is.
func opaque(word string) bool {
	word = strings.Trim(word, ".,;:!?()\"'«»“”`")
	if len(word) < 8 || strings.ContainsAny(word, "/@") {
		return false
	}
	changes, upper, lower, digit := 0, false, false, false
	last := rune(0)
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsUpper(r):
			upper = true
		case unicode.IsLower(r):
			lower = true
		case !strings.ContainsRune("_-+=~!#$%^&*", r):
			return false
		}
		if unicode.IsDigit(r) && unicode.IsLetter(last) || unicode.IsLetter(r) && unicode.IsDigit(last) {
			changes++
		}
		last = r
	}
	return digit && (upper && lower || changes >= 3)
}
