package channex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// List implements [connectors.Lister]. A listed booking is known by its latest
// revision, as that of the feed is. A booking that is changed while it is listed comes to
// the front, from wherever it was: the list begins anew until there is nothing new at its
// front.
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	const op = "list bookings"
	query := url.Values{
		"filter[arrival_date][lte]":   {(to - 1).String()},
		"filter[departure_date][gte]": {(from + 1).String()},
	}
	listed := map[string]bool{} // by revision
	for before := -1; before < len(listed); {
		before = len(listed)
		_, _, err := c.list(ctx, query, 1, func(said resource, m connectors.Message) (bool, error) {
			switch {
			case m.Problem != "":
				return false, unreadable(op, errors.New(m.Problem)) // a list with a hole is no list
			case c.foreign(said):
				return false, unreadable(op, errors.New("a booking is of another property"))
			case listed[m.Key]:
				return false, nil
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return false, fmt.Errorf("%s: keep booking %s: %w", op, m.Ref, err)
			}
			listed[m.Key] = true
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// list hands the bookings of a query to take, the newest first, from a page on, until
// take has had enough. What is booked or changed meanwhile comes to the front and moves
// the rest back, so that no other is passed over; the feed has it too. It returns the page
// to go on with, and whether there is none.
func (c *conn) list(ctx context.Context, query url.Values, from int, take func(resource, connectors.Message) (more bool, err error)) (page int, whole bool, err error) {
	query.Set("order[inserted_at]", "desc")
	return c.pages(ctx, "list bookings", "bookings", query, from, func(data []json.RawMessage) (step, error) {
		then := further
		for _, raw := range data {
			said, m, err := c.message(ctx, raw)
			if err != nil {
				return pause, err
			}
			more, err := take(said, m)
			if err != nil {
				return pause, err
			}
			if !more {
				then = pauseBehind
			}
		}
		return then, nil
	})
}

// Products implements [connectors.Catalog].
func (c *conn) Products(ctx context.Context) ([]connectors.RemoteProduct, error) {
	const op = "list products"
	rooms, err := all[roomType](ctx, c, op, "room_types")
	if err != nil {
		return nil, err
	}
	plans, err := all[ratePlan](ctx, c, op, "rate_plans")
	if err != nil {
		return nil, err
	}
	var products []connectors.RemoteProduct
	for _, r := range rooms {
		room := connectors.RemoteProduct{Room: r.ID, RoomName: r.Attributes.Title, Adults: r.Attributes.Adults}
		sold := false
		for _, p := range plans {
			if p.room() == r.ID {
				product := room
				product.Rate, product.RateName, product.Board, product.Currency = p.ID, p.Attributes.Title, p.board(), p.Attributes.Currency
				products, sold = append(products, product), true
			}
		}
		if !sold {
			products = append(products, room)
		}
	}
	return products, nil
}

// all fetches a list whole.
func all[R any](ctx context.Context, c *conn, op, path string) ([]R, error) {
	var out []R
	_, _, err := c.pages(ctx, op, path, url.Values{}, 1, func(data []json.RawMessage) (step, error) {
		for _, raw := range data {
			var r R
			if err := json.Unmarshal(raw, &r); err != nil {
				return pause, unreadable(op, err)
			}
			out = append(out, r)
		}
		return further, nil
	})
	return out, err
}
