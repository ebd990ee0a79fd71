package board

import (
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Asker is who asks what can be sold, and when.
type Asker struct {
	hotel.Seller
	Today  hotel.Date    // the property's business date
	Now    time.Time     // for cut-offs
	CutOff *hotel.CutOff // of the channel that the seller stands for
}

// Late reports whether it is too late by now to sell a plan for an arrival. Cut-offs
// bind those that stand for a channel: a guest who stands at the desk gets a room.
func (b *Board) Late(arrival hotel.Date, plan int, by Asker) bool {
	return by.Channel && availability.PastCutOff(arrival, b.Property.Zone(), by.Now, b.Property.CutOff, by.CutOff, b.Plans[plan].CutOff)
}
