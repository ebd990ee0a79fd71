package ical

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// maxWait is the longest time between two attempts at a calendar that fails.
const maxWait = 6 * time.Hour

// observe reads the calendars whose time has come, and keeps what the site has now.
// wants says of which entries the words are needed: a calendar of whose entries they
// are not at hand is read whole, even before its time. What came of it is
// returned also with an error, which tells of every calendar that could not be read.
func (c *conn) observe(ctx context.Context, after int64, wants func(*entry) bool) (bookings, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	b, err := load[bookings](ctx, c.shelf, bookingsName)
	if err != nil {
		return b, err
	}
	if b.Sources == nil {
		b.Sources = map[string]source{}
	}
	b.Last = max(b.Last, after)
	var readings []reading
	var failures, doubts []error
	for _, l := range c.listings {
		if l.address == "" {
			continue
		}
		r, read, err := c.read(ctx, &b, l, c.lacks(b, l, wants))
		if ctx.Err() != nil {
			return b, ctx.Err() // nothing was learned of the calendar: it is read again
		}
		if err != nil {
			failures = append(failures, err)
		}
		if read {
			readings = append(readings, r)
		}
	}
	seen := b.reconcile(readings, c.clock.Now(), c.today())
	for _, r := range readings {
		if s := b.Sources[r.listing]; s.Problem != "" {
			doubts = append(doubts, unbelieved(r.listing, connectors.Possible, s.Problem))
		}
	}
	if err := c.keep(ctx, &b, seen); err != nil {
		return b, errors.Join(append([]error{err}, failures...)...)
	}
	return b, errors.Join(append(failures, doubts...)...)
}

// lacks reports whether words of the listing's entries are needed that are not at
// hand.
func (c *conn) lacks(b bookings, l listing, wants func(*entry) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range b.Entries {
		if _, known := c.seen[e.Ref]; !known && !e.Gone && e.Listing == l.name() && wants(e) {
			return true
		}
	}
	return false
}

// read reads one calendar if it is due, or whole at once if it has to be. It notes
// how that went; read is false when there is nothing new to make something of.
func (c *conn) read(ctx context.Context, b *bookings, l listing, whole bool) (out reading, read bool, err error) {
	now, s := c.clock.Now(), b.Sources[l.name()]
	if now.Before(s.Next) && (!whole || s.Failures > 0) {
		if s.Problem != "" {
			return reading{}, false, unbelieved(l.name(), connectors.NotSent, s.Problem)
		}
		return reading{}, false, nil
	}
	tag, modified := s.Tag, s.Modified
	if whole || s.Doubted != "" {
		tag, modified = "", ""
	}
	got, err := c.fetch(ctx, l, tag, modified)
	var said calendar.Calendar
	if err == nil && !got.same {
		today := c.today()
		if said, err = calendar.Read(got.body, calendar.Reading{Zone: c.zone, From: today, To: today + horizon}); err != nil {
			err = c.failure(l, fmt.Errorf("what the site answers does not count: %w", err))
		}
	}
	if err != nil {
		s.Failures++
		s.Problem = err.Error()
		s.Next = now.Add(c.backOff(s.Failures, err))
		b.Sources[l.name()] = s
		return reading{}, false, quiet(err)
	}
	s.Failures, s.Problem, s.ReadAt, s.Tag, s.Modified = 0, "", now.UTC(), got.tag, got.modified
	s.Next = now.Add(c.pause(l, now))
	b.Sources[l.name()] = s
	if got.same {
		return reading{}, false, nil
	}
	for _, w := range said.Warnings {
		c.log.Warn("the site's calendar is odd", zap.String("listing", l.name()), zap.String("what", w))
	}
	shown, err := c.shown(ctx, l)
	if err != nil {
		return reading{}, false, err
	}
	return c.counts(said, l.name(), shown), true, nil
}

// shown returns the stays that the site was shown as taken: by what it read last,
// and by what it finds now.
func (c *conn) shown(ctx context.Context, l listing) ([]hotel.Stay, error) {
	f, err := load[feed](ctx, c.shelf, feedName)
	if err != nil {
		return nil, err
	}
	v, err := load[visit](ctx, c.shelf, visitName+l.name())
	if err != nil {
		return nil, err
	}
	out := v.Busy
	if p := f.Listings[l.name()]; p != nil && !v.At.IsZero() { // what nobody read comes back from nobody
		out = append(out, p.stays()...)
	}
	return out, nil
}

// pause is the time to the next reading: that of the settings, less or more up to a
// tenth, so that calendars are not all read at once.
func (c *conn) pause(l listing, now time.Time) time.Duration {
	every := time.Duration(c.cfg.Every)
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.channel + l.name() + strconv.FormatInt(now.Unix(), 10))) // a hash never fails
	return every - every/10 + time.Duration(h.Sum64()%1000)*every/5000
}

// backOff is how long a calendar is left alone that could not be read for so many
// times: twice as long each time, and as long as the site asks for.
func (c *conn) backOff(failures int, err error) time.Duration {
	wait := max(time.Duration(c.cfg.Every), time.Minute)
	for range failures {
		wait = min(2*wait, maxWait)
	}
	return max(wait, connectors.AsError(err).RetryAfter)
}

// quiet takes out of an error how long the site asks us to wait: the account is not
// held for the sake of one calendar.
func quiet(err error) error {
	e := *connectors.AsError(err)
	e.RetryAfter = 0
	return &e
}

// unbelieved is the error of a calendar that does not count as it was read last. It
// says nothing against the account.
func unbelieved(listing string, effect connectors.Effect, problem string) error {
	return &connectors.Error{
		Kind: connectors.Invalid, Effect: effect, Op: "read the calendar of " + listing,
		Err: errors.New(problem),
	}
}

// keep puts what was learned on the shelf, and publishes what follows from it.
func (c *conn) keep(ctx context.Context, b *bookings, seen map[string]calendar.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := save(ctx, c.shelf, bookingsName, b); err != nil {
		return err
	}
	live := map[string]calendar.Event{}
	for _, e := range b.Entries {
		event, now := seen[e.Ref]
		if !now {
			event, now = c.seen[e.Ref]
		}
		if now && !e.Gone {
			live[e.Ref] = event
		}
	}
	c.seen = live
	f, err := load[feed](ctx, c.shelf, feedName)
	if err != nil || len(f.Told) == 0 {
		return err
	}
	f.publish(c.listings, b.own(), c.clock.Now(), c.today())
	return save(ctx, c.shelf, feedName, f)
}
