package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
	"ostler.example/sync/plan"
)

// errTimeout is the cause with which a call's own deadline ends it.
var errTimeout = errors.New("no answer in time")

// end is a call that is over.
type end struct {
	call    string // names it among all calls of all channels
	of      string // its operation
	state   ledger.DeliveryState
	outcome gate.Outcome
	unclear bool // nobody knows of some of its cells what became of them
	lowers  bool // it closes or lowers something
}

// send makes one stored call and settles it.
func (w *Worker) send(planned plan.Call, permit *gate.Permit, begun ledger.Begun, cells []ledger.SentCell) end {
	call := planned.Call
	call.ID, call.Version = begun.Key, begun.Version
	s := ledger.Settlement{DeliveryID: begun.ID}
	var result gate.Result
	if permit.Valid() {
		// The call is not cancelled when the program stops: its answer is worth
		// the few seconds, and without it the outcome would be unknown.
		ctx, cancel := context.WithTimeoutCause(context.Background(), w.deadline(permit).Sub(w.Clock.Steady()), errTimeout)
		ctx, status := connectors.NotingStatus(ctx)
		answer, err := contain.Call(ctx, w.Box, call.Operation, func(ctx context.Context) (connectors.Answer, error) {
			return w.Connector.Send(ctx, call)
		})
		expired := ctx.Err() != nil
		cancel()
		s.HTTPStatus = status.Last()
		if err != nil {
			result = failed(err, expired, cells, &s)
			if s.State == ledger.DeliveryRejected {
				all := false
				if s.Parted, all = w.apart.refused(planned.Cells, w.Clock.Steady()); all {
					s.Fault = refusesAll(s.Error)
				}
			}
		} else {
			result = w.answered(answer, planned, &s)
			switch {
			case s.State == ledger.DeliveryUnknown:
			case s.State != ledger.DeliveryRejected:
				w.apart.taken(planned.Cells)
			case w.apart.allRefused(planned.Cells, w.Clock.Steady()) && s.Fault.Kind == "":
				s.Fault = refusesAll(cmp.Or(s.Rejected[planned.Cells[0].Ref], s.Excerpt))
			}
		}
	} else {
		s.State, s.Error, result.Outcome = ledger.DeliveryNotSent, gate.ErrHeld.Error(), gate.Unsent
	}
	s.Standing = permit.Done(result)
	if err := w.Ledger.Settle(context.Background(), s); err != nil {
		// The call stays open in the ledger and is unknown after the next start.
		w.logFailure("settle call", err)
	}
	w.report(planned, begun, cells, s, permit.At())
	return end{
		call: fmt.Sprintf("%s/%d", w.Channel.ID, begun.Version), of: planned.Operation, state: s.State, outcome: result.Outcome,
		unclear: s.State == ledger.DeliveryUnknown || len(s.Unknown) > 0, lowers: planned.Lane == lane.Lower,
	}
}

// refusesAll is the fault of a far side that takes nothing.
func refusesAll(words string) hotel.Fault {
	return hotel.Fault{Kind: hotel.FaultRefusal, Words: contain.Short("refuses whatever it is told: " + words)}
}

// failed is the one table that says what each kind of error means:
//
//	kind           not sent   possible effect
//	temporary      again      unknown
//	rate_limited   again      unknown
//	denied         again      unknown
//	invalid        again      every key rejected, see [apart]
//	unmapped       again      every key rejected, see [apart]
//
// What each means to the gate is [gate.ResultOf]. Whose deadline ended a call
// cannot be read from the error, so the worker's own is asked first.
func failed(err error, expired bool, cells []ledger.SentCell, s *ledger.Settlement) gate.Result {
	e := connectors.AsError(err)
	s.State, s.Error = ledger.DeliveryUnknown, contain.Short(err.Error())
	s.Fault, _ = contain.FaultOf(err)
	if expired {
		return gate.ResultOf(err, expired)
	}
	if e.Effect == connectors.NotSent {
		s.State = ledger.DeliveryNotSent
	}
	if hopeless := e.Kind == connectors.Invalid || e.Kind == connectors.Unmapped; hopeless && e.Effect == connectors.Possible {
		s.State = ledger.DeliveryRejected
		s.Rejected = make(map[hotel.Cell]string, len(cells))
		for _, c := range cells {
			s.Rejected[c.Cell] = s.Error
		}
	}
	return gate.ResultOf(err, expired)
}

// answered matches an answer with the call's cells by what it names. An answer
// about a key that was not in the call settles nothing.
func (w *Worker) answered(a connectors.Answer, call plan.Call, s *ledger.Settlement) gate.Result {
	a, s.Fault = contain.Answer(a, call.Keys)
	s.Reference, s.Excerpt, s.Error = a.Ref, a.Excerpt, s.Fault.Words
	if s.Fault.Kind == hotel.FaultForeign {
		s.State = ledger.DeliveryUnknown
		return gate.Result{Outcome: gate.Failed, Words: s.Error}
	}
	at := cellsByKey(call)
	s.Rejected, s.Unknown = map[hotel.Cell]string{}, map[hotel.Cell]bool{}
	for k, cell := range at {
		v, named := a.Keys[k]
		if !named {
			v.Outcome = a.Rest
		}
		switch v.Outcome {
		case connectors.Applied:
		case connectors.Rejected:
			s.Rejected[cell] = v.Words
		case connectors.Unknown:
			s.Unknown[cell] = true
		}
	}
	switch {
	case len(s.Rejected) == len(at):
		s.State = ledger.DeliveryRejected
	case len(s.Unknown) == len(at):
		s.State = ledger.DeliveryUnknown
	case len(s.Rejected)+len(s.Unknown) > 0:
		s.State = ledger.DeliveryPartial
	default:
		s.State = ledger.DeliveryApplied
	}
	return gate.Result{Outcome: gate.Succeeded}
}

// report logs a call that went wrong and tells whoever watches of every one.
func (w *Worker) report(call plan.Call, begun ledger.Begun, cells []ledger.SentCell, s ledger.Settlement, sentAt time.Time) {
	if s.State != ledger.DeliveryApplied {
		w.Log.Warn("call to channel did not go well", zap.String("channel", w.Channel.ID), zap.String("delivery", begun.ID),
			zap.String("operation", call.Operation), zap.String("outcome", string(s.State)), zap.Int("rejected", len(s.Rejected)), zap.String("reason", s.Error))
	}
	if w.Observe != nil {
		w.Observe(Told{
			ChannelID: w.Channel.ID, Operation: call.Operation, Lane: call.Lane, Cells: cells, Sequence: begun.Sequence,
			SentAt: sentAt, DoneAt: w.Clock.Now(), State: s.State, Rejected: len(s.Rejected), Error: s.Error,
		})
	}
}

func (w *Worker) logFailure(what string, err error) {
	w.Log.Error(what, zap.String("channel", w.Channel.ID), zap.Error(err))
}
