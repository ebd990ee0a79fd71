package ical

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// ostler is one of two that share a room: its own bookings, what it holds for the
// other, and the channel between them.
type ostler struct {
	*house
	direct map[hotel.Date]bool
	held   map[string]connectors.Message // by reference, what is live
}

const (
	firstShared = 3 // nights of January that are looked at
	lastShared  = 9
)

func (o *ostler) holds(night hotel.Date) bool {
	for _, m := range o.held {
		if m.Booking.Rooms[0].Stay.Contains(night) {
			return true
		}
	}
	return false
}

// Deliver implements [connectors.Sink] as a ledger would.
func (o *ostler) Deliver(_ context.Context, m connectors.Message) error {
	if m.Event == connectors.Cancelled {
		delete(o.held, m.Ref)
		return nil
	}
	o.held[m.Ref] = m
	return nil
}

// Hint implements [connectors.Sink]; a calendar gives none.
func (*ostler) Hint() {}

// turn reads the other's calendar, and tells what is left.
func (o *ostler) turn(t *testing.T) {
	t.Helper()
	o.clock.now = o.clock.now.Add(20 * time.Minute)
	if next, err := o.Poll(t.Context(), o.cursor, o); err == nil {
		o.cursor = next
	}
	var changes []connectors.Change
	for night := day(1); night <= day(20); night++ {
		left := 1
		if o.direct[night] {
			left--
		}
		if o.holds(night) {
			left--
		}
		changes = append(changes, connectors.Change{
			Key: connectors.Key{Room: "double", Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: max(0, left)},
		})
	}
	o.sends(t, changes)
}

func (o *ostler) state() string {
	var out strings.Builder
	for night := day(firstShared); night <= day(lastShared); night++ {
		fmt.Fprintf(&out, "%t/%t ", o.direct[night], o.holds(night))
	}
	return out.String() + lists(must(load[feed](context.Background(), o.shelf, feedName)), "double-1")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pair joins two that each import the other's calendar.
func pair(t *testing.T) (a, b *ostler) {
	t.Helper()
	c := settings()
	c.Calendars, c.Blocks = "double https://other.example/"+testKey+"/double-1.ics", Held
	a = &ostler{house: newHouse(t, "ch_a", c), direct: map[hotel.Date]bool{}, held: map[string]connectors.Message{}}
	b = &ostler{house: newHouse(t, "ch_b", c), direct: map[hotel.Date]bool{}, held: map[string]connectors.Message{}}
	join := func(from, to *ostler) {
		h := to.Published()
		from.call.Client.Transport = route(func(r *http.Request) (*http.Response, error) {
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, httptest.NewRequest(r.Method, r.URL.Path, nil))
			resp := answer.Result()
			resp.Request = r
			return resp, nil
		})
	}
	join(a, b)
	join(b, a)
	return a, b
}

// Two that import each other's calendars come to rest, whatever is booked and
// cancelled at either and whoever reads first: what only one has booked the other
// holds, what neither has booked nobody holds, and of a night that both have sold at
// least one knows.
func TestTwoOstlersComeToRest(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(outer)
		a.turn(outer) // which finds nothing to read yet
		b.turn(outer)
		a.clock.now = a.clock.now.Add(time.Hour)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			o := map[bool]*ostler{true: a, false: b}[rapid.Bool().Draw(t, "a")]
			if rapid.Bool().Draw(t, "books") {
				night := day(rapid.IntRange(firstShared, lastShared).Draw(t, "night"))
				o.direct[night] = !o.direct[night]
			} else {
				o.turn(outer)
			}
		}
		last := ""
		for round := 0; ; round++ {
			a.turn(outer)
			b.turn(outer)
			now := a.state() + " / " + b.state()
			if round > 4 && now == last {
				break
			}
			if last = now; round > 30 {
				t.Fatalf("they do not come to rest: %s", now)
			}
		}
		for night := day(firstShared); night <= day(lastShared); night++ {
			switch onlyA, onlyB := a.holds(night), b.holds(night); {
			case a.direct[night] && b.direct[night]:
				if !onlyA && !onlyB {
					t.Errorf("both have sold %s, and neither knows of the other", night)
				}
			case onlyA != b.direct[night], onlyB != a.direct[night]:
				t.Errorf("on %s a has %t and holds %t, b has %t and holds %t", night, a.direct[night], onlyA, b.direct[night], onlyB)
			}
		}
	})
}
