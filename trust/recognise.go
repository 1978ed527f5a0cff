package trust

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"dormouse/note"
	"dormouse/store"
	"dormouse/transcript"
)

// Recognise finds the notes that the agent itself wrote, in the transcripts of its
// sessions: what the client says that the file held afterwards must be what the
// journal saw come from outside, byte for byte. A note whose every call for action
// is in the person's own words there counts as theirs. find names the transcripts
// that may have written a note; session is what the note says of itself, "" for
// nothing, and only helps to find the file.
func (g *Guard) Recognise(st *store.Store, find func(session string) []string) (int, error) {
	if _, err := st.Look(); err != nil {
		return 0, err
	}
	history, err := st.History("")
	if err != nil {
		return 0, err
	}
	l := Read(history)
	wanted, files, err := unknown(st, l, find)
	if err != nil || len(wanted) == 0 {
		return 0, err
	}
	n := 0
	for _, file := range files {
		found, err := g.inSession(st, file, wanted)
		if err != nil {
			continue // a transcript that can't be read vouches for nothing
		}
		for _, f := range found {
			by := store.By{Actor: store.Agent, Session: f.session, Origin: string(f.origin), From: []store.Source{f.source}}
			if _, err := st.Record(by, OpRecognise, store.Mark{Path: f.path, Hash: f.hash}); err != nil {
				return n, err
			}
			delete(wanted, f.hash)
			n++
		}
	}
	return n, nil
}

// unknown are the contents of unknown origin, by hash, and the transcripts to
// look into.
func unknown(st *store.Store, l *Ledger, find func(string) []string) (map[string]bool, []string, error) {
	if !l.anyUnknown() {
		return nil, nil, nil
	}
	items, err := st.List()
	if err != nil {
		return nil, nil, err
	}
	wanted, seen := map[string]bool{}, map[string]bool{}
	var files []string
	ask := func(session string) {
		if seen[session] {
			return
		}
		seen[session] = true
		files = append(files, find(session)...)
	}
	for _, it := range items {
		if it.Note == nil || l.Origin(store.HashOf(it.Note.Bytes())) != Outside {
			continue
		}
		wanted[store.HashOf(it.Note.Bytes())] = true
		session, _ := it.Note.Text("originSessionId")
		ask(session)
	}
	if index, err := st.Read(store.IndexName); err == nil && l.Origin(store.HashOf(index)) == Outside {
		wanted[store.HashOf(index)] = true
		ask("")
	}
	return wanted, files, nil
}

// written is a note that a session wrote.
type written struct {
	path, hash, session string
	origin              Origin
	source              store.Source
	text                []byte
}

// inSession looks through one transcript.
func (g *Guard) inSession(st *store.Store, file string, wanted map[string]bool) ([]written, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []written
	var typed []transcript.Event
	_, err = transcript.Claude(f, func(e transcript.Event) error {
		if e.Typed != "" {
			typed = append(typed, e)
			return nil
		}
		hash := store.HashOf(e.Content)
		rel, inside := relTo(st.Dir(), e.File)
		if inside && wanted[hash] {
			out = append(out, written{path: rel, hash: hash, session: e.Session, origin: Agent, source: store.Source{Session: e.Session, Line: e.Line}, text: bytes.Clone(e.Content)})
		}
		return nil
	})
	for i := range out {
		g.quoted(&out[i], typed)
	}
	return out, err
}

// relTo is a file's path within the folder, links in the way to it resolved.
func relTo(dir, file string) (string, bool) {
	real, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(dir, filepath.Join(real, filepath.Base(file)))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// quoted raises a note to the person's word if all that it asks for was said by
// them, in these words.
func (g *Guard) quoted(w *written, typed []transcript.Event) {
	if g.Policy.NoScan || w.path == store.IndexName {
		return
	}
	text := string(w.text)
	actions := g.scan.Actions(text)
	if len(actions) == 0 || len(typed) == 0 {
		return
	}
	said := map[string]transcript.Event{}
	for _, t := range typed {
		for _, sentence := range sentences(t.Typed) {
			said[sentence] = t
		}
	}
	var source store.Source
	for _, a := range actions {
		sentence, named := withoutKey(sentenceAt(text, a.Start, a.End))
		if named && wordsOf(sentence, typed) {
			continue // the name is made of the person's words
		}
		sentence = withoutLead(plain(sentence))
		t, ok := said[sentence]
		if !ok || sentence == "" {
			return
		}
		source = store.Source{Session: t.Session, Line: t.Line, Quote: note.Clip(sentence, quoteUnits)}
	}
	if source.Quote != "" {
		w.origin, w.source = UserTurn, source
	}
}

// withoutKey drops the key of a field of the front matter; named tells that it
// is the note's name.
func withoutKey(sentence string) (rest string, named bool) {
	sentence = strings.TrimSpace(sentence)
	if rest, ok := strings.CutPrefix(sentence, "description:"); ok {
		return strings.Trim(strings.TrimSpace(rest), "\"'"), false
	}
	if rest, ok := strings.CutPrefix(sentence, "name:"); ok {
		return strings.Trim(strings.TrimSpace(rest), "\"'"), true
	}
	return sentence, false
}

// wordsOf reports whether a name is made of words that the person typed.
func wordsOf(name string, typed []transcript.Event) bool {
	for _, t := range typed {
		words := " " + strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(plain(t.Typed)) + " "
		all := true
		for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_. ", r) }) {
			all = all && strings.Contains(words, " "+w+" ")
		}
		if all {
			return true
		}
	}
	return false
}

// quoteUnits is how much of the person's words is kept, in UTF-16 units.
const quoteUnits = 200

// sentences are the whole sentences of a text, without marks. A part of one is no
// quote: the person may have said the opposite in the rest.
func sentences(text string) []string {
	var out []string
	for at := 0; at < len(text); {
		end := sentenceEnd(text, at)
		if s := withoutLead(plain(text[at:end])); s != "" {
			out = append(out, s)
		}
		at = end
	}
	return out
}

// sentenceEnd is where the sentence ends that holds the byte at: behind a line
// break, a mark, or a full stop before white space. The dot in a name is none.
func sentenceEnd(text string, at int) int {
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '\n', '!', '?', ';':
			return i + 1
		case '.':
			if i+1 == len(text) || strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// withoutLead drops what people put before what they want kept.
func withoutLead(s string) string {
	for again := true; again; {
		again = false
		for _, lead := range []string{"please ", "remember ", "that ", "note ", "from now on ", "and ", "also ", "ok ", "hi "} {
			if rest, ok := strings.CutPrefix(s, lead); ok {
				s, again = rest, true
			}
		}
	}
	return s
}

// sentenceAt is the sentence, or list item, around a place in a text.
func sentenceAt(text string, start, end int) string {
	from := 0
	for from < len(text) {
		next := sentenceEnd(text, from)
		if next > start {
			break
		}
		from = next
	}
	return text[from:sentenceEnd(text, max(from, end-1))]
}

// plain is a text without case, spacing, and the marks of emphasis and of the
// sentence around its words. What stands within a word or by itself (--force, |,
// left-pad) stays: it makes another command.
func plain(s string) string {
	var words []string
	for i, w := range strings.Fields(strings.ToLower(s)) {
		if i == 0 && (w == "-" || w == "*" || w == "+") {
			continue // a list item
		}
		w = strings.Trim(w, "`*_\"'“”‘’")
		if w = strings.TrimRight(w, ".,:;!?`*_\"'“”‘’"); w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
