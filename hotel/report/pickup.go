package report

import "ostler.example/hotel"

// bookNight is one night of a booking at its place.
type bookNight struct {
	id    string
	night hotel.Date
	place place
}

// onBook is what a night on the books has.
type onBook struct{ rooms, unpriced, revenue int64 }

// nights lists the nights on the books that lie in the span.
func (b *Books) nights(q *Query) map[bookNight]onBook {
	out := map[bookNight]onBook{}
	for i := range b.Bookings {
		r := &b.Bookings[i]
		if !onTheBooks(r) || r.Free || r.HouseUse {
			continue
		}
		p, nights := placeOf(&b.Property, r), held(r)
		all, priced, _ := b.billOf(r, q.Currency)
		for d := nights.CheckIn; d < nights.CheckOut; d++ {
			if _, in := q.date(d); !in {
				continue
			}
			k := bookNight{r.ID, d, *p.on(r, d)}
			n := onBook{rooms: b.rooms(k.place.room)}
			if !priced {
				n.unpriced = n.rooms
			}
			out[k] = n
		}
		paid, weights := charged(r)
		for j, part := range spread(all.room, weights) {
			if _, in := q.date(paid[j]); !in {
				continue
			}
			k := bookNight{r.ID, paid[j], *p.on(r, paid[j])}
			n := out[k]
			n.revenue = part
			out[k] = n
		}
	}
	return out
}

// pickup adds what came onto the books and went off them between two instants. A
// night that went to another room type, plan or channel has gone off the books at the
// one and come onto them at the other.
func pickup(t *tally, since, until *Books) {
	before, now := since.nights(t.q), until.nights(t.q)
	for k, n := range now {
		line := of(map[sum]int64{
			otbNights: n.rooms, otbRevenue: n.revenue, nightsAdded: max(0, n.rooms-before[k].rooms), nightsCancelled: max(0, before[k].rooms-n.rooms),
			revenueNet: n.revenue - before[k].revenue, nightsNetUnpriced: n.unpriced - before[k].unpriced,
		})
		t.add(k.night, &k.place, &line)
	}
	for k, n := range before {
		if _, still := now[k]; !still {
			line := of(map[sum]int64{nightsCancelled: n.rooms, revenueNet: -n.revenue, nightsNetUnpriced: -n.unpriced})
			t.add(k.night, &k.place, &line)
		}
	}
}

// Year is what a year is compared by: as many days as keep the day of the week.
const Year = 364

// lastYear adds what was on the books a year before of the nights a year before.
func lastYear(t *tally, then *Books) {
	q := *t.q
	q.Dated = func(d hotel.Date) (hotel.Date, bool) { return t.q.dated(d + Year) }
	for k, n := range then.nights(&q) {
		line := of(map[sum]int64{otbLastYear: n.rooms})
		t.add(k.night+Year, &k.place, &line)
	}
}
