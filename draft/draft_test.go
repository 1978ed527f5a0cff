package draft

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dormouse/note"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// accuracy returns how many types of a table are guessed right.
func accuracy(t *testing.T, file string, show bool) (right, total int) {
	t.Helper()
	confusion := map[string]int{}
	for _, row := range rows(t, file) {
		d := Guess(row[1])
		total++
		if d.Type == row[0] {
			right++
			continue
		}
		confusion[row[0]+" as "+d.Type]++
		if show {
			t.Logf("want %s, got %s (%s): %s", row[0], d.Type, d.TypeWhy, row[1])
		}
	}
	t.Logf("%s: %d of %d types right; %v", file, right, total, confusion)
	return right, total
}

func TestTypesOfTheDevelopmentSetAreGuessed(t *testing.T) {
	t.Parallel()
	if right, total := accuracy(t, "types_develop.txt", true); 100*right < 90*total {
		t.Errorf("%d of %d right", right, total)
	}
}

func TestTypesOfTheHeldOutSetAreGuessed(t *testing.T) {
	t.Parallel()
	// Misses are not shown: whoever tunes on them has no held-out set any more.
	if right, total := accuracy(t, "types_heldout.txt", false); 100*right < 85*total {
		t.Errorf("%d of %d right", right, total)
	}
}

func TestDraftsAreProposed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       Draft
	}{
		{"nothing", " \n", Draft{Name: "note-c7c5d52f", Type: Project, TypeWhy: "nothing in the text speaks for another type"}},
		{"a rule", "Never run the full test suite on this laptop.", Draft{
			Name: "never-run-full-test-suite-laptop", Title: "Never run the full test suite on this laptop",
			Description: "Never run the full test suite on this laptop", Type: Feedback, TypeWhy: `"Never" is a rule for the agent`, Facts: 1,
		}},
		{"a heading and a list", "# Package manager\n\n- **Use pnpm**, not npm.\n- I am a backend developer.\n", Draft{
			Name: "package-manager", Title: "Package manager", Description: "Use pnpm, not npm", Type: Feedback,
			TypeWhy: `"Use pnpm" is a rule for the agent`, Facts: 2,
		}},
		{"a type in front", "user: knows Go", Draft{Name: "knows-go", Title: "knows Go", Description: "knows Go", Type: User, TypeWhy: `the text begins with "user:"`, Facts: 1}},
		{"a link", "Docs: https://docs.example.com/payments", Draft{
			Name: "docs-docs-example-com-payments", Title: "Docs: https://docs.example.com/payments",
			Description: "Docs: https://docs.example.com/payments", Type: Reference, TypeWhy: `"https://docs.example.com/payments" says where something is found`, Facts: 1,
		}},
		{"Ukrainian", "Завжди запускай тести перед пушем.", Draft{
			Name: "zapuskai-testy-pered-pushem", Title: "Завжди запускай тести перед пушем",
			Description: "Завжди запускай тести перед пушем", Type: Feedback, TypeWhy: `"Завжди" is a rule for the agent`, Facts: 1,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Guess(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheReasonForATypeIsTold(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, typ, why string }{
		{"The cache never expires entries", Project, "nothing in the text speaks for another type"},
		{"The port was never closed", Project, "nothing in the text speaks for another type"}, // "was" says nothing
		{"Prices are integers in cents", Project, "nothing in the text speaks for another type"},
		{"The migration is postponed", Project, `"migration" tells of ongoing work`},
		{"Callers must never close the port", Feedback, `"never" is a rule for the agent`},
		{"I want you to answer in Ukrainian", Feedback, `"I want you" is a rule for the agent`},
		{"I told you twice about tabs", Feedback, `"I told you" is a rule for the agent`},
		{"I want to learn Rust", User, `"I want" says who the user is`},
		{"Хочу, щоб тести були швидкі", Project, "nothing in the text speaks for another type"},
		{"**Reference:** see the wiki", Reference, `the text begins with "reference:"`},
		{"The runbook: https://example.com/" + strings.Repeat("x", 100), Reference, `"https://example.com/xxxxxxxxxxxxxxxxxxx…" says where something is found`},
	}
	for _, tt := range tests {
		if d := Guess(tt.text); d.Type != tt.typ || d.TypeWhy != tt.why {
			t.Errorf("%q: got %s, %s", tt.text, d.Type, d.TypeWhy)
		}
	}
}

func TestSlugsAreFileNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"small words are left out", "The deadline for the audit of the shop is 14 May", "deadline-audit-shop-14-may"},
		{"but not where few are left", "We are on it", "we-are-on-it"},
		{"never and not are no small words", "Use pnpm, not npm", "use-pnpm-not-npm"},
		{"an apostrophe joins", "Don't repeat yourself", "dont-repeat-yourself"},
		{"accents go", "Öl für Ærøskøbing, naïve café, Łódź", "ol-fur-aeroskobing-naive-cafe-lodz"},
		{"accents that are characters of their own go", "cafe\u0301 ole\u0301 deja\u0300", "cafe-ole-deja"},
		{"letters that become two", "Straße Œuvre Þór ĳs", "strasse-oeuvre-thor-ijs"},
		{"Belarusian with accents of its own", "у\u0306сё е\u0308лка", "usio-iolka"},
		{"Vietnamese", "Tiếng Việt đẹp", "tieng-viet-dep"},
		{"Ukrainian by the decree of 2010", "Згурський Єнакієве Їжакевич Київ Щербухи", "zghurskyi-yenakiieve-yizhakevych-kyiv-shcherbukhy"},
		{"Ukrainian within a word", "Знам'янка Гаєвич Маріїне Юрій", "znamianka-haievych-mariine-yurii"},
		{"Ukrainian with accents of their own", "Киі\u0308в", "kyiv"},
		{"Russian letters", "объём эхо сыр", "obiom-ekho-syr"},
		{"Greek", "Καλημέρα κόσμε φίλε", "kalimera-kosme-file"},
		{"a version keeps its dots", "Go 1.26 everywhere", "go-1.26-everywhere"},
		{"a sentence's dot goes", "Go. Now!", "go-now"},
		{"a name of Windows", "CON", "note-con"},
		{"a port of Windows", "com1", "note-com1"},
		{"a port with an ending", "lpt9.5", "note-lpt9.5"},
		{"no port", "com10", "com10"},
		{"the index", "MEMORY", "note-memory"},
		{"an instruction file", "CLAUDE", "note-claude"},
		{"no letter that can be written", "総合テスト", "note-"},
		{"nothing", "", "note-811c9dc5"},
		{"a long word", strings.Repeat("a", 300), strings.Repeat("a", 50)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Slug(tt.text)
			if strings.HasSuffix(tt.want, "note-") && len(got) == len("note-")+8 {
				got = got[:len("note-")]
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

var slugPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,79}$`)

func checkGuess(t interface{ Fatalf(string, ...any) }, text string) {
	d := Guess(text)
	for _, slug := range []string{d.Name, Slug(text)} {
		if !slugPattern.MatchString(slug) || len(slug) > 55 || reserved(slug) {
			t.Fatalf("%q: name %q", text, slug)
		}
	}
	for _, line := range []struct {
		text string
		most int
	}{{d.Title, maxTitle}, {d.Description, maxDescription}} {
		if note.Units(line.text) > line.most || strings.ContainsAny(line.text, "\r\n\x00\u202e") || !utf8.ValidString(line.text) {
			t.Fatalf("%q: line %q", text, line.text)
		}
	}
	switch d.Type {
	case User, Feedback, Project, Reference:
	default:
		t.Fatalf("%q: type %q", text, d.Type)
	}
	if d.TypeWhy == "" || d != Guess(text) {
		t.Fatalf("%q: %+v", text, d)
	}
	m := Same(text, []Known{{File: "a.md", Description: text, Body: text}})
	if len(text) < 1000 && d.Facts == 1 && len(m) == 1 && m[0].Score > 1 {
		t.Fatalf("%q: %+v", text, m)
	}
}

func TestGuessesAreAlwaysValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkGuess(t, rapid.String().Draw(t, "text")) })
}

func FuzzGuess(f *testing.F) {
	for _, s := range []string{"Never push.", "# h\n- a", "user: x", "I'm a dev", "https://a.b/c", "con", "й\u0306", "総合テスト", "\xff\xfe", "SHOP-1 #2 v1.2 a-b", "не", "```\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkGuess(t, text) })
}

func TestHostileTextsTakeNoTime(t *testing.T) {
	const size = 1 << 20
	for _, piece := range []string{"a", "- ", "-", "#", "`", "```\n", "\n", ". A", "a.b/", "Never:\n- a\n", "é", "и\u0306", "日", "\xff", "# h\n", "Notes:\n", "I ", "not ", "1. ", "a ", "a\n\n", "x12 ", "A. ", "'", "-a", "://", "**", "  - a\n", "> ", "Why: x\n\n"} {
		text := strings.Repeat(piece, size/len(piece))
		known := []Known{{File: "a.md", Description: text, Body: text}}
		for name, work := range map[string]func(){
			"Guess": func() { Guess(text) }, "Slug": func() { Slug(text) }, "Split": func() { Split(text) }, "Same": func() { Same(text, known) },
		} {
			start := time.Now()
			work()
			if d := time.Since(start); d > 30*time.Second { // square work would take minutes; what it takes is a benchmark
				t.Errorf("%s of %q took %v", name, piece, d)
			} else if d > 100*time.Millisecond {
				t.Logf("%s of %q took %v", name, piece, d)
			}
		}
	}
}
