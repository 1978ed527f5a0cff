package mount

import (
	"context"
	"errors"
	"slices"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// asVersion is a version as the API has it. A text that was purged out of the journal is
// one that was redacted; of one that is not text, or was too much for the journal, only
// that it was there is told.
func (f *folder) asVersion(st *store.Store, v *version, full bool) (wire.MemoryVersion, error) {
	out := wire.MemoryVersion{Type: "memory_version", ID: v.id, Store: f.store.ID, Memory: v.memory.id, Operation: v.op, CreatedBy: v.by, CreatedAt: wire.At(v.at)}
	path := v.path()
	out.Path = &path
	if v.op == wire.Deleted {
		return out, nil
	}
	b, err := st.Content(v.hash)
	switch {
	case errors.Is(err, store.ErrPurged):
		out.Path, out.RedactedAt = nil, &out.CreatedAt
		if v.redacted != nil {
			at := wire.At(v.redacted.at)
			out.RedactedAt, out.RedactedBy = &at, &v.redacted.by
		}
		return out, nil
	case errors.Is(err, store.ErrNotKept):
		return out, nil
	case err != nil:
		return out, err
	}
	size := len(b)
	out.Size, out.SHA256 = &size, &v.hash
	if full && f.factOf(v.hash, b).served {
		text := string(b)
		out.Content = &text
	}
	return out, nil
}

// Version reads a version.
func (b *Backend) Version(ctx context.Context, who apiserver.Who, id, version string, full bool) (*wire.MemoryVersion, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.Version(ctx, who, id, version, full)
	}
	var out wire.MemoryVersion
	err := f.use(func(st *store.Store, v *view) error {
		found, err := v.version(version)
		if err == nil {
			out, err = f.asVersion(st, found, full)
		}
		return err
	})
	return &out, err
}

func (v *view) version(id string) (*version, error) {
	for i := range v.versions {
		if v.versions[i].id == id {
			return &v.versions[i], nil
		}
	}
	return nil, wire.Missing("the memory version")
}

// RedactVersion refuses: one text may stand in many versions, in the index and in what
// was made of it, and only a purge on the machine itself takes it out of all of them.
func (b *Backend) RedactVersion(ctx context.Context, who apiserver.Who, id, version string) (*wire.MemoryVersion, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.RedactVersion(ctx, who, id, version)
	}
	err := f.use(func(_ *store.Store, v *view) error {
		if _, err := v.version(version); err != nil {
			return err
		}
		return wire.Invalid("versions of a folder stand in its journal, which is one chain: `dormouse purge` on the server's machine takes a text out of folder and journal")
	})
	return nil, err
}

// ListVersions lists versions, newest first.
func (b *Backend) ListVersions(ctx context.Context, who apiserver.Who, id string, q apiserver.VersionQuery) ([]wire.MemoryVersion, apiserver.Cursor, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.ListVersions(ctx, who, id, q)
	}
	var out []wire.MemoryVersion
	var next apiserver.Cursor
	err := f.use(func(st *store.Store, v *view) (err error) {
		out, next, err = f.listVersions(st, v, &q)
		return err
	})
	return out, next, err
}

func (f *folder) listVersions(st *store.Store, v *view, q *apiserver.VersionQuery) ([]wire.MemoryVersion, apiserver.Cursor, error) {
	from := 0
	if q.Page != "" {
		i := slices.IndexFunc(v.versions, func(v version) bool { return v.id == string(q.Page) })
		if i < 0 {
			return nil, "", badCursor()
		}
		from = i + 1
	}
	out := []wire.MemoryVersion{}
	last := ""
	for i := from; i < len(v.versions); i++ {
		w := &v.versions[i]
		if !asked(w, q) {
			continue
		}
		if len(out) == q.Limit {
			return out, apiserver.Cursor(last), nil
		}
		one, err := f.asVersion(st, w, q.Full)
		if err != nil {
			return nil, "", err
		}
		out, last = append(out, one), w.id
	}
	return out, "", nil
}

func asked(v *version, q *apiserver.VersionQuery) bool {
	return (q.Memory == "" || v.memory.id == q.Memory) && (q.Session == "" || v.by.Session == q.Session) && (q.APIKey == "" || v.by.APIKey == q.APIKey) &&
		(q.ServiceAccount == "" || v.by.ServiceAccount == q.ServiceAccount) && (q.Op == "" || v.op == q.Op) && inSpan(wire.At(v.at).Time, q.Created)
}
