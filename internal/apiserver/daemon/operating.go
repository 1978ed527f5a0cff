package daemon

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/telemetry"
)

// operating are the flags for whoever looks after a server.
type operating struct {
	metrics, otlp string
	retention     string
	drain         time.Duration
}

func (p *operating) flags(f *pflag.FlagSet) {
	f.StringVar(&p.metrics, "metrics", "", "address and port of figures for Prometheus, on this machine alone, as in 127.0.0.1:9187")
	f.StringVar(&p.otlp, "otlp", "", "send traces to this collector, as in http://127.0.0.1:4318 (also by OTEL_EXPORTER_OTLP_ENDPOINT)")
	f.StringVar(&p.retention, "retention", "", "remove versions that nobody needs when they are older, as in 30d (default: keep all)")
	f.DurationVar(&p.drain, "drain", 0, "when told to stop, say so at /readyz and answer on for this long")
}

// age reads a duration that may be in days.
func age(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err == nil && n > 0 && n <= 36500 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d >= time.Hour {
		return d, nil
	}
	return 0, usageError{fmt.Errorf("%q is no age: it is a number of days or hours, as in 30d or 12h, and an hour at least", text)}
}

// check refuses flags before anything is opened.
func (p *operating) check() error {
	if p.retention != "" {
		if _, err := age(p.retention); err != nil {
			return err
		}
	}
	if p.metrics == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(p.metrics)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError{fmt.Errorf("--metrics %s: it is an address of this machine and a port, as in 127.0.0.1:9187: figures ask for no key", p.metrics)}
	}
	return nil
}

func version() string {
	if b, ok := debug.ReadBuildInfo(); ok {
		return b.Main.Version
	}
	return ""
}

// traces are those that are asked for, or nil.
func (p *operating) traces(ctx context.Context, getenv func(string) string) (*telemetry.Traces, error) {
	if p.otlp == "" && getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return nil, nil //nolint:nilnil // nobody asked
	}
	return telemetry.NewTraces(ctx, p.otlp, version())
}

// traceDB makes a span of each transaction.
func traceDB(t *telemetry.Traces) func(context.Context, bool) (context.Context, func(error)) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, reads bool) (context.Context, func(error)) {
		if reads {
			return t.Span(ctx, "read transaction")
		}
		return t.Span(ctx, "write transaction")
	}
}

// beside runs what a server does besides answering, until stop is called: figures,
// sweeps, and the times of keys. watch is what requests are told to.
func (p *operating) beside(ctx context.Context, d *db.DB, t *telemetry.Traces, used *lastUse, log *slog.Logger) (watch telemetry.Watch, stop func() error, err error) {
	var watches []telemetry.Watch
	figures := &http.Server{ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	if p.metrics != "" {
		m := telemetry.NewMetrics(version(), d.DreamStates, map[string]*sql.DB{"write": d.SQL()})
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.metrics)
		if err != nil {
			cancel()
			return nil, nil, fmt.Errorf("listening for those who ask for figures: %w", err)
		}
		log.Info("figures", "address", "http://"+l.Addr().String()+"/metrics")
		figures.Handler = m.Handler()
		wg.Go(func() { _ = figures.Serve(l) }) // it ends with Close
		watches = append(watches, m.Watch)
	}
	if t != nil {
		watches = append(watches, t.Watch)
	}
	if p.retention != "" {
		older, err := age(p.retention)
		if err != nil {
			cancel()
			return nil, nil, errors.Join(err, figures.Close())
		}
		wg.Go(func() { sweeping(ctx, d, older, log) })
	}
	wg.Go(func() { used.keeping(ctx, d, log) })
	return telemetry.All(watches...), func() error {
		cancel()
		err := figures.Close()
		wg.Wait()
		return err
	}, nil
}

// sweeping sweeps about every hour; servers on one database do so at different times.
func sweeping(ctx context.Context, d *db.DB, older time.Duration, log *slog.Logger) {
	for wait := rand.N(time.Minute); ; wait = 50*time.Minute + rand.N(20*time.Minute) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		n, err := d.Sweep(ctx, older)
		if err != nil && ctx.Err() == nil {
			log.Error("a sweep failed", "error", err)
		}
		log.Info("swept", "versions", n.Versions, "contents", n.Contents, "model_answers", n.Answers, "dream_steps", n.Steps)
	}
}

// lastUse collects when keys were used, for the database to be told once a minute.
type lastUse struct {
	enter func(context.Context, string) (apiserver.Who, error)
	mu    sync.Mutex
	at    map[string]time.Time
}

// Enter is asked every few seconds of each key that is used, not at each request.
func (u *lastUse) Enter(ctx context.Context, key string) (apiserver.Who, error) {
	who, err := u.enter(ctx, key)
	if err == nil {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.at == nil {
			u.at = map[string]time.Time{}
		}
		u.at[who.Actor.APIKey] = time.Now()
	}
	return who, err
}

func (u *lastUse) keeping(ctx context.Context, d *db.DB, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
		}
		u.mu.Lock()
		at := u.at
		u.at = nil
		u.mu.Unlock()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		if err := d.MarkUsed(last, at); err != nil {
			log.Warn("the times of keys were not kept", "error", err)
		}
		cancel()
		if ctx.Err() != nil {
			return
		}
	}
}

func (o *options) sweep() *cobra.Command {
	var older string
	c := &cobra.Command{
		Use: "sweep", Short: "Remove old versions that nobody needs, once", Args: cobra.NoArgs,
		Long: fmt.Sprintf("What stays: the present version of each memory and its %d newest, and all of a memory that was deleted less long ago. A server does the same every hour with --retention.", db.KeptVersions),
		Example: `  dormoused sweep --older 30d
  dormoused sweep --older 12h --database postgres://dormouse@db/dormouse`,
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := age(older)
			if err != nil {
				return err
			}
			return o.with(c.Context(), db.Options{}, func(b *db.DB) error {
				n, err := b.Sweep(c.Context(), d)
				if err != nil {
					return err
				}
				if o.json {
					return json.NewEncoder(o.io.Out).Encode(n)
				}
				_, err = fmt.Fprintf(o.io.Out, "removed %d versions, %d contents, %d answers of models, %d steps of dreams\n", n.Versions, n.Contents, n.Answers, n.Steps)
				return err
			})
		},
	}
	c.Flags().StringVar(&older, "older", "", "the age, as in 30d or 12h")
	c.Flags().BoolVar(&o.json, "json", false, "as JSON")
	return c
}

func (o *options) quota() *cobra.Command {
	set := db.Quota{Stores: -1, Memories: -1, Sessions: -1, Events: -1, Dreams: -1}
	c := &cobra.Command{
		Use: "quota WORKSPACE", Short: "Show or set what a workspace may have", Args: cobra.ExactArgs(1),
		Example: `  dormoused quota team
  dormoused quota team --stores 50 --memories 100000`,
		RunE: func(c *cobra.Command, args []string) error {
			return o.with(c.Context(), db.Options{}, func(d *db.DB) error {
				may, has, err := d.Quota(c.Context(), args[0])
				if err != nil {
					return err
				}
				changed := false
				for _, q := range []struct {
					name     string
					to, from *int64
				}{{"stores", &may.Stores, &set.Stores}, {"memories", &may.Memories, &set.Memories}, {"sessions", &may.Sessions, &set.Sessions}, {"events", &may.Events, &set.Events}, {"dreams", &may.Dreams, &set.Dreams}} {
					if !c.Flags().Changed(q.name) {
						continue
					}
					if *q.from < 0 {
						return usageError{fmt.Errorf("--%s %d: it can't be less than none", q.name, *q.from)}
					}
					*q.to, changed = *q.from, true
				}
				if changed {
					if err := d.SetQuota(c.Context(), args[0], may); err != nil {
						return err
					}
				}
				if o.json {
					return json.NewEncoder(o.io.Out).Encode(map[string]db.Quota{"quota": may, "used": has})
				}
				_, err = fmt.Fprintf(o.io.Out, "stores    %d of %d\nmemories  %d of %d\nsessions  %d of %d\nevents    %d of %d\ndreams    %d of %d\n",
					has.Stores, may.Stores, has.Memories, may.Memories, has.Sessions, may.Sessions, has.Events, may.Events, has.Dreams, may.Dreams)
				return err
			})
		},
	}
	f := c.Flags()
	f.Int64Var(&set.Stores, "stores", -1, "memory stores")
	f.Int64Var(&set.Memories, "memories", -1, "memories in all stores")
	f.Int64Var(&set.Sessions, "sessions", -1, "sessions")
	f.Int64Var(&set.Events, "events", -1, "events in all sessions")
	f.Int64Var(&set.Dreams, "dreams", -1, "dreams that wait or run")
	f.BoolVar(&o.json, "json", false, "as JSON")
	return c
}
