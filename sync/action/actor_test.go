package action

import (
	"errors"
	"testing"

	"ostler.example/connectors"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

// TestWhatAnErrorSaysOfAnAction: a call that certainly did nothing is none of which
// nobody knows, and no refusal either.
func TestWhatAnErrorSaysOfAnAction(t *testing.T) {
	for name, c := range map[string]struct {
		err     connectors.Error
		expired bool
		state   ledger.DeliveryState
		away    bool
		gate    gate.Outcome
	}{
		"no connection":               {err: connectors.Error{Effect: connectors.NotSent}, state: ledger.DeliveryNotSent, gate: gate.Failed},
		"no connection in time":       {err: connectors.Error{Effect: connectors.NotSent}, expired: true, state: ledger.DeliveryNotSent, gate: gate.Failed},
		"too many calls":              {err: connectors.Error{Kind: connectors.RateLimited}, state: ledger.DeliveryRejected, away: true, gate: gate.Limited},
		"not let in":                  {err: connectors.Error{Kind: connectors.Denied}, state: ledger.DeliveryRejected, away: true, gate: gate.Denied},
		"refused for good":            {err: connectors.Error{Kind: connectors.Invalid}, state: ledger.DeliveryRejected, gate: gate.Succeeded},
		"no answer":                   {err: connectors.Error{Kind: connectors.Temporary}, state: ledger.DeliveryUnknown, gate: gate.Failed},
		"no answer in time, whatever": {err: connectors.Error{Kind: connectors.RateLimited}, expired: true, state: ledger.DeliveryUnknown, gate: gate.Failed},
	} {
		c.err.Op, c.err.Err = "cancel booking", errors.New("no")
		var s ledger.Settlement
		got := outcome(connectors.Verdict{}, &c.err, c.expired, &s)
		if s.State != c.state || s.TurnedAway != c.away || got.Outcome != c.gate {
			t.Errorf("%s: %s (turned away: %v), the gate %v", name, s.State, s.TurnedAway, got.Outcome)
		}
	}
}
