package apiserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/internal/apiserver/wire"
)

// decode reads the body. A key that is not known is refused: a typing mistake would
// be lost otherwise.
func (c *call) decode(into any) error {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return wire.Invalid("the request needs a JSON object as its body")
	}
	if !utf8.Valid(c.body) {
		return wire.Invalid("the body is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return wire.Invalid("the body can't be read: " + reason(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wire.Invalid("there is something behind the JSON object of the body")
	}
	return nil
}

// reason says what is wrong with a JSON text without a word of it but a field's name.
func reason(err error) string {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Message
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field == "" {
			return "it must be a JSON object"
		}
		return e.Field + " has the wrong type"
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return "it is no JSON at byte " + strconv.FormatInt(e.Offset, 10)
	}
	if rest, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return "the field " + rest + " is not known"
	}
	return "it is no JSON object"
}

// noBody refuses a body where there must be none; an empty object is none.
func (c *call) noBody() error {
	if b := bytes.TrimSpace(c.body); len(b) > 0 && string(b) != "{}" {
		return wire.Invalid("this request has no body")
	}
	return nil
}

// values are the query's parameters. What is not known is ignored, as the official
// API does with ?beta=true.
func (c *call) values() url.Values { return c.r.URL.Query() }

// one is a parameter that may stand once.
func one(q url.Values, name string) (string, error) {
	v := q[name]
	if len(v) > 1 {
		return "", wire.Invalid(name + " stands twice")
	}
	if len(v) == 0 {
		return "", nil
	}
	if !utf8.ValidString(v[0]) || strings.ContainsRune(v[0], 0) {
		return "", wire.Invalid(name + " is no text")
	}
	return v[0], nil
}

func integer(q url.Values, name string, byDefault, least, most int) (int, error) {
	v, err := one(q, name)
	if err != nil || v == "" {
		return byDefault, err
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		return 0, wire.Invalid(name + " must be a number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most))
	}
	return n, nil
}

func truth(q url.Values, name string) (bool, error) {
	v, err := one(q, name)
	switch {
	case err != nil:
		return false, err
	case v == "" || v == "false":
		return false, nil
	case v == "true":
		return true, nil
	}
	return false, wire.Invalid(name + " must be true or false")
}

func choice(q url.Values, name, byDefault string, of ...string) (string, error) {
	v, err := one(q, name)
	if err != nil || v == "" {
		return byDefault, err
	}
	if !slices.Contains(of, v) {
		return "", wire.Invalid(name + " must be one of " + strings.Join(of, ", "))
	}
	return v, nil
}

func several(q url.Values, name string, of ...string) ([]string, error) {
	all := append(slices.Clone(q[name+"[]"]), q[name]...)
	for _, v := range all {
		if len(of) > 0 && !slices.Contains(of, v) || !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
			return nil, wire.Invalid(name + " holds what is none of its values")
		}
	}
	if len(all) > 100 {
		return nil, wire.Invalid(name + " holds too many values")
	}
	return all, nil
}

// span reads created_at[gte] and its like.
func span(q url.Values) (s Span, err error) {
	// Times are kept to the microsecond, so each bound is an inclusive one of those;
	// of several on one side the closest holds.
	const step = time.Microsecond
	for _, b := range []struct {
		name  string
		after bool
		first func(time.Time) time.Time // the first, or last, moment within the bound
	}{
		{"gte", true, func(t time.Time) time.Time { return t.Add(step - 1).Truncate(step) }},
		{"gt", true, func(t time.Time) time.Time { return t.Truncate(step).Add(step) }},
		{"lte", false, func(t time.Time) time.Time { return t.Truncate(step) }},
		{"lt", false, func(t time.Time) time.Time { return t.Add(-1).Truncate(step) }},
	} {
		v, err := one(q, "created_at["+b.name+"]")
		if err != nil {
			return s, err
		}
		if v == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			return s, wire.Invalid("created_at[" + b.name + "] must be a time such as 2026-03-02T15:04:05Z")
		}
		t = b.first(t)
		switch {
		case b.after && (s.After.IsZero() || t.After(s.After)):
			s.After = t
		case !b.after && (s.Before.IsZero() || t.Before(s.Before)):
			s.Before = t
		}
	}
	return s, nil
}

// paging reads limit and page.
func (c *call) paging(q url.Values, most int) (limit int, page Cursor, err error) {
	if limit, err = integer(q, "limit", min(wire.DefaultPage, most), 1, most); err != nil {
		return 0, "", err
	}
	v, err := one(q, "page")
	if err != nil || v == "" {
		return limit, "", err
	}
	page, err = c.unwrap(q, v)
	return limit, page, err
}

// fullLimit bounds a page with contents: clamped, or refused if that is set.
func (c *call) fullLimit(limit int, full bool) (int, error) {
	if !full || limit <= wire.MaxFullPage {
		return limit, nil
	}
	if c.s.c.Switches.RefuseFullLimit {
		return 0, wire.Invalid("limit must be at most 20 with view=full")
	}
	return wire.MaxFullPage, nil
}

// bound names the list that a cursor belongs to: another one refuses it.
func (c *call) bound(q url.Values) string {
	kept := url.Values{}
	for k, v := range q {
		if k != "page" && k != "limit" && k != "beta" {
			kept[k] = v
		}
	}
	h := sha256.Sum256([]byte(c.who.Workspace + "\n" + c.r.URL.Path + "\n" + kept.Encode()))
	return string(h[:6])
}

func (c *call) wrap(q url.Values, at Cursor) *string {
	if at == "" {
		return nil
	}
	p := "page_" + base64.RawURLEncoding.EncodeToString([]byte(c.bound(q)+string(at)))
	return &p
}

func (c *call) unwrap(q url.Values, page string) (Cursor, error) {
	rest, ok := strings.CutPrefix(page, "page_")
	b, err := base64.RawURLEncoding.DecodeString(rest)
	if !ok || err != nil || len(b) <= 6 || string(b[:6]) != c.bound(q) || !utf8.Valid(b[6:]) || bytes.IndexByte(b[6:], 0) >= 0 {
		return "", wire.Invalid("page is no cursor of this list: begin without one")
	}
	return Cursor(b[6:]), nil
}

func pageOf[T any](c *call, q url.Values, data []T, next Cursor) wire.Page[T] {
	if data == nil {
		data = []T{}
	}
	return wire.Page[T]{Data: data, Next: c.wrap(q, next)}
}

func view(q url.Values, byDefault string) (full bool, err error) {
	v, err := choice(q, "view", byDefault, "basic", "full")
	return v == "full", err
}
