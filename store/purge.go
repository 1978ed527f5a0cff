package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/note"
	"dormouse/store/internal/journal"
)

// purgeStub takes the place of a secret in notes, index and names.
const purgeStub = "PURGED"

// errNoSecret refuses a purge of nothing.
var errNoSecret = errors.New("purging: the secret is empty")

// Purge removes every copy of the secret's bytes: from notes and index (a stub
// takes its place), from the journal's lines and copies, from kept drafts. The
// hashes of what was there stay, so that the journal's chain still holds. What
// was purged can't be brought back.
func (s *Store) Purge(by By, secret []byte) (*Purged, error) {
	if len(secret) == 0 {
		return nil, errNoSecret
	}
	p := &purge{s: s, by: by, forms: formsOf(secret), out: &Purged{}}
	done, err := s.write(by, opPurge, p.plan)
	if err != nil {
		return nil, err
	}
	p.out.Done = *done
	if s.j.Exists() {
		if err := p.journal(); err != nil {
			return p.out, err
		}
	}
	return p.out, p.drafts()
}

type purge struct {
	s     *Store
	by    By
	forms [][]byte
	out   *Purged
}

// formsOf are the ways in which a secret may be written: as it is, with the other
// line breaks, and as in quotes.
func formsOf(secret []byte) [][]byte {
	forms := [][]byte{secret}
	add := func(b []byte) {
		if !slices.ContainsFunc(forms, func(f []byte) bool { return bytes.Equal(f, b) }) {
			forms = append(forms, b)
		}
	}
	add(bytes.ReplaceAll(secret, []byte("\r\n"), []byte("\n")))
	add(bytes.ReplaceAll(forms[len(forms)-1], []byte("\n"), []byte("\r\n")))
	for _, f := range slices.Clone(forms) {
		if b, err := json.Marshal(string(f)); err == nil {
			add(b[1 : len(b)-1])
		}
		var plain bytes.Buffer
		enc := json.NewEncoder(&plain)
		enc.SetEscapeHTML(false)
		if enc.Encode(string(f)) == nil {
			add(bytes.Trim(plain.Bytes(), "\"\n"))
		}
	}
	return forms
}

func (p *purge) holds(b []byte) bool {
	return slices.ContainsFunc(p.forms, func(f []byte) bool { return bytes.Contains(b, f) })
}

func (p *purge) clean(b []byte) []byte {
	for _, f := range p.forms {
		b = bytes.ReplaceAll(b, f, []byte(purgeStub))
	}
	return b
}

// plan writes the stub into each note that holds the secret, and renames those
// whose name does.
func (p *purge) plan(t *tx) error {
	p.out.Files = nil
	for _, f := range t.files {
		b, err := t.get(f.Rel)
		if err != nil {
			t.done.say("%v; it was not looked through", err)
			continue
		}
		name := string(p.clean([]byte(f.Rel)))
		if !p.holds(b) && name == f.Rel {
			continue
		}
		p.out.Files = append(p.out.Files, f.Rel)
		if name != f.Rel {
			if err := errors.Join(t.free(name), t.put(f.Rel, nil)); err != nil {
				return err
			}
		}
		if err := t.put(name, p.clean(b)); err != nil {
			return err
		}
	}
	return p.others(t)
}

// others tells which files that are no notes hold the secret: they are not ours.
func (p *purge) others(t *tx) error {
	if t.s.folder == nil {
		return nil
	}
	return t.s.folder.Walk(func(rel string, e fs.DirEntry) {
		own := strings.HasPrefix(rel, tempPrefix)
		if !e.Type().IsRegular() || filepath.Ext(rel) == noteSuffix && !own && rel[0] != '.' {
			return
		}
		b, _, err := t.s.folder.Read(rel, note.MaxBytes)
		switch {
		case err != nil || !p.holds(b):
		case own:
			t.s.folder.Drop(rel)
			p.out.Drafts++
		default:
			t.done.say("%s holds it too, but is no note: it was left as it is", rel)
		}
	})
}

// journal takes the secret out of what the journal keeps.
func (p *purge) journal() error {
	unlock, err := p.s.j.Lock(p.s.dir)
	if err != nil {
		return err
	}
	defer unlock()
	_, w, err := p.s.catchUp()
	if err != nil {
		return err
	}
	e := journal.Entry{Time: p.s.now(), Actor: string(p.by.Actor), Session: p.by.Session, Op: opPurge}
	p.out.Copies, p.out.Entries, err = w.Purge(p.holds, e)
	if err != nil {
		return err
	}
	k, w, err := p.s.catchUp()
	if err != nil {
		return err
	}
	k.save(p.s)
	return w.Close()
}

// drafts takes the secret out of the texts that an editor left.
func (p *purge) drafts() error {
	entries, err := os.ReadDir(p.s.j.Drafts())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("purging the drafts: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(p.s.j.Drafts(), e.Name())
		b, err := os.ReadFile(path)
		if err != nil || !e.Type().IsRegular() || !p.holds(b) {
			continue
		}
		if err := os.WriteFile(path, p.clean(b), 0o600); err != nil {
			return fmt.Errorf("purging the drafts: %w", err)
		}
		p.out.Drafts++
	}
	return nil
}

// Drafts makes and returns the folder for what an editor gets, below the state
// folder, for its owner only. A draft that was refused stays there.
func (s *Store) Drafts() (string, error) {
	if err := os.MkdirAll(s.j.Drafts(), 0o700); err != nil {
		return "", fmt.Errorf("making the folder for drafts: %w", err)
	}
	return s.j.Drafts(), nil
}
