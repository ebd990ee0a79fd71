package mock

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// List implements [connectors.Lister].
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	const op = "list bookings"
	query := url.Values{"from": {from.String()}, "to": {to.String()}}
	for range maxPages {
		var p page
		if err := c.get(ctx, op, "bookings", query, &p); err != nil {
			return err
		}
		for _, raw := range p.Messages {
			said, m, err := parseMessage(raw)
			if err == nil && said.Hotel != c.cfg.Hotel {
				err = fmt.Errorf("message %s is for another hotel", said.ID)
			}
			if err != nil {
				return unreadable(op, err) // a list with a hole is no list
			}
			if err := sink.Deliver(ctx, m); err != nil {
				return fmt.Errorf("%s: keep booking %s: %w", op, said.Reference, err)
			}
		}
		if !p.More {
			return nil
		}
		if p.Next == query.Get("after") {
			break
		}
		query.Set("after", p.Next)
	}
	return unreadable(op, errors.New("the list does not end"))
}

// Products implements [connectors.Catalog].
func (c *conn) Products(ctx context.Context) ([]connectors.RemoteProduct, error) {
	var said productsAnswer
	if err := c.get(ctx, "list products", "products", nil, &said); err != nil {
		return nil, err
	}
	products := make([]connectors.RemoteProduct, 0, len(said.Products))
	for _, p := range said.Products {
		products = append(products, connectors.RemoteProduct(p))
	}
	return products, nil
}
