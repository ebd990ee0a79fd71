package inbound

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/robfig/cron/v3"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/gate"
	"ostler.example/sync/lane"
)

// maxCursor is the longest cursor that is kept, in bytes. It is read before each pull.
const maxCursor = 4 << 10

// hintsMissed is how many pulls in a row bring something that no hint has told of before
// somebody is told that hints have stopped: one may be later than the pull that it is about.
const hintsMissed = 3

// pollOperation names the bucket of pulls.
const pollOperation = "poll"

// Poller fetches one channel's messages when its schedule says so.
type Poller struct {
	Ledger   Ledger
	Channel  hotel.Channel
	Poll     connectors.Poller
	Sink     *Sink
	Calls    call.Maker
	Clock    hotel.Clock
	Log      *zap.Logger
	Hints    bool // the far side is to say when there is something to fetch
	schedule cron.Schedule
	due      chan struct{}
	hinted   chan struct{}

	failed    int          // pulls in a row; Run's own
	missed    int          // pulls since the last hint that brought something; Run's own
	heard     atomic.Bool  // a hint has come since Run looked last
	notBefore atomic.Int64 // when the next may be tried after one that failed, in microseconds of steady time
	fetched   atomic.Int64 // when the last began that went well, in microseconds of steady time; 0: none did
	owed      atomic.Bool  // one was asked for by the far side, or failed, and none went well since
}

// Start reads the channel's schedule. A schedule is a cron expression in UTC,
// or "@every 60s".
func (p *Poller) Start() error {
	s, err := cron.ParseStandard(p.Channel.Schedule)
	if err != nil {
		return fmt.Errorf("reservations schedule of channel %s: %w", p.Channel.ID, err)
	}
	p.schedule, p.due, p.hinted = s, make(chan struct{}, 1), make(chan struct{}, 1)
	return nil
}

// Tick asks for a pull if one is due by the time of the last one, which the
// ledger keeps: a pull missed while the program was down happens once. One that
// failed is due again before its time, with back-off, and so is one that the far
// side has asked for meanwhile. One that lies ahead was noted by a clock that was set
// back since: nobody knows how long ago it was, so another is due.
func (p *Poller) Tick(last time.Time) {
	now := p.Clock.Now()
	due := last.After(now) || !p.schedule.Next(last.UTC()).After(now)
	if (due || p.owed.Load()) && !p.resting() {
		p.Now()
	}
}

// resting reports whether the feed is left alone because a pull failed.
func (p *Poller) resting() bool { return p.Clock.Steady().UnixMicro() < p.notBefore.Load() }

// FetchedSince reports whether all was fetched that the far side had at an instant in
// steady time, and asks for a pull where it was not.
func (p *Poller) FetchedSince(t time.Time) bool {
	if at := p.fetched.Load(); at != 0 && at >= t.UnixMicro() {
		return true
	}
	if !p.resting() {
		p.Now()
	}
	return false
}

// Now asks for a pull, whatever the schedule says.
func (p *Poller) Now() {
	select {
	case p.due <- struct{}{}:
	default: // one is under way or about to be
	}
}

// Hint asks for a pull because the far side says that there is something to fetch. It
// may come while one is under way that is past it, so another follows. A feed that
// fails is left alone for its time all the same, and pulled then.
func (p *Poller) Hint() {
	p.heard.Store(true)
	p.Again()
}

// Again asks for a pull behind one that has left something for it.
func (p *Poller) Again() {
	select {
	case p.hinted <- struct{}{}:
	default: // the one that follows sees this too
	}
}

// Run pulls whenever asked, until ctx ends.
func (p *Poller) Run(ctx context.Context) error {
	if !p.Hints {
		p.unflag(ctx) // as long as it was to hint it may have been flagged
	}
	for {
		planned := false
		select {
		case <-ctx.Done():
			return nil
		case <-p.due:
			planned = true
		case <-p.hinted:
			if p.resting() {
				p.owed.Store(true)
				p.listen(ctx, false)
				continue
			}
		}
		// Of what was told while nobody could hear, or fetch, nothing follows.
		planned = planned && p.fetched.Load() != 0 && p.failed == 0
		brought, err := p.pull(ctx)
		p.listen(ctx, planned && brought)
		p.pace(err)
		select {
		case <-p.due: // asked for while this one was under way
		default:
		}
		if err != nil && ctx.Err() == nil {
			p.Log.Warn("pull of reservations did not go well", zap.String("channel", p.Channel.ID), zap.Error(err))
		}
	}
}

// listen notes that hints have stopped, or are heard again, once a pull is over: whether
// it is one that was planned and has brought something.
func (p *Poller) listen(ctx context.Context, brought bool) {
	switch {
	case !p.Hints:
	case p.heard.Swap(false):
		p.missed = 0
		p.unflag(ctx)
	case brought:
		if p.missed++; p.missed < hintsMissed {
			return
		}
		p.missed = 0
		err := p.Ledger.Flag(ctx, p.Channel.ID, ledger.PartHint, hotel.Fault{Kind: hotel.FaultUnannounced, Words: fmt.Sprintf(
			"bookings were found %d times in a row by fetching alone, and no call has told of them: see there whether its webhook is on, has the address /inbound/%s/ of this program and the secret of the channel's settings",
			hintsMissed, p.Channel.ID)})
		if err != nil && ctx.Err() == nil {
			p.Log.Error("note that a channel does not say any more when there is something to fetch", zap.String("channel", p.Channel.ID), zap.Error(err))
		}
	}
}

func (p *Poller) unflag(ctx context.Context) {
	if err := p.Ledger.Unflag(ctx, p.Channel.ID, ledger.PartHint); err != nil && ctx.Err() == nil {
		p.Log.Error("note that a channel need not say, or says again, when there is something to fetch", zap.String("channel", p.Channel.ID), zap.Error(err))
	}
}

// pace notes how long to leave the feed alone after a pull that failed: it
// shares the account's breaker with everything that is told to the channel.
func (p *Poller) pace(err error) {
	p.owed.Store(err != nil)
	if err == nil {
		p.failed = 0
		return
	}
	p.failed++
	p.notBefore.Store(p.Clock.Steady().Add(backoff.Delay(backoff.Delivery, p.failed, p.Channel.ID)).UnixMicro())
}

// pull fetches once, and reports whether anything came that had not come before.
func (p *Poller) pull(ctx context.Context) (brought bool, err error) {
	var began time.Time
	sink := &watched{Sink: p.Sink}
	ask := func(ctx context.Context) (string, error) {
		began = p.Clock.Steady()
		cursor, err := p.Ledger.PollCursor(ctx, p.Channel.ID)
		if err != nil {
			return "", &gate.OurOwn{Err: err}
		}
		next, err := p.Poll.Poll(ctx, cursor, sink)
		return next, sink.failed(err)
	}
	keep := func(ctx context.Context, id, next string) (hotel.Fault, error) {
		if len(next) > maxCursor {
			fault := hotel.Fault{Kind: hotel.FaultOversized, Words: fmt.Sprintf("where its next pull is to begin is said in %d bytes; it begins where this one did", len(next))}
			return fault, errors.New(fault.Words)
		}
		return hotel.Fault{}, p.Ledger.Polled(ctx, p.Channel.ID, id, next)
	}
	err = call.Make(ctx, p.Calls, call.Call{Kind: ledger.Pull, Operation: pollOperation, Lane: lane.Pull}, ask, keep)
	if err == nil {
		p.fetched.Store(began.UnixMicro())
	}
	return sink.fresh.Load(), err
}
