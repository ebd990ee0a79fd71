package dispatch

import (
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// suiteRate is the address of a field group of the suites' first rate.
func (b *bench) suiteRate(g hotel.Group, night hotel.Date) connectors.Key {
	return connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: g, Night: night}
}

func TestANightOpensBehindItsPrice(t *testing.T) {
	for _, c := range []struct {
		name   string
		reopen func(*bench, hotel.Date)
		close  func(*bench, hotel.Date)
	}{
		{
			"that was missing",
			func(b *bench, d hotel.Date) { b.price(d, 12000) },
			(*bench).unprice,
		},
		{
			"that the channel had refused",
			func(b *bench, d hotel.Date) {
				b.far.set(func() { b.far.refuse = func(connectors.Change) string { return "" } })
				b.price(d, 12000)
			},
			func(b *bench, d hotel.Date) {
				b.far.set(func() {
					b.far.refuse = func(c connectors.Change) string {
						if c.Key.Group == hotel.Price {
							return "no"
						}
						return ""
					}
				})
				b.price(d, 15000)
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				b.rest()
				night := b.today + 3
				open, price := b.suiteRate(hotel.Closures, night), b.suiteRate(hotel.Price, night)
				c.close(b, night)
				b.rest()
				if !b.far.shows(open).Closed.Closed {
					t.Fatal("the night is open without a price")
				}
				b.far.set(func() { b.far.took = 5 * time.Second })
				n := b.rest()
				c.reopen(b, night)
				b.rest()
				priced := time.Time{}
				for _, call := range b.far.since(n) {
					if _, sent := call.sends[price]; sent {
						priced = call.at.Add(5 * time.Second)
					}
					if o, sent := call.sends[open]; sent && !o.Closed.Closed && (priced.IsZero() || call.at.Before(priced)) {
						t.Errorf("the night opens before its price is confirmed")
					}
				}
				if priced.IsZero() || b.far.shows(open).Closed.Closed {
					t.Errorf("priced %v, shown %+v: the night never opens", priced, b.far.shows(open))
				}
			})
		})
	}
}

// A price that is changed while the night is closed is there before the night
// opens, also when both are said at once.
func TestAClosedNightOpensAtItsNewPrice(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*bench)
		first  bool                                // the price is said first
		open   func(*bench, call, hotel.Date) bool // the call opens the night
	}{
		{"where closings are told", nil, false, func(b *bench, c call, d hotel.Date) bool {
			o, sent := c.sends[b.suiteRate(hotel.Closures, d)]
			return sent && !o.Closed.Closed
		}},
		{"where no rooms say closed", func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }, true, func(b *bench, c call, d hotel.Date) bool {
			return c.sends[b.suiteKey(d)].Available > 0
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, c.change, func(b *bench) {
				b.rest()
				night := b.today + 3
				b.restrict(0, night, hotel.RestrictionEntry{Closed: hotel.Given(true)})
				n := b.rest()
				if c.first {
					b.price(night, 25000)
				}
				b.restrict(0, night, hotel.RestrictionEntry{Closed: hotel.Given(false)})
				if !c.first {
					b.price(night, 25000)
				}
				b.rest()
				amount, opened := int64(0), false
				for _, call := range b.far.since(n) {
					if c.open(b, call, night) {
						opened = true
						if amount != 25000 {
							t.Errorf("it opens when %d is shown", amount)
						}
					}
					if o, sent := call.sends[b.suiteRate(hotel.Price, night)]; sent {
						amount = o.Amount.Minor
					}
				}
				if !opened || amount != 25000 {
					t.Errorf("opened: %t, at %d", opened, amount)
				}
			})
		})
	}
}

func TestAPriceTheChannelStillHoldsNeedsNoCall(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.unprice(night)
		n := b.rest()
		b.price(night, 10000) // as it was
		b.rest()
		for _, call := range b.far.since(n) {
			if _, sent := call.sends[b.suiteRate(hotel.Price, night)]; sent {
				t.Error("a price that is shown already is sent again")
			}
		}
		if b.far.shows(b.suiteRate(hotel.Closures, night)).Closed.Closed {
			t.Error("the night stays closed")
		}
	})
}

// What sells while a night is closed counts when it opens again.
func TestAChannelWithoutClosingsOpensWithWhatIsLeft(t *testing.T) {
	run(t, func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.unprice(night)
		b.rest()
		b.suites(night, 1)
		b.rest()
		b.price(night, 12000)
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != 1 {
			t.Errorf("%d rooms are shown, want the 1 that is left", got)
		}
	})
}

func TestAChannelWithoutClosingsShowsNoRooms(t *testing.T) {
	run(t, func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }, func(b *bench) {
		b.rest()
		night := b.today + 3
		shown := b.far.shows(b.suiteKey(night)).Available
		if shown == 0 {
			t.Fatal("a priced night shows no rooms")
		}
		b.unprice(night)
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != 0 {
			t.Errorf("%d rooms are shown on a night without a price", got)
		}
		b.price(night, 12000)
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != shown {
			t.Errorf("%d rooms are shown, want %d", got, shown)
		}
		if o, sent := b.far.shown[b.suiteRate(hotel.Closures, night)]; sent && o.Closed.Closed {
			t.Error("the channel was told a closing that it does not know")
		}
	})
}
