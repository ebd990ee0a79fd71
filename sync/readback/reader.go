// Package readback asks channels what they show: on a schedule, more often where a
// wrong number does most harm, after calls of which nobody knows what became of
// them, and when somebody wants to know. What a channel shows is the fourth fact of
// its cells; what follows from a difference is decided where it is stored.
//
// Reading waits behind everything else at the gate: it never keeps a closing.
package readback

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/lane"
)

const (
	// operation names the bucket of read-backs.
	operation = "read"

	// soldOutEvery is how often the nights are read on which no room may show.
	soldOutEvery = 10 * time.Minute

	// doubtAfter is how long a doubt is left to the call that tells the value again,
	// which is the faster way to settle it.
	doubtAfter = 30 * time.Second

	// mostNights is how many nights one call asks for, and mostWhole how many where it is
	// for all rooms.
	mostNights = 92
	mostWhole  = 31

	// mostAsked is how many reads of some nights may wait for their turn.
	mostAsked = 16

	// mostCells is how many cells are stored at a time, so that nothing waits long
	// for the writer.
	mostCells = 1000
)

// Reader reads one channel back.
type Reader struct {
	Ledger   Ledger
	Channel  hotel.Channel
	Property hotel.Property
	Read     connectors.Reader
	Whole    connectors.WholeReader // nil: rooms are asked for one by one
	Terms    hotel.Terms
	Calls    call.Maker
	Clock    hotel.Clock
	Log      *zap.Logger

	times  timetable
	due    chan struct{}
	wanted [3]atomic.Bool // by scope: it is to be read
	asked  chan func(ctx context.Context)

	failed atomic.Int32 // in a row
	reach  contain.Reach

	// In microseconds of steady time.
	notBefore atomic.Int64 // when the next may be tried after one that failed
	whole     atomic.Int64 // when the last read of everything began that ended well, since the channel was opened; 0: none did
	ended     atomic.Int64 // when everything was last read, since the channel was opened; 0: not yet
	soldOut   atomic.Int64 // when the nights without rooms were last read
	doubted   atomic.Int64 // since when there is a doubt that is to be read; 0: there is none
}

// Start reads the channel's schedule: a cron expression in UTC, or "@every 1h".
func (r *Reader) Start() (err error) {
	if r.times, err = newTimetable(r.Channel.ID, cmp.Or(r.Channel.ReadBack, hotel.DefaultReadBack)); err != nil {
		return err
	}
	r.due, r.asked = make(chan struct{}, 1), make(chan func(context.Context), mostAsked)
	r.soldOut.Store(r.Clock.Steady().UnixMicro())
	return nil
}

// Tick asks for what is due. last is when the last read of everything began, which
// the ledger keeps: one that was missed while the program was down happens once.
func (r *Reader) Tick(last time.Time) {
	now := r.Clock.Steady()
	if now.UnixMicro() < r.notBefore.Load() {
		return
	}
	if !r.times.due(last, r.Clock.Now()) {
		if now.Sub(time.UnixMicro(r.soldOut.Load())) >= soldOutEvery {
			r.want(ledger.ReadSoldOut)
		}
		if since := r.doubted.Load(); since != 0 && now.Sub(time.UnixMicro(since)) >= doubtAfter {
			r.want(ledger.ReadDoubts)
		}
		return
	}
	r.want(ledger.ReadAll)
}

// Now asks for everything to be read, whatever the schedule says.
func (r *Reader) Now() { r.want(ledger.ReadAll) }

// ReadSince reports whether everything was read since an instant in steady time, and
// asks for it where it was not.
func (r *Reader) ReadSince(t time.Time) bool {
	if at := r.whole.Load(); at != 0 && at >= t.UnixMicro() {
		return true
	}
	r.Tick(time.Time{})
	return false
}

// ReadNights has some nights read as soon as may be, and tells what came of it. One
// that is asked for when too many wait is not read.
func (r *Reader) ReadNights(nights hotel.Span, told func(error)) {
	read := func(ctx context.Context) {
		list, err := r.Ledger.ToRead(ctx, r.Channel.ID, ledger.ReadAll, r.Property.Today(r.Clock.Now()))
		if err == nil {
			err = r.read(ctx, within(list, nights))
		}
		told(err)
	}
	select {
	case r.asked <- read:
	default:
		told(errors.New("too many reads wait already"))
	}
}

// within leaves of what is to be read the nights of a span.
func within(list []ledger.RemoteNights, nights hotel.Span) []ledger.RemoteNights {
	var out []ledger.RemoteNights
	for _, of := range list {
		if of.Nights = (hotel.Span{From: max(of.Nights.From, nights.From), To: min(of.Nights.To, nights.To)}); of.Nights.From <= of.Nights.To {
			out = append(out, of)
		}
	}
	return out
}

// Doubt notes that a call has ended of which nobody knows what became of it.
func (r *Reader) Doubt() { r.doubted.CompareAndSwap(0, r.Clock.Steady().UnixMicro()) }

func (r *Reader) want(s ledger.ReadScope) {
	r.wanted[s].Store(true)
	select {
	case r.due <- struct{}{}:
	default: // one is under way or about to be
	}
}

// Run reads whenever asked, until ctx ends.
func (r *Reader) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case read := <-r.asked:
			read(ctx)
			continue
		case <-r.due:
		}
		for _, s := range []ledger.ReadScope{ledger.ReadDoubts, ledger.ReadSoldOut, ledger.ReadAll} {
			if !r.wanted[s].Swap(false) {
				continue
			}
			err := r.readAll(ctx, s)
			r.pace(err)
			if err != nil && ctx.Err() == nil {
				r.Log.Warn("read-back did not go well", zap.String("channel", r.Channel.ID), zap.Error(err))
			}
		}
	}
}

// pace notes how long to leave the far side alone after a read that failed.
func (r *Reader) pace(err error) {
	if err == nil {
		r.failed.Store(0)
		return
	}
	r.notBefore.Store(r.Clock.Steady().Add(backoff.Delay(backoff.Delivery, int(r.failed.Add(1)), "read "+r.Channel.ID)).UnixMicro())
}

// readAll reads the nights of a scope.
func (r *Reader) readAll(ctx context.Context, scope ledger.ReadScope) error {
	began, steady := r.Clock.Now(), r.Clock.Steady()
	if scope == ledger.ReadDoubts {
		r.doubted.Store(0) // a later one is another
	}
	list, err := r.Ledger.ToRead(ctx, r.Channel.ID, scope, r.Property.Today(began))
	if err != nil {
		return err
	}
	if err := r.read(ctx, list); err != nil {
		return err
	}
	return r.done(ctx, scope, began, steady)
}

// read reads nights of rooms, call by call.
func (r *Reader) read(ctx context.Context, list []ledger.RemoteNights) error {
	lines, err := r.lines(ctx)
	if err != nil {
		return err
	}
	most := mostNights
	if r.Whole != nil {
		list, most = whole(list), mostWhole
	}
	for _, of := range list {
		if err := r.reach.Each(of.Nights, most, func(span hotel.Span) error { return r.call(ctx, lines, of.Room, span) }); err != nil {
			return err
		}
	}
	return nil
}

// whole leaves of what is to be read the nights, in order and each once, whatever room
// they are asked of.
func whole(list []ledger.RemoteNights) []ledger.RemoteNights {
	list = slices.SortedFunc(slices.Values(list), func(a, b ledger.RemoteNights) int { return cmp.Compare(a.Nights.From, b.Nights.From) })
	var out []ledger.RemoteNights
	for _, of := range list {
		if n := len(out) - 1; n >= 0 && of.Nights.From <= out[n].Nights.To+1 {
			out[n].Nights.To = max(out[n].Nights.To, of.Nights.To)
			continue
		}
		out = append(out, ledger.RemoteNights{Nights: of.Nights})
	}
	return out
}

// done notes that a scope was read, from an instant on, which is told in steady time too.
func (r *Reader) done(ctx context.Context, scope ledger.ReadScope, began, steady time.Time) error {
	if scope == ledger.ReadDoubts {
		return nil
	}
	r.soldOut.Store(steady.UnixMicro()) // everything has these nights too
	if scope == ledger.ReadSoldOut {
		return nil
	}
	r.whole.Store(steady.UnixMicro())
	r.ended.Store(r.Clock.Steady().UnixMicro())
	return r.Ledger.ReadDone(ctx, r.Channel.ID, began)
}

// Lately reports whether a read of everything ended well not longer ago than this.
func (r *Reader) Lately(within time.Duration) bool {
	ended := r.ended.Load()
	return ended != 0 && r.Clock.Steady().Sub(time.UnixMicro(ended)) < within
}

// Failing reports whether the last read that was tried did not end well, so that waiting for
// one may take for ever.
func (r *Reader) Failing() bool { return r.failed.Load() > 0 }

// call asks for a span of nights of a room, or of all where it is "", within the account's
// limits, and stores what is shown.
func (r *Reader) call(ctx context.Context, lines lines, room string, nights hotel.Span) error {
	ask := func(ctx context.Context) ([]connectors.Change, error) {
		if r.Whole != nil {
			return r.Whole.ReadWhole(ctx, nights.From, nights.To)
		}
		return r.Read.Read(ctx, room, nights.From, nights.To)
	}
	keep := func(ctx context.Context, id string, shown []connectors.Change) (hotel.Fault, error) {
		cells, leftOut, fault := lines.cells(shown, r.Terms, room, nights)
		return fault, r.store(ctx, ledger.Reading{ChannelID: r.Channel.ID, DeliveryID: id, Cells: cells, LeftOut: leftOut})
	}
	return call.Make(ctx, r.Calls, call.Call{Kind: ledger.Read, Operation: operation, Lane: lane.Read, Nights: nights}, ask, keep)
}

// store stores what was shown, a piece at a time.
func (r *Reader) store(ctx context.Context, of ledger.Reading) error {
	for cells := range slices.Chunk(of.Cells, mostCells) {
		of.Cells = cells
		if err := r.Ledger.ReadBack(ctx, of); err != nil {
			return err
		}
	}
	return nil
}
