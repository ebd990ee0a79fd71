package ledger

import (
	"encoding/json"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// tellHeld asks somebody about a message that says once more, under the reference of a
// booking that is over, that it was made: it is held as a booking of its own, which it may
// be. That nothing is done about messages that are out of order is no word on this one.
func (m *message) tellHeld() error {
	facts, k := m.staleConflict()
	facts.Older, facts.Held = false, true
	k.Severity = hotel.Warning
	k.Subject = hotel.ConflictSubject{Type: "channel", ID: m.r.ChannelID}
	if len(m.stored) > 0 {
		r := &m.stored[0]
		k.Subject = hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: takes(r), RatePlanID: r.RatePlanID, Date: r.Stay.CheckIn}
	}
	var err error
	if k.Facts, err = json.Marshal(facts); err != nil {
		return err
	}
	channel, property, err := m.t.policies(k.PropertyID, k.ChannelID)
	if err != nil {
		return err
	}
	option, why := hotel.OptionOf(k.Kind, channel, property)
	k.Applied = &why
	if option == hotel.OptionApply {
		return m.t.note(k, option)
	}
	return m.t.raise(k)
}

// enactHeld lets a booking stand that somebody was asked about, or takes it back.
func (t *tx) enactHeld(c *hotel.Conflict, row ledgerdb.Message, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionIgnore {
		return nil
	}
	m, err := t.openMessage(Receipt{
		ChannelID: c.ChannelID, Key: row.Key, Ref: row.Ref, Revision: row.Ordering, Event: eventCancelled, At: instantOrZero(row.At),
		// What its own counters may have done was noted when it came.
		Adjusts: hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo},
	}, about(row.Reuse))
	if err != nil {
		return err
	}
	m.older, m.decided = false, true
	if err := m.apply(); err != nil {
		return err
	}
	return m.know()
}
