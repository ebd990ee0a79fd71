package serve

import (
	"context"
	"errors"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// furnish gives a connector what can be asked of the house, and nothing else.
func furnish(env *connectors.Env, can []string) {
	if slices.Contains(can, wire.AskRooms) {
		env.Rooms = rooms
	}
	if slices.Contains(can, wire.AskProperty) {
		env.Property = property
	}
	if slices.Contains(can, wire.AskClosed) {
		env.Shut = shut
	}
	if slices.Contains(can, wire.AskInstallation) {
		env.Installation = installation
	}
	if slices.Contains(can, wire.AskTaken) {
		env.Taken = taken
	}
}

func rooms(ctx context.Context) ([]connectors.SoldRoom, error) {
	said, err := ofHouse(ctx, wire.House{Get: wire.AskRooms})
	if err != nil {
		return nil, err
	}
	var sold []connectors.SoldRoom
	for _, s := range said.Rooms {
		sold = append(sold, s.Read())
	}
	return sold, nil
}

func property(ctx context.Context) (hotel.Property, error) {
	said, err := ofHouse(ctx, wire.House{Get: wire.AskProperty})
	if err != nil {
		return hotel.Property{}, err
	}
	if said.Property == nil {
		return hotel.Property{}, errors.New("the answer to a question about the property is about something else")
	}
	return said.Property.Read(), nil
}

func shut(ctx context.Context) ([]hotel.Span, error) {
	said, err := ofHouse(ctx, wire.House{Get: wire.AskClosed})
	if err != nil {
		return nil, err
	}
	return said.Closed, nil
}

func installation(ctx context.Context) (string, error) {
	said, err := ofHouse(ctx, wire.House{Get: wire.AskInstallation})
	if err != nil {
		return "", err
	}
	return said.Installation, nil
}

func taken(ctx context.Context, nights hotel.Span) (map[string]map[hotel.Date]int, error) {
	said, err := ofHouse(ctx, wire.House{Get: wire.AskTaken, Nights: &nights})
	if err != nil {
		return nil, err
	}
	return wire.ReadTaken(said.Taken, nights), nil
}

// ofHouse has Ostler ask the house, within a call.
func ofHouse(ctx context.Context, q wire.House) (*wire.Told, error) {
	f, err := request(ctx, "a question to the house", func(number int64) wire.Frame {
		q.Number = number
		return wire.Frame{House: &q}
	})
	if err != nil {
		return nil, err
	}
	if f.Told.Error != "" {
		return nil, errors.New(f.Told.Error)
	}
	return f.Told, nil
}
