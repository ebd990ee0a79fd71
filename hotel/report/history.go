package report

import (
	"slices"

	"ostler.example/hotel"
)

// history adds the nights that are known in sum alone. Nothing is known of their
// arrivals, guests, extras and taxes, and of the commission only where there is none.
func (b *Books) history(t *tally) {
	for i := range b.History {
		h := &b.History[i]
		line, p := h.sold(t.q.Currency), h.place(&b.Property)
		t.add(h.Night, &p, &line)
	}
}

func (h *History) place(p *hotel.Property) place {
	return place{
		property: p.ID, room: h.RoomTypeID, booked: h.RoomTypeID, channel: h.ChannelID,
		seller: sellerOf(hotel.Source{ChannelID: h.ChannelID, SubChannel: h.Seller}),
	}
}

// sold is what the sums of a night count as.
func (h *History) sold(c hotel.Currency) sums {
	if h.Later {
		return of(map[sum]int64{nightsUnknown: 1})
	}
	line := of(map[sum]int64{nightsSold: int64(h.Rooms)})
	if h.Revenue == nil || h.Revenue.Currency != c {
		line.n[nightsUnpriced] = int64(h.Rooms)
		return line
	}
	line.n[roomRevenue] = h.Revenue.Minor
	if h.ChannelID != hotel.Direct {
		line.n[roomRevenueUnknown] = h.Revenue.Minor
	}
	return line
}

// historyLastYear adds what an earlier system had on the books a year ago.
func (b *Books) historyLastYear(t *tally) {
	for i := range b.History {
		h := &b.History[i]
		line, p := of(map[sum]int64{otbLastYear: int64(h.Rooms)}), h.place(&b.Property)
		if h.Later {
			line = of(map[sum]int64{nightsUnknown: 1})
		}
		t.add(h.Night+Year, &p, &line)
	}
}

// ofNights are the figures that rest on the nights that were sold, and those that rest
// on those of the whole report. Where it is not known how many were sold by then the
// figures are not either: a number would be too low.
var (
	ofNights = []string{
		"rooms_sold", "rooms_sold_without_price", "occupancy_pct",
		"room_revenue", "total_revenue", "adr", "revpar", "trevpar", "commission", "commission_unknown_share_pct", "net_room_revenue", "net_adr",
		"room_nights", "otb_last_year",
	}
	ofAllNights = []string{"share_room_nights_pct", "share_revenue_pct"}
)

// told leaves no number in a figure that rests on nights that are not known.
func (f *Figure) told(of *figured) Value {
	v := f.of(of)
	v.Known = v.Known && (of.n[nightsUnknown] == 0 || !slices.Contains(ofNights, f.Name)) &&
		(of.all.n[nightsUnknown] == 0 || !slices.Contains(ofAllNights, f.Name))
	return v.orNothing()
}
