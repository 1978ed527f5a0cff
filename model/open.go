package model

import (
	"fmt"
	"time"
)

// Patience is how long one try may take unless Config.Timeout says otherwise.
const Patience = time.Minute

const (
	defaultTries = 4
	triesInTotal = 2 // how many times a try's Timeout a whole answer may take
)

// Open makes a model of a specification. It asks no model; a missing key is told
// at once. Errors wrap ErrNoEngine or ErrKey. Open may run the system's keychain
// program when a key is not in the environment.
func Open(c Config) (Model, error) {
	if c.Getenv == nil {
		c.Getenv = func(string) string { return "" }
	}
	s, err := parseSpec(c.Spec)
	if err != nil {
		return nil, err
	}
	m := &caller{
		name: s.name(), timeout: c.Timeout, tries: c.Tries, log: c.Log, clock: c.Clock,
		price: priceList(s.provider, s.model), secrets: environmentSecrets(c.Getenv),
	}
	if c.Price != nil {
		m.price = always(*c.Price)
	}
	if m.timeout <= 0 {
		m.timeout = Patience
	}
	if m.total = c.Total; m.total <= 0 {
		m.total = triesInTotal * m.timeout
	}
	if m.tries <= 0 {
		m.tries = defaultTries
	}
	if m.clock == nil {
		m.clock = systemClock{}
	}
	switch s.provider {
	case claudeName:
		m.engine, err = newClaude(s, c.Getenv)
		m.overhead = claudeOverhead
	case codexName:
		m.engine, err = newCodex(s, c.Getenv)
		m.overhead = codexOverhead
	default:
		err = m.openRemote(s, c)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (c *caller) openRemote(s spec, conf Config) error {
	base, own, err := s.address(conf.Getenv)
	if err != nil {
		return err
	}
	e := Endpoint{Provider: s.provider, Model: s.model, Base: base, Stream: conf.Stream}
	e.Key, e.Bearer = findKey(s.provider, conf.Getenv)
	if e.Key.Empty() && own && s.provider != ollamaName {
		return fmt.Errorf("%w: set %s, or keep it in the system's keychain as %s", ErrKey, keyVariable(s.provider), keychainName(s.provider))
	}
	if !e.Key.Empty() {
		c.secrets = append(c.secrets, e.Key)
	}
	if conf.Remote != nil {
		c.engine, err = conf.Remote(e)
	} else {
		c.engine, err = newHelper(e, conf.Getenv)
	}
	return err
}
