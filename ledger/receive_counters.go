package ledger

import (
	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// adjusts reports whether the channel may have moved its own counters with what
// the message tells of one room. A room that is new was booked, whatever became
// of it since; what a late message tells may have been any step.
func (m *message) adjusts(kind Kind, before *hotel.Reservation) bool {
	a := m.r.Adjusts
	switch {
	case m.older:
		return moves(a.Book) || moves(a.Modify) || moves(a.Cancel)
	case before == nil && kind == ReservationCancelled:
		return moves(a.Book) || moves(a.Cancel)
	case before == nil:
		return moves(a.Book)
	case kind == ReservationCancelled:
		return moves(a.Cancel)
	case !stay.Live(before.Status):
		return moves(a.Book) || moves(a.Modify)
	}
	return moves(a.Modify)
}

func moves(a hotel.Adjust) bool { return a != hotel.AdjustNo && a != hotel.AdjustNever }

// touch notes the nights and room types of a stored room (nil: none) and of a
// room of the message, as far as it says any.
func (m *message) touch(r *hotel.Reservation, room hotel.ChannelRoom) {
	mark := func(roomType string, stay hotel.Stay) {
		if roomType == "" {
			return
		}
		if m.moved[roomType] == nil {
			m.moved[roomType] = nightSet{}
		}
		m.moved[roomType].addStay(stay)
	}
	if r != nil {
		// What the channel sold, not what its guest was given since.
		for _, roomType := range []string{r.BookedRoom, r.RoomTypeID, r.HeldRoom} {
			mark(roomType, r.Stay)
		}
	}
	if room.Stay.Nights() > 0 {
		roomType, _, likely := m.mapped(room)
		mark(roomType, room.Stay)
		mark(likely, room.Stay)
	}
}

// moveCounters marks the channel's own counters of the touched nights: it may
// have lowered or raised them by itself, so what it shows is not known until it
// is told again. The mark carries the newest entry of the message, so that no
// value is sent before everything that follows from the message is in it.
func (m *message) moveCounters() error {
	table := m.t.cellsOf(m.channel)
	var cells []hotel.Cell
	for _, c := range m.counters {
		for d := range m.moved[c.RoomTypeID] {
			cells = append(cells, hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d})
		}
	}
	if err := table.load(cells); err != nil {
		return err
	}
	for _, c := range cells {
		g := table.cells[c]
		if g == nil {
			if m.channel.Opening == nil {
				continue // its count is stated when it goes live
			}
			// A live channel whose wanted values are still to be derived: nothing
			// is for sale as far as is known.
			g = table.at(c)
			table.desire(Wanted{Cell: c, Value: new(int64)}, m.t.heads.sequence)
		}
		g.moved(m.t.heads.sequence)
	}
	return table.save()
}
