package hotel

import "time"

// Reservation is one room booked for one stay. Rooms booked together share a
// GroupID.
type Reservation struct {
	Entity
	Confirmation string // ten characters that a guest can read out
	PropertyID   string
	GroupID      string
	Status       ReservationStatus
	RoomTypeID   string // what is consumed; "" while a channel's code is unmapped
	RatePlanID   string
	BookedRoom   string // the room type that was sold
	HeldRoom     string // the room type held meanwhile when unmapped
	Stay         Stay
	FirstOut     Date // check-out as first booked
	Adults       int
	ChildrenAges []int // -1: the channel gave only a count
	GuestID      string
	Guest        Guest
	Source       Source
	Nightly      []NightPrice
	Total        Money // sum of Nightly; no currency when PriceKnown is false
	PriceKnown   bool
	Overbooked   bool // it found no room when it came
	Issues       []Issue
	Notes        string
	Requests     string // what the guest asked for
	Metadata     map[string]string
	Cancel       *Cancellation
	Sequence     int64 // journal position of the last change
}

// ReservationStatus is where a reservation stands. Which status holds a room, and
// how one follows another, is in package stay.
type ReservationStatus string

// The statuses.
const (
	Enquired   ReservationStatus = "enquired"   // somebody asked; no room is held
	Requested  ReservationStatus = "requested"  // asked for firmly; a room is held until we answer
	Held       ReservationStatus = "held"       // a room is kept for somebody who still has to decide
	Waitlisted ReservationStatus = "waitlisted" // there was no room; it is told when there is
	Confirmed  ReservationStatus = "confirmed"
	CheckedIn  ReservationStatus = "checked_in"
	CheckedOut ReservationStatus = "checked_out"
	Cancelled  ReservationStatus = "cancelled"
	NoShow     ReservationStatus = "no_show"
	Declined   ReservationStatus = "declined" // refused, or left to expire
)

// Direct is the channel id of bookings that came through no channel.
const Direct = "direct"

// Source says where a booking came from.
type Source struct {
	ChannelID  string // Direct, or a channel's id
	Reference  string // the channel's reservation number
	RoomRef    string // the channel's number of the room in it
	Revision   string // the channel's ordering token of the newest message applied
	ModifiedAt time.Time
	BookedAt   time.Time
}

// NightPrice is what one night costs, and what it was sold as.
type NightPrice struct {
	Date       Date
	RoomTypeID string
	RatePlanID string
	Amount     Money
}

// Issue is something odd about a channel's message that a person should see.
type Issue struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Cancellation says when, why and by whom a reservation was cancelled.
type Cancellation struct {
	At     time.Time
	Reason string
	Note   string
	By     Actor
}
