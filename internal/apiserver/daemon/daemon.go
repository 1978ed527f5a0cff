// Package daemon is the command line of dormoused: flags in, a server that runs until
// it is told to stop, and the commands for its keys and its schema.
package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dormouse/host"
	"dormouse/internal/apiserver/db"
	"dormouse/trust"
)

// IO is what a command touches of the outside.
type IO struct {
	Out, Err io.Writer
	Getenv   func(string) string
	Home     string
	// Guard judges what is written into folders, as the person has set it; nil: as it is
	// by default.
	Guard func() (*trust.Guard, error)
}

// System is the real outside.
func System() IO {
	home, _ := os.UserHomeDir() // without one a database has to be named
	return IO{Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Home: home}
}

// Exit codes.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2
)

// options are the flags that several commands have.
type options struct {
	io             IO
	database       string
	allowSuperuser bool
	json           bool
}

// usageError is a wrong use: exit code 2.
type usageError struct{ error }

// Main runs a command until it ends, or ctx does.
func Main(ctx context.Context, args []string, outside IO) int {
	o := &options{io: outside}
	root := o.root()
	root.SetArgs(args)
	root.SetOut(outside.Out)
	root.SetErr(outside.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	fmt.Fprintln(outside.Err, "dormoused:", err) // nowhere left to say it
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

func (o *options) root() *cobra.Command {
	s := &serving{o: o}
	c := &cobra.Command{
		Use:   "dormoused",
		Short: "Serve memory stores over the API that the official SDKs speak",
		Example: `  dormoused                                     # on 127.0.0.1:8787, in a SQLite file
  dormoused --database postgres://dormouse@db/dormouse
  dormoused --mount ~/src/shop                  # its memory folder is a memory store
  dormoused --model claude-opus-5=ollama:qwen3  # dreams that ask for the one get the other
  dormoused --retention 90d --metrics 127.0.0.1:9187
  dormoused keys create --workspace team        # prints a key, once
  dormoused quota team --memories 100000        # what a workspace may have`,
		Args:          func(_ *cobra.Command, args []string) error { return noArguments(args) },
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return s.run(c.Context()) },
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	f := c.PersistentFlags()
	f.StringVar(&o.database, "database", "", "a SQLite file, or postgres://user:password@host/name (default: server.db in Dormouse's state folder)")
	f.BoolVar(&o.allowSuperuser, "allow-superuser", false, "take a PostgreSQL role that row security does not hold")
	s.flags(c.Flags())
	c.AddCommand(o.keys(), o.migrate(), o.quota(), o.sweep(), switchesCommand(outsideOf(o)))
	return c
}

func outsideOf(o *options) io.Writer { return o.io.Out }

func noArguments(args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%q is no command of dormoused: see dormoused --help", args[0])}
	}
	return nil
}

// place is the database that is meant.
func (o *options) place() (string, error) {
	if o.database != "" {
		return o.database, nil
	}
	state, err := host.StateFolder(hostEnv(o.io))
	if err != nil {
		return "", usageError{fmt.Errorf("there is no place for the database, name one with --database: %w", err)}
	}
	return filepath.Join(state, "server.db"), nil
}

func (o *options) open(ctx context.Context, more db.Options) (*db.DB, error) {
	place, err := o.place()
	if err != nil {
		return nil, err
	}
	more.AllowSuperuser = o.allowSuperuser
	return db.Open(ctx, place, more)
}

// with opens the database for a command.
func (o *options) with(ctx context.Context, more db.Options, f func(*db.DB) error) error {
	d, err := o.open(ctx, more)
	if err != nil {
		return err
	}
	return errors.Join(f(d), d.Close())
}

func (o *options) keys() *cobra.Command {
	c := &cobra.Command{
		Use: "keys", Short: "Make, list and revoke keys",
		Args: func(_ *cobra.Command, args []string) error { return noArguments(args) },
		RunE: func(*cobra.Command, []string) error {
			return usageError{errors.New("say what to do with keys: create, list or revoke")}
		},
	}
	var workspace, name string
	create := &cobra.Command{
		Use: "create", Short: "Make a key for a workspace; the key is printed this once", Args: cobra.NoArgs,
		Example: "  dormoused keys create --workspace team --name laptop",
		RunE: func(c *cobra.Command, _ []string) error {
			return o.with(c.Context(), db.Options{}, func(d *db.DB) error {
				k, secret, err := d.CreateKey(c.Context(), workspace, name)
				if err != nil {
					return err
				}
				if o.json {
					return json.NewEncoder(o.io.Out).Encode(map[string]any{"id": k.ID, "workspace_id": k.Workspace, "workspace": k.Of, "name": k.Name, "key": secret})
				}
				fmt.Fprintf(o.io.Err, "%s of the workspace %s (%s); it is not shown again:\n", k.ID, k.Of, k.Workspace) // nowhere left to say it
				_, err = fmt.Fprintln(o.io.Out, secret)
				return err
			})
		},
	}
	create.Flags().StringVar(&workspace, "workspace", "default", "its name; it is made if there is none")
	create.Flags().StringVar(&name, "name", "", "what the key is for")
	list := &cobra.Command{
		Use: "list", Short: "List keys", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return o.with(c.Context(), db.Options{}, func(d *db.DB) error { return o.listKeys(c.Context(), d) })
		},
	}
	revoke := &cobra.Command{
		Use: "revoke ID", Short: "End a key; within five seconds it lets nobody in", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.with(c.Context(), db.Options{}, func(d *db.DB) error { return d.RevokeKey(c.Context(), args[0]) })
		},
	}
	c.PersistentFlags().BoolVar(&o.json, "json", false, "as JSON")
	c.AddCommand(create, list, revoke)
	return c
}

func (o *options) listKeys(ctx context.Context, d *db.DB) error {
	keys, err := d.Keys(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(o.io.Out).Encode(keys)
	}
	t := tabwriter.NewWriter(o.io.Out, 0, 0, 2, ' ', 0)
	for _, k := range keys {
		state := "valid"
		if k.RevokedAt != nil {
			state = "revoked"
		}
		used := "never used"
		if k.UsedAt != nil {
			used = "used " + k.UsedAt.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Of, k.Name, k.CreatedAt.Format("2006-01-02"), state, used) // Flush tells
	}
	return t.Flush()
}

func (o *options) migrate() *cobra.Command {
	to := int64(-1)
	var status bool
	c := &cobra.Command{
		Use: "migrate", Short: "Bring the schema up to date, or to a version", Args: cobra.NoArgs,
		Long: "A server migrates by itself when it starts. Going back drops the tables of later versions with what they hold.",
		RunE: func(c *cobra.Command, _ []string) error {
			return o.with(c.Context(), db.Options{NoMigrate: true}, func(d *db.DB) error {
				ctx := c.Context()
				switch {
				case status:
				case to >= 0:
					if err := d.MigrateTo(ctx, to); err != nil {
						return err
					}
				default:
					if err := d.Migrate(ctx); err != nil {
						return err
					}
				}
				at, newest, err := d.SchemaVersion(ctx)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(o.io.Out, "version %d, newest %d\n", at, newest)
				return err
			})
		},
	}
	c.Flags().Int64Var(&to, "to", -1, "the version")
	c.Flags().BoolVar(&status, "status", false, "only say which version it is")
	return c
}
