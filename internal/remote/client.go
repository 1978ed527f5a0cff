// Package remote is a client of memory stores that are served over HTTP: Anthropic's
// own, dormoused, and whatever else speaks that API. It asks as the Go SDK v2.15.0
// does (seen on the wire), with the few calls that a sync needs; the SDK itself would
// make the program twice as large.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dormouse/syncer"
)

// What the SDK sends.
const (
	apiVersion = "2026-10-21"
	apiBeta    = "agent-memory-2026-07-22"

	sessionsBeta = "managed-agents-2026-04-01"
)

const (
	tries       = 4                // of one request
	oneTry      = 60 * time.Second // for one of them
	firstPause  = 500 * time.Millisecond
	longestWait = 30 * time.Second // that a server may ask for
	maxBody     = 16 << 20         // bytes of an answer: 20 memories of full size take 4 MB as JSON
	maxMessage  = 300              // bytes of a server's own words in an error
)

// Config says which server, and with which key.
type Config struct {
	Base string // https://host[/path]; http:// only on this machine
	Key  string
	// Client and Sleep are for tests; nil: a client of its own, and real pauses.
	Client *http.Client
	Sleep  func(ctx context.Context, d time.Duration) error
}

// Client asks one server.
type Client struct {
	base  *url.URL
	key   string
	http  *http.Client
	sleep func(ctx context.Context, d time.Duration) error
}

// New checks an address and makes a client. It asks nothing yet.
func New(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(c.Base, "/"))
	if err != nil || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a server: give https://HOST", c.Base)
	}
	if base.Scheme != "https" && (base.Scheme != "http" || !loopback(base.Hostname())) {
		return nil, fmt.Errorf("%q would send the key in the clear: give https://%s", c.Base, base.Host)
	}
	if c.Key == "" || strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key is empty, or holds characters that no key has")
	}
	out := &Client{base: base, key: c.Key, http: c.Client, sleep: c.Sleep}
	if out.http == nil {
		out.http = &http.Client{}
	} else {
		own := *out.http
		out.http = &own
	}
	// The API redirects nobody, and a key must not follow an answer elsewhere.
	out.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if out.sleep == nil {
		out.sleep = pause
	}
	return out, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Error is what a server refused a request with.
type Error struct {
	Status  int // of HTTP
	Type    string
	Message string // the server's words
	Request string // its id there
	again   bool
	wait    time.Duration
}

// Error says what the server said.
func (e *Error) Error() string {
	words := fmt.Sprintf("the server says %d", e.Status)
	if e.Message != "" {
		words += ": " + e.Message
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		words += " (is it the right key for this server?)"
	case http.StatusPermanentRedirect, http.StatusTemporaryRedirect, http.StatusMovedPermanently, http.StatusFound:
		words += " (it leads elsewhere, where the key is not sent: give the address that it leads to)"
	}
	return words
}

// Unwrap names what a sync has to know of.
func (e *Error) Unwrap() error {
	switch e.Status {
	case http.StatusNotFound:
		return syncer.ErrGone
	case http.StatusConflict:
		return syncer.ErrChanged
	}
	return nil
}

// ask makes one request, and again where that can help. retried tells that an earlier
// try may have done what was asked although its answer was lost.
func (c *Client) ask(ctx context.Context, method, path string, query url.Values, body, answer any) (retried bool, err error) {
	var text []byte
	if log, ok := body.(raw); ok {
		text = log
	} else if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return false, err
		}
	}
	for n := 1; ; n++ {
		err = c.once(ctx, method, path, query, text, answer)
		if err == nil || ctx.Err() != nil {
			return retried, err
		}
		wait := firstPause << (n - 1)
		if e, ok := errors.AsType[*Error](err); ok {
			if !e.again || e.wait > longestWait {
				return retried, err
			}
			wait = max(wait, e.wait)
		}
		if n == tries {
			return retried, err
		}
		retried = true
		// Two machines that meet must not meet again each time.
		if err := c.sleep(ctx, wait+rand.N(wait/4+1)); err != nil { //nolint:gosec // no secret hangs on it
			return retried, err
		}
	}
}

func (c *Client) once(ctx context.Context, method, path string, query url.Values, body []byte, answer any) error {
	ctx, stop := context.WithTimeout(ctx, oneTry)
	defer stop()
	at := *c.base
	at.Path, at.RawPath = at.Path+path, ""
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Anthropic-Version", apiVersion)
	req.Header.Set("Anthropic-Beta", apiBeta)
	if strings.HasPrefix(path, sessions) {
		req.Header.Set("Anthropic-Beta", sessionsBeta)
	}
	req.Header.Set("User-Agent", "dormouse")
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("asking %s: %w", c.base.Host, plain(err))
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return fmt.Errorf("reading what %s answers: %w", c.base.Host, plain(err))
	}
	if res.StatusCode != http.StatusOK {
		return refused(res, text)
	}
	if len(text) > maxBody {
		return &Error{Status: res.StatusCode, Message: "an answer larger than any there is"}
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return &Error{Status: res.StatusCode, Message: "an answer that is no JSON of this API"}
	}
	return nil
}

// plain is an error of a request without its address, which is said already.
func plain(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// refused reads the error of a response. Whether it is worth asking again is what the
// response says, or else the rule of the SDKs.
func refused(res *http.Response, text []byte) *Error {
	var body struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(text, &body) // a proxy answers as it likes
	e := &Error{Status: res.StatusCode, Type: body.Error.Type, Message: strings.ToValidUTF8(body.Error.Message, "?"), Request: res.Header.Get("Request-Id")}
	if len(e.Message) > maxMessage {
		e.Message = strings.ToValidUTF8(e.Message[:maxMessage], "") + "…"
	}
	switch res.Header.Get("X-Should-Retry") {
	case "true":
		e.again = true
	case "false":
	default:
		e.again = res.StatusCode == http.StatusRequestTimeout || res.StatusCode == http.StatusConflict ||
			res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError
	}
	if ms, err := strconv.ParseFloat(res.Header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		e.wait = time.Duration(ms * float64(time.Millisecond))
	} else if s, err := strconv.ParseFloat(res.Header.Get("Retry-After"), 64); err == nil && s > 0 {
		e.wait = time.Duration(s * float64(time.Second))
	} else if at, err := http.ParseTime(res.Header.Get("Retry-After")); err == nil {
		e.wait = time.Until(at)
	}
	return e
}
