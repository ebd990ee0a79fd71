package connectors_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// monday is where the nights of these tests begin.
var monday = hotel.DateOf(2027, 3, 1)

// written is what Pack says of changes, an entry a line.
func written(o connectors.Operation, changes []connectors.Change) string {
	var b strings.Builder
	o.Name, o.Groups = "rates", []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}
	connectors.Pack([]connectors.Operation{o}, changes, func(_ string, entries []connectors.Entry) []byte {
		for _, e := range entries {
			fmt.Fprintf(&b, "%d-%d", e.Nights.From-monday, e.Nights.To-monday)
			if e.Days != [7]bool{} {
				b.WriteString(" ")
				for i, name := range []string{"su", "mo", "tu", "we", "th", "fr", "sa"} {
					if e.Days[i] {
						b.WriteString(name)
					}
				}
			}
			for _, v := range e.Says {
				switch v.Group {
				case hotel.Closures:
					fmt.Fprintf(&b, " closed %v", v.Offer.Closed.Closed)
				case hotel.Lengths:
					fmt.Fprintf(&b, " min %d", v.Offer.Lengths.MinStayArrival)
				case hotel.Price:
					fmt.Fprintf(&b, " %d guests %d", v.Occupancy, v.Offer.Amount.Minor)
				case hotel.Availability:
				}
			}
			b.WriteString("\n")
		}
		return nil
	})
	return b.String()
}

// says is a change of the group that its offer fills, some nights behind monday.
func says(night hotel.Date, guests int, o hotel.Offer) connectors.Change {
	k := connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: guests, Night: monday + night}
	switch {
	case o.Lengths != hotel.LengthLimits{}:
		k.Group = hotel.Lengths
	case o.Amount.IsZero():
		k.Group = hotel.Closures
	}
	return connectors.Change{Key: k, Offer: o}
}

func costs(minor int64) hotel.Offer {
	return hotel.Offer{Amount: hotel.Money{Minor: minor, Currency: "EUR"}}
}

func least(nights int) hotel.Offer {
	return hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: nights}}
}

// weekends are prices of a span whose Fridays and Saturdays cost more.
func weekends(from, to hotel.Date, week, end int64) []connectors.Change {
	var out []connectors.Change
	for night := from; night <= to; night++ {
		amount := week
		if d := (monday + night).Weekday(); d >= 5 {
			amount = end
		}
		out = append(out, says(night, 2, costs(amount)))
	}
	return out
}

func TestEntries(t *testing.T) {
	joined := []hotel.Group{hotel.Lengths, hotel.Price}
	for _, c := range []struct {
		name    string
		op      connectors.Operation
		changes []connectors.Change
		want    string
	}{
		{
			"weekends cost more, in two seasons that meet in the middle of a week",
			connectors.Operation{Nights: connectors.ByDayOfWeek},
			append(weekends(0, 30, 100, 120), weekends(31, 60, 200, 250)...),
			"0-30 sumotuweth 2 guests 100\n4-26 frsa 2 guests 120\n31-59 sumotuweth 2 guests 200\n32-60 frsa 2 guests 250\n",
		},
		{
			"without days of the week each stretch is an entry",
			connectors.Operation{},
			weekends(0, 10, 100, 120),
			"0-3 2 guests 100\n4-5 2 guests 120\n6-10 2 guests 100\n",
		},
		{
			"one night that differs parts a season once",
			connectors.Operation{Nights: connectors.ByDayOfWeek},
			append(append(weekends(0, 15, 100, 100), says(16, 2, costs(300))), weekends(17, 40, 100, 100)...),
			"0-15 2 guests 100\n16-16 2 guests 300\n17-40 2 guests 100\n",
		},
		{
			"a few nights that follow each other name no days",
			connectors.Operation{Nights: connectors.ByDayOfWeek},
			weekends(4, 5, 100, 120),
			"4-5 2 guests 120\n",
		},
		{
			"what is said of the same nights is joined, closings apart",
			connectors.Operation{Joined: joined},
			[]connectors.Change{
				says(0, 0, least(2)), says(0, 2, costs(100)), says(0, 1, costs(90)), says(0, 0, hotel.Offer{Closed: hotel.Closed{Closed: true}}),
				says(1, 2, costs(100)), says(1, 0, least(2)), says(1, 1, costs(90)),
				says(2, 2, costs(100)),
			},
			"0-1 min 2 1 guests 90 2 guests 100\n0-0 closed true\n2-2 2 guests 100\n",
		},
		{
			"the last of two values is joined",
			connectors.Operation{Joined: joined, Nights: connectors.OneNight},
			[]connectors.Change{says(0, 0, least(2)), says(0, 2, costs(100)), says(0, 0, least(3)), says(1, 2, costs(100))},
			"0-0 min 3 2 guests 100\n1-1 2 guests 100\n",
		},
		{
			"lengths of every night are joined with each day's price",
			connectors.Operation{Joined: joined, Nights: connectors.ByDayOfWeek},
			func() []connectors.Change {
				all := weekends(0, 20, 100, 120)
				for night := hotel.Date(0); night <= 20; night++ {
					all = append(all, says(night, 0, least(2)))
				}
				return all
			}(),
			"0-20 sumotuweth min 2 2 guests 100\n4-19 frsa min 2 2 guests 120\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, written(c.op, c.changes)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What shared an entry with a refused value is unknown, and nothing else is.
func TestSpoil(t *testing.T) {
	o := connectors.Operation{Joined: []hotel.Group{hotel.Lengths, hotel.Price}}
	price, length, other, shut := says(0, 2, costs(1)).Key, says(0, 0, least(2)).Key, says(1, 0, least(2)).Key, says(0, 0, hotel.Offer{}).Key
	no := connectors.Verdict{Outcome: connectors.Rejected, Words: "too cheap"}
	a := connectors.Answer{Rest: connectors.Applied, Keys: map[connectors.Key]connectors.Verdict{price: no}}
	o.Spoil(&a, []connectors.Key{price, length, other, shut})
	want := map[connectors.Key]connectors.Verdict{price: no, length: {Outcome: connectors.Unknown, Words: "something else of its entry was refused"}}
	if diff := cmp.Diff(want, a.Keys); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
