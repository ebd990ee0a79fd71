package ledger

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// TestChannelEndsEqual lets a far side sell, cancel, apply, refuse and lose
// calls at random moments. Whenever everything has been heard and told, it shows
// what the house offers; where it is told the most that it sells in all, so much is
// left of that.
func TestChannelEndsEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		f := h.newFarSide(t, rapid.Int64Range(0, 5).Draw(t, "opening"))
		if f.total = rapid.Bool().Draw(t, "total"); f.total {
			if err := h.KeepTerms(context.Background(), f.id, hotel.Terms{StockPer: hotel.PerRoom, TotalLimit: true}); err != nil {
				t.Fatal(err)
			}
		}
		f.goLive(t)
		if rapid.Bool().Draw(t, "known before it sells") {
			f.catchUp(t)
		}
		var direct []hotel.Reservation
		synced := int64(0)
		night := func(t *rapid.T) hotel.Date { return h.today + hotel.Date(rapid.IntRange(0, 1).Draw(t, "night")) }
		t.Repeat(map[string]func(*rapid.T){
			"sell": func(t *rapid.T) { f.sell(rapid.SampledFrom(f.counters).Draw(t, "counter"), night(t)) },
			"revoke": func(t *rapid.T) {
				if len(f.bookings) == 0 {
					t.Skip("nothing booked")
				}
				f.revoke(rapid.IntRange(0, len(f.bookings)-1).Draw(t, "booking"))
			},
			"rebook": func(t *rapid.T) {
				if len(f.bookings) == 0 {
					t.Skip("nothing booked")
				}
				f.rebook(rapid.IntRange(0, len(f.bookings)-1).Draw(t, "booking"), rapid.SampledFrom(f.counters).Draw(t, "counter"))
			},
			"hear": func(t *rapid.T) {
				if len(f.mail) == 0 {
					t.Skip("no mail")
				}
				f.hear(t, rapid.IntRange(0, len(f.mail)-1).Draw(t, "message"))
			},
			"derive": func(t *rapid.T) { f.derive(t) },
			"begin": func(t *rapid.T) {
				cells := f.dirty(t)
				if len(cells) == 0 {
					t.Skip("nothing to send")
				}
				from := rapid.IntRange(0, min(20, len(cells)-1)).Draw(t, "from")
				f.begin(t, cells[from:min(len(cells), from+rapid.IntRange(1, 500).Draw(t, "cells"))])
			},
			"take": func(t *rapid.T) {
				if len(f.calls) > 0 {
					f.take(rapid.IntRange(0, len(f.calls)-1).Draw(t, "call"), nil)
				}
			},
			"settle": func(t *rapid.T) {
				if len(f.calls) == 0 {
					t.Skip("no call")
				}
				f.answer(t, rapid.IntRange(0, len(f.calls)-1).Draw(t, "call"))
			},
			"restart": func(t *rapid.T) {
				open := len(f.calls)
				if f.read != nil {
					open++
				}
				if n := must(h.Recover(context.Background()))(t); n != open {
					t.Fatalf("%d calls recovered of %d", n, open)
				}
				f.calls, f.read = nil, nil
			},
			"ask what it shows": func(t *rapid.T) {
				if f.read == nil {
					f.beginRead(t)
				}
			},
			"hear what it showed": func(t *rapid.T) {
				if f.read != nil {
					f.endRead(t)
				}
			},
			"book": func(t *rapid.T) {
				d := night(t)
				if r, _, err := h.book(rapid.SampledFrom([]hotel.RoomType{h.double, h.twin}).Draw(t, "room"), d, d+2, hotel.Once{}); err == nil {
					direct = append(direct, r)
				}
			},
			"cancel": func(t *rapid.T) {
				if len(direct) > 0 {
					if _, _, err := h.CancelReservation(context.Background(), tester, hotel.Once{}, direct[0].ID, hotel.CancelRequest{}); err != nil {
						t.Fatal(err)
					}
					direct = direct[1:]
				}
			},
			"price": func(t *rapid.T) {
				d := night(t)
				must(h.setPrice(h.double, h.flex, d, d+1, rapid.Int64Range(100, 103).Draw(t, "price")))(t)
			},
			"close": func(t *rapid.T) {
				d := night(t)
				h.closeNights(t, d, d, rapid.Bool().Draw(t, "closed"))
			},
			"": func(t *rapid.T) {
				s := f.state(t)
				if s.SyncedThrough < synced || s.SyncedThrough > s.DerivedThrough || s.DerivedThrough > must(h.Sequence(context.Background()))(t) {
					t.Fatalf("synced through %d after %d, derived through %d", s.SyncedThrough, synced, s.DerivedThrough)
				}
				synced = s.SyncedThrough
			},
		})
		f.catchUp(t)
		f.check(t)
		if s := f.state(t); s.Lag != 0 || s.Unknown != 0 || s.SyncedThrough != must(h.Sequence(context.Background()))(t) {
			t.Fatalf("all is told, but lag %d, unknown %d, synced through %d", s.Lag, s.Unknown, s.SyncedThrough)
		}
	})
}

// answer settles a call in one of the ways in which calls end.
func (f *farSide) answer(t *rapid.T, i int) {
	c := f.calls[i]
	some := map[hotel.Cell]string{}
	for n, s := range c.cells {
		if n%3 == 0 {
			some[s.Cell] = "no"
		}
	}
	how := rapid.SampledFrom([]string{"applied", "applied", "rejected", "partly rejected", "partly unknown", "lost before", "lost after", "not sent"}).Draw(t, "outcome")
	if c.took && how != "applied" {
		how = "lost after"
	}
	switch how {
	case "applied":
		f.take(i, nil)
		f.settle(t, i, Settlement{State: DeliveryApplied})
	case "rejected":
		f.settle(t, i, Settlement{State: DeliveryRejected})
	case "partly rejected":
		f.take(i, some)
		f.settle(t, i, Settlement{State: DeliveryPartial, Rejected: some})
	case "partly unknown":
		f.take(i, some)
		doubt := map[hotel.Cell]bool{}
		for cell := range some {
			doubt[cell] = true
		}
		f.settle(t, i, Settlement{State: DeliveryPartial, Unknown: doubt})
	case "lost before", "not sent":
		state := DeliveryUnknown
		if how == "not sent" {
			state = DeliveryNotSent
		}
		f.settle(t, i, Settlement{State: state})
	case "lost after":
		f.take(i, nil)
		f.settle(t, i, Settlement{State: DeliveryUnknown})
	}
}

// check compares what is shown with what is offered. A cell that the far side
// refused waits for another value, and a night whose price it refused is closed.
func (f *farSide) check(t tb) {
	t.Helper()
	groups := f.groups(t)
	for cell, want := range f.expected(t) {
		g := groups[cell]
		price := groups[hotel.Cell{Line: cell.Line, Group: hotel.Price, Night: cell.Night}]
		if cell.Group == hotel.Closures && price.state == rejected {
			want |= hotel.Offer{Closed: hotel.Closed{Closed: true}}.Encode(hotel.Closures)
		}
		if g.want == nil || *g.want != want {
			t.Fatalf("%+v is wanted as %v, the house offers %d", cell, g.want, want)
		}
		if g.state == rejected {
			continue
		}
		shown := f.at(cell)
		if f.total && cell.Group == hotel.Availability && want == 0 && shown != nil {
			shown = new(max(0, *shown)) // it has sold more than none in all
		}
		if shown == nil || *shown != want {
			t.Fatalf("%+v shows %v, wanted is %d: %+v", cell, shown, want, g)
		}
	}
}

func (h *house) closeNights(t tb, from, to hotel.Date, closed bool) {
	t.Helper()
	_, _, err := h.UpdateInventory(context.Background(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: from, To: to}}, Closed: hotel.Given(closed),
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBeginRefusesWhatIsOutrun(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := context.Background()
	begin := func(cells ...SentCell) error {
		_, err := h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Push, Operation: "set", SentAt: h.clock.Now(), Cells: cells})
		return err
	}
	stock := func() []SentCell {
		return slices.DeleteFunc(f.dirty(t), func(c SentCell) bool { return c.Cell.Group != hotel.Availability })
	}

	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	f.derive(t)
	old := stock()
	if len(old) != 2 { // double and twin share a pool
		t.Fatalf("dirty: %v", old)
	}
	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	f.derive(t)
	if err := begin(old...); !errors.Is(err, ErrOutrun) {
		t.Errorf("a value that is not wanted any more was stored to be sent: %v", err)
	}
	if err := begin(stock()...); err != nil {
		t.Errorf("begin: %v", err)
	}
	if err := begin(old[0]); !errors.Is(err, ErrOutrun) {
		t.Errorf("a cell under way was stored to be sent again: %v", err)
	}
	if got := stock(); len(got) > 0 {
		t.Errorf("dirty while under way: %v", got)
	}
	if n := must(h.Recover(ctx))(t); n != 1 {
		t.Errorf("%d calls recovered", n)
	}

	// A price cell of the night, so that all of a stale plan is refused.
	must(h.setPrice(h.double, h.flex, h.today, h.today, 4200))(t)
	f.derive(t)
	known := stock()
	f.sell(f.counters[0], h.today)
	f.hear(t, 0)
	if err := begin(known...); !errors.Is(err, ErrOutrun) {
		t.Errorf("a count that does not know of the channel's own sale was stored to be sent: %v", err)
	}
	if got := stock(); slices.ContainsFunc(got, func(c SentCell) bool { return c.Cell.Line == f.counters[0].Line }) {
		t.Errorf("the sold counter is offered for sending before its sale is derived: %v", got)
	}
	f.derive(t)
	if err := begin(stock()...); err != nil {
		t.Errorf("begin after the sale was derived: %v", err)
	}
}

// must2 is must for calls that also tell of a replay.
func must2[V any](v V, _ bool, err error) func(t tb) V { return must(v, err) }
