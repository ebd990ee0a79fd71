package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

const march = hotel.Date(20513) // 1 March 2026

// cell is a dirty availability cell of which the channel shows held rooms.
func cell(room string, day, free, held, want int) Cell {
	night := march + hotel.Date(day-1)
	return Cell{
		Ref:  hotel.Cell{Line: int64(len(room)), Group: hotel.Availability, Night: night},
		Key:  connectors.Key{Room: room, Group: hotel.Availability, Night: night},
		Want: rooms(want), Held: []hotel.Offer{rooms(held)}, Free: free,
	}
}

// spoken lists the calls of a plan as lane, operation and keys.
func spoken(p Plan) []string {
	var lines []string
	for _, c := range p.Calls {
		words := []string{c.Lane.String(), c.Operation}
		for _, k := range c.Keys {
			words = append(words, k.Room+k.Rate+strings.TrimPrefix(k.Night.String(), "2026-03-"))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

func TestMakeOrders(t *testing.T) {
	priced := func(day int) Cell {
		c := cell("DBL", day, 9, 0, 0)
		c.Key.Group, c.Key.Rate, c.Want = hotel.Price, "BAR", hotel.Offer{Amount: hotel.Money{Minor: 100, Currency: "EUR"}}
		return c
	}
	shut := func(day int) Cell {
		c := cell("DBL", day, 0, 0, 0)
		c.Key.Group, c.Key.Rate, c.Want = hotel.Closures, "BAR", closed(hotel.Closed{Closed: true})
		return c
	}
	tests := []struct {
		name  string
		cells []Cell
		limit int
		want  []string
	}{
		{"nothing to do", nil, 3, nil},
		{
			"a far closing goes before a near raise, and that before a price",
			[]Cell{priced(1), cell("DBL", 1, 3, 2, 3), cell("SGL", 30, 0, 2, 0)},
			3,
			[]string{"lower availability SGL30", "raise availability DBL01", "rates rates DBLBAR01"},
		},
		{
			"equal neighbours stay one range, then the nearest night and the fewest free",
			[]Cell{
				cell("DBL", 1, 2, 5, 0), cell("DBL", 2, 4, 5, 0), cell("DBL", 3, 4, 5, 1),
				cell("SUI", 2, 3, 5, 0), cell("SGL", 2, 1, 5, 0),
			},
			2,
			[]string{"lower availability DBL01 DBL02 SGL02", "lower availability SUI02 DBL03"},
		},
		{
			"a gap ends a range",
			[]Cell{cell("DBL", 1, 2, 5, 0), cell("DBL", 3, 2, 5, 0), cell("SGL", 2, 2, 5, 0)},
			2,
			[]string{"lower availability DBL01 SGL02", "lower availability DBL03"},
		},
		{
			"of two operations the one with the nearer night leads",
			[]Cell{cell("DBL", 5, 2, 5, 0), shut(4)},
			3,
			[]string{"lower rates DBLBAR04", "lower availability DBL05"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Make(tt.cells, nil, wire{limit: tt.limit}.encode)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, spoken(p)); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMakeCarriesTheCells(t *testing.T) {
	a, b, far := cell("DBL", 1, 4, 5, 0), cell("DBL", 2, 1, 5, 0), cell("ATTIC", 2, 0, 5, 0)
	a.Want.Amount = hotel.Money{Minor: 1, Currency: "EUR"} // not of the group, so it is nobody's business
	p, err := Make([]Cell{b, far, a}, nil, wire{limit: 5, refuses: "ATTIC"}.encode)
	if err != nil {
		t.Fatal(err)
	}
	a.Want = rooms(0)
	want := Plan{
		Calls: []Call{{
			Call: connectors.Call{Operation: "availability", Keys: []connectors.Key{a.Key, b.Key}},
			Lane: lane.Lower, Cells: []Cell{a, b}, Night: march, Free: 4,
		}},
		Refused: []Refused{{Cell: far, Reason: "no such room"}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestMakeRefusesABrokenConnector(t *testing.T) {
	a, b := cell("DBL", 1, 1, 5, 0), cell("DBL", 2, 1, 5, 0)
	stranger := connectors.Key{Room: "ATTIC", Rate: "BAR", Occupancy: 2, Group: hotel.Price, Night: march}
	call := func(keys ...connectors.Key) []connectors.Call {
		return []connectors.Call{{Operation: "availability", Keys: keys}}
	}
	tests := []struct {
		name    string
		cells   []Cell
		calls   []connectors.Call
		refused []connectors.Refusal
		want    string
	}{
		{"two cells have one key", []Cell{a, a}, nil, nil, `plan availability of room "DBL" on 2026-03-01: two cells have this key`},
		{"a change is lost", []Cell{a, b}, call(a.Key), nil, `plan availability of room "DBL" on 2026-03-02: the connector packs changes wrongly: neither encoded nor refused`},
		{"a key is sent twice", []Cell{a}, call(a.Key, a.Key), nil, "encoded twice, or not given to it"},
		{"a key is sent and refused", []Cell{a}, call(a.Key), []connectors.Refusal{{Change: connectors.Change{Key: a.Key}}}, "encoded twice, or not given to it"},
		{"a key is made up", []Cell{a}, call(a.Key, stranger), nil, `plan price of room "ATTIC" rate "BAR" for 2 guests on 2026-03-01: the connector packs changes wrongly: encoded`},
		{"a call is empty", []Cell{a}, append(call(a.Key), call()...), nil, "a call that carries nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Make(tt.cells, nil, func([]connectors.Change) ([]connectors.Call, []connectors.Refusal) { return tt.calls, tt.refused })
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want it to say %q", err, tt.want)
			}
		})
	}
}
