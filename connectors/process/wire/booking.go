package wire

import (
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Message is [connectors.Message].
type Message struct {
	Key      string    `json:"key"`
	Ref      string    `json:"ref,omitempty"`
	Revision string    `json:"revision,omitempty"`
	Event    string    `json:"event,omitempty"`
	At       time.Time `json:"at,omitzero"`
	Booking  *Booking  `json:"booking,omitempty"`
	Problem  string    `json:"problem,omitempty"`
	Raw      Blob      `json:"raw"`
}

// Booking is [hotel.ChannelBooking].
type Booking struct {
	Rooms      []Room       `json:"rooms,omitempty"`
	Guest      *hotel.Guest `json:"guest,omitempty"`
	Total      *hotel.Money `json:"total,omitempty"`
	Commission *hotel.Money `json:"commission,omitempty"`

	Payment     hotel.ChannelPayment `json:"payment,omitzero"`
	Seller      string               `json:"seller,omitempty"`
	Tentative   bool                 `json:"tentative,omitempty"`
	Requests    *string              `json:"requests,omitempty"`     // "": none
	ArrivalTime *string              `json:"arrival_time,omitempty"` // HH:MM; "": nobody knows
}

// Room is [hotel.ChannelRoom].
type Room struct {
	Ref  string `json:"ref,omitempty"`
	Room string `json:"room"`
	Rate string `json:"rate,omitempty"`
	hotel.Stay
	Adults   int           `json:"adults"`
	Children []int         `json:"children,omitempty"` // ages; -1: unknown
	Amounts  []hotel.Money `json:"amounts,omitempty"`  // one for each night
	Total    *hotel.Money  `json:"total,omitempty"`    // with its extras
	Guest    *hotel.Guest  `json:"guest,omitempty"`

	Companions []hotel.Guest `json:"companions,omitzero"` // further guests; an empty list: none
	Deposit    *hotel.Money  `json:"deposit,omitempty"`   // paid ahead; of no amount: nothing
	Extras     []hotel.Extra `json:"extras,omitzero"`     // an empty list: none
	Gone       bool          `json:"gone,omitempty"`      // given up, where messages name what changes
}

// FromMessage writes a message.
func FromMessage(m connectors.Message) *Message {
	out := &Message{Key: m.Key, Ref: m.Ref, Revision: m.Revision, Event: string(m.Event), At: m.At, Problem: m.Problem, Raw: m.Raw}
	b := Booking{
		Guest: m.Booking.Guest, Total: m.Booking.Total, Commission: m.Booking.Commission, Payment: m.Booking.Payment,
		Tentative: m.Booking.Tentative, Seller: m.Booking.Seller, Requests: m.Booking.Requests, ArrivalTime: m.Booking.ArrivalTime,
	}
	for _, r := range m.Booking.Rooms {
		b.Rooms = append(b.Rooms, Room{r.Ref, r.Room, r.Rate, r.Stay, r.Adults, r.Children, r.Amounts, r.Total, r.Guest, r.Companions, r.Deposit, r.Extras, r.Gone})
	}
	if len(b.Rooms) > 0 || b.Guest != nil || b.Total != nil || b.Commission != nil || !b.Payment.IsZero() || b.Tentative || b.Seller != "" || b.Requests != nil || b.ArrivalTime != nil {
		out.Booking = &b
	}
	return out
}

// Read returns the message as the seam knows it.
func (m *Message) Read() connectors.Message {
	out := connectors.Message{
		Key: m.Key, Ref: m.Ref, Revision: m.Revision, Event: connectors.EventKind(m.Event), At: m.At, Problem: m.Problem, Raw: m.Raw,
	}
	if m.Booking == nil {
		return out
	}
	out.Booking = hotel.ChannelBooking{
		Guest: m.Booking.Guest, Total: m.Booking.Total, Commission: m.Booking.Commission, Payment: m.Booking.Payment,
		Tentative: m.Booking.Tentative, Seller: m.Booking.Seller, Requests: m.Booking.Requests, ArrivalTime: m.Booking.ArrivalTime,
	}
	for _, r := range m.Booking.Rooms {
		out.Booking.Rooms = append(out.Booking.Rooms, hotel.ChannelRoom{
			Ref: r.Ref, Room: r.Room, Rate: r.Rate, Stay: r.Stay, Adults: r.Adults, Children: r.Children, Amounts: r.Amounts, Total: r.Total, Guest: r.Guest,
			Companions: r.Companions, Deposit: r.Deposit, Extras: r.Extras, Gone: r.Gone,
		})
	}
	return out
}
