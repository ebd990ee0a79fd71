package ledger

import (
	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// beside notes what a message that nobody applies yet may mean for the channel's own
// counters: it may have moved them, and may have sold the nights that it names.
func (m *message) beside() error {
	rows, gone := m.match()
	for i, room := range m.r.Booking.Rooms {
		m.setStay(&hotel.Reservation{}, &room)
		before := m.at(rows[i])
		m.adjust(MessageIgnored, before, nil, room)
		if m.waits && before != nil && stay.Live(before.Status) {
			if err := m.countBeside(before, room); err != nil {
				return err
			}
		}
	}
	for _, at := range gone {
		if !m.r.Partial && stay.Live(m.existing[at].Status) {
			m.adjust(MessageIgnored, &m.existing[at], nil, hotel.ChannelRoom{})
		}
	}
	return nil
}

// waitsBeside reports whether somebody is asked about another message of the booking than
// the one that a conflict is about.
func (m *message) waitsBeside(conflict string) (bool, error) {
	open, _, err := m.ofStale()
	if err != nil {
		return false, err
	}
	for i := range open {
		if open[i].ID != conflict {
			return true, nil
		}
	}
	return false, nil
}

// setAside takes back what was noted beside a message that does not count, unless
// another one of the booking still waits, which may name the same.
func (m *message) setAside(conflict string) error {
	if other, err := m.waitsBeside(conflict); other || err != nil {
		return err
	}
	rows, _ := m.match()
	for i, room := range m.r.Booking.Rooms {
		m.setStay(&hotel.Reservation{}, &room)
		if before := m.at(rows[i]); before != nil && stay.Live(before.Status) {
			if err := m.countLess(before, room); err != nil {
				return err
			}
		}
	}
	return m.moveCounters()
}
