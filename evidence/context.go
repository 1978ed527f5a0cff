package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// What a sentence says of the thing decides whether it claims that the thing is
// there. These are word lists, not grammar: the left side is read from the start
// of the clause, the right side for a few words. Excusing too much only loses a
// finding; excusing too little makes a false one where the thing is gone indeed.

// window is how far, in bytes, a sentence is looked at on each side.
const window = 240

// excused reports whether the sentence around start to end calls the thing gone,
// old, planned, wrong, an example, or of another place.
func (s *scanner) excused(kind Kind, start, end int) bool {
	if s.fence != "" {
		return false
	}
	a, b := start-s.block, end-s.block
	if a < 0 || b > len(s.masked) {
		return false
	}
	a, b = s.outer(a, b)
	m := s.masked
	lo, hi := max(0, a-window), min(len(m), b+window)
	from := sentenceStart(m, lo, a, s.text[s.block:s.blockEnd])
	to := sentenceEnd(m, b, hi, s.text[s.block:s.blockEnd])
	if struck(m[from:a], m[b:to]) {
		return true
	}
	if example(words(m[exampleStart(m, from, a):a])) || otherRepo(words(m[from:placeEnd(m, b, to, kind)]), kind) {
		return true
	}
	left := words(m[clauseStart(m, from, a):a])
	if leftExcuses(left) || rightExcuses(words(m[b:to]), m[b:to]) || comesUp(left, words(m[b:to])) {
		return true
	}
	switch kind {
	case Branch:
		return branchStory(left, words(m[b:to]))
	case Version:
		return !versionClaim(left, words(m[b:to]), words(m[from:a]))
	}
	return false
}

// outer widens a place within a code span to the whole span, marks included.
func (s *scanner) outer(a, b int) (int, int) {
	i := s.spanFrom(a + s.block + 1)
	if i > 0 {
		if sp := s.spans[i-1]; sp.start-s.block <= a && b <= sp.end-s.block {
			return sp.start - s.block, sp.end - s.block
		}
	}
	return a, b
}

// spanFrom returns the index of the first code span that begins at or behind at.
func (s *scanner) spanFrom(at int) int {
	i, _ := slices.BinarySearchFunc(s.spans, at, func(c codeSpan, at int) int { return cmp.Compare(c.start, at) })
	return i
}

// sentenceStart goes back from at to behind the last sentence's end, not before lo.
func sentenceStart(m string, lo, at int, orig string) int {
	for i := at - 1; i > lo; i-- {
		if m[i-1] == '|' || ends(m, i-1, orig) {
			return i
		}
	}
	return lo
}

func sentenceEnd(m string, at, hi int, orig string) int {
	for i := at; i < hi; i++ {
		if m[i] == '|' || ends(m, i, orig) {
			return i
		}
	}
	return hi
}

// ends reports whether the byte at i ends a sentence.
func ends(m string, i int, orig string) bool {
	switch m[i] {
	case '.', '!', '?':
	default:
		return false
	}
	j := i + 1
	for j < len(m) && (m[j] == ')' || m[j] == '*' || m[j] == '"') {
		j++
	}
	if j < len(m) && m[j] != ' ' {
		return false
	}
	if strings.HasSuffix(m[:i], "e.g") || strings.HasSuffix(m[:i], "i.e") || strings.HasSuffix(m[:i], " vs") || strings.HasSuffix(m[:i], "etc") {
		return false
	}
	for j < len(m) && m[j] == ' ' {
		j++
	}
	return j >= len(m) || orig[j] < 'a' || orig[j] > 'z'
}

// clauseStart goes back from at to where the clause that holds it begins.
func clauseStart(m string, lo, at int) int {
	for i := at - 1; i >= lo; i-- {
		switch m[i] {
		case ';', '(', ')':
			return i + 1
		case ',':
			if !listing(m[i+1:at]) || !named(m[lo:i]) {
				return i + 1
			}
		case '-', '\x92', '\x93', '\x94':
			// " - ", " -- ", "->", and the last byte of a dash or arrow
			if i > lo && (m[i] != '-' || m[i-1] == ' ' && i+1 < len(m) && (m[i+1] == ' ' || m[i+1] == '-' || m[i+1] == '>')) {
				return i + 1
			}
		case ' ':
			if breaks(m, i, at) {
				return i + 1
			}
		}
	}
	return lo
}

// listing reports whether between a comma or an "and" and the thing there is
// nothing but other things of the same list.
func listing(s string) bool {
	for _, w := range strings.Fields(s) {
		switch strings.Trim(w, ",:*_\"'") {
		case "and", "or", "the", "a", "an", "":
		default:
			if strings.Trim(w, "\x01,.:*_()s'") != "" {
				return false
			}
		}
	}
	return true
}

// named reports whether a stretch ends with something that has the look of a name.
func named(s string) bool {
	w := s[strings.LastIndexByte(s, ' ')+1:]
	return strings.IndexByte(w, blot) >= 0 || strings.ContainsAny(strings.TrimRight(w, "."), "/.")
}

// breaks reports whether the word behind the blank at i begins a new clause.
func breaks(m string, i, at int) bool {
	rest := m[i+1 : at]
	w, after, ok := strings.Cut(rest, " ")
	if !ok {
		return false
	}
	switch w {
	case "but", "then", "while", "whereas", "because", "so", "use", "see", "now", "which":
		return true
	case "and", "or":
		return !listing(after)
	}
	return false
}

// exampleStart is where the words begin that could make the thing an example.
func exampleStart(m string, lo, at int) int {
	for i := at - 1; i >= lo; i-- {
		if m[i] == ';' || m[i] == ')' {
			return i + 1
		}
	}
	return lo
}

// words makes " a b c " of a stretch, all punctuation but inner dots and
// apostrophes dropped, code as one "§".
func words(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, ' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == blot:
			for i+1 < len(s) && s[i+1] == blot {
				i++
			}
			b = append(b, '$')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '\'':
			b = append(b, c)
		case strings.HasPrefix(s[i:], "’"):
			b = append(b, '\'')
			i += len("’") - 1
		case c == '.' && i+1 < len(s) && (s[i+1] != ' ' && s[i+1] != ')' || i > 1 && s[i-2] == '.'):
			b = append(b, c)
		case b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	if b[len(b)-1] != ' ' {
		b = append(b, ' ')
	}
	return string(b)
}

// anyOf reports whether s holds one of the phrases. Most texts hold none of them,
// so where there are many it is first looked which pairs of bytes occur at all.
func anyOf(s string, phrases ...string) bool {
	if len(phrases) < 6 {
		for _, p := range phrases {
			if strings.Contains(s, p) {
				return true
			}
		}
		return false
	}
	var pairs [64]uint64
	for i := 1; i < len(s); i++ {
		pairs[s[i-1]&63] |= 1 << (s[i] & 63)
	}
	for _, p := range phrases {
		if n := len(p); n > 3 && (pairs[p[1]&63]>>(p[2]&63)&1 == 0 || pairs[p[n-3]&63]>>(p[n-2]&63)&1 == 0) {
			continue
		}
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// struck reports whether the thing stands within ~~ ~~.
func struck(left, right string) bool {
	return strings.Count(left, "~~")%2 == 1 && strings.Contains(right, "~~")
}

func example(left string) bool {
	return anyOf(left, " e.g", " eg ", " for example ", " for instance ", " such as ", " example ", " imagine ", " suppose ", " hypothetical", " placeholder") ||
		strings.HasSuffix(left, " like ") || strings.HasSuffix(left, " say ")
}

// otherRepo reports whether the sentence speaks of another place than this
// repository. Evidence for paths and symbols carries the name; a version does
// not, so that any "the x repo" excuses it.
func otherRepo(sentence string, kind Kind) bool {
	if kind == Host {
		return false // that the history had it is evidence enough
	}
	if anyOf(sentence, " other repo", " another repo", " sibling repo", " separate repo", " upstream repo", " external repo", " different repo",
		" other project", " another project", " sibling project", " separate project", " upstream project", " different project", " upstream's ", " $ repo ", " $ repository ") {
		return true
	}
	if kind != Version {
		return false
	}
	if anyOf(sentence, " my machine", " laptop", " my mac", " locally ", " other service", " their ", " client's ", " customer") {
		return true
	}
	for _, noun := range []string{" repo ", " repository ", " project "} {
		before, _, ok := strings.Cut(sentence, noun)
		if !ok {
			continue
		}
		switch before[strings.LastIndexByte(before, ' ')+1:] {
		case "this", "the", "our", "whole", "entire", "a", "main", "git", "", "current", "go", "python", "node", "rust", "react":
		default:
			return true
		}
	}
	return false
}

// placeEnd is how far behind the thing, at b, the words go that can set it in
// another place. What follows a version behind a comma or a "since" is the reason
// for it, and may well speak of customers.
func placeEnd(m string, b, to int, kind Kind) int {
	if kind != Version {
		return to
	}
	if i := strings.IndexAny(m[b:to], ",:;("); i >= 0 {
		to = b + i
	}
	for _, why := range []string{" since ", " because ", " as "} {
		if i := strings.Index(m[b:to], why); i >= 0 {
			to = b + i
		}
	}
	return to
}

// last returns the last n words of " a b c ", in the same form.
func last(s string, n int) string {
	i := len(s) - 1
	for ; n > 0 && i > 0; n-- {
		i = strings.LastIndexByte(s[:i], ' ')
	}
	return s[max(i, 0):]
}

// near drops determiners and nouns of kind from the end of the left side, so that
// what is left ends with the word that speaks of the thing.
func near(left string) string {
	for {
		w := last(left, 1)
		switch w {
		case " the ", " a ", " an ", " any ", " our ", " file ", " files ", " folder ", " directory ", " dir ", " path ", " module ", " package ", " function ",
			" helper ", " script ", " command ", " target ", " class ", " method ", " type ", " branch ", " called ", " named ", " such ", " new ", " $ ", " and ", " or ", " more ", " tag ", " host ":
			left = left[:len(left)-len(w)+1]
		default:
			return left
		}
	}
}

func leftExcuses(left string) bool {
	if left == " " {
		return false
	}
	switch last(near(left), 1) {
	case " no ", " not ", " old ", " former ", " previous ", " ex ", " nonexistent ", " missing ", " removed ", " deleted ", " dropped ", " renamed ",
		" moved ", " replaced ", " planned ", " future ", " proposed ", " wrong ", " without ", " formerly ", " previously ", " was ", " lacks ",
		" create ", " creating ", " add ", " adding ", " introduce ", " introducing ", " recreate ", " retired ", " archived ", " obsolete ",
		" removing ", " deleting ", " dropping ", " renaming ", " replacing ", " replaces ", " replace ", " isn't ", " aren't ", " wasn't ", " nor ", " never ", " neither ":
		return true
	}
	if tail := last(near(left), 2); strings.HasPrefix(tail, " not ") {
		switch strings.TrimPrefix(tail, " not ") {
		case "in ", "at ", "from ", "via ", "under ", "to ", "on ", "with ", "by ":
			return true
		}
	}
	if anyOf(left, " no longer ", " used to ", " there is no ", " there's no ", " there isn't ", " there are no ", " there was ", " there were ",
		" instead of ", " rather than ", " in place of ", " as opposed to ", " got rid of ", " away from ", " switched from ", " migrated from ", " moved from ",
		" renamed from ", " upgraded from ", " came from ", " non existent ", " nonexistent ", " hallucinat", " invented ", " mistaken", " incorrect", " typo ",
		" lack of ", " absence of ", " formerly ", " previously ", " originally ", " historically ", " back then ", " before the refactor ", " before the rewrite ",
		" before the migration ", " todo ", " roadmap ", " proposal ", " proposed ", " someday ", " eventually ", " planned ", " planning to ", " plan to ", " plans to ",
		" going to ", " intend", " to be created ", " to be added ", " to be written ", " yet to ", " not yet ") {
		return true
	}
	if forbids(left) || plans(left) {
		return true
	}
	if !anyOf(left, " removed ", " deleted ", " dropped ", " renamed ", " replaced ", " moved ", " retired ", " killed ", " removes ", " deletes ", " replaces ", " missing ", " wrong ") {
		return false
	}
	// "renamed a to b", "removed from b": b is there.
	switch last(near(left), 1) {
	case " to ", " with ", " by ", " into ", " in ", " under ", " at ", " via ", " from ", " using ", " for ", " when ", " on ", " through ", " inside ":
		return false
	}
	return true
}

// forbids reports a prohibition of making or using the thing; one of touching
// or running it says that it is there.
func forbids(left string) bool {
	for _, no := range []string{" don't ", " do not ", " never ", " must not ", " should not ", " shouldn't ", " mustn't ", " cannot ", " can't "} {
		_, after, ok := strings.Cut(left, no)
		if ok && strings.HasPrefix(strings.TrimPrefix(after, "ever "), "") && beginsWith(after, "create ", "add ", "make ", "introduce ", "reintroduce ", "recreate ",
			"bring back ", "restore ", "expect ", "look for ", "resurrect ", "use ", "assume ", "invent ", "revive ", "need ", "have ") {
			return true
		}
	}
	return false
}

// plans reports that the thing is yet to be made.
func plans(left string) bool {
	for _, modal := range []string{" will ", " we'll ", " would ", " could ", " might ", " should ", " want to ", " wants to ", " need to ", " needs to ", " to do "} {
		_, after, ok := strings.Cut(left, modal)
		if !ok {
			continue
		}
		if beginsWith(after, "create ", "add ", "introduce ", "extract ", "split ", "become ") {
			switch last(near(left), 1) {
			case " in ", " from ", " at ", " under ", " edit ", " update ", " run ":
				return false
			}
			return true
		}
		if modal != " should " && beginsWith(after, "be ", "live ", "move ", "go ", "get ") {
			return true
		}
	}
	return false
}

func beginsWith(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// rightExcuses looks at the words behind the thing.
func rightExcuses(right, raw string) bool {
	r := strings.TrimPrefix(right, " ")
	direct := strings.TrimLeft(raw, " *_\"')]")
	aside := strings.HasPrefix(direct, "(") || strings.HasPrefix(direct, "—") || strings.HasPrefix(direct, "–") || strings.HasPrefix(direct, "- ") ||
		strings.HasPrefix(direct, ":") || strings.HasPrefix(direct, "->") || strings.HasPrefix(direct, "→") || strings.HasPrefix(direct, "[")
	if !aside && (strings.HasPrefix(direct, ",") || strings.HasPrefix(direct, ";")) {
		if strings.HasPrefix(direct, ";") || !beginsWith(r, "which ", "that ", "now ", "since ", "removed ", "deleted ", "gone ") {
			return false
		}
		aside = true
	}
	if aside && beginsWith(r, "formerly $", "was $", "old $", "removed $", "replaced $", "renamed from ", "replaces ", "previously ") {
		return false // of another thing
	}
	if aside && beginsWith(r, "removed ", "deleted ", "gone ", "old ", "planned ", "renamed ", "was ", "formerly ", "todo ", "future ", "proposed ", "moved ", "replaced ",
		"dropped ", "retired ", "obsolete ", "archived ", "superseded ", "missing ", "not yet ", "no longer ", "does not ", "doesn't ", "since removed ", "since deleted ", "now ", "wrong ", "never ", "to be ", "nonexistent ", "not there ") {
		return true
	}
	return fate(skipNouns(r))
}

// skipNouns drops what may stand between the thing and its fate: further things
// of a list, and a noun.
func skipNouns(r string) string {
	for {
		w, rest, ok := strings.Cut(r, " ")
		if !ok {
			return r
		}
		switch w {
		case "file", "files", "folder", "directory", "dir", "path", "module", "package", "function", "helper", "script", "command", "target", "class", "method",
			"type", "branch", "tag", "endpoint", "host", "which", "that", "and", "or", "both", "all", "$", "itself", "s", "'s", "server":
			r = rest
		default:
			return r
		}
	}
}

// fate reports whether the words tell of the thing's end, or that it is not yet.
func fate(r string) bool {
	if beginsWith(r, "no longer exist", "no longer used", "no longer there", "no longer need", "no longer present", "no longer part", "no longer available",
		"no longer support", "no longer in ", "doesn't exist", "does not exist", "don't exist", "do not exist", "didn't exist", "did not exist", "never existed",
		"doesn't yet", "does not yet", "used to ", "moved to ", "renamed to ", "became ", "went away ", "has gone", "not found ", "has no ", "ceased ", "is history ",
		"removed in ", "removed on ", "removed by ", "deleted in ", "deleted on ", "dropped in ", "gone ", "never ", "vanished", "disappeared") {
		return true
	}
	aux := false
	for _, a := range []string{"was ", "were ", "is ", "are ", "isn't ", "aren't ", "wasn't ", "has been ", "have been ", "had been ", "has ", "have ", "got ", "will be ", "would be ", "to be ", "being ", "will ", "been "} {
		if rest, ok := strings.CutPrefix(r, a); ok {
			r, aux = rest, true
			break
		}
	}
	if !aux {
		return false
	}
	for {
		w, rest, _ := strings.Cut(r, " ")
		switch w {
		case "already", "now", "long", "recently", "since", "completely", "just", "also", "later", "then", "currently", "still", "entirely", "being", "be", "finally":
			if w == "now" && (strings.HasPrefix(rest, "$") || strings.HasPrefix(rest, "in ") || strings.HasPrefix(rest, "called ") || strings.HasPrefix(rest, "at ") || strings.HasPrefix(rest, "named ")) {
				return true
			}
			r = rest
			continue
		}
		break
	}
	return beginsWith(r, "the old ", "the former ", "the previous ", "our old ", "an old ", "removed ", "deleted ", "dropped ", "gone ", "renamed ", "moved ", "replaced ", "retired ", "archived ", "obsolete ", "missing ", "planned ", "absent ",
		"superseded ", "split ", "wrong ", "invalid ", "nonexistent ", "no more ", "history ", "dead ", "killed ", "scrapped ", "unmaintained ", "not there ", "not in ", "not part ",
		"not exist", "not yet ", "yet to ", "not real ", "not present ", "not available ", "not used ", "not needed ", "there anymore", "in use anymore", "no longer ", "a typo ", "a mistake ",
		"incorrect ", "folded ", "merged into ", "proposed ", "created later", "abandoned ", "discontinued ", "decommissioned ", "shut down ", "turned off ", "disabled ")
}

// comesUp reports whether a sentence says what it means when somebody meets the
// thing: "if src/old.py comes up in a stack trace, the client is an old one".
func comesUp(left, right string) bool {
	switch last(near(left), 1) {
	case " if ", " when ", " whenever ", " where ", " once ":
		return beginsWith(strings.TrimPrefix(skipNouns(strings.TrimPrefix(right, " ")), " "), "comes up ", "come up ", "appears ", "appear ", "shows up ", "show up ", "turns up ", "is mentioned ", "is named ", "is still mentioned ")
	}
	return false
}

// headingExcuses reports whether a heading names what is not there any more or
// not yet.
func headingExcuses(masked string) bool {
	return anyOf(words(masked), " removed ", " deleted ", " planned ", " todo ", " roadmap ", " obsolete ", " archived ", " history ", " changelog ", " ideas ", " future ", " proposed ",
		" retired ", " renamed ", " resolved ", " gone ", " dropped ")
}

// introExcuses reports whether a block introduces a list of what is not there.
func introExcuses(masked string) bool {
	t := strings.TrimRight(masked, " *_")
	if !strings.HasSuffix(t, ":") || len(t) > window {
		return false
	}
	return anyOf(words(t), " removed ", " deleted ", " gone ", " planned ", " to be created ", " to create ", " todo ", " renamed ", " dropped ", " no longer ", " missing ", " not exist ",
		" don't exist ", " doesn't exist ", " obsolete ", " retired ", " examples ", " example ", " e.g ", " does not have ", " do not have ", " don't create ", " never create ")
}

// branchStory reports whether a branch is named as where something came from.
func branchStory(left, right string) bool {
	return anyOf(left, " merged ", " implemented ", " landed ", " fixed ", " shipped ", " fix implemented ", " done ", " came ", " squashed ", " deleted ", " delete ", " was on ", " created ", " create ") ||
		beginsWith(strings.TrimPrefix(skipNouns(strings.TrimPrefix(right, " ")), " "), "was merged", "were merged", "got merged", "has been merged", "is merged", "merged ", "landed", "shipped", "was deleted")
}
