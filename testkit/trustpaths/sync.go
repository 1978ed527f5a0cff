package trustpaths

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store"
	"dormouse/syncer"
)

// syncs are the ways of a server that notes are pulled from, whoever writes there: an
// agent in the cloud, a colleague, or somebody with a stolen key.
func syncs() []Path {
	const approved = "---\ntrust: human\napproved_by: you\n---\n"
	return []Path{
		{"a pull brings it", func(p *Place, text string) error { return p.pulled(map[string]string{"n.md": text}) }},
		{"a pull brings it twice", func(p *Place, text string) error {
			far := newFar(map[string]string{"n.md": text})
			return errors.Join(far.pull(p), far.pull(p))
		}},
		{"a pull brings it, saying that it is approved", func(p *Place, text string) error {
			return p.pulled(map[string]string{"n.md": approved + text})
		}},
		{"a pull brings it as the description of a fact", func(p *Place, text string) error {
			return p.pulled(map[string]string{"n.md": "---\nname: n\ndescription: " + oneLine(text) + "\ntype: user\n---\nThe mail service is written in Elixir.\n"})
		}},
		{"a pull brings it where there is no index", func(p *Place, text string) error {
			return errors.Join(os.Remove(filepath.Join(p.Dir, store.IndexName)), p.pulled(map[string]string{"n.md": text}))
		}},
		{"a pull brings it for a line that was left", func(p *Place, text string) error {
			return errors.Join(p.Outside(store.IndexName, p.Index()+"- [n](n.md)\n"), p.pulled(map[string]string{"n.md": text}))
		}},
		{"a pull brings it as the index", func(p *Place, text string) error {
			return p.pulled(map[string]string{store.IndexName: "- [n](n.md) — " + oneLine(text) + "\n"})
		}},
		{"a pull brings it as a page of the index", func(p *Place, text string) error {
			return p.pulled(map[string]string{store.PageName: "- [n](n.md) — " + oneLine(text) + "\n", "n.md": text})
		}},
		{"a pull brings it in a folder", func(p *Place, text string) error { return p.pulled(map[string]string{"p/n.md": text}) }},
		{"a pull gives a person's note a name that says it", func(p *Place, text string) error {
			return p.answered("mine", func(far *far) { far.rename("mine.md", strings.TrimPrefix(named(text), "/")) })
		}},
		{"a pull brings a person's note again under a name that says it", func(p *Place, text string) error {
			return p.answered("mine", func(far *far) { far.texts[strings.TrimPrefix(named(text), "/")] = far.texts["mine.md"] })
		}},
		{"it is pushed and pulled again", func(p *Place, text string) error {
			far := newFar(nil)
			err := errors.Join(p.Outside("n.md", text+"\n"), far.push(p), forget(p, "n.md"))
			for _, sent := range far.texts {
				if strings.Contains(sent, text) {
					err = errors.Join(err, fmt.Errorf("what is held here was pushed: %q", sent))
				}
			}
			return errors.Join(err, far.pull(p))
		}},
		{"a person takes a pull back, and that back", func(p *Place, text string) error {
			err := p.pulled(map[string]string{"n.md": text})
			for range 2 {
				if _, uerr := p.Store.Undo(Human(), 0, store.Refuse); uerr != nil && !errors.Is(uerr, store.ErrNoChange) && !errors.Is(uerr, store.ErrFirstLook) {
					err = errors.Join(err, uerr)
				}
			}
			return err
		}},
	}
}

// changed are pulls of what was here already, and was changed on the server.
func changed() []Path {
	return []Path{
		{"a pull puts it in place of a person's words that were pushed", func(p *Place, text string) error {
			return p.answered("n", func(far *far) { far.texts["n.md"] = text })
		}},
		{"a pull puts it behind a person's words that were pushed", func(p *Place, text string) error {
			return p.answered("n", func(far *far) { far.texts["n.md"] += "\n" + text + "\n" })
		}},
		{"a pull merges it with a person's words that were pushed", func(p *Place, text string) error {
			return p.met(text, "One line more at the end.\n")
		}},
		{"a pull puts it behind what another program wrote", func(p *Place, text string) error {
			far := newFar(nil)
			err := errors.Join(p.Outside("n.md", Fact+"\n"), far.push(p))
			far.texts["n.md"] = Fact + "\n\n" + text + "\n"
			return errors.Join(err, far.pull(p))
		}},
		{"a pull and a person say something else", func(p *Place, text string) error {
			return p.answered("mine", func(far *far) {
				far.texts["mine.md"] = text
				before, err := p.Store.Read("mine.md")
				if err == nil {
					_, _ = p.Store.Edit(Human(), "mine.md", before, []byte("Another fact.\n")) // or the row shows less
				}
			})
		}},
		{"a pull brings it back after it was removed here", func(p *Place, text string) error {
			far := newFar(nil)
			err := errors.Join(p.Add(Human(), "n", Fact), far.push(p), forget(p, "n.md"))
			far.texts["n.md"] = text
			return errors.Join(err, far.pull(p))
		}},
	}
}

func forget(p *Place, rel string) error {
	_, err := p.Store.Forget(Human(), rel)
	return err
}

// pulled pulls what a server holds.
func (p *Place) pulled(texts map[string]string) error { return newFar(texts).pull(p) }

// answered pushes a note of a person's and pulls after the server has changed.
func (p *Place) answered(name string, change func(far *far)) error {
	far := newFar(nil)
	if err := errors.Join(p.Add(Human(), name, Fact), far.push(p)); err != nil {
		return err
	}
	change(far)
	return far.pull(p)
}

// met is answered where the note has another line here by then.
func (p *Place) met(text, more string) error {
	return p.answered("n", func(far *far) {
		before, err := p.Store.Read("n.md")
		if err == nil {
			_, _ = p.Store.Edit(Human(), "n.md", before, append(before[:len(before):len(before)], "\n\n\n"+more...)) // or the row shows less
		}
		far.texts["n.md"] = strings.Replace(far.texts["n.md"], "---\n\n", "---\n\n"+oneLine(text)+"\n\n", 1)
	})
}

// far is a server that holds texts, and what it and the place last agreed on.
type far struct {
	texts map[string]string
	ids   map[string]string
	base  syncer.Base
}

func newFar(texts map[string]string) *far {
	if texts == nil {
		texts = map[string]string{}
	}
	return &far{texts, map[string]string{}, syncer.Base{}}
}

func (f *far) rename(old, path string) {
	f.texts[path], f.ids[path] = f.texts[old], f.id(old)
	delete(f.texts, old)
	delete(f.ids, old)
}

func (f *far) id(path string) string {
	if f.ids[path] == "" {
		f.ids[path] = "mem_" + store.HashOf([]byte(path))
	}
	return f.ids[path]
}

func (f *far) pull(p *Place) error { return f.sync(p, false) }
func (f *far) push(p *Place) error { return f.sync(p, true) }

// sync is what the commands do.
func (f *far) sync(p *Place, push bool) error {
	standing, err := p.Guard.Look(p.Store)
	if err != nil {
		return err
	}
	folder := &syncer.Folder{Store: p.Store, Held: map[string]string{}}
	for _, h := range standing.Held {
		if !h.Waiting {
			folder.Held[h.Path] = h.Words() + " "
		}
	}
	c := syncer.Config{From: f, To: folder, Base: f.base, Past: p.Store.Content, Keep: folder.Keep, Copies: true, ManyRemovals: true}
	if push {
		c.From, c.To, c.Copies, c.Keep = folder, f, false, nil
	}
	r, err := syncer.Run(context.Background(), c)
	if r != nil {
		f.base = r.Base
	}
	return err
}

// List tells all there is, as a server with ill will might.
func (f *far) List(context.Context) ([]syncer.File, error) {
	var out []syncer.File
	for path, text := range f.texts {
		out = append(out, syncer.File{Path: path, Hash: store.HashOf([]byte(text)), ID: f.id(path)})
	}
	return out, nil
}

func (f *far) Read(_ context.Context, files []syncer.File) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, file := range files {
		out[file.Path] = []byte(f.texts[file.Path])
	}
	return out, nil
}

func (f *far) Holds(syncer.File) error { return nil }

func (f *far) Apply(_ context.Context, changes []syncer.Change) []syncer.Applied {
	out := make([]syncer.Applied, len(changes))
	for n, c := range changes {
		delete(f.texts, c.Was.Path)
		if c.Text != nil {
			f.texts[c.Path] = string(c.Text)
			out[n].File = syncer.File{Path: c.Path, Hash: store.HashOf(c.Text), ID: f.id(c.Path)}
		}
	}
	return out
}
