package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// counterNight is a night of a counter, by the codes that the channel's bookings name.
type counterNight struct {
	room, rate string
	night      hotel.Date
}

// count notes which counters of the channel a stored room has been counted by, and
// what that leaves its parties. room is what the message says of it, nil when it
// says no more than that it is gone; known says that the room was stored before.
//
// A counter that goes up by itself keeps the room that comes back; one that does
// not go down for a longer stay can sell as many as before.
func (m *message) count(r *hotel.Reservation, room *hotel.ChannelRoom, live, known bool) error {
	rows, err := m.t.q.CountedNights(m.t.ctx, r.ID)
	if err != nil {
		return fmt.Errorf("read where %s was counted: %w", r.ID, err)
	}
	was, is := map[counterNight]bool{}, map[counterNight]bool{}
	for _, row := range rows {
		was[counterNight{row.RemoteRoom, row.RemoteRate, hotel.Date(row.Night)}] = true
	}
	today := m.s.property.Today(m.t.now)
	if room != nil {
		for d := max(room.Stay.CheckIn, today); d < room.Stay.CheckOut; d++ {
			is[counterNight{room.Room, room.Rate, d}] = true
		}
	}
	var freed, taken []counterNight
	changed := nightSet{}
	switch {
	case !live && !known:
		for c := range is { // sold and given back before we heard of it
			freed = append(freed, c)
		}
		is = nil
	case !live:
		is = nil
	}
	for c := range was {
		if !is[c] {
			freed = append(freed, c)
			changed[c.night] = struct{}{}
			if err := m.t.q.DeleteCounted(m.t.ctx, ledgerdb.DeleteCountedParams{ReservationID: r.ID, Night: int64(c.night)}); err != nil {
				return fmt.Errorf("count %s: %w", r.ID, err)
			}
		}
	}
	for c := range is {
		if was[c] {
			continue
		}
		changed[c.night] = struct{}{}
		if known {
			taken = append(taken, c)
		}
		if err := m.t.q.InsertCounted(m.t.ctx, ledgerdb.InsertCountedParams{
			PropertyID: m.channel.PropertyID, Night: int64(c.night), ChannelID: m.channel.ID, RemoteRoom: c.room, RemoteRate: c.rate, ReservationID: r.ID,
		}); err != nil {
			return fmt.Errorf("count %s: %w", r.ID, err)
		}
	}
	on, err := m.t.guarding(m.s)
	if err != nil || !on {
		return err
	}
	m.t.renewed(m.channel.PropertyID, changed)
	return m.regard(freed, taken, !known && live && m.r.Event == "modified")
}

// regard has the parties of counters take notice that rooms have come back to them
// and were taken by longer stays. doubt says that a booking is first heard of when
// it is changed already: rooms may have come back on nights that nobody names.
func (m *message) regard(freed, taken []counterNight, doubt bool) error {
	a, err := abilityOf(m.channel)
	if err != nil {
		return err
	}
	span := m.s.property.Shows(m.t.now)
	if !doubt {
		if span = spanOf(slices.Concat(freed, taken)); span.Days() == 0 {
			return nil
		}
	}
	held, err := m.t.holdings(m.channel.PropertyID, span)
	if err != nil {
		return err
	}
	each := func(list []counterNight, f func(exposure.Party, exposure.Ability) exposure.Party) {
		for _, at := range list {
			for _, c := range m.counters {
				if h := held.at(c.Line, at.night); h != nil && c.RemoteRoom == at.room && (c.RemoteRate == "" || c.RemoteRate == at.rate) {
					h.now = f(h.now, h.ability(a))
				}
			}
		}
	}
	each(freed, exposure.Party.Freed)
	each(taken, exposure.Party.Extended)
	if doubt {
		for _, h := range held.of {
			if h.row.ChannelID == m.channel.ID && h.now.Doing != exposure.Resting {
				h.now = h.now.Freed(h.ability(a))
			}
		}
	}
	return held.save()
}

func spanOf(list []counterNight) hotel.Span {
	if len(list) == 0 {
		return hotel.Span{From: 1, To: 0}
	}
	span := hotel.Span{From: list[0].night, To: list[0].night}
	for _, c := range list {
		span = hotel.Span{From: min(span.From, c.night), To: max(span.To, c.night)}
	}
	return span
}
