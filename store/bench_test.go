package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/note"
)

// filled is a store with so many notes of a real size.
func filled(b *testing.B, n int) Config {
	b.Helper()
	files := make(map[string]string, n)
	for i := range n {
		text, err := note.New(note.Fields{Name: fmt.Sprintf("n%05d", i), Description: fmt.Sprintf("what was decided about part %d of the build", i), Type: "project"},
			"The build of this part takes its options from one file.\n\n**Why:** two files drifted apart.\n\n**How to apply:** change the options there and nowhere else; see [[n00001]].\n")
		if err != nil {
			b.Fatal(err)
		}
		files[fmt.Sprintf("n%05d.md", i)] = string(text)
	}
	c := layIn(b, b.TempDir(), files)
	c.Limits = Limits{}
	return c
}

// BenchmarkList reads and lists 10,000 notes; BenchmarkReadFiles is what the
// reading of the files alone takes.
func BenchmarkList(b *testing.B) {
	c := filled(b, 10_000)
	s := open(b, c)
	b.ReportAllocs()
	for b.Loop() {
		if items, err := s.List(); err != nil || len(items) != 10_000 {
			b.Fatal(len(items), err)
		}
	}
}

func BenchmarkReadFiles(b *testing.B) {
	c := filled(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		entries, err := os.ReadDir(c.Dir)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			if _, err := os.ReadFile(filepath.Join(c.Dir, e.Name())); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkAdd writes a note into a store of 1,000; BenchmarkSync is what one
// flush to the disk takes there, of as many bytes.
func BenchmarkAdd(b *testing.B) {
	c := filled(b, 1000)
	c.Limits = loads
	var index strings.Builder
	for i := range 120 {
		fmt.Fprintf(&index, "- [n%05d](n%05d.md) — what was decided about part %d of the build\n", i, i, i)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, IndexName), []byte(index.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	s := open(b, c)
	time.Sleep(settleTime) // a folder whose files were written just now is read again and again
	if _, err := s.Add(human, plainName("first"), Refuse); err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		i++
		done, err := s.Add(human, plainName(fmt.Sprintf("new-%d", i)), Refuse)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if _, err := s.Forget(human, done.Changes[0].Path); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func plainName(name string) New {
	return New{File: name + ".md", Bytes: []byte("---\nname: " + name + "\n---\n\nText.\n"), Line: note.Line{Title: name, Hook: "a fact"}}
}

func BenchmarkSync(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint(i)), os.O_CREATE|os.O_WRONLY, fs.FileMode(0o600))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Write(make([]byte, 1024)); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
