package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"dormouse/model"
)

const (
	maxAnswer    = 8 << 20 // bytes of a body
	maxHeader    = 64 << 10
	maxRedirects = 3
	dialTime     = 15 * time.Second
)

var (
	errTooLarge = errors.New("the answer is too large")
	errElsewher = errors.New("a redirect to another host")
)

// newClient makes a client that goes to no other host than it was sent to, reads
// no more than maxAnswer, and leaves no connection behind. How long a try may take
// is the context's business.
func newClient() *http.Client {
	return &http.Client{
		Transport: &capTransport{&http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: dialTime}).DialContext,
			TLSHandshakeTimeout:    dialTime,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives:      true, // minutes lie between two questions
			ForceAttemptHTTP2:      true,
		}},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			first := via[0].URL
			// The key is in a header that net/http would take along.
			if len(via) > maxRedirects || next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
				return errElsewher
			}
			return nil
		},
	}
}

// capTransport limits bodies, for us and for the SDK.
type capTransport struct{ inner *http.Transport }

// RoundTrip is that of http.RoundTripper.
func (t *capTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.inner.RoundTrip(r)
	if err == nil {
		res.Body = &cappedBody{res.Body, maxAnswer}
	}
	return res, err
}

type cappedBody struct {
	io.ReadCloser
	left int
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// toFailure says in fixed words what went wrong: the text of an error of net/http
// or of the SDK may quote the server's, which may quote the key.
func toFailure(err error) *model.Failure {
	var f *model.Failure
	var dns *net.DNSError
	var op *net.OpError
	var cert *tls.CertificateVerificationError
	fail := func(err error, text string, again, unsure bool) *model.Failure {
		return &model.Failure{Err: err, Text: text, Again: again, Unsure: unsure}
	}
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, errTooLarge):
		return fail(model.ErrAnswer, "it is longer than "+strconv.Itoa(maxAnswer>>20)+" MiB", false, true)
	case errors.Is(err, errElsewher):
		return fail(model.ErrRefused, "the server sends us to another host, and we don't go", false, false)
	case errors.As(err, &dns):
		return fail(model.ErrServer, "there is no such host", dns.IsTemporary || dns.IsTimeout, false)
	case errors.As(err, &cert):
		return fail(model.ErrServer, "its certificate is not valid", false, false)
	case errors.As(err, &op) && op.Op == "dial":
		return fail(model.ErrServer, "no connection to it", true, false)
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return fail(model.ErrServer, "it was ended before an answer", false, true)
	}
	return fail(model.ErrServer, "the connection broke", true, true)
}

// cut is an answer that stopped before its end.
func cut(usage model.Usage) error {
	return &model.Failure{Err: model.ErrServer, Text: "the answer was cut off", Again: true, Unsure: true, Usage: usage}
}

// notJSON is an answer of a server that is something else, or of something before it.
func notJSON() error {
	return &model.Failure{Err: model.ErrServer, Text: "it answers in no form that is known", Again: true, Unsure: true}
}

// retryAfter reads how long a server asks to wait: milliseconds, seconds or a date.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return span(ms / 1000)
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		return span(s)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// span turns seconds into a duration of at most a day: a number can be any.
func span(seconds float64) time.Duration {
	const day = 24 * 60 * 60
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, day) * float64(time.Second))
}

// refused is a response with an error status. Of its body only a known word
// counts.
func refused(res *http.Response) error {
	f := model.StatusFailure(res.StatusCode)
	f.RetryAfter = retryAfter(res.Header)
	var body struct {
		Error struct {
			Type string `json:"type"`
			Code any    `json:"code"`
		} `json:"error"`
	}
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxHeader))
	_ = json.Unmarshal(text, &body) // any other form says nothing more
	if body.Error.Type == "insufficient_quota" || body.Error.Code == "insufficient_quota" {
		f.Again, f.Text = false, f.Text+", the account's quota is used up"
	}
	return f
}

// post sends JSON and returns the response of status 200; the caller closes it.
func post(ctx context.Context, client *http.Client, url string, key model.Key, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, &model.Failure{Err: model.ErrRefused, Text: "the request can't be written as JSON"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return nil, &model.Failure{Err: model.ErrNoEngine, Text: "its address is none"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "dormouse")
	if !key.Empty() {
		req.Header.Set("Authorization", "Bearer "+key.Reveal())
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, toFailure(err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refused(res)
	}
	return res, nil
}

// decode reads a body that is one JSON value.
func decode(body io.Reader, into any) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return toFailure(err)
	}
	return decodeText(text, into)
}

func decodeText(text []byte, into any) error {
	if !json.Valid(text) {
		if t := bytes.TrimSpace(text); len(t) > 0 && t[0] == '{' {
			return cut(model.Usage{})
		}
		return notJSON()
	}
	if err := json.Unmarshal(text, into); err != nil {
		return notJSON()
	}
	return nil
}
