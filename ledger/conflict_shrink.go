package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// ShrinkFacts is a booking of several rooms of which a message leaves many out.
type ShrinkFacts struct {
	Reference string         `json:"channel_reference"`
	Reuse     int            `json:"reference_reuse,omitempty"` // how many bookings had the reference before
	Message   string         `json:"message"`                   // by which the channel's redeliveries are known
	Missing   []LeftOut      `json:"missing"`                   // the rooms that it leaves out; they are held
	Left      []BookingFacts `json:"left"`
	Kept      []LeftOut      `json:"kept,omitempty"` // rooms that were left out before and that somebody has decided to keep
}

// LeftOut is a room that a message leaves out, and the last one that named it.
type LeftOut struct {
	BookingFacts
	Revision   string     `json:"revision,omitempty"`
	ModifiedAt time.Time  `json:"channel_modified_at,omitzero"`
	LeftOutBy  StalePlace `json:"left_out_by"` // where the message stands that leaves it out
}

// has reports whether a room is among those that are missing.
func (f ShrinkFacts) has(id string) bool {
	return slices.ContainsFunc(f.Missing, func(l LeftOut) bool { return l.ReservationID == id })
}

// keeps reports whether somebody has decided that a room stays. That is over once a
// message has named the room again behind the one that left it out: to leave it out after
// that is another matter.
func (f ShrinkFacts) keeps(r *hotel.Reservation, order hotel.FeedOrder) bool {
	return slices.ContainsFunc(f.Kept, func(l LeftOut) bool {
		is := positionOfRoom(r).StalePlace
		same := l.Revision == is.Revision && l.ModifiedAt.Equal(is.At)
		return l.ReservationID == r.ID && (same || comparePlaces(order, is, l.LeftOutBy) < 0)
	})
}

// shrinkTopic is of one booking, whichever others have had its reference.
func (m *message) shrinkTopic() string {
	return fmt.Sprintf("%s/%d/%s", m.r.ChannelID, m.reuse, m.r.Ref)
}

// dropped returns, of the stored rooms that a message leaves out, those that are
// cancelled by it. Messages are whole here, so they are gone; but where more than half of the
// rooms would go, or one whose guest is in the house, somebody is asked, and they are
// held. Those about which somebody was asked, or has decided that they stay, are held
// whatever else the booking has by now, until a message names them again.
func (m *message) dropped(gone []int) ([]int, error) {
	if m.cancels() {
		return gone, m.t.overTopic(m.channel.PropertyID, hotel.ConflictGroupShrink, m.shrinkTopic())
	}
	before, err := m.shrunkBefore()
	if err != nil {
		return nil, err
	}
	live, missing, asked, inHouse := 0, []int{}, []int{}, false
	gone = slices.Clone(gone)
	for at := range m.existing {
		r, out := &m.existing[at], slices.Contains(gone, at)
		known := out && (before.has(r.ID) || before.keeps(r, m.r.Order))
		switch {
		case !stay.Live(r.Status):
		case known && before.has(r.ID):
			asked = append(asked, at)
		case known:
		case out:
			live++
			missing = append(missing, at)
			inHouse = inHouse || r.Status == hotel.CheckedIn
		default:
			live++
		}
		if known && stay.Live(r.Status) {
			gone = slices.DeleteFunc(gone, func(i int) bool { return i == at })
		}
	}
	if live < 2 || len(m.r.Booking.Rooms) >= live || 2*len(missing) <= live && !inHouse {
		missing = nil
	}
	if len(missing)+len(asked) == 0 {
		return gone, m.t.overTopic(m.channel.PropertyID, hotel.ConflictGroupShrink, m.shrinkTopic())
	}
	for _, at := range missing {
		m.adjust(ReservationCancelled, &m.existing[at], nil, hotel.ChannelRoom{})
	}
	if err := m.tellShrunk(append(asked, missing...), before.Kept); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(gone, func(at int) bool { return slices.Contains(missing, at) }), nil
}

// shrunkBefore returns which rooms of the booking somebody is asked about, and which
// somebody has decided to keep.
func (m *message) shrunkBefore() (ShrinkFacts, error) {
	last, err := readOne[hotel.Conflict](m.t.q.LastConflict(m.t.ctx, ledgerdb.LastConflictParams{
		PropertyID: m.channel.PropertyID, Kind: string(hotel.ConflictGroupShrink), Topic: m.shrinkTopic(),
	}))
	if errors.Is(err, ErrNotFound) {
		return ShrinkFacts{}, nil
	}
	if err != nil {
		return ShrinkFacts{}, err
	}
	facts, err := shrinkFactsOf(&last)
	if last.Status == hotel.ConflictOpen {
		return facts, err
	}
	if last.Resolution != nil && last.Resolution.Option == hotel.OptionKeepAll {
		facts.Kept = append(facts.Kept, facts.Missing...)
	}
	facts.Missing = nil
	return facts, err
}

// tellShrunk asks what becomes of rooms that messages leave out.
func (m *message) tellShrunk(missing []int, kept []LeftOut) error {
	facts := ShrinkFacts{Reference: m.r.Ref, Reuse: int(m.reuse), Message: m.r.Key, Missing: []LeftOut{}, Left: []BookingFacts{}, Kept: kept}
	for at := range m.existing {
		r := &m.existing[at]
		switch {
		case slices.Contains(missing, at):
			facts.Missing = append(facts.Missing, LeftOut{factsOfBooking(r), r.Source.Revision, r.Source.ModifiedAt, m.position().StalePlace})
		case stay.Live(r.Status):
			facts.Left = append(facts.Left, factsOfBooking(r))
		}
	}
	return m.raiseShrunk(facts)
}

// retellShrunk brings what somebody is asked about up to what a late message has told of
// the rooms.
func (m *message) retellShrunk(facts ShrinkFacts) error {
	if len(facts.Missing) == 0 {
		return nil
	}
	for i := range m.stored {
		r := &m.stored[i]
		if at := slices.IndexFunc(facts.Missing, func(l LeftOut) bool { return l.ReservationID == r.ID }); at >= 0 {
			facts.Missing[at] = LeftOut{factsOfBooking(r), r.Source.Revision, r.Source.ModifiedAt, facts.Missing[at].LeftOutBy}
		}
	}
	return m.raiseShrunk(facts)
}

func (m *message) raiseShrunk(facts ShrinkFacts) error {
	k := hotel.Conflict{
		PropertyID: m.channel.PropertyID, ChannelID: m.r.ChannelID, Kind: hotel.ConflictGroupShrink, Topic: m.shrinkTopic(), Severity: hotel.Warning,
		Subject: hotel.ConflictSubject{Type: "group", ID: m.group, Date: facts.Missing[0].Stay.CheckIn},
	}
	var err error
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

// liveOf returns those of rooms that still stand.
func (t *tx) liveOf(of []LeftOut) (live []hotel.Reservation, err error) {
	for _, l := range of {
		r, err := t.reservation(l.ReservationID)
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
	if err != nil || len(missing) == 0 {
		return err
	}
	// What its own counters may have done was noted when the message came.
	no := hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
	m, err := t.openMessage(Receipt{ChannelID: c.ChannelID, Ref: facts.Reference, Adjusts: no}, about(int64(missing[0].Source.Reuse)))
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
