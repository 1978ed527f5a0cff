package find

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"dormouse/note"
	"dormouse/recall"
	"dormouse/store"
	"dormouse/trust"
)

// Types of notes that hold in every session, whatever it is about: who the user
// is, and how they want to be worked with.
func isStanding(kind string) bool { return kind == "user" || kind == "feedback" }

// text is a note that was read.
type text struct {
	row  row
	note *note.Note // nil: it can't be read
}

// read reads a note. What can't be read has a row too, so that it need not be
// tried again until its file changes.
func (v *view) read(f seen) text {
	t := text{row: row{rel: f.rel, look: f.look, seg: none, doc: none}}
	if !f.look.settled(v.now) {
		t.row.look = f.look.unsure()
	}
	b, err := v.st.Read(f.rel)
	if err != nil {
		t.row.unread = true
		return t
	}
	t.row.hash = sha256.Sum256(b)
	if store.IsPage(f.rel, b) {
		return t
	}
	t.note = note.Parse(b)
	t.row.standing = isStanding(t.note.Type())
	return t
}

// doc is what of a note can be found. when is its file time.
func (v *view) doc(rel string, n *note.Note, when time.Time) recall.Doc {
	d := recall.Doc{
		ID: v.id(rel), Kind: recall.Note, Title: clean(titleOf(rel, n)), Summary: clean(n.Description()), Body: clean(string(n.Body())),
		Type: n.Type(), When: dateOf(n, when), Group: v.key,
	}
	for _, l := range n.Links() {
		if l.File != "" {
			d.Links = append(d.Links, v.id(path.Join(path.Dir(rel), l.File)))
		}
	}
	return d
}

// titleOf is a note's name, and that of its file where it is another.
func titleOf(rel string, n *note.Note) string {
	stem := strings.TrimSuffix(path.Base(rel), ".md")
	name := n.Name()
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
	}
	switch {
	case name == "":
		return stem
	case plain(name) == plain(stem):
		return name
	}
	return name + " " + stem
}

// dateOf is when a note was last changed, by what the agent wrote into it, else
// by the time of its file.
func dateOf(n *note.Note, mod time.Time) time.Time {
	if s, ok := n.Text("modified"); ok {
		if t, err := time.Parse(time.RFC3339, s); err == nil {
			return t.UTC()
		}
	}
	return mod.UTC()
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// judgedAs is what was said of a text, if origin and decision are still the same;
// if not, it has to be judged anew: that is the dear part.
func (v *view) judgedAs(hash [32]byte, was *judged) (judged, bool) {
	l := v.ledger()
	if v.broken != nil {
		return unjudged(brokenWords), true
	}
	name := hex.EncodeToString(hash[:])
	same := was.origin == l.Origin(name) && was.approved == l.Approved(name) && was.rejected == l.Rejected(name)
	return *was, same
}

// verdict judges a text.
func (v *view) verdict(b []byte, hash [32]byte) judged {
	l := v.ledger()
	if v.broken != nil {
		return unjudged(brokenWords)
	}
	ver := v.guard.Judge(l, b)
	return judged{
		origin: ver.Origin, loads: ver.Loads, approved: ver.Approved,
		rejected: l.Rejected(hex.EncodeToString(hash[:])), reasons: ver.Reasons,
	}
}

const brokenWords = "the journal is damaged, so nobody can tell where it came from"

// unjudged is what is held because nothing can be said of it.
func unjudged(words string) judged {
	return judged{origin: trust.Outside, reasons: []trust.Reason{{ID: trust.ByUnread, Words: words}}}
}

// ledger is what the journal says of each content. It is read once, and only
// where something has to be judged.
func (v *view) ledger() *trust.Ledger {
	if v.l == nil {
		history, err := v.st.History("")
		if err != nil {
			// What a person turned down might be what is missing.
			v.broken = err
			v.fail(err)
		}
		v.l = trust.Read(history)
	}
	return v.l
}

func hashOf(b []byte) [32]byte { return sha256.Sum256(b) }
