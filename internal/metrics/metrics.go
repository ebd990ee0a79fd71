// Package metrics counts what the program does and shows it, with the state of the
// ledger, in the form that Prometheus reads. It knows names, kinds and labels; what is
// counted comes from outside.
//
// No label holds what a client or a guest has chosen: the number of series grows with
// the channels, routes and readers that are configured, and with nothing else.
package metrics

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"

	"ostler.example/hotel"
)

// namespace is what all names begin with.
const namespace = "ostler"

// Metrics keeps the counters of one program, in a registry of its own. Its methods may
// be called at any time from anywhere, and never block.
type Metrics struct {
	registry *prometheus.Registry
	clock    hotel.Clock
	log      *zap.Logger

	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	limited  prometheus.Counter
	pushes   *prometheus.CounterVec
	pushTook *prometheus.HistogramVec
	circuits *prometheus.CounterVec
	commits  prometheus.Histogram
	batches  prometheus.Histogram
	webhooks *prometheus.CounterVec
}

// The bounds of histograms, in seconds unless they say otherwise.
var (
	answerBounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	callBounds   = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
	commitBounds = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5}
	batchBounds  = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} // items
)

// New returns metrics of a program of some version.
func New(version string, clock hotel.Clock, log *zap.Logger) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), clock: clock, log: log,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_requests_total",
			Help: "Requests of /v1 that were answered, by route (empty where there is none), method and status.",
		}, []string{"route", "method", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_seconds", Buckets: answerBounds,
			Help: "How long requests of /v1 took, those included that were asked to wait.",
		}, []string{"route", "method"}),
		limited: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "ratelimit_rejected_total",
			Help: "Requests of /v1 that were refused because their sender had made too many.",
		}),
		pushes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "sync_push_total",
			Help: "Calls that told a channel something and are over, by what they came to: applied, partial, rejected, unknown, not_sent.",
		}, []string{"channel", "result"}),
		pushTook: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "sync_push_seconds", Buckets: callBounds,
			Help: "How long calls that told a channel something waited for their answer.",
		}, []string{"channel"}),
		circuits: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "circuit_transitions_total",
			Help: "How often the breaker of a channel's account came into a state.",
		}, []string{"channel", "state"}),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "ledger_tx_seconds", Buckets: commitBounds,
			Help: "How long transactions of the ledger took, the sync to the disk included.",
		}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "ledger_tx_items", Buckets: batchBounds,
			Help: "How many business events one transaction of the ledger took in.",
		}),
		webhooks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "webhook_attempts_total",
			Help: "Calls of clients' webhooks, by result: delivered, failed.",
		}, []string{"result"}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "Always 1; the version stands in the label.",
	}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(
		m.requests, m.took, m.limited, m.pushes, m.pushTook, m.circuits, m.commits, m.batches, m.webhooks, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Handler answers with everything, in the format that the caller asks for.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: complaints{m.log}, ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 2, Timeout: scrapeTimeout,
	})
}

// scrapeTimeout is within what Prometheus waits by default.
const scrapeTimeout = 9 * time.Second

// complaints logs what could not be collected.
type complaints struct{ log *zap.Logger }

func (c complaints) Println(v ...any) {
	c.log.Warn("metrics could not be collected", zap.Any("why", v))
}

// Answered counts a request of the API. pattern is that of its route, as in
// "GET /v1/properties/{id}"; one that takes everything counts as none.
func (m *Metrics) Answered(pattern, method string, status int, took time.Duration) {
	route := pattern
	if _, path, ok := strings.Cut(pattern, " "); ok {
		route = path
	}
	if route == "/" {
		route = ""
	}
	if !methods[method] {
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(route, method).Observe(took.Seconds())
	if status == http.StatusTooManyRequests {
		m.limited.Inc()
	}
}

// methods are told apart; a client may send any word.
var methods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPatch: true, http.MethodPut: true,
	http.MethodDelete: true, http.MethodOptions: true, "QUERY": true,
}

// Pushed counts a call that told a channel something.
func (m *Metrics) Pushed(channel, result string, took time.Duration) {
	m.pushes.WithLabelValues(channel, result).Inc()
	m.pushTook.WithLabelValues(channel).Observe(took.Seconds())
}

// CircuitMoved counts that the breaker of a channel's account came into a state.
func (m *Metrics) CircuitMoved(channel, state string) {
	m.circuits.WithLabelValues(channel, state).Inc()
}

// Committed counts a transaction of the ledger.
func (m *Metrics) Committed(items int, took time.Duration) {
	m.commits.Observe(took.Seconds())
	m.batches.Observe(float64(items))
}

// WebhookCalled counts a call of a client's webhook.
func (m *Metrics) WebhookCalled(well bool) {
	result := "failed"
	if well {
		result = "delivered"
	}
	m.webhooks.WithLabelValues(result).Inc()
}
