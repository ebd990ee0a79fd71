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
	if option != hotel.OptionApply {
		return m.t.raise(k)
	}
	if err := m.t.note(k, option); err != nil {
		return err
	}
	for i := range m.stored {
		if err := m.countSurely(&m.stored[i]); err != nil {
			return err
		}
	}
	return nil
}

// enactHeld lets a booking stand that somebody was asked about, or takes it back. Until
// then its channel may have sold it: one that it has told of once more only brings back no
// room of what it was granted.
func (t *tx) enactHeld(c *hotel.Conflict, row ledgerdb.Message, d hotel.ConflictDecision) error {
	m, err := t.openMessage(Receipt{
		ChannelID: c.ChannelID, Key: row.Key, Ref: row.Ref, Revision: row.Ordering, Event: eventCancelled, At: instantOrZero(row.At),
		// What its own counters may have done was noted when it came.
		Adjusts: hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo},
	}, about(row.Reuse))
	if err != nil {
		return err
	}
	if d.Option != hotel.OptionIgnore {
		return m.stands(c.ID)
	}
	m.older, m.decided = false, true
	if err := m.apply(); err != nil {
		return err
	}
	return m.know()
}

// stands has a booking that was held be one that its channel has sold for certain, unless
// somebody is asked about another message of it, which may name nights that it has not.
func (m *message) stands(conflict string) error {
	if other, err := m.waitsBeside(conflict); other || err != nil {
		return err
	}
	for i := range m.existing {
		if err := m.countSurely(&m.existing[i]); err != nil {
			return err
		}
	}
	return m.moveCounters()
}
