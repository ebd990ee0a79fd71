package simulator

import (
	"strconv"
	"time"

	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// entry is one update. Which of its parts are there says what it sets; a hub takes
// several at once, and days of the week.
type entry struct {
	Room      string      `json:"room"`
	Rate      string      `json:"rate,omitempty"`
	From      hotel.Date  `json:"from"`
	To        hotel.Date  `json:"to"`
	Days      []string    `json:"days,omitempty"`
	Available *int        `json:"available,omitempty"`
	Closures  *closedWire `json:"closures,omitempty"`
	Lengths   *lengthWire `json:"lengths,omitempty"`
	Prices    []priceWire `json:"prices,omitempty"`
}

type closedWire struct {
	Closed    bool `json:"closed"`
	Arrival   bool `json:"closed_to_arrival"`
	Departure bool `json:"closed_to_departure"`
}

type lengthWire struct {
	MinStayArrival int `json:"min_stay_arrival"`
	MinStayThrough int `json:"min_stay_through"`
	MaxStayArrival int `json:"max_stay_arrival"`
	MaxStayThrough int `json:"max_stay_through"`
	MinAdvance     int `json:"min_advance_days"`
	MaxAdvance     int `json:"max_advance_days"`
}

type priceWire struct {
	Guests   int    `json:"guests"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

type updateRequest struct {
	Updates []entry `json:"updates"`
}

type rejected struct {
	Room   string     `json:"room"`
	Rate   string     `json:"rate,omitempty"`
	Field  string     `json:"field"`
	Guests int        `json:"guests,omitempty"`
	From   hotel.Date `json:"from"`
	To     hotel.Date `json:"to"`
	Days   []string   `json:"days,omitempty"`
	Reason string     `json:"reason"`
}

type updateReply struct {
	Reference string     `json:"reference"`
	Rejected  []rejected `json:"rejected"`
}

type productReply struct {
	Room     string `json:"room"`
	RoomName string `json:"room_name"`
	Rate     string `json:"rate"`
	RateName string `json:"rate_name"`

	Adults   int            `json:"adults,omitempty"`
	Board    string         `json:"board,omitempty"`
	Currency hotel.Currency `json:"currency,omitempty"`
}

type shownReply struct {
	Availability []entry `json:"availability"`
	Rates        []entry `json:"rates"`
}

type pageReply struct {
	Messages []bookingMessage `json:"messages"`
	Next     string           `json:"next"`
	More     bool             `json:"more"`
}

type ackRequest struct {
	Messages []string `json:"messages"`
}

// bookingMessage tells of one booking as it is after an event.
type bookingMessage struct {
	ID        string        `json:"id,omitempty"`
	Hotel     string        `json:"hotel"`
	Reference string        `json:"reference"`
	Revision  int           `json:"revision"`
	Event     string        `json:"event"`
	At        time.Time     `json:"at"`
	Currency  string        `json:"currency,omitempty"`
	Total     string        `json:"total,omitempty"`
	Guest     guestWire     `json:"guest"`
	Rooms     []bookedRooms `json:"rooms"`
}

type guestWire struct {
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
}

type bookedRooms struct {
	Room     string     `json:"room"`
	Rate     string     `json:"rate"`
	CheckIn  hotel.Date `json:"check_in"`
	CheckOut hotel.Date `json:"check_out"`
	Adults   int        `json:"adults"`
	Children []int      `json:"children,omitempty"`
	Amounts  []string   `json:"amounts,omitempty"`
}

// tell writes a booking; id is that of the event, empty in a list.
func (s *Simulator) tell(id, event string, b simkit.Booking) bookingMessage {
	var rooms []bookedRooms
	for _, p := range b.Parts() {
		room := bookedRooms{Room: p.Room, Rate: p.Rate, CheckIn: p.CheckIn, CheckOut: p.CheckOut, Adults: p.Adults, Children: p.Children}
		for _, amount := range p.Amounts {
			room.Amounts = append(room.Amounts, amount.Amount())
		}
		rooms = append(rooms, room)
	}
	m := bookingMessage{
		ID: id, Hotel: s.o.Hotel, Reference: b.Reference, Revision: b.Revision, Event: event, At: b.At,
		Guest: guestWire{FirstName: b.FirstName, LastName: b.LastName}, Rooms: rooms,
	}
	if total := b.Total(); !total.IsZero() {
		m.Currency, m.Total = string(total.Currency), total.Amount()
	}
	return m
}

// event writes the message about an event, one that nobody can read where that
// fault is planted.
func (s *Simulator) event(e simkit.Event) bookingMessage {
	kind := string(e.Kind)
	if s.kit.Faults.Garbles(e.Seq) {
		kind = "garbled"
	}
	return s.tell(messageID(e.Seq), kind, e.Booking)
}

// The id of an event is its number behind a letter.
func messageID(seq int64) string { return "m" + strconv.FormatInt(seq, 10) }

func eventSeq(id string) int64 {
	if len(id) < 2 || id[0] != 'm' {
		return 0
	}
	seq, err := strconv.ParseInt(id[1:], 10, 64)
	if err != nil {
		return 0
	}
	return seq
}
