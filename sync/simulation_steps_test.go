package sync_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// steps is the ledger as the engine sees it. Each of the engine's goroutines takes
// its turn before it asks anything, every write is traced and may be the last
// that a life of the hotel's side makes, and a planted bug does its work here.
type steps struct {
	*ledger.Ledger
	w    *world
	life context.Context
	bug  bug

	completed time.Time // when updates were last looked at

	mu    sync.Mutex
	calls map[string]stepsCall // by delivery
}

// stepsCall is a call under way, for whoever settles it.
type stepsCall struct {
	channel string
	by      turn
}

var _ chansync.Ledger = (*steps)(nil)

// look is a read by one of a channel's goroutines.
func look[T any](s *steps, channel string, by turn, f func() (T, error)) (T, error) {
	s.w.turn(channel, by).take()
	return f()
}

// write is a durable step by one of them.
func write[T any](s *steps, channel string, by turn, what string, f func() (T, error)) (T, error) {
	s.w.turn(channel, by).take()
	if s.w.isFull() {
		return *new(T), errFull
	}
	v, err := f()
	if s.life.Err() == nil {
		s.w.trace.add("step %s of %s: %v %v", what, channel, seen(v), err)
		s.w.burn()
	}
	return v, err
}

// seen is what a trace tells of a result.
func seen(v any) any {
	if r, ok := v.(ledger.Received); ok {
		return fmt.Sprint(r.Duplicate, r.Ignored, len(r.Reservations))
	}
	return v
}

// done is a step without a result.
func done(s *steps, channel string, by turn, what string, f func() error) error {
	_, err := write(s, channel, by, what, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

func (s *steps) Lines(ctx context.Context, channel string) (counters []ledger.Counter, mappings []hotel.Mapping, err error) {
	s.w.turn(channel, workerTurn).take()
	return s.Ledger.Lines(ctx, channel)
}

func (s *steps) Work(ctx context.Context, channel string, reach ledger.Reach, how ledger.Turn) (ledger.Work, error) {
	return look(s, channel, workerTurn, func() (ledger.Work, error) {
		work, err := s.Ledger.Work(ctx, channel, reach, how)
		s.bug.work(&work)
		return work, err
	})
}

func (s *steps) Desire(ctx context.Context, channel string, work ledger.Work, wanted []ledger.Wanted) error {
	return done(s, channel, workerTurn, "desire", func() error {
		return s.Ledger.Desire(ctx, channel, work, s.bug.desire(wanted))
	})
}

func (s *steps) Dirty(ctx context.Context, channel string, today hotel.Date, limit int) ([]ledger.DirtyCell, error) {
	return look(s, channel, workerTurn, func() ([]ledger.DirtyCell, error) {
		dirty, err := s.Ledger.Dirty(ctx, channel, today, limit)
		return s.bug.dirty(dirty), err
	})
}

func (s *steps) Pressing(ctx context.Context, channel string, today hotel.Date, limit int) ([]ledger.DirtyCell, error) {
	return look(s, channel, workerTurn, func() ([]ledger.DirtyCell, error) {
		dirty, err := s.Ledger.Pressing(ctx, channel, today, limit)
		return s.bug.dirty(dirty), err
	})
}

func (s *steps) Refuse(ctx context.Context, channel string, revision int64, cells []ledger.SentCell, reasons map[hotel.Cell]string) error {
	return done(s, channel, workerTurn, "refuse", func() error { return s.Ledger.Refuse(ctx, channel, revision, cells, reasons) })
}

func (s *steps) Hold(ctx context.Context, channel string, revision int64, prices []ledger.HeldPrice) (map[hotel.Cell]bool, error) {
	return write(s, channel, workerTurn, "hold", func() (map[hotel.Cell]bool, error) { return s.Ledger.Hold(ctx, channel, revision, prices) })
}

func (s *steps) Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error) {
	begins, settles := workerTurn, senderTurn
	switch {
	case d.Kind == ledger.Act:
		begins, settles = actorTurn, actorTurn
	case d.Kind == ledger.Read:
		begins, settles = readerTurn, readerTurn
	case d.Kind == ledger.List, d.Operation == "read":
		begins, settles = listerTurn, listerTurn
	case d.Kind == ledger.Pull:
		begins, settles = pollerTurn, pollerTurn
	}
	return write(s, d.ChannelID, begins, "begin", func() (ledger.Begun, error) {
		begun, err := s.bug.begin(s, d, func() (ledger.Begun, error) { return s.Ledger.Begin(ctx, d) })
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls[begun.ID] = stepsCall{d.ChannelID, settles}
		return begun, err
	})
}

func (s *steps) Settle(ctx context.Context, o ledger.Settlement) error {
	s.mu.Lock()
	call := s.calls[o.DeliveryID]
	s.mu.Unlock()
	err := done(s, call.channel, call.by, "settle "+string(o.State), func() error {
		return s.bug.settle(s, o, func(o ledger.Settlement) error {
			err := s.Ledger.Settle(ctx, o)
			if err == nil && s.life.Err() == nil {
				s.w.stored(call.channel, o.Standing)
			}
			if o.State == ledger.DeliveryPartial || o.State == ledger.DeliveryRejected {
				s.w.turnedDown(call.channel)
			}
			return err
		})
	})
	if s.bug.forgetsUnstored && errors.Is(err, errFull) {
		return nil
	}
	return err
}

func (s *steps) AskedOfChannel(ctx context.Context, channel string) ([]ledger.Asked, error) {
	return look(s, channel, actorTurn, func() ([]ledger.Asked, error) { return s.Ledger.AskedOfChannel(ctx, channel) })
}

func (s *steps) Answered(ctx context.Context, a ledger.Asked, o ledger.Settlement) error {
	s.mu.Lock()
	channel := s.calls[o.DeliveryID].channel
	s.mu.Unlock()
	return done(s, channel, actorTurn, "answered "+string(o.State), func() error {
		err := s.Ledger.Answered(ctx, a, o)
		if err == nil && s.life.Err() == nil {
			s.w.stored(channel, o.Standing)
		}
		return err
	})
}

func (s *steps) Receive(ctx context.Context, r ledger.Receipt) (ledger.Received, error) {
	return write(s, r.ChannelID, sinkTurn, "receive "+r.Key, func() (ledger.Received, error) {
		return s.bug.receive(s, r, func(r ledger.Receipt) (ledger.Received, error) {
			received, err := s.Ledger.Receive(ctx, r)
			if err == nil {
				s.w.hears(r.ChannelID, r.Ref)
			}
			return received, err
		})
	})
}

func (s *steps) PollCursor(ctx context.Context, channel string) (string, error) {
	return look(s, channel, pollerTurn, func() (string, error) { return s.Ledger.PollCursor(ctx, channel) })
}

func (s *steps) Polled(ctx context.Context, channel, call, cursor string) error {
	return done(s, channel, pollerTurn, "polled "+cursor, func() error { return s.Ledger.Polled(ctx, channel, call, cursor) })
}

func (s *steps) Unlisted(ctx context.Context, channel string) (u ledger.Unlisted, ok bool, err error) {
	s.w.turn(channel, listerTurn).take()
	return s.Ledger.Unlisted(ctx, channel)
}

func (s *steps) NextDoubt(ctx context.Context, channel string, unseen, unsure time.Duration) (time.Time, error) {
	return look(s, channel, listerTurn, func() (time.Time, error) { return s.Ledger.NextDoubt(ctx, channel, unseen, unsure) })
}

func (s *steps) Doubts(ctx context.Context, channel string, stale, unsure time.Time) ([]ledger.Doubt, error) {
	return look(s, channel, listerTurn, func() ([]ledger.Doubt, error) { return s.Ledger.Doubts(ctx, channel, stale, unsure) })
}

func (s *steps) BeginCount(ctx context.Context, channel string, of []ledger.Doubt) error {
	return done(s, channel, listerTurn, "begin count", func() error { return s.Ledger.BeginCount(ctx, channel, of) })
}

func (s *steps) Counted(ctx context.Context, channel string, counts map[ledger.Doubt]int) error {
	return done(s, channel, listerTurn, "counted", func() error { return s.Ledger.Counted(ctx, channel, counts) })
}

func (s *steps) Reclose(ctx context.Context, channel string, of []ledger.Doubt) error {
	return done(s, channel, listerTurn, "reclose", func() error { return s.Ledger.Reclose(ctx, channel, of) })
}

func (s *steps) KeepTerms(ctx context.Context, channel string, terms hotel.Terms) error {
	s.w.turn(channel, workerTurn).take()
	return s.Ledger.KeepTerms(ctx, channel, terms)
}

func (s *steps) DealDue(ctx context.Context) error {
	worldTurn.take()
	return s.Ledger.DealDue(ctx)
}

func (s *steps) ToRead(ctx context.Context, channel string, of ledger.ReadScope, from hotel.Date) ([]ledger.RemoteNights, error) {
	return look(s, channel, readerTurn, func() ([]ledger.RemoteNights, error) { return s.Ledger.ToRead(ctx, channel, of, from) })
}

func (s *steps) ReadBack(ctx context.Context, r ledger.Reading) error {
	return done(s, r.ChannelID, readerTurn, "read back", func() error { return s.Ledger.ReadBack(ctx, r) })
}

func (s *steps) ReadDone(ctx context.Context, channel string, began time.Time) error {
	return done(s, channel, readerTurn, "read", func() error { return s.Ledger.ReadDone(ctx, channel, began) })
}

func (s *steps) DeriveDue(ctx context.Context) (bool, error) {
	houseTurn.take()
	return s.Ledger.DeriveDue(ctx)
}

func (s *steps) Recover(ctx context.Context) (int, error) {
	worldTurn.take()
	if s.bug.forgetsOpen {
		return 0, nil
	}
	return s.Ledger.Recover(ctx)
}

func (s *steps) SentSince(ctx context.Context, account string, after time.Time) ([]ledger.Sent, error) {
	if s.bug.forgetsSent {
		return nil, nil
	}
	return s.Ledger.SentSince(ctx, account, after)
}

func (s *steps) Standing(ctx context.Context, account string) (ledger.Standing, error) {
	if s.bug.forgetsStanding {
		return ledger.Standing{}, nil
	}
	return s.Ledger.Standing(ctx, account)
}

// What time does by itself is set off by the world.

func (s *steps) Tick(ctx context.Context) error {
	worldTurn.take()
	if s.bug.standsStill {
		return nil
	}
	return s.Ledger.Tick(ctx)
}

func (s *steps) NoteStale(ctx context.Context) (time.Time, error) {
	worldTurn.take()
	if s.bug.tellsNoStale {
		return time.Time{}, nil
	}
	return s.Ledger.NoteStale(ctx)
}

func (s *steps) NoteErrors(ctx context.Context, link func(string) (hotel.Link, bool)) error {
	worldTurn.take()
	return s.Ledger.NoteErrors(ctx, link)
}

func (s *steps) NoteSilence(ctx context.Context, from time.Time) error {
	worldTurn.take()
	return s.Ledger.NoteSilence(ctx, from)
}

func (s *steps) DueStays(ctx context.Context) (int, error) {
	worldTurn.take()
	return s.Ledger.DueStays(ctx)
}

// CompleteUpdates looks at every update under way, which is much to do and for
// nobody's sake but theirs who watch: it is done now and then.
func (s *steps) CompleteUpdates(ctx context.Context) error {
	if time.Since(s.completed) < 10*time.Minute {
		return nil
	}
	s.completed = time.Now()
	worldTurn.take()
	return s.Ledger.CompleteUpdates(ctx)
}
