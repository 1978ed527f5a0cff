package evidence

import (
	"path"
	"strings"
)

// A path that the repository never had is a weak sign: notes also name files of
// other repositories. So Never is only said where the repository has files of the
// kind and the neighbourhood, and where the text speaks of no other place.

// fits reports whether a path that is not there could be the repository's: its
// first folder is there, and below that its own folder or a file of its ending;
// and its ending occurs.
func (k *check) fits(p string) bool {
	first, _, ok := strings.Cut(p, "/")
	if !ok || !knownExt(path.Base(p)) {
		return false
	}
	dir, ext := path.Dir(p), path.Ext(p)
	for _, prefix := range []string{k.tree.prefix, ""} {
		if !k.tree.dirs[prefix+first] {
			continue
		}
		if k.hasEnding(prefix+first+"/", ext) || k.tree.dirs[prefix+dir] && k.hasEnding("", ext) {
			return true
		}
	}
	return false
}

// hasEnding reports whether a file below the folder ends so.
func (k *check) hasEnding(below, ext string) bool {
	key := below + "\x00" + ext
	if has, known := k.endings[key]; known {
		return has
	}
	if k.endings == nil {
		k.endings = map[string]bool{}
	}
	k.endings[key] = k.tree.hasEnding(below, ext)
	return k.endings[key]
}

func (t *tree) hasEnding(below, ext string) bool {
	for i := range t.entries {
		e := &t.entries[i]
		if !e.dir && strings.HasSuffix(e.path, ext) && strings.HasPrefix(e.path, below) {
			return true
		}
	}
	return false
}

// elsewhere is how far, in bytes, a text is read before and behind a path for
// words of another place.
const elsewhere = 400

// ofElsewhere reports whether the sentence that holds the bytes start to end, the
// one before it, or the heading of the text speaks of another repository, project,
// app or machine. dirs are the folders of this one.
func ofElsewhere(text string, start, end int, dirs map[string]bool) bool {
	from, to := max(0, start-elsewhere), min(len(text), end+elsewhere)
	before, behind := text[from:start], text[end:to]
	for n, i := 0, len(before)-1; i > 0; i-- {
		if ends(before, i-1, before) && before[i] == ' ' {
			if n++; n == 2 {
				before = before[i:]
				break
			}
		}
	}
	for i := range len(behind) {
		if ends(behind, i, behind) || strings.HasPrefix(behind[i:], "\n\n") {
			behind = behind[:i]
			break
		}
	}
	around := before + " $ " + behind
	if slug(around, dirs) {
		return true
	}
	lower := strings.ToLower(around)
	return foreignScript(lower) || foreignPlace(words(lower))
}

// madeAnew reports whether the sentence that holds the bytes start to end says that
// the thing is generated or that git is not to keep it.
func madeAnew(text string, start, end int) bool {
	sentence := sentenceAround(text, start, end)
	return anyOf(words(sentence), " generated ", " generates ", " gitignored ", " git ignored ", " ignored by git ", " in gitignore ", " in .gitignore ", " not committed ", " never committed ", " not checked in ", " not in git ", " untracked ", " build output ", " build artifact ") ||
		strings.Contains(sentence, "згенерован") || strings.Contains(sentence, "генерує")
}

// ofAnotherRepository reports whether the sentence that holds the bytes start to
// end names a repository that is not this one: what this one had under such a name
// says nothing of it then.
func ofAnotherRepository(kind Kind, text string, start, end int) bool {
	if kind != Path && kind != Command {
		return false
	}
	s := words(sentenceAround(text, start, end))
	return modified(s, " repo ", neutral) || modified(s, " repository ", neutral)
}

// sentenceAround is the sentence that holds the bytes start to end, in lower case,
// with a sign in their place.
func sentenceAround(text string, start, end int) string {
	from := start - min(start, elsewhere)
	for i := start - 1; i > from; i-- {
		if ends(text, i-1, text) && text[i] == ' ' || text[i] == '\n' {
			from = i
			break
		}
	}
	to := min(len(text), end+elsewhere)
	for i := end; i < to; i++ {
		if ends(text, i, text) || text[i] == '\n' {
			to = i
			break
		}
	}
	return strings.ToLower(text[from:start] + " $ " + text[end:to])
}

// foreignPlace looks for the words that set a thing in another place, in the form
// that words makes.
func foreignPlace(s string) bool {
	if anyOf(s, " upstream ", " upstream's ", " downstream ", " their ", " theirs ", " vendor's ", " client's ", " customer's ", " customers' ", " partner's ", " supplier's ", " elsewhere ", " not here ", " not in here ", " nothing of it is here ",
		" submodule", " third party ", " my machine ", " laptop ", " fork ", " forks ", " on github ", " on gitlab ", " dotfiles ", " ios ", " android ") {
		return true
	}
	for _, noun := range []string{" repo", " repositor", " codebase", " monorepo", " checkout"} {
		if modified(s, noun, neutral) {
			return true
		}
	}
	for _, noun := range []string{" project", " app ", " apps ", " application", " service", " machine", " server", " host", " workspace", " product", " team's ", " company", " package"} {
		if modified(s, noun, func(w string) bool { return !foreign(w) }) {
			return true
		}
	}
	return false
}

// modified reports whether the word before one of the nouns is not in order.
func modified(s, noun string, fine func(string) bool) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], noun)
		if i < 0 {
			return false
		}
		i += at
		if w := s[strings.LastIndexByte(s[:i], ' ')+1 : i]; !fine(w) {
			return true
		}
		at = i + len(noun)
	}
}

// neutral are the words before "repository" that leave it this one.
func neutral(w string) bool {
	switch w {
	case "", "this", "the", "our", "whole", "entire", "a", "main", "git", "current", "in", "of", "per", "every", "each", "same", "and", "or", "to", "go", "python", "node", "rust", "react", "mono", "clean", "fresh":
		return true
	}
	return false
}

// foreign are the words that make a project, app or machine another one.
func foreign(w string) bool {
	switch w {
	case "other", "another", "different", "separate", "sibling", "sister", "mobile", "desktop", "external", "upstream", "legacy", "partner", "vendor", "own", "its", "second", "companion", "neighbouring", "neighboring", "my", "his", "her", "foreign", "private", "public":
		return true
	}
	return strings.HasSuffix(w, "'s")
}

// foreignScript looks for the same in Ukrainian.
func foreignScript(lower string) bool {
	for _, noun := range []string{"репозитор", "репо ", "проєкт", "проект", "застосун", "додатк", "сервіс", "машин", "сервер"} {
		for at := 0; ; {
			i := strings.Index(lower[at:], noun)
			if i < 0 {
				break
			}
			i += at
			at = i + len(noun)
			w := strings.TrimRight(lower[:i], " ")
			w = w[strings.LastIndexByte(w, ' ')+1:]
			if beginsWith(w, "інш", "окрем", "сусідн", "їхн", "чуж", "мобільн", "зовнішн", "власн", "моїй", "моєму", "своєму", "своїм") {
				return true
			}
		}
	}
	return strings.Contains(lower, "апстрім") || strings.Contains(lower, "форк")
}

// slug reports whether a text names a repository as owner/name.
func slug(text string, dirs map[string]bool) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == '`' || r < 0x80 && delimiter(byte(r)) }) {
		owner, name, ok := strings.Cut(strings.TrimRight(w, ".:!?"), "/")
		if !ok || owner == "" || name == "" || dirs[owner] || strings.ContainsAny(name, "/.") || strings.ContainsAny(owner, ".:@~$") {
			continue
		}
		if strings.IndexByte(owner, '-') > 0 || strings.IndexByte(name, '-') > 0 || strings.Contains(text, "`"+w+"`") {
			return true
		}
	}
	return false
}
