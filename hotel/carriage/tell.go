package carriage

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// House is what the house says: the rules of some products on consecutive nights
// from From on. Nights behind the last are not for sale. Advance days are counted
// from Today.
type House struct {
	From, Today hotel.Date
	Products    [][]availability.NightRules // by product, each of the same number of nights
}

// Told is what the channel is told, in the order of the house's products and
// nights.
type Told struct {
	Products [][]availability.NightRules
	Longest  int      // stays of so many nights were counted
	Forced   []Forced // by night
}

// Loss counts the stays of up to [Told.Longest] nights that the house allows and
// the channel does not sell, by the first statement that forbids them there.
type Loss struct {
	Product int
	Night   hotel.Date
	Field   hotel.Field // what the channel is told
	Stays   int
}

// Forced is a night that is closed at the channel, or closed to arrivals, only
// because it cannot be told something else.
type Forced struct {
	Product int
	Night   hotel.Date
	Field   hotel.Field // closed or closed_to_arrival
	Cause   hotel.Field // what cannot be told
}

// Tell works out what the channel is told. Unless [Channel.Level] is PerRate, when
// each product is told by itself, the house's products must be all those that
// share the channel's values. Advance days that the channel cannot be told close the
// arrivals that they forbid today, so that the answer holds for that day only.
func (c Channel) Tell(h House) Told {
	told := Told{Products: make([][]availability.NightRules, len(h.Products)), Longest: counted(h)}
	if c.Level() != hotel.PerRate {
		newSolver(c, h, told.Longest).solve(told.Products, &told.Forced, 0)
	} else {
		for i := range h.Products {
			one := House{From: h.From, Today: h.Today, Products: h.Products[i : i+1]}
			newSolver(c, one, told.Longest).solve(told.Products[i:i+1], &told.Forced, i)
		}
	}
	return told
}

// Lost counts what the house allows and the channel does not sell by what it is
// told: by product, then night, then field.
func (c Channel) Lost(h House, t Told) []Loss {
	var all []Loss
	for i := range h.Products {
		all = append(all, c.lost(h, i, t.Products[i], t.Longest)...)
	}
	return all
}

const (
	usual = 14 // nights: stays up to here are always counted
	most  = 60 // the longest minimum that is worked out
)

// counted returns how long the stays are that count: long enough for each
// minimum to be seen.
func counted(h House) int {
	n := usual
	for _, nights := range h.Products {
		for i := range nights {
			n = max(n, nights[i].Lengths.MinStayArrival, nights[i].Lengths.MinStayThrough)
		}
	}
	return min(n, most)
}

// lost counts what the house allows and the channel does not sell.
func (c Channel) lost(h House, product int, told []availability.NightRules, longest int) []Loss {
	type where struct {
		night int
		field hotel.Field
	}
	stays := map[where]int{}
	for a := range told {
		for l := 1; l <= longest && a+l <= len(told); l++ {
			if _, _, forbids := (Channel{}).broken(h.Products[product], a, l, h.advance(a)); forbids {
				continue
			}
			if night, field, forbids := c.broken(told, a, l, h.advance(a)); forbids {
				stays[where{night, field}]++
			}
		}
	}
	var out []Loss
	for night := range told {
		for _, f := range restrictions {
			if n := stays[where{night, f}]; n > 0 {
				out = append(out, Loss{Product: product, Night: h.From + hotel.Date(night), Field: f, Stays: n})
			}
		}
	}
	return out
}

func (h House) advance(a int) int { return int(h.From-h.Today) + a }
