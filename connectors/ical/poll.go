package ical

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// Poll implements [connectors.Poller]. The cursor is the number of the last change
// that was taken: a calendar tells what is, and the changes are ours to find.
func (c *conn) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	after, err := strconv.ParseInt(cmp.Or(cursor, "0"), 10, 64)
	if err != nil {
		return cursor, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: "read calendars", Err: errors.New("the cursor is not one of ours")}
	}
	news := func(e *entry) bool { return e.Number > after }
	b, readings, failure := c.observe(ctx, after, news)
	next, err = c.deliver(ctx, b, cursor, news, sink)
	if err == nil {
		err = c.tellUnread(ctx, readings, sink)
	}
	if err == nil {
		err = c.tellOverlaps(ctx, b)
	}
	return next, errors.Join(err, failure)
}

// List implements [connectors.Lister]. The list has what the calendars show, and what
// vanished from them lately; stays that are over are in none.
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	within := func(e *entry) bool { return e.Stay.CheckIn < to && e.Stay.CheckOut > from }
	b, _, failure := c.observe(ctx, 0, within)
	_, err := c.deliver(ctx, b, "", within, sink)
	return errors.Join(err, failure)
}

// deliver hands on the entries that are wanted, in the order of their numbers, and
// returns that of the last one before which none is missing. One whose words may
// still come waits for them and holds up nobody: those behind it come again, and are
// known by their keys.
func (c *conn) deliver(ctx context.Context, b bookings, cursor string, wants func(*entry) bool, sink connectors.Sink) (next string, err error) {
	entries := slices.Clone(b.Entries)
	slices.SortFunc(entries, func(x, y *entry) int { return cmp.Compare(x.Number, y.Number) })
	next = cursor
	complete := true
	for _, e := range entries {
		switch {
		case !wants(e):
			continue
		case c.awaited(e):
			complete = false // its calendar could not be read, which is told
			continue
		}
		c.mu.Lock()
		event := c.seen[e.Ref]
		c.mu.Unlock()
		if err := sink.Deliver(ctx, c.message(e, event)); err != nil {
			return next, fmt.Errorf("keep booking %s: %w", e.Ref, err)
		}
		if complete {
			next = strconv.FormatInt(e.Number, 10)
		}
	}
	return next, nil
}

// message tells of an entry as it is now.
func (c *conn) message(e *entry, event calendar.Event) connectors.Message {
	number := strconv.FormatInt(e.Number, 10)
	m := connectors.Message{
		Key: e.Ref + "/" + number, Ref: e.Ref, Revision: number, Event: connectors.Booked, Raw: event.Raw,
		Booking: hotel.ChannelBooking{Tentative: e.Open && !e.Gone, Rooms: []hotel.ChannelRoom{{Room: roomOf(e.Listing), Stay: e.Stay}}},
	}
	switch {
	case e.Gone:
		m.Event, m.Raw = connectors.Cancelled, []byte(fmt.Sprintf("The calendar of %s shows %s no more.\n", e.Listing, e.Ref))
	case e.Changed:
		m.Event = connectors.Modified
	}
	if len(m.Raw) == 0 {
		m.Raw = []byte(fmt.Sprintf("The calendar of %s showed %s, in words that are not known any more.\n", e.Listing, e.Ref))
	}
	switch {
	case e.Gone:
	case e.Kind == calendar.Block:
		m.Booking.Guest = &hotel.Guest{LastName: "Blocked at " + c.cfg.Site}
	case event.Guest != "":
		m.Booking.Guest = &hotel.Guest{FirstName: event.Guest}
	}
	return m
}
