package spelled

import "testing"

func TestCommonWordsAreKnownAndSlipsAreNot(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]bool{
		"county": true, "country": true, "contract": true, "contact": true, "quiet": true, "quite": true, "patients": true, "trial": true, "trail": true,
		"contry": false, "databse": false, "retreival": false, "timout": false, "retenion": false,
	} {
		if got := Word(w); got != want {
			t.Errorf("Word(%q) = %v", w, got)
		}
	}
}
