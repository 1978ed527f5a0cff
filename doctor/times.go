package doctor

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"dormouse/evidence"
	"dormouse/internal/gitroot"
	"dormouse/startup"
	"dormouse/store"
)

// When a note is worth a look for its age alone, in days: what a project is
// changes sooner than where things are; how to work and who the user is do not
// grow old.
const (
	oldProject   = 90
	oldReference = 180
)

// fewAges is how many ages the report lists.
const fewAges = 5

// times tells of what was true for a while only, and of notes that are old.
func (c *check) times() error {
	words := newTimeWords()
	c.live(func(it *store.Item) {
		age := c.ageOf(it)
		c.out.Ages = append(c.out.Ages, age)
		c.old(it, age)
		c.bound(words, it, age)
	})
	for i := range c.docs {
		c.boundDoc(words, &c.docs[i])
	}
	slices.SortStableFunc(c.out.Ages, func(a, b Age) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Path, b.Path))
	})
	c.out.Ages = c.out.Ages[:min(fewAges, len(c.out.Ages))]
	return nil
}

// ageOf is how old a note is: by the time that is recorded in it, then by git's,
// then by the file's, which a copy or a clone makes new.
func (c *check) ageOf(it *store.Item) Age {
	a := Age{Path: c.notePath(it.Rel), By: "file time", At: it.Mod.UTC()}
	if at, ok := c.gitDate(it.Rel); ok {
		a.By, a.At = "git", at.UTC()
	}
	for _, key := range []string{"modified", "updated", "date", "created"} {
		text, ok := it.Note.Text(key)
		if at, err := parseTime(text); ok && err == nil {
			a.By, a.At = "recorded", at.UTC()
			break
		}
	}
	a.Days = max(0, int(c.in.Now.Sub(a.At)/(24*time.Hour)))
	return a
}

func parseTime(text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Parse(time.DateOnly, text)
}

func (c *check) gitDate(rel string) (time.Time, bool) {
	if !c.datesRead {
		c.datesRead = true
		// The memory folder can be in the project's repository or have its own.
		if gitroot.Find(c.dir) != nil {
			if repo, err := evidence.Open(c.dir, c.in.Getenv); err == nil {
				c.dates, _ = repo.Dates(c.ctx, c.dir) // without them the file time counts
			}
		}
	}
	at, ok := c.dates[rel]
	return at, ok
}

func (c *check) old(it *store.Item, age Age) {
	limit := 0
	switch it.Note.Type() {
	case "project":
		limit = oldProject
	case "reference":
		limit = oldReference
	}
	if limit == 0 || age.Days < limit {
		return
	}
	c.add("old-note", Place{Path: age.Path}, "", "%s is a %s note that was not touched for %d days", it.Rel, it.Note.Type(), age.Days).
		evidence("its age is by its %s: %s", ageSource(age.By), age.At.Format(time.DateOnly)).
		fix("see whether it still holds", "show "+shellWord(it.Rel), false, Plan{})
}

func ageSource(by string) string {
	switch by {
	case "recorded":
		return "recorded date"
	case "git":
		return "last commit"
	}
	return "file time"
}

// mostBound is how many findings of one note are told.
const mostBound = 3

// bound looks through the statements of a note for words that held for a while.
func (c *check) bound(w *timeWords, it *store.Item, age Age) {
	say, told := c.teller(w, age, "edit "+shellWord(it.Rel))
	for _, cl := range c.claims[it.Rel] {
		say(it.Note.BodyLine()+cl.Line-1, cl.Text)
	}
	if *told == 0 {
		say(descriptionLine(it.Note), it.Note.Description())
	}
}

// boundDoc looks for the same in an instruction file. When it was written only the
// file's time tells.
func (c *check) boundDoc(w *timeWords, d *doc) {
	info, err := os.Stat(d.path)
	if err != nil || d.scope == startup.Managed {
		return
	}
	age := Age{Path: d.path, By: "file time", At: info.ModTime().UTC()}
	age.Days = max(0, int(c.in.Now.Sub(age.At)/(24*time.Hour)))
	say, _ := c.teller(w, age, "")
	for _, cl := range c.claims[d.path] {
		say(d.line+cl.Line-1, cl.Text)
	}
}

// teller returns what looks at one statement of a text, and how many findings it
// has told of.
func (c *check) teller(w *timeWords, age Age, edit string) (say func(line int, text string), count *int) {
	told := 0
	return func(line int, text string) {
		if told >= mostBound {
			return
		}
		at := Place{Path: age.Path, Line: line, Text: text}
		if word, date, ok := w.deadline(text, age.At, c.in.Now); ok {
			told++
			c.add("deadline-past", at, word, "%s speaks of %s, which is past (%d days ago)", c.at(at), word, int(c.in.Now.Sub(date)/(24*time.Hour))).
				fix("say what became of it", edit, false, Plan{})
			return
		}
		if word, ok := w.bound(text); ok {
			told++
			c.add("time-bound", at, word, "%s says %q, which held when it was written (%s, %s)", c.at(at), word, daysAgo(age.Days), age.By).
				fix("put the date in its place, or what became of it", edit, false, Plan{})
		}
	}, &told
}

func daysAgo(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "1 day ago"
	}
	return fmt.Sprintf("%d days ago", n)
}

// timeWords finds words that were true for a while only. They are compiled when
// first asked for.
type timeWords struct {
	inert       *regexp.Regexp // code, quotes and addresses: nobody says it there
	patterns    []timePattern
	triggers    map[string]uint32 // words to the patterns that need one of them, as bits
	conditional *regexp.Regexp
	dates       *regexp.Regexp
	cue, past   *regexp.Regexp
	strong      *regexp.Regexp // a cue that speaks of a time limit alone
	stands      *regexp.Regexp // what makes a date behind which it comes a sign
	ahead       *regexp.Regexp // what makes a past form speak of the future
}

// Words end where no letter or digit follows; \b knows ASCII only.
const (
	from = `(?:^|[^\pL\pN_-])(`
	to   = `)(?:$|[^\pL\pN_-])`
)

func newTimeWords() *timeWords {
	w := &timeWords{
		triggers:    map[string]uint32{},
		inert:       regexp.MustCompile("`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|https?://\\S+"),
		conditional: regexp.MustCompile(from + `if|when|whenever|while|unless|once|every|each|whether|always|in case|якщо|коли|щоразу|кожн\pL+` + to),
		dates:       regexp.MustCompile(from + `20\d\d-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)? (?:of )?` + months + `,? 20\d\d|` + months + ` \d{1,2}(?:st|nd|rd|th)?,? 20\d\d|\d{1,2} ` + ukMonths + ` 20\d\d|\d{1,2}\.\d{1,2}\.20\d\d` + to),
		cue: regexp.MustCompile(from + `by|until|till|before|due|deadline|expires?|expiring|freeze[sd]?|ends?|ending|launch(?:es)?|ships?|go-?live|goes live|scheduled|planned|will|must|target(?:ed)?|eta|sunset|cut-?off|no later than|valid|starts?|begins?|from|migrate[sd]? by|(?:is|are|gets?) [a-z]+ed(?: [a-z]+)? on|` +
			`до|дедлайн|термін|заплановано|закінчується|реліз|релізимо|має бути|діє|буде` + to),
		stands: regexp.MustCompile(`^["'”» ]*(?:means?|stands? for|counts? as|is (?:treated|read|taken|used) as|denotes?|означає|вважається)(?:$|[^\pL\pN_-])`),
		strong: regexp.MustCompile(from + `by|until|till|due|deadline|(?:is|are|gets?) [a-z]+ed(?: [a-z]+)? on|expires?|expiring|valid|freeze[sd]?|ends|will|no later than|eta|до|дедлайн|термін|діє|закінчується|буде` + to),
		ahead:  regexp.MustCompile(from + `will|must|should|shall|to be|has to|have to|(?:is|are|gets?) [a-z]+ed(?: [a-z]+)? on|буде|має бути|мають бути|треба|потрібно` + to),
		past: regexp.MustCompile(from + `was|were|had|did|decided|shipped|merged|released|fixed|happened|moved|switched|since|as of|measured|verified|checked|written|recorded|learned|observed|reported|incident|outage|said|asked|agreed|removed|added|created|updated|confirmed|` +
			`було|був|була|були|вирішили|станом|перевірено|домовились|від` + to),
	}
	for i, p := range timePatterns() {
		p.re = regexp.MustCompile(from + p.text + to)
		w.patterns = append(w.patterns, p)
		for t := range strings.FieldsSeq(p.needs) {
			w.triggers[t] |= 1 << i
		}
	}
	return w
}

// bound returns the words of a statement that held for a while only.
func (w *timeWords) bound(text string) (string, bool) {
	lower := strings.ToLower(text)
	asked := w.asked(lower)
	if asked == 0 {
		return "", false
	}
	lower = w.inert.ReplaceAllString(lower, " · ")
	dated := w.dates.MatchString(lower)
	for i, p := range w.patterns {
		if asked&(1<<i) == 0 || p.relative && dated {
			continue
		}
		if m := p.re.FindStringSubmatchIndex(lower); m != nil && !w.generic(lower[:m[2]]) && !ofAMoment(lower[m[2]:]) && !strings.HasPrefix(lower[m[3]:], " of ") && !nameOfKind(lower[m[2]:m[3]], lower[m[3]:]) {
			return lower[m[2]:m[3]], true
		}
	}
	return "", false
}

// asked are the patterns that a word of the text could be part of, as bits.
func (w *timeWords) asked(lower string) (bits uint32) {
	start := -1
	for i, r := range lower {
		switch letter := unicode.IsLetter(r); {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			bits |= w.triggers[lower[start:i]]
			start = -1
		}
	}
	if start >= 0 {
		bits |= w.triggers[lower[start:]]
	}
	return bits
}

// ofAMoment tells "at the moment of the call", which is any moment.
func ofAMoment(text string) bool {
	rest, ok := strings.CutPrefix(text, "at the moment")
	word, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return ok && slices.Contains([]string{"of", "when", "that", "this", "the", "it", "a", "an"}, word)
}

// nameOfKind tells "WIP commits", which is what some commits are called and not how
// far this work is.
func nameOfKind(word, behind string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(behind, " "), " ")
	kinds := []string{"commit", "commits", "branch", "branches", "pr", "prs", "mr", "mrs", "limit", "limits", "label", "labels", "prefix", "column", "status", "tag", "pull", "draft", "drafts"}
	return word == "wip" && strings.HasPrefix(behind, " ") && slices.Contains(kinds, strings.Trim(next, ".,:;)\"'"))
}

// generic tells what stands under a condition, and so is a rule for many days.
func (w *timeWords) generic(before string) bool { return w.conditional.MatchString(before) }

// deadline returns a date of a statement that something was to be done by, or to
// hold until, and that is past.
func (w *timeWords) deadline(text string, written, now time.Time) (string, time.Time, bool) {
	if !strings.Contains(text, "20") { // no year
		return "", time.Time{}, false
	}
	lower := strings.ToLower(w.inert.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) }))
	for _, m := range w.dates.FindAllStringSubmatchIndex(lower, -1) {
		date, ok := readDate(lower[m[2]:m[3]])
		if !ok || !date.AddDate(0, 0, 1).Before(now) {
			continue
		}
		if w.stands.MatchString(lower[m[3]:]) {
			continue // a date that stands for something: 2020-01-01 means no end
		}
		before := lower[max(0, m[2]-cueReach):m[2]]
		for !validStart(before) {
			before = before[1:]
		}
		if !w.cue.MatchString(before+" ") || w.past.MatchString(before+" ") && !w.ahead.MatchString(before+" ") {
			continue
		}
		// A weak word before a date that was past when the note was written tells of
		// history: "before 2024-05-01 the API was v1".
		if !w.strong.MatchString(before+" ") && date.Before(written.AddDate(0, 0, -1)) {
			continue
		}
		return strings.TrimSpace(lower[m[2]:m[3]]), date, true
	}
	return "", time.Time{}, false
}

// cueReach is how far before a date the word stands that makes it a deadline, in
// bytes.
const cueReach = 48

func validStart(s string) bool { return s == "" || s[0] < 0x80 || s[0] >= 0xC0 }

// readDate reads one of the forms that dates finds.
func readDate(s string) (time.Time, bool) {
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		return at, true
	}
	if at, err := time.Parse("2.1.2006", s); err == nil {
		return at, true
	}
	var day, year int
	var month time.Month
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		digits := strings.TrimRight(word, "stndrh")
		n := 0
		if _, err := fmt.Sscanf(digits, "%d", &n); err == nil {
			if n > 31 {
				year = n
			} else {
				day = n
			}
			continue
		}
		if i := slices.Index(strings.Split(strings.Trim(ukMonths, "(?:)"), "|"), word); i >= 0 {
			month = time.Month(i + 1)
		}
		for m := time.January; m <= time.December; m++ {
			if len(word) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), word[:3]) {
				month = m
			}
		}
	}
	if day == 0 || month == 0 || year == 0 {
		return time.Time{}, false
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), true
}
