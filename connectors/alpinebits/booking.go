package alpinebits

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// What one reservation can make the ledger hold.
const (
	maxStays  = 50
	maxNights = 400
	maxGuests = 50
)

// asksOnly is the problem of what is no booking and becomes none here.
const asksOnly = "a guest asks for an offer, which is no booking: answer it at the portal, or by hand"

// parse turns a reservation into a message. What cannot be read is a message all the
// same, with the problem.
func parse(r message.Reservation) connectors.Message {
	m := connectors.Message{Key: key(r), Ref: r.ID.ID, At: at(r), Raw: r.Raw}
	event, booking, err := content(r)
	if err != nil {
		m.Problem = err.Error()
		return m
	}
	m.Event, m.Booking = event, booking
	return m
}

// Reread implements [connectors.Rereader]. A key that counts the changes before it stays
// the one that the message was kept under.
func (c *conn) Reread(_ context.Context, raw []byte) (connectors.Message, error) {
	r, err := message.ReadReservation(raw)
	if err != nil {
		return connectors.Message{}, err
	}
	if c.foreign(r) {
		return connectors.Message{}, errors.New("the reservation is for another hotel")
	}
	m := parse(r)
	m.Key = ""
	return m, nil
}

// key tells one event about a reservation from the others. Portals number
// reservations and not what happens to them, and some give no time of a change, so
// the content has a part in it, see [histories] for the rest. White space has none, and
// neither has a card.
func key(r message.Reservation) string {
	if r.ID.ID == "" {
		return digest(r.Raw) // nobody knows what the rest of it means
	}
	return r.ID.ID + "/" + r.Status + "/" + digestOf(r)
}

func digestOf(r message.Reservation) string {
	words, err := xml.Marshal(r)
	if err != nil {
		words = r.Raw
	}
	return digest(words)
}

func digest(words []byte) string {
	sum := sha256.Sum256(words)
	return hex.EncodeToString(sum[:8])
}

// at is when it happened, zero where that is not told with a time zone. When a guest
// booked is not when the booking was changed or cancelled.
func at(r message.Reservation) time.Time {
	if t, err := time.Parse(time.RFC3339, r.Modified); err == nil {
		return t.UTC()
	}
	if t, err := time.Parse(time.RFC3339, r.Created); err == nil && r.Status == message.Reserved {
		return t.UTC()
	}
	return time.Time{}
}

// content reads what a reservation says. It refuses what cannot be a booking at all;
// amounts and ages that make no sense are left out, since the guest comes all the
// same.
func content(r message.Reservation) (connectors.EventKind, hotel.ChannelBooking, error) {
	var b hotel.ChannelBooking
	if r.ID.ID == "" {
		return "", b, errors.New("the reservation has no number")
	}
	var event connectors.EventKind
	switch r.Status {
	case message.Requested:
		return "", b, errors.New(asksOnly)
	case message.Reserved:
		event = connectors.Booked
	case message.Modified:
		event = connectors.Modified
	case message.Cancelled:
		event = connectors.Cancelled
	default:
		return "", b, errors.New("its status is none of Requested, Reserved, Modify and Cancelled")
	}
	if r.ID.Type == message.Cancellation && event != connectors.Cancelled {
		return "", b, errors.New("by the type of its number it is a cancellation, by its status it is none")
	}
	if len(r.Stays) == 0 && event != connectors.Cancelled || len(r.Stays) > maxStays {
		return "", b, fmt.Errorf("a reservation has 1 to %d rooms", maxStays)
	}
	for i, s := range r.Stays {
		room, err := roomOf(s)
		if err != nil {
			return "", hotel.ChannelBooking{}, fmt.Errorf("room %d: %w", i+1, err)
		}
		b.Rooms = append(b.Rooms, room)
	}
	b.Guest = guestOf(r.Customer)
	b.Seller = sellerOf(r)
	if text := requestsOf(r); text != "" || event != connectors.Cancelled { // a cancellation may say no more than that it is one
		b.Requests = &text
	}
	b.Total, b.Commission = sums(r.Stays)
	if r.Card != "" {
		b.Payment = hotel.ChannelPayment{Guarantee: "card_on_file", Card: &hotel.Card{Brand: hotel.CardBrand(r.Card)}}
	}
	return event, b, nil
}

func roomOf(s message.Stay) (hotel.ChannelRoom, error) {
	stay, err := stayOf(s.Span)
	if err != nil {
		return hotel.ChannelRoom{}, err
	}
	room := hotel.ChannelRoom{ // of which category need not be said: the schemas do not ask for it
		Room: s.RoomType.Code, Rate: s.RatePlan.Code, Stay: stay, Amounts: amountsOf(s.RoomRates, stay), Extras: boardOf(s.RatePlan.Meals, stay, currencyOf(s)),
	}
	if s.Total != nil {
		if total, ok := money(s.Total.AfterTax, s.Total.Currency); ok {
			room.Total = &total
		}
	}
	for _, g := range s.Guests {
		n, err := strconv.Atoi(g.Count)
		if err != nil || n < 1 || room.Adults+len(room.Children)+n > maxGuests {
			return hotel.ChannelRoom{}, fmt.Errorf("a room has 1 to %d guests", maxGuests)
		}
		if g.Age == "" {
			room.Adults += n
			continue
		}
		age, err := strconv.Atoi(g.Age)
		if err != nil || age < 0 || age > 120 {
			age = -1 // not known
		}
		for range n {
			room.Children = append(room.Children, age)
		}
	}
	return room, nil
}

// stayOf reads the nights of a stay, whose end is the day of departure, or which is
// told by its first night and a number of nights.
func stayOf(s message.StaySpan) (hotel.Stay, error) {
	from, err := hotel.ParseDate(s.Start)
	if err != nil {
		return hotel.Stay{}, errors.New("it does not say when the guest arrives")
	}
	to, err := hotel.ParseDate(s.End)
	if err != nil {
		nights, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(s.Duration, "P"), "N"), 10, 16)
		if err != nil {
			return hotel.Stay{}, errors.New("it does not say when the guest leaves")
		}
		to = from + hotel.Date(nights)
	}
	stay := hotel.Stay{CheckIn: from, CheckOut: to}
	if n := stay.Nights(); n < 1 || n > maxNights {
		return hotel.Stay{}, fmt.Errorf("a stay has 1 to %d nights", maxNights)
	}
	return stay, nil
}

// guestOf is who booked, nil when that is not told.
func guestOf(p *message.Person) *hotel.Guest {
	if p == nil {
		return nil
	}
	g := hotel.Guest{
		FirstName: line(p.GivenName), LastName: line(p.Surname), Title: line(p.Prefix + " " + p.Title),
		Email: line(p.Email), Language: p.Language, BirthDate: p.BirthDate,
	}
	for _, phone := range p.Phones {
		if g.Phone == "" && phone.Kind != "3" {
			g.Phone = line(phone.Number)
		}
	}
	if a := p.Address; a != nil {
		g.Country = a.Country.Code
		g.Address = hotel.Address{Line1: line(a.Line), City: line(a.City), PostalCode: line(a.Zip)}
	}
	return &g
}
