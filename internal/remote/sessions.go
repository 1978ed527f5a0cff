package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// sessions is where sessions are; dormoused takes session logs there, which Anthropic's
// own service does not.
const sessions = "/v1/sessions"

// raw is a body that is sent as it is.
type raw []byte

// ImportLog brings a session log to a server: into the session of an id, or into a new
// one where id is "" or gone. It returns the session's id and how many events the log
// has. A log that is brought again adds what is new in it.
func (c *Client) ImportLog(ctx context.Context, id, title string, log []byte) (session string, events int, err error) {
	if id == "" {
		if id, err = c.newSession(ctx, title); err != nil {
			return "", 0, err
		}
	} else if _, err := c.ask(ctx, http.MethodGet, sessions+"/"+url.PathEscape(id), nil, nil, &struct{}{}); isStatus(err, http.StatusNotFound) {
		if id, err = c.newSession(ctx, title); err != nil {
			return "", 0, err
		}
	} else if err != nil {
		return "", 0, err
	}
	var done struct {
		Count int `json:"count"`
	}
	_, err = c.ask(ctx, http.MethodPost, sessions+"/"+url.PathEscape(id)+"/events/import", nil, raw(log), &done)
	if isStatus(err, http.StatusNotFound) {
		err = errors.New("this server takes no session logs: dormoused does")
	}
	return id, done.Count, err
}

func (c *Client) newSession(ctx context.Context, title string) (string, error) {
	var s struct {
		ID string `json:"id"`
	}
	_, err := c.ask(ctx, http.MethodPost, sessions, nil, map[string]any{"agent": "agent_import", "environment_id": "env_import", "title": title}, &s)
	if err == nil && s.ID == "" {
		err = errors.New("the server made a session without an id")
	}
	if err != nil {
		return "", fmt.Errorf("making a session: %w", err)
	}
	return s.ID, nil
}
