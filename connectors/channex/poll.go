package channex

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// feedForgets is after how long without a poll the feed may have dropped revisions
// that were never acknowledged. Channex keeps them for thirty minutes.
const feedForgets = 25 * time.Minute

// pollFor is how long one poll goes on. What is left then is for the next, which is
// asked for at once: nothing else may be sent on the account meanwhile.
const pollFor = 6 * time.Second

// place is how far a channel's bookings are fetched: the cursor of a poll.
type place struct {
	Drained time.Time `json:"drained,omitzero"` // when the feed was last read to its end
	Lost    time.Time `json:"lost,omitzero"`    // since when the feed may have dropped something that was never stored
	Page    int       `json:"page,omitempty"`   // of the list that is read for it, from the newest on
	Notice  string    `json:"notice,omitempty"` // the newest for which that list was begun
}

// noticed is what the shelf calls the newest webhook by which Channex told of a revision
// that nobody acknowledged. It stays there: the cursor has the one that was heeded, for
// a poll that fails keeps no cursor.
const noticed = "notice"

// Poll implements [connectors.Poller]. The feed has every revision that is not
// acknowledged, so there is no place in it to go on from. Where it was not read for too
// long, or Channex tells of a revision that nobody acknowledged, the bookings to come are
// listed too, the newest first, so that what the feed has dropped is not lost.
func (c *conn) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	began := c.clock.Now()
	var at place
	_ = json.Unmarshal([]byte(cursor), &at) // "" is the first poll, which has lost nothing yet
	end := began.Add(pollFor)
	told, err := c.newestNotice(ctx)
	if err != nil {
		return cursor, err
	}
	drained, err := c.drain(ctx, end, sink)
	if told != at.Notice || !at.Drained.IsZero() && began.Sub(at.Drained) > feedForgets {
		at.Lost, at.Page, at.Notice = began, 1, told // also where a list is under way: it has passed by what comes first
	}
	if drained && err == nil {
		at.Drained = began
		if !at.Lost.IsZero() {
			err = c.recover(ctx, end, &at, sink)
		}
	}
	if err == nil && (!drained || !at.Lost.IsZero()) {
		sink.Hint() // there is more
	}
	text, unwritten := json.Marshal(at)
	return string(text), errors.Join(err, unwritten)
}

// newestNotice returns the newest notice; "" where there was none, or none can come.
func (c *conn) newestNotice(ctx context.Context) (string, error) {
	if c.cfg.WebhookSecret == "" {
		return "", nil
	}
	body, err := c.shelf.Get(ctx, noticed)
	if err != nil {
		return "", fmt.Errorf("look for a notice of Channex: %w", err)
	}
	return string(body), nil
}

// recover goes on with the list of all bookings to come. One that cannot be read is
// delivered as that: it keeps no other back.
func (c *conn) recover(ctx context.Context, end time.Time, at *place, sink connectors.Sink) error {
	today := hotel.DateIn(c.clock.Now().Add(-12*time.Hour), time.UTC) // the earliest that it is anywhere
	query := url.Values{"filter[departure_date][gte]": {today.String()}}
	page, whole, err := c.list(ctx, query, at.Page, func(_ resource, m connectors.Message) (bool, error) {
		if err := sink.Deliver(ctx, m); err != nil {
			return false, fmt.Errorf("list bookings: keep booking %s: %w", m.Ref, err)
		}
		return c.clock.Now().Before(end), nil
	})
	if at.Page = page; !whole || err != nil {
		return err
	}
	if at.Notice != "" { // whatever it was about is among them
		if err := c.report(ctx, hotel.ChannelReport{Code: unacknowledged, Over: true}); err != nil {
			return err
		}
	}
	at.Lost, at.Page = time.Time{}, 0
	return nil
}

// drain fetches and acknowledges revisions, oldest first, until none is left, or until
// end; false: something is. One that cannot be read is kept and acknowledged like the
// others, and one that cannot be acknowledged keeps none behind it, unless it is Channex
// that wants no more calls. One of another property is passed by and left unacknowledged.
func (c *conn) drain(ctx context.Context, end time.Time, sink connectors.Sink) (whole bool, err error) {
	const op = "fetch bookings"
	taken := map[string]bool{}
	_, whole, err = c.pages(ctx, op, "booking_revisions/feed", url.Values{"order[inserted_at]": {"asc"}}, 1, func(data []json.RawMessage) (step, error) {
		then, errs := further, []error(nil)
		for _, raw := range data {
			said, m, err := c.message(ctx, raw)
			if err != nil {
				return pause, err
			}
			id := said.ID
			if c.foreign(said) || taken[id] {
				continue
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return pause, fmt.Errorf("%s: keep revision %s: %w", op, id, err)
			}
			if id == "" {
				continue // it is kept, and nobody can acknowledge it
			}
			if err := c.acknowledge(ctx, id); err != nil {
				if k := connectors.AsError(err).Kind; k == connectors.RateLimited || k == connectors.Denied {
					return pause, errors.Join(append([]error{err}, errs...)...) // before the others: it is what is heeded
				}
				errs = append(errs, err)
				continue
			}
			// What is acknowledged leaves the feed, and all behind it move up.
			taken[id], then = true, again
			if !c.clock.Now().Before(end) {
				return pause, errors.Join(errs...)
			}
		}
		return then, errors.Join(errs...)
	})
	return whole, err
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

// message reads a revision, or says what is certain about one that cannot be read. The
// error is that of a house of which nobody can tell now what it sells.
func (c *conn) message(ctx context.Context, raw json.RawMessage) (resource, connectors.Message, error) {
	var unknown error
	said, m, err := parseBooking(raw, func(room, rate string) bool {
		sells, err := c.sells(ctx, room, rate)
		unknown = cmp.Or(unknown, err)
		return sells
	})
	if unknown != nil {
		return said, connectors.Message{}, fmt.Errorf("read what is sold: %w", unknown)
	}
	if err != nil {
		m = connectors.Message{Key: said.revision(), Ref: said.ref(), At: said.at(), Problem: err.Error()}
	}
	m.Raw = withoutCards(raw)
	return said, m, nil
}

// sells reports whether the house sells something as a rate plan there. It does not where
// nobody can tell.
func (c *conn) sells(ctx context.Context, room, rate string) (bool, error) {
	if c.sold == nil {
		return false, nil
	}
	rooms, err := c.sold(ctx)
	return slices.ContainsFunc(rooms, func(r connectors.SoldRoom) bool { return r.Room == room && slices.Contains(r.Rates, rate) }), err
}

// Reread implements [connectors.Rereader].
func (c *conn) Reread(ctx context.Context, raw []byte) (connectors.Message, error) {
	said, m, err := c.message(ctx, raw)
	if err == nil && c.foreign(said) {
		return connectors.Message{}, errors.New("the revision is of another property")
	}
	return m, err
}
