package evidence

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Fingerprint tells whether what a Check would look at may have changed, from
// file times and sizes and the refs of git, without reading files: equal
// fingerprints mean equal findings for the same texts. Files that git ignores are
// not looked at. It fails only where ctx ends.
func (r *Repo) Fingerprint(ctx context.Context) (string, error) {
	k := r.check()
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", r.root, k.why)
	// Git's three answers and the looks at the disk go on side by side.
	var others func() []string
	refs := make(chan []byte, 1)
	if k.git != nil {
		others = k.startOthers(ctx)
		git := *k.git
		go func() {
			var b bytes.Buffer
			_ = git.run(ctx, "", func(r *bufio.Reader) error { _, err := io.Copy(&b, r); return err }, "for-each-ref", "--format=%(objectname) %(refname)")
			refs <- b.Bytes()
		}()
	}
	if err := k.look(ctx, r.root, false); err != nil {
		return "", err
	}
	sums := k.tree.stamps(ctx, 0)
	if k.git != nil {
		fmt.Fprintf(h, "%s %v\n", k.git.head, k.git.shallow)
		h.Write(<-refs)
		for _, name := range []string{"HEAD", "index", "config", "shallow", "logs/HEAD", "info/exclude"} {
			stamp(h, filepath.Join(k.git.dir, name))
			stamp(h, filepath.Join(k.git.common, name))
		}
		first := len(k.tree.entries)
		k.addOthers(others())
		sums = append(sums, k.tree.stamps(ctx, first)...)
	} else {
		fmt.Fprintf(h, "%q\n", k.why)
	}
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("fingerprint: %w", err)
	}
	if err := binary.Write(h, binary.LittleEndian, sums); err != nil {
		return "", fmt.Errorf("fingerprint: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// stamp writes the state of one file.
func stamp(w io.Writer, name string) {
	info, err := os.Lstat(name)
	if err != nil {
		fmt.Fprintln(w, "-")
		return
	}
	fmt.Fprintln(w, info.Mode(), info.Size(), info.ModTime().UnixNano())
}

// stamps are a number for the name and state of each entry from the first on, in
// order. A folder
// counts by being there: its time changes with files that do not matter.
func (t *tree) stamps(ctx context.Context, first int) []uint64 {
	out := make([]uint64, len(t.entries)-first)
	t.visit(ctx, t.from(first), 0, func(d *folders, _ []byte, i int32) bool {
		e := &t.entries[i]
		h := hashOf(e.path)
		if mode, size, at, ok := d.stat(e.path); ok {
			for _, x := range []uint64{uint64(mode), uint64(size), uint64(at)} {
				h = (h ^ x) * 0x9e3779b97f4a7c15
				h ^= h >> 29
			}
		}
		out[int(i)-first] = h
		return true
	})
	return out
}

// hashOf is the FNV-1a hash of a text.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
