package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"ostler.example/connectors"
)

// maxPages bounds one poll; the next one goes on where it ended.
const maxPages = 500

// Poll implements [connectors.Poller]. Each page is acknowledged when sink has
// taken it, a message that cannot be read as well. One for another hotel is
// passed by and left unacknowledged: those behind it arrive, and the cursor stays
// in front of it.
func (c pulled) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	return c.poll(ctx, cursor, sink)
}

// Poll implements [connectors.Poller], as that of pulled does.
func (c blind) Poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	return c.poll(ctx, cursor, sink)
}

func (c *conn) poll(ctx context.Context, cursor string, sink connectors.Sink) (next string, err error) {
	const op = "fetch bookings"
	next = cursor
	var foreign error
	for range maxPages {
		var p page
		if err := c.get(ctx, op, "feed", url.Values{"after": {cursor}}, &p); err != nil {
			return next, errors.Join(err, foreign)
		}
		if p.Messages == nil {
			return next, errors.Join(unreadable(op, errors.New("it is no page of the feed")), foreign)
		}
		var taken []string
		for _, raw := range p.Messages {
			said, m, err := parseMessage(raw)
			switch {
			case err != nil:
				m = unread(said, raw, err)
			case said.Hotel != c.cfg.Hotel:
				foreign = errors.Join(foreign, &connectors.Error{Kind: connectors.Invalid, Op: op, Err: fmt.Errorf("message %s is for another hotel", said.ID)})
				continue
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return next, errors.Join(fmt.Errorf("%s: keep message %s: %w", op, said.ID, err), c.acknowledge(ctx, taken), foreign)
			}
			if said.ID != "" {
				taken = append(taken, said.ID)
			}
		}
		if err := c.acknowledge(ctx, taken); err != nil {
			return next, errors.Join(err, foreign)
		}
		if p.More && p.Next == cursor {
			return next, errors.Join(unreadable(op, errors.New("the feed repeats its page")), foreign)
		}
		cursor = p.Next
		if foreign == nil {
			next = cursor
		}
		if !p.More {
			break
		}
	}
	return next, foreign
}

// acknowledge tells the far side that messages are received. An answer that does
// not say so is none: the page is fetched once more.
func (c *conn) acknowledge(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	body, err := json.Marshal(acknowledgement{Messages: ids})
	if err != nil {
		return fmt.Errorf("acknowledge bookings: %w", err)
	}
	const op = "acknowledge bookings"
	reply, err := c.do(ctx, op, http.MethodPost, c.address("feed/acknowledge", nil), body, nil)
	if err != nil {
		return err
	}
	var said acknowledged
	if err := json.Unmarshal(reply.Body, &said); err != nil {
		return unreadable(op, err)
	}
	if said.Acknowledged != len(ids) {
		return unreadable(op, fmt.Errorf("it acknowledges %d messages of %d", said.Acknowledged, len(ids)))
	}
	return nil
}
