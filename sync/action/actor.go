// Package action asks channels to do something with bookings of theirs: what the
// ledger says they are asked for. Each call is stored before it is sent, waits its turn
// at the gate of the account, and is made again only where that is safe. What comes of
// it for the booking is the ledger's business, and when somebody is to be asked as
// well.
package action

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
)

// Ledger is what says what a channel is asked for, and what its answers are kept in.
type Ledger interface {
	ActionsAsked() <-chan struct{}
	AskedOfChannel(ctx context.Context, channel string) ([]ledger.Asked, error)
	Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error)
	Answered(ctx context.Context, a ledger.Asked, s ledger.Settlement) error
}

var _ Ledger = (*ledger.Ledger)(nil)

// Actor asks one channel. Without an answer it asks again, with a longer pause each
// time, where nothing can have come of the calls before, or the channel notices that
// it was asked before; else the channel's own message is waited for.
type Actor struct {
	Ledger  Ledger
	Channel hotel.Channel
	Act     connectors.Actor
	Terms   hotel.Terms
	Box     *contain.Box // what the connector is called in
	Gate    *gate.Gate
	Clock   hotel.Clock
	Log     *zap.Logger
	Timeout time.Duration // of one call
	Idle    time.Duration // how often to look without a wake-up
}

const (
	// outrun is when to look again for what is not to be asked as it was known: it is
	// over, or the channel has changed and somebody else is about to ask.
	outrun = time.Second

	// operation names the bucket.
	operation = "act"
)

// Run asks whenever there is something to ask for, until ctx ends.
func (a *Actor) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		asked := a.Ledger.ActionsAsked()
		wait, err := a.look(ctx)
		if err != nil && ctx.Err() == nil {
			a.Log.Warn("what the channel is to do with its bookings was not asked", zap.String("channel", a.Channel.ID), zap.Error(err))
		}
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-ctx.Done():
		case <-asked:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// look asks for whatever is due, and returns how long to wait for the next look.
func (a *Actor) look(ctx context.Context) (wait time.Duration, err error) {
	list, err := a.Ledger.AskedOfChannel(ctx, a.Channel.ID)
	wait = a.Idle
	for _, one := range list {
		if !one.Repeatable(a.Terms) {
			continue // its own message says what it has done
		}
		if one.Calls > 0 {
			due := one.LastCall.Add(backoff.Delay(backoff.Delivery, one.Calls, one.Action.ID))
			if left := a.Clock.Until(due); left > 0 {
				wait = min(wait, left)
				continue
			}
		}
		failed := a.ask(ctx, one)
		switch {
		case failed == nil:
			wait = 0 // what came of it is looked at once more
		case errors.Is(failed, ledger.ErrOutrun):
			wait = min(wait, outrun)
		default:
			err, wait = cmp.Or(err, failed), a.Idle
		}
		if ctx.Err() != nil {
			break
		}
	}
	return wait, err
}

// ask makes one call within the account's limits, stored before it is made. One that
// does not come to its turn before the deadline is not made.
func (a *Actor) ask(ctx context.Context, one ledger.Asked) error {
	waiting, cancel := context.WithTimeout(ctx, a.Clock.Until(one.Action.Deadline))
	defer cancel()
	permit, err := a.Gate.Pass(waiting, gate.Ticket{Lane: lane.Raise, Operation: operation, Property: a.Channel.PropertyID})
	if err != nil {
		return err
	}
	defer permit.Done(gate.Result{Outcome: gate.Unsent}) // of a call that could not be stored
	begun, err := a.Ledger.Begin(ctx, ledger.NewDelivery{
		ChannelID: a.Channel.ID, Revision: a.Channel.Revision, Kind: ledger.Act, Operation: operation, Lane: int(lane.Raise), SentAt: permit.At(), Standing: permit.Standing(), Asked: one,
	})
	if errors.Is(err, ledger.ErrOutrun) {
		permit.GiveBack()
	}
	if err != nil {
		return err
	}
	s := ledger.Settlement{DeliveryID: begun.ID, State: ledger.DeliveryNotSent}
	result := gate.Result{Outcome: gate.Unsent}
	if permit.Valid() {
		// It is not cancelled when the program stops: without its answer nobody would
		// know what has become of the booking.
		call, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Timeout)
		verdict, err := contain.Call(call, a.Box, operation, func(ctx context.Context) (connectors.Verdict, error) {
			return a.Act.Act(ctx, actionOf(begun.Key, one))
		})
		expired := call.Err() != nil
		cancel()
		result = outcome(verdict, err, expired, &s)
	}
	s.Standing = permit.Done(result)
	return a.Ledger.Answered(context.WithoutCancel(ctx), one, s)
}

// actionOf is what the connector is handed.
func actionOf(key string, one ledger.Asked) connectors.Action {
	of := one.Action
	return connectors.Action{
		ID: key, Kind: of.Kind, Ref: one.Reference, RoomRef: one.RoomRef, Stay: of.Stay, Refused: of.Refused, Waived: of.Waived,
	}
}

// outcome says what a verdict, or an error, means to the booking and to the gate. A
// failure before a byte left has done nothing, nor has a call that was turned away at
// the door; one for good is a refusal, and of any other nobody knows.
func outcome(v connectors.Verdict, err error, expired bool, s *ledger.Settlement) gate.Result {
	if err == nil {
		switch v.Outcome {
		case connectors.Applied:
			s.State = ledger.DeliveryApplied
		case connectors.Rejected:
			s.State, s.Error = ledger.DeliveryRejected, contain.Short(v.Words)
		case connectors.Unknown:
			s.State = ledger.DeliveryUnknown
		default:
			s.State, s.Fault = ledger.DeliveryUnknown, hotel.Fault{Kind: hotel.FaultNumber, Words: "the answer has an outcome that there is not"}
		}
		return gate.Result{Outcome: gate.Succeeded}
	}
	e := connectors.AsError(err)
	s.State, s.Error = ledger.DeliveryUnknown, contain.Short(err.Error())
	s.Fault, _ = contain.FaultOf(err)
	switch {
	case e.Effect == connectors.NotSent:
		s.State = ledger.DeliveryNotSent
	case expired:
	case e.Kind == connectors.RateLimited || e.Kind == connectors.Denied:
		s.State, s.TurnedAway = ledger.DeliveryRejected, true
	case e.Kind == connectors.Invalid || e.Kind == connectors.Unmapped:
		s.State = ledger.DeliveryRejected
	}
	return gate.ResultOf(err, expired)
}
