package alpinebits

import (
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// roomOnly is the code of no meals.
const roomOnly = "14"

// boards are what is eaten, by the codes of the standard.
var boards = map[string]string{"1": "all_inclusive", "3": "breakfast", "10": "full_board", "12": "half_board", roomOnly: "room_only"}

// mealCode is the code of what is eaten in a plan of ours; what is not known is nothing.
func mealCode(plan string) string {
	for code, board := range boards {
		if board == plan {
			return code
		}
	}
	return roomOnly
}

// boardOf is what is eaten on a stay, as extras within the price of the room; nil where that
// is not told. No meals are no extras.
func boardOf(m *message.Meals, stay hotel.Stay, c hotel.Currency) []hotel.Extra {
	if m == nil || boards[m.Code] == "" {
		return nil
	}
	if m.Code == roomOnly {
		return []hotel.Extra{}
	}
	return []hotel.Extra{{Code: boards[m.Code], DateFrom: stay.CheckIn, DateTo: stay.CheckOut - 1, Quantity: 1, UnitPrice: hotel.Money{Currency: c}}}
}
