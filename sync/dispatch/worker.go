// Package dispatch keeps one channel equal to the ledger. Its worker repeats
// three steps, each safe to repeat after a crash at any point:
//
//	derive   read the journal from the channel's cursor, compute the offers of the
//	         touched nights, store what the channel is to show
//	begin    plan the cells that differ, wait at the gate, store the call
//	settle   send it once, store the outcome for each of its cells
//
// What to send is always the difference between what is wanted now and what the
// channel may hold: a lost wake-up costs latency, never a value. The package
// speaks no protocol; it drives a connector.
package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/hotel/carriage"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
	"ostler.example/sync/plan"
)

// Options describes one channel's worker.
type Options struct {
	Ledger    Ledger
	Channel   hotel.Channel
	Property  hotel.Property
	Connector connectors.Connector
	Caps      connectors.Capabilities
	Box       *contain.Box // what the connector is called in
	Gate      *gate.Gate
	Clock     hotel.Clock
	Log       *zap.Logger

	Collect time.Duration // how long raises, prices and restrictions are collected before they are sent
	Timeout time.Duration // of one call
	Idle    time.Duration // how often to look without a wake-up

	Observe func(Told) // told of every call that is over; must not block
}

// Told is one call that is over, for whoever watches.
type Told struct {
	ChannelID string
	Operation string
	Lane      lane.Lane
	Cells     []ledger.SentCell
	Sequence  int64 // where the journal stood when the call was stored
	SentAt    time.Time
	DoneAt    time.Time
	State     ledger.DeliveryState
	Rejected  int
	Error     string // "" when it was answered well
}

// maxCells is how many dirty cells one plan takes in of each kind, where restrictions
// and the price of a product's night are one: so that the far side is told in full
// calls, the prices of 200 products of 730 nights.
const maxCells = 150_000

// lookAgain is how long a worker leaves a ledger alone that did not answer.
const lookAgain = time.Second

// faultyAgain is how long a connector is left alone that cannot even pack changes.
const faultyAgain = time.Minute

// callsInFlight is how many calls of a channel may be under way where their
// order does not matter.
const callsInFlight = 4

// Worker keeps one channel equal to the ledger.
type Worker struct {
	Options
	carried carriage.Channel           // what it can be told of restrictions
	told    map[int64]toldOf           // restrictions, by the first line of those that are told together
	keys    map[lineKey]connectors.Key // the far side's codes of each line
	rooms   map[int64]string           // the room type behind each counter
	slots   int

	currencies map[int64]hotel.Currency // of the plan behind each mapping
	odd        map[hotel.Cell]int64     // the prices that were noted as odd
	apart      apart

	done   ledger.Done
	passed int // steps in a row that left a strand where it was

	again chan struct{} // somebody asks for a new plan
	ended chan end      // a call is over
	calls sync.WaitGroup

	// All in steady time: nothing that waits does so longer because somebody sets the clock.
	attempt   int                  // failed calls in a row
	failed    map[string]time.Time // when an operation failed last, until a call of it does not
	pauseTill time.Time            // nothing is planned before
	restTill  time.Time            // nothing but closings is planned before
	firstSeen time.Time            // when something was first seen that is being collected
}

// lineKey names a line: a counter's for stock, a mapping's for the rest.
type lineKey struct {
	line  int64
	stock bool
}

// New returns the worker of one channel.
func New(o Options) *Worker {
	w := &Worker{Options: o, carried: carriage.For(o.Caps.Terms, hotel.AbsentOf(o.Channel.Policies, o.Property.Policies)), slots: callsInFlight, again: make(chan struct{}, 1), odd: map[hotel.Cell]int64{}, told: map[int64]toldOf{}, failed: map[string]time.Time{}}
	if o.Caps.InOrder {
		w.slots = 1
	}
	w.ended = make(chan end, w.slots)
	return w
}

// Replan asks for a look at once, because something changed at the channel that
// the journal's readers would not plan for: a hint, as every wake-up.
func (w *Worker) Replan() {
	select {
	case w.again <- struct{}{}:
	default:
	}
}

// Run works until ctx ends, then waits for the calls under way. What fails is
// logged and tried again.
func (w *Worker) Run(ctx context.Context) error {
	defer w.calls.Wait()
	r := &round{w: w, stale: true}
	defer r.leave()
	for ctx.Err() == nil {
		if r.changed == nil { // asked for before looking, so that nothing is missed
			r.changed, r.behind = w.Ledger.OffersChanged(w.Property.ID), true
		}
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			if !errors.Is(err, ledger.ErrOutrun) { // nothing is amiss: the next look sees what was faster
				w.Log.Error("channel looks again in a while", zap.String("channel", w.Channel.ID), zap.Error(err))
			}
			w.pauseTill = w.Clock.Steady().Add(lookAgain)
			if _, faulty := faultOf(err); faulty {
				w.pauseTill = w.Clock.Steady().Add(faultyAgain)
			}
			r.drop()
			r.behind, r.more = true, false
		}
		r.wait(ctx)
	}
	return nil
}

// learn reads the far side's codes of the channel's lines.
func (w *Worker) learn(ctx context.Context) error {
	counters, mappings, err := w.Ledger.Lines(ctx, w.Channel.ID)
	if err != nil {
		return fmt.Errorf("lines of channel %s: %w", w.Channel.ID, err)
	}
	return w.know(ctx, counters, mappings)
}

// know goes by these lines from now on.
func (w *Worker) know(ctx context.Context, counters []ledger.Counter, mappings []hotel.Mapping) error {
	plans, err := w.Ledger.RatePlans(ctx, w.Property.ID)
	if err != nil {
		return fmt.Errorf("rate plans of channel %s: %w", w.Channel.ID, err)
	}
	currencies := make(map[string]hotel.Currency, len(plans))
	for _, p := range plans {
		currencies[p.ID] = p.Currency
	}
	w.currencies = make(map[int64]hotel.Currency, len(mappings))
	w.keys = make(map[lineKey]connectors.Key, len(counters)+len(mappings))
	w.rooms = make(map[int64]string, len(counters))
	for _, c := range counters {
		w.rooms[c.Line] = c.RoomTypeID
		w.keys[lineKey{c.Line, true}] = connectors.Key{Room: c.RemoteRoom, Rate: c.RemoteRate}
	}
	for _, m := range mappings {
		w.keys[lineKey{m.Line, false}] = connectors.Key{Room: m.RemoteRoom, Rate: m.RemoteRate}
		w.currencies[m.Line] = currencies[m.RatePlanID]
	}
	return nil
}

// key returns a cell's address in the far side's words.
func (w *Worker) key(c hotel.Cell) (connectors.Key, bool) {
	k, ok := w.keys[lineKey{c.Line, c.Group == hotel.Availability}]
	k.Group, k.Occupancy, k.Night = c.Group, c.Occupancy, c.Night
	return k, ok
}

func (w *Worker) today() hotel.Date { return w.Property.Today(w.Clock.Now()) }

// plan reads what differs and turns it into calls. What of a change goes too far, what
// the guard holds, and what the connector cannot express, is parked.
func (w *Worker) plan(ctx context.Context) (plan.Plan, error) {
	dirty, err := w.Ledger.Dirty(ctx, w.Channel.ID, w.today(), maxCells)
	if err != nil {
		return plan.Plan{}, err
	}
	return w.planFor(ctx, dirty)
}

// closings plans what closes or lowers something, and nothing else.
func (w *Worker) closings(ctx context.Context) ([]plan.Call, error) {
	dirty, err := w.Ledger.Pressing(ctx, w.Channel.ID, w.today(), maxCells)
	if err != nil {
		return nil, err
	}
	p, err := w.planFor(ctx, dirty)
	return p.Calls[:lowering(p.Calls)], err
}

// lowering counts the calls at the head of a plan that close or lower something.
func lowering(calls []plan.Call) int {
	n := 0
	for n < len(calls) && calls[n].Lane == lane.Lower {
		n++
	}
	return n
}

func (w *Worker) planFor(ctx context.Context, dirty []ledger.DirtyCell) (plan.Plan, error) {
	dirty, err := w.Ledger.Brake(ctx, w.Channel.ID, dirty)
	if err != nil {
		return plan.Plan{}, err
	}
	dirty, err = w.guard(ctx, dirty)
	if err != nil {
		return plan.Plan{}, err
	}
	p, err := w.encode(w.apart.awake(w.cells(dirty), w.Clock.Steady()))
	if f, faulty := faultOf(err); faulty {
		return p, errors.Join(err, w.Ledger.Flag(ctx, w.Channel.ID, string(ledger.Push), f))
	}
	if err != nil || len(p.Refused) == 0 {
		return p, err
	}
	refused, reasons := make([]ledger.SentCell, len(p.Refused)), map[hotel.Cell]string{}
	for i, r := range p.Refused {
		refused[i] = sent(r.Cell)
		reasons[r.Cell.Ref] = r.Reason
	}
	return p, w.Ledger.Refuse(ctx, w.Channel.ID, w.Channel.Revision, refused, reasons)
}

// cells puts cells into the words of a plan.
func (w *Worker) cells(dirty []ledger.DirtyCell) []plan.Cell {
	cells := make([]plan.Cell, 0, len(dirty))
	for _, d := range dirty {
		key, known := w.key(d.Cell)
		if !known {
			continue
		}
		c := plan.Cell{Ref: d.Cell, Key: key, Want: w.decode(d.Cell, d.Want), Free: d.Free, Fresh: d.Fresh, Sold: d.Sold, Most: w.most()}
		if d.Open != nil {
			c.Open = new(w.decode(d.Cell, *d.Open))
		}
		if d.Held != nil {
			c.Held = []hotel.Offer{w.decode(d.Cell, *d.Held)}
		} else if d.Last != nil && d.Cell.Group == hotel.Closures {
			c.Last = new(w.decode(d.Cell, *d.Last))
		}
		cells = append(cells, c)
	}
	return cells
}

// encode turns cells into calls.
func (w *Worker) encode(cells []plan.Cell) (plan.Plan, error) {
	ctx, cancel := context.WithTimeout(context.Background(), w.Timeout)
	defer cancel()
	failed := maps.Clone(w.failed) // a call that takes too long is left behind, and goes on
	return contain.Call(ctx, w.Box, "encode", func(context.Context) (all plan.Plan, err error) {
		for _, together := range w.apart.of(cells, w.Clock.Steady()) {
			p, err := plan.Make(together, w.Caps.Operations, w.Connector.Encode)
			if err != nil {
				return plan.Plan{}, err
			}
			all.Calls, all.Refused = append(all.Calls, p.Calls...), append(all.Refused, p.Refused...)
		}
		// Operations that fail keep none of the others of their lane back, and are tried in turns.
		slices.SortStableFunc(all.Calls, func(a, b plan.Call) int {
			return cmp.Or(cmp.Compare(a.Lane, b.Lane), failed[a.Operation].Compare(failed[b.Operation]))
		})
		return all, nil
	})
}

// faultOf returns what an error of encode says against the connector.
func faultOf(err error) (hotel.Fault, bool) {
	if errors.Is(err, plan.ErrEncode) {
		return hotel.Fault{Kind: hotel.FaultCalls, Words: contain.Short(err.Error())}, true
	}
	return contain.FaultOf(err)
}

func (w *Worker) decode(c hotel.Cell, v int64) hotel.Offer {
	return hotel.DecodeOffer(c.Group, v, w.money(c.Line, 0).Currency)
}

// money is an amount as the channel is shown it for a mapping.
func (w *Worker) money(line, minor int64) hotel.Money {
	return hotel.Money{Minor: minor, Currency: cmp.Or(w.Channel.Pricing.Currency, w.currencies[line], w.Property.Currency)}
}

func sent(c plan.Cell) ledger.SentCell {
	return ledger.SentCell{Cell: c.Ref, Value: c.Want.Encode(c.Ref.Group), Sold: c.Sold}
}

// most is the largest number of rooms that the channel takes; 0: any.
func (w *Worker) most() int { return w.Caps.Fields[hotel.FieldAvailable].Max }
