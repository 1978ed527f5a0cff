// Package telemetry tells whoever runs a server how it is: figures for Prometheus, and
// traces over OTLP, each on request. Neither holds a content, a path, a key, or an id
// other than that of a request.
package telemetry

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Watch is told of a request when it comes, and of its answer: the route is that of the
// OpenAPI document, or "other". What it returns is handled in place of the request.
type Watch func(r *http.Request) (*http.Request, func(route string, status int))

// All is several watches as one.
func All(watches ...Watch) Watch {
	return func(r *http.Request) (*http.Request, func(string, int)) {
		ends := make([]func(string, int), 0, len(watches))
		for _, w := range watches {
			var end func(string, int)
			r, end = w(r)
			ends = append(ends, end)
		}
		return r, func(route string, status int) {
			for _, end := range ends {
				end(route, status)
			}
		}
	}
}

// Metrics are the figures of a server.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	flying   prometheus.Gauge
}

// Dreams counts the dreams of all workspaces by their state; it is asked when figures
// are.
type Dreams func(ctx context.Context) (map[string]int, error)

// NewMetrics makes them. pools are the database's by name.
func NewMetrics(version string, dreams Dreams, pools map[string]*sql.DB) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dormoused_requests_total", Help: "Requests that were answered."}, []string{"method", "route", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "dormoused_request_seconds", Help: "How long answers took; of streams, how long they lasted.", Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
		}, []string{"method", "route"}),
		flying: prometheus.NewGauge(prometheus.GaugeOpts{Name: "dormoused_requests_in_flight", Help: "Requests that are being answered."}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "dormoused_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.took, m.flying, info, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), byState{dreams})
	for name, p := range pools {
		m.registry.MustRegister(collectors.NewDBStatsCollector(p, name))
	}
	return m
}

// Watch counts requests.
func (m *Metrics) Watch(r *http.Request) (*http.Request, func(string, int)) {
	began, method := time.Now(), known(r.Method)
	m.flying.Inc()
	return r, func(route string, status int) {
		m.flying.Dec()
		m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
		m.took.WithLabelValues(method, route).Observe(time.Since(began).Seconds())
	}
}

// known keeps a client from making as many series as there are words.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodHead:
		return method
	}
	return "other"
}

// Handler serves the figures.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Timeout: 10 * time.Second, MaxRequestsInFlight: 4}))
	return mux
}

// byState asks for dreams when figures are asked for.
type byState struct{ ask Dreams }

var dreamsDesc = prometheus.NewDesc("dormoused_dreams", "Dreams by their state.", []string{"status"}, nil) //nolint:gochecknoglobals // a description that never changes

// Describe says what Collect gives.
func (b byState) Describe(ch chan<- *prometheus.Desc) { ch <- dreamsDesc }

// Collect gives the dreams; none where the database does not answer.
func (b byState) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	states, err := b.ask(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(dreamsDesc, err)
		return
	}
	for state, n := range states {
		ch <- prometheus.MustNewConstMetric(dreamsDesc, prometheus.GaugeValue, float64(n), state)
	}
}
