// Package find turns what is on disk into an answer: the notes of one or several
// stores, instruction files, and session logs. It keeps an index of what it read
// in Dormouse's state folder, as a cache: every answer holds for the files as
// they are now, and without the cache it is the same answer, only slower.
//
// A note that may not load is never among what an agent is told. What the cache
// says of a note counts only while the bytes on disk are those that were judged.
//
//	f := find.Open(find.Config{Stores: []find.Folder{{Store: st, Guard: guard}}, State: state})
//	answer, err := f.Find(ctx, find.Question{Query: recall.Query{Text: prompt, Limit: 3}, Certain: true, Quick: true})
//
// is what a hook asks that nobody called; a command asks without Certain and
// Quick, and with Conflicts. Whoever asks has made sure that memory is on.
package find
