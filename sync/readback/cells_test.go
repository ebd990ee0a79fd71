package readback

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// A night that a far side leaves out of its counts, or of its prices, has nothing on sale,
// unless what it says of it cannot be believed, or it says nothing of counts or prices at all.
func TestNightsThatAreLeftOut(t *testing.T) {
	const first = hotel.Date(20000)
	l := lines{counters: map[connectors.Key]int64{{Room: "D"}: 1, {Room: "T"}: 2}, mappings: map[connectors.Key]int64{{Room: "D", Rate: "F"}: 3}, currencies: map[int64]hotel.Currency{3: "EUR"}}
	count := func(room string, night hotel.Date, n int) connectors.Change {
		return connectors.Change{Key: connectors.Key{Room: room, Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: n}}
	}
	price := connectors.Change{Key: connectors.Key{Room: "D", Rate: "F", Group: hotel.Price, Night: first + 2}, Offer: hotel.Offer{Amount: hotel.Money{Minor: 9900, Currency: "EUR"}}}
	for name, c := range map[string]struct {
		shown    []connectors.Change
		empty    []hotel.Date // of the doubles
		unpriced []hotel.Date
	}{
		"nothing is said":        {},
		"prices alone":           {[]connectors.Change{price}, nil, []hotel.Date{first, first + 1}},
		"one night of three":     {[]connectors.Change{count("D", first+1, 2)}, []hotel.Date{first, first + 2}, nil},
		"every night":            {[]connectors.Change{count("D", first, 2), count("D", first+1, 0), count("D", first+2, 1)}, nil, nil},
		"counts and prices":      {[]connectors.Change{count("D", first, 2), price}, []hotel.Date{first + 1, first + 2}, []hotel.Date{first, first + 1}},
		"of another room":        {[]connectors.Change{count("T", first, 2)}, nil, nil},
		"and a stray of another": {[]connectors.Change{count("D", first, 2), count("T", first+1, 2)}, nil, nil},
		"what is not believed":   {[]connectors.Change{count("D", first, 2), count("D", first+1, -1), count("D", first+2, 2), price}, nil, nil},
		"nights nobody asked of": {[]connectors.Change{count("D", first+9, 2)}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var empty, unpriced []hotel.Date
			cells, leftOut, _ := l.cells(c.shown, hotel.Terms{}, "D", hotel.Span{From: first, To: first + 2})
			for _, cell := range cells {
				if cell.Cell.Line == 2 {
					t.Errorf("something is taken for a room that nobody asked of: %+v", cell)
				}
				said := slices.ContainsFunc(c.shown, func(s connectors.Change) bool {
					return s.Key.Night == cell.Cell.Night && s.Key.Group == cell.Cell.Group
				})
				switch {
				case said == leftOut[cell.Cell]:
					t.Errorf("of %+v it is said: %v, and it counts as left out: %v", cell, said, leftOut[cell.Cell])
				case said:
				case cell.Value != 0:
					t.Errorf("nobody has said that of %+v", cell)
				case cell.Cell.Group == hotel.Price:
					unpriced = append(unpriced, cell.Cell.Night)
				default:
					empty = append(empty, cell.Cell.Night)
				}
			}
			if diff := cmp.Diff(c.unpriced, unpriced); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.empty, empty); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsTakenOfWhatIsShown(t *testing.T) {
	const night = hotel.Date(20000)
	exact := hotel.Carriage{As: hotel.Exact}
	terms := hotel.Terms{Fields: map[hotel.Field]hotel.Carriage{hotel.FieldClosed: exact, hotel.FieldMinStayArrival: exact}}
	l := lines{
		counters: map[connectors.Key]int64{{Room: "D"}: 1}, mappings: map[connectors.Key]int64{{Room: "D", Rate: "F"}: 2},
		currencies: map[int64]hotel.Currency{2: "EUR"},
	}
	stock := connectors.Key{Room: "D", Group: hotel.Availability, Night: night}
	of := func(g hotel.Group) connectors.Key {
		return connectors.Key{Room: "D", Rate: "F", Group: g, Night: night}
	}
	cell := func(line int64, g hotel.Group) hotel.Cell { return hotel.Cell{Line: line, Group: g, Night: night} }
	for _, c := range []struct {
		name  string
		shown []connectors.Change
		want  []ledger.SentCell
		fault hotel.FaultKind
	}{
		{"a count", []connectors.Change{{Key: stock, Offer: hotel.Offer{Available: 3}}}, []ledger.SentCell{{Cell: cell(1, hotel.Availability), Value: 3}}, ""},
		{"a count below nothing is none", []connectors.Change{{Key: stock, Offer: hotel.Offer{Available: -1}}}, nil, hotel.FaultNumber},
		{"told twice alike", []connectors.Change{{Key: stock, Offer: hotel.Offer{Available: 3}}, {Key: stock, Offer: hotel.Offer{Available: 3}}}, []ledger.SentCell{{Cell: cell(1, hotel.Availability), Value: 3}}, ""},
		{"told twice, and not alike", []connectors.Change{{Key: stock, Offer: hotel.Offer{Available: 3}}, {Key: stock, Offer: hotel.Offer{Available: 4}}, {Key: stock, Offer: hotel.Offer{Available: 3}}}, nil, hotel.FaultContradiction},
		{"another room", []connectors.Change{{Key: connectors.Key{Room: "T", Group: hotel.Availability, Night: night}}}, nil, hotel.FaultForeign},
		{"another night", []connectors.Change{{Key: connectors.Key{Room: "D", Group: hotel.Availability, Night: night + 1}}}, nil, hotel.FaultForeign},
		{"a rate that is not mapped", []connectors.Change{{Key: connectors.Key{Room: "D", Rate: "X", Group: hotel.Closures, Night: night}}}, nil, ""},
		{
			"closings that it is not told are its own",
			[]connectors.Change{{Key: of(hotel.Closures), Offer: hotel.Offer{Closed: hotel.Closed{Closed: true, Arrival: true}}}},
			[]ledger.SentCell{{Cell: cell(2, hotel.Closures), Value: 1}},
			"",
		},
		{
			"and so are lengths",
			[]connectors.Change{{Key: of(hotel.Lengths), Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2, MaxStayArrival: 9}}}},
			[]ledger.SentCell{{Cell: cell(2, hotel.Lengths), Value: 2}},
			"",
		},
		{"a price", []connectors.Change{{Key: of(hotel.Price), Offer: hotel.Offer{Amount: hotel.Money{Minor: 9900, Currency: "EUR"}}}}, []ledger.SentCell{{Cell: cell(2, hotel.Price), Value: 9900}}, ""},
		{"a price in another currency", []connectors.Change{{Key: of(hotel.Price), Offer: hotel.Offer{Amount: hotel.Money{Minor: 9900, Currency: "USD"}}}}, nil, hotel.FaultCurrency},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, fault := l.cells(c.shown, terms, "D", hotel.Span{From: night, To: night})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if fault.Kind != c.fault || (fault.Words == "") != (c.fault == "") {
				t.Errorf("fault %+v, want %q", fault, c.fault)
			}
		})
	}
}
