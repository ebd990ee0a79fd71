package dispatch

import (
	"errors"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// refuseWhole has the far side refuse every call that has something to say that it does
// not take.
func (b *bench) refuseWhole(bad func(connectors.Key, hotel.Offer) bool) {
	b.far.set(func() {
		b.far.answer = func(_ int, c connectors.Call) (connectors.Answer, error) {
			said := b.far.calls[len(b.far.calls)-1].sends
			for _, k := range c.Keys {
				if bad(k, said[k]) {
					return connectors.Answer{}, &connectors.Error{Kind: connectors.Invalid, Op: "send", Err: errors.New("422")}
				}
			}
			return connectors.Answer{Rest: connectors.Applied}, nil
		}
	})
}

// What stands beside a value for which a far side refuses a whole call is told all the
// same, in few calls more, and what is wrong alone is parked.
func TestACallRefusedAsAWhole(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		n := b.rest()
		bad := b.today + 13
		b.refuseWhole(func(k connectors.Key, o hotel.Offer) bool { return k.Group == hotel.Price && o.Amount.Minor == 66600 })
		for night := b.today + 1; night <= b.today+28; night++ {
			amount := 20000 + int64(night)
			if night == bad {
				amount = 66600
			}
			b.price(night, amount)
		}
		b.rest()
		if calls := b.far.count() - n; calls > 30 {
			t.Errorf("%d calls, want a few for 28 nights of which one is wrong", calls)
		}
		for night := b.today + 1; night <= b.today+28; night++ {
			k := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Price, Night: night}
			if got, want := b.far.shows(k).Amount.Minor, 20000+int64(night); night != bad && got != want {
				t.Errorf("%s shows %d, want %d", night, got, want)
			}
		}
		if s := b.state(); s.Rejected != 1 || s.Lag != 0 {
			t.Errorf("%d cells parked and %d behind, want the one and none", s.Rejected, s.Lag)
		}
		n = b.far.count()
		b.price(bad, 12000)
		b.rest()
		if calls := b.far.count() - n; calls > 2 || b.state().Rejected != 0 {
			t.Errorf("%d calls for a price that is right, %d parked", calls, b.state().Rejected)
		}
	})
}

// A far side that refuses whatever it is told is not asked about each value.
func TestEveryCallRefusedAsAWhole(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		n := b.rest()
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return true })
		for night := b.today + 1; night <= b.today+28; night++ {
			for room := range b.house.Rooms {
				b.house.Price(b.t, b.ldg, room, hotel.Span{From: night, To: night}, 20000+int64(night))
			}
		}
		b.rest()
		time.Sleep(5 * time.Minute)
		if calls := b.far.count() - n; calls > 3*mostRefused {
			t.Errorf("%d calls, want at most about %d", calls, 3*mostRefused)
		}
		if s := b.state(); s.Rejected < 3*28 || s.Lag != 0 {
			t.Errorf("%d cells parked and %d behind, want all of them and none", s.Rejected, s.Lag)
		}
	})
}
