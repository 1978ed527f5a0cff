package syncer

import "context"

// RemoteStore is a memory store on a server.
type RemoteStore struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Archived bool   `json:"archived,omitempty"` // it can be read and not written
}

// Remote is a server that has memory stores. Errors wrap ErrGone where a store is not
// there.
type Remote interface {
	// Open finds a store by id or name.
	Open(ctx context.Context, word string) (RemoteStore, error)
	Create(ctx context.Context, name string) (RemoteStore, error)
	Side(id string) IndexedSide
}

// Index is a list of notes that lies beside them and does not keep itself up to date.
type Index interface {
	// EditIndex changes the list, nil for none, and reports whether it did. It may call
	// edit more than once.
	EditIndex(ctx context.Context, edit func(index []byte) ([]byte, error)) (bool, error)
}

// IndexedSide is a side with such a list.
type IndexedSide interface {
	Side
	Index
}
