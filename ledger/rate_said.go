package ledger

import (
	"maps"
	"slices"

	"ostler.example/hotel"
)

// prices are those of a product on one night, in minor units of its plan's currency.
type prices struct {
	Amount      *int64        `json:"amount"` // for the base occupancy; nil: none
	Occupancies map[int]int64 `json:"occupancy_amounts,omitempty"`

	ExtraAdult *int64           `json:"extra_adult,omitempty"`
	ExtraChild map[string]int64 `json:"extra_child,omitempty"` // by age band
}

func (p prices) none() bool {
	return p.Amount == nil && p.Occupancies == nil && p.ExtraAdult == nil && p.ExtraChild == nil
}

// laid returns the prices with the members of an entry laid over them.
func (p prices) laid(e hotel.RateEntry) prices {
	return prices{
		Amount: minorOf(e.Amount).Over(p.Amount), Occupancies: laid(p.Occupancies, e.Occupancies),
		ExtraAdult: minorOf(e.ExtraAdult).Over(p.ExtraAdult), ExtraChild: laid(p.ExtraChild, e.ExtraChild),
	}
}

// under returns the prices with those of a lower rank where they say nothing.
func (p prices) under(lower prices) prices {
	if p.Amount == nil {
		p.Amount = lower.Amount
	}
	if p.ExtraAdult == nil {
		p.ExtraAdult = lower.ExtraAdult
	}
	p.Occupancies, p.ExtraChild = filled(p.Occupancies, lower.Occupancies), filled(p.ExtraChild, lower.ExtraChild)
	return p
}

func filled[K comparable](amounts, lower map[K]int64) map[K]int64 {
	switch {
	case len(lower) == 0:
		return amounts
	case len(amounts) == 0:
		return lower
	}
	all := maps.Clone(lower)
	maps.Copy(all, amounts)
	return all
}

// taking returns the members of an entry that are to be gone from what others have
// said below it: those that say nothing where the source has said nothing itself, and all of
// them when the entry is a decision about the night.
func (p prices) taking(e hotel.RateEntry, all bool) hotel.RateEntry {
	gone := hotel.RateEntry{
		Amount:     hotel.Optional[hotel.Money]{Set: e.Amount.Set && (all || e.Amount.Null && p.Amount == nil), Null: true},
		ExtraAdult: hotel.Optional[hotel.Money]{Set: e.ExtraAdult.Set && (all || e.ExtraAdult.Null && p.ExtraAdult == nil), Null: true},
	}
	gone.Occupancies, gone.ExtraChild = nulled(e.Occupancies, p.Occupancies, all), nulled(e.ExtraChild, p.ExtraChild, all)
	return gone
}

func nulled[K comparable](asked map[K]hotel.Optional[hotel.Money], own map[K]int64, all bool) map[K]hotel.Optional[hotel.Money] {
	gone := map[K]hotel.Optional[hotel.Money]{}
	for k, o := range asked {
		if _, said := own[k]; all || o.Null && !said {
			gone[k] = hotel.Optional[hotel.Money]{Set: true, Null: true}
		}
	}
	return gone
}

// sole reports whether all that counts was said by one source, or by others of its rank.
func (f priceFact) sole(source string) bool {
	return f.Said == nil && (f.none() || hotel.RateSourceOf(f.By) == hotel.RateSourceOf(source))
}

// said returns what each source has said of the prices, by its mark.
func (f priceFact) said() map[string]prices {
	switch {
	case f.Said != nil:
		return maps.Clone(f.Said)
	case f.none():
		return map[string]prices{}
	}
	return map[string]prices{f.By: f.prices}
}

// own returns what a source, or another one of its rank, has said of the prices, and by
// which mark.
func (f priceFact) own(source string) (mark string, of prices) {
	for mark, of := range f.said() {
		if hotel.RateSourceOf(mark) == hotel.RateSourceOf(source) {
			return mark, of
		}
	}
	return source, prices{}
}

// with returns the prices of a night as an entry of a source leaves them. What each
// source says is kept apart, and by the rank of the property it counts, member by member,
// or waits behind another; what does not rank at all is kept until one that does is said.
// Null takes away what the source has said; where it has said nothing, what ranks below it.
// What a channel shows and the property takes over is decided on, and takes the place of all
// that was said before.
func (f priceFact) with(e hotel.RateEntry, source string, rank []hotel.RateSource) priceFact {
	next := priceFact{Lock: e.Lock.Over(f.Lock)}
	if f.sole(source) {
		next.prices, next.By = f.laid(e), source
		return next.plain()
	}
	said := f.said()
	mark, own := f.own(source)
	delete(said, mark)
	class := hotel.RateSourceOf(source)
	if !slices.Contains(rank, class) {
		rank = append(slices.Clone(rank), class)
	}
	place := func(mark string) int { return slices.Index(rank, hotel.RateSourceOf(mark)) }
	decides := class == hotel.FromChannel
	gone := own.taking(e, decides)
	for other := range said {
		if decides || place(other) > place(source) {
			said[other] = said[other].laid(gone)
		}
	}
	said[source] = own.laid(e)
	maps.DeleteFunc(said, func(mark string, p prices) bool { return p.none() || place(mark) < 0 })
	for _, class := range rank {
		for mark, of := range said {
			if hotel.RateSourceOf(mark) != class {
				continue
			}
			if next.none() || next.Amount == nil && of.Amount != nil {
				next.By = mark
			}
			next.prices = next.under(of)
		}
	}
	if len(said) > 1 {
		next.Said = said
	}
	return next.plain()
}

// plain writes the same facts in the same way.
func (f priceFact) plain() priceFact {
	if f.none() || f.By == string(hotel.FromAPI) && f.Said == nil {
		f.By = ""
	}
	return f
}

// counts returns the mark of the source whose price counts, given who wrote last.
func (f priceFact) counts(last string) string {
	switch {
	case f.By != "":
		return f.By
	case f.none() || hotel.RateSourceOf(last) == hotel.FromAPI:
		return last
	}
	return string(hotel.FromAPI)
}
