package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/frontmatter"
	"dormouse/model"
	"dormouse/recall/embed"
)

// recallConfig is what takes part in a search beside words. By default nothing does.
type recallConfig struct {
	embedder string // openai:NAME[@URL], or a path; "": none
	weight   float64
}

func recallDefaults() recallConfig { return recallConfig{weight: embed.Weight} }

// maxWeight is the most that meaning may count beside words: past it nothing
// changes.
const maxWeight = 10

func (conf *config) recallField(f frontmatter.Field) error {
	text := strings.TrimSpace(f.Value.Text)
	switch f.Key {
	case "embedder":
		if rest, ok := strings.CutPrefix(text, "~/"); ok && conf.home != "" {
			text = filepath.Join(conf.home, rest)
		}
		if text != "" && !filepath.IsAbs(text) {
			if err := model.CheckSpec(text); err != nil || !strings.HasPrefix(text, "openai:") {
				return conf.wrong(f, "is openai:NAME, openai:NAME@URL, or the absolute path of a file or folder")
			}
		}
		conf.recall.embedder = text
	case "weight":
		w, err := strconv.ParseFloat(text, 64)
		if err != nil || !(w >= 0 && w <= maxWeight) {
			return conf.wrong(f, fmt.Sprintf("is a number from 0 to %d", maxWeight))
		}
		conf.recall.weight = w
	default:
		return conf.wrong(f, "is not known; there are embedder and weight")
	}
	return nil
}

// ranker is the embedder that the person has named, nil for none. state is
// Dormouse's state folder.
func (c *common) ranker(state string) (*embed.Ranker, error) {
	conf, err := c.config()
	if err != nil || conf.recall.embedder == "" || conf.recall.weight == 0 {
		return nil, err
	}
	r := &embed.Ranker{Weight: conf.recall.weight}
	if state != "" {
		r.Dir = filepath.Join(state, "recall", "vectors")
	}
	if filepath.IsAbs(conf.recall.embedder) {
		r.Model, err = embed.Open(conf.recall.embedder)
		return r, err
	}
	e, err := model.OpenEmbedder(model.Config{Spec: conf.recall.embedder, Getenv: c.io.Env.Getenv})
	if err != nil {
		return nil, err
	}
	r.Model = embed.Server{Name: e.Name(), Ask: e.Embed}
	return r, nil
}
