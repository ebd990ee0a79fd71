package sync_test

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// lateHeader marks a message that does not come straight from its sender.
const lateHeader = "Sim-Late"

// bag is what the post has taken and not brought yet.
type bag struct {
	w       *world
	outside context.Context
	line    http.RoundTripper

	mu    sync.Mutex
	n     int
	items map[int]*late
}

// late is one message on its way.
type late struct {
	request   *http.Request
	body      []byte
	reference string
	copy      bool // its original has arrived
	hurry     chan struct{}
	hurried   bool
}

func (b *bag) open(outside context.Context, w *world) {
	b.w, b.outside, b.line, b.items = w, outside, w.net.Line(outside), map[int]*late{}
}

// stray is the post before the hotel's door: some answers get lost, some messages
// come twice, and some later than others that were sent after them.
func (w *world) stray(door http.Handler) http.Handler {
	if !w.habits.strays {
		return door
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		dice := w.own(r.URL.Path)
		switch roll := dice.IntN(100); {
		case r.Header.Get(lateHeader) != "" || roll >= 30:
			door.ServeHTTP(rw, r)
		case roll < 10:
			w.count("answer to a message lost")
			door.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case roll < 20:
			w.count("message twice")
			w.bag.put(r, body, true, time.Duration(dice.Int64N(int64(48*time.Hour))))
			door.ServeHTTP(rw, r)
		default:
			w.count("message late")
			w.bag.put(r, body, false, time.Duration(dice.Int64N(int64(2*time.Minute))))
			_, _ = io.WriteString(rw, "{}")
		}
	})
}

// own is dice for what happens to one call, whatever else happens.
func (w *world) own(what string) *rand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, what+time.Now().String())
	return rand.New(rand.NewPCG(w.seed+1, h.Sum64()))
}

// put takes a message that is to be brought after a while.
func (b *bag) put(r *http.Request, body []byte, isCopy bool, after time.Duration) {
	var said struct {
		Reference string `json:"reference"`
	}
	_ = json.Unmarshal(body, &said) // a far side writes what can be read
	again, err := http.NewRequestWithContext(b.outside, r.Method, "http://hotel.test"+r.URL.Path, nil)
	if err != nil {
		b.w.t.Error(err)
		return
	}
	again.Header = r.Header.Clone()
	again.Header.Set(lateHeader, "1")
	item := &late{request: again, body: body, reference: said.Reference, copy: isCopy, hurry: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	b.items[b.n] = item
	go b.bring(b.n, item, after)
}

// bring delivers a message until it is taken.
func (b *bag) bring(n int, item *late, after time.Duration) {
	own := wayTurn + 300 + turn(n%100)
	timer, hurry := time.NewTimer(own.after(after)), item.hurry
	defer timer.Stop()
	for {
		select {
		case <-b.outside.Done():
			return
		case <-timer.C:
		case <-hurry:
			hurry = nil
			own.take()
		}
		r := item.request.Clone(b.outside)
		r.Body = io.NopCloser(bytes.NewReader(item.body))
		if answer, err := b.line.RoundTrip(r); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				b.mu.Lock()
				delete(b.items, n)
				b.mu.Unlock()
				return
			}
		}
		timer.Reset(own.after(10 * time.Second))
	}
}

// empty has everything brought now but the copies of what has arrived, and
// reports whether that is all done.
func (b *bag) empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	none := true
	for _, n := range slices.Sorted(maps.Keys(b.items)) {
		item := b.items[n]
		if item.copy {
			continue
		}
		none = false
		if !item.hurried {
			item.hurried = true
			close(item.hurry)
		}
	}
	return none
}

// carries lists the bookings of which something is on its way.
func (b *bag) carries() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]bool{}
	for _, item := range b.items {
		if !item.copy {
			all[item.reference] = true
		}
	}
	return all
}

// wire is what carries the calls of the hotel's side: pages of messages arrive
// out of order, and planted bugs misread answers.
type wire struct {
	http.RoundTripper
	w *world
}

// RoundTrip implements [http.RoundTripper].
func (c wire) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		sent, _ = io.ReadAll(r.Body)
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	if c.w.bug.onSend != nil {
		c.w.bug.onSend(c.w, r)
	}
	answer, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if c.w.habits.shuffle && strings.HasSuffix(r.URL.Path, "/feed") {
		c.w.shuffle(answer)
	}
	if c.w.bug.onReply != nil {
		c.w.bug.onReply(sent, answer)
	}
	return answer, nil
}

// shuffle puts the messages of a page out of order, and some in twice.
func (w *world) shuffle(answer *http.Response) {
	dice := w.own("page")
	rewrite(answer, func(page map[string]json.RawMessage) {
		var messages []json.RawMessage
		if json.Unmarshal(page["messages"], &messages) != nil || len(messages) < 2 || dice.IntN(2) == 0 {
			return
		}
		w.count("page out of order")
		dice.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		if dice.IntN(3) == 0 {
			w.count("message twice")
			messages = append(messages, messages[0])
		}
		page["messages"], _ = json.Marshal(messages)
	})
}

// rewrite changes an answer that is an object.
func rewrite(answer *http.Response, change func(map[string]json.RawMessage)) {
	body, _ := io.ReadAll(answer.Body)
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) == nil {
		change(all)
		body, _ = json.Marshal(all)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
}

// misplaceRefusals is what a connector would make of refusals that it matched by
// their place in the answer.
func misplaceRefusals(sent []byte, answer *http.Response) {
	var call struct {
		Updates []map[string]json.RawMessage `json:"updates"`
	}
	if json.Unmarshal(sent, &call) != nil || len(call.Updates) == 0 {
		return
	}
	rewrite(answer, func(said map[string]json.RawMessage) {
		var refused []map[string]json.RawMessage
		if json.Unmarshal(said["rejected"], &refused) != nil || len(refused) == 0 {
			return
		}
		for i, r := range refused {
			at := call.Updates[min(i, len(call.Updates)-1)]
			for _, name := range []string{"room", "rate", "from", "to"} {
				delete(r, name)
				if at[name] != nil {
					r[name] = at[name]
				}
			}
			delete(r, "guests")
			for field, name := range map[string]string{"available": "available", "closures": "closures", "lengths": "lengths", "prices": "price"} {
				if at[field] != nil {
					r["field"], _ = json.Marshal(name)
				}
			}
			if at["prices"] != nil {
				var p [1]struct {
					Guests json.RawMessage `json:"guests"`
				}
				_ = json.Unmarshal(at["prices"], &p)
				r["guests"] = p[0].Guests
			}
		}
		said["rejected"], _ = json.Marshal(refused)
	})
}
