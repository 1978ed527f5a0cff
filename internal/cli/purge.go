package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"dormouse/internal/term"
	"dormouse/note"
	"dormouse/store"
)

// minSecret is how short a secret may be, in bytes: a shorter one stands in
// everything.
const minSecret = 4

type purgeOptions struct {
	*common
	yes bool
}

func newPurge(c *common) *cobra.Command {
	o := &purgeOptions{common: c}
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Remove every copy of a secret from notes, index, journal and drafts",
		Long: `Reads a secret from standard input, or asks for it without showing it, and removes every
copy of those bytes: from the notes and the index, from what the journal keeps and from
drafts. A stub takes its place. This cannot be undone.

What it cannot reach: the agent's transcripts, backups, other machines. A secret that was
out must be replaced where it is valid.

Exit status: 0, also when nothing held it; 1 when something could not be purged; 2 for wrong use.`,
		Example: `  dormouse purge                  asks for the secret
  pass show old/token | dormouse purge`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("%s takes no argument: a secret there would stand in the shell's history and in the list of processes; pipe it in, or type it when asked", cmd.CommandPath())}
			}
			return runPurge(o)
		},
	}
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask before it is done")
	return cmd
}

func runPurge(o *purgeOptions) error {
	st, s, _, err := o.openStore()
	if err != nil {
		return err
	}
	defer release(st)
	secret, err := o.secret()
	if err != nil {
		return err
	}
	if isTerminal(o.io.In) && !o.yes {
		if err := o.confirm(len(secret), st.Dir()); err != nil {
			return err
		}
	}
	done, failed := st.Purge(o.by(s), secret)
	switch {
	case done == nil:
		return failed
	case o.json:
		rep := reportPurge(done)
		rep.Problems = problemsOf(failed)
		err = printJSON(o.out, rep)
	default:
		printPurge(o.people(), done)
	}
	if err != nil {
		return err
	}
	return o.said(failed) // what was purged before it failed is told
}

// secret reads what is to be removed. It never comes from the command line.
func (o *purgeOptions) secret() ([]byte, error) {
	b, err := o.readSecret()
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the secret: %w", err)
	case len(b) > note.MaxBytes:
		return nil, fmt.Errorf("the secret has more than %s: no note is as long", size(note.MaxBytes))
	case len(bytes.TrimSpace(b)) == 0:
		return nil, usageError{errors.New("no secret came in: pipe it in, or run dormouse purge on a terminal")}
	case len(bytes.TrimSpace(b)) < minSecret:
		return nil, usageError{fmt.Errorf("the secret has fewer than %d bytes: to remove something so short everywhere would tear up the notes", minSecret)}
	}
	return b, nil
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

func (o *purgeOptions) confirm(n int, dir string) error {
	fmt.Fprintf(o.io.Err, "Remove every copy of these %d bytes from %s, its history and drafts? This cannot be undone. Type yes: ", n, term.Safe(dir))
	line, err := bufio.NewReader(o.io.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("nothing is purged: the answer was not yes")
	}
	return nil
}

// notReached is what holds copies that Dormouse has no say over.
func notReached() []string {
	return []string{
		"the agent's transcripts (their folder: dormouse path transcripts)",
		"backups, and the history of a repository that holds the notes",
		"other machines that the notes were copied to",
	}
}

type purgeReport struct {
	doneReport
	Files      []string      `json:"files"`
	Copies     int           `json:"journal_copies"`
	Entries    int           `json:"journal_entries"`
	Drafts     int           `json:"drafts"`
	NotReached []string      `json:"not_reached"`
	Problems   []jsonProblem `json:"problems"`
}

func reportPurge(p *store.Purged) purgeReport {
	return purgeReport{
		doneReport: reportDone("purge", "", &p.Done),
		Files:      orEmpty(p.Files), Copies: p.Copies, Entries: p.Entries, Drafts: p.Drafts, NotReached: notReached(),
	}
}

func printPurge(out *term.Out, p *store.Purged) {
	if len(p.Files)+p.Copies+p.Entries+p.Drafts == 0 {
		out.Line("no note, journal entry or draft holds it")
	} else {
		out.Line("purged from %s, %s, %s, %s", count(len(p.Files), "file"), countCopies(p.Copies),
			countEntries(p.Entries), count(p.Drafts, "draft"))
	}
	for _, f := range p.Files {
		out.Line("  %s", term.Safe(f))
	}
	for _, s := range p.Said {
		out.Line("  %s", term.Safe(s))
	}
	out.Line("Dormouse cannot reach these; look there too, and replace the secret where it is valid:")
	for _, w := range notReached() {
		out.Line("  %s", w)
	}
}

func countCopies(n int) string {
	if n == 1 {
		return "1 copy in the journal"
	}
	return thousands(n) + " copies in the journal"
}

func countEntries(n int) string {
	if n == 1 {
		return "1 journal entry"
	}
	return thousands(n) + " journal entries"
}
