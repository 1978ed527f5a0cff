package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// goV1 asks through the Go SDK of this generation. The types of the two have nothing
// in common, so gov2_test.go is this file with other imports; a test keeps it so.
type goV1 struct {
	t      *testing.T
	ctx    context.Context
	client sdk.Client
}

func newGoV1(t *testing.T, url, key string) journeys {
	t.Helper()
	return &goV1{t, t.Context(), sdk.NewClient(option.WithBaseURL(url), option.WithAPIKey(key))}
}

// ok takes what a call returned.
func okV1[T any](g *goV1, v T, err error) T {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
	return v
}

// refused wants a typed error.
func (g *goV1) refused(err error, status int, kind string) {
	g.t.Helper()
	e, ok := errors.AsType[*sdk.Error](err)
	if !ok || e.StatusCode != status || string(e.Type()) != kind || !strings.HasPrefix(e.RequestID, "req_") {
		g.t.Errorf("%v, want %d %s", err, status, kind)
	}
}

func (g *goV1) eq(what string, got, want any) {
	g.t.Helper()
	caller{t: g.t}.eq(what, got, want)
}

func (g *goV1) stores() {
	s := &g.client.Beta.MemoryStores
	made, err := s.New(g.ctx, sdk.BetaMemoryStoreNewParams{Name: "User Preferences", Description: sdk.String("d"), Metadata: map[string]string{"a": "1"}})
	one := okV1(g, made, err)
	g.eq("store", []any{one.Name, one.Description, one.Metadata, one.Type, one.JSON.ArchivedAt.Raw()}, "[User Preferences d map[a:1] memory_store null]")
	got, err := s.Get(g.ctx, one.ID, sdk.BetaMemoryStoreGetParams{})
	g.eq("got", okV1(g, got, err).RawJSON(), one.RawJSON())
	got, err = s.Update(g.ctx, one.ID, sdk.BetaMemoryStoreUpdateParams{Name: sdk.String("n"), Metadata: map[string]string{"b": "2"}})
	g.eq("updated", []any{okV1(g, got, err).Name, got.Description, got.Metadata}, "[n d map[a:1 b:2]]")
	ids := []string{one.ID}
	for range 4 {
		n, err := s.New(g.ctx, sdk.BetaMemoryStoreNewParams{Name: "more"})
		ids = append(ids, okV1(g, n, err).ID)
	}
	slices.Reverse(ids)
	var seen []string
	pages := s.ListAutoPaging(g.ctx, sdk.BetaMemoryStoreListParams{Limit: sdk.Int(2), CreatedAtGte: sdk.Time(one.CreatedAt.Truncate(time.Second)), CreatedAtLte: sdk.Time(time.Now().Add(time.Hour))})
	for pages.Next() {
		seen = append(seen, pages.Current().ID)
	}
	g.eq("pages", okV1(g, seen, pages.Err()), ids)
	got, err = s.Archive(g.ctx, one.ID, sdk.BetaMemoryStoreArchiveParams{})
	if okV1(g, got, err).ArchivedAt.IsZero() {
		g.t.Error("archived_at is not set")
	}
	page, err := s.List(g.ctx, sdk.BetaMemoryStoreListParams{})
	g.eq("without archived ones", len(okV1(g, page, err).Data), 4)
	page, err = s.List(g.ctx, sdk.BetaMemoryStoreListParams{IncludeArchived: sdk.Bool(true), Betas: []sdk.AnthropicBeta{"message-batches-2024-09-24"}})
	g.eq("with them", len(okV1(g, page, err).Data), 5)
	_, err = s.Update(g.ctx, one.ID, sdk.BetaMemoryStoreUpdateParams{Name: sdk.String("x")})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
	gone, err := s.Delete(g.ctx, one.ID, sdk.BetaMemoryStoreDeleteParams{})
	g.eq("deleted", []any{okV1(g, gone, err).ID, gone.Type}, []any{one.ID, "memory_store_deleted"})
	_, err = s.Get(g.ctx, one.ID, sdk.BetaMemoryStoreGetParams{})
	g.refused(err, http.StatusNotFound, "not_found_error")
	_, err = s.New(g.ctx, sdk.BetaMemoryStoreNewParams{})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
	_, err = s.List(g.ctx, sdk.BetaMemoryStoreListParams{}, option.WithAPIKey("wrong"))
	g.refused(err, http.StatusUnauthorized, "authentication_error")
}

func (g *goV1) store() string {
	g.t.Helper()
	s, err := g.client.Beta.MemoryStores.New(g.ctx, sdk.BetaMemoryStoreNewParams{Name: "Demo Memory"})
	return okV1(g, s, err).ID
}

func (g *goV1) memories() {
	store, m := g.store(), &g.client.Beta.MemoryStores.Memories
	made, err := m.New(g.ctx, store, sdk.BetaMemoryStoreMemoryNewParams{Path: "/p/a b+%é.md", Content: sdk.String("x")})
	one := okV1(g, made, err)
	g.eq("memory", []any{one.Path, one.ContentSha256, one.ContentSizeBytes, one.JSON.Content.Raw()}, []any{"/p/a b+%é.md", sha("x"), 1, "null"})
	got, err := m.Get(g.ctx, one.ID, sdk.BetaMemoryStoreMemoryGetParams{MemoryStoreID: store})
	g.eq("content", okV1(g, got, err).Content, "x")
	pre := sdk.BetaManagedAgentsPreconditionParam{Type: "content_sha256", ContentSha256: sdk.String(sha("x"))}
	got, err = m.Update(g.ctx, one.ID, sdk.BetaMemoryStoreMemoryUpdateParams{MemoryStoreID: store, Content: sdk.String("y"), Path: sdk.String("/p/b.md"), Precondition: pre, View: sdk.BetaManagedAgentsMemoryViewFull})
	g.eq("updated", []any{okV1(g, got, err).Content, got.Path, got.ID}, []any{"y", "/p/b.md", one.ID})
	_, err = m.Update(g.ctx, one.ID, sdk.BetaMemoryStoreMemoryUpdateParams{MemoryStoreID: store, Content: sdk.String("z"), Precondition: pre})
	g.refused(err, http.StatusConflict, "memory_precondition_failed_error")
	_, err = m.New(g.ctx, store, sdk.BetaMemoryStoreMemoryNewParams{Path: "/p/b.md", Content: sdk.String("x")})
	g.refused(err, http.StatusConflict, "memory_path_conflict_error")
	for _, p := range []string{"/a", "/b", "/p/q/c", "/z"} {
		_, err := m.New(g.ctx, store, sdk.BetaMemoryStoreMemoryNewParams{Path: p, Content: sdk.String(p), View: sdk.BetaManagedAgentsMemoryViewFull})
		okV1(g, 0, err)
	}
	var seen []string
	pages := m.ListAutoPaging(g.ctx, store, sdk.BetaMemoryStoreMemoryListParams{Limit: sdk.Int(2), View: sdk.BetaManagedAgentsMemoryViewFull})
	for pages.Next() {
		seen = append(seen, pages.Current().Path+"="+pages.Current().Content)
	}
	g.eq("pages", okV1(g, seen, pages.Err()), "[/a=/a /b=/b /p/b.md=y /p/q/c=/p/q/c /z=/z]")
	page, err := m.List(g.ctx, store, sdk.BetaMemoryStoreMemoryListParams{PathPrefix: sdk.String("/p/"), Depth: sdk.Int(1)})
	g.eq("two kinds", []any{len(okV1(g, page, err).Data), page.Data[0].AsMemory().Path, page.Data[1].AsMemoryPrefix().Path}, "[2 /p/b.md /p/q/]")
	_, err = m.Delete(g.ctx, one.ID, sdk.BetaMemoryStoreMemoryDeleteParams{MemoryStoreID: store, ExpectedContentSha256: sdk.String(sha("x"))})
	g.refused(err, http.StatusConflict, "memory_precondition_failed_error")
	gone, err := m.Delete(g.ctx, one.ID, sdk.BetaMemoryStoreMemoryDeleteParams{MemoryStoreID: store, ExpectedContentSha256: sdk.String(sha("y"))})
	g.eq("deleted", []any{okV1(g, gone, err).ID, gone.Type}, []any{one.ID, "memory_deleted"})
	g.versions(store, one.ID)
}

func (g *goV1) versions(store, memory string) {
	v := &g.client.Beta.MemoryStores.MemoryVersions
	var ops, ids []string
	pages := v.ListAutoPaging(g.ctx, store, sdk.BetaMemoryStoreMemoryVersionListParams{MemoryID: sdk.String(memory), Limit: sdk.Int(1)})
	for pages.Next() {
		ops, ids = append(ops, string(pages.Current().Operation)), append(ids, pages.Current().ID)
	}
	g.eq("versions", okV1(g, ops, pages.Err()), "[deleted modified created]")
	first := ids[2]
	got, err := v.Get(g.ctx, first, sdk.BetaMemoryStoreMemoryVersionGetParams{MemoryStoreID: store})
	g.eq("version", []any{okV1(g, got, err).Content, got.CreatedBy.AsAPIActor().APIKeyID != ""}, "[x true]")
	page, err := v.List(g.ctx, store, sdk.BetaMemoryStoreMemoryVersionListParams{
		Operation: sdk.BetaManagedAgentsMemoryVersionOperationCreated, APIKeyID: sdk.String(got.CreatedBy.APIKeyID), View: sdk.BetaManagedAgentsMemoryViewFull,
		CreatedAtGte: sdk.Time(got.CreatedAt.Truncate(time.Second)), CreatedAtLte: sdk.Time(time.Now().Add(time.Hour)),
	})
	g.eq("created", len(okV1(g, page, err).Data), 5)
	red, err := v.Redact(g.ctx, first, sdk.BetaMemoryStoreMemoryVersionRedactParams{MemoryStoreID: store})
	if okV1(g, red, err).RedactedAt.IsZero() || red.Content != "" || red.RedactedBy.AsAPIActor().APIKeyID != got.CreatedBy.APIKeyID {
		g.t.Error(red.RawJSON())
	}
	_, err = v.Redact(g.ctx, page.Data[0].ID, sdk.BetaMemoryStoreMemoryVersionRedactParams{MemoryStoreID: store})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
}

// agents makes an agent and an environment, and returns their ids.
func (g *goV1) agents() (string, string) {
	a := &g.client.Beta.Agents
	made, err := a.New(g.ctx, sdk.BetaAgentNewParams{Name: "a", Model: sdk.BetaManagedAgentsModelConfigParams{ID: "claude-opus-5"}, System: sdk.String("s")})
	agent := okV1(g, made, err)
	made, err = a.Update(g.ctx, agent.ID, sdk.BetaAgentUpdateParams{Name: sdk.String("b"), Version: sdk.Int(1)})
	g.eq("agent", []any{okV1(g, made, err).Version, made.Name, made.System}, "[2 b s]")
	_, err = a.Update(g.ctx, agent.ID, sdk.BetaAgentUpdateParams{Name: sdk.String("c"), Version: sdk.Int(1)})
	g.refused(err, http.StatusConflict, "invalid_request_error")
	made, err = a.Get(g.ctx, agent.ID, sdk.BetaAgentGetParams{Version: sdk.Int(1)})
	g.eq("version 1", okV1(g, made, err).Name, "a")
	list, err := a.List(g.ctx, sdk.BetaAgentListParams{})
	g.eq("agents", len(okV1(g, list, err).Data), 1)
	n, versions := 0, a.Versions.ListAutoPaging(g.ctx, agent.ID, sdk.BetaAgentVersionListParams{Limit: sdk.Int(1)})
	for versions.Next() {
		n++
	}
	g.eq("versions", okV1(g, n, versions.Err()), 2)
	other, err := a.New(g.ctx, sdk.BetaAgentNewParams{Name: "o", Model: sdk.BetaManagedAgentsModelConfigParams{ID: "m"}})
	other, err = a.Archive(g.ctx, okV1(g, other, err).ID, sdk.BetaAgentArchiveParams{})
	if okV1(g, other, err).ArchivedAt.IsZero() {
		g.t.Error("the agent is not archived")
	}

	e := &g.client.Beta.Environments
	env, err := e.New(g.ctx, sdk.BetaEnvironmentNewParams{Name: "e", Config: sdk.BetaEnvironmentNewParamsConfigUnion{OfCloud: &sdk.BetaCloudConfigParams{Type: "cloud"}}})
	id := okV1(g, env, err).ID
	env, err = e.Update(g.ctx, id, sdk.BetaEnvironmentUpdateParams{Name: sdk.String("f")})
	g.eq("environment", okV1(g, env, err).Name, "f")
	env, err = e.Get(g.ctx, id, sdk.BetaEnvironmentGetParams{})
	g.eq("environment", okV1(g, env, err).Name, "f")
	old, err := e.New(g.ctx, sdk.BetaEnvironmentNewParams{Name: "old", Config: sdk.BetaEnvironmentNewParamsConfigUnion{OfSelfHosted: &sdk.BetaSelfHostedConfigParams{Type: "self_hosted"}}})
	_, err = e.Archive(g.ctx, okV1(g, old, err).ID, sdk.BetaEnvironmentArchiveParams{})
	envs, err2 := e.List(g.ctx, sdk.BetaEnvironmentListParams{IncludeArchived: sdk.Bool(true)})
	g.eq("environments", len(okV1(g, envs, errors.Join(err, err2)).Data), 2)
	gone, err := e.Delete(g.ctx, old.ID, sdk.BetaEnvironmentDeleteParams{})
	g.eq("deleted", okV1(g, gone, err).ID, old.ID)
	return agent.ID, id
}

func (g *goV1) sessions() {
	agent, env := g.agents()
	store, s := g.store(), &g.client.Beta.Sessions
	made, err := s.New(g.ctx, sdk.BetaSessionNewParams{
		Agent: sdk.BetaSessionNewParamsAgentUnion{OfString: sdk.String(agent)}, EnvironmentID: env, Title: sdk.String("t"), Metadata: map[string]string{"a": "1"},
		Resources: []sdk.BetaSessionNewParamsResourceUnion{{OfMemoryStore: &sdk.BetaManagedAgentsMemoryStoreResourceParam{
			Type: "memory_store", MemoryStoreID: store, Access: "read_only", Instructions: sdk.String("i"),
		}}},
		InitialEvents: []sdk.BetaSessionNewParamsInitialEventUnion{{OfUserMessage: g.message("zero")}},
	})
	one := okV1(g, made, err)
	g.eq("session", []any{one.Status, one.Title, one.Agent.Version, len(one.Resources), one.Resources[0].AsMemoryStore().Name, one.Resources[0].Access}, "[idle t 2 1 Demo Memory read_only]")
	made, err = s.Get(g.ctx, one.ID, sdk.BetaSessionGetParams{})
	g.eq("got", okV1(g, made, err).RawJSON(), one.RawJSON())
	made, err = s.Update(g.ctx, one.ID, sdk.BetaSessionUpdateParams{Title: sdk.String("u"), Metadata: map[string]string{"b": "2"}})
	g.eq("updated", []any{okV1(g, made, err).Title, made.Metadata}, "[u map[a:1 b:2]]")
	resources, err := s.Resources.List(g.ctx, one.ID, sdk.BetaSessionResourceListParams{})
	g.eq("resources", okV1(g, resources, err).Data[0].MemoryStoreID, store)
	threads, err := s.Threads.List(g.ctx, one.ID, sdk.BetaSessionThreadListParams{})
	g.eq("threads", len(okV1(g, threads, err).Data), 0)
	_, err = s.Threads.Get(g.ctx, "sthr_none", sdk.BetaSessionThreadGetParams{SessionID: one.ID})
	g.refused(err, http.StatusNotFound, "not_found_error")
	_, err = s.Resources.Add(g.ctx, one.ID, sdk.BetaSessionResourceAddParams{BetaManagedAgentsFileResourceParams: sdk.BetaManagedAgentsFileResourceParams{Type: "file", FileID: "file_x"}})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
	_, err = s.Resources.Get(g.ctx, "sesrsc_none", sdk.BetaSessionResourceGetParams{SessionID: one.ID})
	g.refused(err, http.StatusNotFound, "not_found_error")
	_, err = s.Resources.Delete(g.ctx, "sesrsc_none", sdk.BetaSessionResourceDeleteParams{SessionID: one.ID})
	g.refused(err, http.StatusNotFound, "not_found_error")
	g.events(one.ID)

	for range 2 {
		_, err := s.New(g.ctx, sdk.BetaSessionNewParams{Agent: sdk.BetaSessionNewParamsAgentUnion{OfString: sdk.String(agent)}, EnvironmentID: env})
		okV1(g, 0, err)
	}
	n, pages := 0, s.ListAutoPaging(g.ctx, sdk.BetaSessionListParams{Limit: sdk.Int(1), AgentID: sdk.String(agent), AgentVersion: sdk.Int(2), Order: "asc", Statuses: []string{"idle", "running"}, CreatedAtGt: sdk.Time(time.Now().Add(-time.Hour))})
	for pages.Next() {
		if n++; n == 1 {
			g.eq("the oldest", pages.Current().ID, one.ID)
		}
	}
	g.eq("sessions", okV1(g, n, pages.Err()), 3)
	list, err := s.List(g.ctx, sdk.BetaSessionListParams{MemoryStoreID: sdk.String(store)})
	g.eq("of the store", len(okV1(g, list, err).Data), 1)
	made, err = s.Archive(g.ctx, one.ID, sdk.BetaSessionArchiveParams{})
	if okV1(g, made, err).ArchivedAt.IsZero() {
		g.t.Error("the session is not archived")
	}
	gone, err := s.Delete(g.ctx, one.ID, sdk.BetaSessionDeleteParams{})
	g.eq("deleted", []any{okV1(g, gone, err).ID, gone.Type}, []any{one.ID, "session_deleted"})
	_, err = s.Events.List(g.ctx, one.ID, sdk.BetaSessionEventListParams{})
	g.refused(err, http.StatusNotFound, "not_found_error")
}

func (g *goV1) message(text string) *sdk.BetaManagedAgentsUserMessageEventParams {
	return &sdk.BetaManagedAgentsUserMessageEventParams{Type: "user.message", Content: []sdk.BetaManagedAgentsUserMessageEventParamsContentUnion{
		{OfText: &sdk.BetaManagedAgentsTextBlockParam{Type: "text", Text: text}},
	}}
}

// events follows a session while messages are sent, and reads them back.
func (g *goV1) events(session string) {
	e := &g.client.Beta.Sessions.Events
	ctx, cancel := context.WithTimeout(g.ctx, time.Minute)
	defer cancel()
	stream := e.StreamEvents(ctx, session, sdk.BetaSessionEventStreamParams{})
	defer stream.Close() //nolint:errcheck // it is cut off here
	for _, text := range []string{"one", "two"} {
		sent, err := e.Send(ctx, session, sdk.BetaSessionEventSendParams{Events: []sdk.BetaManagedAgentsEventParamsUnion{{OfUserMessage: g.message(text)}}})
		g.eq("sent", len(okV1(g, sent, err).Data), 1)
	}
	_, err := e.Send(ctx, session, sdk.BetaSessionEventSendParams{Events: []sdk.BetaManagedAgentsEventParamsUnion{
		{OfUserInterrupt: &sdk.BetaManagedAgentsUserInterruptEventParams{Type: "user.interrupt"}},
	}})
	okV1(g, 0, err)
	var followed []string
	for len(followed) < 3 && stream.Next() {
		followed = append(followed, stream.Current().ID)
	}
	okV1(g, 0, stream.Err())
	var listed, texts []string
	pages := e.ListAutoPaging(ctx, session, sdk.BetaSessionEventListParams{Limit: sdk.Int(1)})
	for pages.Next() {
		listed = append(listed, pages.Current().ID)
		if pages.Current().Type == "user.message" {
			texts = append(texts, pages.Current().AsUserMessage().Content[0].Text)
		}
	}
	g.eq("texts", okV1(g, texts, pages.Err()), "[zero one two]")
	g.eq("followed", followed, listed[1:])
	page, err := e.List(ctx, session, sdk.BetaSessionEventListParams{Order: "desc", Types: []sdk.BetaManagedAgentsSessionEventType{"user.message"}})
	g.eq("the last", []any{len(okV1(g, page, err).Data), page.Data[0].ID}, []any{3, listed[2]})
	_, err = e.Send(ctx, session, sdk.BetaSessionEventSendParams{})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
}

// dreams makes, reads, lists, cancels and archives one.
func (g *goV1) dreams() {
	store := g.store()
	session, err := g.client.Beta.Sessions.New(g.ctx, sdk.BetaSessionNewParams{
		Agent: sdk.BetaSessionNewParamsAgentUnion{OfString: sdk.String("agent_x")}, EnvironmentID: "env_x",
		InitialEvents: []sdk.BetaSessionNewParamsInitialEventUnion{{OfUserMessage: g.message("Please remember: we deploy on Mondays.")}},
	})
	id := okV1(g, session, err).ID
	d := &g.client.Beta.Dreams
	made, err := d.New(g.ctx, sdk.BetaDreamNewParams{
		Model: sdk.BetaDreamNewParamsModelUnion{OfString: sdk.String("rules")},
		Inputs: []sdk.BetaDreamInputUnionParam{
			{OfMemoryStore: &sdk.BetaDreamMemoryStoreInputParam{Type: "memory_store", MemoryStoreID: store}},
			{OfSessions: &sdk.BetaDreamSessionsInputParam{Type: "sessions", SessionIDs: []string{id}}},
		},
	})
	one := okV1(g, made, err)
	g.eq("dream", []any{one.Status, one.Model.ID, len(one.Inputs)}, "[pending rules 2]")
	for deadline := time.Now().Add(2 * time.Minute); one.EndedAt.IsZero() && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		made, err = d.Get(g.ctx, one.ID, sdk.BetaDreamGetParams{})
		one = okV1(g, made, err)
	}
	g.eq("ended", []any{one.Status, len(one.Outputs)}, "[completed 1]")
	_, err = d.Cancel(g.ctx, one.ID, sdk.BetaDreamCancelParams{})
	g.refused(err, http.StatusBadRequest, "invalid_request_error")
	made, err = d.Archive(g.ctx, one.ID, sdk.BetaDreamArchiveParams{})
	if okV1(g, made, err).ArchivedAt.IsZero() {
		g.t.Error("the dream is not archived")
	}
	n, pages := 0, d.ListAutoPaging(g.ctx, sdk.BetaDreamListParams{Limit: sdk.Int(1), IncludeArchived: sdk.Bool(true), Statuses: []sdk.BetaDreamStatus{"completed"}})
	for pages.Next() {
		n++
	}
	g.eq("dreams", okV1(g, n, pages.Err()), 1)
}

// cancel cancels a dream that runs, twice.
func (g *goV1) cancel(dream string) {
	d := &g.client.Beta.Dreams
	made, err := d.Cancel(g.ctx, dream, sdk.BetaDreamCancelParams{})
	one := okV1(g, made, err)
	g.eq("canceled", []any{one.Status, one.EndedAt.IsZero()}, "[canceled false]")
	made, err = d.Cancel(g.ctx, dream, sdk.BetaDreamCancelParams{})
	g.eq("again", okV1(g, made, err).EndedAt, one.EndedAt)
}

// once are calls of which the watched way answers or loses the first.
func (g *goV1) once(call string, id, store string) error {
	m := &g.client.Beta.MemoryStores.Memories
	var err error
	switch call {
	case "read":
		_, err = m.Get(g.ctx, id, sdk.BetaMemoryStoreMemoryGetParams{MemoryStoreID: store})
	case "change":
		_, err = m.Update(g.ctx, id, sdk.BetaMemoryStoreMemoryUpdateParams{MemoryStoreID: store, Content: sdk.String("changed")})
	case "create":
		_, err = m.New(g.ctx, store, sdk.BetaMemoryStoreMemoryNewParams{Path: "/once", Content: sdk.String("x")})
	}
	return err
}
