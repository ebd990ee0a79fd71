package report

import (
	"strings"

	"ostler.example/hotel"
)

// Dimension is what a report can be grouped by.
type Dimension string

// The dimensions. A seller is who shows the rooms to guests: the one behind a
// channel that names it, else the channel. A week is named by its Monday.
const (
	ByDay       Dimension = "day"
	ByWeek      Dimension = "week"
	ByMonth     Dimension = "month"
	ByProperty  Dimension = "property"
	ByRoomType  Dimension = "room_type"
	ByBooked    Dimension = "booked_room_type"
	ByRatePlan  Dimension = "rate_plan"
	ByChannel   Dimension = "channel"
	BySeller    Dimension = "seller"
	BySegment   Dimension = "segment"
	byLeadRange Dimension = "bucket" // of the report of lead times, always
)

// Dimensions are all that can be asked for.
var Dimensions = []Dimension{ByDay, ByWeek, ByMonth, ByProperty, ByRoomType, ByBooked, ByRatePlan, ByChannel, BySeller, BySegment}

// Member is the name of the member, or column, that has a row's place in the
// dimension.
func (d Dimension) Member() string {
	switch d {
	case ByProperty, ByRoomType, ByBooked, ByRatePlan, ByChannel:
		return string(d) + "_id"
	case ByDay, ByWeek, ByMonth, BySeller, BySegment, byLeadRange:
	}
	return string(d)
}

// ofHouse reports whether the rooms of a house can be told apart by the dimension.
// They cannot by who sells them.
func (d Dimension) ofHouse() bool {
	switch d {
	case ByDay, ByWeek, ByMonth, ByProperty, ByRoomType:
		return true
	case ByBooked, ByRatePlan, ByChannel, BySeller, BySegment, byLeadRange:
	}
	return false
}

// place is where in a house something belongs. What is "" is not known, or there is
// none.
type place struct {
	property, room, booked, plan, channel, seller, segment, bucket string
}

// placeOf is where a booking belongs. The room is that of a night, and so is the plan.
func placeOf(p *hotel.Property, r *hotel.Reservation) place {
	return place{
		property: p.ID, room: r.RoomTypeID, booked: r.BookedRoom, plan: r.RatePlanID,
		channel: r.Source.ChannelID, seller: sellerOf(r.Source), segment: r.Segment,
	}
}

// sellerOf names the seller.
func sellerOf(s hotel.Source) string {
	if name := SellerName(s.SubChannel); name != "" {
		return name
	}
	return s.ChannelID
}

// SellerName is the name by which a seller is told apart: relays write the same one in
// several ways.
func SellerName(written string) string {
	return strings.ToLower(strings.Join(strings.Fields(written), " "))
}

// in returns where on a dimension a date and place lie.
func (p *place) in(d Dimension, date hotel.Date) string {
	switch d {
	case ByDay:
		return date.String()
	case ByWeek:
		return (date - hotel.Date((date.Weekday()+6)%7)).String()
	case ByMonth:
		return date.String()[:len("2006-01")]
	case ByProperty:
		return p.property
	case ByRoomType:
		return p.room
	case ByBooked:
		return p.booked
	case ByRatePlan:
		return p.plan
	case ByChannel:
		return p.channel
	case BySeller:
		return p.seller
	case BySegment:
		return p.segment
	case byLeadRange:
		return p.bucket
	}
	return ""
}
