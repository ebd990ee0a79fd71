package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// adopt takes the bookings of a channel that were not mapped for what its codes
// mean by now: room, rate plan and what follows from them, as if the message had
// come today. What somebody here has changed stays.
func (t *tx) adopt(s *structure, channel string) error {
	rows, err := t.q.UnmappedReservations(t.ctx, ledgerdb.UnmappedReservationsParams{PropertyID: s.property.ID, ChannelID: channel})
	if err != nil || len(rows) == 0 {
		return err
	}
	m, err := t.adopting(s, channel)
	if err != nil {
		return err
	}
	for _, row := range rows {
		before, err := reservationOf(row.Reservation, row.Guest)
		if err != nil {
			return err
		}
		if !stay.Live(before.Status) {
			continue
		}
		if err := m.adopt(&before); err != nil {
			return fmt.Errorf("map reservation %s: %w", before.ID, err)
		}
	}
	return nil
}

// adopting is a message of a channel that says nothing, by which its bookings are
// looked at again.
func (t *tx) adopting(s *structure, channel string) (*message, error) {
	m := &message{t: t, r: Receipt{ChannelID: channel}, s: s, moved: map[string]map[hotel.Date]int64{}}
	var err error
	if m.channel, err = t.q.GetChannel(t.ctx, channel); err != nil {
		return nil, notFound(err)
	}
	m.counters, m.mappings, err = loadLines(t.ctx, t.q, channel)
	return m, err
}

// adopt maps one booking, if its codes are mapped now.
func (m *message) adopt(before *hotel.Reservation) error {
	sold, err := m.t.q.CountedNights(m.t.ctx, before.ID)
	if err != nil || len(sold) == 0 {
		return err
	}
	room := hotel.ChannelRoom{Room: sold[0].RemoteRoom, Rate: sold[0].RemoteRate, Stay: before.Stay, Adults: before.Adults, Children: before.ChildrenAges}
	if roomType, _, _ := m.mapped(room); roomType == "" {
		return nil
	}
	r := *before
	r.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return i.Code == "unmapped" })
	m.mapRoom(&r, before, room)
	r.Nightly = slices.Clone(r.Nightly)
	for i := range r.Nightly {
		if r.Nightly[i].RatePlanID == "" {
			r.Nightly[i].RatePlanID = r.RatePlanID
		}
	}
	if err := m.findRoom(&r, before); err != nil {
		return err
	}
	return m.store(ReservationUpdated, &r, before, hotel.ChannelRoom{})
}
