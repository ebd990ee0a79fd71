package inbound

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
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

// Lister finds out what a channel has sold of guarded rooms and what it shows, where
// that is not known for sure. It reads all its bookings for the nights on which
// counters of it are closed: only when every sale made before the closing is known
// may their rooms be given to somebody else. And where a counter may show less than
// was granted to it, it reads the count, and the bookings after it; where counts
// cannot be read it has the counter closed, and opened again behind the list.
type Lister struct {
	Ledger  Ledger
	Channel hotel.Channel
	List    connectors.Lister
	Read    connectors.Reader // nil: its counts cannot be read
	Sink    *Sink
	Calls   call.Maker
	Clock   hotel.Clock
	Log     *zap.Logger
	Lag     time.Duration // from a sale until a list shows it
	Idle    time.Duration // how often to look without a wake-up

	failed int // in a row; Run's own
	reach  contain.Reach
	asked  chan func(ctx context.Context)
}

const (
	// listOperation and readOperation name the buckets of lists and of counts.
	listOperation = "list"
	readOperation = "read"

	// unseenFor is how long a counter may go unseen. A call that was lost or came
	// late leaves it at less than it was granted.
	unseenFor = time.Hour

	// reclosedAfter is that where counts cannot be read, and reclosedAtOnce how many
	// counters, each on each night, are closed at a time: meanwhile nobody buys there.
	reclosedAfter  = 24 * time.Hour
	reclosedAtOnce = 30

	// unsureFor is how long to wait before a counter is looked at that was told
	// something at the time of a cancellation.
	unsureFor = 30 * time.Second
)

// mostAsked is how many lists of some nights may wait for their turn.
const mostAsked = 16

// Start makes it ready to be asked.
func (l *Lister) Start() { l.asked = make(chan func(context.Context), mostAsked) }

// ListNights has the bookings of some nights listed as soon as may be, and tells what
// came of it. A list that is asked for when too many wait is not read.
func (l *Lister) ListNights(nights hotel.Span, told func(error)) {
	select {
	case l.asked <- func(ctx context.Context) { told(l.list(ctx, nights)) }:
	default:
		told(errors.New("too many lists wait already"))
	}
}

// Run looks whenever something may be there to find out, until ctx ends.
func (l *Lister) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		changed := l.Ledger.OffersChanged(l.Channel.PropertyID)
		wait, err := l.look(ctx)
		if err == nil {
			l.failed = 0
		} else if ctx.Err() == nil {
			l.failed++
			wait = backoff.Delay(backoff.Delivery, l.failed, l.Channel.ID)
			changed = nil // it has to wait, whatever else happens
			l.Log.Warn("list of bookings did not go well", zap.String("channel", l.Channel.ID), zap.Error(err))
		}
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-ctx.Done():
		case list := <-l.asked:
			list(ctx)
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// look finds out what there is to find out, and returns how long to wait for the
// next look unless something changes.
func (l *Lister) look(ctx context.Context) (time.Duration, error) {
	u, waits, err := l.Ledger.Unlisted(ctx, l.Channel.ID)
	if err != nil {
		return 0, err
	}
	if !waits {
		return l.count(ctx)
	}
	lag := l.due(u).Sub(l.Clock.Steady())
	if lag <= 0 {
		return 0, l.list(ctx, u.Nights) // others may wait by then
	}
	if l.Read == nil {
		return min(lag, l.Idle), nil // what is closed sells nothing: no more at a time
	}
	wait, err := l.count(ctx)
	return min(lag, wait), err
}

// due is when the list that is waited for may begin: the lag behind the last that was
// closed or read, so that one list serves all, but no more than another lag behind the
// first, else it would never begin where something always comes.
func (l *Lister) due(u ledger.Unlisted) time.Time {
	due, latest := u.Last.Add(l.Lag), u.First.Add(2*l.Lag)
	if latest.Before(due) {
		return latest
	}
	return due
}

// count reads the counts of doubtful counters. A list of what was sold before follows.
func (l *Lister) count(ctx context.Context) (time.Duration, error) {
	now := l.Clock.Now()
	unseen, unsure := unseenFor, unsureFor
	if l.Read == nil {
		unseen, unsure = reclosedAfter, reclosedAfter
	}
	next, err := l.Ledger.NextDoubt(ctx, l.Channel.ID, unseen, unsure)
	if err != nil || next.IsZero() || next.After(now) {
		return l.Idle, err
	}
	if l.Read == nil {
		return l.reclose(ctx, now.Add(-reclosedAfter))
	}
	// Whoever is due soon goes along: a call reads all nights of a room, and counters
	// that were told something at different times would each ask for calls of their own.
	doubts, err := l.Ledger.Doubts(ctx, l.Channel.ID, now.Add(-unseenFor/2), now.Add(-unsureFor))
	if err != nil || len(doubts) == 0 {
		return l.Idle, err
	}
	if err := l.Ledger.BeginCount(ctx, l.Channel.ID, doubts); err != nil {
		return 0, err
	}
	counts := map[ledger.Doubt]int{}
	rooms := roomsOf(doubts)
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		nights := rooms[room]
		var shown []connectors.Change
		err := call.Make(ctx, l.Calls, call.Call{Kind: ledger.Pull, Operation: readOperation, Lane: lane.Raise, Nights: nights},
			func(ctx context.Context) ([]connectors.Change, error) {
				return l.Read.Read(ctx, room, nights.From, nights.To)
			},
			func(_ context.Context, _ string, answer []connectors.Change) (fault hotel.Fault, err error) {
				shown, fault = contain.Shown(answer, room, nights)
				return fault, nil
			})
		for _, d := range doubts {
			for _, c := range shown {
				if c.Key == (connectors.Key{Room: d.RemoteRoom, Rate: d.RemoteRate, Group: hotel.Availability, Night: d.Night}) {
					counts[d] = c.Offer.Available
				}
			}
		}
		if err != nil {
			return 0, err
		}
	}
	if len(counts) == 0 {
		return l.Idle, nil
	}
	return 0, l.Ledger.Counted(ctx, l.Channel.ID, counts)
}

// reclose has the nearest counters closed of which nobody has known since an instant
// what they show. A list follows when they are, and then they are opened again.
func (l *Lister) reclose(ctx context.Context, since time.Time) (time.Duration, error) {
	doubts, err := l.Ledger.Doubts(ctx, l.Channel.ID, since, since)
	if err != nil || len(doubts) == 0 {
		return l.Idle, err
	}
	slices.SortFunc(doubts, func(a, b ledger.Doubt) int { return cmp.Or(cmp.Compare(a.Night, b.Night), cmp.Compare(a.Line, b.Line)) })
	return l.Idle, l.Ledger.Reclose(ctx, l.Channel.ID, doubts[:min(len(doubts), reclosedAtOnce)])
}

// roomsOf returns the nights in question of each remote room.
func roomsOf(doubts []ledger.Doubt) map[string]hotel.Span {
	of := map[string]hotel.Span{}
	for _, d := range doubts {
		s, ok := of[d.RemoteRoom]
		if !ok {
			s = hotel.Span{From: d.Night, To: d.Night}
		}
		of[d.RemoteRoom] = hotel.Span{From: min(s.From, d.Night), To: max(s.To, d.Night)}
	}
	return of
}

// listedAtOnce is of how many nights at most one call lists the bookings.
const listedAtOnce = 92

// list reads the channel's bookings of some nights, to the end. A list of which not all
// could be read proves nothing.
func (l *Lister) list(ctx context.Context, nights hotel.Span) error {
	return l.reach.Each(nights, listedAtOnce, func(part hotel.Span) error { return l.listPart(ctx, part) })
}

func (l *Lister) listPart(ctx context.Context, nights hotel.Span) error {
	ask := func(ctx context.Context) (struct{}, error) {
		sink := &watched{Sink: l.Sink}
		err := l.List.List(ctx, nights.From, nights.To+1, sink)
		if err == nil {
			err = sink.whole()
		}
		return struct{}{}, sink.failed(err)
	}
	return call.Make(ctx, l.Calls, call.Call{Kind: ledger.List, Operation: listOperation, Lane: lane.Raise, Nights: nights}, ask, nil)
}
