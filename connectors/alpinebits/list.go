package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// booksAhead is how long before the stay somebody books at the most.
const booksAhead = 2 * 365 * 24 * time.Hour

// List implements [connectors.Lister]. A portal can be asked for all that came up
// since an instant, acknowledged or not, and not for the nights of a span: it is
// asked for two years, and what has no night in the span is left out. Of each
// reservation the last word counts.
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	const op = "list reservations"
	t, err := c.terms(ctx)
	if err != nil {
		return err
	}
	since := c.clock.Now()
	if first := from.Time(); first.Before(since) {
		since = first
	}
	all, err := c.read(ctx, op, t, since.Add(-booksAhead))
	if err != nil {
		return err
	}
	places, err := c.heard.place(ctx, all, c.today())
	if err != nil {
		return unkept(op, err)
	}
	last := map[string]int{}
	for i, r := range all {
		if c.foreign(r) {
			return unreadable(op, errors.New("a reservation is for another hotel"))
		}
		if was, known := last[r.ID.ID]; !known || follows(all[was], r) {
			last[r.ID.ID] = i
		}
	}
	for i, r := range all {
		if last[r.ID.ID] != i || r.Status == message.Requested {
			continue
		}
		m := numbered(r, places[i])
		if m.Problem != "" {
			return unreadable(op, errors.New(m.Problem)) // a list with a hole is no list
		}
		if !touches(m.Booking, from, to) {
			continue
		}
		if err := sink.Deliver(ctx, m); err != nil {
			return fmt.Errorf("%s: keep reservation %s: %w", op, m.Ref, err)
		}
	}
	return nil
}

// follows reports whether what stands further down in a list was said later. No order of a
// list is agreed on: times tell, where both have one, and a booking that was modified was
// made before. Whether a booking was cancelled, or made again under its number, nobody can
// tell without them: it goes by its place.
func follows(above, below message.Reservation) bool {
	if a, b := at(above), at(below); !a.IsZero() && !b.IsZero() && !a.Equal(b) {
		return b.After(a)
	}
	return above.Status != message.Modified || below.Status != message.Reserved
}

// touches reports whether a booking has a night in the span, or does not say which
// nights it has.
func touches(b hotel.ChannelBooking, from, to hotel.Date) bool {
	for _, r := range b.Rooms {
		if r.Stay.CheckIn < to && r.Stay.CheckOut > from {
			return true
		}
	}
	return len(b.Rooms) == 0
}
