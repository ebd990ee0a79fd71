package report

import (
	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// onTheBooks reports whether a reservation counts as sold. One that somebody has yet
// to decide about is none, although it holds its room.
func onTheBooks(r *hotel.Reservation) bool {
	switch r.Status {
	case hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut:
		return true
	case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Cancelled, hotel.NoShow, hotel.Declined:
	}
	return false
}

// held is the nights that a reservation on the books holds of its stay. A room that a
// guest has not left in time is not sold by that.
func held(r *hotel.Reservation) hotel.Stay {
	nights := stay.Nights(r.Status, r.Stay, r.RoomUntil)
	nights.CheckOut = min(nights.CheckOut, r.Stay.CheckOut)
	return nights
}

// rooms is how many physical rooms a room type counts as.
func (b *Books) rooms(room string) int64 { return int64(max(1, b.Rooms[room])) }

// on is where a night of a booking belongs.
func (p place) on(r *hotel.Reservation, night hotel.Date) *place {
	p.room = r.RoomOn(night)
	for _, n := range r.Nightly {
		if n.Date == night && n.RatePlanID != "" {
			p.plan = n.RatePlanID
		}
	}
	return &p
}

// house adds the rooms that there are.
func (b *Books) house(t *tally) {
	for i := range b.Supply {
		s := &b.Supply[i]
		line := of(map[sum]int64{roomsTotal: int64(s.Total), roomsAvailable: int64(s.Available), roomsOutOfOrder: int64(s.OutOfOrder)})
		line.told = true
		t.addHouse(s.Night, &place{property: b.Property.ID, room: s.RoomTypeID}, &line)
	}
	for i := range b.Blocked {
		s := &b.Blocked[i]
		line := of(map[sum]int64{roomsBlocked: int64(s.Rooms)})
		t.addHouse(s.Night, &place{property: b.Property.ID, room: s.RoomTypeID}, &line)
	}
}

// stays adds what was sold, night by night, and what it comes to.
func (b *Books) stays(t *tally) {
	for i := range b.Bookings {
		r := &b.Bookings[i]
		switch {
		case onTheBooks(r):
			b.slept(t, r)
			b.paid(t, r)
		case r.Status == hotel.NoShow || r.Status == hotel.Cancelled:
			b.charges(t, r)
		}
	}
}

// slept adds the nights of a booking, its arrival and its departure.
func (b *Books) slept(t *tally, r *hotel.Reservation) {
	nights, p := held(r), placeOf(&b.Property, r)
	_, priced, _ := b.billOf(r, t.q.Currency)
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		at := p.on(r, d)
		rooms := b.rooms(at.room)
		line := sums{}
		line.n[guestNights] = int64(r.Adults + len(r.ChildrenAges))
		switch {
		case r.HouseUse:
			line.n[nightsHouse] = rooms
		case r.Free:
			line.n[nightsFree] = rooms
		default:
			line.n[nightsSold] = rooms
			if !priced {
				line.n[nightsUnpriced] = rooms
			}
		}
		if d == nights.CheckIn {
			line.n[arrivals], line.n[staysBegun], line.n[staysNights] = rooms, 1, int64(nights.Nights())
		} else {
			line.n[stayovers] = rooms
		}
		t.add(d, at, &line)
	}
	if nights.Nights() > 0 {
		at := p.on(r, nights.CheckOut-1)
		line := of(map[sum]int64{departures: b.rooms(at.room)})
		t.add(nights.CheckOut, at, &line)
	}
}

// paid adds what a booking comes to, spread over the nights that are paid for.
func (b *Books) paid(t *tally, r *hotel.Reservation) {
	all, ok, foreign := b.billOf(r, t.q.Currency)
	if !ok && !foreign {
		return
	}
	p := placeOf(&b.Property, r)
	nights, weights := charged(r)
	room, extras, tax := spread(all.room, weights), spread(all.extras, weights), spread(all.vat, weights)
	city, commissions := spread(all.cityTax, weights), spread(all.commission, weights)
	for i, d := range nights {
		line := sums{}
		line.n[roomRevenue], line.n[extrasRevenue], line.n[vat], line.n[cityTax] = room[i], extras[i], tax[i], city[i]
		line.n[commission] = commissions[i]
		if all.unknown {
			line.n[commission], line.n[roomRevenueUnknown] = 0, room[i]
		}
		if _, in := t.q.date(d); in && foreign {
			line.n[unconverted], foreign = 1, false
		}
		t.add(d, p.on(r, d), &line)
	}
}

// charges adds what is charged for not coming, which is room revenue, or for
// cancelling, which is not. Both count on the date of arrival.
func (b *Books) charges(t *tally, r *hotel.Reservation) {
	p := placeOf(&b.Property, r)
	if feeUnconverted(r, t.q.Currency) {
		line := of(map[sum]int64{unconverted: 1})
		t.add(r.Stay.CheckIn, &p, &line)
	}
	net, gross := chargeOf(r, t.q.Currency)
	if gross == 0 {
		return
	}
	line := of(map[sum]int64{vat: gross - net})
	if r.Status == hotel.Cancelled {
		line.n[cancellationFees] = net
	} else {
		amount, unknown := b.noShowCommission(r, net, gross)
		line.n[roomRevenue], line.n[commission] = net, amount
		if unknown {
			line.n[roomRevenueUnknown] = net
		}
	}
	t.add(r.Stay.CheckIn, p.on(r, r.Stay.CheckIn), &line)
}
