package ledger

import (
	"cmp"
	"maps"
	"reflect"
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

// word is what one source has said of the prices of a product on one night.
type word struct {
	prices
	Since int64 `json:"since,omitempty"` // the entry that said it; 0: the one that has the fact
}

// settled returns the prices of a night with the entry named behind which they stand, and
// those by which each source has said what is the last entry's own.
func (f priceFact) settled(version, at int64) priceFact {
	if version == 0 {
		return f
	}
	f.Said = maps.Clone(f.Said)
	for mark, w := range f.Said {
		w.Since = cmp.Or(w.Since, version)
		f.Said[mark] = w
	}
	if !f.none() {
		f.Since = cmp.Or(f.Since, version)
	}
	f.Stands = new(f.stands(version, at))
	return f
}

// standing is the entry since which what counts of a night is as it is.
type standing struct {
	Sequence int64 `json:"sequence"`
	At       int64 `json:"at"` // microseconds
}

// stands returns it, given the last entry about the night.
func (f priceFact) stands(version, at int64) standing {
	if f.Stands != nil {
		return *f.Stands
	}
	return standing{version, at}
}

// same reports whether both say the same, whenever it was said.
func (f priceFact) same(other priceFact) bool {
	return reflect.DeepEqual(f.dateless(), other.dateless())
}

func (f priceFact) dateless() priceFact {
	f.Since, f.Stands, f.Said = 0, nil, maps.Clone(f.Said)
	for mark, w := range f.Said {
		f.Said[mark] = word{prices: w.prices}
	}
	return f
}

// words returns what each source has said of the prices, by its mark.
func (f priceFact) words() map[string]word {
	switch {
	case f.Said != nil:
		return maps.Clone(f.Said)
	case f.none():
		return map[string]word{}
	}
	return map[string]word{cmp.Or(f.By, string(hotel.FromAPI)): {f.prices, f.Since}}
}

// terms are those on which a source speaks of the prices of a night.
type terms struct {
	source string
	rank   hotel.RateRank
	today  hotel.Date // of the property, by which locks end
}

// with returns the prices of a night, which are settled, as an entry leaves them. What each
// source says is kept apart, and by the rank of the property it counts, member by member,
// or waits behind another; what does not rank at all is kept until one that does is said.
// Null takes away what the source has said; where it has said nothing, what ranks no higher.
// What a channel shows and the property takes over is decided on, and takes the place of all
// that was said before. A lock stands above the rank: while it holds, the prices are those of
// who has set it, and what others say waits.
func (f priceFact) with(e hotel.RateEntry, by terms) priceFact {
	said, mark := f.words(), f.counts(string(hotel.FromAPI)) // mark of whose price counts so far
	own := said[by.source]
	rank := by.rank.With(by.source)
	decides := hotel.RateSourceOf(by.source) == hotel.FromChannel
	gone := own.taking(e, decides)
	for other, w := range said {
		if other != by.source && (decides || rank.Place(other) >= rank.Place(by.source)) {
			said[other] = word{w.laid(gone), w.Since}
		}
	}
	said[by.source] = own.renewed(own.laid(e), mark != by.source && rank.Place(mark) == rank.Place(by.source))
	next := priceFact{Lock: e.Lock.Over(f.Lock), Locker: f.Locker}
	if e.Lock.Set {
		next.Locker = by.source
	}
	maps.DeleteFunc(said, func(mark string, w word) bool { return w.none() || rank.Place(mark) < 0 })
	switch {
	case !next.lockedOn(by.today):
		next.prices, next.By, next.Since = ranked(said, rank)
	case next.Locker == by.source || hotel.RateSourceOf(by.source) == hotel.FromUser:
		next.prices, next.By, next.Since = f.laid(e), f.By, f.Since
		if e.Amount.Set {
			held := word{f.prices, f.Since}.renewed(next.prices, mark != by.source)
			next.By, next.Since = by.source, held.Since
		}
	default:
		next.prices, next.By, next.Since = f.prices, f.By, f.Since
	}
	return next.over(f, said)
}

// without returns the prices of a night without what a layer said, which then they had, and
// whether any of that is left: the word of its source, or the lock that it set. Before it
// they were others.
func (f priceFact) without(l *layer, then, before priceFact, by terms) (next priceFact, left bool) {
	said := f.words()
	next = priceFact{prices: f.prices, Lock: f.Lock, Locker: f.Locker, By: f.By, Since: f.Since}
	if said[by.source].Since == l.sequence {
		left = true
		if w, spoke := before.words()[by.source]; spoke {
			said[by.source] = w
		} else {
			delete(said, by.source)
		}
	}
	if !reflect.DeepEqual(then.Lock, before.Lock) && reflect.DeepEqual(f.Lock, then.Lock) && f.Locker == then.Locker {
		left = true
		next.Lock, next.Locker = before.Lock, before.Locker
	}
	switch {
	case f.stands(0, 0).Sequence == l.sequence && f.same(then):
		next, left = before, true // nobody has said anything since
		next.Stands = nil
		return next, left
	case !next.lockedOn(by.today):
		next.prices, next.By, next.Since = ranked(said, by.rank)
	case f.Since == l.sequence:
		next.prices, next.By, next.Since = before.prices, before.By, before.Since
	}
	return next.over(f, said), left
}

// renewed returns the word with what the source says now. Who repeats itself says nothing,
// unless somebody else's word has counted meanwhile that it can take the place of.
func (w word) renewed(now prices, overtaken bool) word {
	if reflect.DeepEqual(w.prices, now) && !overtaken {
		return w
	}
	return word{prices: now}
}

// over finishes the prices of a night that take the place of others: what was said is kept
// where it is not what counts, and they stand since before where nothing that counts is new.
func (f priceFact) over(before priceFact, said map[string]word) priceFact {
	if w, sole := said[cmp.Or(f.By, string(hotel.FromAPI))]; len(said) > 1 || len(said) == 1 && (!sole || !reflect.DeepEqual(w.prices, f.prices)) {
		f.Said = said
	}
	if f.Lock == nil {
		f.Locker = ""
	}
	if f.none() {
		f.By, f.Since = "", 0
	}
	if f.By == string(hotel.FromAPI) {
		f.By = "" // the same facts are written in the same way
	}
	if f.By == before.By && reflect.DeepEqual(f.prices, before.prices) && reflect.DeepEqual(f.Lock, before.Lock) {
		f.Stands = before.Stands
	}
	return f
}

// ranked returns the prices that count by a rank, of two in one tier the newer, with the
// mark of the source whose amount counts and since when it is said.
func ranked(said map[string]word, rank hotel.RateRank) (all prices, by string, since int64) {
	marks := slices.SortedFunc(maps.Keys(said), func(a, b string) int {
		// What has no place comes last, and an entry without a number yet is the newest.
		return cmp.Or(cmp.Compare(uint(rank.Place(a)), uint(rank.Place(b))), cmp.Compare(uint64(said[b].Since-1), uint64(said[a].Since-1)), cmp.Compare(a, b))
	})
	for _, mark := range marks {
		of := said[mark]
		if all.none() || all.Amount == nil && of.Amount != nil {
			by, since = mark, of.Since
		}
		all = all.under(of.prices)
	}
	return all, by, since
}

// lockedOn reports whether a lock is in force on a day.
func (f priceFact) lockedOn(today hotel.Date) bool {
	return f.Lock != nil && (f.Lock.Until == nil || today <= *f.Lock.Until)
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
