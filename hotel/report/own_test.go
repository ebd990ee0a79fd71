package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// A report that is made for one channel is that of a house in which nobody else has ever
// sold a room, and of whose rooms nothing is known: whatever else there is changes no figure
// of any report, however it is grouped.
func TestOneChannelsReportsKnowNothingOfTheHouse(t *testing.T) {
	past := func(channel string) History {
		return History{PastSales: hotel.PastSales{Night: day("2026-12-02"), RoomTypeID: "double", ChannelID: channel, Rooms: 2}, Later: channel != "ch1"}
	}
	full := inn()
	full.History = []History{past("ch1"), past(hotel.Direct), past("ch2")}
	alone := inn()
	alone.Supply, alone.Blocked, alone.Bookings, alone.History = nil, nil, alone.Bookings[1:2], full.History[:1]
	work := []Worked{
		{Day: day("2026-12-01"), Work: AnswerGood, N: 5},
		{Day: day("2026-12-01"), PropertyID: "inn", ChannelID: "ch1", Work: PushApplied, N: 3},
	}
	more := append(work[:2:2], Worked{Day: day("2026-12-01"), PropertyID: "inn", ChannelID: "ch2", Work: PushApplied, N: 70}, Worked{Day: day("2026-12-01"), PropertyID: "inn", Work: DriftFound, N: 9})
	nulls := map[string]bool{
		"rooms_total": true, "rooms_available": true, "rooms_out_of_order": true, "rooms_blocked": true, "occupancy_pct": true,
		"revpar": true, "trevpar": true, "share_room_nights_pct": true, "share_revenue_pct": true,
	}
	of := func(d *Definition, by []Dimension, b Books, w []Worked) Report {
		set := Set{Work: w, Books: []Books{b}, Since: []Books{{Property: b.Property}}, LastYear: []Books{b}}
		q := Query{Span: hotel.Span{From: day("2026-12-01"), To: day("2026-12-03")}, GroupBy: by, Currency: "EUR", ChannelID: "ch1"}
		then := q
		return d.Make(q, set, &then, &set)
	}
	for i := range Definitions {
		d := &Definitions[i]
		for _, by := range append(d.GroupedBy(), "") {
			var dimensions []Dimension
			if by != "" {
				dimensions = []Dimension{by}
			}
			got, want := of(d, dimensions, full, more), of(d, dimensions, alone, work)
			if diff := cmp.Diff(want.Rows, got.Rows) + cmp.Diff(want.Totals, got.Totals); diff != "" {
				t.Errorf("%s by %q: %s", d.Name, by, diff)
			}
			for j, f := range d.Figures {
				if nulls[f.Name] && got.Totals.Values[j].Known {
					t.Errorf("%s of %s by %q is told: %d", f.Name, d.Name, by, got.Totals.Values[j].N)
				}
			}
		}
	}
}
