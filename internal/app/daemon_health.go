package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// health answers the machine's own questions: is the program alive, can it work.
type health struct {
	clock hotel.Clock

	mu    sync.Mutex
	env   *Environment // nil until everything has been started
	last  time.Time    // when the clock's work last went well
	ended time.Time    // when it last ended
	why   string       // it did not go well then
	waits string       // why the ledger cannot be opened yet; "": it is being opened

	trying     sync.Mutex
	tried      time.Time // when it was last tried whether the ledger takes writes; zero: never
	unwritable error     // why it did not
}

// waitFor notes what the start waits for.
func (h *health) waitFor(why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waits = why
}

func (h *health) open(env *Environment) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.env, h.last, h.ended = env, h.clock.Now(), h.clock.Now()
}

// beat notes that the clock's work has ended, and what of it failed.
func (h *health) beat(failed error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended, h.why = h.clock.Now(), reasonOf(failed); failed == nil {
		h.last = h.ended
	}
}

// isFull reports whether something failed because a disk is full.
func isFull(err error) bool { return ledger.IsFull(err) || errors.Is(err, syscall.ENOSPC) }

// reasonOf says why the ledger did not do something, in words that name no file and repeat
// nobody.
func reasonOf(err error) string {
	switch {
	case err == nil:
		return ""
	case isFull(err) && errors.Is(err, errNoBackup):
		return "the disk of the backup before the upgrade is full"
	case isFull(err):
		return "the disk is full"
	case ledger.IsRefused(err), errors.Is(err, syscall.EROFS):
		return "the ledger's files cannot be written to: its file system may be read-only"
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not end in time"
	}
	return "the log says why"
}

// late says why the clock's work counts as failing.
func (h *health) late() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clock.Now().Sub(h.ended) >= scheduleLate {
		return "it has come to no end since " + h.ended.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("it has failed since %s: %s", h.last.UTC().Format(time.RFC3339), h.why)
}

// scheduleLate is how long the clock's work, due every second, may fail before
// the program counts as unable to work.
const scheduleLate = 30 * time.Second

// writableWithin is how long the ledger may take to begin and end a write, and writableFor
// how long its answer counts: it is a write to the disk, which not every question is to cost.
const (
	writableWithin = 5 * time.Second
	writableFor    = 5 * time.Second
)

// writable tries whether the ledger takes writes, unless it was tried just now. It does not
// end with whoever asked, because others are told its answer.
func (h *health) writable(ctx context.Context, l *ledger.Ledger) error {
	h.trying.Lock()
	defer h.trying.Unlock()
	if now := h.clock.Steady(); h.tried.IsZero() || now.Sub(h.tried) >= writableFor {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), writableWithin)
		defer stop()
		h.unwritable = l.Writable(ctx)
		h.tried = h.clock.Steady()
	}
	return h.unwritable
}

// readiness is what /readyz answers.
type readiness struct {
	Status   string            `json:"status"`
	Checks   map[string]string `json:"checks"`
	Reasons  map[string]string `json:"reasons,omitempty"` // of the checks that fail
	Channels map[string]string `json:"channels"`          // for information: one dead channel is no reason to stop asking us
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
	env, last, waits := h.env, h.last, h.waits
	h.mu.Unlock()
	ready := readiness{Status: "pass", Checks: map[string]string{}, Channels: map[string]string{}}
	set := func(name string, passes bool, why func() string) {
		if ready.Checks[name] = "pass"; passes {
			return
		}
		ready.Checks[name], ready.Status = "fail", "fail"
		if ready.Reasons == nil {
			ready.Reasons = map[string]string{}
		}
		ready.Reasons[name] = why()
	}
	// It is served once the ledger is as this version has it.
	set("migrations", env != nil, func() string { return cmp.Or(waits, "the ledger is being opened, or brought up to date") })
	if env == nil {
		return ready
	}
	err := h.writable(ctx, env.Ledger)
	set("ledger_writable", err == nil, func() string { return reasonOf(err) })
	set("scheduler", h.clock.Now().Sub(last) < scheduleLate, h.late)
	set("webhook_worker", !env.webhooks.Failing(), func() string { return "it cannot read or write the ledger; the log says why" })
	for _, s := range env.Engine.Status() {
		ready.Channels[s.ChannelID] = string(s.Gate.Breaker)
		if s.Failure != "" {
			ready.Channels[s.ChannelID] = "not_open"
		}
	}
	return ready
}
