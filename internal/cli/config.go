package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"dormouse/frontmatter"
	"dormouse/host"
	"dormouse/internal/safefile"
	"dormouse/trust"
)

// config is what the person has set for Dormouse itself. Nothing of a repository
// takes part in it.
type config struct {
	path   string // whether it exists or not
	home   string // what ~/ stands for
	trust  trust.Policy
	ignore []ignoreRule // what doctor passes over
	dream  dreamConfig  // when dream --auto dreams
	recall recallConfig // what takes part in a search beside words
}

// maxConfig is the size in bytes of the largest configuration that is read.
const maxConfig = 64 << 10

// configFile is where the person's settings are: $DORMOUSE_HOME/config.yaml, else
// in the system's place for configuration.
func configFile(env host.Env) (string, error) {
	const name = "config.yaml"
	if dir := env.Getenv("DORMOUSE_HOME"); dir != "" {
		dir, err := host.AbsoluteVariable("DORMOUSE_HOME", dir)
		return filepath.Join(dir, name), err
	}
	variable, below := "XDG_CONFIG_HOME", ".config"
	if env.OS == "windows" {
		variable, below = "AppData", filepath.Join("AppData", "Roaming")
	}
	if dir := env.Getenv(variable); dir != "" {
		dir, err := host.AbsoluteVariable(variable, dir)
		return filepath.Join(dir, "dormouse", name), err
	}
	if env.Home == "" {
		return "", nil // no home, no settings
	}
	return filepath.Join(env.Home, below, "dormouse", name), nil
}

// config reads the settings; without a file all have their defaults. What can't
// be read is an error: a setting of trust that is passed over would be worse.
func (c *common) config() (*config, error) {
	path, err := configFile(c.io.Env)
	if err != nil {
		return nil, err
	}
	conf := &config{path: path, home: c.io.Env.Home, dream: dreamDefaults(), recall: recallDefaults()}
	if path == "" {
		return conf, nil
	}
	b, _, err := safefile.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return conf, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the configuration: %w", err)
	}
	return conf, conf.read(string(b))
}

func (conf *config) read(text string) error {
	fields, err := frontmatter.Parse(text)
	if err == nil && len(fields.Mended) > 0 {
		err = fields.Broken
	}
	if err != nil {
		return fmt.Errorf("the configuration %s can't be read: %w", conf.path, err)
	}
	for _, f := range fields.List {
		field := conf.trustField
		switch f.Key {
		case "trust":
		case "doctor":
			field = conf.doctorField
		case "dream":
			field = conf.dreamField
		case "recall":
			field = conf.recallField
		default:
			return conf.wrong(f, "is not known; there are trust, doctor, dream and recall")
		}
		for _, inner := range f.Value.Fields {
			if err := field(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

func (conf *config) trustField(f frontmatter.Field) error {
	choice := trust.Choice(f.Value.Text)
	switch {
	case f.Key == "outside" && (choice == trust.Load || choice == trust.Review):
		conf.trust.Outside = choice
	case f.Key == "held" && (choice == trust.TakeOut || choice == trust.Report):
		conf.trust.Held = choice
	case f.Key == "outside":
		return conf.wrong(f, "is load or review")
	case f.Key == "held":
		return conf.wrong(f, "is take-out or report")
	default:
		return conf.wrong(f, "is not known; there are outside and held")
	}
	return nil
}

func (conf *config) wrong(f frontmatter.Field, what string) error {
	return fmt.Errorf("the configuration %s, line %d: %q %s", conf.path, f.Line, f.Key, what)
}

// guard is what judges notes, by the person's settings.
func (c *common) guard() (*trust.Guard, error) {
	conf, err := c.config()
	if err != nil {
		return nil, err
	}
	if c.io.Trust != nil {
		c.io.Trust(&conf.trust)
	}
	return trust.NewGuard(conf.trust), nil
}
