package ledger

import (
	"encoding/json"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// StaleFacts is what was seen of a modification that comes behind a newer message, or
// of which nobody can say whether it does.
type StaleFacts struct {
	Reference string         `json:"channel_reference"`
	Message   string         `json:"message"`                   // by which the channel's redeliveries are known
	Older     bool           `json:"older"`                     // false: nobody can say
	Held      bool           `json:"held,omitempty"`            // rooms are held for it, as a booking of its own
	Reuse     int            `json:"reference_reuse,omitempty"` // how many bookings had the reference before the one that it is taken for
	Ours      StalePlace     `json:"ours"`                      // of the newest message that was applied
	Theirs    StalePlace     `json:"theirs"`
	Stored    []BookingFacts `json:"stored"`
	Told      []ToldRoom     `json:"told"`
}

// StalePlace is where a message stands in the order of a channel's messages.
type StalePlace struct {
	Revision string    `json:"revision,omitempty"`
	At       time.Time `json:"at,omitzero"` // as the channel says
}

// ToldRoom is one room as a message names it, in the channel's codes.
type ToldRoom struct {
	Room   string     `json:"room"`
	Rate   string     `json:"rate"`
	Stay   hotel.Stay `json:"stay"`
	Adults int        `json:"adults"`
}

// overtaken reports whether a message may have been written before the channel's answer to
// what it was asked: the order of its messages tells nothing of that until one of them
// says so too, and what was given back may be sold again.
func (m *message) overtaken() bool {
	if m.cancels() || m.ended() {
		return false
	}
	if m.older && (m.r.Order != hotel.OrderNone || m.timed(instantOrZero(m.known.At))) {
		return false // by an order, and not only for being an earlier step of a booking's life
	}
	rows, _ := m.match()
	for i, room := range m.r.Booking.Rooms {
		if before := m.at(rows[i]); before != nil && before.Unheard(room.Stay, m.r.At) {
			return true
		}
	}
	return false
}

// newest is the place of the newest message of the booking that was applied; no place where
// there was none.
func (m *message) newest() StalePlace {
	if m.known == nil {
		return StalePlace{}
	}
	return positionOf(*m.known).StalePlace
}

// waitingMessage is what a message says while somebody is asked whether it counts, or while
// the booking may still begin that it is about.
type waitingMessage struct {
	Order   hotel.FeedOrder      `json:"order"`
	Partial bool                 `json:"partial,omitempty"`
	Booking hotel.ChannelBooking `json:"booking"`
}

// staleConflict is what there is to ask about the message beside what is stored of the
// booking, or of the one that had its reference before.
func (m *message) staleConflict() (StaleFacts, hotel.Conflict) {
	stored := m.existing
	if m.asks {
		stored = m.before.rooms
	}
	facts := StaleFacts{
		Reference: m.r.Ref, Reuse: int(m.reuse), Message: m.r.Key, Older: !m.doubtful,
		Ours: m.newest(), Theirs: StalePlace{m.r.Revision, m.r.At},
		Stored: []BookingFacts{}, Told: []ToldRoom{},
	}
	for _, room := range m.r.Booking.Rooms {
		facts.Told = append(facts.Told, ToldRoom{room.Room, room.Rate, room.Stay, room.Adults})
	}
	k := hotel.Conflict{PropertyID: m.channel.PropertyID, ChannelID: m.r.ChannelID, Kind: hotel.ConflictStale, Topic: m.r.ChannelID + "/" + m.r.Key, Severity: hotel.Info}
	if m.doubtful {
		k.Severity = hotel.Warning
	}
	for i := range stored {
		r := &stored[i]
		facts.Stored = append(facts.Stored, factsOfBooking(r))
		if i == 0 {
			k.Subject = hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: takes(r), RatePlanID: r.RatePlanID, Date: r.Stay.CheckIn}
		}
	}
	if len(stored) == 0 { // it was cancelled before it came
		k.Subject = hotel.ConflictSubject{Type: "channel", ID: m.r.ChannelID}
	}
	return facts, k
}

// tellStale tells of a modification that is not applied: by the policy of its channel
// it counts, does not count, or waits for somebody who says so. What is older for
// certain does not count where nobody has said anything, and no policy brings a booking
// back that its channel has ended.
func (m *message) tellStale() error {
	facts, k := m.staleConflict()
	var err error
	if k.Facts, err = json.Marshal(facts); err != nil {
		return err
	}
	channel, property, err := m.t.policies(k.PropertyID, k.ChannelID)
	if err != nil {
		return err
	}
	option, why := hotel.OptionOf(k.Kind, channel, property)
	ended := m.bygone || m.ended()
	if !m.doubtful && (why.Level == "default" || option == hotel.OptionApply && ended) {
		option, why.Level, why.Value = hotel.OptionIgnore, "default", hotel.OptionIgnore
	}
	if option == hotel.OptionIgnore {
		k.Applied = &why
		return m.t.note(k, option)
	}
	m.waits = true
	return m.t.raise(k)
}

// ofStale are the open conflicts about messages of the booking that the message is about.
func (m *message) ofStale() (of []hotel.Conflict, facts []StaleFacts, err error) {
	open, err := m.t.openConflicts(m.channel.PropertyID, hotel.ConflictStale)
	if err != nil {
		return nil, nil, err
	}
	for i := range open {
		f, err := staleFactsOf(&open[i])
		if err != nil {
			return nil, nil, err
		}
		if open[i].ChannelID == m.r.ChannelID && f.Reference == m.r.Ref && int64(f.Reuse) == m.reuse {
			of, facts = append(of, open[i]), append(facts, f)
		}
	}
	return of, facts, nil
}

// behindThis reports whether a message that somebody is asked about comes behind this one
// by the order of the channel.
func (m *message) behindThis(f *StaleFacts) bool {
	return !f.Held && m.tells(f.Theirs) && m.compare(f.Theirs.Revision, f.Theirs.At) < 0
}

// overStale ends the conflicts about messages of a booking to which a newer one has
// come.
func (m *message) overStale() error {
	open, facts, err := m.ofStale()
	if err != nil {
		return err
	}
	for i := range open {
		if m.behindThis(&facts[i]) {
			continue // this one has not overtaken it
		}
		if err := m.t.over(&open[i]); err != nil {
			return err
		}
		if err := m.t.settleMessage(open[i].ChannelID, facts[i].Message, messageIgnored); err != nil {
			return err
		}
	}
	return nil
}

// takeUp applies what waited and is clear now: the message, which has come late, says what
// was not known when a later one came, as that the channel has done what it was asked.
func (m *message) takeUp() error {
	if m.older {
		return nil
	}
	open, facts, err := m.ofStale()
	if err != nil {
		return err
	}
	next := -1 // one after the other
	for i := range open {
		if m.behindThis(&facts[i]) && (next < 0 || comparePlaces(m.r.Order, facts[i].Theirs, facts[next].Theirs) < 0) {
			next = i
		}
	}
	if next < 0 {
		return nil
	}
	row, err := m.t.q.GetMessage(m.t.ctx, ledgerdb.GetMessageParams{ChannelID: m.r.ChannelID, Key: facts[next].Message})
	if err != nil {
		return notFound(err)
	}
	if row.Content == nil {
		return nil // it named somebody who is forgotten, and is left to a person
	}
	r, err := receiptOf(row)
	if err != nil {
		return err
	}
	after, err := m.t.openMessage(r, about(row.Reuse))
	if err != nil || after.older || after.doubtful {
		return err
	}
	if err := m.t.over(&open[next]); err != nil {
		return err
	}
	if err := m.t.settleMessage(r.ChannelID, r.Key, messageApplied); err != nil {
		return err
	}
	if err := after.apply(); err != nil {
		return err
	}
	if err := after.know(); err != nil {
		return err
	}
	if err := after.takeUp(); err != nil {
		return err
	}
	m.takeOver(after.stored)
	return nil
}

func staleFactsOf(c *hotel.Conflict) (facts StaleFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// settleMessage notes what became of a message that somebody was asked about.
func (t *tx) settleMessage(channel, key, outcome string) error {
	err := t.q.SettleMessage(t.ctx, ledgerdb.SettleMessageParams{Outcome: outcome, ChannelID: channel, Key: key})
	if err != nil {
		return fmt.Errorf("store message %s: %w", key, err)
	}
	return nil
}

// enactStale applies a message that was asked about, or leaves it.
func (t *tx) enactStale(c *hotel.Conflict, d hotel.ConflictDecision) error {
	facts, err := staleFactsOf(c)
	if err != nil {
		return err
	}
	row, err := t.q.GetMessage(t.ctx, ledgerdb.GetMessageParams{ChannelID: c.ChannelID, Key: facts.Message})
	if err != nil {
		return notFound(err)
	}
	if facts.Held {
		return t.enactHeld(c, row, d)
	}
	if d.Option == hotel.OptionIgnore && (facts.Older || row.Content == nil) {
		return t.settleMessage(c.ChannelID, facts.Message, messageIgnored)
	}
	if row.Content == nil {
		return hotel.Refuse("anonymized", "what the message said was forgotten with its guest: change the booking by hand")
	}
	r, err := receiptOf(row)
	if err != nil {
		return err
	}
	outcome := messageApplied
	if d.Option == hotel.OptionIgnore {
		outcome = messageIgnored
	}
	if err := t.settleMessage(c.ChannelID, row.Key, outcome); err != nil {
		return err
	}
	m, err := t.openMessage(r, about(row.Reuse))
	if err != nil {
		return err
	}
	if d.Option == hotel.OptionIgnore {
		return m.setAside(c.ID)
	}
	m.older, m.doubtful, m.decided = false, false, true // somebody has said so; what comes next is compared with the newest all the same
	if newest := m.newest(); facts.Older || !placed(r.Order, r.Revision, r.At) || m.compare(newest.Revision, newest.At) < 0 {
		m.r.Revision, m.r.At = newest.Revision, newest.At
	}
	if err := m.apply(); err != nil {
		return err
	}
	return m.know()
}
