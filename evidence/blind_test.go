package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// blindTo checks a text in a folder and returns why the history was not asked, and
// how many things were looked up.
func blindTo(t *testing.T, dir string, getenv func(string) string) (string, int) {
	t.Helper()
	r, err := Open(dir, getenv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Check(t.Context(), []Text{{Name: "n.md", Body: "The client is in `src/old.py`, the server in `src/new.py`."}})
	if err != nil {
		t.Fatal(err)
	}
	return got.NoHistory, got.Refs
}

func TestAHistoryThatIsNotAskedIsSaidAndNotCounted(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/old.py x", "put src/new.py y", "commit one", "rm src/old.py", "commit two")
	if why, refs := blindTo(t, dir, os.Getenv); why != "" || refs != 2 {
		t.Errorf("with the whole history: %q, %d looked up", why, refs)
	}
	noGit := func(key string) string {
		if key == "PATH" {
			return filepath.Join(dir, "src")
		}
		return os.Getenv(key)
	}
	if why, refs := blindTo(t, dir, noGit); why != "git is not on PATH" || refs != 1 {
		t.Errorf("without git: %q, %d looked up", why, refs)
	}
	if out, err := gitIn(filepath.Dir(dir), "git clone -q --depth 1 file://"+dir+" shallow"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if why, refs := blindTo(t, filepath.Join(filepath.Dir(dir), "shallow"), os.Getenv); !strings.Contains(why, "shallow") || refs != 1 {
		t.Errorf("in a shallow clone: %q, %d looked up", why, refs)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	if why, refs := blindTo(t, dir, os.Getenv); !strings.Contains(why, "git did not answer") || refs != 1 {
		t.Errorf("with a broken HEAD: %q, %d looked up", why, refs)
	}
}

func TestWhatASentenceSaysOfAGonePathDecides(t *testing.T) {
	t.Parallel()
	dir := repository(t, "put src/old.py 'H = \"https://api.oldhost.io\"\\n'", "put docs/x.md y", "commit one", "rm -r src docs", "put a x", "commit two")
	for text, want := range map[string]string{
		"The entry is src/old.py.":                                                     "path src/old.py: gone",
		"In this repository the entry is src/old.py.":                                  "path src/old.py: gone",
		"In the SDK repository the entry is src/old.py.":                               "path src/old.py: unknown",
		"Read docs/x.md of the platform repo first.":                                   "path docs/x.md: unknown",
		"If src/old.py comes up in a stack trace, the client runs a version before 3.": "",
		"When src/old.py fails, restart it.":                                           "path src/old.py: gone",
		"https://api.oldhost.io was the old API; it redirects now.":                    "",
		"https://api.oldhost.io is the API.":                                           "host api.oldhost.io: gone",
	} {
		if got := strings.Join(verdicts(t, dir, text), ", "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
