package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dormouse/note"
)

// nobody owns the projects when the tool runs as root, who may read anything.
const nobody = 65534

func put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// write lays the world out on disk.
func (w *world) write() error {
	if w.projectSettings != "" {
		w.tracked[".claude/settings.json"] = w.projectSettings
	}
	if err := w.repository(); err != nil {
		return err
	}
	files := map[string]string{}
	for p, text := range w.untracked {
		files[filepath.Join(w.proj, p)] = text
	}
	for p, text := range w.homeFiles {
		files[filepath.Join(w.home, p)] = text
	}
	if w.localSettings != "" {
		files[filepath.Join(w.proj, ".claude/settings.local.json")] = w.localSettings
	}
	if w.userSettings != "" {
		files[filepath.Join(w.home, ".claude/settings.json")] = w.userSettings
	}
	for p, text := range files {
		if err := put(p, []byte(text)); err != nil {
			return err
		}
	}
	for _, step := range []func() error{w.writeOthers, w.writeStore, w.writeSessions, w.writeState} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, f := range w.after {
		if err := f(); err != nil {
			return err
		}
	}
	if err := w.ownAndGuard(); err != nil {
		return err
	}
	for _, f := range w.modes {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// writeOthers makes the other projects of this home, each with a store of its own.
func (w *world) writeOthers() error {
	for i, p := range w.others {
		text := "The font of the terminal is set by the profile and not by the shell.\n"
		if i == 1 {
			text = "Certificates of the edge are renewed by the platform guild on the first Monday of a month.\n"
		}
		b, err := note.New(note.Fields{Name: "other", Description: "About another project", Type: "project", Session: session(9), Modified: w.now.Add(-90 * time.Hour)}, text)
		if err != nil {
			return err
		}
		files := map[string]string{
			filepath.Join(p, ".git/HEAD"):                             "ref: refs/heads/main\n",
			filepath.Join(p, ".git/config"):                           "[core]\n\tbare = false\n",
			filepath.Join(p, "README.md"):                             "# Another project\n",
			filepath.Join(w.storeOf(p), "MEMORY.md"):                  "- [Other](other.md) — About another project\n",
			filepath.Join(w.storeOf(p), "other.md"):                   string(b),
			filepath.Join(w.projects(), slug(p), session(9)+".jsonl"): turn(p, session(9), "user", "what is in this folder?", w.now.Add(-91*time.Hour)),
		}
		for path, text := range files {
			if err := put(path, []byte(text)); err != nil {
				return err
			}
		}
		for _, d := range []string{"objects", "refs/heads"} {
			if err := os.MkdirAll(filepath.Join(p, ".git", d), 0o755); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) bytes(n *noteFile) ([]byte, error) {
	if n.raw != nil {
		return n.raw, nil
	}
	f := note.Fields{Name: n.name, Description: n.description, Type: n.typ, Modified: n.modified}
	if !n.planted {
		f.Session = session(n.session)
	}
	if n.unstamped {
		f.Modified = time.Time{}
	}
	for _, p := range n.more {
		f.More = append(f.More, note.Pair{Key: p[0], Value: p[1]})
	}
	return note.New(f, n.body)
}

func (w *world) writeStore() error {
	for _, n := range w.notes {
		b, err := w.bytes(n)
		if err != nil {
			return fmt.Errorf("%s: %w", n.file, err)
		}
		if err := put(w.note(n), b); err != nil {
			return err
		}
		t := n.mtime
		if t.IsZero() {
			t = n.modified
		}
		if err := os.Chtimes(w.note(n), t, t); err != nil {
			return err
		}
	}
	return put(w.indexPath(), []byte(w.indexText()))
}

// writeState writes the file in which the client keeps what it knows of projects.
func (w *world) writeState() error {
	projects := map[string]map[string]any{}
	for _, p := range append([]string{w.proj}, w.others...) {
		projects[p] = map[string]any{"hasTrustDialogAccepted": true, "allowedTools": []string{}}
	}
	for p, more := range w.state {
		if projects[p] == nil {
			projects[p] = map[string]any{"hasTrustDialogAccepted": true}
		}
		for k, v := range more {
			projects[p][k] = v
		}
	}
	b, err := json.MarshalIndent(map[string]any{"numStartups": 41, "projects": projects}, "", "  ")
	if err != nil {
		return err
	}
	return put(filepath.Join(w.home, ".claude.json"), b)
}

// ownAndGuard gives the tree to a user without privileges, when the tool has them,
// and closes the client's folder to others.
func (w *world) ownAndGuard() error {
	if err := os.Chmod(w.home, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(w.home, ".claude"), 0o700); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(filepath.Dir(w.home), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}
