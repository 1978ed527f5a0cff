package mount

import (
	"fmt"

	"dormouse/internal/apiserver/wire"
	"dormouse/store"
)

// Left tells, a line each, which notes of the folders are not served, and why: one that
// is no text, that is longer than a memory may be, or whose name no path may have. Links
// and what is no file are no notes.
func (b *Backend) Left() ([]string, error) {
	var out []string
	for _, f := range b.folders {
		if err := f.use(func(st *store.Store, _ *view) error {
			items, err := st.List()
			for i := range items {
				if why := unfit(&items[i]); why != nil {
					out = append(out, fmt.Sprintf("%s of %s is not served: %v", items[i].Rel, f.dir, why))
				}
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func unfit(it *store.Item) error {
	if it.Err != nil {
		return it.Err
	}
	if err := wire.CheckPath("/" + it.Rel); err != nil {
		return err
	}
	return wire.CheckContent(string(it.Note.Bytes()))
}
