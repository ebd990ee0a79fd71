package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// early reports whether a message that is older by its number than what is known of the
// booking was written later. Numbers begin again with a booking, so it may be of the next one
// that has the reference, of which neither the beginning has come nor the end of this one.
func (m *message) early() bool {
	if m.known == nil || !m.older || m.doubtful || m.waits || m.r.Event == eventBooked {
		return false
	}
	known := positionOf(*m.known)
	return m.timed(known.At) && m.r.At.After(known.At) && m.compare(known.Revision, known.At) < 0
}

// applyEarly applies what came before the booking had begun that it is about, as far as it
// was kept: it is looked at as if it came now.
func (m *message) applyEarly() error {
	if m.before == nil || m.asks {
		return nil
	}
	rows, err := m.t.q.EarlyMessages(m.t.ctx, ledgerdb.EarlyMessagesParams{Ref: m.r.Ref, Reuse: m.reuse, ChannelID: m.r.ChannelID})
	if err != nil {
		return fmt.Errorf("look for what came before the booking: %w", err)
	}
	for _, row := range rows {
		if err := m.applyLate(row); err != nil {
			return err
		}
	}
	return nil
}

// applyLate applies one that was kept, if it is about the booking of the message and is
// news of it.
func (m *message) applyLate(row ledgerdb.Message) error {
	r, err := receiptOf(row)
	if err != nil {
		return err
	}
	next, err := m.t.openMessage(r, (*message).choose)
	if err != nil || next.reuse != m.reuse || next.older && !next.doubtful {
		return err
	}
	if err := next.apply(); err != nil {
		return err
	}
	if err := next.know(); err != nil {
		return err
	}
	m.takeOver(next.stored)
	last := m.t.heads.sequence
	place := ledgerdb.PlaceMessageParams{
		Reuse: next.reuse, Outcome: next.outcome(), FirstSequence: min(next.first, last), Sequence: last, ChannelID: row.ChannelID, Key: row.Key,
	}
	if err := m.t.q.PlaceMessage(m.t.ctx, place); err != nil {
		return fmt.Errorf("store message %s: %w", row.Key, err)
	}
	return nil
}

// takeOver has the message answer for rooms as another one has stored them since.
func (m *message) takeOver(stored []hotel.Reservation) {
	for _, r := range stored {
		if i := slices.IndexFunc(m.stored, func(was hotel.Reservation) bool { return was.ID == r.ID }); i >= 0 {
			m.stored[i] = r
		} else {
			m.stored = append(m.stored, r)
		}
	}
}

// receiptOf is a stored message of which the content was kept, as it came. What its own
// counters may have done was noted then.
func receiptOf(row ledgerdb.Message) (Receipt, error) {
	r := Receipt{
		ChannelID: row.ChannelID, Key: row.Key, Ref: row.Ref, Revision: row.Ordering, Event: row.Event, At: instantOrZero(row.At), Raw: row.Raw,
		Adjusts: hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo},
	}
	var content waitingMessage
	if err := json.Unmarshal([]byte(*row.Content), &content); err != nil {
		return r, fmt.Errorf("content of message %s: %w", row.Key, err)
	}
	r.Order, r.Partial, r.Booking = content.Order, content.Partial, content.Booking
	return r, nil
}
