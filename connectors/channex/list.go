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
// revision, as that of the feed is.
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	return c.list(ctx, url.Values{
		"filter[arrival_date][lte]":   {(to - 1).String()},
		"filter[departure_date][gte]": {(from + 1).String()},
	}, sink)
}

func (c *conn) list(ctx context.Context, query url.Values, sink connectors.Sink) error {
	const op = "list bookings"
	query.Set("order[inserted_at]", "asc") // what is booked meanwhile comes at the end
	return c.pages(ctx, op, "bookings", query, func(data []json.RawMessage) (bool, error) {
		for _, raw := range data {
			said, m := c.message(raw)
			if m.Problem != "" {
				return false, unreadable(op, errors.New(m.Problem)) // a list with a hole is no list
			}
			if c.foreign(said) {
				return false, unreadable(op, errors.New("a booking is of another property"))
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return false, fmt.Errorf("%s: keep booking %s: %w", op, m.Ref, err)
			}
		}
		return false, nil
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
	err := c.pages(ctx, op, path, url.Values{}, func(data []json.RawMessage) (bool, error) {
		for _, raw := range data {
			var r R
			if err := json.Unmarshal(raw, &r); err != nil {
				return false, unreadable(op, err)
			}
			out = append(out, r)
		}
		return false, nil
	})
	return out, err
}
