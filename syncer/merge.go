package syncer

import (
	"time"

	"dormouse/note"
	"dormouse/store"
)

// stamps are fields that a client writes anew with each edit. Two edits always differ
// in them, so they are those of the later edit and no conflict.
func stamps() []string { return []string{"modified", "originSessionId"} }

// mergeText applies both edits of a text where they touch different lines.
func mergeText(base, ours, theirs []byte) ([]byte, bool) {
	b, o, t := note.Parse(base), note.Parse(ours), note.Parse(theirs)
	later := o
	if modified(t).After(modified(o)) {
		later = t
	}
	for _, key := range stamps() {
		value, ok := later.Text(key)
		if !ok {
			continue
		}
		b, o, t = stamped(b, key, value), stamped(o, key, value), stamped(t, key, value)
	}
	text, ok := store.Merge(string(b.Bytes()), string(o.Bytes()), string(t.Bytes()))
	return []byte(text), ok
}

func modified(n *note.Note) time.Time {
	text, _ := n.Text("modified")
	at, _ := time.Parse(time.RFC3339, text) // what is no time is older than all
	return at
}

// stamped is a note with another value in a field that it has.
func stamped(n *note.Note, key, value string) *note.Note {
	if _, has := n.Field(key); !has {
		return n
	}
	b, err := n.Set(key, value)
	if err != nil {
		return n // then it is merged as any other line
	}
	return note.Parse(b)
}
