package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dormouse/host"
	"dormouse/internal/apiserver/daemon"
	"dormouse/internal/cli"
	"dormouse/internal/remote"
	"dormouse/store"
	"dormouse/syncer"
	"dormouse/trust"
)

// served starts dormoused on SQLite, and returns its address and a file with a key.
func served(t *testing.T) (address, keyFile string) {
	t.Helper()
	dir := t.TempDir()
	place := filepath.Join(dir, "server.db")
	nothing := func(string) string { return "" }
	var key bytes.Buffer
	if code := daemon.Main(t.Context(), []string{"keys", "create", "--database", place, "--workspace", "team"}, daemon.IO{Out: &key, Err: io.Discard, Getenv: nothing}); code != 0 {
		t.Fatal("no key")
	}
	keyFile = filepath.Join(dir, "key")
	if err := os.WriteFile(keyFile, key.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	file, ended := filepath.Join(dir, "address"), make(chan int, 1)
	go func() {
		ended <- daemon.Main(ctx, []string{"--database", place, "--listen", "127.0.0.1:0", "--addr-file", file}, daemon.IO{Out: io.Discard, Err: io.Discard, Getenv: nothing})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	for range 400 {
		if b, err := os.ReadFile(file); err == nil && bytes.HasSuffix(b, []byte("\n")) {
			return strings.TrimSpace(string(b)), keyFile
		}
		time.Sleep(25 * time.Millisecond) // it is asked again: nothing hangs on how long
	}
	t.Fatal("it did not begin to serve")
	return "", ""
}

// laptop is a home with a memory folder.
type laptop struct {
	t         *testing.T
	home, dir string
	env       map[string]string
}

func newLaptop(t *testing.T) *laptop {
	t.Helper()
	home := t.TempDir()
	l := &laptop{t, home, filepath.Join(home, "notes"), map[string]string{}}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return l
}

// run runs one command line there.
func (l *laptop) run(args ...string) (code int, out, said string) {
	l.t.Helper()
	var o, e bytes.Buffer
	get := func(name string) string { return l.env[name] }
	streams := &cli.IO{
		In: strings.NewReader(""), Out: &o, Err: &e, Now: time.Now, Getwd: func() (string, error) { return l.home, nil },
		Env: host.Env{Home: l.home, Getenv: get, OS: "linux", Lookup: func(name string) (string, bool) {
			v, ok := l.env[name]
			return v, ok
		}},
		Remote: func(base, key string) (syncer.Remote, error) {
			return remote.New(remote.Config{Base: base, Key: key, Sleep: func(context.Context, time.Duration) error { return nil }})
		},
	}
	code = cli.Main(append(slices.Clone(args), "--store", l.dir), streams)
	return code, o.String(), e.String()
}

// must runs a command that has to end so.
func (l *laptop) must(want int, args ...string) string {
	l.t.Helper()
	code, out, said := l.run(args...)
	if code != want {
		l.t.Fatalf("%v ended with %d, want %d\n%s%s", args, code, want, out, said)
	}
	return out + said
}

// write writes a file as an editor does; "" removes it.
func (l *laptop) write(name, text string) {
	l.t.Helper()
	path := filepath.Join(l.dir, name)
	err := os.Remove(path)
	if text != "" {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// notes are what the folder holds without its index.
func (l *laptop) notes() map[string]string {
	l.t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(l.dir, "*.md"))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			l.t.Fatal(err)
		}
		if name := filepath.Base(f); name != store.IndexName {
			out[name] = string(b)
		}
	}
	return out
}

func (l *laptop) index() string {
	b, _ := os.ReadFile(filepath.Join(l.dir, store.IndexName)) // none is an empty one
	return string(b)
}

const three = "Prices are integers in cents.\n\nDeploys happen on Tuesdays.\n\nThe mail service is written in Elixir.\n"

func TestTwoLaptopsShareNotesOverOneServer(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a, b := newLaptop(t), newLaptop(t)
	a.write("a.md", three)
	a.write("b.md", "A second note.\n")
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	out := b.must(0, "pull", "notes", "--url", address, "--key-file", key)
	if !strings.Contains(out, "+ a.md") || !strings.Contains(out, "dormouse review") || strings.Contains(b.index(), "a.md") {
		t.Errorf("pull says %q, and the index is %q", out, b.index())
	}
	if diff := cmp.Diff(a.notes(), b.notes()); diff != "" {
		t.Error(diff)
	}
	if out := b.must(0, "push"); !strings.Contains(out, "0 notes changed") {
		t.Errorf("a push of what was just pulled: %q", out)
	}
	// Other lines on both sides.
	a.write("a.md", strings.Replace(three, "cents", "pence", 1))
	a.must(0, "push")
	b.write("a.md", strings.Replace(three, "Elixir", "Erlang", 1))
	b.must(0, "pull")
	want := strings.NewReplacer("cents", "pence", "Elixir", "Erlang").Replace(three)
	if b.notes()["a.md"] != want {
		t.Errorf("merged to %q", b.notes()["a.md"])
	}
	// What was merged with a text from elsewhere goes back once somebody has looked at it.
	if out := b.must(0, "push"); !strings.Contains(out, "a.md is passed over: it waits here until it is reviewed") {
		t.Errorf("push says %q", out)
	}
	b.write("a.md", want+"\nIt was looked at.\n")
	b.approve("a.md")
	b.must(0, "push")
	a.must(0, "pull")
	if a.notes()["a.md"] != want+"\nIt was looked at.\n" {
		t.Errorf("the other laptop has %q", a.notes()["a.md"])
	}
	if diff := cmp.Diff(a.notes(), b.notes()); diff != "" {
		t.Error(diff)
	}
}

// approve is what a person does at a terminal, in a review.
func (l *laptop) approve(name string) {
	l.t.Helper()
	st, err := store.Open(store.Config{Dir: l.dir, State: filepath.Join(l.home, ".local", "state", "dormouse")})
	if err != nil {
		l.t.Fatal(err)
	}
	defer st.Close() //nolint:errcheck // each record is on the disk
	text, err := st.Read(name)
	if err == nil {
		_, err = st.Record(store.By{Actor: store.Human}, trust.OpApprove, store.Mark{Path: name, Bytes: text})
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestAConflictKeepsBothTextsAndSaysSo(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a, b := newLaptop(t), newLaptop(t)
	a.write("a.md", "The port is 80.\n")
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	b.must(0, "pull", "notes", "--url", address, "--key-file", key)
	b.write("a.md", "The port is 8080.\n")
	b.must(0, "push")
	a.write("a.md", "The port is 443.\n")
	if out := a.must(1, "push"); !strings.Contains(out, "pull first") {
		t.Errorf("push says %q", out)
	}
	out := a.must(1, "pull")
	name := "a-conflict-" + store.HashOf([]byte("The port is 8080.\n"))[:8] + ".md"
	if !strings.Contains(out, name) {
		t.Errorf("pull says %q", out)
	}
	if diff := cmp.Diff(map[string]string{"a.md": "The port is 443.\n", name: "The port is 8080.\n"}, a.notes()); diff != "" {
		t.Error(diff)
	}
	a.must(0, "pull") // it is told once
	a.must(0, "push")
	b.must(0, "pull")
	if got := b.notes()["a.md"]; got != "The port is 443.\n" {
		t.Errorf("the other laptop has %q", got)
	}
	if out := b.must(0, "undo"); b.notes()["a.md"] != "The port is 8080.\n" {
		t.Errorf("after an undo it has %q: %s", b.notes(), out)
	}
}

func TestASecretIsNotPushedNorPulled(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a, b := newLaptop(t), newLaptop(t)
	token := "ghp_16C7e42F292c6912E7710c838347" + "Ae178B4a"
	a.write("a.md", "Fine.\n")
	a.write("s.md", "One line.\nThe token is "+token+"\n")
	out := a.must(1, "push", "--create", "notes", "--url", address, "--key-file", key)
	if !strings.Contains(out, "s.md: it holds a secret") || !strings.Contains(out, "line 2") || !strings.Contains(out, "purge") || strings.Contains(out, token) {
		t.Errorf("push says %q", out)
	}
	b.must(0, "pull", "notes", "--url", address, "--key-file", key)
	if diff := cmp.Diff(map[string]string{"a.md": "Fine.\n"}, b.notes()); diff != "" {
		t.Error(diff)
	}
	side := client(t, address, key).Side(storeID(t, address, key))
	if got := side.Apply(t.Context(), []syncer.Change{{Path: "s.md", Text: []byte("Its token is " + token + "\n")}, {Path: "list.txt", Text: []byte("x")}}); got[0].Err != nil || got[1].Err != nil {
		t.Fatal(got)
	}
	out = b.must(1, "pull")
	if !strings.Contains(out, "s.md: it holds a secret") || !strings.Contains(out, "list.txt is passed over: it is no Markdown file") || len(b.notes()) != 1 {
		t.Errorf("pull says %q, and there is %q", out, b.notes())
	}
}

func client(t *testing.T, address, key string) *remote.Client {
	t.Helper()
	b, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := remote.New(remote.Config{Base: address, Key: strings.TrimSpace(string(b))})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func storeID(t *testing.T, address, key string) string {
	t.Helper()
	s, err := client(t, address, key).Open(t.Context(), "notes")
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func TestTheListOnTheServerNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a := newLaptop(t)
	a.write("a.md", "---\nname: a\ndescription: About a.\n---\n\nText.\n")
	a.write("b.md", "---\nname: b\ndescription: About b.\n---\n\nText.\n")
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	side := client(t, address, key).Side(storeID(t, address, key))
	list := func() (text string) {
		if _, err := side.List(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := side.EditIndex(t.Context(), func(b []byte) ([]byte, error) {
			text = string(b)
			return b, nil
		}); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := list(); !strings.Contains(got, "(a.md) — About a.") || !strings.Contains(got, "(b.md) — About b.") {
		t.Errorf("the list is %q", got)
	}
	// An agent in the cloud adds a line of its own.
	if _, err := side.EditIndex(t.Context(), func(b []byte) ([]byte, error) {
		return append(b, "- [z](z.md) — of the cloud\n"...), nil
	}); err != nil {
		t.Fatal(err)
	}
	a.write("b.md", "")
	a.write("a.md", "---\nname: a\ndescription: New words.\n---\n\nText.\n")
	a.must(0, "push")
	got := list()
	if !strings.Contains(got, "(a.md) — New words.") || strings.Contains(got, "b.md") || !strings.Contains(got, "of the cloud") {
		t.Errorf("the list is %q", got)
	}
}

func TestEightWritersMeetAtOneServer(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	first := newLaptop(t)
	first.write("a.md", three)
	first.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	id := storeID(t, address, key)
	done := make(chan string)
	const writers = 8
	for n := range writers {
		l := newLaptop(t)
		l.write("a.md", three+fmt.Sprintf("\nWriter %d was here.\n", n))
		l.write(fmt.Sprintf("own-%d.md", n), fmt.Sprintf("The note of writer %d.\n", n))
		go func() {
			_, out, said := l.run("push", id, "--url", address, "--key-file", key)
			done <- out + said
		}()
	}
	for range writers {
		<-done
	}
	all := newLaptop(t)
	all.must(0, "pull", id, "--url", address, "--key-file", key)
	notes := all.notes()
	for n := range writers {
		if notes[fmt.Sprintf("own-%d.md", n)] != fmt.Sprintf("The note of writer %d.\n", n) {
			t.Errorf("the note of writer %d is not there: %q", n, slices.Sorted(maps.Keys(notes)))
		}
	}
	if notes["a.md"] != three {
		t.Errorf("a note in conflict was written over: %q", notes["a.md"])
	}
}

func TestAnswersThatAreLostChangeNothingOfTheResult(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	// Each third answer is lost after the server did what was asked.
	var n atomic.Int64
	inner := httputil.NewSingleHostReverseProxy(target)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = target.Host
		if n.Add(1)%3 != 0 {
			inner.ServeHTTP(w, r)
			return
		}
		inner.ServeHTTP(httptest.NewRecorder(), r)
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = c.Close() // that is the point
		}
	}))
	defer proxy.Close()
	a, b := newLaptop(t), newLaptop(t)
	for i := range 15 {
		a.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d.\n", i))
	}
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	id := storeID(t, address, key)
	a.must(0, "push", id, "--url", proxy.URL, "--key-file", key)
	for i := range 5 {
		a.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d, changed.\n", i))
		a.write(fmt.Sprintf("m%d.md", i), fmt.Sprintf("New note %d.\n", i))
	}
	a.write("n14.md", "")
	a.write("n13.md", "")
	a.must(0, "push")
	b.must(0, "pull", id, "--url", proxy.URL, "--key-file", key)
	if diff := cmp.Diff(a.notes(), b.notes()); diff != "" {
		t.Error(diff)
	}
	if n.Load() < 30 {
		t.Errorf("only %d requests", n.Load())
	}
	for _, l := range []*laptop{a, b} {
		if out := l.must(0, "push"); !strings.Contains(out, "0 notes changed") {
			t.Errorf("something was left: %q", out)
		}
	}
}

func TestAPullThatIsKilledIsDoneByTheNext(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	bin := filepath.Join(t.TempDir(), "dormouse-sync")
	build := exec.Command("go", "build", "-o", bin, "dormouse/cmd/dormouse-sync")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	address, key := served(t)
	a := newLaptop(t)
	for i := range 60 {
		a.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("Note %d.\n", i)+strings.Repeat("words and more words\n", 200))
	}
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	id := storeID(t, address, key)
	for round := range 6 {
		b := newLaptop(t)
		b.write("own.md", "My own note.\n")
		cmd := exec.Command(bin, "pull", id, "--url", address, "--key-file", key, "--store", b.dir)
		cmd.Env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH")}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5+round*30) * time.Millisecond) // anywhere on its way
		_ = cmd.Process.Kill()                                   // it may have ended
		_ = cmd.Wait()                                           // killed, or not
		b.must(0, "pull", id, "--url", address, "--key-file", key)
		want := a.notes()
		want["own.md"] = "My own note.\n"
		if diff := cmp.Diff(want, b.notes()); diff != "" {
			t.Fatalf("killed in round %d:\n%s", round, diff)
		}
		if _, out, said := b.run("verify"); !strings.Contains(out, "journal") || strings.Contains(out+said, "damaged") {
			t.Errorf("verify says %q %q", out, said)
		}
		if strings.Contains(b.index(), "n1.md") {
			t.Errorf("the index is %q", b.index())
		}
	}
}

func TestAPairingIsRememberedAndWrongUseIsTold(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a := newLaptop(t)
	a.write("a.md", "A fact.\n")
	says := func(code int, want string, args ...string) {
		t.Helper()
		if out := a.must(code, args...); !strings.Contains(out, want) {
			t.Errorf("%v says %q, want %q", args, out, want)
		}
	}
	says(2, "there is no key", "push", "--url", address)
	says(2, "push --create NAME", "push", "--url", address, "--key-file", key)
	says(1, "no such store", "push", "nothing", "--url", address, "--key-file", key)
	says(2, "in the clear", "push", "x", "--url", "http://example.com", "--key-file", key)
	says(1, "no such file", "push", "x", "--url", address, "--key-file", key+".none")
	says(0, "+ a.md", "push", "--create", "notes", "--url", address, "--key-file", key)
	says(0, "0 notes changed", "push")
	says(0, `"dry_run":true`, "pull", "--dry-run", "--json")
	// The key of an environment is for the server of that environment.
	secret, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	b := newLaptop(t)
	b.env["ANTHROPIC_BASE_URL"], b.env["ANTHROPIC_API_KEY"] = address, strings.TrimSpace(string(secret))
	b.must(0, "pull", "notes")
	b.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:1"
	if out := b.must(2, "pull"); !strings.Contains(out, "--url") {
		t.Errorf("it says %q", out)
	}
	b.env["ANTHROPIC_BASE_URL"], b.env["ANTHROPIC_API_KEY"] = address, "wrong"
	if out := b.must(1, "pull"); !strings.Contains(out, "right key") || strings.Contains(out, "wrong key") {
		t.Errorf("it says %q", out)
	}
	for _, l := range []*laptop{a, b} {
		err := filepath.WalkDir(l.home, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, bytes.TrimSpace(secret)) {
				t.Errorf("the key is in %s", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestANoteRenamedHereKeepsItsHistoryThere(t *testing.T) {
	t.Parallel()
	address, key := served(t)
	a := newLaptop(t)
	a.write("a.md", "A fact.\n")
	a.write("b.md", "Another.\n")
	a.must(0, "push", "--create", "notes", "--url", address, "--key-file", key)
	side := client(t, address, key).Side(storeID(t, address, key))
	id := func(path string) string {
		files, err := side.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Path == path {
				return f.ID
			}
		}
		return ""
	}
	was := id("a.md")
	a.write("a.md", "")
	a.write("z.md", "A fact.\n")
	if out := a.must(0, "push"); !strings.Contains(out, "z.md, which was a.md") {
		t.Errorf("push says %q", out)
	}
	if got := id("z.md"); got != was || id("a.md") != "" {
		t.Errorf("it was %s and is %s", was, got)
	}
}
