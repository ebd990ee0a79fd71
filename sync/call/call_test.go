package call_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
)

// book is a ledger that keeps the calls of one test. Hold is called when a call is stored.
type book struct {
	begun   []ledger.NewDelivery
	settled []ledger.Settlement
	hold    func()
}

func (b *book) Begin(_ context.Context, d ledger.NewDelivery) (ledger.Begun, error) {
	b.begun = append(b.begun, d)
	if b.hold != nil {
		b.hold()
	}
	return ledger.Begun{ID: "dlv_1"}, nil
}

func (b *book) Settle(_ context.Context, s ledger.Settlement) error {
	b.settled = append(b.settled, s)
	return nil
}

// What becomes of a call is stored, and told to the gate and to who made it.
func TestWhatBecomesOfACall(t *testing.T) {
	denied := &connectors.Error{Kind: connectors.Denied, Op: "read", Err: errors.New("no such key")}
	full := errors.New("the disk is full")
	tests := []struct {
		name   string
		kind   ledger.CallKind
		status hotel.ChannelStatus
		ask    func(context.Context) (string, error)
		keep   error
		state  ledger.DeliveryState
		err    error // in what is returned; nil: none
		words  string
		cause  hotel.Cause // what the account is held for
	}{
		{name: "an answer", state: ledger.DeliveryApplied},
		{name: "an answer that cannot be kept", keep: full, state: ledger.DeliveryApplied, err: full, words: "the disk is full"},
		{
			name: "no answer in time", state: ledger.DeliveryUnknown, err: contain.ErrLate, words: "it did not end in its time: context deadline exceeded",
			ask: func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() },
		},
		{
			name: "no answer in the time of the connector", state: ledger.DeliveryUnknown, err: contain.ErrLate, words: "it did not end in its time: read: i/o timeout",
			ask: func(context.Context) (string, error) {
				return "", &connectors.Error{Kind: connectors.Temporary, Op: "read", Err: os.ErrDeadlineExceeded}
			},
		},
		{
			name: "credentials refused", state: ledger.DeliveryUnknown, err: denied, words: "read: no such key", cause: hotel.Denied,
			ask: func(context.Context) (string, error) { return "", denied },
		},
		{
			name: "credentials refused to a question about a channel that is told nothing", kind: ledger.Ask, status: hotel.Testing,
			state: ledger.DeliveryUnknown, err: denied, words: "read: no such key",
			ask: func(context.Context) (string, error) { return "", denied },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, err := gate.New(gate.Options{Account: "acc", Clock: hotel.SystemClock{}})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				b := &book{}
				if tt.ask == nil {
					tt.ask = func(context.Context) (string, error) { return "all is well", nil }
				}
				if tt.kind == "" {
					tt.kind, tt.status = ledger.Read, hotel.ChannelActive
				}
				var kept []string
				m := call.Maker{Ledger: b, Channel: hotel.Channel{Status: tt.status}, Box: &contain.Box{}, Gate: g, Timeout: 10 * time.Second}
				err = call.Make(t.Context(), m, call.Call{Kind: tt.kind, Operation: "read", Lane: lane.Read}, tt.ask, func(_ context.Context, id, answer string) (hotel.Fault, error) {
					kept = append(kept, id+" "+answer)
					return hotel.Fault{}, tt.keep
				})
				if !errors.Is(err, tt.err) || tt.err == nil && err != nil {
					t.Errorf("it returns %v, want %v", err, tt.err)
				}
				if len(b.settled) != 1 || b.settled[0].State != tt.state || b.settled[0].Error != tt.words {
					t.Errorf("it is settled as %+v, want %s with %q", b.settled, tt.state, tt.words)
				}
				if answered := tt.state == ledger.DeliveryApplied; answered != (len(kept) == 1) {
					t.Errorf("kept is %q", kept)
				}
				if got := b.settled[0].Standing.Cause; got != tt.cause {
					t.Errorf("the account is held for %q, want %q", got, tt.cause)
				}
			})
		})
	}
}

// A call whose account is held between its turn and its leaving is not made.
func TestACallOfAHeldAccountIsNotMade(t *testing.T) {
	g, err := gate.New(gate.Options{Account: "acc", Clock: hotel.SystemClock{}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	other, err := g.Pass(t.Context(), gate.Ticket{Lane: lane.Rates})
	if err != nil {
		t.Fatal(err)
	}
	b := &book{hold: func() { other.Done(gate.Result{Outcome: gate.Denied, Words: "no such key"}) }}
	m := call.Maker{Ledger: b, Box: &contain.Box{}, Gate: g, Timeout: time.Second}
	err = call.Make(t.Context(), m, call.Call{Kind: ledger.Ask, Operation: "ask", Lane: lane.Ask}, func(context.Context) (string, error) {
		t.Error("it is made")
		return "", nil
	}, nil)
	if !errors.Is(err, gate.ErrHeld) || len(b.settled) != 1 || b.settled[0].State != ledger.DeliveryNotSent {
		t.Errorf("it returns %v, and is settled as %+v", err, b.settled)
	}
}
