package dispatch

import (
	"context"
	"errors"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
	"ostler.example/sync/plan"
)

// round is what the worker is at: the plan that it works through, and the one
// call of it that waits at the gate. The cells that differ are the worker's queue,
// so whatever becomes of a plan, nothing is lost with it.
type round struct {
	w       *Worker
	changed <-chan struct{} // the property's offers have changed, nil when that was seen
	behind  bool            // the journal is to be read
	since   time.Time       // when that was found; zero: it is not
	more    bool            // and reading it goes on at once
	stale   bool            // what differs may be something else than when the plan was made
	urgent  bool            // in that rooms were sold
	resting bool            // nothing but closings is planned
	news    bool            // there may be closings that were not looked for yet in a pause
	todo    []plan.Call     // the rest of the plan, most urgent first

	planned time.Time // when the plan was made, in steady time as all that a worker waits for
	hurried time.Time // when it was last looked for closings

	outrun   int // calls in a row that were not stored because something was faster
	inFlight int
	next     plan.Call   // the call that waits at the gate
	place    *gate.Place // nil: none does
}

// mostOutrun is how often a call may be outrun in a row before the worker pauses.
const mostOutrun = 10

// look takes a step towards the end of the journal, plans when there is reason to,
// and sends the next call to the gate.
func (r *round) look(ctx context.Context) error {
	w := r.w
	if w.keys == nil {
		if err := w.learn(ctx); err != nil {
			return err
		}
	}
	if r.behind {
		if r.since.IsZero() {
			r.since = w.Clock.Steady()
		}
		p, err := w.derive(ctx)
		if err != nil {
			return err
		}
		// Somebody may have been woken for what is no entry: a room to be given back.
		r.behind, r.more, r.stale, r.urgent, r.news = p.more, p.more, true, r.urgent || p.urgent, true
		if !r.behind {
			r.since = time.Time{}
		}
		if p.moved && w.firstSeen.IsZero() {
			w.firstSeen = w.Clock.Steady()
		}
	}
	r.takeIn()
	switch now := w.Clock.Steady(); {
	case now.Before(w.pauseTill):
		return nil
	case now.Before(w.restTill):
		return r.hurry(ctx)
	}
	r.resting = false
	if err := r.plan(ctx); err != nil {
		return err
	}
	r.approach()
	return nil
}

// mostCollect is by how much longer what is collected waits while more of it is
// still worked out, in times of what it waits for anyway.
const mostCollect = 10

// asOne is the part of what is collected for that a closing waits while the rest of a
// change is still worked out: what was said at once is often told in one call.
const asOne = 10

// plan makes the plan when it has to be made anew. So that a channel that has a lot
// to be told is told it in full calls, and is not planned for more often than it is
// called, that waits until all is worked out, and until the plan before is worked
// through. Closings do not wait: they are put before what is planned already.
//
//	                        nothing is planned               calls of a plan are left
//	all is worked out       plan                             closings, and a plan after collect
//	more is to be           closings, and a plan after       closings
//	                        mostCollect times collect
//
// Closings are looked for at once when rooms were sold. Else they are once in collect,
// and not while what was changed is worked out, unless that takes longer than a moment.
func (r *round) plan(ctx context.Context) error {
	w, now := r.w, r.w.Clock.Steady()
	idle := len(r.todo) == 0 && r.place == nil
	switch {
	case !r.behind && idle && (r.stale || r.inFlight == 0),
		!r.behind && r.stale && !now.Before(r.planned.Add(w.Collect)),
		r.behind && r.stale && idle && !w.firstSeen.IsZero() && !now.Before(w.firstSeen.Add(mostCollect*w.Collect)):
		r.drop()
		p, err := w.plan(ctx)
		if err != nil {
			return err
		}
		r.todo, r.stale, r.urgent, r.planned, r.hurried = r.ripe(p.Calls), false, false, now, now
	case r.stale && (r.urgent || !now.Before(r.since.Add(w.Collect/asOne)) && !now.Before(r.hurried.Add(w.Collect))):
		calls, err := w.closings(ctx)
		if err != nil {
			return err
		}
		r.putFirst(calls)
		r.urgent, r.hurried = false, now
	}
	return nil
}

// hurry plans closings, and sends them, while the rest is paused.
func (r *round) hurry(ctx context.Context) error {
	w, now := r.w, r.w.Clock.Steady()
	if !r.resting {
		r.drop() // it is planned again after the pause
		r.resting, r.news = true, true
	}
	if r.news && (r.urgent || !now.Before(r.hurried.Add(w.Collect))) {
		calls, err := w.closings(ctx)
		if err != nil {
			return err
		}
		r.putFirst(calls)
		r.stale, r.urgent, r.news, r.hurried = true, false, false, now
	}
	r.approach()
	return nil
}

// putFirst puts closings before what is planned. A call that shares a cell with them
// is planned anew.
func (r *round) putFirst(closings []plan.Call) {
	if len(closings) == 0 {
		return
	}
	closes := map[hotel.Cell]bool{}
	for _, call := range closings {
		for _, c := range call.Cells {
			closes[c.Ref] = true
		}
	}
	rest := r.todo
	if r.place != nil {
		rest = slices.Insert(rest, 0, r.next)
	}
	r.drop()
	r.todo = append(closings, slices.DeleteFunc(rest, func(call plan.Call) bool {
		return slices.ContainsFunc(call.Cells, func(c plan.Cell) bool { return closes[c.Ref] })
	})...)
}

// ripe returns the calls that may go now. Closings go at once; the rest is
// collected for a moment, so that a burst of changes needs few calls.
func (r *round) ripe(calls []plan.Call) []plan.Call {
	w, collect := r.w, r.w.Collect
	if r.behind {
		collect *= mostCollect
	}
	urgent := lowering(calls)
	now := w.Clock.Steady()
	switch {
	case urgent == len(calls):
		w.firstSeen = time.Time{}
		return calls
	case w.firstSeen.IsZero():
		w.firstSeen = now
	}
	if now.Sub(w.firstSeen) >= collect {
		return calls
	}
	return calls[:urgent]
}

// approach sends the first call of the plan to the gate.
func (r *round) approach() {
	if r.place != nil || len(r.todo) == 0 || r.inFlight >= r.w.slots {
		return
	}
	r.next, r.todo = r.todo[0], r.todo[1:]
	r.place = r.w.Gate.Join(gate.Ticket{
		Lane: r.next.Lane, Night: r.next.Night, Free: r.next.Free, Operation: r.next.Operation, Property: r.w.Property.ID,
	})
}

// drop gives the plan up: what waits at the gate leaves it.
func (r *round) drop() {
	r.todo = nil
	if r.place != nil {
		r.place.Leave()
		r.place = nil
	}
}

func (r *round) leave() { r.drop() }

// wait sleeps until there is something to do. A call that may go goes, whatever
// else has happened: what it carries is compared once more when it is stored, and
// a stream of changes must not keep everything back.
func (r *round) wait(ctx context.Context) {
	w := r.w
	var ready <-chan struct{}
	if r.place != nil {
		ready = r.place.Ready()
	}
	select {
	case <-ready:
		if ctx.Err() == nil {
			r.begin()
		}
		return
	default:
	}
	if r.changed == nil || r.more {
		return // the journal has moved while we looked, or was not read to its end
	}
	timer := time.NewTimer(r.patience())
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-r.changed:
		r.changed = nil
	case <-timer.C:
		// What was collected is due, or a pause is over, or nobody has called for
		// long: a wake-up may have been lost.
		r.stale, r.behind = true, true
	case <-w.again:
		r.stale = true
	case e := <-w.ended:
		r.over(e)
	case <-ready:
		r.begin()
	}
}

// takeIn notes what has happened by now, so that it is looked at together.
func (r *round) takeIn() {
	for {
		select {
		case <-r.changed:
			r.changed = nil
		case <-r.w.again:
			r.stale = true
		case e := <-r.w.ended:
			r.over(e)
		default:
			return
		}
	}
}

// over notes that a call is.
func (r *round) over(e end) {
	r.inFlight--
	if e.state != ledger.DeliveryApplied {
		r.stale, r.news = true, true // what closes is planned again, also in the pause that begins
	}
	r.w.pace(e)
}

// patience is how long to wait when nobody wakes the worker.
func (r *round) patience() time.Duration {
	w := r.w
	d := w.Idle
	if pause := w.until(w.pauseTill); pause > 0 {
		d = min(d, pause) // nothing is planned before, whatever is due
	} else if rest := w.until(w.restTill); rest > 0 {
		if d = min(d, rest); r.news {
			d = min(d, w.until(r.hurried.Add(w.Collect)))
		}
	} else if r.stale {
		d = min(d, w.until(r.planned.Add(w.Collect)))
	} else if !w.firstSeen.IsZero() && r.place == nil && len(r.todo) == 0 {
		d = min(d, w.until(w.firstSeen.Add(w.Collect)))
	}
	return max(d, time.Millisecond)
}

// until is how long it is until an instant in steady time.
func (w *Worker) until(t time.Time) time.Duration { return t.Sub(w.Clock.Steady()) }

// begin stores the call that may go, and sends it.
func (r *round) begin() {
	w, call := r.w, r.next
	permit, err := r.place.Permit()
	r.place = nil
	if err != nil {
		return // the gate is closed, and the worker about to end
	}
	cells := make([]ledger.SentCell, len(call.Cells))
	for i, c := range call.Cells {
		cells[i] = sent(c)
	}
	begun, err := w.Ledger.Begin(context.Background(), ledger.NewDelivery{
		ChannelID: w.Channel.ID, Revision: w.Channel.Revision, Kind: ledger.Push, Operation: call.Operation, Lane: int(call.Lane), SentAt: permit.At(), Standing: permit.Standing(), Cells: cells,
		Deadline: w.deadline(permit),
	})
	if err != nil {
		permit.GiveBack()
		r.stale, r.behind = true, true
		if r.outrun++; !errors.Is(err, ledger.ErrOutrun) || r.outrun > mostOutrun {
			w.logFailure("store call", err)
			w.pauseTill = w.Clock.Steady().Add(lookAgain)
		}
		return
	}
	r.outrun = 0
	if len(r.todo) == 0 && call.Lane != lane.Lower {
		w.firstSeen = time.Time{} // what was collected is on its way
	}
	r.inFlight++
	w.calls.Go(func() { w.ended <- w.send(call, permit, begun, cells) })
}

// deadline is the instant, in steady time, at which a call is given up, and after which
// it is not sent either. It does not move when the call has to wait for its turn.
func (w *Worker) deadline(permit *gate.Permit) time.Time { return permit.Steady().Add(w.Timeout) }

// mostPause is the longest pause of closings: a far side that answers again has them soon,
// and one value that stays unclear keeps no others back for long.
const mostPause = 30 * time.Second

// pace notes how long to leave the channel alone after a call that failed, or left
// values unclear. Closings wait for the first, and for one of their own, but not as long as the rest.
func (w *Worker) pace(e end) {
	// Whatever leaves cells to be told again would be told again at once,
	// without end; only the gate's own holds pace themselves.
	if e.outcome != gate.Failed && (!e.unclear || e.outcome == gate.Limited) {
		delete(w.failed, e.of)
		if !w.Clock.Steady().Before(w.restTill) { // a closing that goes through says nothing about the rest
			w.attempt = 0
		}
		return
	}
	w.failed[e.of] = w.Clock.Steady()
	w.attempt++
	// The clock goes by microseconds: a pause that ends between two would be
	// found to last when its timer fires, and then wait for the next wake-up.
	pause := backoff.Delay(backoff.Delivery, w.attempt, e.call).Truncate(time.Microsecond)
	w.restTill = w.Clock.Steady().Add(pause)
	if e.outcome == gate.Failed || e.lowers {
		w.pauseTill = w.Clock.Steady().Add(min(pause, mostPause))
	}
}

// cellsByKey returns the cells of a call by their address at the far side.
func cellsByKey(c plan.Call) map[connectors.Key]hotel.Cell {
	at := make(map[connectors.Key]hotel.Cell, len(c.Cells))
	for i, k := range c.Keys {
		at[k] = c.Cells[i].Ref
	}
	return at
}
