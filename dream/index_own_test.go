package dream_test

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/dream"
	"dormouse/note"
	"dormouse/store"
)

// ownIndex is an index with so many lines of somebody's own.
func ownIndex(lines int, listed ...string) []byte {
	var b strings.Builder
	b.WriteString("# Facts\n\n")
	for i := range lines {
		fmt.Fprintf(&b, "- Fact %d: the owner of module %d is person %d.\n", i, i*13, i*7)
	}
	b.WriteString("\n")
	for _, name := range listed {
		fmt.Fprintf(&b, "- [%s](%s.md) — team\n", name, name)
	}
	return []byte(b.String())
}

func TestAnIndexThatIsFullOfOwnTextDoesNotGrow(t *testing.T) {
	for _, lines := range []int{60, 100, 150, 190, 201, 260, 400} {
		for _, notes := range []int{1, 12, 90} {
			t.Run(fmt.Sprintf("%d lines, %d notes", lines, notes), func(t *testing.T) {
				in := dream.Input{Limits: store.Limits{Lines: 200, Units: 25_000}, Lists: map[string][]byte{}}
				var names []string
				for i := range notes {
					names = append(names, fmt.Sprintf("team-%d", i))
					in.Notes = append(in.Notes, n(t, names[i], "project", "2026-03-01", "", fmt.Sprintf("Team %d of hall %d was founded yesterday.", i+100, i*i+1000)))
				}
				index := ownIndex(lines, names...)
				in.Lists[store.IndexName] = index
				r := run(t, in)
				got := text(r, store.IndexName)
				was, now := strings.Count(string(index), "\n"), strings.Count(got, "\n")
				pages := 0
				for _, f := range r.Files {
					if f.List && f.Rel != store.IndexName {
						pages++
					}
				}
				switch {
				case now > was, note.Units(got) > note.Units(string(index)) && now > 140:
					t.Errorf("it had %d lines, and would have %d", was, now)
				case was <= 140 && pages > 0:
					t.Errorf("%d pages, though all fits", pages)
				case lines > 70 && was <= 200 && pages > 0:
					t.Errorf("%d pages for %d lines, though all of them load", pages, was)
				case lines+len(names)/3 > 200 && notes == 1 && pages > 0:
					t.Errorf("a page for one note")
				}
				for i := range lines {
					if !strings.Contains(got, fmt.Sprintf("- Fact %d: the owner of module %d is", i, i*13)) {
						t.Fatalf("fact %d is gone", i)
					}
				}
				next := again(in, r)
				next.Limits = in.Limits
				for _, d := range run(t, next).Diff(&next) {
					t.Errorf("%s changes again", d.Rel)
				}
			})
		}
	}
}

func TestOnlyItemsAreTakenIntoAnIndex(t *testing.T) {
	_, head := store.TopicPage("web", "web")
	page, _ := store.TopicPage("web", "web")
	in := dream.Input{
		Notes: []dream.Note{
			n(t, "router", "project", "2026-03-01", "", "The router is written in Go."),
			n(t, "styles", "project", "2026-03-01", "", "Styles are kept in one file."),
			{Rel: "dashes.md", Bytes: []byte("---\n\n---\n\n---\n\nThe lake is salt.\n"), Origin: "outside"},
		},
		Lists: map[string][]byte{
			store.IndexName: []byte("- [More notes: web](" + page + ") — 2 notes\n"),
			page:            []byte(head + "[router](router.md) — what serves\n\n| [styles](styles.md) | css |\n|---|---|\n"),
		},
	}
	r := run(t, in)
	for line := range strings.Lines(text(r, store.IndexName)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "- ") {
			t.Errorf("a line %q is no item", line)
		}
		if strings.HasSuffix(line, "---") {
			t.Errorf("a line %q tells nothing", line)
		}
	}
	for _, rel := range []string{"router.md", "styles.md", "dashes.md"} {
		if !strings.Contains(text(r, store.IndexName), rel) {
			t.Errorf("%s has no line:\n%s", rel, text(r, store.IndexName))
		}
	}
}
