package extract

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"dormouse/transcript"
)

// FuzzPerson makes sure that whatever a person types, nothing panics, a quote is a
// part of the text, and nothing private or quoted in a fence comes out.
func FuzzPerson(f *testing.F) {
	for _, s := range []string{
		"remember: deploy only from main", "no, use pnpm instead of npm", "завжди пиши коментарі українською до п'ятниці", "```\nalways use x",
		"<private>remember x y</private> never push y", "a \"b c d\" always", "remember this:\n- a b c\n- d e f", "\xff\xfe always use \x00", "forget what I said about x", "12. March 99 in 99999999999 days",
	} {
		f.Add(s)
	}
	r := New()
	f.Fuzz(func(t *testing.T, s string) {
		r.Turn(&transcript.Turn{Role: transcript.Assistant, Line: 1, Session: "s", Time: monday, Blocks: []transcript.Block{{Kind: transcript.Text, Origin: transcript.Agent, Text: s}}})
		r.Turn(&transcript.Turn{Role: transcript.User, Line: 2, Session: "s", Time: monday, Blocks: []transcript.Block{{Kind: transcript.Text, Origin: transcript.Person, Text: s}}})
		for _, c := range r.End().Candidates {
			check(t, s, c)
		}
	})
}

func check(t testing.TB, s string, c Candidate) {
	t.Helper()
	if squeeze(c.Quote) == "" || !strings.Contains(squeeze(s), squeeze(c.Quote)) {
		t.Errorf("quote %q is no part of %q", c.Quote, s)
	}
	if c.Text == "" || len(c.Text) > 4*maxQuote || strings.ContainsAny(c.Text, "\n\r") || utf8.ValidString(s) && !utf8.ValidString(c.Text) {
		t.Errorf("text %q of %q", c.Text, s)
	}
	if c.Confidence <= 0 || c.Confidence > 1 || c.Type == "" || c.Type == "guess" || c.Origin != transcript.Person {
		t.Errorf("%+v", c)
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestWhatIsMarkedAsForeignNeverComesOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rule := rapid.SampledFrom([]string{"always use MARK in this repo", "remember that we use MARK", "from now on never run MARK", "запам'ятай: завжди MARK", "I'm a MARK engineer"}).Draw(rt, "rule")
		form := rapid.SampledFrom([]string{
			"```\n%\n```", "> %", "<private>%</private>", "he wrote:\n%", "the docs say \"%\"", "<note>\n%\n</note>", "From: a b\nSubject: c d\n\n%", "2026-01-02 10:00:00 INFO %", "the readme:\n\n%", "copied from the wiki: %", "скопіював з вікі: %", "$ cat x\n%",
		}).Draw(rt, "form")
		own := rapid.SampledFrom([]string{"", "look\n", "what is this?\n"}).Draw(rt, "own")
		k := newTalk(t)
		_, f := k.agent("Done.").person(own + strings.ReplaceAll(form, "%", rule)).end()
		for _, c := range f.Candidates {
			if strings.Contains(strings.ToUpper(c.Text+c.Quote), "MARK") {
				rt.Fatalf("%q comes out of %q in %q", c.Text, rule, form)
			}
		}
	})
}

func TestHostileTextTakesTimeInProportion(t *testing.T) {
	for name, unit := range map[string]string{
		"triggers": "always never remember that ", "quotes": "\"", "backticks": "`a ", "tags": "<a ", "private": "<private>", "commas": "use,not,", "lines": "remember this:\n", "numbers": "in 9 days by ", "colons": "a: ", "stops": "a. ", "small words": "we use the our is at to in on my i never ", "long word": "x",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(unit, transcript.MaxText/len(unit))
			k := newTalk(t).person("hello")
			start := time.Now()
			k.agent(text).person(text)
			if d := time.Since(start); d > 2*time.Second {
				t.Errorf("%d bytes took %v", len(text), d)
			}
			k.end()
		})
	}
}
