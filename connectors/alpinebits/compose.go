package alpinebits

import (
	"cmp"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// values are offers by their keys, of any groups.
type values = map[connectors.Key]hotel.Offer

// roomsOf are the counts, each with as many nights in a row as have it.
func roomsOf(told values) []message.Rooms {
	var rooms []message.Rooms
	for _, k := range sorted(told) {
		if k.Group != hotel.Availability {
			continue
		}
		free := told[k].Available
		if n := len(rooms); n > 0 && rooms[n-1].Category == k.Room && rooms[n-1].Free == free && rooms[n-1].Nights.To+1 == k.Night {
			rooms[n-1].Nights.To = k.Night
			continue
		}
		rooms = append(rooms, message.Rooms{Category: k.Room, Nights: hotel.Span{From: k.Night, To: k.Night}, Free: free})
	}
	return rooms
}

// sorted lists keys by room, group, night and occupancy.
func sorted(told values) []connectors.Key {
	return slices.SortedFunc(maps.Keys(told), func(a, b connectors.Key) int {
		return cmp.Or(cmp.Compare(a.Room, b.Room), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Night, b.Night), cmp.Compare(a.Occupancy, b.Occupancy))
	})
}

// overlays are changes of a rate plan. Prices of another currency than others are a
// part of their own.
func (c *conn) overlays(plan string, told values) []message.Plan {
	rates := c.rates(told)
	parts := []message.Plan{{Code: plan, Kind: message.Overlay, Rules: rules(told)}}
	for i, currency := range slices.Sorted(maps.Keys(rates)) {
		if i > 0 {
			parts = append(parts, message.Plan{Code: plan, Kind: message.Overlay})
		}
		parts[i].Currency, parts[i].Rates = currency, rates[currency]
	}
	return parts
}

// rates are the prices by currency, each with as many nights in a row as have it.
func (c *conn) rates(told values) map[hotel.Currency][]message.Rate {
	type at struct {
		room  string
		night hotel.Date
	}
	nights := map[at]values{}
	for k, o := range told {
		if k.Group == hotel.Price {
			of := at{k.Room, k.Night}
			if nights[of] == nil {
				nights[of] = values{}
			}
			nights[of][k] = o
		}
	}
	all := map[hotel.Currency][]message.Rate{}
	order := slices.SortedFunc(maps.Keys(nights), func(a, b at) int { return cmp.Or(cmp.Compare(a.room, b.room), cmp.Compare(a.night, b.night)) })
	for _, of := range order {
		prices, currency := c.prices(of.room, nights[of])
		so := all[currency]
		if n := len(so); n > 0 && so[n-1].Category == of.room && so[n-1].Nights.To+1 == of.night && slices.Equal(so[n-1].Prices, prices) {
			so[n-1].Nights.To = of.night
			continue
		}
		all[currency] = append(so, message.Rate{Category: of.room, Nights: hotel.Span{From: of.night, To: of.night}, Prices: prices})
	}
	return all
}

// prices are those of one night, by the number of guests. The room's own is that of the
// standard number, unless that number has one too.
func (c *conn) prices(room string, of values) ([]message.GuestPrice, hotel.Currency) {
	by := map[int]int64{}
	var currency hotel.Currency
	for _, k := range sorted(of) { // the room's own first
		guests := k.Occupancy
		if guests == 0 {
			guests = c.cfg.StandardGuests[room]
		}
		by[guests], currency = of[k].Amount.Minor, of[k].Amount.Currency
	}
	var prices []message.GuestPrice
	for _, guests := range slices.Sorted(maps.Keys(by)) {
		prices = append(prices, message.GuestPrice{Guests: guests, Minor: by[guests]})
	}
	return prices, currency
}

// rules are the restrictions of each category, as many days in a row in one as have the
// same.
func rules(told values) []message.Rule {
	var all []message.Rule
	days := map[connectors.Key]bool{}
	for k := range told {
		if k.Group == hotel.Closures || k.Group == hotel.Lengths {
			days[connectors.Key{Room: k.Room, Night: k.Night, Rate: k.Rate}] = true
		}
	}
	order := slices.SortedFunc(maps.Keys(days), func(a, b connectors.Key) int {
		return cmp.Or(cmp.Compare(a.Room, b.Room), cmp.Compare(a.Night, b.Night))
	})
	for _, day := range order {
		closures, lengths := day, day
		closures.Group, lengths.Group = hotel.Closures, hotel.Lengths
		r := rule(day, told[closures].Closed, told[lengths].Lengths)
		if n := len(all); n > 0 && all[n-1].Nights.To+1 == day.Night && same(all[n-1], r) {
			all[n-1].Nights.To = day.Night
			continue
		}
		all = append(all, r)
	}
	return all
}

// rule restricts one day.
func rule(day connectors.Key, closed hotel.Closed, lengths hotel.LengthLimits) message.Rule {
	r := message.Rule{Category: day.Room, Nights: hotel.Span{From: day.Night, To: day.Night}, Closed: closed.Closed, Lengths: lengths}
	every := [7]bool{true, true, true, true, true, true, true}
	if closed.Arrival {
		r.Arrival = every
	}
	if closed.Departure {
		r.Departure = every
	}
	return r
}

// same reports whether two rules say the same of their days.
func same(a, b message.Rule) bool {
	a.Nights, b.Nights = hotel.Span{}, hotel.Span{}
	return a == b
}
