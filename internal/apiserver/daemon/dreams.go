package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"dormouse/internal/apiserver/db"
	"dormouse/internal/apiserver/jobs"
	"dormouse/model"
	"dormouse/model/remote"
)

// dreaming are the flags of what carries dreams out.
type dreaming struct {
	specs           []string
	workers, tokens int
	timeout, most   time.Duration
	lease           time.Duration
}

func (s *dreaming) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.specs, "model", nil, "ID=SPEC: what a dream that asks for the model ID gets: rules, anthropic:NAME, openai:NAME, ollama:NAME (each also with @URL behind it), claude-cli or codex-cli; the ID * is for all others")
	f.IntVar(&s.workers, "workers", 2, "dreams that this server works on at once")
	f.IntVar(&s.tokens, "dream-tokens", 2_000_000, "tokens that one dream may use (0: any number)")
	f.DurationVar(&s.timeout, "model-timeout", 5*time.Minute, "how long one try to ask a model may take")
	f.DurationVar(&s.lease, "lease", db.Lease, "how long a server that says nothing keeps a dream; then another one takes it")
	f.DurationVar(&s.most, "dream-timeout", 4*time.Hour, "how long one dream may take")
}

// models are the specifications by id.
func (s *dreaming) models() (map[string]string, error) {
	switch {
	case s.workers < 1 || s.tokens < 0:
		return nil, usageError{errors.New("--workers is a number from 1 up, and --dream-tokens one from 0 up")}
	case s.timeout <= 0 || s.most <= 0 || s.lease < time.Second:
		return nil, usageError{errors.New("--model-timeout and --dream-timeout are spans such as 90s, and --lease one from 1s up")}
	}
	out := map[string]string{}
	for _, m := range s.specs {
		id, spec, ok := strings.Cut(m, "=")
		if !ok || id == "" || spec == "" {
			return nil, usageError{fmt.Errorf("--model %s: it is ID=SPEC, as in claude-opus-5=anthropic:claude-opus-5 or claude-opus-5=rules", m)}
		}
		if out[id] != "" {
			return nil, usageError{fmt.Errorf("--model %s: the id %s is there twice", m, id)}
		}
		if spec != jobs.Rules {
			if err := model.CheckSpec(spec); err != nil {
				return nil, usageError{fmt.Errorf("--model %s: %w", m, err)}
			}
		}
		out[id] = spec
	}
	return out, nil
}

func (s *dreaming) runner(outside IO, d *db.DB, models map[string]string, log *slog.Logger) (*jobs.Runner, error) {
	return jobs.New(jobs.Config{
		DB: d, Models: models, Workers: s.workers, Tokens: s.tokens, MaxTime: s.most, Log: log,
		Open: func(spec string) (model.Model, error) {
			return model.Open(model.Config{
				Spec: spec, Getenv: outside.Getenv, Timeout: s.timeout, Remote: remote.New,
				Log: func(line string) { log.Warn("a model was asked in vain", "what", line) },
			})
		},
	})
}
