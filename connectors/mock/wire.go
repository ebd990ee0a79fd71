package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// The types of the protocol. Dates are YYYY-MM-DD and spans inclusive; amounts
// are decimal text.

// availabilityUpdate sets the count of a room, with the preset plans of a rate of it, ratesUpdate what is told of a product:
// one thing, or with the preset hub several. Days are those of the week that are meant,
// all of them where none is named.
type (
	availabilityUpdate struct {
		Room      string     `json:"room"`
		Rate      string     `json:"rate,omitempty"`
		From      hotel.Date `json:"from"`
		To        hotel.Date `json:"to"`
		Days      []string   `json:"days,omitempty"`
		Available int        `json:"available"`
	}
	ratesUpdate struct {
		Room     string              `json:"room"`
		Rate     string              `json:"rate"`
		From     hotel.Date          `json:"from"`
		To       hotel.Date          `json:"to"`
		Days     []string            `json:"days,omitempty"`
		Closures *closures           `json:"closures,omitempty"`
		Lengths  *hotel.LengthLimits `json:"lengths,omitempty"`
		Prices   []price             `json:"prices,omitempty"`
	}
	updates[U any] struct {
		Updates []U `json:"updates"`
	}
)

// closures are always written whole: what is left out would be cleared.
type closures struct {
	Closed    bool `json:"closed"`
	Arrival   bool `json:"closed_to_arrival"`
	Departure bool `json:"closed_to_departure"`
}

// price is what so many guests pay for a night; 0 is the price of the room.
type price struct {
	Guests   int    `json:"guests"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// days are the names of the days of the week, by [time.Weekday].
var days = [7]string{"su", "mo", "tu", "we", "th", "fr", "sa"}

// daysOf names days of the week; none is named where all are meant.
func daysOf(meant [7]bool) []string {
	var named []string
	for i, name := range days {
		if meant[i] {
			named = append(named, name)
		}
	}
	return named
}

// updateAnswer is what the far side says to updates: the entries it refuses,
// named by what they are about.
type updateAnswer struct {
	Reference string      `json:"reference"`
	Rejected  []rejection `json:"rejected"`
}

type rejection struct {
	Room   string     `json:"room"`
	Rate   string     `json:"rate"`
	Field  string     `json:"field"` // available, closures, lengths or price
	Guests int        `json:"guests"`
	From   hotel.Date `json:"from"`
	To     hotel.Date `json:"to"`
	Days   []string   `json:"days"`
	Reason string     `json:"reason"`
}

// groups are the names of the field groups on the wire.
var groups = map[string]hotel.Group{
	"available": hotel.Availability, "closures": hotel.Closures, "lengths": hotel.Lengths, "price": hotel.Price,
}

// shownAnswer is what the far side shows for one room: counts and rates, as they
// would be sent.
type shownAnswer struct {
	Availability []availabilityUpdate `json:"availability"`
	Rates        []ratesUpdate        `json:"rates"`
}

type productsAnswer struct {
	Products []struct {
		Room     string `json:"room"`
		RoomName string `json:"room_name"`
		Rate     string `json:"rate"`
		RateName string `json:"rate_name"`

		Adults   int            `json:"adults"` // at most
		Board    string         `json:"board"`
		Currency hotel.Currency `json:"currency"`
	} `json:"products"`
}

// page is a part of the feed or of a list. Next is empty on the last page of a
// list; in the feed it is where to go on.
type page struct {
	Messages []json.RawMessage `json:"messages"`
	Next     string            `json:"next"`
	More     bool              `json:"more"`
}

type acknowledgement struct {
	Messages []string `json:"messages"`
}

type acknowledged struct {
	Acknowledged int `json:"acknowledged"`
}

// message is one event of one booking.
type message struct {
	ID        string     `json:"id"` // of the event in the feed; empty in a list
	Hotel     string     `json:"hotel"`
	Reference string     `json:"reference"`
	Revision  int        `json:"revision"`
	Event     string     `json:"event"` // booked, modified or cancelled
	At        time.Time  `json:"at"`
	Currency  string     `json:"currency"`
	Total     string     `json:"total"`
	Guest     *guest     `json:"guest"`
	Rooms     []roomStay `json:"rooms"`
}

type guest struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
}

type roomStay struct {
	Room     string     `json:"room"`
	Rate     string     `json:"rate"`
	CheckIn  hotel.Date `json:"check_in"`
	CheckOut hotel.Date `json:"check_out"`
	Adults   int        `json:"adults"`
	Children []int      `json:"children"`
	Amounts  []string   `json:"amounts"` // one for each night
}

// maxRooms and maxNights bound what one message can make the ledger hold.
const (
	maxRooms  = 50
	maxNights = 400
)

// parseMessage reads a message. It refuses what cannot be a booking at all;
// amounts that make no sense are left out, since the guest comes all the same.
func parseMessage(raw []byte) (message, connectors.Message, error) {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, connectors.Message{}, fmt.Errorf("message: %w", err)
	}
	event := connectors.EventKind(m.Event)
	switch event {
	case connectors.Booked, connectors.Modified, connectors.Cancelled:
	default:
		return m, connectors.Message{}, fmt.Errorf("message %s: its event is none of booked, modified and cancelled", m.ID)
	}
	if m.Reference == "" || m.Revision < 1 || len(m.Rooms) > maxRooms {
		return m, connectors.Message{}, fmt.Errorf("message %s: it needs a reference, a revision from 1 and at most %d rooms", m.ID, maxRooms)
	}
	currency := hotel.Currency(m.Currency)
	out := connectors.Message{
		// A list shows the same revision without the id of its message, and a reference
		// that is used again counts its revisions from 1 again.
		Key:      m.Reference + "/" + strconv.Itoa(m.Revision) + "/" + m.At.UTC().Format(time.RFC3339Nano),
		Ref:      m.Reference,
		Revision: strconv.Itoa(m.Revision),
		Event:    event,
		At:       m.At,
		Raw:      raw,
	}
	for i, room := range m.Rooms {
		r, err := parseRoom(room, currency)
		if err != nil {
			return m, connectors.Message{}, fmt.Errorf("message %s: room %d: %w", m.ID, i+1, err)
		}
		out.Booking.Rooms = append(out.Booking.Rooms, r)
	}
	if m.Guest != nil {
		out.Booking.Guest = &hotel.Guest{FirstName: m.Guest.FirstName, LastName: m.Guest.LastName}
	}
	if total, err := hotel.ParseMoney(m.Total, currency); err == nil && currency.Known() {
		out.Booking.Total = &total
	}
	return m, out, nil
}

// unread is a message that parseMessage refuses, with what is certain about it.
// Without an id of its own it is known by its bytes.
func unread(said message, raw []byte, problem error) connectors.Message {
	return connectors.Message{Key: said.ID, Ref: said.Reference, At: said.At, Raw: raw, Problem: problem.Error()}
}

// Reread implements [connectors.Rereader].
func (c *conn) Reread(_ context.Context, raw []byte) (connectors.Message, error) {
	said, m, err := parseMessage(raw)
	switch {
	case err != nil:
		return unread(said, raw, err), nil
	case said.Hotel != c.cfg.Hotel:
		return connectors.Message{}, fmt.Errorf("message %s is for another hotel", said.ID)
	}
	return m, nil
}

func parseRoom(r roomStay, currency hotel.Currency) (hotel.ChannelRoom, error) {
	stay := hotel.Stay{CheckIn: r.CheckIn, CheckOut: r.CheckOut}
	if n := stay.Nights(); n == 0 || n > maxNights {
		return hotel.ChannelRoom{}, fmt.Errorf("a stay has 1 to %d nights", maxNights)
	}
	if r.Room == "" || r.Adults < 0 {
		return hotel.ChannelRoom{}, errors.New("it needs a room and a number of adults")
	}
	out := hotel.ChannelRoom{Room: r.Room, Rate: r.Rate, Stay: stay, Adults: r.Adults, Children: r.Children}
	for _, text := range r.Amounts {
		amount, err := hotel.ParseMoney(text, currency)
		if err != nil || !currency.Known() {
			out.Amounts = nil
			break
		}
		out.Amounts = append(out.Amounts, amount)
	}
	if len(out.Amounts) != stay.Nights() {
		out.Amounts = nil
	}
	return out, nil
}
