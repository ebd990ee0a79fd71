package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// world is a ledger with one client and its endpoints, in a bubble.
type world struct {
	t      *testing.T
	path   string
	ledger *ledger.Ledger
	house  testkit.House
	client auth.Client
	seal   *auth.Seal
	net    *receivers
	stop   func() // the worker; nil while it does not run
}

// inWorld runs f in a bubble, with the worker at work.
func inWorld(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	path := filepath.Join(testkit.Folder(t), "production.db")
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, path: path, seal: auth.NewSeal([32]byte{1}), net: &receivers{answer: map[string]func(n int) answer{}}}
		w.open()
		w.house = testkit.NewHouse(t, w.ledger)
		c := auth.Client{
			ID: "cli_live_1", Name: "Partner", Environment: auth.Production, Kind: "pms", Tier: auth.Standard, Scopes: auth.AllScopes(),
			PropertyIDs: []string{auth.AllProperties}, Status: auth.ClientActive, CreatedAt: time.Now(), UpdatedAt: time.Now(), Revision: 1,
		}
		var err error
		if w.client, _, err = w.ledger.CreateClient(t.Context(), testkit.Tester, hotel.Once{}, c, [32]byte{}); err != nil {
			t.Fatal(err)
		}
		w.start()
		f(t, w)
		w.end()
		w.check(w.ledger.Close())
	})
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) open() {
	var err error
	w.ledger, err = ledger.Open(context.Background(), ledger.Options{Path: w.path, Clock: hotel.SystemClock{}})
	w.check(err)
}

// start sets a fresh worker to work, as a start of the program does.
func (w *world) start() { w.startOn(w.ledger) }

func (w *world) startOn(l Ledger) {
	post := NewPost(PostOptions{Seal: w.seal, Clock: hotel.SystemClock{}, Environment: auth.Production, Transport: w.net})
	worker := New(Options{Ledger: l, Clients: w.ledger, Writer: plainWriter{}, Post: post, Clock: hotel.SystemClock{}, Log: zap.NewNop()})
	worker.every = 12 * time.Hour // nothing is slept through: what looks without reason only costs time
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		worker.Run(ctx)
	}()
	w.stop = func() {
		cancel()
		<-ended
	}
}

func (w *world) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// restart ends the program and starts it again.
func (w *world) restart() {
	w.t.Helper()
	w.end()
	w.check(w.ledger.Close())
	w.open()
	w.start()
}

// endpoint makes an endpoint at a host.
func (w *world) endpoint(host string, types ...string) hotel.WebhookEndpoint {
	w.t.Helper()
	e, _, err := w.ledger.CreateWebhookEndpoint(context.Background(), testkit.Tester, hotel.Once{}, hotel.WebhookEndpoint{
		ClientID: w.client.ID, WebhookSettings: hotel.WebhookSettings{URL: "https://" + host + "/hook", EventTypes: types}, Position: -1,
	}, w.seal.Close([]byte(vectorSecret), w.client.ID))
	w.check(err)
	return e
}

func (w *world) now(id string) hotel.WebhookEndpoint {
	w.t.Helper()
	e, err := w.ledger.WebhookEndpoint(context.Background(), id)
	w.check(err)
	return e
}

func (w *world) deliveries(id string) []hotel.WebhookDelivery {
	w.t.Helper()
	list, err := w.ledger.WebhookDeliveries(context.Background(), hotel.WebhookDeliveryFilter{EndpointID: id, Limit: 10000})
	w.check(err)
	return list
}

// rename has something happen to the property: one event property.updated.
func (w *world) rename(name string) {
	w.t.Helper()
	_, _, err := w.ledger.ChangeProperty(context.Background(), testkit.Tester, hotel.Once{}, w.house.Property.ID, hotel.Change[hotel.Property]{
		Apply: func(p *hotel.Property) error { p.Name = name; return nil },
	})
	w.check(err)
}

// events are the ids of what happened of one kind, in order.
func (w *world) events(kind ledger.Kind) []string {
	w.t.Helper()
	var ids []string
	for after := int64(0); ; {
		entries, err := w.ledger.Entries(context.Background(), after, 500)
		w.check(err)
		for _, e := range entries {
			if after = e.Sequence; e.Kind == kind {
				ids = append(ids, e.ID)
			}
		}
		if len(entries) < 500 {
			return ids
		}
	}
}

// wait lets time pass.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// plainWriter writes of an event what it is and how many entries it tells.
type plainWriter struct{}

func (plainWriter) WebhookBody(_ context.Context, _ auth.Who, entries []ledger.Entry) (desk.WebhookBody, error) {
	e := entries[len(entries)-1]
	body, err := json.Marshal(map[string]any{"id": e.ID, "type": e.Kind, "sequence": e.Sequence, "entries": len(entries), "guest": "Ada Lovelace"})
	return desk.WebhookBody{JSON: body, Private: []string{"Ada Lovelace"}}, err
}

// answer is what a receiver says, and how long it takes.
type answer struct {
	status int // 0: the connection breaks
	after  time.Duration
	body   string
	header http.Header
}

// request is one call that a receiver got.
type request struct {
	at         time.Time
	id         string
	signatures []string
	verified   bool
	sequence   int64
	entries    int
	header     http.Header
}

// receivers stand for everything outside.
type receivers struct {
	mu     sync.Mutex
	answer map[string]func(n int) answer // by host; n counts its calls from 1
	calls  map[string][]request
	open   map[string]int
	most   map[string]int // calls at a time
}

var errBroken = errors.New("connection reset at 10.0.0.7:443")

// RoundTrip takes a call.
func (r *receivers) RoundTrip(q *http.Request) (*http.Response, error) {
	host := q.URL.Host
	a := r.take(host, q)
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open[host]--
	}()
	timer := time.NewTimer(a.after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.Context().Done():
		return nil, q.Context().Err()
	}
	if a.status == 0 {
		return nil, errBroken
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)), Request: q}, nil
}

func (r *receivers) take(host string, q *http.Request) answer {
	body, _ := io.ReadAll(q.Body)
	var e struct {
		Sequence int64
		Entries  int
	}
	_ = json.Unmarshal(body, &e) // a ping has neither
	sent, _ := strconv.ParseInt(q.Header.Get("Webhook-Timestamp"), 10, 64)
	one := request{
		at: time.Now(), id: q.Header.Get("Webhook-Id"), signatures: strings.Fields(q.Header.Get("Webhook-Signature")), sequence: e.Sequence, entries: e.Entries, header: q.Header,
	}
	for _, s := range one.signatures {
		expected, err := sign(vectorSecret, one.id, time.Unix(sent, 0), body)
		one.verified = one.verified || err == nil && s == expected
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls, r.open, r.most = map[string][]request{}, map[string]int{}, map[string]int{}
	}
	r.calls[host] = append(r.calls[host], one)
	r.open[host]++
	r.most[host] = max(r.most[host], r.open[host])
	if say := r.answer[host]; say != nil {
		return say(len(r.calls[host]))
	}
	return answer{status: 204}
}

func (r *receivers) got(host string) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]request(nil), r.calls[host]...)
}

// says has a host answer by one function of how often it was called.
func (r *receivers) says(host string, f func(n int) answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer[host] = f
}
