package ledger

import (
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// What a channel's booking is to become is asked of the channel, as a channel action:
//
//	asked ──► accepted    the channel says so, or its own message does: only now is a room free
//	      ├─► refused     somebody is asked what to do
//	      ├─► by_hand     somebody has done it in the channel's extranet
//	      └─► withdrawn   nobody wants it any more, or the booking is over without it
//
// Each step of it is an entry of its own, ahead of what follows for the booking. When
// the channel has not answered by the deadline somebody is asked, and the action stays
// open: a late answer counts all the same.

// actionOf are the steps that a channel takes with its own bookings.
var actionOf = map[stay.Action]hotel.ActionKind{
	stay.Confirm: hotel.ActionConfirm, stay.Decline: hotel.ActionDecline, stay.Cancel: hotel.ActionCancel, stay.NoShow: hotel.ActionNoShow,
}

// stepOf is the step by which a booking follows its channel.
func stepOf(k hotel.ActionKind) (stay.Action, bool) {
	for a, kind := range actionOf {
		if kind == k {
			return a, true
		}
	}
	return "", false
}

// owned reports whether whoever is at work has to ask the channel what becomes of a
// booking: it is the channel's, and neither the channel nor time says so.
func (t *tx) owned(r *hotel.Reservation) bool {
	return r.Source.ChannelID != hotel.Direct && t.by.Actor.Kind != hotel.ActorChannel && t.by.Actor != hotel.System
}

// ask asks the channel of a booking for an action. To ask for the same again changes
// nothing; while it is asked for something else it is not asked.
func (t *tx) ask(s *structure, r *hotel.Reservation, want hotel.ChannelAction) (Kind, error) {
	if open := r.OpenAction(); open != nil {
		if open.AsksSame(want) {
			return "", nil
		}
		refusal := hotel.Refuse("channel_action_open", "channel %s is asked to %s the booking already, and has not answered", r.Source.ChannelID, inWords(open.Kind))
		refusal.Members = map[string]any{"action": open.Kind, "deadline": open.Deadline}
		return "", refusal
	}
	if want.Kind == hotel.ActionShorten {
		want.Of = r.Stay
	}
	want.ID, want.AskedBy = hotel.NewID("act"), t.by.Actor
	if err := t.askUntil(s, r, &want); err != nil {
		return "", err
	}
	r.Actions = append(slices.Clone(r.Actions), want)
	return ReservationChannelAction, nil
}

// distinct refuses an action for one room of a booking of several that its channel has
// no word of its own for: the channel would take it for others too. whole says that it
// is asked for every room of the booking; those that are asked for the same already go
// along as well.
func (t *tx) distinct(r *hotel.Reservation, k hotel.ActionKind, whole bool) error {
	if whole {
		return nil
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: r.PropertyID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference,
	})
	if err != nil {
		return fmt.Errorf("look up booking: %w", err)
	}
	mine := toldRef(r)
	for _, row := range rows {
		other, err := reservationOf(row.Reservation, row.Guest)
		if err != nil {
			return err
		}
		if other.ID == r.ID || other.Source.Reuse != r.Source.Reuse || other.Source.SubChannel != r.Source.SubChannel || stay.Over(other.Status) || mine != "" && mine != toldRef(&other) {
			continue
		}
		if open := other.OpenAction(); open == nil || open.Kind != k {
			return channelOwned(k, r)
		}
	}
	return nil
}

// askUntil says from when and up to when the channel is asked for an action; it is
// refused where the channel cannot be asked.
func (t *tx) askUntil(s *structure, r *hotel.Reservation, a *hotel.ChannelAction) error {
	row, c, err := t.channel(r.Source.ChannelID)
	if errors.Is(err, ErrNotFound) {
		return channelOwned(a.Kind, r)
	}
	if err != nil {
		return err
	}
	terms, err := termsOf(row)
	if err != nil {
		return err
	}
	can, able := terms.ActionOf(a.Kind)
	if !able || r.Source.Reference == "" || c.InShadow() || !c.Status.Receives() || r.Source.Place != c.Place {
		return channelOwned(a.Kind, r)
	}
	switch passed, err := t.passedOn(r); {
	case err != nil:
		return err
	case passed: // the channel would take it for the booking that has the reference now
		return channelOwned(a.Kind, r)
	}
	a.State, a.At = hotel.ActionAsked, t.now
	a.Deadline = can.Deadline(t.now, r, s.property.Zone())
	if !a.Deadline.After(t.now) {
		return channelOwned(a.Kind, r) // it is too late for the channel to take it
	}
	t.effects.asked = true
	return nil
}

// byHand notes that an action was done in the channel's extranet, ahead of what
// follows for the booking. What the channel is asked for meanwhile is over with it.
func (t *tx) byHand(s *structure, r *hotel.Reservation, k hotel.ActionKind) error {
	before := *r
	if open := r.OpenAction(); open != nil && open.Kind == k {
		r.SettleAction(hotel.ActionByHand)
	} else {
		r.SettleAction(hotel.ActionWithdrawn)
		r.Actions = append(slices.Clone(r.Actions), hotel.ChannelAction{Kind: k, State: hotel.ActionByHand, AskedBy: t.by.Actor, At: t.now})
	}
	return t.bookEntry(ReservationChannelAction, s, r, &before)
}

// answered notes, ahead of what is about to be stored of a booking, what that says
// about an action that its channel is asked for: the channel has done it, or there is
// nothing left to do. It returns the booking as it is then, in place of before.
func (t *tx) answered(s *structure, r, before *hotel.Reservation) (*hotel.Reservation, error) {
	if before == nil || before.OpenAction() == nil || r.OpenAction() == nil {
		return before, nil
	}
	state, changed := hotel.ActionWithdrawn, false
	switch done := r.Fulfils(*r.OpenAction()); {
	case done && t.by.Actor.Kind == hotel.ActorChannel:
		state = hotel.ActionAccepted
	case done:
	case stay.Over(r.Status):
		if unclear, err := t.unclear(r); err != nil || unclear && t.by.Actor == hotel.System {
			return before, err // its answer says what the channel has it as
		}
	case !r.StayedAsAsked(*r.OpenAction()):
		changed = true
	default:
		return before, nil
	}
	told := *before
	told.SettleAction(state)
	if err := t.bookEntry(ReservationChannelAction, s, &told, before); err != nil {
		return nil, err
	}
	r.Actions, r.Revision = told.Actions, told.Revision
	if changed {
		return &told, t.tellAsked(r, *before.OpenAction(), AnswerOutdated, "")
	}
	return &told, nil
}

// unclear reports whether the channel of a booking may have done what it is asked for,
// though nobody knows.
func (t *tx) unclear(r *hotel.Reservation) (bool, error) {
	calls, err := t.q.CallsOfAction(t.ctx, ledgerdb.CallsOfActionParams{ChannelID: r.Source.ChannelID, Action: r.OpenAction().ID})
	if err != nil {
		return false, fmt.Errorf("calls of action %s: %w", r.OpenAction().ID, err)
	}
	return calls.Unclear > 0, nil
}

// awaits reports whether the channel of a booking may have taken an action of a kind
// already, though nobody knows.
func (t *tx) awaits(r *hotel.Reservation, k hotel.ActionKind) (bool, error) {
	if open := r.OpenAction(); open == nil || open.Kind != k {
		return false, nil
	}
	return t.unclear(r)
}

// carryOut brings a booking to where an action leads that was done at its channel. A
// booking that has moved on meanwhile stays as it is: false.
func (t *tx) carryOut(s *structure, r *hotel.Reservation, a hotel.ChannelAction) (kind Kind, done bool, err error) {
	was, by := *r, t.by
	defer func() { t.by = by }()
	t.by.Actor = hotel.Actor{Kind: hotel.ActorChannel, ID: r.Source.ChannelID} // so that nobody is asked
	switch a.Kind {
	case hotel.ActionCancel:
		kind, err = t.cancel(s, r, hotel.CancelRequest{Reason: r.CancelReason, Note: r.CancelNote, WaivePenalty: a.Waived})
	case hotel.ActionShorten:
		return t.shorten(s, r, a.Stay)
	case hotel.ActionConfirm, hotel.ActionDecline, hotel.ActionNoShow:
		step, _ := stepOf(a.Kind)
		kind, err = t.enter(s, r, step, t.facts(s, r), hotel.StepRequest{
			Refused: a.Refused, Charge: !a.Waived, HoldNextNights: a.HoldNextNights, Overbook: true,
		})
	}
	if _, refused := errors.AsType[*hotel.Refusal](err); refused {
		*r = was
		return "", false, nil
	}
	if kind != "" && r.Cancel != nil {
		r.Cancel.By = a.AskedBy
	}
	return kind, kind != "", err
}

// shorten gives back the nights of a booking that are not of a stay. Its nights keep
// their prices: those of a channel's booking are the channel's.
func (t *tx) shorten(s *structure, r *hotel.Reservation, to hotel.Stay) (Kind, bool, error) {
	left := hotel.Stay{CheckIn: max(r.Stay.CheckIn, to.CheckIn), CheckOut: min(r.Stay.CheckOut, to.CheckOut)}
	if left.Nights() == 0 || left == r.Stay || stay.Over(r.Status) || r.Status == hotel.CheckedIn && left.CheckIn != r.Stay.CheckIn {
		return "", false, nil
	}
	before := *r
	r.Stay, r.RoomUntil = left, 0
	cutExtras(r)
	r.Nightly = slices.DeleteFunc(slices.Clone(r.Nightly), func(n hotel.NightPrice) bool { return !left.Contains(n.Date) })
	if r.PriceKnown {
		r.Total.Minor = 0
		for _, n := range r.Nightly {
			r.Total.Minor += n.Amount.Minor
		}
	}
	if err := t.freeNights(&before); err != nil {
		return "", false, err
	}
	return ReservationUpdated, true, t.noteOverbooked(s, r)
}

// channelOwned says where a channel's booking is changed.
func channelOwned(k hotel.ActionKind, r *hotel.Reservation) error {
	refusal := hotel.Refuse("channel_owned", "the booking belongs to channel %s: do it there, and it arrives here by itself", r.Source.ChannelID)
	refusal.Members = map[string]any{
		"action":       k,
		"instructions": fmt.Sprintf("Open booking %s in the extranet of the channel and do it there (%s).", r.Source.Reference, inWords(k)),
	}
	return refusal
}

func inWords(k hotel.ActionKind) hotel.Phrase {
	switch k {
	case hotel.ActionConfirm:
		return hotel.Say("confirm")
	case hotel.ActionDecline:
		return hotel.Say("decline")
	case hotel.ActionCancel:
		return hotel.Say("cancel")
	case hotel.ActionShorten:
		return hotel.Say("shorten")
	case hotel.ActionNoShow:
		return hotel.Say("no-show")
	}
	return hotel.Say("%s", k)
}
