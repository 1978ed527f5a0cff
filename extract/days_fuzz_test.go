package extract

import (
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzAbsolute: a text that was made absolute stays as it is, whenever it is read again.
func FuzzAbsolute(f *testing.F) {
	for _, seed := range []string{
		"We moved it yesterday.", "| Завтра реліз. | We moved it yesterday. |", "The movie The Day After Tomorrow.", "Logs older than 3 days ago are deleted.",
		"In three days the trial ends. Next month we drop Node 18.", "See [[tomorrow]] and [what changed yesterday](log.md).", "by Friday", "Today is the default.", "- **Tomorrow** we ship",
	} {
		f.Add(seed)
	}
	d, err := NewDays()
	if err != nil {
		f.Fatal(err)
	}
	at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		once := d.Absolute(text, at)
		if again := d.Absolute(once, at.AddDate(0, 0, 9)); again != once {
			t.Errorf("%q became %q, and then %q", text, once, again)
		}
	})
}
