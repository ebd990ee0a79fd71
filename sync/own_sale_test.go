package sync_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// told counts how often a channel was told of its availability since an instant.
func (p *pained) told(channel string, since time.Time) (n int) {
	p.t.Helper()
	sent, err := p.ldg.SentSince(p.t.Context(), "mock:"+channel, since)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, s := range sent {
		if s.Operation == "update_availability" {
			n++
		}
	}
	return n
}

// A channel that lowers its count when it sells is not told what it shows already:
// the call would be wasted, and open a room that it has sold meanwhile. It is told
// where it should show more, and where nobody knows whether it sold before or after
// it was last told.
func TestChannelLowersItsOwnCount(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		one := hotel.Span{From: night, To: night}
		p.pass(11 * time.Minute)

		since := time.Now()
		p.sell(p.a, p.wish(suite, 0, night))
		p.pass(2 * time.Minute)
		if n := p.told("a", since); n != 0 || p.shows(p.a, suite, night) != testkit.Suites-1 || p.shows(p.b, suite, night) != testkit.Suites-1 {
			p.t.Errorf("it was told %d times, and shows %d; the other shows %d", n, p.shows(p.a, suite, night), p.shows(p.b, suite, night))
		}

		p.house.Stock(p.t, p.ldg, suite, one, hotel.InventoryEntry{ChannelLimits: hotel.Given(hotel.ChannelQuantities{"a": hotel.Given(1)})})
		p.pass(11 * time.Minute)
		since = time.Now()
		p.sell(p.a, p.wish(suite, 0, night))
		p.pass(2 * time.Minute)
		if n := p.told("a", since); n != 1 || p.shows(p.a, suite, night) != 1 {
			p.t.Errorf("up to its limit again: it was told %d times, and shows %d", n, p.shows(p.a, suite, night))
		}

		since = time.Now()
		p.sell(p.b, p.wish(double, 0, night))
		p.pass(5 * time.Second)
		p.house.Stock(p.t, p.ldg, double, one, hotel.InventoryEntry{Total: hotel.Given(3)})
		p.pass(2 * time.Minute)
		if n := p.told("b", since); n != 2 || p.shows(p.b, double, night) != 2 {
			p.t.Errorf("sold about when it was told: it was told %d times, and shows %d", n, p.shows(p.b, double, night))
		}
	})
}
