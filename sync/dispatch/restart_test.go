package dispatch

import (
	"context"
	"errors"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

// sell lets the channel sell one suite on a night, which lowers its own count.
func (b *bench) sell(ref string, night hotel.Date) {
	b.t.Helper()
	yes := hotel.AdjustYes
	_, err := b.ldg.Receive(context.Background(), ledger.Receipt{
		ChannelID: channel, Key: ref + "/1", Ref: ref, Revision: "1", Event: "booked", At: time.Now(),
		Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{
			Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2,
		}}},
		Order: hotel.OrderRevisionNumber, Adjusts: hotel.Adjusts{Book: yes, Modify: yes, Cancel: yes},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.worker.Replan()
}

func TestOwnSaleWhileACallIsInFlight(t *testing.T) {
	run(t, nil, func(b *bench) {
		n, night := b.rest(), b.today+5
		b.far.set(func() { b.far.took = 2 * time.Second })
		b.suites(night, 2)
		time.Sleep(time.Second)
		b.sell("A", night) // the call may arrive before or after it
		b.house.Stock(t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(3)})
		b.rest()
		calls := b.far.since(n)
		if len(calls) != 2 || len(calls[1].Keys) != 1 || calls[1].sends[b.suiteKey(night)].Available != 2 {
			t.Errorf("calls %+v, want the count told again, though it is the same: the far side may show one less", calls)
		}
	})
}

// Between an own sale and what follows from it no older value may leave, or the
// room that was just sold would be on sale again.
func TestNoOlderValueBehindAnOwnSale(t *testing.T) {
	run(t, nil, func(b *bench) {
		ctx, night := context.Background(), b.today+5
		b.rest()
		b.stop()
		b.suites(night, 2) // nobody derives any more
		b.sell("A", night)
		dirty, err := b.ldg.Dirty(ctx, channel, b.today, 100)
		if err != nil || len(dirty) != 0 {
			t.Errorf("%+v may be sent (%v), want nothing", dirty, err)
		}
		counters, _, err := b.ldg.Lines(ctx, channel)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range counters {
			if c.RemoteRoom != b.house.RemoteRoom(2) {
				continue
			}
			_, err := b.ldg.Begin(ctx, ledger.NewDelivery{ChannelID: channel, Kind: ledger.Push, Operation: opStock, Lane: 1, SentAt: time.Now(), Cells: []ledger.SentCell{
				{Cell: hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}, Value: 3},
			}})
			if !errors.Is(err, ledger.ErrOutrun) {
				t.Errorf("the old count is stored to be sent: %v", err)
			}
		}
	})
}

func TestRestartTellsAgainWhatWasOpen(t *testing.T) {
	run(t, nil, func(b *bench) {
		ctx, night := context.Background(), b.today+5
		b.rest()
		b.stop()
		b.suites(night, 1)
		if _, err := b.worker.derive(ctx); err != nil {
			t.Fatal(err)
		}
		dirty, err := b.ldg.Dirty(ctx, channel, b.today, 100)
		if err != nil || len(dirty) != 1 {
			t.Fatalf("%+v differ (%v), want one cell", dirty, err)
		}
		_, err = b.ldg.Begin(ctx, ledger.NewDelivery{
			ChannelID: channel, Kind: ledger.Push, Operation: opStock, Lane: 1, SentAt: time.Now(), Cells: []ledger.SentCell{{Cell: dirty[0].Cell, Value: dirty[0].Want}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.ldg.Close(); err != nil { // the program ends with the call under way
			t.Fatal(err)
		}
		n := b.far.count()
		b.open()
		time.Sleep(5 * time.Minute)
		if got := b.far.count() - n; got != 0 {
			t.Errorf("%d calls before what is open is taken as unknown, want none", got)
		}
		open, err := b.ldg.Recover(ctx)
		if err != nil || open != 1 {
			t.Errorf("%d calls were open (%v), want 1", open, err)
		}
		b.rest()
		if calls := b.far.since(n); len(calls) != 1 || calls[0].sends[b.suiteKey(night)].Available != 1 {
			t.Errorf("calls %+v, want the same told again", calls)
		}
	})
}

func TestStopWaitsForTheAnswer(t *testing.T) {
	run(t, nil, func(b *bench) {
		n := b.rest()
		b.far.set(func() { b.far.took = 5 * time.Second })
		b.suites(b.today+5, 1)
		time.Sleep(time.Second)
		before := time.Now()
		b.stop()
		if waited := time.Since(before); waited != 4*time.Second {
			t.Errorf("stopping took %v, want the 4 s that the answer takes", waited)
		}
		if told := b.toldSince(n); len(told) != 1 || told[0].State != ledger.DeliveryApplied {
			t.Errorf("told %+v, want the answer stored", told)
		}
		if s := b.state(); s.Unknown+s.Lag != 0 {
			t.Errorf("%d cells unknown, %d behind, want none", s.Unknown, s.Lag)
		}
	})
}

// A program that starts again leaves a far side alone for as long as the one before
// would have.
func TestRestartWithinAPause(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		wait time.Duration
	}{
		{"that was asked for", &connectors.Error{Kind: connectors.RateLimited, RetryAfter: 10 * time.Minute}, 10 * time.Minute},
		{"that was asked for, for a year", &connectors.Error{Kind: connectors.RateLimited, RetryAfter: 365 * 24 * time.Hour}, gate.MaxHold},
		{"since our credentials are not taken", &connectors.Error{Kind: connectors.Denied}, gate.DeniedFor},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				n, night := b.rest(), b.today+5
				b.far.set(func() {
					b.far.answer = func(at int, _ connectors.Call) (connectors.Answer, error) {
						if at == n+1 {
							return connectors.Answer{}, c.err
						}
						return connectors.Answer{Rest: connectors.Applied}, nil
					}
				})
				b.suites(night, 1)
				time.Sleep(time.Second)
				for range 3 {
					b.stop()
					time.Sleep(time.Minute)
					b.start(b.ldg)
				}
				time.Sleep(c.wait)
				b.rest()
				calls := b.far.since(n)
				if len(calls) != 2 {
					t.Fatalf("%d calls, want the one that failed and the same again", len(calls))
				}
				if waited := calls[1].at.Sub(calls[0].at); waited < c.wait || waited > c.wait+time.Minute {
					t.Errorf("called again after %v, want %v", waited, c.wait)
				}
			})
		})
	}
}
