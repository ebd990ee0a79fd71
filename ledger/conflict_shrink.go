package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// ShrinkFacts is a booking of several rooms of which a message leaves many out.
type ShrinkFacts struct {
	Reference string         `json:"channel_reference"`
	Message   string         `json:"message"` // by which the channel's redeliveries are known
	Missing   []BookingFacts `json:"missing"` // the rooms that it leaves out; they are held
	Left      []BookingFacts `json:"left"`
}

// has reports whether a room is among those that are missing.
func (f ShrinkFacts) has(id string) bool {
	return slices.ContainsFunc(f.Missing, func(b BookingFacts) bool { return b.ReservationID == id })
}

func (m *message) shrinkTopic() string { return m.r.ChannelID + "/" + m.r.Ref }

// dropped returns, of the stored rooms that a message leaves out, those that are
// cancelled by it. A channel whose messages name what changes has not spoken of them.
// Of a channel whose messages are whole they are gone; but where more than half of the
// rooms would go, or one whose guest is in the house, somebody is asked, and they are
// held.
func (m *message) dropped(gone []int) ([]int, error) {
	if m.r.Partial && !m.cancels() {
		return nil, nil
	}
	live, missing, inHouse := 0, []int{}, false
	for at := range m.existing {
		r := &m.existing[at]
		if !stay.Live(r.Status) {
			continue
		}
		if live++; slices.Contains(gone, at) {
			missing = append(missing, at)
			inHouse = inHouse || r.Status == hotel.CheckedIn
		}
	}
	if m.cancels() || live < 2 || len(m.r.Booking.Rooms) >= live || 2*len(missing) <= live && !inHouse {
		return gone, m.t.overTopic(m.channel.PropertyID, hotel.ConflictGroupShrink, m.shrinkTopic())
	}
	if err := m.tellShrunk(missing); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(gone), func(at int) bool { return slices.Contains(missing, at) }), nil
}

// tellShrunk asks what becomes of rooms that a message leaves out, unless somebody has
// decided to keep just these.
func (m *message) tellShrunk(missing []int) error {
	facts := ShrinkFacts{Reference: m.r.Ref, Message: m.r.Key, Missing: []BookingFacts{}, Left: []BookingFacts{}}
	for at := range m.existing {
		r := &m.existing[at]
		switch {
		case slices.Contains(missing, at):
			facts.Missing = append(facts.Missing, factsOfBooking(r))
		case stay.Live(r.Status):
			facts.Left = append(facts.Left, factsOfBooking(r))
		}
	}
	last, err := readOne[hotel.Conflict](m.t.q.LastConflict(m.t.ctx, ledgerdb.LastConflictParams{
		PropertyID: m.channel.PropertyID, Kind: string(hotel.ConflictGroupShrink), Topic: m.shrinkTopic(),
	}))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if last.Resolution != nil && last.Resolution.Option == hotel.OptionKeepAll {
		kept, err := shrinkFactsOf(&last)
		if err != nil || !slices.ContainsFunc(facts.Missing, func(b BookingFacts) bool { return !kept.has(b.ReservationID) }) {
			return err
		}
	}
	k := hotel.Conflict{
		PropertyID: m.channel.PropertyID, ChannelID: m.r.ChannelID, Kind: hotel.ConflictGroupShrink, Topic: m.shrinkTopic(), Severity: hotel.Warning,
		Subject: hotel.ConflictSubject{Type: "group", ID: m.group, Date: facts.Missing[0].Stay.CheckIn},
	}
	if k.Facts, err = json.Marshal(facts); err != nil {
		return err
	}
	return m.t.raise(k)
}

func shrinkFactsOf(c *hotel.Conflict) (facts ShrinkFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// overShrunk ends the conflict about rooms that a message left out when the last of
// them needs no room any more.
func (t *tx) overShrunk(r *hotel.Reservation) error {
	if r.GroupID == "" {
		return nil
	}
	open, err := t.openConflicts(r.PropertyID, hotel.ConflictGroupShrink)
	if err != nil {
		return err
	}
	for i := range open {
		facts, err := shrinkFactsOf(&open[i])
		if err != nil {
			return err
		}
		if !facts.has(r.ID) {
			continue
		}
		left, err := t.liveOf(facts.Missing)
		if err != nil {
			return err
		}
		if len(left) > 0 {
			continue
		}
		if err := t.over(&open[i]); err != nil {
			return err
		}
	}
	return nil
}

// liveOf returns those of bookings that still stand.
func (t *tx) liveOf(of []BookingFacts) (live []hotel.Reservation, err error) {
	for _, b := range of {
		r, err := t.reservation(b.ReservationID)
		if err != nil {
			return nil, err
		}
		if stay.Live(r.Status) {
			live = append(live, r)
		}
	}
	return live, nil
}

// enactShrink cancels the rooms that the channel has left out, as its message would
// have.
func (t *tx) enactShrink(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionCancelMissing {
		return nil
	}
	facts, err := shrinkFactsOf(c)
	if err != nil {
		return err
	}
	missing, err := t.liveOf(facts.Missing)
	if err != nil {
		return err
	}
	// What its own counters may have done was noted when the message came.
	no := hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
	m, err := t.openMessage(Receipt{ChannelID: c.ChannelID, Ref: facts.Reference, Adjusts: no})
	if err != nil {
		return err
	}
	m.older = false
	for _, r := range missing {
		if err := m.cancel(r); err != nil {
			return err
		}
	}
	return nil
}
