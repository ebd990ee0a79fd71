package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Quote is what a stay comes to in one product, as the property itself sells it.
type Quote struct {
	Available int                      // rooms, the least of all nights
	Bookable  bool                     // a room is available, priced, allowed, and takes the party
	Priced    bool                     // every night has a price
	Total     hotel.Money              // sum of Nightly; zero when not Priced
	Nightly   []hotel.Money            // by night; nil when not Priced
	Failed    []availability.Violation // what forbids the stay
}

// Quote works out a stay for a party that asks on the date today. Nights outside the board have no rooms and no price. A stay without
// nights gives the zero Quote. Who may buy the plan is for Sells to say.
func (b *Board) Quote(stay hotel.Stay, room, plan int, party Party, today hotel.Date) Quote {
	if stay.Nights() == 0 {
		return Quote{}
	}
	var few [fewRooms]int
	q := Quote{Available: b.available(few[:0], stay)[room]}
	q.Failed = availability.Violations(stay, today, func(d hotel.Date) availability.NightRules {
		return b.HouseRules(d, room, plan)
	})
	guests := b.guests(room, party)
	nightly := make([]hotel.Money, 0, stay.Nights())
	total := hotel.Money{Currency: b.Plans[plan].Currency}
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		amount := b.quotedOn(d, room, plan, &guests)
		if amount == None {
			break
		}
		nightly = append(nightly, hotel.Money{Minor: amount, Currency: total.Currency})
		total.Minor += amount
	}
	if len(nightly) == stay.Nights() {
		q.Priced, q.Nightly, q.Total = true, nightly, total
	}
	q.Bookable = q.Available >= 1 && q.Priced && len(q.Failed) == 0 && b.Suits(room, party)
	return q
}

// fewRooms is the number of room types up to which an answer is worked out
// without asking for memory on the way.
const fewRooms = 16

// available appends to dst, for each room type, the rooms that may be sold for
// the whole of a stay of at least one night.
func (b *Board) available(dst []int, stay hotel.Stay) []int {
	var few [fewRooms]availability.House
	house := few[:0]
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		n := b.Night(d)
		if n == nil {
			dst = dst[:0]
			for range b.RoomTypes {
				dst = append(dst, 0)
			}
			return dst
		}
		house = b.layout.AppendUndealt(house[:0], &n.Night)
		for i, h := range house {
			if d == stay.CheckIn {
				dst = append(dst, h.Available)
				continue
			}
			dst[i] = min(dst[i], h.Available)
		}
	}
	return dst
}
