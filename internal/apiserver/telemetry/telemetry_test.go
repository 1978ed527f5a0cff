package telemetry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func request(method, path string) *http.Request {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	return r
}

func TestRequestsAreCountedByRouteAndStatusAndNothingElse(t *testing.T) {
	t.Parallel()
	m := NewMetrics("1.2.3", func(context.Context) (map[string]int, error) { return map[string]int{"running": 2}, nil }, nil)
	_, end := All(m.Watch)(request("GET", "/v1/memory_stores/memstore_secret/memories?path_prefix=/secret/"))
	end("/v1/memory_stores/{store}/memories", 200)
	_, end = m.Watch(request("BREW", "/secret"))
	end("other", 404)
	_, _ = m.Watch(request("GET", "/secret"))
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`dormoused_requests_total{method="GET",route="/v1/memory_stores/{store}/memories",status="200"} 1`, `dormoused_requests_total{method="other",route="other",status="404"} 1`,
		`dormoused_requests_in_flight 1`, `dormoused_dreams{status="running"} 2`, `dormoused_build_info{version="1.2.3"} 1`, `dormoused_request_seconds_bucket{`, "go_goroutines",
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(string(body), "secret") {
		t.Error("an id or a path is told")
	}
}

func TestADatabaseThatIsAwayIsAnErrorAndNoHang(t *testing.T) {
	t.Parallel()
	m := NewMetrics("", func(context.Context) (map[string]int, error) { return nil, errors.New("away") }, nil)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("%d", w.Code)
	}
}

func TestASpanHasItsParentItsRouteAndNoContent(t *testing.T) {
	t.Parallel()
	kept := tracetest.NewInMemoryExporter()
	traces := newTraces("1", sdktrace.WithSyncer(kept))
	r, end := traces.Watch(request("GET", "/v1/memory_stores/memstore_secret/memories?path_prefix=/secret/"))
	_, done := traces.Span(r.Context(), "transaction")
	done(errors.New("secret"))
	end("/v1/memory_stores/{store}/memories", 500)
	spans := kept.GetSpans()
	if len(spans) != 2 || spans[1].Name != "GET /v1/memory_stores/{store}/memories" || spans[1].Parent.SpanID().String() != "b7ad6b7169203331" || spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() {
		t.Fatalf("%+v", spans)
	}
	for _, s := range spans {
		for _, a := range s.Attributes {
			if strings.Contains(a.Value.String(), "secret") {
				t.Errorf("%s is told", a.Key)
			}
		}
		if strings.Contains(s.Status.Description, "secret") || len(s.Events) > 0 {
			t.Errorf("%+v is told", s.Status)
		}
	}
}
