package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// UnreadFacts is what is certain about a message that nobody could read.
type UnreadFacts struct {
	Reference string     `json:"channel_reference,omitempty"`
	Message   string     `json:"message"` // by which the channel's redeliveries are known
	Received  time.Time  `json:"received_at"`
	Reason    string     `json:"reason"` // why it could not be read, without what it says
	Place     StalePlace `json:"place,omitzero"`
}

// readBefore reports whether a message was stored before. One that could not be read
// then and can be now takes the place of what was kept of it.
func (t *tx) readBefore(r Receipt) (bool, error) {
	if r.Again != "" {
		was, err := t.outcomeOf(r.ChannelID, r.Again)
		if err != nil || was != messageAgain {
			return true, err // it came once more meanwhile, or somebody has dismissed it
		}
		if r.Problem != "" {
			return false, nil
		}
		if err := t.replaceUnread(r.ChannelID, r.Again); err != nil {
			return false, err
		}
	}
	switch was, err := t.outcomeOf(r.ChannelID, r.Key); {
	case err != nil || was == "":
		return false, err
	case unread(was) && r.Problem == "":
		return false, t.replaceUnread(r.ChannelID, r.Key)
	}
	return true, nil
}

// outcomeOf returns what became of a message, "" when it has not come.
func (t *tx) outcomeOf(channel, key string) (string, error) {
	was, err := t.q.OutcomeOfMessage(t.ctx, ledgerdb.OutcomeOfMessageParams{ChannelID: channel, Key: key})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("look up message %s: %w", key, err)
	}
	return was, nil
}

// unread reports whether nobody has read a message that came to an outcome.
func unread(outcome string) bool {
	return outcome == messageUnread || outcome == messageAgain || outcome == messageDismissed
}

// stillUnread reports whether a message that came before, and cannot be read now either,
// waits for somebody.
func (t *tx) stillUnread(r Receipt) (bool, error) {
	if r.Problem == "" {
		return false, nil
	}
	was, err := t.outcomeOf(r.ChannelID, r.Key)
	return was == messageUnread || was == messageAgain, err
}

// replaceUnread takes a message away that was kept unread and is read now, and ends the
// conflict about it.
func (t *tx) replaceUnread(channel, key string) error {
	_, c, err := t.channel(channel)
	if err != nil {
		return err
	}
	if err := t.q.DeleteUnread(t.ctx, ledgerdb.DeleteUnreadParams{ChannelID: channel, Key: key}); err != nil {
		return fmt.Errorf("replace message %s: %w", key, err)
	}
	return t.overTopic(c.PropertyID, hotel.ConflictUnread, unreadTopic(channel, key))
}

func unreadTopic(channel, key string) string { return channel + "/" + key }

// keepUnread keeps a message of which nothing could be made, and asks somebody about it.
func (t *tx) keepUnread(r Receipt) error {
	channel, err := t.q.GetChannel(t.ctx, r.ChannelID)
	if err != nil {
		return notFound(err)
	}
	key := r.Key
	if r.Again != "" {
		key = r.Again
		err = t.setUnread(r.ChannelID, key, messageUnread, r.Problem)
	} else {
		// Why it could not be read may quote the message: that stays out of the journal.
		var seq int64
		seq, err = t.append(entry{property: channel.PropertyID, kind: MessageUnread, subject: r.ChannelID, body: map[string]any{
			"channel_reference": r.Ref, "key": r.Key,
		}})
		if err == nil {
			err = t.keepMessage(r, 0, messageUnread, false, seq, seq)
		}
	}
	if err != nil {
		return err
	}
	return t.tellUnread(channel.PropertyID, key, r)
}

// tellUnread asks somebody about a message that nobody could read. A booking of which
// nothing else is known may be sold a second time; so may one that begins under the
// reference of one that is over.
func (t *tx) tellUnread(property, key string, r Receipt) error {
	facts, err := json.Marshal(UnreadFacts{
		Reference: r.Ref, Message: key, Received: t.now, Reason: reasonWithoutWords(r.Problem, r.Raw), Place: StalePlace{r.Revision, r.At},
	})
	if err != nil {
		return err
	}
	k := hotel.Conflict{
		PropertyID: property, ChannelID: r.ChannelID, Kind: hotel.ConflictUnread, Topic: unreadTopic(r.ChannelID, key), Severity: hotel.Critical, Facts: facts,
		Subject: hotel.ConflictSubject{Type: "channel", ID: r.ChannelID},
	}
	if r.Ref != "" {
		rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{PropertyID: property, ChannelID: r.ChannelID, ChannelRef: r.Ref})
		if err != nil {
			return fmt.Errorf("look up booking: %w", err)
		}
		if len(rows) > 0 {
			last := rows[len(rows)-1] // the reference may have been another booking's before
			of, err := reservationOf(last.Reservation, last.Guest)
			if err != nil { // which may be why this message cannot be taken
				of = hotel.Reservation{Entity: hotel.Entity{ID: last.Reservation.ID}}
			}
			if slices.ContainsFunc(rows, func(r ledgerdb.ReservationsOfBookingRow) bool {
				return r.Reservation.Reuse == last.Reservation.Reuse && !stay.Over(hotel.ReservationStatus(r.Reservation.Status))
			}) {
				k.Severity = hotel.Warning
			}
			k.Subject = hotel.ConflictSubject{Type: "reservation", ID: of.ID, RoomTypeID: takes(&of), RatePlanID: of.RatePlanID, Date: of.Stay.CheckIn}
		}
	}
	return t.raise(k)
}

// overUnread ends the conflicts about messages of a booking that could not be read and
// that the message, which tells the whole of the booking, is certainly not older than.
func (m *message) overUnread() error {
	open, err := m.t.openConflicts(m.channel.PropertyID, hotel.ConflictUnread)
	if err != nil {
		return err
	}
	for i := range open {
		facts, err := unreadFactsOf(&open[i])
		if err != nil {
			return err
		}
		if open[i].ChannelID != m.r.ChannelID || facts.Reference != m.r.Ref || !m.covers(facts.Place) {
			continue
		}
		if err := m.t.over(&open[i]); err != nil {
			return err
		}
		if err := m.t.dismissUnread(m.r.ChannelID, facts.Message); err != nil {
			return err
		}
	}
	return nil
}

// covers reports whether the message is certainly not older than what has another place. A
// number says nothing of what was written later: it may be of the booking that has the
// reference then.
func (m *message) covers(p StalePlace) bool {
	if m.timed(p.At) && m.r.At.Before(p.At) {
		return false
	}
	if placed(m.r.Order, m.r.Revision, m.r.At) && placed(m.r.Order, p.Revision, p.At) {
		return m.compare(p.Revision, p.At) >= 0
	}
	return m.timed(p.At)
}

func unreadFactsOf(c *hotel.Conflict) (facts UnreadFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// dismissUnread has nobody look at a message any more that could not be read.
func (t *tx) dismissUnread(channel, key string) error {
	row, err := t.q.GetMessage(t.ctx, ledgerdb.GetMessageParams{ChannelID: channel, Key: key})
	if err != nil {
		return notFound(err)
	}
	return t.setUnread(channel, key, messageDismissed, row.Problem)
}

func (t *tx) setUnread(channel, key, outcome, problem string) error {
	if err := t.q.SetUnread(t.ctx, ledgerdb.SetUnreadParams{Outcome: outcome, Problem: problem, ChannelID: channel, Key: key}); err != nil {
		return fmt.Errorf("store message %s: %w", key, err)
	}
	return nil
}

// enactUnread has a message read again with the connector that there is now, or lets
// it be.
func (t *tx) enactUnread(c *hotel.Conflict, d hotel.ConflictDecision) error {
	facts, err := unreadFactsOf(c)
	if err != nil {
		return err
	}
	if d.Option == hotel.OptionDismiss {
		return t.dismissUnread(c.ChannelID, facts.Message)
	}
	row, err := t.q.GetMessage(t.ctx, ledgerdb.GetMessageParams{ChannelID: c.ChannelID, Key: facts.Message})
	if err != nil {
		return notFound(err)
	}
	if len(row.Raw) == 0 {
		return hotel.Refuse("anonymized", "what the message said was forgotten with its guest: look at the booking at the channel, and dismiss this")
	}
	_, of, err := t.channel(c.ChannelID)
	if err != nil {
		return err
	}
	if of.Status == hotel.Disconnected {
		return hotel.Refuse("channel_not_active", "nobody reads messages of a channel that is disconnected: enter the booking by hand, and dismiss this")
	}
	t.effects.asked = true
	return t.setUnread(c.ChannelID, facts.Message, messageAgain, row.Problem)
}
