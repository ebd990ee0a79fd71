package ledger

import (
	"fmt"
	"maps"
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

// certainty says whether the channel has sold a night for certain, or may have: a
// message that somebody is asked about names it, or is held for a booking of its own.
type certainty bool

const (
	maybeSold  certainty = false
	surelySold certainty = true
)

// countedNights are the nights that a room is counted on.
type countedNights map[counterNight]certainty

// all are the same nights, each as certain as the others.
func (n countedNights) all(sure certainty) countedNights {
	of := countedNights{}
	for c := range n {
		of[c] = sure
	}
	return of
}

// count notes which counters of the channel a stored room has been counted by, and
// what that leaves its parties. room is what the message says of it, nil when it
// says no more than that it is gone; before is the room as it was stored, nil when it is new.
//
// A counter that goes up by itself keeps the room that comes back; one that does
// not go down for a longer stay can sell as many as before.
func (m *message) count(r *hotel.Reservation, room *hotel.ChannelRoom, before *hotel.Reservation, live bool) error {
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	var is countedNights
	if room != nil {
		is = m.named(*room)
	}
	var gone countedNights
	if !live {
		gone, is = m.unheard(is, was, room, before), nil
	}
	if m.asks {
		is = is.all(maybeSold)
	}
	missed := before == nil && m.r.Event != eventBooked // it may have had other nights than these, whichever they are
	return m.recount(r, was, is, gone, before != nil, missed || m.skips())
}

// countMissed notes the nights that a message names of a room of which a newer one has told
// other nights, and that nobody has heard of: they have come back meanwhile.
func (m *message) countMissed(r *hotel.Reservation, room hotel.ChannelRoom) error {
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	gone := m.unheard(m.named(room), was, &room, r)
	if len(gone) == 0 {
		return nil
	}
	return m.recount(r, was, was, gone, true, false)
}

// unheard returns the nights that a message names of a room which is over, and that nobody
// has heard of before: it was sold there and given back meanwhile.
func (m *message) unheard(named, was countedNights, room *hotel.ChannelRoom, before *hotel.Reservation) countedNights {
	gone := maps.Clone(named)
	maps.DeleteFunc(gone, func(c counterNight, _ certainty) bool {
		_, counted := was[c]
		return counted || before != nil && before.Stay.Contains(c.night) && m.sells(before, *room)
	})
	return gone
}

// skips reports whether messages of the booking have not come that were counted between
// the newest one and this: it may have had other nights meanwhile, and given them back.
func (m *message) skips() bool {
	if m.known == nil || m.r.Order != hotel.OrderRevisionCount {
		return false
	}
	known := m.known.Ordering
	return compareNumbers(m.r.Revision, known) > 0 && len(notArrived([]string{known, m.r.Revision})) > 0
}

// countSurely notes that a stored room of which nobody could say whether the channel has
// sold it has been.
func (m *message) countSurely(r *hotel.Reservation) error {
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	return m.recount(r, was, was.all(surelySold), nil, true, false)
}

// countBeside notes the nights of a stored room that a message names while somebody is
// asked whether it counts. The channel may have sold them, and what it shows is then
// less by that; and it may have given back those that the message does not name.
func (m *message) countBeside(r *hotel.Reservation, room hotel.ChannelRoom) error {
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	named, is := m.named(room), maps.Clone(was)
	for c := range is {
		if _, still := named[c]; !still {
			is[c] = maybeSold
		}
	}
	for c := range named {
		if _, counted := is[c]; !counted {
			is[c] = maybeSold
		}
	}
	return m.recount(r, was, is, nil, true, false)
}

// countLess takes back what countBeside has noted: what the message names of nights
// that the room does not have, or has by other codes.
func (m *message) countLess(r *hotel.Reservation, room hotel.ChannelRoom) error {
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	named, other := m.named(room), nightSet{}
	for c := range was {
		if _, is := named[c]; !is {
			other[c.night] = struct{}{}
		}
	}
	is := maps.Clone(was)
	maps.DeleteFunc(is, func(c counterNight, _ certainty) bool {
		_, named := named[c]
		_, is := other[c.night]
		return named && (is || !r.Stay.Contains(c.night))
	})
	return m.recount(r, was, is.all(surelySold), nil, true, false)
}

// countedBy returns which counters a stored room has been counted by.
func (m *message) countedBy(r *hotel.Reservation) (countedNights, error) {
	rows, err := m.t.q.CountedNights(m.t.ctx, r.ID)
	if err != nil {
		return nil, fmt.Errorf("read where %s was counted: %w", r.ID, err)
	}
	was := countedNights{}
	for _, row := range rows {
		was[counterNight{row.RemoteRoom, row.RemoteRate, hotel.Date(row.Night)}] = certainty(row.Doubtful == 0)
	}
	return was, nil
}

// named returns the nights to come that a message names of a room.
func (m *message) named(room hotel.ChannelRoom) countedNights {
	is := countedNights{}
	for d := max(room.Stay.CheckIn, m.s.property.Today(m.t.now)); d < room.Stay.CheckOut; d++ {
		is[counterNight{room.Room, room.Rate, d}] = surelySold
	}
	return is
}

// recount stores which counters a room is counted by now. gone are nights that were
// sold and given back before we heard of it; known says that the room was stored before.
func (m *message) recount(r *hotel.Reservation, was, is, gone countedNights, known, doubt bool) error {
	changed := nightSet{}
	for c := range was {
		if _, still := is[c]; !still {
			changed[c.night] = struct{}{}
			m.recounted = append(m.recounted, c)
			if err := m.t.q.DeleteCounted(m.t.ctx, ledgerdb.DeleteCountedParams{
				ReservationID: r.ID, Night: int64(c.night), RemoteRoom: c.room, RemoteRate: c.rate,
			}); err != nil {
				return fmt.Errorf("count %s: %w", r.ID, err)
			}
		}
	}
	for c, sure := range is {
		before, counted := was[c]
		if counted && before == sure {
			continue
		}
		changed[c.night] = struct{}{}
		m.recounted = append(m.recounted, c)
		if err := m.t.q.InsertCounted(m.t.ctx, ledgerdb.InsertCountedParams{
			PropertyID: m.channel.PropertyID, Night: int64(c.night), ChannelID: m.channel.ID, RemoteRoom: c.room, RemoteRate: c.rate, ReservationID: r.ID,
			Doubtful: flag(!bool(sure)),
		}); err != nil {
			return fmt.Errorf("count %s: %w", r.ID, err)
		}
	}
	on, err := m.t.guarding(m.s)
	if err != nil || !on {
		return err
	}
	m.t.renewed(m.channel.PropertyID, changed)
	return m.regard(was, is, gone, known, doubt)
}

// countNobody notes that a booking was cancelled of which nothing was ever heard, and no
// nights are named: it was sold for some, which have come back.
func (m *message) countNobody() error {
	if !m.cancels() || m.known != nil || len(m.existing)+len(m.r.Booking.Rooms) > 0 {
		return nil
	}
	on, err := m.t.guarding(m.s)
	if err != nil || !on {
		return err
	}
	return m.regard(nil, nil, nil, false, true)
}

// regard has the parties of counters take notice that a room has come back to them, or
// was taken by a longer stay. One that is counted by another code of the same counter
// has moved nothing there. doubt says that a change of the booking was not heard of: rooms
// may have come back on nights that nobody names.
func (m *message) regard(was, is, gone countedNights, known, doubt bool) error {
	a, err := abilityOf(m.channel)
	if err != nil {
		return err
	}
	span := m.s.property.Shows(m.t.now)
	if !doubt {
		if span = spanOf(was, is, gone); span.Days() == 0 {
			return nil
		}
	}
	held, err := m.t.holdings(m.channel.PropertyID, span)
	if err != nil {
		return err
	}
	for _, c := range m.counters {
		before, after := was.by(c, m.counters), is.by(c, m.counters)
		for night, sure := range before {
			if _, still := after[night]; !still {
				held.free(a, c.Line, night, sure)
			}
		}
		for night := range was.moved(is, c, m.counters) {
			held.free(a, c.Line, night, maybeSold)
		}
		for night, sure := range gone.by(c, m.counters) {
			if _, counted := before[night]; !counted { // else it has come back by another code of the counter
				held.free(a, c.Line, night, sure && certainty(a.Extends && !known)) // else it may have been longer than it was sold
			}
		}
		for night := range after {
			if _, counted := before[night]; counted || !known {
				continue
			}
			if h := held.at(c.Line, night); h != nil {
				h.now = h.now.Extended(h.ability(a))
			}
		}
	}
	if doubt {
		for at, h := range held.of {
			if h.row.ChannelID == m.channel.ID && h.now.Doing != exposure.Resting {
				held.free(a, at.line, at.night, maybeSold)
			}
		}
	}
	return held.save()
}

// free has a party take notice that a room of it has come back, or may have. What is not
// certain takes nothing from an account: it is found out when the party is settled.
func (h *holdings) free(a exposure.Ability, line int64, night hotel.Date, sure certainty) {
	p := h.at(line, night)
	if p == nil {
		return
	}
	if of := p.ability(a); of.Replenishes || of.Total || sure == surelySold {
		p.now = p.now.Freed(of)
	}
}

// moved returns the nights that a code of a counter, or one that may be its own, names no
// more, and that only codes name by now of which nobody knows whose they are: the channel
// may have moved the booking to another counter.
func (n countedNights) moved(is countedNights, c Counter, all []Counter) nightSet {
	of, may := nightSet{}, is.by(c, all)
	for at := range n {
		_, still := is[at]
		_, kept := may[at.night]
		if mine := at.by(c) || !slices.ContainsFunc(all, at.by); mine && !still && kept && !is.own(c, at.night) {
			of[at.night] = struct{}{}
		}
	}
	return of
}

// own reports whether a code of the counter is among those of a night.
func (n countedNights) own(c Counter, night hotel.Date) bool {
	for at := range n {
		if at.night == night && at.by(c) {
			return true
		}
	}
	return false
}

// by returns the nights that a counter has of them; what two codes of it say is certain
// if one of them is. A code that none of the channel's counters has may be of any.
func (n countedNights) by(c Counter, all []Counter) map[hotel.Date]certainty {
	of := map[hotel.Date]certainty{}
	for at, sure := range n {
		switch {
		case at.by(c):
			of[at.night] = of[at.night] || sure
		case !slices.ContainsFunc(all, at.by):
			of[at.night] = of[at.night] || maybeSold
		}
	}
	return of
}

// by reports whether a counter has the codes.
func (n counterNight) by(c Counter) bool {
	return c.RemoteRoom == n.room && (c.RemoteRate == "" || c.RemoteRate == n.rate)
}

// spanOf is the first and the last night of all of them; without any it has no night.
func spanOf(of ...countedNights) hotel.Span {
	span := hotel.Span{From: 1, To: 0}
	for _, nights := range of {
		for c := range nights {
			if span.Days() == 0 {
				span = hotel.Span{From: c.night, To: c.night}
			}
			span = hotel.Span{From: min(span.From, c.night), To: max(span.To, c.night)}
		}
	}
	return span
}
