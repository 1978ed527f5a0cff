package telemetry

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces sends a span for each request, and for each transaction in it.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	from     propagation.TraceContext
}

// NewTraces makes them. endpoint is the address of a collector, as in
// http://127.0.0.1:4318; "" leaves it to OTEL_EXPORTER_OTLP_ENDPOINT and its kin.
func NewTraces(ctx context.Context, endpoint, version string) (*Traces, error) {
	var o []otlptracehttp.Option
	if endpoint != "" {
		o = append(o, otlptracehttp.WithEndpointURL(endpoint))
	}
	exporter, err := otlptracehttp.New(ctx, o...)
	if err != nil {
		return nil, fmt.Errorf("preparing traces: %w", err)
	}
	return newTraces(version, sdktrace.WithBatcher(exporter)), nil
}

func newTraces(version string, o sdktrace.TracerProviderOption) *Traces {
	p := sdktrace.NewTracerProvider(o, sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "dormoused"), attribute.String("service.version", version))))
	return &Traces{provider: p, tracer: p.Tracer("dormoused")}
}

// Watch makes a span of a request; one that the client is in becomes its parent.
func (t *Traces) Watch(r *http.Request) (*http.Request, func(string, int)) {
	ctx := t.from.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	method := known(r.Method)
	ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("http.request.method", method)))
	return r.WithContext(ctx), func(route string, status int) {
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		span.End()
	}
}

// Span makes a span of a part of what is done.
func (t *Traces) Span(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "") // its text may hold what somebody wrote
		}
		span.End()
	}
}

// Stop sends what was not sent yet.
func (t *Traces) Stop(ctx context.Context) error {
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("sending the last traces: %w", err)
	}
	return nil
}
