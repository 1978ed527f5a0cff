package globs

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestExcludesMatchAsForTheClient(t *testing.T) {
	rec := recorded[struct {
		Files    []string
		Excluded []struct {
			Pattern string
			Files   []string
		}
	}](t, "excludes.json")
	const dir = "/home/u/proj/.claude/rules/p/"
	asIs := func(dir string) (string, error) { return dir, nil }
	unknown := 0
	for _, c := range rec.Excluded {
		e := NewExcludes([]string{dir + c.Pattern}, asIs)
		if len(e.Unknown()) > 0 {
			unknown++
			continue
		}
		for _, f := range rec.Files {
			want := false
			for _, x := range c.Files {
				want = want || x == f
			}
			if _, got := e.Match(dir + f); got != want {
				t.Errorf("%q on %q: %v, for the client %v", c.Pattern, f, got, want)
			}
		}
	}
	if unknown*4 > len(rec.Excluded) {
		t.Errorf("%d of %d patterns are not followed", unknown, len(rec.Excluded))
	}
}

// TestExcludesSpellings are single runs of the client: proj is started in, lproj
// is a link to it, lroot a link to the folder above.
func TestExcludesSpellings(t *testing.T) {
	links := map[string]string{"/r/lproj": "/r/proj", "/r/lroot": "/r", "/r/lroot/proj": "/r/proj"}
	realpath := func(dir string) (string, error) {
		if to, ok := links[dir]; ok {
			return to, nil
		}
		if strings.Contains(dir, "nope") {
			return "", errors.New("no such folder")
		}
		return dir, nil
	}
	const file = "/r/proj/CLAUDE.md"
	for pattern, want := range map[string]bool{
		"/r/proj/CLAUDE.md":          true,
		"/r/proj":                    false,
		"/r/proj/":                   false,
		"/r/proj/*":                  true,
		"/r/proj/**":                 true,
		"/r/proj/CLAUDE.md/**":       true,
		"/r/proj/CLAUDE.md/*":        false,
		"/r/proj/CLAUDE.md/":         false,
		"/r/*/CLAUDE.md":             true,
		"/r/**":                      true,
		"/r/proj/n/../CLAUDE.md":     true,
		"/r//proj/CLAUDE.md":         true,
		"/r/proj/./CLAUDE.md":        true,
		"/**/proj/CLAUDE.md":         true,
		"//**/CLAUDE.md":             false,
		"**":                         true,
		"*":                          false,
		"**/CLAUDE.md":               true,
		"**/claude.md":               false,
		"CLAUDE.md":                  false,
		"./CLAUDE.md":                false,
		"./**/CLAUDE.md":             true,
		".//**":                      true,
		"proj/CLAUDE.md":             false,
		"~/**":                       false,
		"/r/lproj/CLAUDE.md":         true,
		"/r/lproj/C?AUDE.md":         true,
		"/r/lproj/**":                false,
		"/r/lproj/{CLAUDE,x}.md":     false,
		"/r/lroot/proj/*.md":         true,
		"/r/lroot/**/CLAUDE.md":      false,
		"/r/l*/CLAUDE.md":            false,
		"/r/lproj/nope/../CLAUDE.md": true,
		"/r/nope/CLAUDE.md":          false,
		"!/r/proj/CLAUDE.md":         false,
		"!**/x.md":                   true,
		"!!**/CLAUDE.md":             true,
		`\r\proj\CLAUDE.md`:          true,
		`**\CLAUDE.md`:               true,
		"**/{CLAUDE,imp}.md":         true,
		"**/[C]LAUDE.md":             true,
		"/r/proj/CLAUDE.md ":         false,
		"   /r/proj/CLAUDE.md":       false,
		"":                           false,
		" ":                          false,
		"**/../**":                   false,
		"/r/proj/{x/../CLAUDE.md,q}": false,
		"file:///r/proj/CLAUDE.md":   false,
	} {
		got, ok := NewExcludes([]string{"/nothing", pattern}, realpath).Match(file)
		if ok != want || ok && got != pattern {
			t.Errorf("%q excludes: %v (%q), for the client %v", pattern, ok, got, want)
		}
	}
}

func TestExcludesSayWhatTheyDoNotFollow(t *testing.T) {
	e := NewExcludes([]string{"**/a.md", "**/@(a|b).md", "**/[[:alpha:]].md", `**/"a".md`, "**/a(b).md"}, nil)
	if got := len(e.Unknown()); got != 4 {
		t.Errorf("%q", e.Unknown())
	}
	if _, ok := e.Match("**/a(b).md"); !ok {
		t.Error("a file of the pattern's own name is excluded all the same")
	}
	var none *Excludes
	if _, ok := none.Match("/a"); ok {
		t.Error("no excludes exclude nothing")
	}
}

func TestHostileExcludesTakeNoTime(t *testing.T) {
	file := "/" + strings.Repeat("a/", 2000) + "CLAUDE.md"
	for _, unit := range []string{"*a", "**/", "/**", "[", "[a]", "{", "{a,", "{a,b}", "{{", "!", "?", "+", "a/**/", "****", "{a}"} {
		start := time.Now()
		NewExcludes([]string{"/" + strings.Repeat(unit, 1<<17/len(unit)), strings.Repeat(unit, 4000/len(unit))}, nil).Match(file)
		if took := time.Since(start); took > hang {
			t.Errorf("%q took %v", unit, took)
		}
	}
}

func FuzzExcludes(f *testing.F) {
	for _, s := range [][2]string{{"**/CLAUDE.md", "/a/CLAUDE.md"}, {"/a/{b,c}/**", "/a/b"}, {"!/a/[^b]*", "/a/c"}, {"{a..c}+", "/"}, {"****/a.b", "/a"}, {"[", "/["}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, file string) {
		e := NewExcludes([]string{pattern}, func(dir string) (string, error) { return dir + "x", nil })
		if got, ok := e.Match(file); ok && got != pattern {
			t.Errorf("%q named for %q", got, pattern)
		}
	})
}
