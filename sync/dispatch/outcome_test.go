package dispatch

import (
	"context"
	"slices"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

func TestErrorKinds(t *testing.T) {
	const held = 90 * time.Second
	for _, c := range []struct {
		name     string
		err      error
		state    ledger.DeliveryState
		failures int           // that the breaker counts
		wait     time.Duration // at least this long until the next call
		again    bool          // the same is sent again
	}{
		{"unclassified", errCut, ledger.DeliveryUnknown, 1, 1, true},
		{"temporary", &connectors.Error{Kind: connectors.Temporary}, ledger.DeliveryUnknown, 1, 1, true},
		{"temporary, not sent", &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent}, ledger.DeliveryNotSent, 1, 1, true},
		{"temporary, with a pause asked for", &connectors.Error{Kind: connectors.Temporary, RetryAfter: held}, ledger.DeliveryUnknown, 1, held, true},
		{"too many calls", &connectors.Error{Kind: connectors.RateLimited, RetryAfter: held}, ledger.DeliveryUnknown, 0, held, true},
		{"denied", &connectors.Error{Kind: connectors.Denied}, ledger.DeliveryUnknown, 1, gate.DeniedFor, true},
		{"invalid", &connectors.Error{Kind: connectors.Invalid}, ledger.DeliveryRejected, 0, 0, false},
		{"invalid, not sent", &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent}, ledger.DeliveryNotSent, 0, 0, true},
		{"unmapped", &connectors.Error{Kind: connectors.Unmapped}, ledger.DeliveryRejected, 0, 0, false},
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
					b.far.took = time.Millisecond // so that what follows can be seen
				})
				b.suites(night, 1)
				time.Sleep(1500 * time.Microsecond)
				told := b.toldSince(n)
				if len(told) == 0 || told[0].State != c.state || told[0].Error == "" {
					t.Fatalf("told %+v, want state %s with its reason", told, c.state)
				}
				if got := b.gate.Status().Failures; got != c.failures && b.far.count() == n+1 {
					t.Errorf("the breaker counts %d failures, want %d", got, c.failures)
				}
				time.Sleep(c.wait)
				b.rest()
				time.Sleep(5 * time.Minute)
				calls := b.far.since(n)
				if !c.again {
					if len(calls) != 1 || b.state().Rejected != 1 {
						t.Errorf("%d calls, %d cells refused, want one of each", len(calls), b.state().Rejected)
					}
					b.suites(night, 2) // another value is another matter
					b.rest()
					if got := b.far.shows(b.suiteKey(night)).Available; got != 2 || b.state().Rejected != 0 {
						t.Errorf("%d are shown, want 2", got)
					}
					return
				}
				if len(calls) != 2 || calls[1].at.Sub(calls[0].at) < c.wait {
					t.Fatalf("calls %+v, want a second one after %v at the soonest", calls, c.wait)
				}
				if got := b.far.shows(b.suiteKey(night)).Available; got != 1 {
					t.Errorf("%d are shown, want 1", got)
				}
			})
		})
	}
}

// However the connector reads the end of its context: the worker gave up, so
// nobody knows.
func TestTimeoutIsTheWorkersOwn(t *testing.T) {
	run(t, nil, func(b *bench) {
		n := b.rest()
		b.far.set(func() { b.far.took = time.Hour })
		b.suites(b.today+5, 1)
		time.Sleep(timeout + time.Millisecond)
		told := b.toldSince(n)
		if len(told) != 1 || told[0].State != ledger.DeliveryUnknown || told[0].DoneAt.Sub(told[0].SentAt) != timeout {
			t.Fatalf("told %+v, want one unknown after %v", told, timeout)
		}
		if s := b.state(); s.Rejected != 0 || s.Unknown == 0 {
			t.Errorf("%d cells refused, %d unknown", s.Rejected, s.Unknown)
		}
		b.far.set(func() { b.far.took = 0 })
		b.rest()
		if got := b.far.shows(b.suiteKey(b.today + 5)).Available; got != 1 {
			t.Errorf("%d are shown, want 1", got)
		}
	})
}

func TestOutcomesAreMatchedByContent(t *testing.T) {
	first, second := hotel.Date(5), hotel.Date(6)
	foreign := connectors.Key{Room: "R-other", Group: hotel.Availability, Night: 12345}
	for _, c := range []struct {
		name     string
		answer   func(*bench) connectors.Answer
		state    ledger.DeliveryState
		rejected int
		resent   []hotel.Date
	}{
		{"one refused", func(b *bench) connectors.Answer {
			return connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{
				b.suiteKey(b.today + second): {Outcome: connectors.Rejected, Words: "no"},
			}}
		}, ledger.DeliveryPartial, 1, nil},
		{"all refused", func(*bench) connectors.Answer { return connectors.Answer{Rest: connectors.Rejected} }, ledger.DeliveryRejected, 2, nil},
		{"one not known", func(b *bench) connectors.Answer {
			return connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{b.suiteKey(b.today + first): {}}}
		}, ledger.DeliveryPartial, 0, []hotel.Date{first}},
		{"nothing said", func(*bench) connectors.Answer { return connectors.Answer{} }, ledger.DeliveryUnknown, 0, []hotel.Date{first, second}},
		{"a key that was not in the call", func(*bench) connectors.Answer {
			return connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{foreign: {Outcome: connectors.Applied}}}
		}, ledger.DeliveryUnknown, 0, []hotel.Date{first, second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				n := b.rest()
				b.far.set(func() {
					b.far.answer = func(at int, _ connectors.Call) (connectors.Answer, error) {
						if at == n+1 {
							return c.answer(b), nil
						}
						return connectors.Answer{Rest: connectors.Applied}, nil
					}
				})
				b.house.Stock(t, b.ldg, 2, hotel.Span{From: b.today + first, To: b.today + second}, hotel.InventoryEntry{SellLimit: hotel.Given(1)})
				time.Sleep(5 * time.Minute)
				if told := b.toldSince(n); told[0].State != c.state || told[0].Rejected != c.rejected {
					t.Errorf("told %s with %d refused, want %s with %d", told[0].State, told[0].Rejected, c.state, c.rejected)
				}
				if got := b.state().Rejected; got != c.rejected {
					t.Errorf("%d cells are refused, want %d", got, c.rejected)
				}
				var resent []hotel.Date
				for _, call := range b.far.since(n + 1) {
					for _, k := range call.Keys {
						resent = append(resent, k.Night-b.today)
					}
				}
				if len(resent) != len(c.resent) || len(resent) > 0 && resent[0] != c.resent[0] {
					t.Errorf("nights %v were sent again, want %v", resent, c.resent)
				}
			})
		})
	}
}

// A far side that never says what became of a value is told again, but not
// without end.
func TestAnswersThatSayNothingAreNotChased(t *testing.T) {
	run(t, nil, func(b *bench) {
		n := b.rest()
		b.far.set(func() {
			b.far.answer = func(int, connectors.Call) (connectors.Answer, error) { return connectors.Answer{}, nil }
		})
		b.suites(b.today+5, 1)
		time.Sleep(time.Minute)
		if calls := b.far.count() - n; calls < 2 || calls > 30 {
			t.Errorf("%d calls in a minute, want a few", calls)
		}
	})
}

// TestAnUnclearValueKeepsNoClosingBack: a value whose outcome nobody ever knows has the
// rest wait longer and longer, and a room that is sold meanwhile is taken off at once.
func TestAnUnclearValueKeepsNoClosingBack(t *testing.T) {
	run(t, nil, func(b *bench) {
		n := b.rest()
		b.far.set(func() {
			b.far.answer = func(_ int, call connectors.Call) (connectors.Answer, error) {
				if call.Operation == opRates {
					return connectors.Answer{Rest: connectors.Unknown}, nil
				}
				return connectors.Answer{Rest: connectors.Applied}, nil
			}
		})
		b.price(b.today+3, 23000)
		time.Sleep(30 * time.Minute) // by now the pauses are minutes
		for round := range 12 {
			night := b.today + 5 + 2*hotel.Date(round)
			before := b.far.count()
			b.far.set(func() { b.far.perCall = 1 }) // two closings are two calls
			b.suites(night, 0)
			b.suites(night+1, 0)
			time.Sleep(5 * time.Second)
			for _, of := range []hotel.Date{night, night + 1} {
				if !slices.ContainsFunc(b.far.since(before), func(c call) bool { return slices.Contains(c.Keys, b.suiteKey(of)) }) {
					t.Errorf("after %s no call has taken the rooms of %s off", 5*time.Second, of)
				}
			}
			time.Sleep(time.Duration(round) * 17 * time.Second)
		}
		if calls := b.far.count() - n; calls > 60 {
			t.Errorf("%d calls in three quarters of an hour", calls)
		}
	})
}

func TestRefusedByEncodeIsParked(t *testing.T) {
	run(t, func(b *bench) {
		b.far.refuse = func(c connectors.Change) string {
			if c.Offer.Amount.Minor > 50000 {
				return "too dear"
			}
			return ""
		}
	}, func(b *bench) {
		n := b.rest()
		b.price(b.today+3, 60000)
		b.suites(b.today+3, 1) // goes on, whatever becomes of the price
		time.Sleep(5 * time.Minute)
		if calls := b.far.since(n); len(calls) != 3 || calls[0].Operation != opStock {
			t.Errorf("%d calls, want the room less, the products closed whose price is parked, and the one price below the limit", len(calls))
		}
		closed := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Closures, Night: b.today + 3}
		if !b.far.shows(closed).Closed.Closed {
			t.Error("the night is open without a price")
		}
		if s := b.state(); s.Rejected != 5 || s.Lag != 0 {
			t.Errorf("%d cells parked and %d behind, want 5 (of 2 plans for the room, 1 and 2 guests one is cheap enough) and none", s.Rejected, s.Lag)
		}
		b.price(b.today+3, 12000)
		b.rest()
		k := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Price, Night: b.today + 3}
		if got := b.far.shows(k).Amount.Minor; got != 12000 || b.state().Rejected != 0 {
			t.Errorf("%d is shown, %d refused, want the new price", got, b.state().Rejected)
		}
		if b.far.shows(closed).Closed.Closed {
			t.Error("the night is still closed")
		}
	})
}

func TestNothingLeavesWhileTheBreakerIsOpen(t *testing.T) {
	run(t, nil, func(b *bench) {
		n := b.rest()
		b.far.set(func() {
			b.far.answer = func(int, connectors.Call) (connectors.Answer, error) {
				if b.gate.Status().Breaker == gate.Open {
					t.Error("a call leaves while the breaker is open")
				}
				return connectors.Answer{}, errCut
			}
		})
		b.suites(b.today+5, 1)
		for b.gate.Status().Breaker != gate.Open {
			time.Sleep(time.Second)
		}
		if got := b.far.count() - n; got != 5 {
			t.Errorf("%d calls opened the breaker, want 5", got)
		}
		n = b.far.count()
		for i := range 150 {
			b.suites(b.today+6, i%3)
			time.Sleep(time.Second)
		}
		if probes := b.far.count() - n; probes < 1 || probes > 3 {
			t.Errorf("%d probes in 150 s, want 1 to 3", probes)
		}
		b.far.set(func() { b.far.answer = nil })
		b.rest()
		if got := b.far.shows(b.suiteKey(b.today + 5)).Available; got != 1 {
			t.Errorf("%d are shown, want 1", got)
		}
	})
}

// The stock of a night tells when the channel confirmed what it shows.
func TestInventoryTellsWhenTheChannelConfirmed(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night, first := b.today+5, b.synced(b.today+5).SyncedAt
		if first.IsZero() || !first.Equal(b.synced(night+1).SyncedAt) {
			t.Errorf("at first %v and %v", first, b.synced(night+1).SyncedAt)
		}
		time.Sleep(time.Hour)
		told := time.Now()
		b.suites(night, 1)
		b.rest()
		if got := b.synced(night); !got.SyncedAt.Equal(told) || got.SyncedVersion <= b.synced(night+1).SyncedVersion {
			t.Errorf("confirmed %+v, want at %v", got, told)
		}
		if got := b.synced(night + 1).SyncedAt; !got.Equal(first) {
			t.Errorf("another night was confirmed at %v, want %v", got, first)
		}
	})
}

// synced is what the channel knows of the suites of a night.
func (b *bench) synced(night hotel.Date) hotel.ChannelCell {
	b.t.Helper()
	inv, err := b.ldg.Inventory(context.Background(), hotel.InventoryQuery{
		PropertyID: b.house.Property.ID, Span: hotel.Span{From: night, To: night}, RoomTypeIDs: []string{b.house.Rooms[2].ID}, ChannelID: channel,
	})
	if err != nil || len(inv.Cells) != 1 || inv.Cells[0].Channel == nil {
		b.t.Fatalf("%+v, %v", inv, err)
	}
	return *inv.Cells[0].Channel
}
