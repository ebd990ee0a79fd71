// Package call makes the calls that ask a far side for something and tell it nothing:
// pulls, lists, read-backs and questions. Each waits its turn at the gate of the account,
// is stored before it is made, ends in its time whatever the connector does, and is settled
// with what became of it.
package call

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
)

// Ledger is where calls are stored.
type Ledger interface {
	Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error)
	Settle(ctx context.Context, s ledger.Settlement) error
}

var _ Ledger = (*ledger.Ledger)(nil)

// Maker makes calls of one channel.
type Maker struct {
	Ledger  Ledger
	Channel hotel.Channel
	Box     *contain.Box // what the connector is called in
	Gate    *gate.Gate
	Timeout time.Duration // of one call, from its turn on
}

// Call is what a call is stored as, and where it waits for its turn.
type Call struct {
	Kind      ledger.CallKind
	Operation string // names its bucket, and the call in errors
	Lane      lane.Lane
	Nights    hotel.Span // inclusive; zero: it is about no nights
}

// Make makes one call. Ask is called in the channel's box once it is the call's turn and it
// is stored. Keep is given its answer and the id under which it is stored, and says
// what is wrong about the answer; nil: nothing is kept of it. What fails in keep does not
// count against the far side.
//
// Make returns why the call was not made, what ask or keep returned, or that the ledger
// could not be asked. [contain.ErrLate] is in the error of a call that did not end in its
// time, [gate.ErrHeld] is that of a call that its account was held before.
func Make[T any](ctx context.Context, m Maker, c Call, ask func(ctx context.Context) (T, error), keep func(ctx context.Context, id string, answer T) (hotel.Fault, error)) error {
	permit, err := m.Gate.Pass(ctx, gate.Ticket{Lane: c.Lane, Night: c.Nights.From, Operation: c.Operation, Property: m.Channel.PropertyID})
	if err != nil {
		return err
	}
	defer permit.Done(gate.Result{Outcome: gate.Unsent}) // of a call that could not be stored
	begun, err := m.Ledger.Begin(ctx, ledger.NewDelivery{
		ChannelID: m.Channel.ID, Kind: c.Kind, Operation: c.Operation, Lane: int(c.Lane), SentAt: permit.At(), Standing: permit.Standing(), Nights: c.Nights,
	})
	if err != nil {
		return err
	}
	s := ledger.Settlement{DeliveryID: begun.ID, State: ledger.DeliveryNotSent}
	result := gate.Result{Outcome: gate.Unsent}
	if permit.Valid() {
		within, cancel := context.WithTimeout(ctx, m.Timeout)
		answer, failed := contain.Call(within, m.Box, c.Operation, ask)
		expired := errors.Is(within.Err(), context.DeadlineExceeded)
		cancel()
		result, s.State = m.resultOf(c, failed, expired), gate.StateOf(failed)
		if err = failed; err != nil {
			s.Fault, _ = contain.FaultOf(err)
		} else if keep != nil {
			s.Fault, err = keep(ctx, begun.ID, answer)
		}
		if failed != nil && (expired || ranOut(failed)) {
			err = fmt.Errorf("%w: %w", contain.ErrLate, err)
		}
	} else {
		err = gate.ErrHeld
	}
	if err != nil {
		s.Error = contain.Short(err.Error())
	}
	s.Standing = permit.Done(result)
	// What was fetched is stored; the call itself is closed even when we stop.
	return errors.Join(err, m.Ledger.Settle(context.WithoutCancel(ctx), s))
}

// ranOut reports whether a call ended because a time was over that the connector had set it,
// which may be shorter than the one that it was given.
func ranOut(err error) bool {
	timed, is := errors.AsType[net.Error](err)
	return is && timed.Timeout()
}

// resultOf is what the call means to the gate. Credentials that are refused to a question
// about a channel that is told nothing yet may be a slip of the hand, and must not keep others
// of the account from being told.
func (m Maker) resultOf(c Call, err error, expired bool) gate.Result {
	r := gate.ResultOf(err, expired)
	if c.Kind == ledger.Ask && r.Outcome == gate.Denied && !m.Channel.Told() {
		r.Outcome = gate.Unsent
	}
	return r
}
