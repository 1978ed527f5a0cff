package draft

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/claim/token"
)

const (
	maxSlug      = 50 // bytes, where the pattern for names would allow 80
	maxSlugWords = 6
	minSlugWords = 3

	// maxHead is how many bytes of a text are looked at for names and types.
	maxHead = 8 << 10
)

// Slug makes a file name, without .md, of the words of a text: a-z, 0-9, "-" and
// dots between digits, at most 50 bytes, and never a name that Windows or a host
// keeps for itself. Small words are left out when enough others are there.
// Cyrillic and Greek are written in Latin letters; of a text without any letter
// that can be, the name is "note-" and eight hexadecimal digits of its hash.
func Slug(text string) string {
	text = text[:token.CutAt(text, maxHead)]
	all, strong := slugWords(text)
	words := strong
	if len(words) < minSlugWords {
		words = all
	}
	slug := ""
	for i, w := range words {
		if i == maxSlugWords || slug != "" && len(slug)+1+len(w) > maxSlug {
			break
		}
		if slug != "" {
			slug += "-"
		}
		slug += w
	}
	if len(slug) > maxSlug {
		slug = slug[:maxSlug]
	}
	slug = strings.Trim(slug, "-.")
	switch {
	case slug == "":
		h := fnv.New32a()
		h.Write([]byte(text))
		return fmt.Sprintf("note-%08x", h.Sum32())
	case reserved(slug):
		return "note-" + slug
	}
	return slug
}

// slugWords returns the words of a text in Latin letters, all and the strong
// ones, as many as a name can hold.
func slugWords(text string) (all, strong []string) {
	s := token.Scanner{Text: text}
	for len(strong) <= maxSlugWords && len(all) < 10*maxSlugWords {
		t := s.Next()
		if t.Kind == token.End {
			break
		}
		if t.Kind >= token.Comma {
			continue
		}
		weak := t.Kind == token.Word && slugSkips(string(s.Plain))
		for _, w := range strings.FieldsFunc(latin(s.Text[t.Start:t.End]), func(r rune) bool { return r == '-' }) {
			if t.Kind == token.Code && (w == "https" || w == "http" || w == "www") {
				continue
			}
			all = append(all, w)
			if !weak {
				strong = append(strong, w)
			}
		}
	}
	return all, strong
}

// slugSkips reports whether a word says nothing in a file name. Words like never
// and not say much.
func slugSkips(w string) bool {
	switch w {
	case "the", "a", "an", "this", "that", "these", "those", "our", "my", "your", "its", "their", "is", "are", "was", "were", "be", "been", "am",
		"to", "of", "in", "on", "at", "by", "as", "it", "i", "im", "we", "you", "and", "or", "for", "with", "from", "so", "has", "have", "had",
		"will", "would", "should", "must", "can", "do", "does", "please", "there", "always",
		"в", "у", "на", "по", "до", "із", "з", "зі", "від", "і", "й", "та", "а", "що", "як", "це", "цей", "ця", "ці", "є", "для", "про", "мій", "моя",
		"мої", "наш", "наша", "наші", "я", "ми", "ти", "завжди", "треба", "слід", "или", "и", "к", "от":
		return true
	}
	return false
}

// latin writes a text in Latin letters. What is neither letter nor digit is "-",
// dots between digits stay, letters that can't be written go.
func latin(s string) string {
	var b strings.Builder
	first := true
	var before rune
	for i, r := range s {
		behind := s[min(len(s), i+utf8.RuneLen(r)):]
		r = unicode.ToLower(r)
		if c, ok := token.Compose(r, token.FirstRune(behind)); ok {
			r = c
		}
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '.' && before >= '0' && before <= '9' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			b.WriteRune(r)
		case token.Apostrophe(r), token.IsAccent(r):
			continue
		case before == 'з' && r == 'г':
			b.WriteString("gh") // the decree: зг is zgh, as zh is ж
		case r >= 'Ͱ' && r <= 'Ͽ':
			b.WriteString(greek(r))
		case r >= 'Ѐ' && r <= 'ӿ':
			b.WriteString(cyrillic(r, first))
		case r < utf8.RuneSelf:
			b.WriteByte('-')
		default:
			b.WriteString(token.PlainLatin(r))
		}
		first = !unicode.IsLetter(r)
		before = r
	}
	return b.String()
}

// reserved reports whether a file of that name can't be made on Windows, or is
// the index or an instruction file on a disk that does not tell case apart.
func reserved(slug string) bool {
	stem, _, _ := strings.Cut(slug, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	case "memory", "claude", "agents", "gemini":
		return stem == slug
	}
	port := strings.TrimPrefix(strings.TrimPrefix(stem, "com"), "lpt")
	return len(stem) == 4 && len(port) == 1 && port[0] >= '0' && port[0] <= '9'
}
