package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// Poll implements [connectors.Poller]. A portal answers with all that has not been
// acknowledged, so there is no cursor. What sink has taken is acknowledged, what
// cannot be read and what only asks for an offer as well, as long as it has a number.
// A reservation of another hotel is passed by and left unacknowledged.
func (c pulled) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	const op = "fetch reservations"
	t, err := c.terms(ctx)
	if err != nil {
		return cursor, err
	}
	all, err := c.read(ctx, op, t, time.Time{})
	if err != nil {
		return cursor, err
	}
	places, err := c.heard.place(ctx, all, c.today())
	if err != nil {
		return cursor, unkept(op, err)
	}
	var taken []message.UniqueID
	var foreign error
	for i, r := range all {
		if c.foreign(r) {
			foreign = errors.Join(foreign, &connectors.Error{Kind: connectors.Invalid, Op: op, Err: fmt.Errorf("reservation %s is for another hotel", r.ID.ID)})
			continue
		}
		if err := sink.Deliver(ctx, numbered(r, places[i])); err != nil {
			return cursor, errors.Join(fmt.Errorf("%s: keep reservation %s: %w", op, r.ID.ID, err), c.acknowledge(ctx, t, taken), foreign)
		}
		if r.ID.Tells() {
			taken = append(taken, r.ID)
		}
	}
	return cursor, errors.Join(c.acknowledge(ctx, t, taken), foreign)
}

// foreign reports whether a reservation says that it is for another hotel.
func (c *conn) foreign(r message.Reservation) bool {
	return r.Hotel.Code != "" && r.Hotel.Code != c.cfg.Hotel
}

// read asks for what has not been acknowledged, or for all since an instant.
func (c *conn) read(ctx context.Context, op string, t terms, since time.Time) ([]message.Reservation, error) {
	reply, err := c.request(ctx, op, message.ReadRequests, t, message.WriteRead(c.property(), since))
	if err != nil {
		return nil, err
	}
	said, all, err := message.ReadReservations(reply)
	return all, c.settled(ctx, op, said, err)
}

// acknowledge tells the portal which reservations are received. An answer that does
// not say that it has heard is none: they come once more.
func (c *conn) acknowledge(ctx context.Context, t terms, taken []message.UniqueID) error {
	if len(taken) == 0 {
		return nil
	}
	const op = "acknowledge reservations"
	said, err := c.ask(ctx, op, message.Acknowledge, t, message.WriteAcknowledgement(taken), message.Acknowledged)
	if err == nil && said.Refused() {
		err = c.failed(op, said)
	}
	if err != nil {
		return err
	}
	return c.heard.settle(ctx, taken, c.today())
}
