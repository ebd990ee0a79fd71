package dispatch

import (
	"sync/atomic"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// opensAtPrices has the far side take closings and prices of one night as a whole.
func opensAtPrices(b *bench) {
	b.caps.Operations = []connectors.Operation{
		{Name: opStock, Groups: []hotel.Group{hotel.Availability}, Apart: true},
		{Name: opRates, Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Joined: []hotel.Group{hotel.Lengths, hotel.Price}, Apart: true, Opens: true},
	}
	b.far.perCall = 100_000
}

// A channel that takes a night's opening and its price together, or neither, is told them
// together the first time: no call goes ahead that closes what the next one opens.
func TestANightOpensInTheEntryOfItsPrice(t *testing.T) {
	run(t, opensAtPrices, func(b *bench) {
		b.rest()
		rates := 0
		for _, call := range b.far.since(0) {
			if call.Operation != opRates {
				continue
			}
			rates++
			for k, o := range call.sends {
				price := k
				price.Group = hotel.Price
				if _, priced := call.sends[price]; priced && k.Group == hotel.Closures && o.Closed.Closed {
					t.Fatalf("%v is told closed, and has a price", k)
				}
			}
		}
		if night := b.today + 3; rates != 1 || b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor == 0 {
			t.Errorf("%d calls with rates, want 1 that prices and opens", rates)
		}
	})
}

// A price that is refused takes its opening along. The night is closed then, and opens
// behind a price that is taken.
func TestAnOpeningThatIsRefusedWithItsPriceIsClosed(t *testing.T) {
	var refuses atomic.Bool
	refuses.Store(true)
	run(t, func(b *bench) {
		opensAtPrices(b)
		b.far.answer = func(_ int, c connectors.Call) (connectors.Answer, error) {
			a := connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{}}
			night := b.today + 3
			for _, k := range c.Keys {
				priced := k == b.suiteRate(hotel.Price, night)
				if opened := k == b.suiteRate(hotel.Closures, night) && !b.far.says(c, k).Closed.Closed; refuses.Load() && (priced || opened) {
					a.Keys[k] = connectors.Verdict{Outcome: connectors.Rejected, Words: "too little"}
				}
			}
			return a, nil
		}
	}, func(b *bench) {
		b.rest()
		night := b.today + 3
		closures, price := b.suiteRate(hotel.Closures, night), b.suiteRate(hotel.Price, night)
		if !b.far.shows(closures).Closed.Closed || b.far.shows(price).Amount.Minor != 0 {
			t.Fatalf("the night is %+v at %+v after its price was refused", b.far.shows(closures), b.far.shows(price))
		}
		if o := b.suiteRate(hotel.Closures, night+1); b.far.shows(o).Closed.Closed {
			t.Error("the next night is closed too")
		}
		refuses.Store(false)
		b.price(night, 12000)
		b.rest()
		if b.far.shows(closures).Closed.Closed || b.far.shows(price).Amount.Minor != 12000 {
			t.Errorf("the night is %+v at %+v after another price was taken", b.far.shows(closures), b.far.shows(price))
		}
	})
}
