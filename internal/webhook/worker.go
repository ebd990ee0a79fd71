package webhook

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/ledger"
)

// Ledger is what the worker needs of the ledger.
type Ledger interface {
	Changed() <-chan struct{}
	Sequence(ctx context.Context) (int64, error)
	Entries(ctx context.Context, after int64, limit int) ([]ledger.Entry, error)
	EventsTogether(ctx context.Context, d hotel.WebhookDelivery) ([]ledger.Entry, error)

	LiveWebhooks(ctx context.Context) ([]hotel.WebhookEndpoint, error)
	TurnWebhooks(ctx context.Context, steps []hotel.WebhookStep) error
	ClaimWebhooks(ctx context.Context, room map[string]int) ([]hotel.WebhookDelivery, error)
	SettleWebhook(ctx context.Context, sent hotel.WebhookDelivery, o hotel.WebhookOutcome) error
	GiveWebhooksUp(ctx context.Context, ids []string) error
}

var _ Ledger = (*ledger.Ledger)(nil)

// Clients knows who may hear what.
type Clients interface {
	Client(ctx context.Context, id string) (c auth.Client, ok bool, err error)
}

// Writer writes events as a client may read them.
type Writer interface {
	// WebhookBody writes entries of one kind and subject as one event, the last.
	WebhookBody(ctx context.Context, who auth.Who, entries []ledger.Entry) (desk.WebhookBody, error)
}

// Options are what a Worker needs; all are required but Called.
type Options struct {
	Ledger  Ledger
	Clients Clients
	Writer  Writer
	Post    *Post
	Clock   hotel.Clock
	Sandbox string          // whose clients are called; "" for those of production
	Called  func(well bool) // is told of every call that is over; nil: nobody is
	Log     *zap.Logger
}

const (
	together  = 4                      // calls to one endpoint at a time
	collect   = 100 * time.Millisecond // for which commits are looked at as one
	lookAgain = time.Minute            // when no commit has asked for it
	again     = time.Second            // after the ledger has failed
	patience  = 3 * time.Second        // for calls under way when the worker ends
)

// Worker delivers events. A receiver that is slow or dead has calls of its own
// endpoint wait, and nobody else's: every call runs by itself.
type Worker struct {
	o       Options
	failing atomic.Bool   // the ledger did not answer when it was last asked
	every   time.Duration // look again when nothing has asked for it
	freed   chan struct{} // a call has ended
	calls   sync.WaitGroup

	mu      sync.Mutex
	flights map[string]int // calls under way, by endpoint
}

// New returns a worker. Run sets it to work.
func New(o Options) *Worker {
	return &Worker{o: o, every: lookAgain, freed: make(chan struct{}, 1), flights: map[string]int{}}
}

// Run delivers until ctx ends, and returns once no call is under way any more.
// Those that have no answer in a moment are given up: they were counted before they
// began, and are repeated by their schedule.
func (w *Worker) Run(ctx context.Context) {
	calling, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	for ctx.Err() == nil {
		changed := w.o.Ledger.Changed() // asked before looking, so that no commit slips by
		wait := w.look(ctx, calling)
		if wait <= 0 {
			continue
		}
		w.rest(ctx, changed, wait)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.calls.Wait()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
	giveUp()
	<-ended
}

// rest waits for a commit, the end of a call, or so long.
func (w *Worker) rest(ctx context.Context, changed <-chan struct{}, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-changed:
	case <-w.freed:
		return
	case <-timer.C:
		return
	case <-ctx.Done():
		return
	}
	if wait > collect {
		timer.Reset(collect)
	}
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// look does what there is to do and returns how long there is nothing.
func (w *Worker) look(ctx, calling context.Context) time.Duration {
	wait, err := w.pass(ctx, calling)
	if err == nil {
		w.failing.Store(false)
		return wait
	}
	if ctx.Err() == nil && !w.failing.Swap(true) {
		w.o.Log.Error("webhooks wait; the ledger is asked again each second", zap.Error(err))
	}
	return again
}

// Failing reports whether the worker could not work when it last tried.
func (w *Worker) Failing() bool { return w.failing.Load() }

// receiver is an endpoint with its client.
type receiver struct {
	hotel.WebhookEndpoint
	caller desk.Caller
}

// pass makes deliveries of what is new and calls what is due.
func (w *Worker) pass(ctx, calling context.Context) (time.Duration, error) {
	receivers, err := w.receivers(ctx)
	if err != nil {
		return 0, err
	}
	if ids := w.hopeless(receivers); len(ids) > 0 {
		return 0, w.o.Ledger.GiveWebhooksUp(ctx, ids)
	}
	turned, err := w.turn(ctx, receivers)
	if err != nil {
		return 0, err
	}
	room, next := w.room(receivers)
	if turned {
		next = 0
	}
	if len(room) == 0 {
		return next, nil
	}
	due, err := w.o.Ledger.ClaimWebhooks(ctx, room)
	if err != nil {
		return 0, err
	}
	byID := map[string]receiver{}
	for _, r := range receivers {
		byID[r.ID] = r
	}
	for _, d := range due {
		w.start(calling, byID[d.EndpointID], d)
	}
	if len(due) == 0 && !turned {
		next = min(next, collect) // they were not due yet by the ledger's own clock
	} else {
		next = 0
	}
	return next, nil
}

// receivers are the endpoints of clients that may call here, as they are now: not of
// one that has moved to another sandbox since.
func (w *Worker) receivers(ctx context.Context) ([]receiver, error) {
	endpoints, err := w.o.Ledger.LiveWebhooks(ctx)
	if err != nil {
		return nil, err
	}
	var list []receiver
	for _, e := range endpoints {
		c, ok, err := w.o.Clients.Client(ctx, e.ClientID)
		if err != nil {
			return nil, fmt.Errorf("read the client of webhook endpoint %s: %w", e.ID, err)
		}
		if ok && c.Status == auth.ClientActive && c.SandboxID == w.o.Sandbox && e.Status == hotel.WebhookEnabled {
			list = append(list, receiver{e, desk.Caller{Who: c.Who()}})
		}
	}
	return list, nil
}

// room is how many calls of each endpoint may begin now, and how long it takes
// until there is something to call when there is nothing.
func (w *Worker) room(receivers []receiver) (map[string]int, time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	room, next := map[string]int{}, w.every
	for _, r := range receivers {
		if !r.FailingSince.IsZero() {
			next = min(next, w.o.Clock.Until(r.FailingSince.Add(hotel.WebhookGivenUp)))
		}
		most := together
		if r.Slow {
			most = 1
		}
		free := most - w.flights[r.ID]
		if free <= 0 || r.NextAt.IsZero() {
			continue // the end of a call wakes us
		}
		if r.NextAt.After(w.o.Clock.Now()) {
			next = min(next, w.o.Clock.Until(r.NextAt))
			continue
		}
		room[r.ID] = free
	}
	return room, max(next, time.Millisecond)
}

// hopeless are the endpoints at which nothing has gone well for too long.
func (w *Worker) hopeless(receivers []receiver) []string {
	var ids []string
	for _, r := range receivers {
		if !r.FailingSince.IsZero() && w.o.Clock.Now().Sub(r.FailingSince) >= hotel.WebhookGivenUp {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
