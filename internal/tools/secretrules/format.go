package main

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// The three parts that most of gitleaks' expressions are made of: what may stand
// before a name, what between a name and its value, what after a value.
const (
	pre = `(?i)[\w.-]{0,50}?`
	sep = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	end = `(?:[\x60'"\s;]|\\[nr]|$)`

	// Some have the value outside the part that ignores case.
	preCase = `[\w.-]{0,50}?(?i:[\w.-]{0,50}?`
	sepCase = `(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
)

// proseEnd takes end's place: in a sentence a value is followed by a full stop, a
// comma, a bracket.
const proseEnd = `(?:[^\w+/=-]|$)`

// maxReach caps how far a rule looks, in bytes; the expressions that have no end
// of their own (JSON Web Tokens) are shorter than that in practice, and package
// secrets stretches what it finds to the end of the token.
const maxReach = 4096

// The kinds of rule, the second field of a line.
const (
	named    = "named"    // keyword, a sign such as "=", then the expression
	anchored = "anchored" // the expression begins with the keyword
	window   = "window"   // the expression somewhere around the keyword
)

// A line is one rule of the data file.
type line struct {
	id, kind  string
	entropy   float64 // bits a byte that a secret must have more of; 0: any
	group     int     // which is the secret; 0: the first that is not empty, or all
	boundary  bool    // no letter, digit or _ before it
	dash      bool    // and no dash
	back      int     // bytes to look at before the keyword
	reach     int     // bytes to look at from the keyword on (named: from the value on)
	solid     int     // bytes without white space that a match begins with
	keywords  []string
	why, re   string
	allow     []string // on the secret
	allowLine []string // on the match or its line
}

func (l line) String() string {
	boundary := ""
	if l.boundary {
		boundary = "b"
	}
	if l.dash {
		boundary = "b-"
	}
	fields := []string{
		l.id, l.kind, strconv.FormatFloat(l.entropy, 'g', -1, 64), strconv.Itoa(l.group), boundary,
		strconv.Itoa(l.back), strconv.Itoa(l.reach), strconv.Itoa(l.solid),
		strings.Join(l.keywords, " "), l.why, l.re, alternatives(l.allow), alternatives(l.allowLine),
	}
	return strings.Join(fields, "\t")
}

// alternatives joins expressions to one.
func alternatives(list []string) string {
	var parts []string
	for _, re := range list {
		parts = append(parts, "(?:"+re+")")
	}
	return strings.Join(parts, "|")
}

// data prints the file.
func (c config) data() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by internal/tools/secretrules from %s (MIT, see rules.LICENSE). Not to be edited.\n", module)
	b.WriteString("# id kind entropy group boundary back reach solid keywords why regex allow allow-line, separated by tabs\n")
	drop := dropped()
	for _, r := range c.Rules {
		if why, ok := drop[r.ID]; ok {
			fmt.Fprintf(&b, "# dropped %s: %s\n", r.ID, why)
			delete(drop, r.ID)
		}
	}
	if len(drop) > 0 {
		return "", fmt.Errorf("no such rules to drop: %v", drop)
	}
	fmt.Fprintf(&b, "*allow\t%s\n", alternatives(globalRegexes(c.Allowlist.Regexes)))
	fmt.Fprintf(&b, "*stop\t%s\n", strings.Join(c.Allowlist.StopWords, " "))
	used := changes()
	var lines []string
	for _, r := range c.Rules {
		if _, ok := dropped()[r.ID]; ok {
			continue
		}
		variants := used[r.ID]
		delete(used, r.ID)
		if variants == nil {
			variants = []change{{}}
		}
		for _, v := range variants {
			if v.why != "" {
				fmt.Fprintf(&b, "# changed %s: %s\n", r.ID, v.why)
			}
			l, err := r.line(v)
			if err != nil {
				return "", fmt.Errorf("%s: %w", r.ID, err)
			}
			lines = append(lines, l.String())
		}
		if words := r.stopWords(); len(words) > 0 {
			fmt.Fprintf(&b, "*stop %s\t%s\n", r.ID, strings.Join(words, " "))
		}
	}
	if len(used) > 0 {
		return "", fmt.Errorf("no such rules to change: %v", used)
	}
	for _, l := range lines {
		if strings.Count(l, "\t") != 12 || strings.Contains(l, "\n") {
			return "", fmt.Errorf("a tab or line break in %q", l)
		}
		b.WriteString(l + "\n")
	}
	return b.String(), nil
}

func (r rule) stopWords() []string {
	var words []string
	for _, a := range r.Allowlists {
		for _, w := range a.StopWords {
			if strings.ContainsAny(w, " \t\n") {
				continue
			}
			words = append(words, strings.ToLower(w))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// line makes the line of one rule.
func (r rule) line(v change) (line, error) {
	l := line{id: r.ID, entropy: r.Entropy, group: r.SecretGroup, why: r.why()}
	for _, a := range r.Allowlists {
		switch {
		case a.Condition == "AND": // all of them need a path
		case a.RegexTarget == "":
			l.allow = append(l.allow, a.Regexes...)
		default:
			l.allowLine = append(l.allowLine, a.Regexes...)
		}
	}
	if v.allow != nil {
		l.allow = v.allow
	}
	l.dash = v.dash
	re := r.Regex
	if v.regex != "" {
		re = v.regex
	}
	if name, value, ok := splitNamed(re); ok {
		return l.named(name, value, v.ahead)
	}
	re = strings.ReplaceAll(re, end, proseEnd)
	if v.keywords != nil {
		l.kind, l.re, l.keywords, l.back = window, re, v.keywords, v.back
		return l.measured(v.ahead)
	}
	return l.anchored(re)
}

// splitNamed cuts an expression of the form name = value.
func splitNamed(re string) (name, value string, ok bool) {
	if rest, found := strings.CutPrefix(re, pre); found {
		name, value, ok = strings.Cut(rest, sep)
		return "(?i)" + name, "(?i)" + value, ok
	}
	if rest, found := strings.CutPrefix(re, preCase); found {
		name, value, ok = strings.Cut(rest, sepCase)
		return "(?i)" + name, value, ok
	}
	return "", "", false
}

func (l line) named(name, value string, ahead int) (line, error) {
	tree, err := syntax.Parse(name, syntax.Perl)
	if err != nil {
		return l, err
	}
	words, _ := prefixes(tree, 48)
	l.kind, l.keywords = named, tidy(words)
	l.re = strings.ReplaceAll(value, end, proseEnd)
	// The groups of the name are gone.
	if n := tree.MaxCap(); l.group > 0 {
		l.group -= n
	}
	return l.measured(ahead)
}

func (l line) anchored(re string) (line, error) {
	l.kind = anchored
	switch {
	case strings.HasPrefix(re, `\b`):
		l.boundary, re = true, re[2:]
	case strings.HasPrefix(re, `(?i)\b`):
		l.boundary, re = true, "(?i)"+re[6:]
	}
	l.re = re
	tree, err := syntax.Parse(re, syntax.Perl)
	if err != nil {
		return l, err
	}
	words, _ := prefixes(tree, 48)
	l.keywords = tidy(words)
	l.solid, _ = solid(tree)
	return l.measured(0)
}

// measured checks the keywords and sets the reach.
func (l line) measured(ahead int) (line, error) {
	tree, err := syntax.Parse(l.re, syntax.Perl)
	if err != nil {
		return l, err
	}
	// Package secrets looks keywords up by their first three bytes.
	for _, k := range l.keywords {
		if len(k) < 3 || strings.Contains(k, " ") {
			return l, fmt.Errorf("keyword %q is too short or has a space", k)
		}
	}
	if len(l.keywords) == 0 {
		return l, fmt.Errorf("no keywords for %s", l.re)
	}
	l.reach = ahead
	if ahead == 0 {
		l.reach = min(longest(tree)+4, maxReach) // one more character, of up to 4 bytes
	}
	return l, nil
}

func tidy(words []string) []string {
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	// A keyword that begins with another one would only be tried twice.
	var kept []string
	for _, w := range words {
		if len(kept) == 0 || !strings.HasPrefix(w, kept[len(kept)-1]) {
			kept = append(kept, w)
		}
	}
	return kept
}

// why turns gitleaks' description into the words for what was found:
// "Detected an Airtable key, risking ..." into "an Airtable key".
func (r rule) why() string {
	if why, ok := whys()[r.ID]; ok {
		return why
	}
	first, _, _ := strings.Cut(r.Description, ",")
	first = regexp.MustCompile(`\.$`).ReplaceAllString(first, "")
	first = regexp.MustCompile(`^(?:Uncovered|Detected|Identified|Discovered|Found)(?: the)? `).ReplaceAllString(first, "")
	first = regexp.MustCompile(`^(?:a )?pattern (?:resembling|that resembles|that may indicate) (?:an? )?`).ReplaceAllString(first, "a ")
	first = regexp.MustCompile(`^(?:an? )?(?:possible|potential) `).ReplaceAllString(first, "a ")
	if !regexp.MustCompile(`^an? `).MatchString(first) {
		first = "a " + first
	}
	if regexp.MustCompile(`^a (?:[AEIO]|1?8)`).MatchString(first) {
		first = "an" + first[1:]
	}
	return first
}
