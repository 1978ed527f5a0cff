package cli

import (
	"strconv"
	"strings"
	"time"

	"dormouse/frontmatter"
)

// dreamConfig is what the person has set for dream --auto.
type dreamConfig struct {
	every    time.Duration // dreams are at least so far apart
	sessions int           // and so many sessions are newer than the last
	apply    bool          // without anybody having looked
}

func dreamDefaults() dreamConfig { return dreamConfig{every: 24 * time.Hour, sessions: 5} }

// dreamField reads what stands below dream: in the configuration.
func (conf *config) dreamField(f frontmatter.Field) error {
	text := strings.TrimSpace(f.Value.Text)
	switch f.Key {
	case "every":
		every, ok := spanOf(text)
		if !ok {
			return conf.wrong(f, "is a span like 24h, 90m or 3d")
		}
		conf.dream.every = every
	case "sessions":
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || f.Value.Kind != frontmatter.Number {
			return conf.wrong(f, "is a number of sessions from 0 up")
		}
		conf.dream.sessions = n
	case "apply":
		if f.Value.Kind != frontmatter.Bool {
			return conf.wrong(f, "is true or false")
		}
		conf.dream.apply = strings.EqualFold(text, "true")
	default:
		return conf.wrong(f, "is not known; there are every, sessions and apply")
	}
	return nil
}

// maxSpan keeps a number of days from being more than a Duration holds.
const maxSpan = 36_500 * 24 * time.Hour

// spanOf reads a span of time, also in days.
func spanOf(text string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n >= 0 && n <= int(maxSpan/(24*time.Hour))
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= maxSpan
}
