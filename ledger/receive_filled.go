package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// fillIn applies a message that comes once more and names the room and rate of what it
// left open when it came first: a far side sends its booking again when somebody has
// mended its own mapping. It returns the rooms that it stored, none for a duplicate like
// any other. Only the newest message of a booking fills anything in, where it counts
// and nothing that it says was given back by the channel's answer to what it was asked.
func (t *tx) fillIn(r Receipt) ([]hotel.Reservation, error) {
	if r.Problem != "" || r.Ref == "" {
		return nil, nil
	}
	unmapped, err := t.q.HasUnmapped(t.ctx, ledgerdb.HasUnmappedParams{ChannelID: r.ChannelID, Ref: r.Ref})
	if err != nil {
		return nil, fmt.Errorf("look for what is not mapped of the booking: %w", err)
	}
	if !unmapped {
		return nil, nil
	}
	if was, err := t.outcomeOf(r.ChannelID, r.Key); err != nil || was != messageApplied {
		return nil, err
	}
	told, err := t.q.GetMessage(t.ctx, ledgerdb.GetMessageParams{ChannelID: r.ChannelID, Key: r.Key})
	if err != nil {
		return nil, notFound(err)
	}
	m, err := t.openMessage(r, about(told.Reuse))
	if err != nil || !m.isNewest() || !m.names() {
		return nil, err
	}
	m.older, m.doubtful, m.decided = false, false, true // it stands where it stood
	if err := m.apply(); err != nil {
		return nil, err
	}
	if !m.forgot {
		if err := t.q.RetellMessage(t.ctx, ledgerdb.RetellMessageParams{Raw: append([]byte{}, r.Raw...), ChannelID: r.ChannelID, Key: r.Key}); err != nil {
			return nil, fmt.Errorf("store message: %w", err)
		}
	}
	return m.stored, m.know()
}

// names reports whether the message names, in codes that are mapped, a live room of the
// booking that is stored without them, and none that an answer of the channel has changed
// since the message was written.
func (m *message) names() bool {
	rows, _ := m.match()
	names := false
	for i, room := range m.r.Booking.Rooms {
		before := m.at(rows[i])
		if before == nil {
			continue
		}
		if before.Unheard(room.Stay, m.r.At) {
			return false
		}
		roomType, _, _ := m.mapped(room)
		names = names || roomType != "" && before.RoomTypeID == "" && stay.Live(before.Status)
	}
	return names
}
