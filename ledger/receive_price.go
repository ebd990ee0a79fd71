package ledger

import (
	"fmt"
	"math/big"
	"slices"

	"ostler.example/hotel"
)

// roomSums is what the sums of a message say of one of its rooms.
type roomSums struct {
	sharing    int          // rooms whose nights share what is left of the total; 0: the room's amounts are told by night
	commission *hotel.Money // what the channel keeps of it; nil: not told
	differs    *differing   // nil where the total does not contradict the amounts
}

// differing is a total, and what the same message says of nights and extras together.
type differing struct{ total, sum hotel.Money }

// sumUp finds out what the total of the booking and its commission say of each room. It
// follows from the message alone, so that every order of arrival ends the same. Of a message
// that names some rooms the sums of the booking are of the others too, and nobody knows whose.
func (m *message) sumUp() {
	m.said = m.r.Booking.Rooms
	m.r.Booking.Rooms, m.sums = slices.Clone(m.said), make([]roomSums, len(m.said))
	if len(m.said) == 0 {
		return
	}
	for i, room := range m.r.Booking.Rooms {
		if room.Total != nil {
			spreadTotal(*room.Total, m.r.Booking.Rooms[i:i+1], m.sums[i:i+1])
		}
	}
	whole := !m.r.Partial || m.r.Event == eventBooked
	if whole && m.r.Booking.Total != nil {
		spreadTotal(*m.r.Booking.Total, m.r.Booking.Rooms, m.sums)
	}
	if (whole || len(m.said) == 1) && m.r.Booking.Commission != nil {
		m.shareCommission(*m.r.Booking.Commission)
	}
}

// spreadTotal gives the rooms of whose nights the message does not say what each costs what
// the total leaves for them, evenly by night, the first the odd units. The total is of
// everything that the guest pays for, extras too. A total of nothing says nothing: far sides
// write it where they know none.
func spreadTotal(total hotel.Money, rooms []hotel.ChannelRoom, sums []roomSums) {
	nights, extras, ok := toldSums(rooms, total.Currency)
	if !ok || total.Minor <= 0 {
		return
	}
	var open []int
	for i := range rooms {
		if !priced(rooms[i]) {
			open = append(open, i)
		}
	}
	rest := total.Minor - nights - extras
	if rest < 0 && total.Minor != nights || len(open) == 0 && rest != 0 && total.Minor != nights {
		for i := range sums {
			sums[i].differs = &differing{total, hotel.Money{Minor: nights + extras, Currency: total.Currency}}
		}
	}
	if rest <= 0 || len(open) == 0 {
		return
	}
	lengths := make([]int64, len(open))
	for i, at := range open {
		lengths[i] = int64(heldStay(rooms[at].Stay).Nights())
	}
	for i, share := range divided(rest, lengths) {
		room := &rooms[open[i]]
		room.Amounts = nil
		for _, n := range evenly(hotel.Money{Minor: share, Currency: total.Currency}, heldStay(room.Stay)) {
			room.Amounts = append(room.Amounts, n.Amount)
		}
		sums[open[i]].sharing = len(open)
	}
}

// toldSums adds up what a message says of nights and of extras; false: not all in this
// currency, or more than can be counted.
func toldSums(rooms []hotel.ChannelRoom, of hotel.Currency) (nights, extras int64, ok bool) {
	counts := func(sum int64) bool { return hotel.Money{Minor: sum, Currency: of}.Countable() }
	for i := range rooms {
		if priced(rooms[i]) {
			for _, a := range rooms[i].Amounts {
				if nights += a.Minor; a.Currency != of || !counts(nights) {
					return 0, 0, false
				}
			}
		}
		held := heldStay(rooms[i].Stay)
		for _, e := range rooms[i].Extras {
			from, to := max(e.DateFrom, held.CheckIn), min(e.DateTo, held.CheckOut)
			if e.UnitPrice.Minor == 0 || unusable(e) || to < from {
				continue
			}
			one := e.UnitPrice.Minor * int64(e.Quantity)
			if e.UnitPrice.Currency != of || !counts(one) {
				return 0, 0, false
			}
			if extras += one * int64(to-from+1); !counts(extras) {
				return 0, 0, false
			}
		}
	}
	return nights, extras, of.Known()
}

// shareCommission gives each room its part of what the channel keeps: by what the rooms cost
// where that is known of all of them, else by their nights.
func (m *message) shareCommission(c hotel.Money) {
	rooms := m.r.Booking.Rooms
	costs, lengths := make([]int64, len(rooms)), make([]int64, len(rooms))
	for i, room := range rooms {
		lengths[i] = int64(heldStay(room.Stay).Nights())
		for _, a := range room.Amounts {
			costs[i] += a.Minor
		}
	}
	known := !slices.ContainsFunc(rooms, func(room hotel.ChannelRoom) bool { return !priced(room) })
	if known {
		_, _, known = toldSums(rooms, rooms[0].Amounts[0].Currency)
	}
	if known = known && slices.Min(costs) >= 0 && slices.Max(costs) > 0; !known {
		costs = lengths
	}
	for i, share := range divided(c.Minor, costs) {
		m.sums[i].commission = &hotel.Money{Minor: share, Currency: c.Currency}
	}
}

// divided splits a sum in minor units by weights, of which one is more than nothing. The
// first that has a weight gets the odd units.
func divided(sum int64, weights []int64) []int64 {
	all := new(big.Int)
	for _, w := range weights {
		all.Add(all, big.NewInt(w))
	}
	out, left := make([]int64, len(weights)), sum
	for i, w := range weights {
		share := new(big.Int).Mul(big.NewInt(sum), big.NewInt(w))
		out[i] = share.Quo(share, all).Int64()
		left -= out[i]
	}
	out[slices.IndexFunc(weights, func(w int64) bool { return w > 0 })] += left
	return out
}

// price takes over the channel's amounts, from a date on; nights before it keep
// theirs. They are the channel's; nothing is priced again here.
func (m *message) price(r *hotel.Reservation, room hotel.ChannelRoom, sums roomSums, from hotel.Date) {
	past := slices.DeleteFunc(slices.Clone(r.Nightly), func(n hotel.NightPrice) bool { return n.Date >= from })
	r.Nightly, r.PriceKnown = past, false
	r.Total = hotel.Money{Currency: m.s.property.Currency}
	m.pay(r, room)
	if sums.commission != nil {
		r.Commission = sums.commission
	}
	odd := func(code, form string, args ...any) {
		r.Issues = append(r.Issues, hotel.Issue{Code: code, Detail: fmt.Sprintf(form, args...)})
	}
	if of := sums.differs; of != nil {
		odd("total_differs", "the channel's total of %s is not what it says of nights and extras: %s", of.total, of.sum)
	}
	if !priced(room) {
		odd("price_unknown", "the channel gave no amount that can be counted for each night")
		return
	}
	nightly := past
	for i, amount := range room.Amounts {
		if d := room.Stay.CheckIn + hotel.Date(i); d >= from {
			nightly = append(nightly, hotel.NightPrice{Date: d, RatePlanID: r.RatePlanID, Amount: amount})
		}
	}
	if len(nightly) == 0 {
		r.PriceKnown = true
		return // every night is over, and none is left
	}
	total := hotel.Money{Currency: nightly[0].Amount.Currency}
	for _, n := range nightly {
		if n.Amount.Currency != total.Currency {
			odd("price_unknown", "the channel's amounts are in several currencies")
			return
		}
		if total.Minor += n.Amount.Minor; !total.Countable() {
			odd("price_unknown", "the channel's amounts come to more than can be counted")
			return
		}
	}
	r.Nightly, r.Total, r.PriceKnown = nightly, total, true
	switch {
	case sums.sharing == 1:
		odd("price_spread", "the channel gave a total and not what each night costs: the nights share it evenly")
	case sums.sharing > 1:
		odd("price_spread", "the channel gave a total and not what each night costs: the nights of %d rooms share it evenly", sums.sharing)
	}
	if r.Total.Currency != m.s.property.Currency {
		odd("currency", "booked in %s, the property sells in %s", r.Total.Currency, m.s.property.Currency)
	}
}

// priced reports whether there is an amount for each night that is held.
func priced(room hotel.ChannelRoom) bool {
	return len(room.Amounts) > 0 && len(room.Amounts) == heldStay(room.Stay).Nights()
}
