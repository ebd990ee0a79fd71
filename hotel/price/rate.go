package price

import (
	"math"

	"ostler.example/hotel"
)

// None is the amount of a rate that has no price.
const None int64 = math.MinInt64

// Rate is what somebody typed as the price of one product on one night, in minor
// units of the plan's currency.
type Rate struct {
	Amount      int64         // for the base occupancy, or for the room; None: no price
	ByOccupancy map[int]int64 // for other numbers of guests; nil where there are none
	Extra       *Extra        // nil where a further guest has no price of its own
	LockedTo    hotel.Date    // the last day on which rules leave the price alone; 0: they act
}

// Forever is the last day of a lock that nobody has put an end to.
const Forever hotel.Date = math.MaxInt32

// LockedOn reports whether rules leave the price alone on a day.
func (r *Rate) LockedOn(today hotel.Date) bool { return r.LockedTo != 0 && today <= r.LockedTo }

// Extra is what further guests pay, in minor units.
type Extra struct {
	Adult int64            // None: nothing was typed
	Child map[string]int64 // by age band; a band without an entry has nothing typed
}

// Product is what the price of a room depends on beside what was typed.
type Product struct {
	Pricing hotel.Pricing
	Base    int // guests that the amount is for
	Most    int // guests that the room takes
	Bands   Bands
}

// For returns what was typed for the guests, or None. A child of unknown age is
// priced as an adult; see [Bands.Supposed].
//
// An infant pays what was typed for its band and takes no place. A child for
// whose band nothing was typed is priced as an adult.
//
// In a plan per room the amount covers as many guests as the base occupancy,
// those who would pay most; everybody else pays what was typed for a further
// adult, or for a child of the band; nothing typed is nothing to pay.
//
// In a plan per occupancy the children of a band with a price pay it, and the
// others together pay by their number: the amount of the base occupancy; else
// what was typed for as many; else, above the base occupancy and where a further
// adult has a price, the nearest smaller number with a price and so many further
// adults; else the next larger number with a price, up to the most that the room
// takes. Without an amount nothing but a number's own price counts.
func (r *Rate) For(p *Product, g *Guests) int64 {
	if r.Extra == nil && p.Pricing != hotel.PerOccupancy {
		return r.Amount
	}
	extras, heads := int64(0), g.Adults+g.Unknown
	var charged [MaxBands]int // children with a price of their own, by band
	for i, band := range p.Bands {
		n := g.ByBand[i]
		if n == 0 {
			continue
		}
		amount, typed := r.child(band.Code)
		switch {
		case band.CountsAs == hotel.Infant:
			if typed {
				extras += int64(n) * amount
			}
		case typed:
			charged[i] = n
			extras += int64(n) * amount
		default:
			heads += n
		}
	}
	if p.Pricing == hotel.PerOccupancy {
		return plus(r.occupancy(p, heads), extras)
	}
	if r.Amount == None {
		return None
	}
	extras += int64(heads) * max(0, r.Extra.Adult)
	return r.Amount + extras - r.covered(p, heads, charged)
}

// covered adds up what the guests whom the amount of a room covers would pay:
// the dearest ones, as many as the base occupancy.
func (r *Rate) covered(p *Product, heads int, charged [MaxBands]int) int64 {
	sum, left := int64(0), p.Base
	for adults := false; left > 0; {
		dearest, most := -1, int64(-1)
		if !adults {
			most = max(0, r.Extra.Adult)
		}
		for i, n := range charged {
			if n == 0 {
				continue
			}
			if amount, _ := r.child(p.Bands[i].Code); amount > most {
				dearest, most = i, amount
			}
		}
		var n int
		switch {
		case dearest >= 0:
			n = min(left, charged[dearest])
			charged[dearest] = 0
		case !adults:
			n, adults = min(left, heads), true
		default:
			return sum
		}
		sum += int64(n) * most
		left -= n
	}
	return sum
}

// occupancy returns the price for a number of guests without prices of their own.
func (r *Rate) occupancy(p *Product, guests int) int64 {
	if guests == p.Base && r.Amount != None {
		return r.Amount
	}
	if amount, ok := r.ByOccupancy[guests]; ok {
		return amount
	}
	if r.Amount == None {
		return None
	}
	if guests > p.Base && r.Extra != nil && r.Extra.Adult != None {
		n := guests - 1
		for ; n > p.Base; n-- {
			if amount, ok := r.ByOccupancy[n]; ok {
				return amount + int64(guests-n)*r.Extra.Adult
			}
		}
		return r.Amount + int64(guests-p.Base)*r.Extra.Adult
	}
	for n := guests + 1; n <= p.Most; n++ {
		if n == p.Base {
			return r.Amount
		}
		if amount, ok := r.ByOccupancy[n]; ok {
			return amount
		}
	}
	return None
}

func (r *Rate) child(band string) (int64, bool) {
	if r.Extra == nil {
		return 0, false
	}
	amount, ok := r.Extra.Child[band]
	return amount, ok
}

func plus(amount, extras int64) int64 {
	if amount == None {
		return None
	}
	return amount + extras
}
