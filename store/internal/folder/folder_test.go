package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func opened(t *testing.T) (*Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() }) //nolint:errcheck // only read
	return f, dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// texts: "" stands for no file.
func bytesOf(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text)
}

func TestApplyWritesOnlyOverWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, there, before, after, want string }{
		{"a new file", "", "", "new", "new"},
		{"a changed file", "old", "old", "new", "new"},
		{"a removed file", "old", "old", "", ""},
		{"a new file where one came meanwhile", "theirs", "", "new", "theirs"},
		{"a file that was changed meanwhile", "theirs", "old", "new", "theirs"},
		{"a file that was changed meanwhile and is to go", "theirs", "old", "", "theirs"},
		{"a file that is gone", "", "old", "new", ""},
		{"a file that is gone and is to go", "", "old", "", ""},
		{"a file that grew", "old and more", "old", "new", "old and more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, dir := opened(t)
			path := filepath.Join(dir, "a.md")
			if tc.before != "" {
				write(t, path, tc.before) // Prepare looks at its mode
			}
			s := Swap{Rel: "a.md", Temp: ".t", Before: bytesOf(tc.before), After: bytesOf(tc.after)}
			sync, err := f.Prepare(s)
			if err != nil {
				t.Fatal(err)
			}
			if err := sync(); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			if tc.there != "" {
				write(t, path, tc.there)
			}
			err = f.Apply(s)
			if changed := tc.there != tc.before; changed != errors.Is(err, ErrChanged) || !changed && err != nil {
				t.Errorf("error: %v", err)
			}
			got, err := os.ReadFile(path)
			if string(got) != tc.want || tc.want == "" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it holds %q (%v), want %q", got, err, tc.want)
			}
			f.Drop(s.Temp)
			if entries, _ := os.ReadDir(dir); len(entries) > 1 {
				t.Errorf("left behind: %v", entries)
			}
			if info, err := os.Stat(path); err == nil && tc.before != "" && info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

// TestAnEditBetweenLookAndWriteIsNotLost changes the file at the last moment that
// a test can reach: after our look at it, before the names are swapped.
func TestAnEditBetweenLookAndWriteIsNotLost(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"new", ""} {
		f, dir := opened(t)
		path := filepath.Join(dir, "a.md")
		write(t, path, "old")
		s := Swap{Rel: "a.md", Temp: ".t", Before: []byte("old"), After: bytesOf(after)}
		sync, err := f.Prepare(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := sync(); err != nil {
			t.Fatal(err)
		}
		f.Step = func(what string) {
			if what == "look a.md" {
				write(t, path, "theirs")
			}
		}
		if err := f.Apply(s); !errors.Is(err, ErrChanged) {
			t.Errorf("error: %v", err)
		}
		if got, _ := os.ReadFile(path); string(got) != "theirs" {
			t.Errorf("it holds %q", got)
		}
	}
}

func TestReadRefusesWhatIsNoPlainPath(t *testing.T) {
	t.Parallel()
	f, dir := opened(t)
	write(t, filepath.Join(filepath.Dir(dir), "outside.md"), "outside")
	for _, rel := range []string{"", ".", "..", "../outside.md", "/etc/passwd", "a/../b.md", "a//b.md", "./a.md", "a/"} {
		if _, _, err := f.Read(rel, 100); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%q: %v", rel, err)
		}
	}
	for _, rel := range []string{"none.md", "no/such.md"} {
		if _, _, err := f.Read(rel, 100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", rel, err)
		}
	}
	if _, _, err := f.Read("nul\x00.md", 100); err == nil {
		t.Error("a NUL in the name")
	}
}

func TestReadStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	f, dir := opened(t)
	write(t, filepath.Join(dir, "a.md"), "12345")
	for limit, fine := range map[int64]bool{4: false, 5: true, 6: true} {
		b, info, err := f.Read("a.md", limit)
		if fine != (err == nil) || !fine && (!errors.Is(err, ErrTooLarge) || info.Size() != 5) || fine && string(b) != "12345" {
			t.Errorf("limit %d: %q, %v", limit, b, err)
		}
	}
}
