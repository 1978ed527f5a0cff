package mount

import (
	"context"
	"slices"
	"strings"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// served is a version as the API has it. A text that was purged from the journal, or
// was too much for it, is one that was redacted.
func (f *folder) served(v *version, full bool) wire.MemoryVersion {
	out := wire.MemoryVersion{Type: "memory_version", ID: v.id, Store: f.store.ID, Memory: v.memory, Operation: v.op, CreatedBy: v.by, CreatedAt: wire.At(v.at)}
	path := "/" + v.rel
	if v.op == wire.Deleted {
		out.Path = &path
		return out
	}
	b, err := f.st.Content(v.hash)
	if err != nil {
		at := out.CreatedAt // when it was purged the journal does not say
		out.RedactedAt, out.RedactedBy = &at, &wire.Actor{Type: wire.UserActor, User: "user_human"}
		return out
	}
	size := len(b)
	out.Path, out.Size, out.SHA256 = &path, &size, &v.hash
	if full {
		text := strings.ToValidUTF8(string(b), "\uFFFD")
		out.Content = &text
	}
	return out
}

// Version reads a version.
func (b *Backend) Version(ctx context.Context, who apiserver.Who, id, version string, full bool) (*wire.MemoryVersion, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.Version(ctx, who, id, version, full)
	}
	all, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	v, err := all.version(version)
	if err != nil {
		return nil, err
	}
	out := f.served(v, full)
	return &out, nil
}

func (v *view) version(id string) (*version, error) {
	for i := range v.versions {
		if v.versions[i].id == id {
			return &v.versions[i], nil
		}
	}
	return nil, wire.Missing("the memory version")
}

// RedactVersion refuses: the journal is one chain, out of which only a purge on the
// machine itself takes a text, wherever it stands.
func (b *Backend) RedactVersion(ctx context.Context, who apiserver.Who, id, version string) (*wire.MemoryVersion, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.RedactVersion(ctx, who, id, version)
	}
	all, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	if _, err := all.version(version); err != nil {
		return nil, err
	}
	return nil, wire.Invalid("versions of a folder are in its journal: `dormouse purge` on the server's machine takes a text out of it everywhere")
}

// ListVersions lists versions, newest first.
func (b *Backend) ListVersions(ctx context.Context, who apiserver.Who, id string, q apiserver.VersionQuery) ([]wire.MemoryVersion, apiserver.Cursor, error) {
	f := b.at(who, id)
	if f == nil {
		return b.Backend.ListVersions(ctx, who, id, q)
	}
	view, end, err := f.begin()
	if err != nil {
		return nil, "", err
	}
	defer end()
	from := 0
	if q.Page != "" {
		i := slices.IndexFunc(view.versions, func(v version) bool { return v.id == string(q.Page) })
		if i < 0 {
			return nil, "", wire.Invalid("page is not a cursor of this list")
		}
		from = i + 1
	}
	out := []wire.MemoryVersion{}
	last := ""
	for i := from; i < len(view.versions); i++ {
		v := &view.versions[i]
		if !asked(v, &q) {
			continue
		}
		if len(out) == q.Limit {
			return out, apiserver.Cursor(last), nil
		}
		out, last = append(out, f.served(v, q.Full)), v.id
	}
	return out, "", nil
}

func asked(v *version, q *apiserver.VersionQuery) bool {
	return (q.Memory == "" || v.memory == q.Memory) && (q.Session == "" || v.by.Session == q.Session) && (q.APIKey == "" || v.by.APIKey == q.APIKey) &&
		q.ServiceAccount == "" && (q.Op == "" || v.op == q.Op) && inSpan(v.at, q.Created)
}
