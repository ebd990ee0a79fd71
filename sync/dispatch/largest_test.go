package dispatch

import (
	"fmt"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
	"ostler.example/sync/plan"
)

// All prices of a house of 20 room types, each with 40 rates, are edited at once for 500
// nights, and each night has a price of its own, so that no two share an entry. It is told
// in as many plans as one takes in, the nearest nights first: eight calls of a far side that
// takes ten megabytes in each, which fit into a minute of ten calls. No plan leaves out or
// repeats anything, and what closes is the first call.
func TestLargestEditInFewCalls(t *testing.T) {
	const rooms, rates, nights, aMinute = 20, 40, 500, 10
	operations := []connectors.Operation{
		{Name: "counts", Groups: []hotel.Group{hotel.Availability}, Bytes: 10_000_000 - 1},
		{
			Name: "rates", Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Nights: connectors.ByDayOfWeek,
			Joined: []hotel.Group{hotel.Lengths, hotel.Price}, Apart: true, Opens: true, Bytes: 10_000_000 - 1,
		},
	}
	const entry = 145 // bytes, with two ids, two dates and a price
	encode := func(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
		return connectors.Pack(operations, changes, func(_ string, entries []connectors.Entry) []byte { return make([]byte, entry*len(entries)) })
	}
	const all = rooms * rates * nights
	var products [rooms * rates]connectors.Key
	for i := range products {
		products[i] = connectors.Key{Room: fmt.Sprint("room ", i/rates), Rate: fmt.Sprint("rate ", i%rates), Group: hotel.Price}
	}
	held := []hotel.Offer{{Amount: hotel.Money{Minor: 9_000, Currency: "EUR"}}}
	cells := make([]plan.Cell, 0, maxCells+1)
	plans, calls, told := 0, 0, 0
	for next := 0; next < all; plans++ {
		if cells = cells[:0]; plans == 0 { // counts are taken in beside prices
			cells = append(cells, plan.Cell{Key: connectors.Key{Room: "room 0", Group: hotel.Availability, Night: nights - 1}, Held: []hotel.Offer{{Available: 1}}})
		}
		for end := min(next+maxCells, all); next < end; next++ {
			c := plan.Cell{Key: products[next%len(products)], Held: held}
			c.Key.Night = hotel.Date(next / len(products))
			c.Want.Amount = hotel.Money{Minor: 10_000 + int64(c.Key.Night), Currency: "EUR"}
			cells = append(cells, c)
		}
		p, err := plan.Make(cells, operations, encode)
		if err != nil || len(p.Refused) > 0 {
			t.Fatalf("refused are %d, %v", len(p.Refused), err)
		}
		if plans == 0 {
			if first := p.Calls[0]; first.Lane != lane.Lower || len(first.Cells) != 1 {
				t.Errorf("the first call is of lane %v and tells %d cells, want the closing alone", first.Lane, len(first.Cells))
			}
			p.Calls = p.Calls[1:]
		}
		calls += len(p.Calls)
		for _, c := range p.Calls {
			told += len(c.Cells) // each once, or there is no plan
		}
	}
	if plans != 3 || calls != 8 || calls > aMinute {
		t.Errorf("%d calls of prices in %d plans, want 8 in 3", calls, plans)
	}
	if told != all {
		t.Errorf("%d prices are told, want %d", told, all)
	}
}
