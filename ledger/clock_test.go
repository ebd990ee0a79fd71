package ledger

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// ticks lists the bodies of the ticks behind a sequence.
func (h *house) ticks(t tb, after int64) []Time {
	t.Helper()
	var out []Time
	for _, e := range must(h.Entries(context.Background(), after, 1000))(t) {
		if e.Kind == ClockTick {
			out = append(out, must(decode[Time](e))(t))
		}
	}
	return out
}

// passes lets time pass and the clock look at it.
func (h *house) passes(t tb, d time.Duration) {
	t.Helper()
	h.clock.move(d)
	if err := h.Tick(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.deriveAll(t)
}

func TestAClockTicksWhenAMomentHasCome(t *testing.T) {
	h := newHouse(t) // in Berlin, 21 November, 10:00; the day rolls at 3:00
	h.passes(t, 0)
	start := must(h.Sequence(context.Background()))(t)
	for _, step := range []struct {
		why   string
		after time.Duration
		ticks int
	}{
		{"nothing has come", 13 * time.Hour, 0},
		{"midnight", time.Hour, 1},
		{"midnight is over", time.Second, 1},
		{"the day roll", 3 * time.Hour, 2},
		{"missed while nobody looked, it comes once", 72 * time.Hour, 3},
		{"and is made up", time.Minute, 3},
	} {
		h.passes(t, step.after)
		if got := len(h.ticks(t, start)); got != step.ticks {
			t.Errorf("%s: %d ticks, want %d", step.why, got, step.ticks)
		}
	}
}

func TestACutOffIsAMoment(t *testing.T) {
	h := newHouse(t)
	h.exec(t, `UPDATE rate_plan SET body = json_set(body, '$.cut_off', json('{"days_before":1,"time":"18:00"}')) WHERE id = '`+h.saver.ID+`'`)
	h.passes(t, 0)
	start := must(h.Sequence(context.Background()))(t)
	h.passes(t, 8*time.Hour-time.Minute) // 17:59
	if got := h.ticks(t, start); len(got) != 0 {
		t.Fatalf("ticks %+v before the cut-off", got)
	}
	h.passes(t, time.Minute)
	if got := h.ticks(t, start); len(got) != 1 {
		t.Errorf("%d ticks at the cut-off, want 1", len(got))
	}
}

func TestNightsComeWithinTheHorizon(t *testing.T) {
	h := newHouse(t)
	last := h.today + hotel.Date(h.property.HorizonDays)
	h.passes(t, 0)
	must(h.setPrice(h.double, h.flex, last-1, last, 9000))(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)

	start := must(h.Sequence(context.Background()))(t)
	h.passes(t, 3*24*time.Hour) // two midnights were slept through
	want := []Time{{Before: h.today, Today: h.today + 3, Ranges: []hotel.Span{{From: last + 1, To: last + 3}}}}
	if diff := cmp.Diff(want, h.ticks(t, start)); diff != "" {
		t.Errorf("ticks (-want +got):\n%s", diff)
	}
	h.today += 3
	f.catchUp(t)
	f.check(t)
	fresh := hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: last + 3}
	if got := f.shown[fresh]; got == 0 {
		t.Error("the channel shows no rooms on the night that has come within reach")
	}
	for cell := range f.groups(t) {
		if cell.Night > last+3 {
			t.Errorf("%+v lies behind the horizon", cell)
		}
	}
}

// The house was sold further ahead before, so that its prices and rooms behind the horizon are
// worked out already, and one night there is sold, when a channel goes live. It is told of those
// nights as they come within the horizon, and of all of them once that is longer again, though
// nothing else changes them.
func TestNightsOfALongerHorizonAreToldOnceTheyAreSoldAgain(t *testing.T) {
	for name, again := range map[string]func(t *testing.T, h *house){
		"as they come": func(t *testing.T, h *house) {
			h.passes(t, 2*24*time.Hour)
			h.today += 2
		},
		"at once": func(t *testing.T, h *house) {
			must(h.changeProperty(func(p *hotel.Property) { p.HorizonDays = 70 }))(t)
		},
		"in a zone where it is tomorrow": func(t *testing.T, h *house) {
			h.clock.move(3 * time.Hour)
			must(h.changeProperty(func(p *hotel.Property) { p.TimeZone = "Pacific/Kiritimati" }))(t)
			h.passes(t, 0)
			h.today++
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			last := h.today + hotel.Date(h.property.HorizonDays)
			h.passes(t, 0)
			must(h.changeProperty(func(p *hotel.Property) { p.HorizonDays = 90 }))(t)
			must(h.setPrice(h.double, h.flex, last-5, last+20, 9000))(t)
			must2(h.book(h.double, last+1, last+2, hotel.Once{}))(t)
			h.deriveAll(t)
			must(h.changeProperty(func(p *hotel.Property) { p.HorizonDays = 60 }))(t)
			h.deriveAll(t)
			f := h.newFarSide(t, 5)
			f.goLive(t)
			f.catchUp(t)
			f.check(t)
			again(t, h)
			f.catchUp(t)
			f.check(t)
			if g := f.groups(t)[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: last + 1}]; g.want == nil || *g.want != 4 {
				t.Errorf("of the night that is sold the channel is to show %v", g.want)
			}
		})
	}
}

func TestAChannelThatTakesFewerNightsIsToldThemAsTheyCome(t *testing.T) {
	h := newHouse(t)
	h.passes(t, 0)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	h.passes(t, 24*time.Hour)
	night := h.today + 11
	stock, prices := map[hotel.Date]bool{}, map[hotel.Date]bool{}
	var w Work
	for next := must(h.Work(context.Background(), f.id, Reach{Days: 10}, Turn{}))(t); !next.Empty(); next = must(h.Work(context.Background(), f.id, Reach{Days: 10}, Turn{}))(t) {
		w = next
		for _, s := range w.Stock {
			stock[s.Night] = true
		}
		for _, p := range w.Prices {
			prices[p.Night] = true
		}
		for _, r := range w.Rules {
			if r.From != h.today+1 || len(r.House[0]) != 11 {
				t.Errorf("restrictions from %s for %d nights", r.From, len(r.House[0]))
			}
		}
		if err := h.Desire(context.Background(), f.id, w, wantedOf(w)); err != nil {
			t.Fatal(err)
		}
	}
	if !stock[night] || !prices[night] {
		t.Errorf("stock of %v and prices of %v, want those of %s", stock, prices, night)
	}
	if want := h.clock.Now(); !w.Now.Equal(want) {
		t.Errorf("it is %s, want %s", w.Now, want)
	}
}
