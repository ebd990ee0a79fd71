package mock

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Read implements [connectors.Reader].
func (c pushed) Read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, room, from, to)
}

// Read implements [connectors.Reader].
func (c pulled) Read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, room, from, to)
}

func (c *conn) read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	const op = "read back"
	var shown shownAnswer
	query := url.Values{"room": {room}, "from": {from.String()}, "to": {to.String()}}
	if err := c.get(ctx, op, "shown", query, &shown); err != nil {
		return nil, err
	}
	changes, err := parseShown(shown, room, hotel.Span{From: from, To: to})
	if err != nil {
		return nil, unreadable(op, err)
	}
	return changes, nil
}

// parseShown turns what is shown into changes, night by night. It refuses what
// was not asked for.
func parseShown(shown shownAnswer, room string, asked hotel.Span) ([]connectors.Change, error) {
	var out []connectors.Change
	add := func(key connectors.Key, to hotel.Date, o hotel.Offer) error {
		span := hotel.Span{From: key.Night, To: to}
		if key.Room != room || span.Days() == 0 || !asked.Contains(span.From) || !asked.Contains(span.To) {
			return errors.New("it is about a room or nights that were not asked for")
		}
		for night := span.From; night <= span.To; night++ {
			key.Night = night
			out = append(out, connectors.Change{Key: key, Offer: o})
		}
		return nil
	}
	for _, u := range shown.Availability {
		key := connectors.Key{Room: u.Room, Rate: u.Rate, Group: hotel.Availability, Night: u.From}
		if err := add(key, u.To, hotel.Offer{Available: u.Available}); err != nil {
			return nil, err
		}
	}
	for _, u := range shown.Rates {
		key, offer := connectors.Key{Room: u.Room, Rate: u.Rate, Night: u.From}, hotel.Offer{}
		switch {
		case u.Closures != nil:
			key.Group = hotel.Closures
			offer.Closed = hotel.Closed{Closed: u.Closures.Closed, Arrival: u.Closures.Arrival, Departure: u.Closures.Departure}
		case u.Lengths != nil:
			key.Group, offer.Lengths = hotel.Lengths, *u.Lengths
		case len(u.Prices) == 1:
			shown := u.Prices[0]
			amount, err := hotel.ParseMoney(shown.Amount, hotel.Currency(shown.Currency))
			if err != nil {
				return nil, fmt.Errorf("price of %s: %w", u.From, err)
			}
			key.Group, key.Occupancy, offer.Amount = hotel.Price, shown.Guests, amount
		default:
			return nil, errors.New("an entry does not show one thing")
		}
		if err := add(key, u.To, offer); err != nil {
			return nil, err
		}
	}
	return out, nil
}
