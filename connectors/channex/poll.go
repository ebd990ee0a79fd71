package channex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// feedForgets is after how long without a poll the feed may have dropped revisions
// that were never acknowledged. Channex keeps them for thirty minutes.
const feedForgets = 25 * time.Minute

// Poll implements [connectors.Poller]. The feed has every revision that is not
// acknowledged, so there is no place in it to go on from: the cursor is when it was
// last drained. Where that is too long ago, the bookings to come are listed too, so
// that what the feed has dropped meanwhile is not lost.
func (c *conn) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	began := c.clock.Now()
	if err := c.drain(ctx, sink); err != nil {
		return cursor, err
	}
	if last, err := time.Parse(time.RFC3339, cursor); err == nil && began.Sub(last) > feedForgets {
		today := hotel.DateIn(began.Add(-12*time.Hour), time.UTC) // the earliest that it is anywhere
		if err := c.list(ctx, url.Values{"filter[departure_date][gte]": {today.String()}}, sink); err != nil {
			return cursor, err
		}
	}
	return began.Format(time.RFC3339), nil
}

// drain fetches and acknowledges revisions, oldest first, until none is left. One that
// cannot be read is kept and acknowledged like the others. One of another property is
// passed by and left unacknowledged.
func (c *conn) drain(ctx context.Context, sink connectors.Sink) error {
	const op = "fetch bookings"
	taken := map[string]bool{}
	return c.pages(ctx, op, "booking_revisions/feed", url.Values{"order[inserted_at]": {"asc"}}, func(data []json.RawMessage) (again bool, err error) {
		for _, raw := range data {
			said, m := c.message(raw)
			id := said.ID
			if c.foreign(said) || taken[id] {
				continue
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return false, fmt.Errorf("%s: keep revision %s: %w", op, id, err)
			}
			if id == "" {
				continue // it is kept, and nobody can acknowledge it
			}
			if err := c.acknowledge(ctx, id); err != nil {
				return false, err
			}
			// What is acknowledged leaves the feed, and all behind it move up.
			taken[id], again = true, true
		}
		return again, nil
	})
}

// acknowledge tells Channex that a revision is kept. One that it no longer has is
// acknowledged.
func (c *conn) acknowledge(ctx context.Context, id string) error {
	const op = "acknowledge booking"
	reply, err := c.do(ctx, op, http.MethodPost, "booking_revisions/"+url.PathEscape(id)+"/ack", nil)
	if failure := (*connectors.Error)(nil); errors.As(err, &failure) && failure.Kind == connectors.Unmapped {
		return nil
	}
	if err != nil {
		return err
	}
	var said updateAnswer
	if err := json.Unmarshal(reply.Body, &said); err != nil || said.Meta.Message != "Success" {
		return unreadable(op, errors.New("it does not say that the revision is acknowledged"))
	}
	return nil
}

// foreign reports whether a revision is of another property.
func (c *conn) foreign(said resource) bool {
	return said.Attributes.Property != "" && string(said.Attributes.Property) != c.cfg.Property
}

// message reads a revision, or says what is certain about one that cannot be read.
func (c *conn) message(raw json.RawMessage) (resource, connectors.Message) {
	said, m, err := parseBooking(raw)
	if err != nil {
		m = connectors.Message{Key: said.revision(), Ref: said.ref(), At: said.at(), Problem: err.Error()}
	}
	m.Raw = withoutCards(raw)
	return said, m
}

// Reread implements [connectors.Rereader].
func (c *conn) Reread(_ context.Context, raw []byte) (connectors.Message, error) {
	said, m := c.message(raw)
	if c.foreign(said) {
		return connectors.Message{}, errors.New("the revision is of another property")
	}
	return m, nil
}
