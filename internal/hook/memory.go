package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dormouse/internal/safefile"
)

// Dir is where hooks keep what is theirs, below the state folder.
const Dir = "hooks"

// Memory is what was shown in one session, so that a note comes up once in it, and
// what was said at its start can be said again after a compaction, byte for byte.
type Memory struct {
	Start []byte   `json:"start,omitempty"` // the answer at the session's start
	Began bool     `json:"began,omitempty"` // there was a start, with or without an answer
	Shown []string `json:"shown,omitempty"` // notes: store and path
	file  string
}

const maxMemory = 1 << 20

// OpenMemory reads what is kept of a session. A damaged file is an empty one: at
// worst a note comes up twice.
func OpenMemory(state, session string) (*Memory, error) {
	if session == "" {
		return nil, errors.New("the host gave no session id")
	}
	sum := sha256.Sum256([]byte(session))
	m := &Memory{file: filepath.Join(state, Dir, "sessions", hex.EncodeToString(sum[:16])+".json")}
	b, _, err := safefile.Read(m.file, maxMemory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading what was shown in the session: %w", err)
	}
	if json.Unmarshal(b, m) != nil {
		*m = Memory{file: m.file}
	}
	return m, nil
}

// Has reports whether a note was shown.
func (m *Memory) Has(note string) bool { return slices.Contains(m.Shown, note) }

// Save keeps it.
func (m *Memory) Save() error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := keep(m.file, b); err != nil {
		return fmt.Errorf("keeping what was shown in the session: %w", err)
	}
	return nil
}

// keptFor is how long the memory of a session is kept after its last change: one
// that goes on later starts as if it were new.
const keptFor = 30 * 24 * time.Hour

// Prune removes the memory of sessions that are long over.
func Prune(state string, now time.Time) {
	dir := filepath.Join(state, Dir, "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // none is kept
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > keptFor {
			_ = os.Remove(filepath.Join(dir, e.Name())) // the next time, then
		}
	}
}
