package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/session"
	"dormouse/internal/apiserver/telemetry"
)

// serving are the flags of the server.
type serving struct {
	o             *options
	listen        string
	allowRemote   bool
	addrFile      string
	hosts         []string
	origins       []string
	cert, certKey string
	rate          float64
	burst         int
	set           []string
	dreams        dreaming
	mounts        mounting
	operating     operating
}

func (s *serving) flags(f *pflag.FlagSet) {
	f.StringVar(&s.listen, "listen", "127.0.0.1:8787", "address and port")
	f.BoolVar(&s.allowRemote, "allow-remote", false, "let --listen be an address that other machines reach")
	f.StringVar(&s.addrFile, "addr-file", "", "write the address here once requests are answered")
	f.StringArrayVar(&s.hosts, "host", nil, "a name by which the server is reached, besides its address")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "an origin whose pages may ask")
	f.StringVar(&s.cert, "tls-cert", "", "a certificate, with --tls-key")
	f.StringVar(&s.certKey, "tls-key", "", "the certificate's key")
	f.Float64Var(&s.rate, "rate", 0, "requests a second that a key may make (0: any number)")
	f.IntVar(&s.burst, "burst", 50, "requests that may come at once, with --rate")
	s.dreams.flags(f)
	s.mounts.flags(f)
	s.operating.flags(f)
	f.StringArrayVar(&s.set, "set", nil, "NAME=VALUE of a point that the API leaves open: see dormoused switches")
}

// aSwitch is a point that the specification leaves open.
type aSwitch struct {
	name, values, about string
	set                 func(*apiserver.Switches, string) bool
}

func toggle(off, on string, f func(*apiserver.Switches) *bool) func(*apiserver.Switches, string) bool {
	return func(s *apiserver.Switches, v string) bool {
		*f(s) = v == on
		return v == on || v == off
	}
}

func switches() []aSwitch {
	return []aSwitch{
		{"full-limit", "clamp|refuse", "a limit over 20 with view=full: 20, or 400", toggle("clamp", "refuse", func(s *apiserver.Switches) *bool { return &s.RefuseFullLimit })},
		{"redact-head", "400|409", "redacting the present version of a memory", toggle("400", "409", func(s *apiserver.Switches) *bool { return &s.ConflictOnHead })},
		{"missing-beta", "refuse|allow", "a request without its anthropic-beta header", toggle("refuse", "allow", func(s *apiserver.Switches) *bool { return &s.AllowMissingBeta })},
		{"same-create", "conflict|ok", "creating a memory that is there with just that content", toggle("conflict", "ok", func(s *apiserver.Switches) *bool { return &s.IdempotentCreate })},
		{"unknown-agent", "take|refuse", "a session of an agent or environment that was not made here", toggle("take", "refuse", func(s *apiserver.Switches) *bool { return &s.RequireAgents })},
		{"mount-root", "none|/PATH", "the folder of mount_path; none: null, and the client chooses", func(s *apiserver.Switches, v string) bool {
			if v == "none" {
				v = ""
			}
			s.MountRoot = v
			return v == "" || strings.HasPrefix(v, "/")
		}},
	}
}

func switchesCommand(out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "switches", Short: "List the points that the API leaves open, the default first", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, s := range switches() {
				if _, err := fmt.Fprintf(out, "%-14s %-14s %s\n", s.name, s.values, s.about); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (s *serving) switches() (apiserver.Switches, error) {
	var out apiserver.Switches
	for _, setting := range s.set {
		name, value, _ := strings.Cut(setting, "=")
		i := slices.IndexFunc(switches(), func(w aSwitch) bool { return w.name == name })
		if i < 0 || !switches()[i].set(&out, value) {
			return out, usageError{fmt.Errorf("--set %s: there is no such setting, see dormoused switches", setting)}
		}
	}
	return out, nil
}

// run serves until ctx ends.
func (s *serving) run(ctx context.Context) error {
	open, err := s.switches()
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return usageError{fmt.Errorf("--listen %s: it is an address and a port, as in 127.0.0.1:8787", s.listen)}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !s.allowRemote {
		return usageError{fmt.Errorf("--listen %s: other machines may reach that: say --allow-remote if they shall, and use TLS", s.listen)}
	}
	if (s.cert == "") != (s.certKey == "") {
		return usageError{errors.New("--tls-cert and --tls-key go together")}
	}
	if err := s.operating.check(); err != nil {
		return err
	}
	models, err := s.dreams.models()
	if err != nil {
		return err
	}
	traces, err := s.operating.traces(ctx, s.o.io.Getenv)
	if err != nil {
		return err
	}
	err = s.o.with(ctx, db.Options{Lease: s.dreams.lease, Trace: traceDB(traces)}, func(d *db.DB) error {
		if err := s.firstKey(ctx, d); err != nil {
			return err
		}
		return s.serve(ctx, d, host, open, models, traces)
	})
	if traces != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = errors.Join(err, traces.Stop(last))
	}
	return err
}

// firstKey makes a key where there is none, so that the first start needs no set-up.
func (s *serving) firstKey(ctx context.Context, d *db.DB) error {
	if d.Postgres() {
		return nil
	}
	keys, err := d.Keys(ctx)
	if err != nil || len(keys) > 0 {
		return err
	}
	place, err := s.o.place()
	if err != nil {
		return err
	}
	_, secret, err := d.CreateKey(ctx, "default", "first")
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(place), "server.key")
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return fmt.Errorf("keeping the first key: %w", err)
	}
	fmt.Fprintln(s.o.io.Err, "dormoused: a first key is in", path) // nowhere left to say it
	return nil
}

func (s *serving) serve(ctx context.Context, d *db.DB, host string, open apiserver.Switches, models map[string]string, traces *telemetry.Traces) (err error) {
	backend, mounted, err := s.mounts.over(ctx, s.o.io, d)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	log := slog.New(slog.NewJSONHandler(s.o.io.Err, nil))
	runner, err := s.dreams.runner(s.o.io, d, models, log)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	if err := runner.Start(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, runner.Stop(last))
	}()
	used := &lastUse{enter: d.Enter}
	watch, endBeside, err := s.operating.beside(context.WithoutCancel(ctx), d, traces, used, log)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer func() { err = errors.Join(err, endBeside()) }()
	// Streams end when the server no longer waits for others to take over from it.
	drained := make(chan struct{})
	end := sync.OnceFunc(func() { close(drained) })
	defer end()
	api := apiserver.New(apiserver.Config{
		Import: session.Import, Models: runner.Check,
		Backend: backend, Enter: used.Enter, Ready: readyUntil(ctx, d.Ping), Hosts: append([]string{"localhost", host, l.Addr().String()}, lower(s.hosts)...), Origins: s.origins,
		Rate: s.rate, Burst: s.burst, Switches: open, Log: log, Stop: drained, Watch: watch, Version: version(),
	})
	server := &http.Server{
		Handler: api, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	scheme, ended := "http", make(chan error, 1)
	if s.cert != "" {
		scheme = "https"
		c, err := newCertificate(s.cert, s.certKey, log)
		if err != nil {
			return errors.Join(err, l.Close())
		}
		server.TLSConfig = c.config()
		go func() { ended <- server.ServeTLS(l, "", "") }()
	} else {
		go func() { ended <- server.Serve(l) }()
	}
	address := scheme + "://" + l.Addr().String()
	fmt.Fprintln(s.o.io.Err, "dormoused: serving on", address) // nowhere left to say it
	for _, line := range mounted {
		fmt.Fprintln(s.o.io.Err, "dormoused:", line) // nowhere left to say it
	}
	if s.addrFile != "" {
		if err := os.WriteFile(s.addrFile, []byte(address+"\n"), 0o600); err != nil {
			return errors.Join(fmt.Errorf("writing the address: %w", err), server.Close())
		}
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select { // whoever sends requests here sees at /readyz that it shall not
	case err := <-ended:
		return err
	case <-time.After(s.operating.drain):
	}
	end()
	// What was asked is answered; what takes longer is cut off.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// readyUntil is not ready once ctx has ended.
func readyUntil(ctx context.Context, ready func(context.Context) error) func(context.Context) error {
	return func(asked context.Context) error {
		if ctx.Err() != nil {
			return errors.New("the server is about to stop")
		}
		return ready(asked)
	}
}

func lower(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(n)
	}
	return out
}
