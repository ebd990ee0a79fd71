package sync_test

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

var outageHours = flag.Int("outage.hours", 3, "how long channels cannot be reached")

// For hours, or days, no name of a far side is found, or nothing is reached, while the desk
// changes prices and stock and channels sell. Somebody is told within the minute and a few
// calls a minute try again; each did not leave, so nothing is in doubt. Back on the line
// channels are told the newest of each night alone, also of the nights that have come
// into the horizon meanwhile, and every booking is kept.
func TestPainOffTheLine(t *testing.T) {
	for name, fault := range map[string]error{
		"no name is found":   &net.DNSError{Err: "server misbehaving", Name: "a.test", IsTemporary: true},
		"nothing is reached": &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("network is unreachable")},
	} {
		t.Run(name, func(t *testing.T) {
			hurts(t, func(p *pained) {
				var off atomic.Bool
				var tried, told atomic.Int64
				p.net.Hinders = func(*http.Request) error {
					if !off.Load() {
						return nil
					}
					tried.Add(1)
					return fault
				}
				p.listen(func(r *http.Request, _ []byte) {
					if !off.Load() && r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/availability") || strings.HasSuffix(r.URL.Path, "/rates")) {
						told.Add(1)
					}
				})
				off.Store(true)
				nights := hotel.Span{From: p.first + 4, To: p.first + testkit.HorizonDays}
				p.house.Price(t, p.ldg, double, nights, 11000)
				p.pass(65 * time.Second)
				if a, b := p.staleSince("a"), p.staleSince("b"); a.IsZero() || b.IsZero() {
					t.Error("a minute off the line, and nobody is told that the channels are out of date")
				}
				for hour := range *outageHours {
					night := p.first + 4 + hotel.Date(hour/3)
					p.house.Price(t, p.ldg, double, nights, int64(11000+100*hour))
					p.house.Stock(t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(hour % 3)})
					if hour%6 == 0 {
						p.sell(p.a, p.wish(double, 0, night))
					}
					p.idle(time.Hour)
				}
				sold := len(p.a.Book().Bookings())
				if got := tried.Load(); got > int64(2*70*(*outageHours)) {
					t.Errorf("two channels were tried %d times in %d hours", got, *outageHours)
				}
				if got := len(p.kept()); got != 0 {
					t.Errorf("%d bookings are kept that nobody can have told", got)
				}
				off.Store(false)
				p.pass(20 * time.Minute)
				if got := len(p.kept()); got != sold {
					t.Errorf("%d bookings are kept of %d", got, sold)
				}
				if a, b := p.staleSince("a"), p.staleSince("b"); !a.IsZero() || !b.IsZero() {
					t.Errorf("on the line for 20 minutes, and out of date since %v and %v", a, b)
				}
				today := p.house.Property.Today(time.Now())
				for night := today; night <= today+testkit.HorizonDays; night++ {
					for room := range p.house.Rooms {
						if a, b := p.shows(p.a, room, night), p.shows(p.b, room, night); a != b {
							t.Errorf("%d and %d rooms %d are on sale for %s", a, b, room, night)
						}
					}
				}
				for hour := range *outageHours {
					night := p.first + 4 + hotel.Date(hour/3)
					if got := p.shows(p.b, suite, night); hour%3 == 2 && got != min(2, testkit.Suites) {
						t.Errorf("%d suites are on sale for %s", got, night)
					}
				}
				want := fmt.Sprintf("%d.00", 110+*outageHours-1)
				if _, price := p.cell(p.b, p.first+10); price != want {
					t.Errorf("a double costs %s, not %s", price, want)
				}
				if got := told.Load(); got > 20 {
					t.Errorf("on the line again, channels were told in %d calls", got)
				}
			})
		})
	}
}

// For an hour no name is found, by no channel: each is tried about once a minute by its
// breaker, and is on the line again within about a minute of the first name that is.
func TestPainNoNamesForAnHour(t *testing.T) {
	hurts(t, func(p *pained) {
		var off atomic.Bool
		var tried atomic.Int64
		p.net.Hinders = func(r *http.Request) error {
			if !off.Load() {
				return nil
			}
			tried.Add(1)
			return &net.DNSError{Err: "server misbehaving", Name: r.URL.Hostname(), IsTemporary: true}
		}
		off.Store(true)
		night := p.first + 4
		p.house.Price(t, p.ldg, double, hotel.Span{From: night, To: night}, 12300)
		p.pass(10 * time.Minute)
		p.sell(p.a, p.wish(double, 0, night))
		p.idle(50 * time.Minute)
		if got := tried.Load(); got > 2*70 {
			t.Errorf("two channels were tried %d times in an hour", got)
		}
		for _, s := range p.eng.Status() {
			if s.Gate.Breaker == "closed" {
				t.Errorf("no name is found, and the breaker of %s is %s", s.ChannelID, s.Gate.Breaker)
			}
		}
		if p.staleSince("a").IsZero() || p.staleSince("b").IsZero() {
			t.Error("an hour without names, and nobody is told that the channels are out of date")
		}
		off.Store(false)
		p.pass(90 * time.Second)
		if a, b := p.staleSince("a"), p.staleSince("b"); !a.IsZero() || !b.IsZero() {
			t.Errorf("names are found for 90 seconds, and channels are out of date since %v and %v", a, b)
		}
		if got := len(p.kept()); got != 1 {
			t.Errorf("%d bookings are kept of 1", got)
		}
		for _, far := range []testkit.FarSide{p.a, p.b} {
			if _, price := p.cell(far, night); price != "123.00" {
				t.Errorf("a double costs %s, not 123.00", price)
			}
		}
	})
}

// staleSince is since when a channel has been out of date; zero: it is not.
func (p *pained) staleSince(id string) time.Time {
	p.t.Helper()
	c, err := p.ldg.Channel(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return c.StaleSince
}

// idle lets long times go by, in which the clock ticks every minute.
func (p *pained) idle(d time.Duration) {
	p.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Minute) {
		if err := p.eng.Tick(p.t.Context()); err != nil {
			p.t.Fatal(err)
		}
	}
}
