package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dormouse/internal/safefile"
)

// Failure is a hook that did nothing, and why.
type Failure struct {
	Time  time.Time `json:"time"`
	Event string    `json:"event"`
	What  string    `json:"what"`
}

const (
	logName  = "log.jsonl"
	maxLog   = 256 << 10 // bytes: then the older half goes
	maxWords = 2 << 10
)

// LogFile is where failures are written, one a line.
func LogFile(state string) string { return filepath.Join(state, Dir, logName) }

// Log writes a failure. It can fail itself, and then there is nowhere left to say it.
func Log(state string, f Failure) error {
	f.Event, f.What = f.Event[:min(len(f.Event), maxWords/4)], f.What[:min(len(f.What), maxWords)]
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	path := LogFile(state)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file", path)
		}
		if info.Size() > maxLog {
			if err := halve(path); err != nil {
				return err
			}
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// halve leaves the newer half of the log. Two that do so at once leave one half.
func halve(path string) error {
	b, _, err := safefile.Read(path, 4*maxLog)
	if err != nil {
		return os.Remove(path)
	}
	b = b[len(b)/2:]
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[i+1:]
	}
	return keep(path, b)
}

// Failures are the failures since a time, oldest first.
func Failures(state string, since time.Time) ([]Failure, error) {
	b, _, err := safefile.Read(LogFile(state), 4*maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Failure
	for line := range bytes.Lines(b) {
		var f Failure
		if json.Unmarshal(line, &f) == nil && f.Time.After(since) {
			out = append(out, f)
		}
	}
	return out, nil
}
