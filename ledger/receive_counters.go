package ledger

import (
	"maps"
	"math"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// adjusts reports whether the channel may have moved its own counters with what
// the message tells of one room, and whether it may have given back what it had
// sold. A room that is new was booked, whatever became of it since; what a late
// message tells may have been any step.
func (m *message) adjusts(kind Kind, before *hotel.Reservation) (moved, back bool) {
	book, modify, cancel := moves(m.r.Adjusts.Book), moves(m.r.Adjusts.Modify), moves(m.r.Adjusts.Cancel)
	switch {
	case m.older:
		return book || modify || cancel, modify || cancel
	case before == nil && kind == ReservationCancelled:
		return book || cancel, cancel
	case before == nil:
		return book, false
	case kind == ReservationCancelled:
		return cancel, cancel
	case !stay.Live(before.Status):
		return book || modify, modify
	}
	return modify, modify
}

func moves(a hotel.Adjust) bool { return a != hotel.AdjustNo && a != hotel.AdjustNever }

// roomNights are nights by room type.
type roomNights map[string]nightSet

// add takes in a stay in a room type; without one, nothing.
func (n roomNights) add(roomType string, stay hotel.Stay) {
	if roomType == "" {
		return
	}
	if n[roomType] == nil {
		n[roomType] = nightSet{}
	}
	n[roomType].addStay(stay)
}

// addSold takes in what the channel has sold, not what its guest was given since.
func (n roomNights) addSold(r *hotel.Reservation) {
	for _, roomType := range []string{r.BookedRoom, r.RoomTypeID, r.HeldRoom} {
		n.add(roomType, r.Stay)
	}
}

// sale returns the counter that a new booking has lowered by itself. There is none
// where the channel does not promise to do so, where more than one may be meant, and
// where the message does not say when that was.
func (m *message) sale(kind Kind, before *hotel.Reservation, room hotel.ChannelRoom) (line int64, ok bool) {
	if kind != ReservationCreated || before != nil || m.older || m.r.Event != "booked" || m.r.Adjusts.Book != hotel.AdjustYes ||
		m.r.At.IsZero() || m.r.At.After(m.t.now.Add(clocksApart)) {
		return 0, false
	}
	for _, c := range m.counters {
		if c.RemoteRoom != room.Room || c.RemoteRate != "" && c.RemoteRate != room.Rate {
			continue
		}
		if ok {
			return 0, false
		}
		line, ok = c.Line, true
	}
	return line, ok
}

// adjust notes where the channel may have moved its own counters with what the
// message tells of one room: on the nights that it had and has, as far as they are
// stored (nil: they are not), and on those that the message names.
func (m *message) adjust(kind Kind, before, r *hotel.Reservation, room hotel.ChannelRoom) {
	moved, back := m.adjusts(kind, before)
	if !moved {
		return
	}
	if line, ok := m.sale(kind, before, room); ok {
		for d := room.Stay.CheckIn; d < room.Stay.CheckOut; d++ {
			m.sold[hotel.Cell{Line: line, Group: hotel.Availability, Night: d}]++
		}
		return
	}
	nights := roomNights{}
	for _, stored := range []*hotel.Reservation{before, r} {
		if stored != nil {
			nights.addSold(stored)
		}
	}
	if room.Stay.Nights() > 0 {
		roomType, _, likely := m.mapped(room)
		nights.add(roomType, room.Stay)
		nights.add(likely, room.Stay)
	}
	for roomType, of := range nights {
		if m.moved[roomType] == nil {
			m.moved[roomType] = map[hotel.Date]int64{}
		}
		for d := range of {
			if m.moved[roomType][d] += 0; back {
				m.moved[roomType][d]++
			}
		}
	}
}

// tellAnew marks the counters that were told in all what they may sell, and have sold
// something else of it than was stored.
func (m *message) tellAnew(back map[hotel.Cell]int64) {
	for _, at := range m.recounted {
		for _, c := range m.counters {
			cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: at.night}
			if _, sold := m.sold[cell]; !sold && c.RemoteRoom == at.room && (c.RemoteRate == "" || c.RemoteRate == at.rate) {
				back[cell] += 0
			}
		}
	}
}

// moveCounters lowers the channel's own counters by what it has sold, and marks
// those of the other touched nights: it may have lowered or raised them by itself,
// so what it shows is not known until it is told again. The mark carries the newest
// entry of the message, so that no value is sent before everything that follows from
// the message is in it.
func (m *message) moveCounters() error {
	terms, err := termsOf(m.channel)
	if err != nil {
		return err
	}
	total, table := terms.TotalLimit, m.t.cellsOf(m.channel)
	back := map[hotel.Cell]int64{}
	if total {
		m.tellAnew(back)
	}
	for _, c := range m.counters {
		for d, rooms := range m.moved[c.RoomTypeID] {
			back[hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d}] = rooms
		}
	}
	if err := table.load(slices.Concat(slices.Collect(maps.Keys(back)), slices.Collect(maps.Keys(m.sold)))); err != nil {
		return err
	}
	at := min(m.r.At.UnixMicro(), m.t.micros())
	if total {
		at = math.MaxInt64 // sold before it was told or since, there is as much less left
	}
	for c, rooms := range m.sold {
		if g := table.cells.at(c); g == nil {
			back[c] += 0
		} else if _, moved := back[c]; !moved {
			g.sold(m.t.heads.sequence, rooms, at)
		}
	}
	for c, rooms := range back {
		g := table.cells.at(c)
		if g == nil {
			if m.channel.Opening == nil {
				continue // its count is stated when it goes live
			}
			// A live channel whose wanted values are still to be derived: nothing
			// is for sale as far as is known.
			g = table.at(c)
			table.desire(Wanted{Cell: c, Value: new(int64)}, originAt(m.t.heads.sequence))
		}
		g.moved(m.t.heads.sequence, rooms)
	}
	return table.save()
}
