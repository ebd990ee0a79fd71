package channex

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/connectors"
)

// mostNamed is how many of those that are there a sentence names.
const mostNamed = 5

// named is something as people know it, with its id.
func named(title, id string) string { return fmt.Sprintf("%.60q (%.60s)", title, id) }

// firstOf lists the first of several, and says how many there are besides.
func firstOf(all []string) string {
	if n := len(all); n > mostNamed {
		all = append(slices.Clone(all[:mostNamed]), fmt.Sprintf("%d more", n-mostNamed))
	}
	return strings.Join(all, ", ")
}

// withProperties adds to the failure of a property that is not found which ones the key
// sees, as far as that can be told.
func (c *conn) withProperties(ctx context.Context, err error) error {
	failure := (*connectors.Error)(nil)
	if !errors.As(err, &failure) || failure.Kind != connectors.Unmapped {
		return err
	}
	var said struct {
		Data []struct {
			ID         string `json:"id"`
			Attributes struct {
				Title string `json:"title"`
			} `json:"attributes"`
		} `json:"data"`
	}
	if c.get(ctx, failure.Op, "properties", url.Values{"pagination[limit]": {strconv.Itoa(perPage)}}, &said) != nil {
		return err // what is known of it is told
	}
	var seen []string
	for _, p := range said.Data {
		seen = append(seen, c.words(named(p.Attributes.Title, p.ID)))
	}
	words := "this key sees no property: give it one in Channex"
	if len(seen) > 0 {
		words = "properties that this key sees: " + firstOf(seen)
	}
	failure.Err = fmt.Errorf("%w; the channel's property is %q; %s", failure.Err, c.cfg.Property, words)
	return err
}

// missing says which room types and rate plans of the channel's mapping are not there, and
// what is: what they are told is refused.
func (c *conn) missing(ctx context.Context, plans []ratePlan) ([]string, error) {
	if c.sold == nil {
		return nil, nil
	}
	sold, err := c.sold(ctx)
	if err != nil || len(sold) == 0 {
		return nil, err
	}
	types, err := all[roomType](ctx, c, "look at the room types", "room_types")
	if err != nil {
		return nil, err
	}
	var rooms, rates, noRooms, noRates []string
	for _, r := range types {
		rooms = append(rooms, named(r.Attributes.Title, r.ID))
	}
	for _, p := range plans {
		rates = append(rates, named(p.Attributes.Title, p.ID))
	}
	for _, s := range sold {
		if !slices.ContainsFunc(types, func(r roomType) bool { return r.ID == s.Room }) {
			noRooms = append(noRooms, s.Room)
		}
		for _, rate := range s.Rates {
			if !slices.ContainsFunc(plans, func(p ratePlan) bool { return p.ID == rate }) && !slices.Contains(noRates, rate) {
				noRates = append(noRates, rate)
			}
		}
	}
	var doubts []string
	for _, d := range []struct {
		what         string
		lacks, there []string
	}{{"room types", noRooms, rooms}, {"rate plans", noRates, rates}} {
		if len(d.lacks) > 0 {
			doubts = append(doubts, fmt.Sprintf("the channel is mapped to %s that the property there does not have: %s; it has %s: map the channel anew", d.what, firstOf(d.lacks), orNone(firstOf(d.there))))
		}
	}
	return doubts, nil
}

func orNone(list string) string {
	if list == "" {
		return "none"
	}
	return list
}
