package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dormouse/internal/safefile"
)

// Vectors are kept in one file a model, by the hash of the text they are of: a
// text that changed has another hash, so no vector can be one of before. The file
// is a cache: what is not there, or damaged, is made anew.
const (
	fileMagic   = "DMVECTOR"
	fileVersion = 1
	headLength  = len(fileMagic) + 4 + 4 + 32 + 4 + 4 // version, checksum, model, numbers a vector, vectors
	keyLength   = sha256.Size

	// maxKept is how many vectors are kept; those go first that were not used for
	// longest.
	maxKept = 20_000
	maxFile = 512 << 20 // bytes

	lockName  = "lock" // as in the other folders of the cache, for purge
	tempStart = ".new-"
	dirMode   = 0o700
	fileMode  = 0o600
)

type key [keyLength]byte

// kept is what the file of a model holds, those last used at the end.
type kept struct {
	dim   int
	order []key
	of    map[key][]float32 // nil for a text without a vector
}

// vectors are those of some texts, out of the cache or made now. failed tells why
// they could not be kept.
func (r *Ranker) vectors(ctx context.Context, texts []string) (out [][]float32, failed, err error) {
	keys := make([]key, len(texts))
	for i, t := range texts {
		keys[i] = sha256.Sum256([]byte(t))
	}
	have := r.load()
	var missing []string
	var missed []key
	asked := map[key]bool{}
	for i, k := range keys {
		if _, ok := have.of[k]; !ok && !asked[k] {
			asked[k] = true
			missing, missed = append(missing, texts[i]), append(missed, k)
		}
	}
	made := map[key][]float32{}
	if len(missing) > 0 {
		vectors, err := r.Model.Embed(ctx, missing)
		if err != nil {
			return nil, nil, err
		}
		if err := checkVectors(vectors, len(missing)); err != nil {
			return nil, nil, err
		}
		for i, k := range missed {
			made[k] = vectors[i]
		}
		failed = r.keep(made, keys)
	}
	for _, k := range keys {
		v, ok := made[k]
		if !ok {
			v = have.of[k]
		}
		out = append(out, v)
	}
	return out, failed, nil
}

// checkVectors refuses what can't be compared.
func checkVectors(vectors [][]float32, n int) error {
	if len(vectors) != n {
		return fmt.Errorf("%w: %d vectors for %d texts", ErrModel, len(vectors), n)
	}
	dim := 0
	for _, v := range vectors {
		if dim == 0 {
			dim = len(v)
		}
		if len(v) > maxDim || len(v) != 0 && len(v) != dim {
			return fmt.Errorf("%w: its vectors are not of one length", ErrModel)
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("%w: a vector holds what is no number", ErrModel)
			}
		}
	}
	return nil
}

func (r *Ranker) file() string {
	sum := sha256.Sum256([]byte(r.Model.ID()))
	return filepath.Join(r.Dir, hex.EncodeToString(sum[:8]))
}

// load reads the file of the model; what is not ours is as if it were not there.
func (r *Ranker) load() *kept {
	none := &kept{of: map[key][]float32{}}
	if r.Dir == "" {
		return none
	}
	b, _, err := safefile.Read(r.file(), maxFile)
	if err != nil {
		return none
	}
	if k, ok := readKept(b, r.Model.ID()); ok {
		return k
	}
	return none
}

// keep adds what was made to the file, unless another process does so just now:
// then it is made again the next time.
func (r *Ranker) keep(made map[key][]float32, used []key) error {
	if r.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(r.Dir, dirMode); err != nil {
		return err
	}
	l := flock.New(filepath.Join(r.Dir, lockName), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	defer l.Close() //nolint:errcheck // closing gives it back
	if !ok || err != nil {
		return err
	}
	r.sweep()
	have := r.load() // another process may have added to it
	b, ok := have.with(made, used).bytes(r.Model.ID())
	if !ok {
		return nil
	}
	return r.put(b)
}

// with is what is kept once these were made and used.
func (k *kept) with(made map[key][]float32, used []key) *kept {
	out := &kept{of: map[key][]float32{}}
	last := map[key]bool{}
	for _, u := range used {
		last[u] = true
	}
	for _, old := range k.order {
		if !last[old] {
			out.order = append(out.order, old)
			out.of[old] = k.of[old]
		}
	}
	for _, u := range used {
		v, ok := made[u]
		if !ok {
			v, ok = k.of[u]
		}
		if _, had := out.of[u]; ok && !had {
			out.order = append(out.order, u)
			out.of[u] = v
		}
	}
	if n := len(out.order) - maxKept; n > 0 {
		for _, old := range out.order[:n] {
			delete(out.of, old)
		}
		out.order = out.order[n:]
	}
	for _, v := range out.of {
		out.dim = max(out.dim, len(v))
	}
	return out
}

// bytes are the file; ok is false where vectors of two lengths are in it: a server
// that answers otherwise than before, of which nothing is kept.
func (k *kept) bytes(model string) (b []byte, ok bool) {
	le := binary.LittleEndian
	id := sha256.Sum256([]byte(model))
	b = append(b, fileMagic...)
	b = le.AppendUint32(b, fileVersion)
	b = le.AppendUint32(b, 0)
	b = append(b, id[:]...)
	b = le.AppendUint32(b, uint32(k.dim))
	b = le.AppendUint32(b, uint32(len(k.order)))
	for _, one := range k.order {
		v := k.of[one]
		if len(v) != 0 && len(v) != k.dim {
			return nil, false
		}
		b = append(b, one[:]...)
		for i := range k.dim {
			x := float32(math.NaN()) // a text without a vector
			if len(v) > 0 {
				x = v[i]
			}
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	}
	le.PutUint32(b[len(fileMagic)+4:], sumOf(b))
	return b, len(b) <= maxFile
}

func sumOf(b []byte) uint32 {
	return crc32.Checksum(b[len(fileMagic)+8:], crc32.MakeTable(crc32.Castagnoli))
}

func readKept(b []byte, model string) (*kept, bool) {
	le := binary.LittleEndian
	id := sha256.Sum256([]byte(model))
	if len(b) < headLength || string(b[:len(fileMagic)]) != fileMagic || le.Uint32(b[len(fileMagic):]) != fileVersion ||
		le.Uint32(b[len(fileMagic)+4:]) != sumOf(b) || !bytes.Equal(b[len(fileMagic)+8:headLength-8], id[:]) {
		return nil, false
	}
	dim, n := int(le.Uint32(b[headLength-8:])), int(le.Uint32(b[headLength-4:]))
	size := keyLength + 4*dim
	if dim > maxDim || n > maxKept || len(b) != headLength+n*size {
		return nil, false
	}
	k := &kept{dim: dim, of: make(map[key][]float32, n)}
	for rest := b[headLength:]; len(rest) > 0; rest = rest[size:] {
		var one key
		copy(one[:], rest)
		var v []float32
		if dim > 0 && !math.IsNaN(float64(math.Float32frombits(le.Uint32(rest[keyLength:])))) {
			v = make([]float32, dim)
			for i := range v {
				v[i] = math.Float32frombits(le.Uint32(rest[keyLength+4*i:]))
			}
		}
		k.order = append(k.order, one)
		k.of[one] = v
	}
	return k, true
}

// put replaces the file as a whole.
func (r *Ranker) put(b []byte) error {
	f, err := os.CreateTemp(r.Dir, tempStart+"*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), r.file())
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the next one sweeps it
	}
	return err
}

// sweep removes what a process that was killed left.
func (r *Ranker) sweep() {
	entries, err := os.ReadDir(r.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempStart) {
			_ = os.Remove(filepath.Join(r.Dir, e.Name())) // at the next write again
		}
	}
}
