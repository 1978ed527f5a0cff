package recall

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// sample is the file of an index with all there can be in one.
func sample() []byte {
	b := NewBuilder()
	b.Add(Doc{ID: "n", Kind: Note, Type: "project", Title: "release train", Summary: "how releases go", Body: "every friday ```go\nfunc release() {}\n```", Links: []string{"m", "x"}, Group: "store"})
	b.Add(Doc{ID: "m", Kind: Note, Type: "user", Title: "tests", Body: strings.Repeat("release the tests ", 200), When: time.Unix(1_700_000_000, 0), Group: "store"})
	for i, said := range []string{"Which release?", "The friday release.", "Fine."} {
		b.Add(Doc{ID: "t" + string(rune('0'+i)), Kind: Turn, Type: "user", Body: said, Group: "s", Seq: i, When: time.Unix(1_700_000_000, 0)})
	}
	return b.Index().Bytes()
}

func TestADamagedFileIsAnError(t *testing.T) {
	t.Parallel()
	good := sample()
	r := rand.New(rand.NewPCG(1, 2))
	damage := map[string]func() []byte{
		"nothing":          func() []byte { return nil },
		"cut short":        func() []byte { return good[:r.IntN(len(good))] },
		"bytes behind":     func() []byte { return append(append([]byte(nil), good...), 0) },
		"a bit flipped":    func() []byte { b := append([]byte(nil), good...); b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b },
		"a page of zeros":  func() []byte { b := append([]byte(nil), good...); clear(b[len(b)/2 : len(b)/2+64]); return b },
		"another version":  func() []byte { b := append([]byte(nil), good...); b[atVersion]++; return b },
		"some other file":  func() []byte { return []byte(strings.Repeat("# A note\n", 100)) },
		"zeros throughout": func() []byte { return make([]byte, len(good)) },
	}
	for name, make := range damage {
		t.Run(name, func(t *testing.T) {
			for range 200 {
				b := make()
				if _, err := Load(b); !errors.Is(err, ErrFormat) {
					t.Fatalf("%d bytes load: %v", len(b), err)
				}
			}
		})
	}
	if _, err := Load(good); err != nil {
		t.Errorf("what is whole does not load: %v", err)
	}
}

// use does with an index all that can be done.
func use(x *Index) {
	parts := []Part{{Index: x}, {Index: x, Gone: func(doc int) bool { return doc%2 == 0 }}}
	for _, text := range []string{"release", "friday release tests", "what did the user say of the release in november", "go"} {
		Search(Query{Text: text, Now: time.Unix(1_700_000_000, 0)}, parts)
		Search(Query{Text: text, Kinds: []Kind{Note}, Limit: 1}, parts)
		SearchGroups(Query{Text: text}, parts)
	}
	for doc := -1; doc <= min(x.Len(), 100); doc++ {
		x.Links(doc)
		x.Find(x.ID(doc))
	}
}

// Whoever can write into the state folder can write a checksum as well.
func FuzzAPlantedFileDoesNoHarm(f *testing.F) {
	good := sample()
	f.Add(uint32(0), []byte{0xff})
	f.Add(uint32(atDocs), []byte{0xff, 0xff, 0xff, 0x7f})
	f.Add(uint32(atSections+8*docStreams), []byte{0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint32(headSize), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(uint32(len(good)-60), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, at uint32, bytes []byte) {
		b := append([]byte(nil), good...)
		copy(b[int(at)%len(b):], bytes)
		binary.LittleEndian.PutUint64(b[atSum:], checksum(b[atSum+8:]))
		if x, err := Load(b); err == nil {
			use(x)
		} else if !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}

// A change of any one byte, with the checksum of what it then is.
func TestNoPlantedByteDoesHarm(t *testing.T) {
	t.Parallel()
	good := sample()
	for at := range good {
		for _, value := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			b := append([]byte(nil), good...)
			b[at] = value
			binary.LittleEndian.PutUint64(b[atSum:], checksum(b[atSum+8:]))
			if x, err := Load(b); err == nil {
				use(x)
			}
		}
	}
}

func FuzzLoadGivesAnErrorOrAnIndex(f *testing.F) {
	f.Add(sample())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if x, err := Load(b); err == nil {
			use(x)
		} else if !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
	})
}
