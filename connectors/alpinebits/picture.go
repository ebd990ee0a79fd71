package alpinebits

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// pictures are what a portal was last told, kept on the shelf. A booking rule replaces
// all restrictions of its days, a rate all prices of its nights, and a complete set
// everything: what is told of one value says the others again, as they were last told.
//
// There is a picture of each line, a category or a category in a rate plan, and a list
// of the lines that go together.
type pictures struct{ shelf connectors.Shelf }

// together names what goes together: the counts of all categories, or one rate plan.
type together struct{ plan string }

func (g together) name() string {
	if g.plan == "" {
		return "rooms"
	}
	return fmt.Sprintf("plan %q", g.plan)
}

func (g together) line(room string) string { return fmt.Sprintf("%s %q", g.name(), room) }

// stroke is a value of some nights, as it is kept.
type stroke struct {
	Group     hotel.Group    `json:"group"`
	Occupancy int            `json:"guests,omitempty"`
	From      hotel.Date     `json:"from"`
	To        hotel.Date     `json:"to"`
	Value     int64          `json:"value"`
	Currency  hotel.Currency `json:"currency,omitempty"`
}

// rooms lists the categories of which something was told.
func (p pictures) rooms(ctx context.Context, of together) ([]string, error) {
	return fetch[[]string](ctx, p.shelf, of.name())
}

// line is what was told of a category.
func (p pictures) line(ctx context.Context, of together, room string) (values, error) {
	strokes, err := fetch[[]stroke](ctx, p.shelf, of.line(room))
	if err != nil {
		return nil, err
	}
	told := values{}
	for _, s := range strokes {
		for night := s.From; night <= s.To; night++ {
			k := connectors.Key{Room: room, Rate: of.plan, Group: s.Group, Occupancy: s.Occupancy, Night: night}
			told[k] = hotel.DecodeOffer(s.Group, s.Value, s.Currency)
		}
	}
	return told, nil
}

// whole is what was told of all categories.
func (p pictures) whole(ctx context.Context, of together) (values, error) {
	rooms, err := p.rooms(ctx, of)
	if err != nil {
		return nil, err
	}
	told := values{}
	for _, room := range rooms {
		line, err := p.line(ctx, of, room)
		if err != nil {
			return nil, err
		}
		maps.Copy(told, line)
	}
	return told, nil
}

// keep puts down what is told of a category. Days that are over are left out.
func (p pictures) keep(ctx context.Context, of together, room string, told values, today hotel.Date) error {
	rooms, err := p.rooms(ctx, of)
	if err != nil {
		return err
	}
	var changes []connectors.Change
	for _, k := range sorted(told) {
		if k.Night >= today-1 { // the property may be behind us by a day
			changes = append(changes, connectors.Change{Key: k, Offer: told[k]})
		}
	}
	strokes := []stroke{}
	for _, r := range connectors.Runs(changes) {
		strokes = append(strokes, stroke{r.Key.Group, r.Key.Occupancy, r.Key.Night, r.Last, r.Offer.Encode(r.Key.Group), r.Offer.Amount.Currency})
	}
	if err := put(ctx, p.shelf, of.line(room), strokes); err != nil || slices.Contains(rooms, room) {
		return err
	}
	return put(ctx, p.shelf, of.name(), append(rooms, room))
}

// forget takes away what was told of all categories that go together.
func (p pictures) forget(ctx context.Context, of together) error {
	rooms, err := p.rooms(ctx, of)
	if err != nil {
		return err
	}
	for _, room := range rooms {
		if err := put(ctx, p.shelf, of.line(room), []stroke{}); err != nil {
			return err
		}
	}
	return put(ctx, p.shelf, of.name(), []string{})
}

func fetch[T any](ctx context.Context, shelf connectors.Shelf, name string) (of T, err error) {
	body, err := shelf.Get(ctx, name)
	if err != nil || len(body) == 0 {
		return of, err
	}
	if err := json.Unmarshal(body, &of); err != nil {
		return of, fmt.Errorf("read %s of the shelf: %w", name, err)
	}
	return of, nil
}

func put(ctx context.Context, shelf connectors.Shelf, name string, what any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return shelf.Put(ctx, name, body)
}
