package hotel

import (
	"slices"
	"time"
)

// ActionKind is something that a channel does with a booking of its own, and that it
// can be asked to do.
type ActionKind string

// The kinds. To shorten a stay is to give nights of it back.
const (
	ActionConfirm ActionKind = "confirm"
	ActionDecline ActionKind = "decline"
	ActionCancel  ActionKind = "cancel"
	ActionShorten ActionKind = "shorten"
	ActionNoShow  ActionKind = "no_show"
)

// ActionState is how a channel action stands.
type ActionState string

// The states. Of those that are only asked nobody knows whether the channel has done
// what it was asked; the others are over.
const (
	ActionAsked     ActionState = "asked"
	ActionAccepted  ActionState = "accepted"
	ActionRefused   ActionState = "refused"
	ActionByHand    ActionState = "by_hand"   // somebody says that it was done in the channel's extranet
	ActionWithdrawn ActionState = "withdrawn" // nobody wants it any more, or there is nothing left to do
)

// ChannelAction is something that a channel was asked to do with its booking, or that
// somebody did there by hand.
type ChannelAction struct {
	ID       string      `json:"id,omitempty"` // by which the far side notices that it is asked once more
	Kind     ActionKind  `json:"kind"`
	State    ActionState `json:"state"`
	AskedBy  Actor       `json:"asked_by"`
	At       time.Time   `json:"at"`                // when it was last asked for
	Deadline time.Time   `json:"deadline,omitzero"` // up to when the channel is asked; then somebody is
	Answered time.Time   `json:"answered,omitzero"` // when its answer accepted it; zero once a message of its own tells what the booking is

	// What goes with it, by kind.
	Stay           Stay          `json:"stay,omitzero"`              // shorten: what is left
	Of             Stay          `json:"of,omitzero"`                // shorten: the stay as it was when that was asked for
	Refused        DeclineReason `json:"decline_reason,omitempty"`   // decline
	Waived         bool          `json:"waived,omitempty"`           // cancel, no-show: the guest owes nothing
	HoldNextNights bool          `json:"hold_next_nights,omitempty"` // no-show: the room stays taken
}

// AsksSame reports whether two actions ask for the same, whoever asked and when.
func (a ChannelAction) AsksSame(b ChannelAction) bool {
	return a.Kind == b.Kind && a.Stay == b.Stay && a.Refused == b.Refused && a.Waived == b.Waived && a.HoldNextNights == b.HoldNextNights
}

// ActionTerms is one kind of action that a channel takes.
type ActionTerms struct {
	Kind    ActionKind
	Answers time.Duration // within which it answers or sends a message of its own; 0: an hour
	Within  time.Duration // of a no-show: how long from the arrival date's midnight it is taken; 0: for good
}

// ActionOf returns what a channel promises about a kind of action; false: it cannot be
// asked for it.
func (t Terms) ActionOf(k ActionKind) (ActionTerms, bool) {
	i := slices.IndexFunc(t.Actions, func(a ActionTerms) bool { return a.Kind == k })
	if i < 0 {
		return ActionTerms{}, false
	}
	return t.Actions[i], true
}

// standardAnswer is within what time a channel answers that does not say.
const standardAnswer = time.Hour

// Deadline returns up to when a channel is asked for an action on a booking from an
// instant on: as long as it may take to answer, but not beyond the end of a request,
// nor beyond the time for which it takes no-shows, which begins at the arrival date's
// midnight.
func (a ActionTerms) Deadline(now time.Time, r *Reservation, zone *time.Location) time.Time {
	answer := a.Answers
	if answer == 0 {
		answer = standardAnswer
	}
	until := now.Add(answer)
	sooner := func(end time.Time) {
		if !end.IsZero() && end.Before(until) {
			until = end
		}
	}
	switch a.Kind {
	case ActionConfirm, ActionDecline:
		sooner(r.HoldExpires)
	case ActionNoShow:
		sooner(a.TakenUntil(r, zone))
	case ActionCancel, ActionShorten:
	}
	return until
}

// TakenUntil returns up to when a channel takes a no-show of a booking; zero: for good.
func (a ActionTerms) TakenUntil(r *Reservation, zone *time.Location) (until time.Time) {
	if a.Kind == ActionNoShow && a.Within > 0 {
		until = r.Stay.CheckIn.At(0, 0, zone).Add(a.Within).UTC()
	}
	return until
}

// OpenAction returns what the channel of a booking is asked for and has not answered;
// nil: nothing. There is one at the most.
func (r *Reservation) OpenAction() *ChannelAction {
	for i := range r.Actions {
		if r.Actions[i].State == ActionAsked {
			return &r.Actions[i]
		}
	}
	return nil
}

// LastAction returns the newest action of a kind, nil when there was none.
func (r *Reservation) LastAction(k ActionKind) *ChannelAction {
	for i := range slices.Backward(r.Actions) {
		if r.Actions[i].Kind == k {
			return &r.Actions[i]
		}
	}
	return nil
}

// SettleAction ends what is asked of the channel, in a list of its own.
func (r *Reservation) SettleAction(s ActionState) {
	r.Actions = slices.Clone(r.Actions)
	if open := r.OpenAction(); open != nil {
		open.State = s
	}
}

// Unheard reports whether a message that says a booking to be live, with a stay, may tell
// how it was before its channel's answer accepted an action: an answer has no place among
// the messages. at is when the channel says that the message was written, zero where it
// does not.
func (r *Reservation) Unheard(to Stay, at time.Time) bool {
	return slices.ContainsFunc(r.Actions, func(a ChannelAction) bool {
		if a.Answered.IsZero() || !at.IsZero() && !at.Before(a.Answered) {
			return false
		}
		switch a.Kind {
		case ActionCancel, ActionDecline:
			return r.Status == Cancelled || r.Status == Declined
		case ActionShorten:
			return r.Fulfils(a) && !a.Stay.Covers(to)
		case ActionConfirm, ActionNoShow: // it is confirmed, or did not come, whatever such a message says
		}
		return false
	})
}

// Heard notes that a message of the channel tells what the booking is: those that follow
// have their places behind it.
func (r *Reservation) Heard() {
	r.Actions = slices.Clone(r.Actions)
	for i := range r.Actions {
		r.Actions[i].Answered = time.Time{}
	}
}

// StayedAsAsked reports whether a booking has the dates still that an action was asked
// for by. What is left of another stay nobody has said.
func (r *Reservation) StayedAsAsked(a ChannelAction) bool {
	return a.Kind != ActionShorten || r.Stay == a.Of
}

// Fulfils reports whether a booking has come to where an action leads.
func (r *Reservation) Fulfils(a ChannelAction) bool {
	switch a.Kind {
	case ActionConfirm:
		return r.Status == Confirmed || r.Status == CheckedIn
	case ActionDecline:
		return r.Status == Declined || r.Status == Cancelled
	case ActionCancel:
		return r.Status == Cancelled
	case ActionShorten:
		return r.Status == Cancelled || a.Stay.Covers(r.Stay)
	case ActionNoShow:
		return r.Status == NoShow
	}
	return false
}
