package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/card"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// Asked is an action that a channel is asked for, with the calls that were made for it
// since it was last asked for.
type Asked struct {
	ReservationID      string
	Reference, RoomRef string // the channel's own
	Action             hotel.ChannelAction
	Calls              int
	LastCall           time.Time
	Unclear            bool // of one of them nobody knows what became
}

// AskedOfChannel lists what a channel is asked to do with its bookings and still has
// time to answer, what is due first coming first. What somebody has to decide about is
// not asked meanwhile.
func (l *Ledger) AskedOfChannel(ctx context.Context, channel string) ([]Asked, error) {
	asked, err := l.asked.get(&l.changes.commits, channel, func() (list []Asked, err error) {
		err = l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
			list, err = askedOfChannel(ctx, q, channel, l.clock.Now())
			return err
		})
		return list, err
	})
	if err != nil {
		return nil, fmt.Errorf("what channel %s is asked to do: %w", channel, err)
	}
	now := l.clock.Now() // until which some may have run out of time
	return slices.DeleteFunc(slices.Clone(asked), func(a Asked) bool { return !a.Action.Deadline.After(now) }), nil
}

func askedOfChannel(ctx context.Context, q *ledgerdb.Queries, channel string, now time.Time) ([]Asked, error) {
	rows, err := q.AskedOfChannel(ctx, ledgerdb.AskedOfChannelParams{ChannelID: channel, Now: new(now.UnixMicro())})
	if err != nil {
		return nil, err
	}
	var list []Asked
	for _, row := range rows {
		var r hotel.Reservation
		if err := json.Unmarshal([]byte(row.Body), &r); err != nil {
			return nil, fmt.Errorf("stored reservation %s: %w", row.ID, err)
		}
		r.ID = row.ID
		a, err := askedOf(ctx, q, &r)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// toldRef is what the channel calls a room of a booking; "" when it has no word for it,
// which stands for the whole booking there.
func toldRef(r *hotel.Reservation) string {
	room, _, _ := strings.Cut(r.Source.RoomRef, slot) // the rest tells its rooms apart here
	return room
}

// askedOf is what the channel of a booking is asked for.
func askedOf(ctx context.Context, q *ledgerdb.Queries, r *hotel.Reservation) (Asked, error) {
	a := Asked{ReservationID: r.ID, Reference: r.Source.Reference, RoomRef: toldRef(r), Action: *r.OpenAction()}
	calls, err := q.CallsOfAction(ctx, ledgerdb.CallsOfActionParams{ChannelID: r.Source.ChannelID, Since: a.Action.At.UnixMicro(), Action: a.Action.ID})
	if err != nil {
		return a, fmt.Errorf("calls of action %s: %w", a.Action.ID, err)
	}
	a.Calls, a.Unclear = int(calls.Calls), calls.Unclear > 0
	if calls.Calls > 0 {
		a.LastCall = instant(calls.Newest)
	}
	return a, nil
}

// Repeatable reports whether the channel may be called for an action now: it was not
// called yet, all calls are known to have done nothing, or it notices a call that
// comes again.
func (a Asked) Repeatable(terms hotel.Terms) bool { return !a.Unclear || terms.RepeatKey }

// beginAct checks that a channel still is to be called for an action. What was
// answered, withdrawn or has become unclear meanwhile is [ErrOutrun].
func (t *tx) beginAct(channel ledgerdb.Channel, reservation, action string) error {
	r, err := t.reservation(reservation)
	if err != nil {
		return err
	}
	terms, err := termsOf(channel)
	if err != nil {
		return err
	}
	open := r.OpenAction()
	if open == nil || open.ID != action || !open.Deadline.After(t.now) || !r.StayedAsAsked(*open) {
		return ErrOutrun
	}
	a, err := askedOf(t.ctx, t.q, &r)
	if err == nil && !a.Repeatable(terms) {
		err = ErrOutrun
	}
	return err
}

// Answered stores what became of a call for an action, and what follows from it: the
// booking follows its channel when that has accepted, and somebody is asked when it
// has refused, or has done what nobody wants any more.
func (l *Ledger) Answered(ctx context.Context, a Asked, s Settlement) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetDelivery(t.ctx, s.DeliveryID)
		if err != nil {
			return notFound(err)
		}
		if row.State != string(deliveryOpen) {
			return nil
		}
		if err := errors.Join(t.stand(row.Account, s.Standing), t.flagAfter(row, s)); err != nil {
			return err
		}
		if err := t.settle(row, nil, s); err != nil {
			return err
		}
		r, err := t.reservation(a.ReservationID)
		if err != nil {
			return err
		}
		if open := r.OpenAction(); open == nil || open.ID != a.Action.ID {
			return t.answeredLate(&r, a.Action.ID, s.State)
		}
		t.by = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorChannel, ID: r.Source.ChannelID}} // it is the channel that says so
		switch {
		case s.State == DeliveryApplied:
			return t.accepted(&r)
		case s.State == DeliveryRejected && !s.TurnedAway:
			return t.refused(&r, s.Error)
		}
		return nil // of the others nothing is known, or nothing has come
	})
	if err != nil {
		return fmt.Errorf("store what became of %s: %w", a.Action.ID, err)
	}
	return nil
}

// answeredLate asks somebody about a booking whose channel has done what nobody wanted
// any more, unless that comes to what the booking is.
func (t *tx) answeredLate(r *hotel.Reservation, action string, state DeliveryState) error {
	i := slices.IndexFunc(r.Actions, func(a hotel.ChannelAction) bool { return a.ID == action })
	if i < 0 || state != DeliveryApplied || r.Actions[i].State != hotel.ActionWithdrawn {
		return nil
	}
	a := r.Actions[i]
	if r.Fulfils(a) || r.Status == hotel.Cancelled || r.Status == hotel.Declined && a.Kind != hotel.ActionConfirm {
		return nil
	}
	return t.tellAsked(r, a, AnswerLate, "")
}

// accepted has a booking follow its channel, which has done what it was asked.
func (t *tx) accepted(r *hotel.Reservation) error {
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	r.Actions = slices.Clone(r.Actions)
	r.OpenAction().Answered = t.now
	a, before := *r.OpenAction(), *r
	kind, done, err := t.carryOut(s, r, a)
	if err != nil {
		return err
	}
	if !done {
		r.SettleAction(hotel.ActionAccepted)
		if e := stay.OnMessage(true, r.Status); a.Kind == hotel.ActionCancel && e.Issue != "" && !r.HasIssue(e.Issue) {
			r.Issues = append(slices.Clone(r.Issues), hotel.Issue{Code: e.Issue, Detail: "the channel has cancelled, as it was asked, a stay whose guest has arrived since"})
		}
		return t.bookEntry(ReservationChannelAction, s, r, &before)
	}
	if err := t.bookEntry(kind, s, r, &before); err != nil {
		return err
	}
	return t.countBack(s, r, &before, kind)
}

// countBack notes, of nights that a channel has given back as it was asked, what its
// own message about them would: it may have moved its counters, and has sold less.
func (t *tx) countBack(s *structure, r, before *hotel.Reservation, kind Kind) error {
	if kind != ReservationCancelled && kind != ReservationUpdated { // the others give nothing back at the channel
		return nil
	}
	m, err := t.adopting(s, r.Source.ChannelID)
	if err != nil {
		return err
	}
	terms, err := termsOf(m.channel)
	if err != nil {
		return err
	}
	m.r.Adjusts = terms.Moves()
	m.adjust(kind, before, r, hotel.ChannelRoom{})
	was, err := m.countedBy(r)
	if err != nil {
		return err
	}
	is := countedNights{}
	for at, sure := range was {
		if r.Status != hotel.Cancelled && r.Stay.Contains(at.night) {
			is[at] = sure
		}
	}
	if err := m.recount(r, was, is, nil, true, false); err != nil {
		return err
	}
	return m.moveCounters()
}

// refused notes that a channel has refused an action, in its words, and asks what to
// do.
func (t *tx) refused(r *hotel.Reservation, words string) error {
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	before := *r
	r.SettleAction(hotel.ActionRefused)
	if err := t.bookEntry(ReservationChannelAction, s, r, &before); err != nil {
		return err
	}
	return t.tellAsked(r, r.Actions[len(r.Actions)-1], AnswerRefused, string(card.Mask([]byte(words))))
}
