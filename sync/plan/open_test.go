package plan

import (
	"slices"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// TestNightsOpenAtTheirPrice: closures that wait for a price are told open in one entry
// with it, where the far side takes both or neither; else they are told closed.
func TestNightsOpenAtTheirPrice(t *testing.T) {
	shut, noArrival := hotel.Offer{Closed: hotel.Closed{Closed: true}}, hotel.Offer{Closed: hotel.Closed{Arrival: true}}
	cost := hotel.Offer{Amount: hotel.Money{Minor: 9000, Currency: "EUR"}}
	waiting := func(night hotel.Date, open hotel.Offer) Cell {
		c := told(hotel.Closures, night, shut)
		c.Fresh, c.Open = true, &open
		return c
	}
	rates := connectors.Operation{
		Name: "rates", Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Joined: []hotel.Group{hotel.Lengths, hotel.Price}, Apart: true, Opens: true,
	}
	plain := rates
	plain.Opens = false
	packed := func(o connectors.Operation) Encode { return rules{[]connectors.Operation{o}}.encode }
	refusing := func(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
		var refused []connectors.Refusal
		rest := slices.DeleteFunc(slices.Clone(changes), func(c connectors.Change) bool { return c.Key.Group == hotel.Price })
		for _, c := range changes {
			if c.Key.Group == hotel.Price {
				refused = append(refused, connectors.Refusal{Change: c, Reason: "in another currency"})
			}
		}
		calls, _ := packed(rates)(rest)
		return calls, refused
	}
	for _, c := range []struct {
		name   string
		of     connectors.Operation
		encode Encode
		cells  []Cell
		open   []hotel.Date // nights that are told open, counted from the first
		calls  int
	}{
		{"beside its price", rates, packed(rates), []Cell{waiting(0, hotel.Offer{}), told(hotel.Price, 0, cost)}, []hotel.Date{0}, 1},
		{"with a limit of its own", rates, packed(rates), []Cell{waiting(0, noArrival), told(hotel.Price, 0, cost)}, []hotel.Date{0}, 1},
		{"beside the price of another night", rates, packed(rates), []Cell{waiting(0, hotel.Offer{}), told(hotel.Price, 1, cost)}, nil, 1},
		{"beside one that is closed for good", rates, packed(rates), []Cell{waiting(0, hotel.Offer{}), told(hotel.Price, 0, cost), told(hotel.Price, 1, cost), func() Cell {
			c := told(hotel.Closures, 1, shut)
			c.Fresh = true
			return c
		}()}, []hotel.Date{0}, 1},
		{"where entries are not taken as a whole", plain, packed(plain), []Cell{waiting(0, hotel.Offer{}), told(hotel.Price, 0, cost)}, nil, 1},
		{"where the price is refused before it is sent", rates, refusing, []Cell{waiting(0, hotel.Offer{}), told(hotel.Price, 0, cost)}, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(c.cells, []connectors.Operation{c.of}, c.encode)
			if err != nil {
				t.Fatal(err)
			}
			var open []hotel.Date
			for _, call := range p.Calls {
				for _, cell := range call.Cells {
					if cell.Key.Group == hotel.Closures && !cell.Want.Closed.Closed {
						open = append(open, cell.Key.Night-march)
					}
				}
				if len(open) == 0 && call.Lane == lane.Raise {
					t.Errorf("a call that opens nothing is in lane %s", call.Lane)
				}
			}
			if !slices.Equal(open, c.open) || len(p.Calls) != c.calls {
				t.Errorf("%d calls open %v, want %d that open %v", len(p.Calls), open, c.calls, c.open)
			}
		})
	}
}

// TestOpeningsShareTheEntryOfTheirPrice: no entry has one without the other.
func TestOpeningsShareTheEntryOfTheirPrice(t *testing.T) {
	key := connectors.Key{Room: "DBL", Rate: "BAR", Night: march}
	at := func(g hotel.Group, night hotel.Date, o hotel.Offer, atPrice bool) connectors.Change {
		k := key
		k.Group, k.Night = g, night
		return connectors.Change{Key: k, Offer: o, AtPrice: atPrice}
	}
	cost := hotel.Offer{Amount: hotel.Money{Minor: 9000, Currency: "EUR"}}
	changes := []connectors.Change{
		at(hotel.Closures, march, hotel.Offer{}, true), at(hotel.Price, march, cost, false),
		at(hotel.Closures, march+1, hotel.Offer{}, false), at(hotel.Price, march+1, cost, false),
	}
	o := connectors.Operation{Name: "rates", Groups: []hotel.Group{hotel.Closures, hotel.Price}, Joined: []hotel.Group{hotel.Price}, Opens: true}
	var entries []connectors.Entry
	connectors.Pack([]connectors.Operation{o}, changes, func(_ string, e []connectors.Entry) []byte {
		entries = e
		return nil
	})
	for _, e := range entries {
		opens := slices.ContainsFunc(e.Says, func(v connectors.Value) bool { return v.Group == hotel.Closures })
		if joined := len(e.Says) == 2; opens && joined != (e.Nights.From == march) {
			t.Errorf("an entry says %+v", e)
		}
	}
	if len(entries) != 3 {
		t.Errorf("there are %d entries, want that of the first night, and two of the second: %+v", len(entries), entries)
	}
}
