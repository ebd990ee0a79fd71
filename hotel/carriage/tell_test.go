package carriage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

type field struct {
	name hotel.Field
	as   hotel.Carriage
}

// channelOf says closings exactly, and what else is listed.
func channelOf(list ...field) carriage.Channel {
	c := carriage.Channel{Fields: map[hotel.Field]hotel.Carriage{hotel.FieldClosed: {As: hotel.Exact}}, Absent: map[hotel.Field]hotel.AbsentPolicy{}}
	for _, f := range list {
		c.Fields[f.name] = f.as
	}
	return c
}

var (
	exact   = hotel.Carriage{As: hotel.Exact}
	coarser = hotel.Carriage{As: hotel.Coarser}
)

func TestTell(t *testing.T) {
	minArrival := func(n ...int) nights {
		out := make(nights, len(n))
		for i := range n {
			out[i].Lengths.MinStayArrival = n[i]
		}
		return out
	}
	arrivalOnly := channelOf(
		field{hotel.FieldMinStayArrival, exact}, field{hotel.FieldMaxStayArrival, exact}, field{hotel.FieldClosedToArrival, exact},
		field{hotel.FieldMinStayThrough, coarser}, field{hotel.FieldMaxStayThrough, coarser}, field{hotel.FieldClosedToDeparture, coarser},
	)
	tests := []struct {
		name    string
		channel carriage.Channel
		house   nights
		want    nights
		lost    []carriage.Loss
		forced  []carriage.Forced
	}{
		{
			"a minimum of one night is none",
			arrivalOnly,
			minArrival(1, 2, 1),
			minArrival(0, 2, 0),
			nil,
			nil,
		},
		{
			"a minimum of one night binds its own arrival and the one before, and none earlier",
			channelOf(field{hotel.FieldMinStayArrival, exact}, field{hotel.FieldMinStayThrough, coarser}),
			nights{{}, {}, {}, {Lengths: hotel.LengthLimits{MinStayThrough: 3}}, {}, {}, {}},
			minArrival(0, 0, 3, 3, 0, 0, 0),
			[]carriage.Loss{{Night: 2, Field: hotel.FieldMinStayArrival, Stays: 1}},
			nil,
		},
		{
			"a maximum of one night is a maximum of the arrivals before it, without loss",
			arrivalOnly,
			nights{{}, {}, {}, {Lengths: hotel.LengthLimits{MaxStayThrough: 2}}, {}},
			nights{
				{Lengths: hotel.LengthLimits{MaxStayArrival: 3}},
				{Lengths: hotel.LengthLimits{MaxStayArrival: 2}},
				{Lengths: hotel.LengthLimits{MaxStayArrival: 2}},
				{},
				{},
			},
			nil, nil,
		},
		{
			"a check-out date that cannot be closed leaves each arrival the longer choice",
			arrivalOnly,
			nights{{}, {}, {}, {Closed: hotel.Closed{Departure: true}}, {}},
			nights{
				{Lengths: hotel.LengthLimits{MaxStayArrival: 2}},
				{Lengths: hotel.LengthLimits{MinStayArrival: 3}},
				{Lengths: hotel.LengthLimits{MinStayArrival: 2}},
				{},
				{},
			},
			[]carriage.Loss{{Night: 0, Field: hotel.FieldMaxStayArrival, Stays: 2}, {Night: 1, Field: hotel.FieldMinStayArrival, Stays: 1}},
			nil,
		},
		{
			"a minimum above its maximum closes the night to arrivals",
			arrivalOnly,
			nights{{}, {Lengths: hotel.LengthLimits{MinStayArrival: 5, MaxStayArrival: 4}}, {}, {}, {}, {}, {}},
			nights{{}, {Closed: hotel.Closed{Arrival: true}}, {}, {}, {}, {}, {}},
			nil,
			[]carriage.Forced{{Night: 1, Field: hotel.FieldClosedToArrival, Cause: hotel.FieldMinStayArrival}},
		},
		{
			"and closes it where arrivals alone cannot be closed",
			channelOf(field{hotel.FieldMinStayThrough, exact}, field{hotel.FieldMaxStayThrough, exact}),
			append(nights{{}, {Lengths: hotel.LengthLimits{MinStayThrough: 3, MaxStayThrough: 2}}}, make(nights, 20)...),
			append(nights{{}, {Closed: hotel.Closed{Closed: true}}}, make(nights, 20)...),
			nil,
			[]carriage.Forced{{Night: 1, Field: hotel.FieldClosed, Cause: hotel.FieldMinStayThrough}},
		},
		{
			"a minimum below the channel's lowest is raised",
			channelOf(field{hotel.FieldMinStayArrival, hotel.Carriage{As: hotel.Exact, Min: 3, Max: 28}}),
			minArrival(2, 0, 0, 0),
			minArrival(3, 0, 0, 0),
			[]carriage.Loss{{Night: 0, Field: hotel.FieldMinStayArrival, Stays: 1}},
			nil,
		},
		{
			"a minimum above the channel's highest closes",
			channelOf(field{hotel.FieldMinStayThrough, hotel.Carriage{As: hotel.Exact, Max: 2}}),
			nights{{}, {Lengths: hotel.LengthLimits{MinStayThrough: 3}}, {}},
			nights{{}, {Closed: hotel.Closed{Closed: true}}, {}},
			[]carriage.Loss{{Night: 1, Field: hotel.FieldClosed, Stays: 1}},
			[]carriage.Forced{{Night: 1, Field: hotel.FieldClosed, Cause: hotel.FieldMinStayThrough}},
		},
		{
			"minimums on arrival are told as minimums of nights with nothing lost inside a season",
			channelOf(field{hotel.FieldMinStayThrough, exact}, field{hotel.FieldMinStayArrival, coarser}),
			minArrival(0, 0, 2, 2, 2, 0),
			nights{{}, {}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {}},
			nil, nil,
		},
		{
			"a far side that reads a minimum on the check-out date too is told it a day later",
			channelOf(field{hotel.FieldMinStayThrough, hotel.Carriage{As: hotel.Exact, ThroughIncludesDeparture: true}}),
			nights{{}, {}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {}},
			nights{{}, {}, {}, {Lengths: hotel.LengthLimits{MinStayThrough: 2}}, {}},
			nil, nil,
		},
		{
			"a field that the hotel keeps at the channel is left to it",
			channelOf(),
			nights{{}, {Lengths: hotel.LengthLimits{MinStayThrough: 9, MaxAdvance: 3}, Closed: hotel.Closed{Arrival: true, Departure: true}}, {}},
			nights{{}, {}, {}},
			nil, nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			facts := carriage.House{Products: [][]availability.NightRules{test.house}}
			told := test.channel.Tell(facts)
			if diff := cmp.Diff(test.want, nights(told.Products[0])); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.lost, test.channel.Lost(facts, told)); diff != "" {
				t.Errorf("lost (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.forced, told.Forced); diff != "" {
				t.Errorf("forced (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAdvanceDaysThatCannotBeToldCloseByDate(t *testing.T) {
	c := channelOf(field{hotel.FieldClosedToArrival, exact})
	c.Absent[hotel.FieldMinAdvance] = hotel.CloseNights
	house := make(nights, 6)
	for i := range house {
		house[i].Lengths.MinAdvance = 3
	}
	for today, closed := range []int{3, 4} { // arrivals from the first night on that are too near
		facts := carriage.House{From: 0, Today: hotel.Date(today), Products: [][]availability.NightRules{house}}
		told := c.Tell(facts)
		for i, r := range told.Products[0] {
			if want := i < closed; r.Closed.Arrival != want || r.Closed.Closed {
				t.Errorf("today %d: night %d is told %+v, want closed to arrival: %t", today, i, r.Closed, want)
			}
		}
		if len(c.Lost(facts, told)) != 0 {
			t.Errorf("today %d: lost %+v", today, c.Lost(facts, told))
		}
	}
}

func TestOneValueForTheRoom(t *testing.T) {
	c := channelOf(
		field{hotel.FieldMinStayArrival, hotel.Carriage{As: hotel.Exact, Level: hotel.PerRoomType}},
		field{hotel.FieldClosedToArrival, exact},
	)
	strict := nights{{Lengths: hotel.LengthLimits{MinStayArrival: 2}}, {}, {}}
	facts := carriage.House{Products: [][]availability.NightRules{strict, make(nights, 3)}}
	told := c.Tell(facts)
	for p := range 2 {
		if diff := cmp.Diff(strict, nights(told.Products[p])); diff != "" {
			t.Errorf("product %d (-want +got):\n%s", p, diff)
		}
	}
	want := []carriage.Loss{{Product: 1, Night: 0, Field: hotel.FieldMinStayArrival, Stays: 1}}
	if diff := cmp.Diff(want, c.Lost(facts, told)); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

func TestARoomWithoutClosingsIsClosedForAllItsProducts(t *testing.T) {
	c := carriage.Channel{}
	facts := carriage.House{Products: [][]availability.NightRules{{{Closed: hotel.Closed{Closed: true}}, {}}, make(nights, 2)}}
	told := c.Tell(facts)
	for p := range 2 {
		if !told.Products[p][0].Closed.Closed || told.Products[p][1].Closed.Closed {
			t.Errorf("product %d is told %+v", p, told.Products[p])
		}
	}
}
