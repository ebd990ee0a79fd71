package ical

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// observe reads the calendars whose time has come, and keeps what the site has now.
// wants says of which entries the words are needed: a calendar of whose entries they
// are not at hand is read whole, even before its time. What came of it is
// returned also with an error, which tells of every calendar that could not be read;
// beside it stand the readings that count.
//
// Whoever has waited longest is read first. Those that the time does not suffice for
// are left for the next reading.
func (c *conn) observe(ctx context.Context, after int64, wants func(*entry) bool) (bookings, []reading, error) {
	select {
	case c.reading <- struct{}{}:
		defer func() { <-c.reading }()
	case <-ctx.Done():
		return bookings{}, nil, fmt.Errorf("calendars are being read: %w", ctx.Err())
	}
	b, err := load[bookings](ctx, c.shelf, bookingsName)
	if err != nil {
		return b, nil, err
	}
	if b.Sources == nil {
		b.Sources = map[string]source{}
	}
	b.Last = max(b.Last, after)
	b.follow(c.listings, c.clock.Now())
	readings, failures := c.readAll(ctx, &b, wants)
	if ctx.Err() != nil {
		return b, nil, ctx.Err() // whoever asked has given up
	}
	seen := b.reconcile(readings, c.clock.Now(), c.today())
	var doubts []error
	for _, r := range readings {
		if s := b.Sources[r.listing]; s.Problem != "" {
			doubts = append(doubts, unbelieved(r.listing, connectors.Possible, s.Problem))
		}
	}
	if err := c.keep(ctx, &b, seen); err != nil {
		return b, nil, errors.Join(append([]error{err}, failures...)...)
	}
	return b, readings, errors.Join(append(failures, doubts...)...)
}

// readAll reads what is due, as far as the time suffices. The first has all of it, so
// that it is its own failure when no answer comes; a later one that is cut short is
// the first next time.
func (c *conn) readAll(ctx context.Context, b *bookings, wants func(*entry) bool) (readings []reading, failures []error) {
	ctx, cancel := timeToRead(ctx)
	defer cancel()
	listings := slices.DeleteFunc(slices.Clone(c.listings), func(l listing) bool { return l.address == "" })
	slices.SortStableFunc(listings, func(x, y listing) int { return b.Sources[x.name()].Next.Compare(b.Sources[y.name()].Next) })
	first := true
	for _, l := range listings {
		before, whole := b.Sources[l.name()], c.lacks(*b, l, wants)
		if by := c.by(l); before.Of != by { // what is known of it is of another
			before = source{Of: by, Address: hashed(l.address), ReadAt: before.ReadAt}
			b.Sources[l.name()] = before
		}
		if !before.due(c.clock.Now(), whole) {
			if before.Problem != "" {
				failures = append(failures, unbelieved(l.name(), connectors.NotSent, before.Problem))
			}
			continue
		}
		if ctx.Err() != nil {
			continue // its time is the next reading
		}
		r, read, err := c.read(ctx, b, l, whole)
		switch {
		case err != nil && ctx.Err() != nil && !first:
			b.Sources[l.name()] = before
		case err != nil:
			failures = append(failures, err)
		case read:
			readings = append(readings, r)
		}
		first = false
	}
	return readings, failures
}

// readingShare is what of the time of a pull is for reading, in parts of a hundred.
const readingShare = 60

// timeToRead leaves of the time that is given enough to keep and to deliver what was
// read. A deadline is the machine's, wherever the clock of the channel stands.
func timeToRead(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, hotel.SystemClock{}.Until(deadline)*readingShare/100)
}

// awaited reports whether the words of an entry are not at hand and may still come:
// a calendar that is read has it until its check-out.
func (c *conn) awaited(e *entry) bool {
	c.mu.Lock()
	_, known := c.seen[e.Ref]
	c.mu.Unlock()
	return !known && !e.Gone && e.Stay.CheckOut > c.today() &&
		slices.ContainsFunc(c.listings, func(l listing) bool { return l.name() == e.Listing && l.address != "" })
}

// lacks reports whether words of the listing's entries are needed that are not at
// hand.
func (c *conn) lacks(b bookings, l listing, wants func(*entry) bool) bool {
	return slices.ContainsFunc(b.Entries, func(e *entry) bool { return e.Listing == l.name() && wants(e) && c.awaited(e) })
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
	rooms, err := c.taken(ctx)
	if err != nil {
		return err
	}
	f.publish(c.listings, b.own(), rooms, c.clock.Now(), c.today())
	return save(ctx, c.shelf, feedName, f)
}
