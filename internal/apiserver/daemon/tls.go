package daemon

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookEvery is how long a certificate is used without a look at its files.
const lookEvery = time.Second

// certificate is what two files hold, read again when they change: whoever renews it
// need not stop the server.
type certificate struct {
	cert, key string
	log       *slog.Logger
	now       func() time.Time

	mu     sync.Mutex
	held   *tls.Certificate
	stamp  string // of the files that were read last, also where they were no use
	looked time.Time
}

func newCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log, now: time.Now}
	stamp, err := c.stamped()
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	held, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	c.held, c.stamp, c.looked = &held, stamp, c.now()
	return c, nil
}

// stamped tells apart one state of the files from another.
func (c *certificate) stamped() (string, error) {
	a, err1 := os.Stat(c.cert)
	b, err2 := os.Stat(c.key)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	return fmt.Sprint(a.ModTime().UnixNano(), a.Size(), b.ModTime().UnixNano(), b.Size()), nil
}

// get is asked at each handshake. Files that can't be used leave the certificate that
// was, and are told of once.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if now.Sub(c.looked) < lookEvery {
		return c.held, nil
	}
	c.looked = now
	stamp, err := c.stamped()
	if err != nil {
		stamp = err.Error()
	}
	if stamp == c.stamp {
		return c.held, nil
	}
	c.stamp = stamp
	var held tls.Certificate
	if err == nil {
		held, err = tls.LoadX509KeyPair(c.cert, c.key)
	}
	if err != nil {
		c.log.Error("the new certificate is no use, the old one stays", "error", err)
		return c.held, nil
	}
	c.log.Info("the certificate was read again")
	c.held = &held
	return c.held, nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
}
