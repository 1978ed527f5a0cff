package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"dormouse/dream/shelf"
	"dormouse/host"
	"dormouse/note"
	"dormouse/recall/find"
	"dormouse/store"
)

// minSecret is how short a secret may be, in bytes: a shorter one stands in
// everything.
const minSecret = 4

type purgeOptions struct {
	*common
	yes, eachLine bool
}

func newPurge(c *common) *cobra.Command {
	o := &purgeOptions{common: c}
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Remove every copy of a secret from notes, index, journal and drafts",
		Long: `Reads a secret from standard input, or asks for it without showing it, and removes every
copy of those bytes: from the notes and the index, from what the journal keeps and from
drafts. A stub takes its place, also in names and where only the start of it stands before
a "…". This cannot be undone.

It goes through the memory folder of this project (or --store), then through every other
folder that Dormouse has a journal of and the notes for all projects, and names each.

What comes in is one secret, but for one line break at its end. With --each-line each line
of at least 4 bytes is a secret of its own. A pipe is not asked whether it is sure; a
person at a terminal is, unless --yes is given.

What it cannot reach: the agent's transcripts, backups, other machines. A secret that was
out must be replaced where it is valid.

Exit status: 0, also when nothing held it; 1 when a file that may hold it could not be
purged; 2 for wrong use.`,
		Example: `  dormouse purge                  asks for the secret
  pass show old/token | dormouse purge
  dormouse purge --each-line < leaked-tokens.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("%s takes no argument: a secret there would stand in the shell's history and in the list of processes; pipe it in, or type it when asked", cmd.CommandPath())}
			}
			return runPurge(o)
		},
	}
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask before it is done")
	cmd.Flags().BoolVar(&o.eachLine, "each-line", false, "each line that comes in is a secret of its own")
	return cmd
}

func runPurge(o *purgeOptions) error {
	st, s, _, err := o.openStore()
	if err != nil {
		return err
	}
	if o.by(s).Actor != store.Human {
		release(st)
		return errors.New("purge is for a person at a terminal, and this runs inside the agent: it reaches every folder and can't be undone")
	}
	defer release(st)
	secrets, said, err := o.secrets()
	if err != nil {
		return err
	}
	elsewhere, problem := o.otherFolders(st, s)
	show := pathPrinter(s)
	if isTerminal(o.io.In) && !o.yes {
		if err := o.confirm(secrets, show(st.Dir()), len(elsewhere)); err != nil {
			return err
		}
	}
	done, failed := purgeAll(st, o.by(s), secrets)
	if done == nil {
		return failed
	}
	rep := o.reportPurge(st.Dir(), done)
	rep.Said = append(rep.Said, said...)
	failures := append([]error{failed, problem}, reachErrors(st.Dir(), done, show)...)
	for _, dir := range elsewhere {
		done, failed := o.purgeFolder(s, dir, secrets)
		if failed != nil {
			failures = append(failures, fmt.Errorf("%s: %w", show(dir), failed))
		}
		if done != nil {
			rep.Elsewhere = append(rep.Elsewhere, purgedOf(dir, done))
			failures = append(failures, reachErrors(dir, done, show)...)
		}
	}
	if state, serr := host.StateFolder(o.io.Env); serr == nil {
		dreams, derr := shelf.PurgeAll(state, secrets...)
		rep.Dreams = orEmpty(dreams)
		var ferr error
		rep.Indexes, ferr = find.Purge(state)
		failures = append(failures, derr, ferr)
	}
	if o.json {
		rep.Problems = o.problemsOf(failures...)
		err = printJSON(o.out, rep)
	} else {
		printPurge(o.people(), &rep, show)
	}
	if err != nil {
		return err
	}
	return o.said(failures...) // what was purged before it failed is told
}

// maxSecrets bounds --each-line: every secret is a pass over all there is.
const maxSecrets = 1000

// secrets reads what is to be removed. It never comes from the command line. said
// are remarks on what came in.
func (o *purgeOptions) secrets() (secrets [][]byte, said []string, err error) {
	b, err := o.readSecret()
	if err != nil {
		return nil, nil, fmt.Errorf("reading the secret: %w", err)
	}
	if len(b) > note.MaxBytes {
		return nil, nil, fmt.Errorf("the secret has more than %s: no note is as long", size(note.MaxBytes))
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil, usageError{errors.New("no secret came in: pipe it in, or run dormouse purge on a terminal")}
	}
	if o.eachLine {
		secrets, said, err = eachLine(b)
	} else {
		secrets, said, err = [][]byte{b}, severalLines(b), checkSecret(b)
	}
	return secrets, said, err
}

// checkSecret refuses what would tear up the notes.
func checkSecret(b []byte) error {
	if len(bytes.TrimSpace(b)) < minSecret {
		return usageError{fmt.Errorf("the secret has fewer than %d bytes: to remove something so short everywhere would tear up the notes", minSecret)}
	}
	for _, name := range []string{store.IndexName, store.PageName, noteEnding} {
		if strings.Contains(name, string(b)) {
			return usageError{fmt.Errorf("the secret is a part of the file name %s: to remove it everywhere would tear up the notes", name)}
		}
	}
	return nil
}

// eachLine takes a text apart into secrets, the longest first: one may be a part
// of another, whose rest would stay.
func eachLine(b []byte) (secrets [][]byte, said []string, err error) {
	seen, short := map[string]bool{}, 0
	for _, l := range bytes.Split(b, []byte("\n")) {
		l = bytes.TrimSuffix(l, []byte("\r"))
		blank, few := len(bytes.TrimSpace(l)) == 0, len(bytes.TrimSpace(l)) < minSecret
		if few && !blank {
			short++
		}
		if few || seen[string(l)] {
			continue
		}
		if err := checkSecret(l); err != nil {
			return nil, nil, err
		}
		seen[string(l)] = true
		secrets = append(secrets, l)
	}
	switch {
	case len(secrets) == 0:
		return nil, nil, usageError{fmt.Errorf("no line has %d bytes or more: to remove something so short everywhere would tear up the notes", minSecret)}
	case len(secrets) > maxSecrets:
		return nil, nil, usageError{fmt.Errorf("%d secrets came in; give at most %d at a time", len(secrets), maxSecrets)}
	case short > 0:
		said = append(said, fmt.Sprintf("%s with fewer than %d bytes was left out", count(short, "line"), minSecret))
	}
	slices.SortStableFunc(secrets, func(a, b []byte) int { return len(b) - len(a) })
	return secrets, said, nil
}

// severalLines says how a text of several lines was taken.
func severalLines(b []byte) []string {
	n := bytes.Count(bytes.TrimSpace(b), []byte("\n")) + 1
	if n == 1 {
		return nil
	}
	return []string{fmt.Sprintf("%d lines came in and were searched for as one text; with --each-line each is a secret of its own", n)}
}

func (o *purgeOptions) readSecret() ([]byte, error) {
	f, ok := o.io.In.(*os.File)
	if !ok || !isTerminal(f) {
		b, err := io.ReadAll(io.LimitReader(o.io.In, note.MaxBytes+3)) // a line break is none of it
		return dropBreak(b), err
	}
	fmt.Fprint(o.io.Err, "Secret to remove (it does not show): ") // nowhere left to say it
	b, err := typed(int(f.Fd()))
	fmt.Fprintln(o.io.Err)
	if errors.Is(err, io.EOF) {
		err = nil // nothing typed
	}
	return b, err
}

// typed reads a line that does not show. An interrupt must not leave the
// terminal as it is then: the shell after us would show nothing either.
func typed(fd int) ([]byte, error) {
	was, err := xterm.GetState(fd)
	if err != nil {
		return nil, err
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	type line struct {
		b   []byte
		err error
	}
	lines := make(chan line, 1)
	go func() {
		b, err := xterm.ReadPassword(fd)
		lines <- line{b, err}
	}()
	select {
	case l := <-lines:
		return l.b, l.err
	case <-interrupts:
		return nil, errors.Join(errors.New("interrupted; nothing is purged"), xterm.Restore(fd, was))
	}
}

// dropBreak removes the last line break, which a pipe adds.
func dropBreak(b []byte) []byte {
	b, found := bytes.CutSuffix(b, []byte("\n"))
	if found {
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	return b
}

func (o *purgeOptions) confirm(secrets [][]byte, dir string, elsewhere int) error {
	what := fmt.Sprintf("these %d bytes", len(secrets[0]))
	if len(secrets) > 1 {
		what = fmt.Sprintf("these %d secrets", len(secrets))
	}
	where := dir
	if elsewhere > 0 {
		where += " and " + count(elsewhere, "other memory folder")
	}
	fmt.Fprintf(o.io.Err, "Remove every copy of %s from %s, and from all other folders that Dormouse has a journal of, with history and drafts? This cannot be undone. Type yes: ", what, where)
	line, err := bufio.NewReader(o.io.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("nothing is purged: the answer was not yes")
	}
	return nil
}
