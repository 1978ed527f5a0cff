package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// written makes a journal of so many entries, and returns its log.
func written(t testing.TB, n int) (*Journal, []byte) {
	t.Helper()
	j := At(t.TempDir(), "/m")
	unlock, err := j.Lock("/m")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	w, err := j.Writer(State{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() //nolint:errcheck // all is flushed
	for i := range n {
		from := w.State()
		hash := w.Keep(fmt.Appendf(nil, "content %d\n", i))
		id, err := w.Add(Entry{Time: time.Unix(int64(i), 0), Actor: "human", Op: "edit", Changes: []Change{{Path: "a.md", After: hash}}})
		if err == nil {
			err = errors.Join(w.Flush(from), w.Done(id))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(filepath.Join(j.dir, logName))
	if err != nil {
		t.Fatal(err)
	}
	return j, b
}

func TestWhatWasWrittenIsRead(t *testing.T) {
	t.Parallel()
	j, _ := written(t, 3)
	l, err := j.Read()
	if err != nil || l.Broken != nil || len(l.Entries) != 3 || l.Done != 3 || l.torn {
		t.Fatalf("%+v, %v", l, err)
	}
	for i, e := range l.Entries {
		b, err := j.Content(e.Changes[0].After)
		if err != nil || string(b) != fmt.Sprintf("content %d\n", i) {
			t.Errorf("content %d: %q, %v", i, b, err)
		}
	}
	if _, err := j.Content(Hash([]byte("another"))); !errors.Is(err, ErrNoContent) {
		t.Errorf("a content that is not kept: %v", err)
	}
	if _, err := j.Content(Unkept(5, time.Now())); !errors.Is(err, ErrNotKept) {
		t.Errorf("a content that was too large: %v", err)
	}
}

func TestALogCutAnywhereLosesOnlyItsEnd(t *testing.T) {
	t.Parallel()
	_, whole := written(t, 4)
	for n := range whole {
		l := parse(whole[:n])
		if l.Broken != nil {
			t.Fatalf("cut at %d: %v", n, l.Broken)
		}
		if want := bytes.Count(whole[:n], []byte(`"actor"`)); len(l.Entries) > want || len(l.Entries) < want-1 {
			t.Fatalf("cut at %d: %d entries, want %d or one less", n, len(l.Entries), want)
		}
		if l.torn != (n > 0 && whole[n-1] != '\n') {
			t.Fatalf("cut at %d: torn is %v", n, l.torn)
		}
	}
}

func TestAWriterGoesOnBehindATornEnd(t *testing.T) {
	t.Parallel()
	j, whole := written(t, 2)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	torn := append(bytes.Join(lines[:2], nil), lines[2][:20]...)
	pack, err := os.ReadFile(filepath.Join(j.dir, packName))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name string
		b    []byte
	}{{logName, torn}, {packName, pack[:len(pack)-5]}} {
		if err := os.WriteFile(filepath.Join(j.dir, f.name), f.b, fileMode); err != nil {
			t.Fatal(err)
		}
	}
	w, err := j.Writer(State{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() //nolint:errcheck // all is flushed
	from := w.State()
	hash := w.Keep([]byte("new\n"))
	id, err := w.Add(Entry{Op: "edit", Changes: []Change{{Path: "b.md", After: hash}}})
	if err != nil || id != 2 {
		t.Fatalf("id %d, %v", id, err)
	}
	if err := w.Flush(from); err != nil {
		t.Fatal(err)
	}
	l, err := j.Read()
	if err != nil || l.Broken != nil || l.Last() != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	for _, e := range l.Entries {
		if _, err := j.Content(e.Changes[0].After); err != nil {
			t.Errorf("change %d: %v", e.ID, err)
		}
	}
}

// mutate changes a log as somebody would who wants to hide something: a byte, a
// line dropped, doubled, moved or put in from elsewhere.
func mutate(r *rand.Rand, lines [][]byte) [][]byte {
	out := make([][]byte, len(lines))
	copy(out, lines)
	i, k := r.IntN(len(out)), r.IntN(len(out))
	switch r.IntN(4) {
	case 0:
		b := bytes.Clone(out[i])
		b[r.IntN(len(b)-1)] ^= byte(1 + r.IntN(255))
		out[i] = b
	case 1:
		i = r.IntN(len(out) - 1) // a dropped end is another matter: see the head anchor
		out = append(out[:i:i], out[i+1:]...)
	case 2:
		out[i], out[k] = out[k], out[i]
	case 3:
		out = append(out[:i:i], append([][]byte{out[k]}, out[i:]...)...)
	}
	return out
}

func TestAChangedLogIsFound(t *testing.T) {
	t.Parallel()
	_, whole := written(t, 12)
	var lines [][]byte
	for l := range bytes.Lines(whole) {
		if bytes.HasPrefix(l, []byte(`{"id":`)) {
			lines = append(lines, l)
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	missed, same := 0, 0
	const n = 10_000
	for range n {
		changed := mutate(r, lines)
		b := bytes.Join(changed, nil)
		if bytes.Equal(b, bytes.Join(lines, nil)) {
			same++
			continue
		}
		if l := parse(b); l.Broken == nil && l.Last() == 12 && l.head == parse(whole).head {
			missed++
			t.Logf("%s", b)
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d changes were not found", missed, n-same)
	}
}

func TestDamageInThePackCostsOnlyWhatItHit(t *testing.T) {
	t.Parallel()
	j, _ := written(t, 5)
	path := filepath.Join(j.dir, packName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		b := bytes.Clone(whole)
		b[at] ^= 0x15
		if err := os.WriteFile(path, b, fileMode); err != nil {
			t.Fatal(err)
		}
		lost := 0
		for i := range 5 {
			text := fmt.Appendf(nil, "content %d\n", i)
			switch got, err := j.Content(Hash(text)); {
			case err != nil:
				lost++
			case !bytes.Equal(got, text):
				t.Fatalf("byte %d: another content", at)
			}
		}
		if lost > 2 { // a line break that is gone joins two
			t.Errorf("byte %d: %d contents are lost", at, lost)
		}
	}
}

func TestPurgeKeepsTheChain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "purge")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
		j := At(dir, "/m")
		if err := os.MkdirAll(j.dir, dirMode); err != nil {
			t.Fatal(err)
		}
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"plain", "a SECRET b", "SECRET", "", "x\ny"}), 1, 8).Draw(t, "texts")
		w, err := j.Writer(State{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			from := w.State()
			name := "a.md"
			if rapid.Bool().Draw(t, "in the name") {
				name = text + ".md"
			}
			if _, err := w.Add(Entry{Op: "edit", Changes: []Change{{Path: name, After: w.Keep([]byte(text))}}}); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(from); err != nil {
				t.Fatal(err)
			}
		}
		holds := func(b []byte) bool { return bytes.Contains(b, []byte("SECRET")) }
		if _, _, err := w.Purge(holds, Entry{Op: "purge"}); err != nil {
			t.Fatal(err)
		}
		l, err := j.Read()
		if err != nil || l.Broken != nil {
			t.Fatalf("%v %v", l.Broken, err)
		}
		for _, name := range []string{logName, packName} {
			if b, _ := os.ReadFile(filepath.Join(j.dir, name)); holds(b) {
				t.Fatalf("%s holds it: %s", name, b)
			}
		}
		for _, text := range texts {
			got, err := j.Content(Hash([]byte(text)))
			switch {
			case strings.Contains(text, "SECRET") && !errors.Is(err, ErrPurged):
				t.Fatalf("%q: %v", text, err)
			case !strings.Contains(text, "SECRET") && (err != nil || string(got) != text):
				t.Fatalf("%q: %q, %v", text, got, err)
			}
		}
	})
}

func TestAStubThatNoPurgeExplainsIsFound(t *testing.T) {
	t.Parallel()
	_, whole := written(t, 3)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	first := bytes.TrimSuffix(lines[0], []byte("\n"))
	lines[0] = fmt.Appendf(nil, `{"id":1,"prev":"","time":"2026-01-01T00:00:00Z","actor":"human","op":"edit","stub":"%s"}`+"\n", Hash(first))
	if l := parse(bytes.Join(lines, nil)); l.Broken == nil {
		t.Error("a line was taken for purged")
	}
}

func FuzzParse(f *testing.F) {
	_, whole := written(f, 3)
	f.Add(whole)
	f.Add([]byte("{\"done\":1}\n{}\n\n{\"id\":1}\n{\"id\":1,\"prev\":\"\"}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := parse(b)
		if l.size > int64(len(b)) || l.torn != (len(b) > 0 && b[len(b)-1] != '\n') {
			t.Errorf("size %d of %d, torn %v", l.size, len(b), l.torn)
		}
	})
}

func FuzzPack(f *testing.F) {
	j, _ := written(f, 3)
	whole, err := os.ReadFile(filepath.Join(j.dir, packName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(Hash(nil) + " 0\n\n" + Hash(nil) + " purged\nxx 9999999999999\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var back []byte
		_ = eachPiece(b, func(p piece) error {
			back = append(back, p.raw...)
			return nil
		})
		if !bytes.Equal(back, b) {
			t.Error("the pieces are not the whole")
		}
		if _, err := find(bytes.NewReader(b), int64(len(b)), Hash([]byte("x"))); err == nil && !bytes.Contains(b, []byte("x")) {
			t.Error("found what is not there")
		}
	})
}
