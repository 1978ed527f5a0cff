// Command benchfixture writes what `make bench` measures on, the same bytes at
// every run: either a project with five instruction files and an index of 200
// lines, or a folder of many notes without an index.
//
//	benchfixture -project DIR -home DIR -store DIR
//	benchfixture -store DIR -notes N
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	project := flag.String("project", "", "project folder to write instruction files into")
	home := flag.String("home", "", "home folder to write the user's file into")
	store := flag.String("store", "", "memory folder to write notes into")
	notes := flag.Int("notes", 0, "number of notes, and no index; 0: an index and its notes")
	flag.Parse()
	var err error
	if *notes > 0 {
		err = writeNotes(*store, *notes)
	} else {
		err = writeSmall(*project, *home, *store)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchfixture:", err)
		os.Exit(1)
	}
}

const indexLines = 200

// writeSmall writes five instruction files of ordinary size (one imported by
// another), an index that is just not cut, and its notes.
func writeSmall(project, home, store string) error {
	files := map[string]string{
		filepath.Join(home, ".claude", "CLAUDE.md"):              instructions("Me", 30),
		filepath.Join(project, "CLAUDE.md"):                      "@docs/conventions.md\n\n" + instructions("Project", 120),
		filepath.Join(project, "docs", "conventions.md"):         instructions("Conventions", 80),
		filepath.Join(project, ".claude", "rules", "testing.md"): instructions("Testing", 40),
		filepath.Join(project, "CLAUDE.local.md"):                instructions("Only here", 10),
	}
	var index strings.Builder
	for i := range indexLines {
		fmt.Fprintf(&index, "- [Fact %03d](%s) — %s\n", i, noteName(i), description(i))
	}
	files[filepath.Join(store, "MEMORY.md")] = index.String()
	for path, text := range files {
		if err := write(path, text); err != nil {
			return err
		}
	}
	return writeNotes(store, indexLines)
}

// writeNotes writes n notes of 0.3 to 1.5 KB, a minute apart in time.
func writeNotes(store string, n int) error {
	newest := time.Now().Truncate(time.Second)
	for i := range n {
		path := filepath.Join(store, noteName(i))
		if err := write(path, note(i)); err != nil {
			return err
		}
		// In an order that is not that of the names.
		at := newest.Add(-time.Duration(i*7919%n) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
	}
	return nil
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// instructions is a text of about lines lines with what such files hold:
// headings, lists, a fence, a comment, code spans, an address.
func instructions(title string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<!-- kept by the team\nsee the wiki -->\n\n", title)
	b.WriteString("```sh\nmake test # not @an/import\n```\n\n")
	for i := range lines {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "\n## Part %d\n", i/10)
		case 5:
			b.WriteString("Write to team@example.com before you touch `@internal/names`.\n")
		default:
			fmt.Fprintf(&b, "- Rule %d: prefer the small change, and say in one line why it is right.\n", i)
		}
	}
	return b.String()
}

func noteType(i int) string { return []string{"user", "feedback", "project", "reference"}[i%4] }

func noteName(i int) string { return fmt.Sprintf("%s_%05d.md", noteType(i), i) }

func description(i int) string {
	return fmt.Sprintf("what was learned about part %d, and where it stands now", i)
}

func note(i int) string {
	head := fmt.Sprintf("---\nname: Fact %03d\ndescription: %s\nmetadata:\n  node_type: memory\n  type: %s\n---\n\n", i, description(i), noteType(i))
	return head + strings.Repeat(fmt.Sprintf("The build of part %d needs its own cache; it was cleared by hand once.\n", i), 3+i%15)
}
