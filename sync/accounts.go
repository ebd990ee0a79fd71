package sync

import (
	"context"
	"slices"
	"sync"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/gate"
)

// accounts holds one gate for each channel account that is in use.
type accounts struct {
	engine *Engine

	mu   sync.Mutex
	open map[string]*shared
}

// shared is the gate of an account and whoever passes it. It keeps the limits of all of
// them: channels of one account may be set up to know of different ones.
type shared struct {
	*gate.Gate
	users []*account
}

// account is the gate of an account as one channel holds it, with the limits that the
// channel knows of.
type account struct {
	*gate.Gate
	of      *shared
	name    string
	buckets []connectors.Bucket
	inOrder bool
}

// acquire returns the gate of a channel's account, with its limits as full as the
// calls of their last window left them. A channel that is opened again holds the
// gate that it had, and keeps it. Since somebody may have mended its credentials, they
// are tried now.
func (a *accounts) acquire(ctx context.Context, c hotel.Channel, caps connectors.Capabilities, held *account) (*account, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.open[c.Account]
	user := &account{of: of, name: c.Account, buckets: caps.Buckets, inOrder: caps.InOrder}
	if of == nil {
		g, err := a.gate(ctx, c, caps)
		if err != nil {
			return nil, err
		}
		user.of = &shared{Gate: g, users: []*account{user}}
		user.Gate = g
		if a.open == nil {
			a.open = map[string]*shared{}
		}
		a.open[c.Account] = user.of
		return user, nil
	}
	calls, err := a.sent(ctx, c.Account, caps.Buckets)
	if err != nil {
		return nil, err
	}
	user.Gate = of.Gate
	of.users = append(of.users, user)
	if err := of.limit(calls); err != nil {
		of.users = of.users[:len(of.users)-1]
		return nil, err
	}
	if held != nil && held.of == of {
		of.TryNow()
	}
	return user, nil
}

// limit has the gate keep what any of its users knows of.
func (s *shared) limit(calls []gate.Sent) error {
	var buckets []connectors.Bucket
	inOrder := false
	for _, u := range s.users {
		inOrder = inOrder || u.inOrder
		for _, b := range u.buckets {
			if !slices.Contains(buckets, b) {
				buckets = append(buckets, b)
			}
		}
	}
	return s.Limit(buckets, inOrder, calls)
}

// sent lists the calls of an account that count in some of its limits still.
func (a *accounts) sent(ctx context.Context, account string, buckets []connectors.Bucket) ([]gate.Sent, error) {
	o := a.engine.o
	calls, err := o.Ledger.SentSince(ctx, account, o.Clock.Now().Add(-gate.Window(buckets)))
	if err != nil {
		return nil, err
	}
	sent := make([]gate.Sent, len(calls))
	for i, s := range calls {
		sent[i] = gate.Sent{Operation: s.Operation, Property: s.PropertyID, At: s.At}
	}
	return sent, nil
}

func (a *accounts) gate(ctx context.Context, c hotel.Channel, caps connectors.Capabilities) (*gate.Gate, error) {
	o := a.engine.o
	sent, err := a.sent(ctx, c.Account, caps.Buckets)
	if err != nil {
		return nil, err
	}
	stands, err := o.Ledger.Standing(ctx, c.Account)
	if err != nil {
		return nil, err
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
	of := g.of
	of.users = slices.DeleteFunc(of.users, func(u *account) bool { return u == g })
	if len(of.users) > 0 {
		if err := of.limit(nil); err != nil { // what is left was there before
			a.engine.o.Log.Error("limit a channel account", zap.String("account", g.name), zap.Error(err))
		}
		return
	}
	of.Close()
	if a.open[g.name] == of {
		delete(a.open, g.name)
	}
}
