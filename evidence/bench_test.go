package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bigRepository has 20,000 files of 2 KiB in 400 folders, committed once, then a
// second commit that removes a few.
func bigRepository(b *testing.B) string {
	dir := repository(b, "put a x", "commit one")
	filler := strings.Repeat("\tvalue := compute(input, 42) // as before\n", 45)
	for i := range 20_000 {
		name := filepath.Join(dir, fmt.Sprintf("src/mod%03d/file%05d.go", i/50, i))
		if i%50 == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "package x\n\nfunc Thing%05d() {\n%s}\n", i, filler), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// manyNotes are 10,000 notes of about 500 bytes.
func manyNotes(missing bool) []Text {
	out := make([]Text, 10_000)
	for i := range out {
		n := 2 * i
		body := fmt.Sprintf("Handling of case %d is in `src/mod%03d/file%05d.go`, see `Thing%05d` and `mod%03d/file%05d.go:12`. ", i, n/50, n, n, n/50, n)
		if missing && i%100 == 0 {
			body += fmt.Sprintf("It calls `NoThing%05d` from `src/mod%03d/gone%05d.go`. ", i, n/50, n)
		}
		body += "Run `make test` before a push, and ask in the channel where something is not clear. "
		for len(body) < 500 {
			body += "The rest of the note says why it was done so, in plain words. "
		}
		out[i] = Text{Name: fmt.Sprint(i), Body: body}
	}
	return out
}

func BenchmarkRefs(b *testing.B) {
	notes := manyNotes(false)
	for b.Loop() {
		for i := range notes {
			Refs(notes[i].Body)
		}
	}
}

func BenchmarkBig(b *testing.B) {
	dir := bigRepository(b)
	commit := func(line string) {
		if out, err := gitIn(dir, line); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	commit("git add -A && git commit -qm two")
	r, err := Open(dir, os.Getenv)
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(filepath.Join(dir, "src"), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, p)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read all files", func(b *testing.B) {
		for b.Loop() {
			for _, n := range names {
				if _, err := os.ReadFile(n); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("lstat all files", func(b *testing.B) {
		for b.Loop() {
			for _, n := range names {
				if _, err := os.Lstat(n); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for _, missing := range []bool{false, true} {
		notes := manyNotes(missing)
		b.Run(fmt.Sprintf("check, missing %v", missing), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Check(b.Context(), notes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("fingerprint", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Fingerprint(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
