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

// Job is a session whose log is to be read for notes.
type Job struct {
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"`
	Project    string    `json:"project"` // the folder that the session was started in
	At         time.Time `json:"at"`
	Tries      int       `json:"tries,omitempty"` // that failed
	file       string
	bytes      []byte
}

func queueDir(state string) string { return filepath.Join(state, Dir, "queue") }

// Put queues a session; one that is queued already has its time set anew.
func Put(state string, j Job) error {
	if j.Transcript == "" || !filepath.IsAbs(j.Transcript) {
		return errors.New("queueing the session: the host gave no path of its log")
	}
	b, err := json.Marshal(j)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(j.Transcript))
	if err := keep(filepath.Join(queueDir(state), hex.EncodeToString(sum[:16])+".json"), b); err != nil {
		return fmt.Errorf("queueing the session: %w", err)
	}
	return nil
}

const maxJob = 64 << 10

// Queued are the sessions that wait, oldest first. What is no job is removed.
func Queued(state string) ([]Job, error) {
	entries, err := os.ReadDir(queueDir(state))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the queue of sessions: %w", err)
	}
	var out []Job
	for _, e := range entries {
		j := Job{file: filepath.Join(queueDir(state), e.Name())}
		if filepath.Ext(e.Name()) != ".json" {
			continue // a file on its way
		}
		b, _, err := safefile.Read(j.file, maxJob)
		if err != nil {
			continue
		}
		if json.Unmarshal(b, &j) != nil || !filepath.IsAbs(j.Transcript) {
			_ = os.Remove(j.file) // else it is met again
			continue
		}
		j.bytes = b
		out = append(out, j)
	}
	slices.SortFunc(out, func(a, b Job) int { return a.At.Compare(b.At) })
	return out, nil
}

// Done takes a session out of the queue, unless it was queued again since.
func (j *Job) Done() error {
	b, _, err := safefile.Read(j.file, maxJob)
	if errors.Is(err, fs.ErrNotExist) || err == nil && string(b) != string(j.bytes) {
		return nil
	}
	return os.Remove(j.file)
}

// Again leaves a session in the queue, with its tries, behind the others. It gives
// way to one that was queued since.
func (j *Job) Again() error {
	b, _, err := safefile.Read(j.file, maxJob)
	if err != nil || string(b) != string(j.bytes) {
		return nil
	}
	next, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return keep(j.file, next)
}
