package webhook

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/backoff"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

func TestWhatHappensIsDelivered(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rename("before anybody asked")
		all, rooms := w.endpoint("all", "*"), w.endpoint("rooms", "room_type.*")
		w.rename("One")
		wait(time.Second)
		if got := w.net.got("all"); len(got) != 1 || !got[0].verified || got[0].id != w.events(ledger.PropertyUpdated)[1] {
			t.Fatalf("called %+v", got)
		}
		if got := w.net.got("rooms"); len(got) != 0 {
			t.Errorf("told of what it does not hear: %+v", got)
		}
		newest, err := w.ledger.Sequence(t.Context())
		w.check(err)
		for _, id := range []string{all.ID, rooms.ID} {
			if e := w.now(id); e.Position != newest || e.Queued != 0 {
				t.Errorf("stands at %d of %d, %d queued", e.Position, newest, e.Queued)
			}
		}
		if d := w.deliveries(all.ID); len(d) != 1 || d[0].Status != hotel.WebhookDelivered || d[0].Attempts[0].Status != 204 {
			t.Errorf("deliveries %+v", d)
		}
	})
}

// The schedule of Standard Webhooks, through restarts, until it is exhausted; then
// a hand that sends it again under the same id.
func TestTheScheduleIsKeptThroughRestarts(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("dead", "*")
		w.net.says("dead", func(int) answer { return answer{status: 500, body: `{"sorry":"Ada LOVELACE 4111111111111111"}`} })
		w.rename("One")
		for range 17 {
			wait(5 * time.Hour)
			w.restart()
		}
		calls := w.net.got("dead")
		if len(calls) != backoff.Calls {
			t.Fatalf("%d calls", len(calls))
		}
		want := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
		for i, d := range want {
			if waited := calls[i+1].at.Sub(calls[i].at); waited < d*9/10 || waited > d*11/10+time.Second || calls[i+1].id != calls[0].id {
				t.Errorf("waited %s before call %d, want about %s", waited, i+2, d)
			}
		}
		d := w.deliveries(e.ID)
		if d[0].Status != hotel.WebhookDead || w.now(e.ID).Status != hotel.WebhookEnabled || d[0].Attempts[3].Excerpt != `{"sorry":"*** *** ************1111"}` {
			t.Errorf("dead: %+v", d)
		}
		w.net.says("dead", func(int) answer { return answer{status: 200} })
		_, _, err := w.ledger.RetryWebhook(t.Context(), testkit.Tester, hotel.Once{}, d[0].ID)
		w.check(err)
		wait(time.Second)
		if calls := w.net.got("dead"); len(calls) != 11 || calls[10].id != calls[0].id || w.deliveries(e.ID)[0].Status != hotel.WebhookDelivered {
			t.Errorf("sent again: %d calls", len(calls))
		}
		if e := w.now(e.ID); !e.FailingSince.IsZero() {
			t.Errorf("failing since %s", e.FailingSince)
		}
	})
}

func TestFiveDaysOfFailureDisable(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("dead", "property.*", "webhook_endpoint.*")
		w.endpoint("other", "webhook_endpoint.disabled")
		w.net.says("dead", func(int) answer { return answer{} })
		w.rename("One")
		wait(119 * time.Hour)
		if got := w.now(e.ID); got.Status != hotel.WebhookEnabled {
			t.Fatalf("disabled after less than five days: %+v", got)
		}
		w.rename("Two")
		wait(2 * time.Hour)
		if got := w.now(e.ID); got.Status != hotel.WebhookDisabled || got.Reason != hotel.WebhookFailing || got.Position == 0 {
			t.Fatalf("still %s", got.Status)
		}
		if told := w.net.got("other"); len(told) != 1 || told[0].id != w.events(ledger.WebhookEndpointDisabled)[0] {
			t.Errorf("the client's other endpoint was told %+v", told)
		}
		before := len(w.net.got("dead"))
		w.rename("Three")
		wait(48 * time.Hour)
		if after := len(w.net.got("dead")); after != before {
			t.Errorf("%d calls of what is disabled", after-before)
		}
		w.net.says("dead", func(int) answer { return answer{status: 200} })
		_, _, err := w.ledger.ChangeWebhookEndpoint(t.Context(), testkit.Tester, hotel.Once{}, e.ID, hotel.Change[hotel.WebhookEndpoint]{
			Apply: func(e *hotel.WebhookEndpoint) error { e.Status = hotel.WebhookEnabled; return nil },
		})
		w.check(err)
		wait(25 * time.Hour)
		var told []string
		for _, c := range w.net.got("dead")[before:] {
			told = append(told, c.id)
		}
		for _, id := range w.events(ledger.PropertyUpdated)[1:] { // the first was dead by then
			if !slices.Contains(told, id) {
				t.Errorf("%s was never delivered: %v", id, told)
			}
		}
	})
}

func TestWhatTheReceiverSaysIsHeard(t *testing.T) {
	tests := []struct {
		name   string
		answer answer
		again  time.Duration // until the second call; 0: there is none within a day
		status hotel.WebhookStatus
		said   string
	}{
		{"gone ends it at once", answer{status: 410}, 0, hotel.WebhookDisabled, ""},
		{"a redirect is a failure and is not followed", answer{status: 307, header: http.Header{"Location": {"https://other/"}}}, 5 * time.Second, hotel.WebhookEnabled, ""},
		{"a pause that is longer than the schedule is kept", answer{status: 503, header: http.Header{"Retry-After": {"3600"}}}, time.Hour, hotel.WebhookEnabled, ""},
		{"one that is shorter is not", answer{status: 429, header: http.Header{"Retry-After": {"1"}}}, 5 * time.Second, hotel.WebhookEnabled, ""},
		{"one that is absurd is a day", answer{status: 429, header: http.Header{"Retry-After": {"4000000000"}}}, 24 * time.Hour, hotel.WebhookEnabled, ""},
		{"one of a status that means none does not count", answer{status: 500, header: http.Header{"Retry-After": {"3600"}}}, 5 * time.Second, hotel.WebhookEnabled, ""},
		{"no answer within 15 seconds", answer{status: 200, after: time.Minute}, 20 * time.Second, hotel.WebhookEnabled, "there was no answer in time"},
		{"a broken connection, without what lies behind our walls", answer{}, 5 * time.Second, hotel.WebhookEnabled, "the connection failed"},
	}
	inWorld(t, func(t *testing.T, w *world) {
		host := func(i int) string { return fmt.Sprint("far", i) }
		endpoints := make([]hotel.WebhookEndpoint, len(tests))
		for i, tt := range tests {
			endpoints[i] = w.endpoint(host(i), "property.*")
			w.net.says(host(i), func(n int) answer {
				if n == 1 {
					return tt.answer
				}
				return answer{status: 200}
			})
		}
		w.rename("One")
		wait(25 * time.Hour)
		for i, tt := range tests {
			calls, d := w.net.got(host(i)), w.deliveries(endpoints[i].ID)[0]
			if tt.again == 0 != (len(calls) == 1) || len(w.net.got("other")) > 0 {
				t.Fatalf("%s: %d calls", tt.name, len(calls))
			}
			if tt.again > 0 {
				if waited := calls[1].at.Sub(calls[0].at); waited < tt.again*9/10 || waited > tt.again*11/10+time.Second {
					t.Errorf("%s: again after %s, want %s", tt.name, waited, tt.again)
				}
			}
			if got := w.now(endpoints[i].ID); got.Status != tt.status || d.Attempts[0].Error != tt.said {
				t.Errorf("%s: %s, said %q", tt.name, got.Status, d.Attempts[0].Error)
			}
		}
	})
}

// A receiver that hangs is called four times at once and no more, one that is busy
// once; others hear everything at once meanwhile.
func TestASlowReceiverHarmsNobodyElse(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.endpoint("slow", "property.*")
		busy := w.endpoint("busy", "property.*")
		w.endpoint("well", "property.*")
		w.net.says("slow", func(int) answer { return answer{status: 200, after: 14 * time.Second} })
		w.net.says("busy", func(n int) answer {
			if n == 1 {
				return answer{status: 429}
			}
			return answer{status: 500, after: 10 * time.Second}
		})
		w.rename("first")
		wait(time.Second)
		if !w.now(busy.ID).Slow {
			t.Error("a busy receiver is not spared")
		}
		w.net.mu.Lock()
		clear(w.net.most)
		w.net.mu.Unlock()
		for name := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz", "") {
			w.rename(name)
		}
		wait(2 * time.Second)
		if n := len(w.net.got("well")); n != 27 {
			t.Errorf("the well one heard %d of 27", n)
		}
		wait(10 * time.Minute)
		w.net.mu.Lock()
		defer w.net.mu.Unlock()
		if w.net.most["slow"] != together || w.net.most["busy"] != 1 {
			t.Errorf("calls at a time: %v", w.net.most)
		}
	})
}

// Changes of a house value that follow each other at once are one call, which says
// what they say together, under the newest one's id.
func TestChangesOfAHouseValueGoTogether(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("far", "inventory.updated")
		from := hotel.DateOf(2000, 1, 3) // where the bubble's time begins
		for i := range 3 {
			_, _, err := w.ledger.UpdateInventory(t.Context(), testkit.Tester, hotel.Once{}, hotel.InventoryUpdate{
				PropertyID: w.house.Property.ID, Source: "api",
				Entries: []hotel.InventoryEntry{{
					RoomTypeID: w.house.Rooms[2].ID, Dates: hotel.Dates{Span: hotel.Span{From: from, To: from}}, OutOfOrder: hotel.Given(i + 1),
				}},
			})
			w.check(err)
			wait(300 * time.Millisecond)
		}
		if n := len(w.net.got("far")); n != 0 {
			t.Errorf("%d calls before the changes are over", n)
		}
		wait(3 * time.Second)
		ids := w.events(ledger.InventoryUpdated)
		calls := w.net.got("far")
		if len(calls) != 1 || calls[0].entries != 3 || calls[0].id != ids[len(ids)-1] {
			t.Fatalf("calls %+v", calls)
		}
		if d := w.deliveries(e.ID); len(d) != 1 || d[0].First == d[0].Event.Sequence {
			t.Errorf("deliveries %+v", d)
		}
	})
}

// What a client may not hear any more is not sent, though it waits already.
func TestWhatIsNoLongerGrantedIsNotSent(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("far", "*")
		w.net.says("far", func(int) answer { return answer{status: 500} })
		w.rename("One")
		wait(time.Second)
		_, _, err := w.ledger.ChangeClient(t.Context(), testkit.Tester, hotel.Once{}, w.client.ID, 0, func(c *auth.Client) error {
			c.PropertyIDs = []string{"another"}
			return nil
		})
		w.check(err)
		wait(time.Hour)
		if n := len(w.net.got("far")); n != 1 {
			t.Errorf("%d calls", n)
		}
		if d := w.deliveries(e.ID); d[0].Status != hotel.WebhookDead || !strings.Contains(d[0].Attempts[1].Error, "not granted") {
			t.Errorf("delivery %+v", d)
		}
	})
}

// A suspended client's endpoints, and paused ones, stand still and go on where they
// stood.
func TestPausesPassNothingOver(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("far", "property.*")
		suspend := func(s auth.ClientStatus) {
			_, _, err := w.ledger.ChangeClient(context.Background(), testkit.Tester, hotel.Once{}, w.client.ID, 0, func(c *auth.Client) error { c.Status = s; return nil })
			w.check(err)
		}
		pause := func(s hotel.WebhookStatus) {
			_, _, err := w.ledger.ChangeWebhookEndpoint(context.Background(), testkit.Tester, hotel.Once{}, e.ID, hotel.Change[hotel.WebhookEndpoint]{
				Apply: func(e *hotel.WebhookEndpoint) error { e.Status = s; return nil },
			})
			w.check(err)
		}
		suspend(auth.ClientSuspended)
		w.rename("One")
		wait(time.Hour)
		pause(hotel.WebhookPaused)
		suspend(auth.ClientActive)
		w.rename("Two")
		wait(time.Hour)
		if n := len(w.net.got("far")); n != 0 {
			t.Errorf("%d calls", n)
		}
		pause(hotel.WebhookEnabled)
		wait(time.Second)
		if n := len(w.net.got("far")); n != 2 {
			t.Errorf("%d calls of 2", n)
		}
	})
}

// A part of the past is heard again under its own ids: all of it, one type, or what
// went wrong.
func TestThePastIsHeardAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rename("before the endpoint")
		e := w.endpoint("far", "property.*", "room_type.*")
		for _, name := range []string{"One", "Two", "Three"} {
			w.rename(name)
		}
		wait(time.Second)
		again := func(r hotel.WebhookReplay) []string {
			before := len(w.net.got("far"))
			r.Through = 1 << 40
			_, _, err := w.ledger.ReplayWebhooks(context.Background(), testkit.Tester, hotel.Once{}, e.ID, r)
			w.check(err)
			wait(time.Second)
			var ids []string
			for _, c := range w.net.got("far")[before:] {
				ids = append(ids, c.id)
			}
			slices.Sort(ids)
			if w.now(e.ID).Replay != nil {
				t.Error("the replay does not end")
			}
			return ids
		}
		updates := slices.Sorted(slices.Values(w.events(ledger.PropertyUpdated)))
		if ids := again(hotel.WebhookReplay{EventTypes: []string{"property.updated"}}); !slices.Equal(ids, updates) {
			t.Errorf("heard again %v, want %v", ids, updates)
		}
		if ids := again(hotel.WebhookReplay{EventTypes: []string{"room_type.created"}}); len(ids) != 3 {
			t.Errorf("rooms heard again: %v", ids)
		}
		if ids := again(hotel.WebhookReplay{OnlyFailed: true}); len(ids) != 0 {
			t.Errorf("nothing went wrong, and heard again was %v", ids)
		}
		if n := len(w.deliveries(e.ID)); n != 4+3 {
			t.Errorf("%d deliveries", n)
		}
	})
}

// Both secrets sign while one takes the other's place.
func TestBothSecretsSignDuringTheOverlap(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		e := w.endpoint("far", "property.*")
		_, _, err := w.ledger.RotateWebhookSecret(t.Context(), testkit.Tester, hotel.Once{}, e.ID, 0, w.seal.Close([]byte(auth.NewWebhookSecret()), w.client.ID), time.Hour)
		w.check(err)
		w.rename("One")
		wait(2 * time.Hour)
		w.rename("Two")
		wait(time.Second)
		calls := w.net.got("far")
		if len(calls) != 2 || len(calls[0].signatures) != 2 || !calls[0].verified || len(calls[1].signatures) != 1 || calls[1].verified {
			t.Errorf("calls %+v", calls)
		}
	})
}

// A client of a sandbox that has moved to another one hears no more of what happens in
// the first, and a sandbox whose clock is ahead keeps its own time, while receivers
// are told the real one.
func TestWebhooksOfASandbox(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.end()
		const ahead = 100 * 24 * time.Hour
		seen := make(chan *http.Request, 1)
		post := NewPost(PostOptions{
			Seal: w.seal, Clock: later{ahead}, Outside: hotel.SystemClock{}, Environment: auth.Sandbox, Transport: answering(func(r *http.Request) *http.Response {
				seen <- r
				return &http.Response{StatusCode: http.StatusTooManyRequests, Body: http.NoBody, Header: http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}}
			}),
		})
		out := post.call(t.Context(), w.endpoint("slow.test", "*"), message{id: "evt_1", body: []byte("{}")})
		if told := (<-seen).Header.Get("webhook-timestamp"); told != strconv.FormatInt(time.Now().Unix(), 10) {
			t.Errorf("told that it is %s", told)
		}
		if now := time.Now().Add(ahead); !out.At.Equal(now) || out.RetryAfter.Sub(now) > time.Hour || out.RetryAfter.Sub(now) < time.Hour-time.Second {
			t.Errorf("called at %s, again at %s; there it is %s", out.At, out.RetryAfter, now)
		}
		for sandbox, want := range map[string]int{"": 1, "another": 0} {
			worker := New(Options{Ledger: w.ledger, Clients: w.ledger, Writer: plainWriter{}, Post: post, Clock: hotel.SystemClock{}, Sandbox: sandbox, Log: zap.NewNop()})
			if list, err := worker.receivers(t.Context()); err != nil || len(list) != want {
				t.Errorf("in sandbox %q %d are called, %v, want %d", sandbox, len(list), err, want)
			}
		}
	})
}

// later is a clock that is ahead.
type later struct{ by time.Duration }

func (l later) Now() time.Time                  { return time.Now().Add(l.by) }
func (l later) Until(t time.Time) time.Duration { return t.Sub(l.Now()) }
func (l later) Steady() time.Time               { return l.Now() }

// answering is the network with somebody who answers.
type answering func(*http.Request) *http.Response

// RoundTrip asks it.
func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }
