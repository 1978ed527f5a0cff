package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"dormouse/note"
	"dormouse/scan"
	"dormouse/scan/secrets"
	"dormouse/store"
	"dormouse/syncer"
)

// syncProgram speaks to servers. It is a program of its own because HTTP would cost
// each other command its share of start-up time and 4 MB.
const syncProgram = "dormouse-sync"

// syncOptions are those of pull and push, which differ in the direction.
type syncOptions struct {
	*common
	push    bool
	url     string
	keyFile string
	create  string
	dry     bool
	many    bool
}

func (o *syncOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", "the server's address; else that of the last time, $ANTHROPIC_BASE_URL, or Anthropic's own")
	f.StringVar(&o.keyFile, "key-file", "", "a file that holds the key; else $ANTHROPIC_API_KEY or $ANTHROPIC_AUTH_TOKEN")
	f.BoolVar(&o.dry, "dry-run", false, "show what would be done, and do nothing")
	f.BoolVar(&o.many, "many-removals", false, "remove also more than a quarter of the notes")
}

// started runs the command, in the program that can speak to servers.
func (o *syncOptions) started(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return usageError{fmt.Errorf("%s takes one store, but got %d", cmd.CommandPath(), len(args))}
	case len(args) == 1 && args[0] == "":
		return usageError{errors.New("the store has no name")}
	case len(args) == 1 && o.create != "":
		return usageError{fmt.Errorf("--create makes the store %q, so there is no other to name", o.create)}
	case o.create != "" && o.dry:
		return usageError{errors.New("--create and --dry-run exclude each other: a store that is not there holds nothing to compare with")}
	}
	if o.io.Remote == nil {
		program, err := findProgram(syncProgram)
		if err != nil {
			return err
		}
		return become(program, o.args, o.io)
	}
	word := ""
	if len(args) == 1 {
		word = args[0]
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return o.run(ctx, word)
}

// run is one sync.
func (o *syncOptions) run(ctx context.Context, word string) error {
	t, err := o.judge()
	if err != nil {
		return err
	}
	defer release(t.st)
	if o.global != nil && o.by(t.s).Actor == store.Agent {
		return errAgentGlobal
	}
	p, err := o.openPairs(t.st.Dir())
	if err != nil {
		return err
	}
	defer p.close()
	far, with, err := o.connect(ctx, p, word)
	if err != nil {
		return err
	}
	folder := &syncer.Folder{Store: t.st, Held: map[string]string{}}
	for i := range t.state.Held {
		if h := &t.state.Held[i]; !h.Waiting && !t.inList(h) {
			folder.Held[h.Path] = "it waits here until it is reviewed: " + heldWords(h)
		}
	}
	conf := syncer.Config{
		From: far, To: folder, Base: with.Base, Past: t.st.Content, Fit: fit(), Copies: true, Keep: folder.Keep, Dry: o.dry, ManyRemovals: o.many,
	}
	if o.push {
		conf.From, conf.To, conf.Copies, conf.Keep = folder, far, false, nil
	}
	res, err := syncer.Run(ctx, conf)
	if res == nil {
		return fmt.Errorf("%s: %w", with.URL, err)
	}
	out := syncReport{Op: o.name(), Dry: o.dry, Server: with, Items: res.Items, folder: folder, errs: []error{err}}
	if !o.dry {
		with.Base = res.Base
		if o.push {
			out.index, err = far.EditIndex(ctx, listing(folder, res))
			if err != nil {
				out.errs = append(out.errs, fmt.Errorf("the list %s on the server: %w", store.IndexName, err))
			}
		}
		out.errs = append(out.errs, p.save())
	}
	return o.printSync(&out)
}

func (o *syncOptions) name() string {
	if o.push {
		return "push"
	}
	return "pull"
}

// connect finds the store that is meant: the one that was named or made, or that of the
// last time.
func (o *syncOptions) connect(ctx context.Context, p *pairs, word string) (syncer.IndexedSide, *pair, error) {
	last := p.last()
	at, err := o.server(last)
	if err != nil {
		return nil, nil, err
	}
	if word == "" && o.create == "" {
		if last == nil || last.URL != at.url {
			return nil, nil, usageError{fmt.Errorf("these notes were not synced with %s yet: name a store, or let %s make one", at.url, o.command("push --create NAME"))}
		}
		word = last.Store
	}
	client, err := o.io.Remote(at.url, at.key)
	if err != nil {
		return nil, nil, usageError{err}
	}
	var found syncer.RemoteStore
	if o.create != "" {
		found, err = client.Create(ctx, o.create)
	} else {
		found, err = client.Open(ctx, word)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", at.url, err)
	}
	if o.push && found.Archived {
		return nil, nil, fmt.Errorf("the store %s is archived: it can be read and not written", found.ID)
	}
	with := p.of(at.url, found)
	with.KeyFile = at.keyFile
	if o.create != "" { // named from now on, also if what follows is cut off
		if err := p.save(); err != nil {
			return nil, nil, err
		}
	}
	return client.Side(found.ID), with, nil
}

// fit tells why a text may not go from one side to the other, whichever way: a secret
// in it would be on two machines, and what nobody sees nobody can judge.
func fit() func(path string, text []byte) error {
	find, look := secrets.New(), scan.New()
	return func(_ string, text []byte) error {
		for _, h := range find.Find(string(text)) {
			return fmt.Errorf("it holds a secret (%s, line %d): take it out with dormouse edit, or with dormouse purge everywhere", h.Why, 1+bytes.Count(text[:h.Start], []byte("\n")))
		}
		for _, f := range look.Scan(string(text), scan.Options{}) {
			if f.Kind == scan.Hidden && f.Level == scan.Block {
				return fmt.Errorf("line %d holds what nobody sees: %s (%s): remove it", f.Line, f.Why, f.Shown)
			}
		}
		return nil
	}
}

// listing edits the list that lies beside the notes on a server.
func listing(folder *syncer.Folder, res *syncer.Report) func([]byte) ([]byte, error) {
	l := syncer.Listing{Fresh: map[string]bool{}, Moved: map[string]string{}}
	for _, i := range res.Items {
		switch i.Action {
		case syncer.Remove:
			l.Gone = append(l.Gone, i.Path)
		case syncer.Move:
			l.Moved[i.Moved] = i.Path
			l.Fresh[i.Path] = true
		case syncer.Create, syncer.Update, syncer.Restore, syncer.Merge:
			l.Fresh[i.Path] = true
		}
	}
	folder.Each(func(rel string, text []byte) {
		if _, both := res.Base[rel]; both {
			line := note.Parse(text).Line(rel)
			line.File = rel
			l.Lines = append(l.Lines, line)
		}
	})
	return func(index []byte) ([]byte, error) { return syncer.MergeIndex(index, l) }
}
