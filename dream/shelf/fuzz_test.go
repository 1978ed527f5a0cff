package shelf

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzADreamOfAnyBytes takes any bytes for dream.json: it is a dream or a damaged
// one, and no text is taken from outside of its folder.
func FuzzADreamOfAnyBytes(f *testing.F) {
	f.Add([]byte(`{"format":1,"id":"20261201-3f2a9c","status":"waiting","changes":[{"rel":"../../secret","before":true,"after":true}],"archive":[{"rel":"a.md"}]}`))
	f.Add([]byte(`{"format":1,"id":"20261201-3f2a9c","status":"applied","changes":[{"rel":"a.md","after":true}],"sums":{"out/a.md":"x"}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := At(t.TempDir(), "/store")
		dir := filepath.Join(s.dir, "20261201-3f2a9c")
		if err := os.MkdirAll(filepath.Join(dir, "out"), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(s.dir, "secret"), "s")
		put(t, filepath.Join(dir, metaName), string(b))
		dreams, damaged := s.List()
		if len(dreams)+len(damaged) != 1 {
			t.Fatalf("%d dreams, %v", len(dreams), damaged)
		}
		for i := range dreams {
			reps, err := s.Replacements(&dreams[i])
			if err == nil && len(reps) > 0 {
				t.Fatalf("the folder is empty, and it gives %+v", reps)
			}
			if _, err := s.Rows(&dreams[i]); err == nil {
				t.Fatal("there is no ledger, and it gives rows")
			}
		}
	})
}
