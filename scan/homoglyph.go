package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalike returns the Latin letter that r looks like (Unicode confusables,
// the letters of Cyrillic, Greek, Armenian and Cherokee that fonts draw alike),
// or 0. It is asked about lower case first; capitals stand for raw text.
func lookalike(r rune) byte {
	if r < 0x370 {
		return 0
	}
	// Pairs of a letter and what it looks like. No table in memory: words that
	// mix scripts are rare, and process start must cost nothing.
	const pairs = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԌGкkмmтtгrпnвbнh" +
		"οoνvιiαaκkυuρpτtχxωwηnεeɑaΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" +
		"оoսuոnցgհhյjզqքfօoաwᎪAᏴBᏟCᎠDᎬEᎻHᎫJᏦKᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZ"
	var last rune
	for i, c := range pairs {
		if last == r && c < 0x80 {
			return pairs[i]
		}
		last = c
	}
	return 0
}

// foldMixed turns look-alikes into Latin letters in words that have Latin
// letters as well, and says how the offsets moved.
func foldMixed(text string) (string, mapping) {
	var b strings.Builder
	var m mapping
	done := 0
	words(text, func(start, end int, w wordScripts) {
		if w.latin == 0 || w.alike == 0 || w.other > 0 {
			return
		}
		b.WriteString(text[done:start])
		for i, r := range text[start:end] {
			if l := lookalike(r); l != 0 {
				b.WriteByte(l | 0x20)
				m = append(m, stop{b.Len(), start + i + utf8.RuneLen(r)})
				continue
			}
			b.WriteRune(r)
		}
		done = end
	})
	if done == 0 {
		return text, nil
	}
	b.WriteString(text[done:])
	return b.String(), m
}

// words calls f with each word that has a letter outside ASCII.
func words(text string, f func(start, end int, w wordScripts)) {
	for i := 0; i < len(text); {
		start := i
		var w wordScripts
		for i < len(text) && asciiLetter(rune(text[i])) {
			w.add(rune(text[i]))
			i++
		}
		for i < len(text) && (text[i] >= 0x80 || asciiLetter(rune(text[i]))) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
				break
			}
			w.add(r)
			i += n
		}
		if w.beyond {
			f(start, i, w)
		}
		if i == start {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += max(n, 1)
		}
	}
}

// wordScripts counts the letters of a word.
type wordScripts struct {
	latin, alike, other, greek int
	lower                      int  // Latin letters that are no capitals
	tail                       int  // letters after the last Latin one
	beyond                     bool // has a letter outside ASCII
	first                      rune
}

func (w *wordScripts) add(r rune) {
	if w.first == 0 {
		w.first = r
	}
	w.beyond = w.beyond || r >= 0x80
	switch {
	case latin(r) && !(r == 0x251):
		w.latin++
		w.tail = 0
		if unicode.IsLower(r) {
			w.lower++
		}
		return
	case lookalike(r) != 0:
		w.alike++
		if unicode.Is(unicode.Greek, r) {
			w.greek++
		}
	case unicode.IsLetter(r):
		w.other++
	}
	w.tail++
}

// mixed reports a word that would be Latin but for letters that look so. Let
// through: a word with letters of the other script that look like nothing
// Latin ("commitить"), a short form in capitals with an ending of up to two
// letters ("PRа", "APIа"), and one Greek letter before or after a name, as in
// formulas.
func (w *wordScripts) mixed() bool {
	if w.latin == 0 || w.alike == 0 || w.other > 0 || w.latin+w.alike < 3 {
		return false
	}
	if w.alike == w.tail && w.tail <= 2 && w.lower == 0 && w.greek == 0 {
		return false
	}
	return w.greek != 1 || w.alike != 1 || w.tail != 1 && !unicode.Is(unicode.Greek, w.first)
}

// homoglyphs reports words that mix look-alike letters of two scripts.
func (r *run) homoglyphs() {
	if plain(r.text) {
		return
	}
	code := codeSpans{text: r.text}
	words(r.text, func(start, end int, w wordScripts) {
		if !w.mixed() && !(w.latin == 0 && w.alike > 0 && w.other == 0 && strings.HasPrefix(r.text[end:], ".com")) {
			return
		}
		rule := "hidden/homoglyph"
		if code.covers(start) || r.inTarget(start, end) {
			rule = "hidden/homoglyph-target"
		}
		r.add(rule, start, end)
	})
}

// inTarget reports a word that is part of an address, a path, a package or a
// command: there a look-alike letter leads elsewhere.
func (r *run) inTarget(start, end int) bool {
	from, to := start, end
	for from > 0 && start-from < 200 && !delimiter(r.text[from-1]) {
		from--
	}
	for to < len(r.text) && to-end < 200 && !delimiter(r.text[to]) {
		to++
	}
	whole := strings.TrimRight(r.text[from:to], ".:!?")
	if strings.Contains(whole, "://") || strings.ContainsAny(whole, "@/") {
		return true
	}
	host, _, _ := strings.Cut(strings.ToLower(whole), ":")
	if hostShaped(host) && topLevel(host[strings.LastIndexByte(host, '.')+1:]) {
		return true
	}
	line := strings.ToLower(r.text[max(from-60, strings.LastIndexByte(r.text[max(0, from-60):from], '\n')+1+max(0, from-60), 0):from])
	for _, cmd := range [...]string{"install ", "npm ", "pnpm ", "yarn ", "pip ", "npx ", "cargo ", "go get ", "curl ", "brew ", "package ", "docker ", "add "} {
		if strings.Contains(line, cmd) {
			return true
		}
	}
	return false
}
