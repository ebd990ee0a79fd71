package app

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"ostler.example/hotel"
)

// health answers the machine's own questions: is the program alive, can it work.
type health struct {
	clock hotel.Clock

	mu   sync.Mutex
	env  *Environment // nil until everything has been started
	last time.Time    // when the clock's work last went well
}

func (h *health) open(env *Environment) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.env, h.last = env, h.clock.Now()
}

func (h *health) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = h.clock.Now()
}

// scheduleLate is how long the clock's work, due every second, may fail before
// the program counts as unable to work.
const scheduleLate = 30 * time.Second

// writableWithin is how long the ledger may take to begin and end a write.
const writableWithin = 5 * time.Second

// readiness is what /readyz answers.
type readiness struct {
	Status   string            `json:"status"`
	Checks   map[string]string `json:"checks"`
	Channels map[string]string `json:"channels"` // for information: one dead channel is no reason to stop asking us
}

// handler serves the machine's own tools; metrics is what answers /metrics.
func (h *health) handler(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"status": "pass"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ready := h.check(r.Context())
		status := http.StatusOK
		if ready.Status != "pass" {
			status = http.StatusServiceUnavailable
		}
		answer(w, status, ready)
	})
	return mux
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who asked has gone, if it fails
}

func (h *health) check(ctx context.Context) readiness {
	h.mu.Lock()
	env, last := h.env, h.last
	h.mu.Unlock()
	ready := readiness{Status: "pass", Checks: map[string]string{}, Channels: map[string]string{}}
	set := func(name string, passes bool) {
		ready.Checks[name] = "pass"
		if !passes {
			ready.Checks[name], ready.Status = "fail", "fail"
		}
	}
	set("migrations", env != nil) // it is served once the ledger is as this version has it
	if env == nil {
		return ready
	}
	ctx, stop := context.WithTimeout(ctx, writableWithin)
	defer stop()
	set("ledger_writable", env.Ledger.Writable(ctx) == nil)
	set("scheduler", h.clock.Now().Sub(last) < scheduleLate)
	set("webhook_worker", !env.webhooks.Failing())
	for _, s := range env.Engine.Status() {
		ready.Channels[s.ChannelID] = string(s.Gate.Breaker)
		if s.Failure != "" {
			ready.Channels[s.ChannelID] = "not_open"
		}
	}
	return ready
}
