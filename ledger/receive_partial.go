package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// applyPartial brings each room that a message names to what it says, where the message
// names what changes of a booking and not all of it. Every room has a newest message of
// its own, so that one that is older than what is known of the booking is the newest
// there is about some of its rooms. A room that is given up is named as gone; a cancellation
// is about all of them. Every order of arrival ends the same.
func (m *message) applyPartial(rows []int) error {
	late := m.older
	ended, err := m.endedLater()
	if err != nil {
		return err
	}
	ended = ended || m.bygone && !m.decided
	applied := false
	each := func(before *hotel.Reservation, gone bool, do func(cancelled bool) error) error {
		cancelled := ended || gone || m.cancels()
		m.older = late && !m.decided && (ended || !m.newestOf(before))
		if m.older && before != nil && (m.cancels() || m.bygone && stay.Live(before.Status) || !m.newestOf(before)) {
			return nil // of a booking that was over by then, what became of its rooms is known
		}
		applied = applied || !m.older
		return do(cancelled)
	}
	for i, room := range m.r.Booking.Rooms {
		if late {
			m.older = late // which it need not have been for the room before
			m.adjust(MessageIgnored, nil, nil, room)
		}
		before := m.at(rows[i])
		if err := each(before, room.Gone, func(cancelled bool) error { return m.applyRoom(i, before, cancelled, !cancelled) }); err != nil {
			return err
		}
	}
	for at := range m.existing {
		if r := m.existing[at]; m.cancels() && !slices.Contains(rows, at) {
			if err := each(&r, true, func(bool) error { return m.cancel(r) }); err != nil {
				return err
			}
		}
	}
	for _, r := range m.existing {
		if !m.has(r.ID) {
			if err := m.regroup(r); err != nil {
				return err
			}
		}
	}
	m.older, m.behind = late && !applied, late
	return nil
}

// newestOf reports whether nothing newer than the message is known of a room (nil: it
// is new).
func (m *message) newestOf(before *hotel.Reservation) bool {
	return before == nil || m.decided || m.newer(positionOfRoom(before))
}

// endedLater reports whether the booking was cancelled, as a whole, by a message that
// is newer than this one.
func (m *message) endedLater() (bool, error) {
	if m.decided || m.cancels() {
		return false, nil
	}
	rows, err := m.t.q.Cancellations(m.t.ctx, ledgerdb.CancellationsParams{Ref: m.r.Ref, Reuse: m.reuse, ChannelID: m.r.ChannelID})
	if err != nil {
		return false, fmt.Errorf("look for cancellations: %w", err)
	}
	return slices.ContainsFunc(rows, func(c ledgerdb.CancellationsRow) bool {
		switch at := instantOrZero(c.At); {
		case m.timed(at) && m.r.At.After(at):
			return false // it is of a booking that had the reference before, whatever its number
		case m.r.Order != hotel.OrderNone, m.timed(at):
			return !m.newer(position{StalePlace{c.Ordering, at}, eventCancelled})
		}
		return m.ended() // unless somebody has said that it lives again
	}), nil
}
