package report

import "ostler.example/hotel"

// bookings adds reservations as such, on the date of their arrival or on that of
// their booking.
func (b *Books) bookings(t *tally) {
	for i := range b.Bookings {
		r := &b.Bookings[i]
		switch r.Status {
		case hotel.Enquired, hotel.Declined, hotel.Waitlisted:
			continue
		case hotel.Requested, hotel.Held, hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut, hotel.Cancelled, hotel.NoShow:
		}
		on, p := r.Stay.CheckIn, placeOf(&b.Property, r)
		if t.q.ByBooked {
			on = bookedOn(&b.Property, r)
		}
		line := b.booking(r, t.q.Currency)
		t.add(on, p.on(r, r.Stay.CheckIn), &line)
	}
}

// booking is what a reservation counts as.
func (b *Books) booking(r *hotel.Reservation, c hotel.Currency) sums {
	line := of(map[sum]int64{booked: 1})
	switch {
	case onTheBooks(r):
		line.add(b.whole(r, c))
	case r.Status == hotel.Cancelled, r.Status == hotel.NoShow:
		line.n[lostNights] = b.rooms(r.RoomOn(r.Stay.CheckIn)) * int64(r.Stay.Nights())
		if all, ok, _ := b.billOf(r, c); ok {
			line.n[lostRevenue] = all.room
		}
		if r.Status == hotel.NoShow {
			line.n[noShows] = 1
			break
		}
		line.n[cancelled] = 1
		if r.Cancel != nil {
			line.n[cancelLead] = int64(max(0, r.Stay.CheckIn-hotel.DateIn(r.Cancel.At, b.Property.Zone())))
		}
	}
	return line
}

// whole is what a reservation on the books has all in all.
func (b *Books) whole(r *hotel.Reservation, c hotel.Currency) *sums {
	days := int(max(0, r.Stay.CheckIn-bookedOn(&b.Property, r)))
	line := of(map[sum]int64{onBooks: 1, leadDays: int64(days)})
	line.leads = map[int]int64{days: 1}
	if r.Free || r.HouseUse {
		return &line
	}
	all, priced, _ := b.billOf(r, c)
	nights := held(r)
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		line.n[wholeNights] += b.rooms(r.RoomOn(d))
	}
	if line.n[wholeRevenue] = all.room; !priced {
		line.n[wholeUnpriced] = line.n[wholeNights]
	}
	return &line
}

// leadRanges are the ranges of the report of lead times, by the first day of each.
var leadRanges = []leadSpan{{0, "0"}, {1, "1-3"}, {4, "4-7"}, {8, "8-14"}, {15, "15-30"}, {31, "31-60"}, {61, "61-90"}, {91, "91+"}}

type leadSpan struct {
	from int // days
	name string
}

// leadRange names the range that so many days lie in.
func leadRange(days int64) string {
	name := leadRanges[0].name
	for _, r := range leadRanges {
		if days >= int64(r.from) {
			name = r.name
		}
	}
	return name
}

// leads adds the reservations on the books by how long ahead they were booked.
func (b *Books) leads(t *tally) {
	for i := range b.Bookings {
		r := &b.Bookings[i]
		if !onTheBooks(r) {
			continue
		}
		line, p := b.whole(r, t.q.Currency), placeOf(&b.Property, r)
		p.bucket = leadRange(line.n[leadDays])
		t.add(r.Stay.CheckIn, p.on(r, r.Stay.CheckIn), line)
	}
}

// median is the middle of the lead times, in hundredths of a day; halfway between two
// when their number is even.
func (s *sums) median() Value {
	n, most := s.n[onBooks], 0
	for days := range s.leads {
		most = max(most, days)
	}
	at := func(place int64) int64 { // of the lead times in order, counted from 0
		for days := 0; days <= most; days++ {
			if place -= s.leads[days]; place < 0 {
				return int64(days)
			}
		}
		return 0
	}
	if n == 0 {
		return Value{}
	}
	return ratio(at((n-1)/2)+at(n/2), 100, 2)
}
