package sync

import (
	"context"
	"reflect"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/gate"
)

// accounts holds one gate for each channel account that is in use.
type accounts struct {
	engine *Engine

	mu   sync.Mutex
	open map[string]*account
}

// account is a gate and how many channels pass it.
type account struct {
	*gate.Gate
	name    string
	buckets []connectors.Bucket
	inOrder bool
	users   int
}

// acquire returns the gate of a channel's account, with its limits as full as the
// calls of their last window left them. A channel that is opened again holds the
// gate that it had, and keeps it unless its limits have changed and nobody else
// passes there. Since somebody may have mended its credentials, they are tried now.
func (a *accounts) acquire(ctx context.Context, c hotel.Channel, caps connectors.Capabilities, held *account) (*account, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found := a.open[c.Account]; found != nil {
		same := found.inOrder == caps.InOrder && reflect.DeepEqual(found.buckets, caps.Buckets)
		if same || found != held || found.users > 1 {
			found.users++
			if found == held {
				found.TryNow()
			}
			return found, nil
		}
	}
	g, err := a.gate(ctx, c, caps)
	if err != nil {
		return nil, err
	}
	made := &account{g, c.Account, caps.Buckets, caps.InOrder, 1}
	if a.open == nil {
		a.open = map[string]*account{}
	}
	a.open[c.Account] = made
	return made, nil
}

func (a *accounts) gate(ctx context.Context, c hotel.Channel, caps connectors.Capabilities) (*gate.Gate, error) {
	o := a.engine.o
	calls, err := o.Ledger.SentSince(ctx, c.Account, o.Clock.Now().Add(-gate.Window(caps.Buckets)))
	if err != nil {
		return nil, err
	}
	stands, err := o.Ledger.Standing(ctx, c.Account)
	if err != nil {
		return nil, err
	}
	sent := make([]gate.Sent, len(calls))
	for i, s := range calls {
		sent[i] = gate.Sent{Operation: s.Operation, Property: s.PropertyID, At: s.At}
	}
	return gate.New(gate.Options{
		Account: c.Account, Buckets: caps.Buckets, InOrder: caps.InOrder, Sent: sent, Standing: stands, Clock: o.Clock,
		Failures: o.Failures, OpenFor: o.OpenFor,
		OnChange: func(t gate.Transition) {
			if o.Observe.Circuit != nil {
				o.Observe.Circuit(c.ID, t)
			}
		},
	})
}

// release gives a gate back; the last one closes it.
func (a *accounts) release(g *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g.users--
	if g.users > 0 {
		return
	}
	g.Close()
	if a.open[g.name] == g {
		delete(a.open, g.name)
	}
}
