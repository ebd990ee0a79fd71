package sync

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/lane"
)

// askTimeout is how long somebody waits for a far side that was asked on their
// behalf, its gate included.
const askTimeout = 15 * time.Second

// mostDoubts is how many doubts of a handshake are passed on.
const mostDoubts = 20

// askOperation names the bucket of questions.
const askOperation = "ask"

// Test opens a channel's connector as the channel is now, performs its handshake
// and asks for something that changes nothing. Why it did not work is a refusal,
// channel_error or channel_timeout, in the far side's words.
func (e *Engine) Test(ctx context.Context, c hotel.Channel) (hotel.Reached, error) {
	began := e.o.Clock.Now()
	var found connectors.Discovered
	reached := hotel.Reached{Products: -1}
	err := e.ask(ctx, c, nil, func(ctx context.Context, open *channel) (err error) {
		if found, err = open.settings.Discover(ctx, e.env(c)); err != nil {
			return err
		}
		if err := e.keepFound(ctx, c, open.settings, found); err != nil {
			return err
		}
		today, able := hotel.DateOf(began.Date()), open.settings.Capabilities(found)
		if catalog, ok := open.connector.(connectors.Catalog); ok && able.HasCatalog {
			products, err := catalog.Products(ctx)
			reached.Products = len(products)
			return err
		}
		if lister, ok := open.connector.(connectors.Lister); ok && able.Lists {
			return lister.List(ctx, today, today+1, deaf{})
		}
		return nil
	})
	if err != nil {
		return hotel.Reached{}, err
	}
	reached.Took, reached.Version, reached.Features = e.o.Clock.Now().Sub(began), found.Version, found.Features
	for _, doubt := range found.Doubts[:min(len(found.Doubts), mostDoubts)] {
		reached.Doubts = append(reached.Doubts, contain.Short(doubt))
	}
	return reached, nil
}

// Products asks a channel's far side what it sells. A connector that cannot ask
// is refused as not_implemented.
func (e *Engine) Products(ctx context.Context, c hotel.Channel) ([]hotel.RemoteProduct, error) {
	var products []hotel.RemoteProduct
	able := func(open *channel) error {
		if _, ok := open.connector.(connectors.Catalog); !ok || !open.caps.HasCatalog {
			return hotel.Refuse("not_implemented", "connector %s cannot ask what its far side sells: take the codes from its extranet", c.Connector)
		}
		return nil
	}
	err := e.ask(ctx, c, able, func(ctx context.Context, open *channel) (err error) {
		products, err = open.connector.(connectors.Catalog).Products(ctx)
		return err
	})
	if err != nil {
		return nil, err // a connector that was left behind may still write to products
	}
	for i, p := range products {
		products[i] = p.Sane()
	}
	return products, nil
}

// ask lets f speak to a channel's far side through the account's gate, over a
// connection of its own. What the connector is not able to ask is refused before anything
// is stored; nil: it is always able.
func (e *Engine) ask(ctx context.Context, c hotel.Channel, able func(open *channel) error, f func(ctx context.Context, open *channel) error) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	open, err := e.connect(ctx, c)
	if err != nil {
		return notReached(err)
	}
	if able != nil {
		if err := able(open); err != nil {
			return errors.Join(err, open.close())
		}
	}
	if open.gate, err = e.accounts.acquire(ctx, c, open.caps, nil); err != nil {
		return errors.Join(err, open.close())
	}
	err = e.question(ctx, open, f)
	expired := ctx.Err() != nil
	if closing := e.shut(open); closing != nil { // which takes nothing from what was answered
		e.o.Log.Warn("channel closed badly", zap.String("channel", c.ID), zap.Error(closing))
	}
	switch _, refused := errors.AsType[*hotel.Refusal](err); {
	case err == nil:
		return nil
	case refused:
		return err
	case expired || errors.Is(err, context.DeadlineExceeded):
		return hotel.Refuse("channel_timeout", "no answer in time: %v", err)
	}
	return notReached(err)
}

// question makes one call. Whoever asks may have mended credentials that were refused:
// these are tried now.
func (e *Engine) question(ctx context.Context, open *channel, f func(ctx context.Context, open *channel) error) error {
	open.gate.TryNow()
	ask := func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx, open) }
	return call.Make(ctx, e.calls(open, askTimeout), call.Call{Kind: ledger.Ask, Operation: askOperation, Lane: lane.Ask}, ask, nil)
}

// notReached is why a far side could not be asked. Errors of connectors carry no
// secret.
func notReached(err error) error {
	r := hotel.Refuse("channel_error", "%v", err)
	r.Members = map[string]any{"kind": string(connectors.AsError(err).Kind)}
	return r
}

// deaf is a sink for a list that is asked for only to see that it comes.
type deaf struct{}

// Deliver drops the message: the far side keeps what it lists.
func (deaf) Deliver(context.Context, connectors.Message) error { return nil }

// Hint implements [connectors.Sink].
func (deaf) Hint() {}
