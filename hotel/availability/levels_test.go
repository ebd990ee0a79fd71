package availability_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestLevels(t *testing.T) {
	yes, no := new(true), new(false)
	tests := []struct {
		name    string
		levels  availability.Levels
		closed  hotel.Closed
		lengths hotel.LengthLimits
	}{
		{"nothing said", availability.Levels{}, hotel.Closed{}, hotel.LengthLimits{}},
		{
			"a closing of the house closes a product that says open",
			availability.Levels{Property: hotel.Restriction{Closed: yes}, Product: hotel.Restriction{Closed: no}},
			hotel.Closed{Closed: true},
			hotel.LengthLimits{},
		},
		{
			"each flag is closed by another level",
			availability.Levels{
				RoomType: hotel.Restriction{ClosedToArrival: yes},
				Plan:     hotel.Restriction{ClosedToDeparture: yes},
				Product:  hotel.Restriction{Closed: no},
			},
			hotel.Closed{Arrival: true, Departure: true},
			hotel.LengthLimits{},
		},
		{
			"the nearest level that has a value counts, field by field",
			availability.Levels{
				PlanDefault: hotel.Restriction{MinStayArrival: new(2), MaxAdvance: new(300)},
				Property:    hotel.Restriction{MinStayArrival: new(5), MinStayThrough: new(4), MaxStayArrival: new(28)},
				RoomType:    hotel.Restriction{MinStayThrough: new(3), MaxStayThrough: new(21)},
				Plan:        hotel.Restriction{MaxStayThrough: new(14), MinAdvance: new(1)},
				Product:     hotel.Restriction{MinStayArrival: new(1)},
			},
			hotel.Closed{},
			hotel.LengthLimits{
				MinStayArrival: 1, MinStayThrough: 3, MaxStayArrival: 28, MaxStayThrough: 14, MinAdvance: 1, MaxAdvance: 300,
			},
		},
		{
			"a default closes where the night says nothing",
			availability.Levels{PlanDefault: hotel.Restriction{Closed: yes, ClosedToArrival: yes}, RoomType: hotel.Restriction{Closed: no}},
			hotel.Closed{Arrival: true},
			hotel.LengthLimits{},
		},
		{
			"a near level can lift a limit",
			availability.Levels{Property: hotel.Restriction{MaxStayArrival: new(7)}, Product: hotel.Restriction{MaxStayArrival: new(0)}},
			hotel.Closed{},
			hotel.LengthLimits{},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			closed, lengths := test.levels.House(nil)
			if closed != test.closed || lengths != test.lengths {
				t.Errorf("merged = %+v %+v, want %+v %+v", closed, lengths, test.closed, test.lengths)
			}
		})
	}
}

func TestLevelsTrace(t *testing.T) {
	levels := availability.Levels{
		PlanDefault: hotel.Restriction{MinStayArrival: new(2)},
		Property:    hotel.Restriction{Closed: new(true)},
		Product:     hotel.Restriction{Closed: new(false), MinStayArrival: new(3)},
	}
	var tr hotel.Trace
	levels.House(&tr)
	want := []hotel.Step{
		{Name: "min_stay_arrival", By: "plan_default", Text: "2"},
		{Name: "closed", By: "property", Text: "true"},
		{Name: "closed", By: "product", Text: "true"},
		{Name: "min_stay_arrival", By: "product", Text: "3"},
	}
	if diff := cmp.Diff(want, tr.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// drawRestriction says something about a few fields.
func drawRestriction(t *rapid.T, label string) hotel.Restriction {
	flag := rapid.SampledFrom([]*bool{nil, nil, nil, nil, new(false), new(true)})
	number := func(most int) *int {
		if rapid.IntRange(0, 3).Draw(t, label) > 0 {
			return nil
		}
		return new(rapid.IntRange(0, most).Draw(t, label))
	}
	return hotel.Restriction{
		Closed:            flag.Draw(t, label),
		ClosedToArrival:   flag.Draw(t, label),
		ClosedToDeparture: flag.Draw(t, label),
		MinStayArrival:    number(5), MinStayThrough: number(5),
		MaxStayArrival: number(9), MaxStayThrough: number(9),
		MinAdvance: number(5), MaxAdvance: number(9),
	}
}

func TestLevelsEqualAskingEachLevelInTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l availability.Levels
		nearest := []*hotel.Restriction{&l.Product, &l.Plan, &l.RoomType, &l.Property, &l.PlanDefault}
		for _, r := range nearest {
			*r = drawRestriction(t, "restriction")
		}
		anyCloses := func(field func(*hotel.Restriction) *bool) bool {
			said, closed := false, false
			for _, r := range nearest[:4] {
				if p := field(r); p != nil {
					said, closed = true, closed || *p
				}
			}
			if p := field(nearest[4]); !said && p != nil {
				return *p
			}
			return closed
		}
		first := func(field func(*hotel.Restriction) *int) int {
			for _, r := range nearest {
				if p := field(r); p != nil {
					return *p
				}
			}
			return 0
		}
		wantClosed := hotel.Closed{
			Closed:    anyCloses(func(r *hotel.Restriction) *bool { return r.Closed }),
			Arrival:   anyCloses(func(r *hotel.Restriction) *bool { return r.ClosedToArrival }),
			Departure: anyCloses(func(r *hotel.Restriction) *bool { return r.ClosedToDeparture }),
		}
		wantLengths := hotel.LengthLimits{
			MinStayArrival: first(func(r *hotel.Restriction) *int { return r.MinStayArrival }),
			MinStayThrough: first(func(r *hotel.Restriction) *int { return r.MinStayThrough }),
			MaxStayArrival: first(func(r *hotel.Restriction) *int { return r.MaxStayArrival }),
			MaxStayThrough: first(func(r *hotel.Restriction) *int { return r.MaxStayThrough }),
			MinAdvance:     first(func(r *hotel.Restriction) *int { return r.MinAdvance }),
			MaxAdvance:     first(func(r *hotel.Restriction) *int { return r.MaxAdvance }),
		}
		var tr hotel.Trace
		closed, lengths := l.House(&tr)
		if closed != wantClosed || lengths != wantLengths {
			t.Fatalf("merged = %+v %+v, want %+v %+v", closed, lengths, wantClosed, wantLengths)
		}
		if c, n := l.House(nil); c != closed || n != lengths {
			t.Fatalf("merged without a trace = %+v %+v, with one %+v %+v", c, n, closed, lengths)
		}
	})
}
