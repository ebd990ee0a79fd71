package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// Answer says which rooms a stay finds.
type Answer struct {
	Available bool // some entry has at least one room
	Rooms     []RoomAnswer
}

// RoomAnswer is one room type of an answer.
type RoomAnswer struct {
	RoomType  *hotel.RoomType
	Plan      *hotel.RatePlan // whose price Rate is
	Available int             // rooms for the whole stay; 0 when no plan may be booked
	Rate      hotel.Money     // average of the nights, rounded half-even
}

// Availability answers what a caller can be sold for a stay:
// one room type, or all of them for Every. Plans in another currency than the
// property's are not compared. Shown is how many rooms of each type the caller can
// be sold, nil for one from whom nothing is kept.
//
// Of each room type the cheapest plan counts that may be booked; where none may,
// or no room is left, the cheapest whatever the restrictions, with 0 rooms. Of
// equally cheap plans the first in the list counts. Room types that are too
// small for the party, or not sold to one so small, are left out, and so are those that no plan has a price
// for on every night. A stay without nights finds nothing.
func (b *Board) Availability(stay hotel.Stay, room int, party Party, by Asker, shown []int) Answer {
	var a Answer
	if stay.Nights() == 0 {
		return a
	}
	var few [fewRooms]int
	rooms := shown
	if rooms == nil {
		rooms = b.available(few[:0], stay)
	}
	for i := range b.RoomTypes {
		if room != Every && room != i || !b.Suits(i, party) {
			continue
		}
		guests := b.guests(i, party)
		c := b.cheapest(stay, i, &guests, by, rooms[i] >= 1)
		if c.plan < 0 {
			continue
		}
		entry := RoomAnswer{
			RoomType: &b.RoomTypes[i],
			Plan:     &b.Plans[c.plan],
			Rate:     price.Average(hotel.Money{Minor: c.total, Currency: b.Property.Currency}, stay.Nights()),
		}
		if c.bookable {
			entry.Available, a.Available = rooms[i], true
		}
		if a.Rooms == nil {
			a.Rooms = make([]RoomAnswer, 0, len(b.RoomTypes)-i)
		}
		a.Rooms = append(a.Rooms, entry)
	}
	return a
}

// choice is the plan that counts for a room type, -1 when none has a price.
type choice struct {
	plan     int
	total    int64
	bookable bool
}

// cheapest chooses among the plans that the caller is sold: those that may be
// booked before the others, then by price.
func (b *Board) cheapest(
	stay hotel.Stay, room int, guests *price.Guests, by Asker, free bool,
) choice {
	best := choice{plan: -1}
	for plan := range b.Plans {
		if !b.products[room][plan] || b.Plans[plan].Currency != b.Property.Currency || !b.Sells(plan, by.Seller) {
			continue
		}
		total, ok := b.total(stay, room, plan, guests)
		cheaper := best.plan < 0 || total < best.total
		if !ok || best.bookable && !cheaper {
			continue
		}
		bookable := free && !b.Late(stay.CheckIn, plan, by) && availability.Allows(stay, by.Today, func(d hotel.Date) availability.NightRules {
			return b.HouseRules(d, room, plan)
		})
		if bookable && !best.bookable || bookable == best.bookable && cheaper {
			best = choice{plan, total, bookable}
		}
	}
	return best
}

// total adds up the nights of a stay; it reports false when one has no price.
func (b *Board) total(stay hotel.Stay, room, plan int, guests *price.Guests) (int64, bool) {
	var sum int64
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		amount := b.quotedOn(d, room, plan, guests)
		if amount == None {
			return 0, false
		}
		sum += amount
	}
	return sum, true
}
