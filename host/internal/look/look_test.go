package look

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dormouse/host"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

func TestEachLongestWrongSequenceIsOneMark(t *testing.T) {
	for in, want := range map[string]string{ // the examples of the Unicode standard, table 3-8 and around it
		"plain €":                  "plain €",
		"\ufeffx":                  "\ufeffx",
		"\xff\xfe":                 "��",
		"\xe2\x82":                 "�",
		"a\xe2\x82b":               "a�b",
		"\xf0\x9f\x98":             "�",
		"\xc0\xaf":                 "��",
		"\xe0\x80\xbf":             "���",
		"\xe0\xa0x":                "�x",
		"\xed\xa0\x80":             "���",
		"\xed\x9fx":                "�x",
		"\xf0\x80\x80\x80":         "����",
		"\xf0\x90x":                "�x",
		"\xf4\x91\x92\x93":         "����",
		"\xf4\x8f\xbfx":            "�x",
		"\xf1\x80\x80\xe1\x80\xc2": "���",
		"\x80\xbf":                 "��",
	} {
		if got := Text([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a\xe2\x82\xf0\x9f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := Text(b)
		if !utf8.ValidString(got) || utf8.Valid(b) && got != string(b) || len(got) > 3*len(b) {
			t.Fatalf("%q from %q", got, b)
		}
		// What is text stays, in its order.
		if diff := cmp.Diff(strings.ReplaceAll(strings.ToValidUTF8(string(b), ""), "�", ""), strings.ReplaceAll(got, "�", "")); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", b, diff)
		}
	})
}

func TestUpwardListsFromTheTopDown(t *testing.T) {
	for _, tc := range []struct {
		top, dir string
		want     []string
	}{
		{"/a", "/a/b/c", []string{"/a", "/a/b", "/a/b/c"}},
		{"/a", "/a", []string{"/a"}},
		{"/", "/a", []string{"/", "/a"}},
		{"/a", "/ab", []string{"/ab"}},
		{"/a/b", "/a", []string{"/a"}},
	} {
		if diff := cmp.Diff(tc.want, Upward(filepath.FromSlash(tc.top), filepath.FromSlash(tc.dir))); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", tc.top, tc.dir, diff)
		}
	}
}

func TestMarkedFindsTheNearestFolder(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"m1", "a/m2", "a/b/c"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(root, "a/b/c")
	for _, tc := range []struct {
		markers []string
		want    string
	}{{[]string{"m1"}, root}, {[]string{"m1", "m2"}, filepath.Join(root, "a")}, {[]string{"no-such-marker"}, ""}, {nil, ""}} {
		if got := Marked(dir, tc.markers); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.markers, got, tc.want)
		}
	}
}

func TestUnreadSaysWhyInPlainWords(t *testing.T) {
	dir := t.TempDir()
	folder, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, _, missing := safefile.Read(filepath.Join(dir, "x"), 1)
	for _, tc := range []struct {
		err    error
		reason startup.Reason
		why    string
	}{
		{safefile.ErrTooLarge, startup.NotTooLarge, "too large"},
		{safefile.ErrNotRegular, startup.NotAFile, "a folder"},
		{missing, startup.NotUnreadable, "cannot be read: no such file or directory"},
		{&fs.PathError{Op: "stat", Path: "p", Err: errors.New("refused")}, startup.NotUnreadable, "cannot be read: refused"},
	} {
		r := Report{&startup.Report{}}
		r.Unread(startup.Left{Path: filepath.Join(dir, "x"), Scope: startup.User}, folder, tc.err)
		if len(r.Left) != 1 || len(r.Problems) != 1 || r.Left[0].Reason != tc.reason || !strings.Contains(r.Left[0].Why, tc.why) || r.Problems[0].What != r.Left[0].Why {
			t.Errorf("%v: %+v, %+v", tc.err, r.Left, r.Problems)
		}
	}
}

func TestUnusedNamesEachFlagOnce(t *testing.T) {
	none := ""
	r := Report{&startup.Report{}}
	r.Unused("X", host.Flags{Bare: true, SafeMode: true, Settings: "{}", SettingSources: &none, AddDirs: []string{"d"}}, true)
	var got []string
	for _, n := range r.Notices {
		got = append(got, n.Path)
	}
	if diff := cmp.Diff([]string{"--bare", "--safe-mode", "--settings", "--setting-sources"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStartNeedsAFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(dir, "nope")} {
		if _, err := Start("h", "c", path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if r, err := Start("h", "c", dir); err != nil || r.Host != "h" || r.Client != "c" || r.Loaded == nil || r.Problems == nil {
		t.Errorf("%+v, %v", r.Report, err)
	}
}
