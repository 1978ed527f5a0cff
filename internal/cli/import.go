package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/atomicfile"
	"dormouse/internal/safefile"
	"dormouse/internal/term"
	"dormouse/scan/secrets"
)

// importOptions bring session logs to a server, whose dreams read them there.
type importOptions struct {
	syncOptions
}

// maxLog is how large a log may be, in bytes: dormoused takes no more.
const maxLog = 256 << 20

func newImport(c *common) *cobra.Command {
	o := &importOptions{syncOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "import SESSION...",
		Short: "Bring session logs to a server, for dreams there",
		Long: `Brings logs of Claude Code, Codex or Gemini CLI (files, or ids of sessions of this project)
to a server that runs dormoused, as a session each, and prints the ids that a dream there
names. What a person typed becomes a user.message, and nothing else does. A log that is
brought again adds only what is new in it.

Secrets in a log are masked before it is sent.

Servers are asked by the program dormouse-sync, which lies beside dormouse or in PATH.`,
		Example: `  dormouse import session.jsonl --url http://127.0.0.1:8787 --key-file ~/.local/state/dormouse/server.key
  dormouse import 3f2a91c4 --json`,
		RunE: o.started,
	}
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", "the server's address; else $ANTHROPIC_BASE_URL")
	f.StringVar(&o.keyFile, "key-file", "", "a file that holds the key; else $ANTHROPIC_API_KEY or $ANTHROPIC_AUTH_TOKEN")
	return cmd
}

// logTaker is a server that takes session logs.
type logTaker interface {
	ImportLog(ctx context.Context, id, title string, log []byte) (session string, events int, err error)
}

func (o *importOptions) started(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{errors.New("import needs a session log: a file, or the id of a session of this project")}
	}
	if o.io.Remote == nil {
		program, err := findProgram(syncProgram)
		if err != nil {
			return err
		}
		return become(program, o.args, o.io)
	}
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return o.bring(ctx, args)
}

// imported is what became of a log.
type imported struct {
	File    string `json:"file"`
	Session string `json:"session_id,omitempty"`
	Events  int    `json:"events"`
	Masked  int    `json:"masked"` // secrets
	Problem string `json:"problem,omitempty"`
}

func (o *importOptions) bring(ctx context.Context, args []string) error {
	s, err := o.session()
	if err != nil {
		return err
	}
	at, err := o.server(nil)
	if err != nil {
		return err
	}
	if at.url == anthropicAddress {
		return usageError{errors.New("say which server with --url: Anthropic's own takes no session logs")}
	}
	client, err := o.io.Remote(at.url, at.key)
	if err != nil {
		return usageError{err}
	}
	taker, ok := client.(logTaker)
	if !ok {
		return errors.New("this program can't bring session logs")
	}
	known, err := openBrought(o.io.Env)
	if err != nil {
		return err
	}
	defer known.close()
	find := &extractOptions{common: o.common}
	out, failed := []imported{}, error(nil)
	for _, arg := range args {
		row := imported{File: arg}
		if err := o.one(ctx, taker, at.url, known, find, s, &row); err != nil {
			row.Problem = o.errorText(err)
			failed = errFound
		}
		out = append(out, row)
		if ctx.Err() != nil {
			break
		}
	}
	if o.json {
		return errors.Join(printJSON(o.out, map[string]any{"url": at.url, "sessions": out}), failed)
	}
	for _, r := range out {
		switch {
		case r.Problem != "":
			fmt.Fprintf(o.io.Err, "dormouse: %s: %s\n", term.Safe(r.File), term.Safe(r.Problem)) // nowhere left to say it
		case r.Masked > 0:
			o.people().Line("%s  %s of %s, %s masked", r.Session, count(r.Events, "event"), term.Safe(r.File), count(r.Masked, "secret"))
		default:
			o.people().Line("%s  %s of %s", r.Session, count(r.Events, "event"), term.Safe(r.File))
		}
	}
	return failed
}

func (o *importOptions) one(ctx context.Context, to logTaker, url string, known *brought, find *extractOptions, s host.Session, row *imported) error {
	file, err := find.logOf(s, row.File)
	if err != nil {
		return err
	}
	row.File = file
	log, _, err := safefile.Read(file, maxLog)
	if err != nil {
		return err
	}
	log, row.Masked = masked(log)
	had := known.Sessions[url][file]
	if row.Session, row.Events, err = to.ImportLog(ctx, had, filepath.Base(file), log); err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if row.Session == had {
		return nil
	}
	return known.add(url, file, row.Session)
}

// masked is a log without the secrets in its lines. Of one that would be no JSON any
// more nothing is sent.
func masked(log []byte) (out []byte, n int) {
	find := secrets.New()
	for line := range bytes.Lines(log) {
		text, hits := find.Redact(string(line))
		if len(hits) == 0 {
			out = append(out, line...)
			continue
		}
		n += len(hits)
		if json.Valid([]byte(strings.TrimSpace(text))) {
			out = append(out, text...)
		}
	}
	return out, n
}

// brought are the sessions on servers that logs went into.
type brought struct {
	Sessions map[string]map[string]string `json:"sessions"` // by address and file

	file   string
	before []byte
	lock   *flock.Flock
}

func openBrought(env host.Env) (*brought, error) {
	state, err := host.StateFolder(env)
	if err != nil {
		return nil, err
	}
	b := &brought{Sessions: map[string]map[string]string{}, file: filepath.Join(state, "sync", "sessions.json")}
	if err := os.MkdirAll(filepath.Dir(b.file), 0o700); err != nil {
		return nil, err
	}
	b.lock = flock.New(filepath.Join(state, "sync", "sessions.lock"), flock.SetPermissions(0o600))
	if err := b.lock.Lock(); err != nil {
		return nil, err
	}
	text, _, err := safefile.Read(b.file, maxPairs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err == nil && json.Unmarshal(text, b) != nil:
		err = fmt.Errorf("%s is damaged: remove it; logs that were brought before become sessions anew then", b.file)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	b.before = text
	return b, nil
}

func (b *brought) close() { _ = b.lock.Unlock() } // the system does it when the process ends

func (b *brought) add(url, file, session string) error {
	if b.Sessions[url] == nil {
		b.Sessions[url] = map[string]string{}
	}
	b.Sessions[url][file] = session
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(b.file, b.before, text); err != nil {
		return err
	}
	b.before = text
	return nil
}
