package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/note"
	"dormouse/store/internal/journal"
)

// purgeStub takes the place of a secret in notes, index and names.
const purgeStub = "PURGED"

// Errors that refuse a purge.
var (
	errNoSecret = errors.New("purging: the secret is empty")
	errTooPlain = errors.New("purging: each note's name holds that text, so it can be no secret")
)

// Purge removes every copy of the secret's bytes: from notes and index (a stub
// takes its place), from the journal's lines and copies, from kept drafts. The
// hashes of what was there stay, so that the journal's chain still holds. What
// was purged can't be brought back.
func (s *Store) Purge(by By, secret []byte) (*Purged, error) {
	switch {
	case len(secret) == 0:
		return nil, errNoSecret
	case strings.Contains(IndexName, string(secret)) || strings.Contains(noteSuffix, string(secret)):
		return nil, errTooPlain
	}
	p := &purge{s: s, by: by, secret: string(secret), forms: formsOf(secret), out: &Purged{}}
	done, err := s.write(by, opPurge, p.plan)
	if err != nil {
		return nil, err
	}
	p.out.Done = *done
	if s.j.Exists() {
		if err := p.journal(); err != nil {
			return p.out, err
		}
		if s.folder == nil && p.out.Copies > 0 {
			p.left("%s does not exist any more: where its notes went, they were not looked through", s.dir)
		}
	}
	return p.out, p.drafts()
}

type purge struct {
	s      *Store
	by     By
	secret string
	forms  [][]byte
	out    *Purged
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
	if joined := bytes.Join(bytes.Fields(secret), []byte(" ")); len(joined) >= minTrace {
		add(joined) // as a description or an index line has it
	}
	add(bytes.ReplaceAll(secret, []byte("\r\n"), []byte("\n")))
	add(bytes.ReplaceAll(bytes.ReplaceAll(secret, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
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
	for _, sep := range []string{"-", "_"} {
		if slug := slugOf(string(secret), sep); len(slug) >= minTrace {
			add([]byte(slug))
		}
	}
	return forms
}

// minTrace is how long, in bytes, a trace of a secret must be to be taken for
// one: a name made from it, or a start of it that was cut off.
const minTrace = 8

// slugOf is what a secret becomes in a file name.
func slugOf(secret, sep string) string {
	words := strings.FieldsFunc(strings.ToLower(secret), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, sep)
}

func (p *purge) holds(b []byte) bool {
	return slices.ContainsFunc(p.forms, func(f []byte) bool { return bytes.Contains(b, f) }) || p.cutIn(b, 0) != (trace{})
}

func (p *purge) clean(b []byte) []byte {
	for _, f := range p.forms {
		b = bytes.ReplaceAll(b, f, []byte(purgeStub))
	}
	for at := 0; ; {
		t := p.cutIn(b, at)
		if t == (trace{}) {
			return b
		}
		b = slices.Concat(b[:t.from], []byte(purgeStub), b[t.to:])
		at = t.from + len(purgeStub)
	}
}

// trace is where a start of the secret stands that was cut off.
type trace struct{ from, to int }

// cutIn finds, from a place on, a start of the secret that ends in "…": what is
// left of it in a description or an index line that was too long.
func (p *purge) cutIn(b []byte, from int) trace {
	const cut = "…"
	for at := from; ; {
		i := bytes.Index(b[at:], []byte(cut))
		if i < 0 {
			return trace{}
		}
		at += i
		for _, secret := range []string{p.secret, strings.Join(strings.Fields(p.secret), " ")} {
			for n := min(len(secret)-1, at-from); n >= minTrace; n-- {
				if string(b[at-n:at]) == secret[:n] {
					return trace{at - n, at + len(cut)}
				}
			}
		}
		at += len(cut)
	}
}

// plan writes the stub into each note that holds the secret, and renames those
// whose name does.
func (p *purge) plan(t *tx) error {
	p.out.Files, p.out.NotReached = nil, nil
	for _, f := range t.files {
		b, err := t.get(f.Rel)
		if err != nil {
			p.left("%v; it was not looked through", err)
			continue
		}
		name := p.nameFor(t, f.Rel)
		if !p.holds(b) && name == f.Rel {
			continue
		}
		p.out.Files = append(p.out.Files, f.Rel)
		if name != f.Rel {
			if err := t.put(f.Rel, nil); err != nil {
				return err
			}
		}
		if err := t.put(name, p.clean(b)); err != nil {
			return err
		}
	}
	return p.others(t)
}

// left tells of a file that may still hold the secret.
func (p *purge) left(format string, args ...any) {
	p.out.NotReached = append(p.out.NotReached, fmt.Sprintf(format, args...))
}

// nameFor is a file's name without the secret, one that is free.
func (p *purge) nameFor(t *tx, rel string) string {
	name := string(p.clean([]byte(rel)))
	if name == rel {
		return rel
	}
	stem := strings.TrimSuffix(name, noteSuffix)
	for n := 2; ; n++ {
		planned, err := t.planned(name)
		if err == nil && planned == nil && t.free(name) == nil {
			return name
		}
		name = fmt.Sprintf("%s-%d%s", stem, n, noteSuffix)
	}
}

// others tells which files that are no notes hold the secret: they are not ours.
func (p *purge) others(t *tx) error {
	if t.s.folder == nil {
		return nil
	}
	watched := map[string]bool{}
	for _, f := range t.files {
		watched[f.Rel] = true
	}
	return t.s.folder.Walk(func(rel string, e fs.DirEntry) {
		if !e.Type().IsRegular() {
			if strings.HasSuffix(rel, noteSuffix) {
				p.left("%s is no plain file; what it leads to was not looked through", rel)
			}
			return
		}
		if watched[rel] {
			return
		}
		b, _, err := t.s.folder.Read(rel, note.MaxBytes)
		switch {
		case err != nil:
			p.left("%v; it was not looked through", err)
		case !p.holds(b):
		case strings.HasPrefix(path.Base(rel), tempPrefix):
			t.s.folder.Drop(rel)
			p.out.Drafts++
		default:
			p.left("%s holds it too, but is no note: it was left as it is", rel)
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
