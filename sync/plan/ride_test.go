package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// told is a cell of one product that the channel may not hold as it is wanted.
func told(g hotel.Group, night hotel.Date, want hotel.Offer) Cell {
	k := connectors.Key{Room: "DBL", Group: g, Night: march + night}
	if g != hotel.Availability {
		k.Rate = "BAR"
	}
	return Cell{Ref: hotel.Cell{Line: int64(night), Group: g, Night: k.Night}, Key: k, Want: want}
}

func TestPricesRideWhereEntriesAreJudgedApart(t *testing.T) {
	shut, open := hotel.Offer{Closed: hotel.Closed{Arrival: true}}, hotel.Offer{}
	least := hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}
	rooms := func(n int) hotel.Offer { return hotel.Offer{Available: n} }
	again := told(hotel.Closures, 3, shut)
	again.Last = &shut
	first := told(hotel.Closures, 4, shut)
	first.Fresh = true
	closing, opening := told(hotel.Closures, 0, shut), told(hotel.Closures, 1, open)
	lengths := []Cell{told(hotel.Lengths, 0, least), told(hotel.Lengths, 2, least)}
	for _, c := range []struct {
		name    string
		apart   bool
		entries int
		cells   []Cell
		want    []string
	}{
		{"a closing and lengths are one call", true, 0, append([]Cell{closing}, lengths...), []string{"lower rates 3"}},
		{"two calls where a refused length would take the closing with it", false, 0, append([]Cell{closing}, lengths...), []string{"lower rates 1", "rates rates 2"}},
		{"what opens goes behind what closes, lengths with the first", true, 0, append([]Cell{closing, opening}, lengths...), []string{"lower rates 3", "raise rates 1"}},
		{"what is closed and told again takes along what opens", true, 0, append([]Cell{again, opening}, lengths...), []string{"lower rates 4"}},
		{"what is closed and told for the first time likewise", true, 0, append([]Cell{first, opening}, lengths...), []string{"lower rates 4"}},
		{"a closing beside it does not", true, 0, append([]Cell{again, closing, opening}, lengths...), []string{"lower rates 4", "raise rates 1"}},
		{"nor where what opens may take it along into a refusal", false, 0, append([]Cell{again, opening}, lengths...), []string{"lower rates 1", "raise rates 1", "rates rates 2"}},
		{"lengths ride with what opens", true, 0, append([]Cell{opening}, lengths...), []string{"raise rates 3"}},
		{"with counts of another operation they do not", true, 0, append([]Cell{told(hotel.Availability, 0, rooms(0))}, lengths...), []string{"lower counts 1", "rates rates 2"}},
		{"what does not fit is sent behind", true, 2, append([]Cell{closing, told(hotel.Lengths, 4, least)}, lengths...), []string{"lower rates 2", "rates rates 2"}},
		{"nothing rides that saves no call", true, 1, append([]Cell{closing}, lengths...), []string{"lower rates 1", "rates rates 1", "rates rates 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rules{[]connectors.Operation{
				{Name: "counts", Groups: []hotel.Group{hotel.Availability}},
				{Name: "rates", Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Entries: c.entries, Apart: c.apart},
			}}
			p, err := Make(c.cells, r.operations, r.encode)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range p.Calls {
				got = append(got, call.Lane.String()+" "+call.Operation+" "+string(rune('0'+len(call.Cells))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
