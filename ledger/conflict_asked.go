package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// AskedFacts is something that a channel was asked to do with its booking, and why
// somebody has to decide about it.
type AskedFacts struct {
	BookingFacts
	Action hotel.ChannelAction `json:"action"`
	Answer AnswerToAction      `json:"answer"`
	Words  string              `json:"words,omitempty"` // the channel's
}

// AnswerToAction is what is known of a channel's answer.
type AnswerToAction string

// A channel has refused, or not answered in time. What was asked for before a backup
// was restored, with or without an answer, is not asked for again unseen. It may accept
// what is withdrawn; and what is left of a stay that has changed since nobody has said.
// The booking may be of a place that the channel is not joined to any more.
const (
	AnswerRefused  AnswerToAction = "refused"
	AnswerNone     AnswerToAction = "none"
	AnswerRestored AnswerToAction = "restored"
	AnswerLate     AnswerToAction = "accepted_late"
	AnswerOutdated AnswerToAction = "stay_changed"
	AnswerRejoined AnswerToAction = "rejoined"
)

// ends reports whether the action that an answer is about is over.
func (a AnswerToAction) ends() bool {
	return a == AnswerRefused || a == AnswerLate || a == AnswerOutdated || a == AnswerRejoined
}

// tellAsked asks somebody what to do about an action.
func (t *tx) tellAsked(r *hotel.Reservation, a hotel.ChannelAction, answer AnswerToAction, words string) error {
	return t.raiseBooking(hotel.ConflictCancelAsked, hotel.Warning, r, AskedFacts{factsOfBooking(r), a, answer, words})
}

// NoteUnanswered asks somebody about whatever channels were asked for and have not
// answered by its deadline.
func (l *Ledger) NoteUnanswered(ctx context.Context) error {
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	var failed error
	for _, c := range channels {
		now := l.clock.Now().UnixMicro()
		ids, err := l.read.Unanswered(ctx, ledgerdb.UnansweredParams{ChannelID: c.ID, Now: &now})
		if err == nil && len(ids) > 0 {
			err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.tellUnanswered(ids, AnswerNone) })
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("what channel %s did not answer: %w", c.ID, err))
		}
	}
	return failed
}

// tellUnanswered asks somebody about the actions that the channels of bookings are
// asked for.
func (t *tx) tellUnanswered(ids []string, answer AnswerToAction) error {
	for _, id := range ids {
		r, err := t.reservation(id)
		if err != nil {
			return err
		}
		open := r.OpenAction()
		if open == nil || answer == AnswerNone && open.Deadline.After(t.now) {
			continue
		}
		if err := t.tellAsked(&r, *open, answer, ""); err != nil {
			return err
		}
	}
	return nil
}

// enactAsked asks the channel once more, has the booking follow what somebody did in
// its extranet, or leaves it as it is. An unanswered action keeps the name by which the
// far side would notice that it was asked for before; one that was refused is asked for
// anew.
func (t *tx) enactAsked(c *hotel.Conflict, d hotel.ConflictDecision) error {
	var facts AskedFacts
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return t.rewriteOf(c.PropertyID, c.Subject.ID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		switch open := r.OpenAction(); {
		case d.Option == hotel.OptionDoneAtChannel && facts.Answer == AnswerLate:
			return t.doneThere(s, r, facts.Action)
		case open == nil && !facts.Answer.ends(), open != nil && open.ID != facts.Action.ID:
			return "", nil // it is over, or another one
		case d.Option == hotel.OptionWithdraw && open == nil:
			return "", nil // and that is that
		case d.Option == hotel.OptionWithdraw:
			r.SettleAction(hotel.ActionWithdrawn)
			r.CancelReason, r.CancelNote = "", ""
			return ReservationChannelAction, nil
		case d.Option == hotel.OptionDoneAtChannel:
			return t.doneThere(s, r, facts.Action)
		case facts.Answer == AnswerRejoined:
			return "", channelOwned(facts.Action.Kind, r)
		}
		if err := t.distinct(r, facts.Action.Kind, false); err != nil {
			return "", err
		}
		if err := t.askAgain(s, r, facts.Action); err != nil {
			return "", err
		}
		if r.OpenAction() == nil {
			return t.ask(s, r, facts.Action)
		}
		r.Actions = slices.Clone(r.Actions)
		return ReservationChannelAction, t.askUntil(s, r, r.OpenAction())
	})
}

// doneThere has a booking follow what somebody did in its channel's extranet.
func (t *tx) doneThere(s *structure, r *hotel.Reservation, a hotel.ChannelAction) (Kind, error) {
	if err := t.byHand(s, r, a.Kind); err != nil {
		return "", err
	}
	kind, done, err := t.carryOut(s, r, a)
	if err == nil && !done {
		err = movedOn(r, a)
	}
	return kind, err
}

// askAgain refuses to ask for what the booking has no way to any more.
func (t *tx) askAgain(s *structure, r *hotel.Reservation, a hotel.ChannelAction) error {
	step, isStep := stepOf(a.Kind)
	if !isStep {
		if stay.Over(r.Status) || a.Stay.Covers(r.Stay) || !r.StayedAsAsked(a) {
			return movedOn(r, a)
		}
		return nil
	}
	if there, err := stay.StepOf(step).Take(r.Status); err != nil || there {
		return cmp.Or(err, movedOn(r, a))
	}
	facts := t.facts(s, r)
	facts.Released = r.CancelReason == hotel.ReleasedRoom
	return facts.Check(step)
}

func movedOn(r *hotel.Reservation, a hotel.ChannelAction) error {
	refusal := hotel.Refuse("invalid_transition", "the booking has moved on (%s): there is nothing left to %s", r.Status, inWords(a.Kind))
	refusal.Members = map[string]any{"from": r.Status, "to": r.Status, "allowed": stay.Reached(r.Status)}
	return refusal
}
