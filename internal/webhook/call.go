package webhook

import (
	"context"
	"fmt"
	"runtime/debug"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// start calls for one delivery, beside everything else.
func (w *Worker) start(ctx context.Context, r receiver, d hotel.WebhookDelivery) {
	w.mu.Lock()
	w.flights[r.ID]++
	w.mu.Unlock()
	w.calls.Go(func() {
		defer w.land(r.ID)
		defer func() {
			if p := recover(); p != nil { // one event that cannot be told must not end the daemon
				w.o.Log.Error("webhook panicked; it is repeated by its schedule", zap.String("delivery", d.ID), zap.String("panic", fmt.Sprintf("%T", p)), zap.ByteString("stack", debug.Stack()))
			}
		}()
		if err := w.deliver(ctx, r, d); err != nil && ctx.Err() == nil {
			w.o.Log.Error("webhook not settled; it is repeated by its schedule", zap.String("delivery", d.ID), zap.Error(err))
		}
	})
}

func (w *Worker) land(endpoint string) {
	w.mu.Lock()
	if w.flights[endpoint]--; w.flights[endpoint] == 0 {
		delete(w.flights, endpoint)
	}
	w.mu.Unlock()
	select {
	case w.freed <- struct{}{}:
	default: // it is known that something has ended
	}
}

// deliver writes the event as its client may read it now, calls and stores what
// came of it.
func (w *Worker) deliver(ctx context.Context, r receiver, d hotel.WebhookDelivery) error {
	entries, err := w.o.Ledger.EventsTogether(ctx, d)
	if err != nil {
		return err
	}
	if len(entries) == 0 || !r.caller.Hears(entries[len(entries)-1]) {
		return w.settle(ctx, d, hotel.WebhookOutcome{
			WebhookAttempt: hotel.WebhookAttempt{At: w.o.Clock.Now(), Error: "nothing was sent: the client is not granted the event any more"}, Void: true,
		})
	}
	body, err := w.o.Writer.WebhookBody(ctx, r.caller.Who, entries)
	if err != nil {
		return err
	}
	out := w.o.Post.call(ctx, r.WebhookEndpoint, message{id: d.Event.ID, body: body.JSON, private: body.Private})
	if ctx.Err() != nil {
		return ctx.Err() // given up by us: nothing is known of the receiver
	}
	if w.o.Called != nil {
		w.o.Called(out.Well())
	}
	return w.settle(ctx, d, out)
}

// settle stores an outcome whatever happens to the worker meanwhile.
func (w *Worker) settle(ctx context.Context, d hotel.WebhookDelivery, o hotel.WebhookOutcome) error {
	return w.o.Ledger.SettleWebhook(context.WithoutCancel(ctx), d, o)
}
