package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

func init() {
	connectors.Register(connectors.Driver[nothing]{
		Name: "asker", Summary: "asks the house whatever it can",
		Capabilities: func(nothing, connectors.Discovered) connectors.Capabilities {
			return connectors.Capabilities{
				Terms:      hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.BySeller, Fields: map[hotel.Field]hotel.Carriage{hotel.FieldAvailable: {As: hotel.Exact}}},
				Operations: []connectors.Operation{{Name: "all", Groups: []hotel.Group{hotel.Availability}}}, HasCatalog: true,
			}
		},
		Account: func(nothing) string { return "a" }, Place: func(nothing) string { return "p" }, Example: "# nothing\n",
		Open: func(ctx context.Context, _ nothing, env connectors.Env) (connectors.Connector, error) {
			a := &asker{env: env}
			if env.Installation == nil {
				return a, nil
			}
			var err error
			a.installation, err = env.Installation(ctx)
			return a, err
		},
	})
}

// nothing are the settings of a channel that has none.
type nothing struct{}

// Validate implements [connectors.Config].
func (nothing) Validate() error { return nil }

// asker tells as its products what the house told it.
type asker struct {
	env          connectors.Env
	installation string
}

func (*asker) Encode([]connectors.Change) ([]connectors.Call, []connectors.Refusal) { return nil, nil }

func (*asker) Send(context.Context, connectors.Call) (connectors.Answer, error) {
	return connectors.Answer{}, errors.New("it sends nothing")
}

func (*asker) Close() error { return nil }

func (a *asker) Products(ctx context.Context) ([]connectors.RemoteProduct, error) {
	products := []connectors.RemoteProduct{{Room: "installation", RoomName: a.installation}}
	add := func(room string, v any, err error) {
		text, _ := json.Marshal(v)
		if err != nil {
			text = []byte(err.Error())
		}
		products = append(products, connectors.RemoteProduct{Room: room, RoomName: string(text)})
	}
	if a.env.Rooms != nil {
		v, err := a.env.Rooms(ctx)
		add("rooms", v, err)
	}
	if a.env.Property != nil {
		v, err := a.env.Property(ctx)
		add("property", v, err)
	}
	if a.env.Shut != nil {
		v, err := a.env.Shut(ctx)
		add("closed", v, err)
	}
	if a.env.Taken != nil {
		v, err := a.env.Taken(ctx, hotel.Span{From: 10, To: 14})
		add("taken", v, err)
	}
	return products, nil
}

// questions are what a program asks one after the other, by how it behaves, and how often.
var questions = map[string]struct {
	of    []wire.House
	times int
}{
	"asks for what there is not": {[]wire.House{{Get: "prices"}, {Get: wire.AskClosed}, {}}, 3},
	"asks a thousand times":      {[]wire.House{{Get: wire.AskInstallation}}, 1000},
	"asks for much":              {[]wire.House{{Get: wire.AskRooms}}, 1},
	"asks for nights": {[]wire.House{
		{Get: wire.AskTaken}, {Get: wire.AskTaken, Nights: &hotel.Span{From: 2, To: 1}}, {Get: wire.AskTaken, Nights: &hotel.Span{From: 1, To: 1101}},
		{Get: wire.AskClosed, Nights: &hotel.Span{From: 1, To: 2}}, {Get: wire.AskTaken, Nights: &hotel.Span{From: 1, To: 1100}},
	}, 5},
	"hangs after asking":        {[]wire.House{{Get: wire.AskInstallation}}, 1},
	"asks when it is cancelled": {[]wire.House{{Get: wire.AskInstallation}}, 1},
}

// told are the answers so far, and how many there were of each in a row.
var (
	told  []wire.Product
	asked int
)

// ask asks the next question; after the last it says what it was told.
func ask(how string, id int64) {
	q := questions[how]
	if asked < q.times {
		next := q.of[asked%len(q.of)]
		next.Number = int64(asked)
		say(id, wire.Frame{House: &next})
		asked++
		return
	}
	if how == "hangs after asking" {
		return
	}
	if how == "asks when it is cancelled" {
		fmt.Fprintln(os.Stderr, "told:", told)
		say(id, wire.Frame{Error: &wire.Error{Kind: connectors.Temporary, Message: "cancelled"}})
		return
	}
	catalog, _ := json.Marshal(wire.Catalog{Products: told})
	say(id, wire.Frame{Result: catalog})
}

// heard goes on after an answer of the house with the next question.
func heard(how string, f wire.Frame) {
	said := f.Told.Installation + f.Told.Error + fmt.Sprint(f.Told.Closed)
	if last := len(told) - 1; last >= 0 && told[last].RoomName == said {
		told[last].Adults++
	} else {
		told = append(told, wire.Product{Room: "told", RoomName: said, Adults: 1})
	}
	ask(how, f.ID)
}
