package process

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

const (
	mostAsked = 100     // questions to the house in one call
	mostTold  = 8 << 20 // bytes of one answer
	mostTaken = 1100    // nights in one question about what is taken
)

// tells is what can be asked of the house, in the order of the protocol, which a program
// hears when it is opened.
func tells(env connectors.Env) []string {
	var can []string
	for _, of := range []struct {
		name  string
		known bool
	}{
		{wire.AskRooms, env.Rooms != nil},
		{wire.AskProperty, env.Property != nil},
		{wire.AskClosed, env.Shut != nil},
		{wire.AskInstallation, env.Installation != nil},
		{wire.AskTaken, env.Taken != nil},
	} {
		if of.known {
			can = append(can, of.name)
		}
	}
	return can
}

// tell answers a program's question to the house, the asked-th of its call.
func (r *run) tell(ctx context.Context, q *wire.House, asked int) *wire.Told {
	out := &wire.Told{Number: q.Number}
	err := r.ofHouse(ctx, q, asked, out)
	if err == nil {
		var text []byte
		if text, err = json.Marshal(out); err == nil && len(text) > mostTold {
			err = fmt.Errorf("get: %s is more than %d bytes, and cannot be told", q.Get, mostTold)
		}
	}
	if err != nil {
		return &wire.Told{Number: q.Number, Error: r.conceal.Replace(err.Error())}
	}
	return out
}

func (r *run) ofHouse(ctx context.Context, q *wire.House, asked int, out *wire.Told) (err error) {
	names, can, get := []string{wire.AskRooms, wire.AskProperty, wire.AskClosed, wire.AskInstallation, wire.AskTaken}, tells(r.env), q.Get
	switch {
	case asked > mostAsked:
		return fmt.Errorf("the house is asked more than %d times in one call: keep what it told", mostAsked)
	case !slices.Contains(names, get):
		return fmt.Errorf("get: %.60q is none of %s", get, strings.Join(names, ", "))
	case !slices.Contains(can, get):
		return fmt.Errorf("get: nobody can tell %s here; what can be asked stands in house of open", get)
	case (get == wire.AskTaken) != (q.Nights != nil):
		return fmt.Errorf("nights: they go with get: %s, and with nothing else", wire.AskTaken)
	case q.Nights != nil && (q.Nights.Days() < 1 || q.Nights.Days() > mostTaken):
		return fmt.Errorf("nights: expected 1 to %d of them", mostTaken)
	}
	switch get {
	case wire.AskRooms:
		var sold []connectors.SoldRoom
		sold, err = r.env.Rooms(ctx)
		out.Rooms = wire.FromRooms(sold)
	case wire.AskProperty:
		var p hotel.Property
		p, err = r.env.Property(ctx)
		out.Property = wire.FromProperty(p)
	case wire.AskClosed:
		out.Closed, err = r.env.Shut(ctx)
		if out.Closed == nil {
			out.Closed = []hotel.Span{}
		}
	case wire.AskInstallation:
		out.Installation, err = r.env.Installation(ctx)
	case wire.AskTaken:
		var taken map[string]map[hotel.Date]int
		taken, err = r.env.Taken(ctx, *q.Nights)
		out.Taken = wire.FromTaken(taken)
	}
	return err
}
