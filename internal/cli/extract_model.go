package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"dormouse/extract/bymodel"
	"dormouse/extract/keep"
	"dormouse/host"
	"dormouse/internal/term"
	"dormouse/model"
	"dormouse/store"
)

// engineOptions choose a model and what it may cost.
type engineOptions struct {
	spec, price            string
	tokens, tokensPerDay   int
	dollars, dollarsPerDay float64
	timeout                time.Duration // of one try
}

// What a run and a day may cost unless somebody says otherwise.
const (
	runTokens  = 500_000
	dayTokens  = 2_000_000
	runDollars = 1.0
	dayDollars = 5.0
)

func (e *engineOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.spec, "model", "", "also let this model look: anthropic:NAME, openai:NAME, ollama:NAME (each also with @URL behind it), claude-cli, codex-cli")
	f.IntVar(&e.tokens, "max-tokens", runTokens, "tokens that this run may use")
	f.IntVar(&e.tokensPerDay, "max-tokens-day", dayTokens, "tokens that all runs of a day may use")
	f.Float64Var(&e.dollars, "max-dollars", runDollars, "money that this run may cost; 0: no limit, for models without a price")
	f.Float64Var(&e.dollarsPerDay, "max-dollars-day", dayDollars, "money that all runs of a day may cost; 0: no limit")
	f.DurationVar(&e.timeout, "model-timeout", model.Patience, "how long one try may take; after twice that the model is given up")
	f.StringVar(&e.price, "price", "", "dollars for a million tokens, IN/OUT, of a model that is not in the price list")
}

func (e *engineOptions) check(cmd *cobra.Command) error {
	if e.spec == "" {
		for _, name := range []string{"max-tokens", "max-tokens-day", "max-dollars", "max-dollars-day", "model-timeout", "price"} {
			if cmd.Flags().Changed(name) {
				return usageError{fmt.Errorf("--%s goes with --model", name)}
			}
		}
	}
	if e.tokens < 0 || e.tokensPerDay < 0 || !(e.dollars >= 0) || !(e.dollarsPerDay >= 0) || math.IsInf(e.dollars, 1) {
		return usageError{errors.New("a limit is a number from 0 up")}
	}
	if e.timeout <= 0 {
		return usageError{errors.New("--model-timeout is a span such as 90s")}
	}
	if e.spec == "" {
		return nil
	}
	if err := model.CheckSpec(e.spec); err != nil {
		return usageError{fmt.Errorf("--model %s: %w", e.spec, err)}
	}
	if e.price != "" {
		if _, err := model.ParsePrice(e.price); err != nil {
			return usageError{fmt.Errorf("--price: %w", err)}
		}
	}
	return nil
}

// open makes the model, behind the budget.
func (e *engineOptions) open(c *common) (model.Model, error) {
	if c.io.Env.Getenv(insideEngine) != "" {
		return nil, errors.New("this runs inside a model that Dormouse itself started, and asks no further one")
	}
	conf := model.Config{Spec: e.spec, Timeout: e.timeout, Getenv: c.io.Env.Getenv, Log: func(line string) {
		fmt.Fprintln(c.io.Err, "dormouse:", term.Safe(line)) // nowhere left to say it
	}}
	if e.price != "" {
		price, err := model.ParsePrice(e.price)
		if err != nil {
			return nil, usageError{fmt.Errorf("--price: %w", err)}
		}
		conf.Price = &price
	}
	if c.io.Model != nil {
		c.io.Model(&conf)
	}
	m, err := model.Open(conf)
	if err != nil {
		return nil, fmt.Errorf("--model %s: %w", e.spec, err)
	}
	if !model.Priced(m) && (e.dollars > 0 || e.dollarsPerDay > 0) {
		return nil, usageError{fmt.Errorf("--model %s: its price is not known: give one with --price IN/OUT (dollars for a million tokens), or limit tokens alone with --max-dollars 0 --max-dollars-day 0", e.spec)}
	}
	state, err := host.StateFolder(c.io.Env)
	if err != nil {
		return nil, err
	}
	b := model.Budget{Tokens: e.tokens, TokensPerDay: e.tokensPerDay, Dollars: e.dollars, DollarsPerDay: e.dollarsPerDay, Now: c.io.Now}
	return model.Limit(m, b, model.OpenLedger(filepath.Join(state, "model"))), nil
}

// insideEngine is set for every program that package model starts.
const insideEngine = "DORMOUSE_ENGINE"

// modelReport is what a model did, or why it did nothing.
type modelReport struct {
	Name     string  `json:"name"`
	Sessions int     `json:"sessions"` // that it was asked about
	Estimate int     `json:"estimate"` // tokens at most, said before the first call
	Dollars  float64 `json:"estimate_dollars"`
	Tokens   int     `json:"tokens"`
	Cost     float64 `json:"dollars"`
	Problem  string  `json:"problem,omitempty"` // why it stopped; what the rules found stands
}

// askModel lets the model look at the sessions that were read, and tells about how
// many it was asked to the end. What fails ends its part and nothing else.
func (x *extraction) askModel(ctx context.Context, k *keep.Keeper) (asked int, err error) {
	sessions, m := x.forBot, x.model
	rep := &modelReport{Name: m.Name()}
	x.report.Model = rep
	var usage model.Usage
	for _, s := range sessions {
		u := m.Estimate(s.Request())
		usage.Input, usage.Output, usage.Dollars = usage.Input+u.Input, usage.Output+u.Output, usage.Dollars+u.Dollars
	}
	// A conversation is up to five answers, each with all before it.
	rep.Estimate, rep.Dollars = 5*(usage.Input+usage.Output), 5*usage.Dollars
	if !x.o.json {
		fmt.Fprintf(x.o.io.Err, "dormouse: %s is asked about %s: at most %s tokens%s\n", term.Safe(m.Name()), count(len(sessions), "session"), thousands(rep.Estimate), dollars(rep.Dollars)) // nowhere left to say it
	}
	if x.o.dry {
		return 0, nil
	}
	for i, s := range sessions {
		rep.Sessions++
		res, err := s.Ask(ctx, m, storeNotes{x.st})
		rep.Tokens += res.Usage.Input + res.Usage.Output + res.Usage.CacheRead + res.Usage.CacheWrite
		rep.Cost += res.Usage.Dollars
		outcomes, kerr := k.Keep(res.Candidates)
		x.take(outcomes, k.CleanDropped(res.Dropped))
		if kerr != nil {
			return i, x.o.withRoom(kerr, "extract")
		}
		if err != nil {
			rep.Problem = x.o.errorText(err)
			fmt.Fprintf(x.o.io.Err, "dormouse: warning: the model was given up (%s); what the rules found stands\n", term.Safe(rep.Problem)) // nowhere left to say it
			return i, ctx.Err()
		}
	}
	return len(sessions), nil
}

func dollars(d float64) string {
	if d == 0 {
		return ""
	}
	return ", $" + strconv.FormatFloat(d, 'f', 2, 64)
}

// storeNotes is what a model may see of a store.
type storeNotes struct{ st *store.Store }

func (s storeNotes) List() ([]bymodel.Note, error) {
	items, err := s.st.List()
	var out []bymodel.Note
	for _, it := range items {
		if it.Note != nil && !store.IsPage(it.Rel, it.Note.Bytes()) {
			out = append(out, bymodel.Note{File: it.Rel, Description: it.Note.Description()})
		}
	}
	return out, err
}

func (s storeNotes) Read(file string) (string, error) {
	rel, err := resolve(s.st, file)
	if err != nil {
		return "", err
	}
	b, err := s.st.Read(rel)
	return string(b), err
}
