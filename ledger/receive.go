package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Receipt is one reservation message of a channel, with what the channel
// promises about its messages.
type Receipt struct {
	ChannelID string
	Key       string // the same for every redelivery
	Ref       string // the channel's reservation number
	Revision  string // its ordering token
	Event     string // booked, modified or cancelled
	At        time.Time
	Booking   hotel.ChannelBooking
	Problem   string // why the message could not be read, "" when it could
	Raw       []byte // without card data
	Order     hotel.FeedOrder
	Adjusts   hotel.Adjusts
	Partial   bool   // it names the rooms of a booking that change, and not all of them
	Again     string // the key of the message that could not be read and is read once more here, "" when the channel sends it
}

// Received says what became of a message.
type Received struct {
	Duplicate    bool // it was stored before
	Ignored      bool // it is older than what is known
	Unread       bool // it could not be read: it is kept as it came, and does nothing; of a duplicate, while nobody has dismissed it
	Reservations []hotel.Reservation
}

// Receive stores a message and applies it, in one transaction. A channel's
// booking is never refused: the guest has been told yes. What does not fit is
// kept whole and marked. Duplicates and older revisions change nothing, but for the
// codes of a room that a redelivery names for the first time, and every order of
// arrival ends in the same state.
func (l *Ledger) Receive(ctx context.Context, r Receipt) (Received, error) {
	var out Received // no named result: see underKey
	r.Booking = r.Booking.Counted()
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorChannel, ID: r.ChannelID}}
	err := l.write(ctx, urgent, by, func(t *tx) error {
		out = Received{}
		if r.Problem == "" && r.Event == eventBooked && saysNothing(r) { // a change may have overtaken its booking
			known, err := t.heardOf(r)
			if err != nil {
				return err
			}
			if !known {
				r.Problem = "it tells of a new booking and names no room of it"
			}
		}
		seen, err := t.readBefore(r)
		if err != nil {
			return err
		}
		if seen {
			if out.Reservations, err = t.fillIn(r); err != nil || len(out.Reservations) > 0 {
				return err
			}
			out.Duplicate = true
			out.Unread, err = t.stillUnread(r)
			return err
		}
		if out.Unread = r.Problem != ""; out.Unread {
			return t.keepUnread(r)
		}
		m, err := t.openMessage(r, (*message).choose)
		if err != nil {
			return err
		}
		if err := m.begin(); err != nil {
			return err
		}
		if err := m.apply(); err != nil {
			return err
		}
		if m.asks {
			if err := m.tellHeld(); err != nil {
				return err
			}
		}
		if err := m.noteGap(); err != nil {
			return err
		}
		if err := m.close(); err != nil {
			return err
		}
		if err := m.takeUp(); err != nil {
			return err
		}
		if err := m.applyEarly(); err != nil {
			return err
		}
		out.Reservations, out.Ignored = m.stored, m.older
		return nil
	})
	if err != nil {
		return Received{}, fmt.Errorf("receive message %s of channel %s: %w", r.Key, r.ChannelID, err)
	}
	return out, nil
}

// message is a message while it is applied.
type message struct {
	t         *tx
	r         Receipt
	channel   ledgerdb.Channel
	place     string // where the channel is joined to
	s         *structure
	first     int64 // the entry of the journal that is the first to follow from it
	made      when  // it was
	mappings  []hotel.Mapping
	counters  []Counter
	reuse     int64                    // how many bookings had the reference before the one that it is about
	before    *bearer                  // the booking that had it until this message came; nil: it is no news that another has
	said      []hotel.ChannelRoom      // the rooms as they were told; those of r have what the total leaves for them
	sums      []roomSums               // of each
	known     *ledgerdb.ChannelBooking // what was known of the booking; nil: nothing
	existing  []hotel.Reservation
	changes   bool // it is a change of a booking that was told before
	older     bool // than what is known
	behind    bool // what is known of the booking, though it is news of some of its rooms
	doubtful  bool // nobody can say whether it is older
	bygone    bool // the reference was given to another booking when it had been written
	asks      bool // somebody has to say whether it is about a booking of its own, which it is held as
	waits     bool // for somebody to say whether it counts
	decided   bool // somebody has said that it does
	forgot    bool // somebody whom the booking was for, or who came along, is not to be known any more
	faceless  bool // somebody whom it was for is not
	group     string
	stored    []hotel.Reservation
	sold      map[hotel.Cell]int64            // by which the channel has lowered its own counters
	recounted []counterNight                  // what counters have sold otherwise than was stored
	moved     map[string]map[hotel.Date]int64 // where the channel may have moved its own counters, by room type: how many rooms it may have given back
}

// openMessage looks up what is known of the booking that a message is about; which one it
// is, of those that have had its reference, is for choose to say.
func (t *tx) openMessage(r Receipt, choose func(*message, []bearer)) (*message, error) {
	m := &message{t: t, r: r, first: t.heads.sequence + 1, sold: map[hotel.Cell]int64{}, moved: map[string]map[hotel.Date]int64{}}
	if m.r.Ref == "" {
		m.r.Ref = r.Key // what names no booking is a booking of its own
	}
	m.sumUp()
	var err error
	if m.channel, err = t.q.GetChannel(t.ctx, r.ChannelID); err != nil {
		return nil, notFound(err)
	}
	of, err := channelOf(m.channel)
	if err != nil {
		return nil, err
	}
	m.place = of.Place
	if m.s, err = t.structure(m.channel.PropertyID); err != nil {
		return nil, err
	}
	if m.counters, m.mappings, err = loadLines(t.ctx, t.q, r.ChannelID); err != nil {
		return nil, err
	}
	m.made = t.whenAt(&m.s.property, r.At)
	all, err := t.bearers(m.channel.PropertyID, m.r.ChannelID, m.r.Ref, m.r.Key)
	if err != nil {
		return nil, err
	}
	choose(m, all)
	if m.reuse < int64(len(all)) {
		return m, m.stand(all[m.reuse])
	}
	return m, m.stand(bearer{})
}

// about has a message be about a booking that was found out before.
func about(reuse int64) func(*message, []bearer) {
	return func(m *message, _ []bearer) { m.reuse = reuse }
}

// stand finds where the message stands among those of its booking.
func (m *message) stand(b bearer) (err error) {
	m.known, m.existing, m.forgot, m.faceless = b.known, b.rooms, b.forgot, b.faceless
	if m.known != nil {
		m.group = orEmpty(m.known.GroupID)
	}
	m.changes = m.isChange(b.made)
	if m.known != nil {
		if m.doubtful, err = m.unordered(); err != nil {
			return err
		}
		m.older = m.doubtful || !m.newer(positionOf(*m.known))
	}
	switch {
	case m.bygone && !m.cancels(), m.outdated(&b):
		m.bygone, m.older, m.doubtful = true, true, false // its booking is over, whatever it says
	case m.overtaken():
		// A booking is made once: that it was, before, is no news. Of anything else
		// nobody knows whether the channel still had it so.
		m.doubtful = m.changes || m.r.At.IsZero() || m.r.Partial
		m.older = true
	}
	return nil
}

// cancels reports whether the message cancels the whole booking.
func (m *message) cancels() bool { return m.r.Event == eventCancelled }

// silent reports whether the message says nothing of any room.
func (m *message) silent() bool { return saysNothing(m.r) }

func saysNothing(r Receipt) bool { return r.Event != eventCancelled && len(r.Booking.Rooms) == 0 }

// heardOf reports whether anything is known of the booking that a message is about.
func (t *tx) heardOf(r Receipt) (bool, error) {
	m, err := t.openMessage(r, (*message).choose)
	return err == nil && (m.known != nil || len(m.existing) > 0), err
}

// close stores the message itself and what is now known of the booking.
func (m *message) close() error {
	t := m.t
	seq := t.heads.sequence
	if len(m.stored) == 0 {
		var err error
		seq, err = t.append(entry{property: m.channel.PropertyID, kind: MessageIgnored, subject: m.r.ChannelID, body: map[string]any{
			"channel_reference": m.r.Ref, "event": m.r.Event, "older": m.older,
		}})
		if err != nil {
			return err
		}
	}
	m.r.Booking.Rooms = m.said // what is kept is what was told
	if m.forgot {
		m.r.Raw, m.r.Booking = nil, m.r.Booking.Nameless()
	}
	if err := t.keepMessage(m.r, m.reuse, m.outcome(), m.early() && !m.forgot, min(m.first, seq), seq); err != nil {
		return err
	}
	return m.know()
}

// outcome is what has become of the message.
func (m *message) outcome() string {
	switch {
	case m.waits:
		return messageWaiting
	case m.older:
		return messageIgnored
	}
	return messageApplied
}

// know stores what is now known of the booking.
func (m *message) know() error {
	booking := ledgerdb.PutChannelBookingParams{
		ChannelID: m.r.ChannelID, Ref: m.r.Ref, Reuse: m.reuse, Ordering: m.r.Revision, At: microsOrNil(m.r.At),
		Event: m.position().event, GroupID: textOrNil(m.group),
	}
	switch {
	case m.known == nil && m.older:
		return m.moveCounters() // it is no news
	case m.older || m.behind:
		booking.Ordering, booking.At, booking.Event = m.known.Ordering, m.known.At, m.known.Event
		if m.retells() {
			booking.At = microsOrNil(m.r.At)
		}
	case m.silent():
		// Were it the newest thing known, the message that names the rooms would
		// come too late when it comes second.
		return m.moveCounters()
	}
	if err := m.t.q.PutChannelBooking(m.t.ctx, booking); err != nil {
		return fmt.Errorf("store booking: %w", err)
	}
	return m.moveCounters()
}

// What became of a message.
const (
	messageApplied = "applied"
	messageIgnored = "ignored"
	messageWaiting = "waiting" // for somebody to say whether it counts
	messageUnread  = "unread"

	messageAgain     = "again"     // unread, and to be read once more
	messageDismissed = "dismissed" // unread, and nobody is to look at it
)

// keepMessage stores a message, about the booking before which so many had its reference, with
// the entries of the journal that it made, first and last, and what it says where that is
// still to be decided on, or whole.
func (t *tx) keepMessage(r Receipt, reuse int64, outcome string, whole bool, first, last int64) error {
	row := ledgerdb.InsertMessageParams{
		ChannelID: r.ChannelID, Key: r.Key, Ref: r.Ref, Reuse: reuse, Ordering: r.Revision, Event: r.Event, At: microsOrNil(r.At),
		ReceivedAt: t.micros(), Outcome: outcome, Problem: r.Problem, FirstSequence: first, Sequence: last, Raw: r.Raw,
	}
	if row.Raw == nil {
		row.Raw = []byte{}
	}
	if outcome == messageWaiting || whole {
		content, err := jsonText(waitingMessage{r.Order, r.Partial, r.Booking})
		if err != nil {
			return err
		}
		row.Content = &content
	}
	if err := t.q.InsertMessage(t.ctx, row); err != nil {
		return fmt.Errorf("store message: %w", err)
	}
	return nil
}
