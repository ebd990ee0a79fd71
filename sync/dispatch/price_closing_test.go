package dispatch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ostler.example/hotel"
)

// priced is a night as it is to stand at a channel with a price guard, worked out step
// by step and apart from the engine.
type priced struct {
	wanted *int64 // the house's price; nil: it has none
	shown  int64  // the last one that the channel was told
	shut   bool   // the house has closed the night
	gone   bool   // what is shown is a price that was taken away
	closed bool   // as the channel shows it
}

// rest is that the channel is told all that it may be.
func (p *priced) rest(floor int64) {
	held := p.wanted != nil && *p.wanted < floor
	switch {
	case p.wanted == nil:
		p.gone = true
	case !held:
		p.shown, p.gone = *p.wanted, false
	}
	p.closed = p.shut || p.gone || held && p.closed // what is closed opens behind its price
}

// A price that is changed, held or taken away, with closings and openings of the same
// night before, between and behind it: a closing is never held up, and a night
// never opens at a price that is not what the house wants.
func TestHeldAndDeletedPricesWithClosingsOfTheSameNight(t *testing.T) {
	const floor = 5000
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			run(t, nil, func(b *bench) {
				r := rand.New(rand.NewPCG(seed, 15)) // the same walk each time
				night := b.today + 8
				span := hotel.Span{From: night, To: night}
				rate, closures := b.suiteRate(hotel.Price, night), b.suiteRate(hotel.Closures, night)
				b.rest()
				lowest := hotel.Money{Minor: floor, Currency: "EUR"}
				b.change(func(c *hotel.Channel) { c.Pricing.Guard = hotel.PriceGuard{Floor: &lowest} })
				b.rest()
				first := b.far.shows(rate).Amount.Minor
				model := priced{wanted: &first, shown: first}
				told := ""
				for range 25 {
					steps := []func(){func() {
						amount := int64(1000 * (6 + r.IntN(9)))
						switch r.IntN(4) {
						case 0:
							b.unprice(night)
							model.wanted = nil
							told += " no price"
							return
						case 1:
							amount /= 10 // below the floor: held
						}
						b.price(night, amount)
						model.wanted = &amount
						told += fmt.Sprint(" price ", amount)
					}, func() {
						model.shut = r.IntN(2) == 0
						b.closed(span, model.shut)
						told += fmt.Sprint(" closed ", model.shut)
					}}
					r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
					for _, step := range steps[:1+r.IntN(2)] {
						step()
					}
					b.rest()
					told += ";"
					model.rest(floor)
					if got := b.far.shows(rate).Amount.Minor; got != model.shown {
						b.t.Fatalf("%d is shown, want %d after%s", got, model.shown, told)
					}
					if got := b.far.shows(closures).Closed.Closed; got != model.closed {
						b.t.Fatalf("closed: %t, want %t after%s", got, model.closed, told)
					}
				}
			})
		})
	}
}
