package board_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

func nights(in, out hotel.Date) hotel.Stay {
	return hotel.Stay{CheckIn: from + in, CheckOut: from + out}
}

// party is so many adults, and children of unknown age.
func party(adults, children int) board.Party {
	return board.Party{Adults: adults, Ages: slices.Repeat([]int{-1}, children)}
}

func euros(minor ...int64) []hotel.Money {
	var all []hotel.Money
	for _, m := range minor {
		all = append(all, hotel.Money{Minor: m, Currency: "EUR"})
	}
	return all
}

func TestQuote(t *testing.T) {
	b := sample(t, func(i int, n *board.Night) {
		n.Rates[double][flexible].Amount += int64(i)
		n.Rooms[double].Sold = i
		if i == 5 {
			n.Rates[double][flexible].Amount = board.None
		}
	})
	tests := []struct {
		name             string
		stay             hotel.Stay
		room, plan       int
		adults, children int
		ahead            hotel.Date
		want             board.Quote
	}{
		{
			"two nights, the fuller one counts", nights(1, 3), double, flexible, 2, 0, 0,
			board.Quote{
				Available: 8, Bookable: true, Priced: true,
				Total: euros(20023)[0], Nightly: euros(10011, 10012),
			},
		},
		{
			"each night is rounded before they are added up", nights(1, 3), double, saver, 0, 0, 9,
			board.Quote{Available: 8, Bookable: true, Priced: true, Total: euros(18000)[0], Nightly: euros(9000, 9000)},
		},
		{
			"too late for the plan", nights(1, 2), double, saver, 0, 0, 6,
			board.Quote{
				Available: 9, Priced: true, Total: euros(9000)[0], Nightly: euros(9000),
				Failed: []availability.Violation{{Field: hotel.FieldMinAdvance, Date: from + 1, Limit: 7, Detail: "at least 7 days ahead"}},
			},
		},
		{"a night without a price", nights(4, 6), double, flexible, 2, 0, 0, board.Quote{Available: 5}},
		{"over the end of the board", nights(9, 11), double, flexible, 2, 0, 0, board.Quote{}},
		{"a plan that does not sell the room", nights(0, 1), double, guests, 2, 0, 0, board.Quote{Available: 10}},
		{
			"too many for the room", nights(0, 1), double, flexible, 3, 0, 0,
			board.Quote{Available: 10, Priced: true, Total: euros(10010)[0], Nightly: euros(10010)},
		},
		{
			"children count as guests", nights(0, 1), suite, guests, 2, 1, 0,
			board.Quote{Available: 5, Bookable: true, Priced: true, Total: euros(26000)[0], Nightly: euros(26000)},
		},
		{"no nights", nights(3, 3), double, flexible, 2, 0, 0, board.Quote{}},
		{"nights in reverse", nights(3, 1), double, flexible, 2, 0, 0, board.Quote{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := b.Quote(test.stay, test.room, test.plan, party(test.adults, test.children), test.stay.CheckIn-test.ahead)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("quote (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFits(t *testing.T) {
	b := sample(t, nil)
	tests := []struct {
		name             string
		room             int
		adults, children int
		want             bool
	}{
		{"the base occupancy", double, 0, 0, true},
		{"the base occupancy and one too many", double, 0, 1, false},
		{"one adult and a child", double, 1, 1, true},
		{"more adults than it takes", family, 3, 0, false},
		{"more children than it takes", family, 1, 3, false},
		{"two of each", family, 2, 2, true},
		{"no children", twin, 1, 1, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := b.Fits(test.room, party(test.adults, test.children)); got != test.want {
				t.Errorf("fits = %t, want %t", got, test.want)
			}
		})
	}
}
