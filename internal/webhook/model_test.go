package webhook

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
)

// A worker that is killed at any of its steps, with receivers that fail, hang and
// break: afterwards every event was delivered at least once, under its own id and
// no other, and no delivery was called more often than its schedule says.
func TestKillsAndFailuresLoseNothing(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				draw := rand.New(rand.NewPCG(seed, 7))
				hosts := map[string]hotel.WebhookEndpoint{"a": w.endpoint("a", "property.*"), "b": w.endpoint("b", "property.*")}
				ill := true
				for host := range hosts {
					own := rand.New(rand.NewPCG(seed, uint64(host[0])))
					w.net.says(host, func(int) answer {
						if !ill || own.IntN(2) == 0 {
							return answer{status: 200, after: time.Duration(own.IntN(3000)) * time.Millisecond}
						}
						return answer{status: []int{0, 500, 503, 302}[own.IntN(4)], after: time.Duration(own.IntN(20)) * time.Second}
					})
				}
				for i := range 30 {
					w.rename(fmt.Sprint("house ", i))
					wait(time.Duration(draw.IntN(30_000)) * time.Millisecond)
					if draw.IntN(4) == 0 {
						w.kill(draw.IntN(4))
					}
				}
				w.net.mu.Lock()
				ill = false
				w.net.mu.Unlock()
				w.end()
				w.start()
				wait(90 * time.Hour)
				events := w.events(ledger.PropertyUpdated)
				for host, e := range hosts {
					w.account(host, e.ID, events)
				}
			})
		})
	}
}

// account compares what a host got with what happened.
func (w *world) account(host, endpoint string, events []string) {
	w.t.Helper()
	calls := map[string]int{}
	for _, c := range w.net.got(host) {
		if !slices.Contains(events, c.id) || !c.verified {
			w.t.Fatalf("%s got %+v, which never happened", host, c)
		}
		calls[c.id]++
	}
	list := w.deliveries(endpoint)
	if len(list) != len(events) {
		w.t.Errorf("%s: %d deliveries of %d events", host, len(list), len(events))
	}
	for _, d := range list {
		if n := calls[d.Event.ID]; n == 0 || n > backoff.Calls || d.Status != hotel.WebhookDelivered {
			w.t.Errorf("%s: %s was called %d times and is %s", host, d.Event.ID, n, d.Status)
		}
	}
}

// kill ends the worker so that one of its next steps is its last: what it has done
// stays, and what it knew is gone. Then another begins.
func (w *world) kill(after int) {
	w.end()
	dying := &dyingLedger{Ledger: w.ledger, steps: after}
	w.startOn(dying)
	wait(time.Second)
	w.end()
	w.start()
}

// dyingLedger works for so many steps more; after that nothing is stored.
type dyingLedger struct {
	*ledger.Ledger
	steps int
}

var errDead = errors.New("killed")

func (l *dyingLedger) step() error {
	if l.steps--; l.steps < 0 {
		return errDead
	}
	return nil
}

func (l *dyingLedger) TurnWebhooks(ctx context.Context, steps []hotel.WebhookStep) error {
	if err := l.step(); err != nil {
		return err
	}
	return l.Ledger.TurnWebhooks(ctx, steps)
}

func (l *dyingLedger) ClaimWebhooks(ctx context.Context, room map[string]int) ([]hotel.WebhookDelivery, error) {
	if err := l.step(); err != nil {
		return nil, err
	}
	return l.Ledger.ClaimWebhooks(ctx, room)
}

// SettleWebhook never comes to anything: the calls of one who is killed are never
// answered for.
func (l *dyingLedger) SettleWebhook(context.Context, hotel.WebhookDelivery, hotel.WebhookOutcome) error {
	return errDead
}
