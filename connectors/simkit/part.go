package simkit

import "ostler.example/hotel"

// Part is one room of a booking.
type Part struct {
	Room     string        `json:"room"`
	Rate     string        `json:"rate"`
	CheckIn  hotel.Date    `json:"check_in"`
	CheckOut hotel.Date    `json:"check_out"`
	Adults   int           `json:"adults"`
	Children []int         `json:"children,omitempty"` // their ages, in order
	Amounts  []hotel.Money `json:"amounts,omitempty"`  // one for each night
}

// Stay returns the nights of the room.
func (p Part) Stay() hotel.Stay { return hotel.Stay{CheckIn: p.CheckIn, CheckOut: p.CheckOut} }

// Parts returns the rooms of a booking: the one that it has in every list, and the
// others of a booking of several.
func (b Booking) Parts() []Part {
	first := Part{Room: b.Room, Rate: b.Rate, CheckIn: b.CheckIn, CheckOut: b.CheckOut, Adults: b.Adults, Children: b.Children, Amounts: b.Amounts}
	return append([]Part{first}, b.Others...)
}

// of returns the booking with other rooms, of which there is one at least.
func (b Booking) of(parts []Part) Booking {
	first := parts[0]
	b.Room, b.Rate, b.CheckIn, b.CheckOut = first.Room, first.Rate, first.CheckIn, first.CheckOut
	b.Adults, b.Children, b.Amounts = first.Adults, first.Children, first.Amounts
	b.Others = append([]Part(nil), parts[1:]...)
	return b
}

// moves are what the rooms of a booking do to the counts, each by so many.
func (b Booking) moves(by int) (all []move) {
	for _, p := range b.Parts() {
		all = append(all, move{Room: p.Room, Rate: p.Rate, Stay: p.Stay(), By: by, Site: b.Site})
	}
	return all
}
