package ical

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/connectors"
)

// What is on the shelf: what is published, what the site has, of which of its stays it was
// reported that they overlap, and for each listing what the site has read.
const (
	feedName     = "feed"
	bookingsName = "bookings"
	overlapsName = "overlaps"
	visitName    = "visit/"
)

// load reads what was saved under the name, the zero value when nothing was.
func load[T any](ctx context.Context, s connectors.Shelf, name string) (T, error) {
	var out T
	text, err := s.Get(ctx, name)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return out, fmt.Errorf("look up what is kept as %s: %w", name, err)
	}
	return out, nil
}

// save keeps a value under the name.
func save(ctx context.Context, s connectors.Shelf, name string, value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		err = s.Put(ctx, name, text)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}
