package claude

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/frontmatter"
	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
	"dormouse/store"
)

// generateIndex is the index that the client makes when there is no MEMORY.md:
// the newest notes by file time, one line each.
func (c *client) generateIndex(m *startup.MemoryState, index string, notes []store.File) {
	if len(notes) == 0 {
		return
	}
	notes = c.showable(m.Dir, notes)
	var b strings.Builder
	shown, size := 0, 0
	for _, n := range newest(notes) {
		line := c.generatedLine(m.Dir, n) + "\n"
		if size += startup.Units(line); size > generatedUnits {
			break
		}
		b.WriteString(line)
		shown++
	}
	if shown == 0 {
		return
	}
	m.Index = c.addIndex(startup.File{
		Path: index, Scope: startup.Memory, Reason: startup.ByGeneratedIndex,
		Bytes: int64(b.Len()), Why: "there is no " + indexName + ", so the client makes an index from the notes",
	}, frontmatter.TrimSpace(b.String()))
	// Thousands of them would drown the rest of the report, so they are one entry.
	if n := len(notes) - shown; n > 0 {
		c.left(startup.Left{Path: m.Dir, Scope: startup.Memory, Reason: startup.NotIndexed, Count: n, Why: fmt.Sprintf(
			"%d notes are older than the %d newest, which are all that the client's own index shows", n, shown)})
	}
}

// showable leaves out the notes whose names the client does not put into its
// own index: with brackets or parentheses, line breaks, invisible characters,
// or one of its own tags.
func (c *client) showable(dir string, notes []store.File) []store.File {
	return slices.DeleteFunc(notes, func(n store.File) bool {
		if utf8.ValidString(n.Rel) && !strings.ContainsAny(n.Rel, "[]()\t\n\r\u2028\u2029") && sanitizeIndex(n.Rel) == n.Rel {
			return false
		}
		c.left(startup.Left{
			Path: filepath.Join(dir, filepath.FromSlash(n.Rel)), Scope: startup.Memory, Reason: startup.NotIndexed,
			Why: "its name has a character that the client leaves out of the index it makes",
		})
		return true
	})
}

// newest returns the notes that the client shows, newest first. Of the same
// time, they stay as the file system gives them. A store can hold many
// thousands, so they are not all sorted: what is older than the oldest kept so
// far is passed over, and the kept ones are cut back when they have doubled.
func newest(notes []store.File) []store.File {
	byTime := func(a, b store.File) int { return b.Mod.Compare(a.Mod) }
	kept := make([]store.File, 0, min(len(notes), 2*generatedMax))
	var bound time.Time
	for _, n := range notes {
		if len(kept) >= generatedMax && !n.Mod.After(bound) {
			continue
		}
		kept = append(kept, n)
		if len(kept) == 2*generatedMax {
			slices.SortStableFunc(kept, byTime)
			kept = kept[:generatedMax]
			bound = kept[generatedMax-1].Mod
		}
	}
	slices.SortStableFunc(kept, byTime)
	return kept[:min(len(kept), generatedMax)]
}

// generatedLine is a note's line: its stem, its path, and its description.
func (c *client) generatedLine(dir string, n store.File) string {
	line := "- [" + strings.TrimSuffix(path.Base(n.Rel), ".md") + "](" + n.Rel + ")"
	file := filepath.Join(dir, filepath.FromSlash(n.Rel))
	b, _, err := safefile.Head(file, noteHead)
	if err != nil {
		c.problem(file, 0, "cannot be read: "+strings.TrimPrefix(err.Error(), file+": "))
		return line
	}
	if d := description(look.Text(b)); d != "" {
		if room := generatedLine - startup.Units(line+dash); room > 0 {
			if d = clip(d, room); d != "" {
				line += dash + d
			}
		}
	}
	return line
}

const dash = " — "

// clip shortens a description to room UTF-16 units, at the last space when that
// lies in the second half. Measured on 2.1.332; only the description is cut, so
// a long name makes a longer line.
func clip(d string, room int) string {
	if startup.Units(d) <= room {
		return d
	}
	d = firstUnits(d, room-1)
	if at := strings.LastIndexByte(d, ' '); at >= 0 && 2*startup.Units(d[:at]) > room {
		d = d[:at]
	}
	if d = strings.TrimFunc(d, frontmatter.IsSpace); d == "" {
		return ""
	}
	return d + "…"
}

// noteHead is how much of a note is read for its description, in bytes.
const noteHead = frontmatter.NoteBytes + 8

func description(text string) string {
	b, ok := frontmatter.SplitNote(text)
	if !ok {
		return ""
	}
	f, err := frontmatter.ParseNote(b.Front)
	if err != nil {
		return ""
	}
	d, _ := f.Text("description")
	return strings.Join(strings.FieldsFunc(d, frontmatter.IsSpace), " ")
}
