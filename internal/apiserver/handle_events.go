package apiserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/internal/apiserver/wire"
)

// sendable are the events that a client may send.
func sendable() []string {
	return []string{
		"user.message", "user.interrupt", "user.tool_confirmation", "user.custom_tool_result", "user.define_outcome", "user.tool_result", "system.message",
	}
}

type eventsBody struct {
	Events []json.RawMessage `json:"events"`
}

type sentEvents struct {
	Data []json.RawMessage `json:"data"`
}

// sent makes events of what a client sent, of the types that it may send.
func sent(in []json.RawMessage, types []string) ([]Event, error) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	out := make([]Event, 0, len(in))
	for i, raw := range in {
		o, kind, err := eventObject(raw)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(types, kind) {
			return nil, wire.Invalid("an event may be one of " + strings.Join(types, ", "))
		}
		delete(o, "id")
		e, err := finish(o, kind, wire.NewID(wire.EventID), now.Add(time.Duration(i)*time.Microsecond))
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func eventObject(raw json.RawMessage) (o map[string]json.RawMessage, kind string, err error) {
	if err := json.Unmarshal(raw, &o); err != nil || o == nil {
		return nil, "", wire.Invalid("an event must be a JSON object")
	}
	if err := json.Unmarshal(o["type"], &kind); err != nil || kind == "" {
		return nil, "", wire.Invalid("an event needs a type")
	}
	if !strings.HasSuffix(kind, ".message") {
		return o, kind, nil
	}
	var blocks []struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(o["content"], &blocks); err != nil || len(blocks) == 0 {
		return nil, "", wire.Invalid(kind + " needs content: a list of blocks")
	}
	for _, b := range blocks {
		if b.Type == "" || b.Type == "text" && (b.Text == nil || *b.Text == "") {
			return nil, "", wire.Invalid("a block of content needs a type, and one of type text a text")
		}
	}
	return o, kind, nil
}

// finish gives an event its id and time.
func finish(o map[string]json.RawMessage, kind, id string, at time.Time) (Event, error) {
	var err error
	if o["id"], err = json.Marshal(id); err != nil {
		return Event{}, err
	}
	if o["processed_at"], err = json.Marshal(stamp(at)); err != nil {
		return Event{}, err
	}
	body, err := json.Marshal(o)
	return Event{ID: id, Type: kind, ProcessedAt: at, Body: body}, err
}

func (c *call) sendEvents() (any, error) {
	var b eventsBody
	if err := c.decode(&b); err != nil {
		return nil, err
	}
	if len(b.Events) == 0 {
		return nil, wire.Invalid("events is missing")
	}
	events, err := sent(b.Events, sendable())
	if err != nil {
		return nil, err
	}
	return c.addEvents(events)
}

func (c *call) addEvents(events []Event) (any, error) {
	added, err := c.s.c.Backend.AddEvents(c.ctx(), c.who, c.id("session"), events)
	if err != nil {
		return nil, err
	}
	out := sentEvents{Data: []json.RawMessage{}}
	for _, e := range added {
		out.Data = append(out.Data, e.Body)
	}
	return out, nil
}

// importEvents is our own: a session log of any host that is known, or full events
// with their times. Nothing of it is sent by a person just now, so what a log does
// not call a person's words is not.
func (c *call) importEvents() (any, error) {
	if body := bytes.TrimSpace(c.body); len(body) == 0 {
		return nil, wire.Invalid("the request needs a session log, or {\"events\": […]}, as its body")
	}
	if events, ok, err := c.wholeEvents(); err != nil {
		return nil, err
	} else if ok {
		return c.imported(events)
	}
	if c.s.c.Import == nil {
		return nil, wire.Invalid("this server takes no session logs")
	}
	events, err := c.s.c.Import(bytes.NewReader(c.body))
	if err != nil {
		return nil, wire.Invalid("the session log can't be read: " + err.Error())
	}
	return c.imported(events)
}

func (c *call) imported(events []Event) (any, error) {
	if len(events) == 0 {
		return nil, wire.Invalid("there is no event in it")
	}
	if _, err := c.s.c.Backend.AddEvents(c.ctx(), c.who, c.id("session"), events); err != nil {
		return nil, err
	}
	return map[string]any{"type": "events_imported", "count": len(events)}, nil
}

// wholeEvents reads {"events": […]} with ids and times of before.
func (c *call) wholeEvents() ([]Event, bool, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(c.body), []byte(`{`)) || bytes.Count(bytes.TrimSpace(c.body), []byte("\n{")) > 0 {
		return nil, false, nil
	}
	var b eventsBody
	if err := json.Unmarshal(c.body, &b); err != nil || b.Events == nil {
		return nil, false, nil //nolint:nilerr // then it is a log
	}
	var out []Event
	for _, raw := range b.Events {
		o, kind, err := eventObject(raw)
		if err != nil {
			return nil, true, err
		}
		var at time.Time
		if err := json.Unmarshal(o["processed_at"], &at); err != nil {
			return nil, true, wire.Invalid("an event that is imported needs its processed_at")
		}
		var id string
		if json.Unmarshal(o["id"], &id) != nil || id == "" || len(id) > 128 || !utf8.ValidString(id) {
			id = wire.NewID(wire.EventID)
		}
		e, err := finish(o, kind, id, at.UTC().Truncate(time.Microsecond))
		if err != nil {
			return nil, true, err
		}
		out = append(out, e)
	}
	return out, true, nil
}

// An official limit is not known; one of the SDK's own guides names 1,000.
const maxEvents = 1000

func (c *call) listEvents() (any, error) {
	q := c.values()
	e := EventQuery{}
	var err error
	if e.Limit, err = integer(q, "limit", maxEvents, 1, maxEvents); err != nil {
		return nil, err
	}
	if v, err := one(q, "page"); err != nil {
		return nil, err
	} else if v != "" {
		if e.Page, err = c.unwrap(q, v); err != nil {
			return nil, err
		}
	}
	order, err := choice(q, "order", "asc", "asc", "desc")
	if err != nil {
		return nil, err
	}
	e.Descending = order == "desc"
	if e.Types, err = several(q, "types"); err != nil {
		return nil, err
	}
	if e.Created, err = span(q); err != nil {
		return nil, err
	}
	list, next, err := c.s.c.Backend.ListEvents(c.ctx(), c.who, c.id("session"), e)
	if err != nil {
		return nil, err
	}
	data := make([]json.RawMessage, 0, len(list))
	for i := range list {
		data = append(data, list[i].Body)
	}
	return pageOf(c, q, data, next), nil
}

// How often a stream looks for new events, and how long it is silent at most.
const (
	streamEvery = 250 * time.Millisecond
	streamAlive = 15 * time.Second
)

// streamEvents sends what comes from now on, until the client goes or the session or
// the server ends.
func (c *call) streamEvents(w http.ResponseWriter) error {
	s, err := c.s.c.Backend.Session(c.ctx(), c.who, c.id("session"))
	if err != nil {
		return err
	}
	rc := http.NewResponseController(w)
	_ = rc.SetWriteDeadline(time.Time{}) // a stream has none; not every writer knows deadlines
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	out := bufio.NewWriter(w)
	flush := func() error { return errors.Join(out.Flush(), rc.Flush()) }
	if flush() != nil {
		return nil //nolint:nilerr // the client is gone
	}
	after := s.Events
	tick := time.NewTicker(streamEvery)
	defer tick.Stop()
	alive := time.Now()
	for {
		select {
		case <-c.ctx().Done():
			return nil
		case <-c.s.c.Stop:
			return nil
		case <-tick.C:
		}
		events, _, err := c.s.c.Backend.ListEvents(c.ctx(), c.who, s.ID, EventQuery{Limit: maxEvents, InOrder: true, After: after})
		if err != nil {
			c.endStream(out, err)
			_ = flush() // it ends here anyway
			return nil
		}
		for i := range events {
			after = events[i].Seq
			_, _ = fmt.Fprintf(out, "event: %s\ndata: %s\n\n", events[i].Type, events[i].Body) // flush tells
		}
		if len(events) == 0 && time.Since(alive) > streamAlive {
			_, _ = io.WriteString(out, ": alive\n\n") // flush tells
		} else if len(events) == 0 {
			continue
		}
		alive = time.Now()
		if flush() != nil {
			return nil //nolint:nilerr // the client is gone
		}
	}
}

// endStream says why a stream ends.
func (c *call) endStream(out io.Writer, err error) {
	e, ok := errors.AsType[*wire.Error](err)
	if !ok {
		c.s.c.Log.Error("a stream failed", "error", err)
		e = &wire.Error{Type: wire.API, Message: "the server failed"}
	}
	b, _ := json.Marshal(wire.Envelope{Type: "error", Error: e})     // it has no part that fails
	_, _ = fmt.Fprintf(out, "event: error\ndata: %s\n\n", string(b)) // the client may be gone
}
