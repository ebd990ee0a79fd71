package hotel

import (
	"slices"
	"strings"
)

// ChannelBooking is the content of a channel's message, with codes as the far
// side writes them. Whatever is nil or empty was not mentioned, but for lists and texts
// of which it is said that empty is none.
type ChannelBooking struct {
	Rooms       []ChannelRoom
	Guest       *Guest
	Total       *Money // of all rooms with their extras
	Commission  *Money // of the whole booking
	Payment     ChannelPayment
	Tentative   bool    // the channel holds it, and may yet drop it
	Seller      string  // who sold it, behind a relay; "": nothing is said
	Requests    *string // what the guest asked for, or the channel wrote about the booking; nil: nothing is said, "": none
	ArrivalTime *string // when the guest means to come, HH:MM in the property's zone; nil: nothing is said, "": nobody knows
}

// Nameless returns it without what may name people or tell of a card: dates, rooms and
// prices are left.
func (b ChannelBooking) Nameless() ChannelBooking {
	b.Guest, b.Requests, b.Payment.Card, b.Payment.Access = nil, nil, nil, nil
	b.Rooms = slices.Clone(b.Rooms)
	for i := range b.Rooms {
		r := &b.Rooms[i]
		r.Guest, r.Companions, r.Extras = nil, nil, slices.Clone(r.Extras)
		for j := range r.Extras {
			r.Extras[j].Name = ""
		}
	}
	return b
}

// Counted returns it without amounts that are beyond what an amount may be: the booking
// holds whatever was said of its price.
func (b ChannelBooking) Counted() ChannelBooking {
	for _, m := range []**Money{&b.Total, &b.Commission} {
		if *m != nil && !(*m).Countable() {
			*m = nil
		}
	}
	b.Rooms = slices.Clone(b.Rooms)
	for i := range b.Rooms {
		r := &b.Rooms[i]
		if slices.ContainsFunc(r.Amounts, func(m Money) bool { return !m.Countable() }) {
			r.Amounts = nil
		}
		if r.Total != nil && !r.Total.Countable() {
			r.Total = nil
		}
		if r.Deposit != nil && !r.Deposit.Countable() {
			r.Deposit = nil
		}
		r.Extras = slices.DeleteFunc(slices.Clone(r.Extras), func(e Extra) bool { return !e.UnitPrice.Countable() })
	}
	return b
}

// ChannelPayment is what a channel's message says of the money behind a booking.
// Whatever is nil or empty was not mentioned, and stays as it was.
type ChannelPayment struct {
	Collect   Collector   `json:"collect,omitempty"`      // who takes the guest's money
	Basis     AmountBasis `json:"amount_basis,omitempty"` // what the amounts of the message are
	Guarantee string      `json:"guarantee,omitempty"`    // none, card_on_file, deposit or prepaid
	Card      *Card       `json:"card,omitempty"`
	Access    *CardAccess `json:"card_access,omitempty"`
}

// IsZero reports whether the message says nothing of it.
func (p ChannelPayment) IsZero() bool { return p == ChannelPayment{} }

// ChannelRoom describes a single room in such a booking. Amounts goes by
// night; -1 in Children stands for a child whose age was not given.
type ChannelRoom struct {
	Ref, Room, Rate string
	Stay            Stay
	Adults          int
	Children        []int
	Amounts         []Money
	Total           *Money // of the room with its extras; nil: not told
	Guest           *Guest
	Companions      []Guest // further guests of the room; nil: nothing is said, empty: none
	Deposit         *Money  // what has been paid of it ahead, to the channel or through it; nil: nothing is said, of no amount: nothing has
	Extras          []Extra // beside the price of the room, or at no price within it, by kind: names are not kept; nil: nothing is said, empty: none
	Gone            bool    // it is given up, and the others stay: of a message that names what changes ([Terms.PartialGroups]); any other leaves it out
}

// Known returns it without words that mean nothing here: what they were to say is
// taken as not mentioned.
func (p ChannelPayment) Known() ChannelPayment {
	keep := func(text string, known ...string) string {
		if slices.Contains(known, text) {
			return text
		}
		return ""
	}
	p.Collect = Collector(keep(string(p.Collect), string(HotelCollects), string(ChannelCollects)))
	p.Basis = AmountBasis(keep(string(p.Basis), string(GuestPrice), string(NetOfCommission)))
	p.Guarantee = keep(p.Guarantee, guarantees...)
	if c := p.Card; c != nil && !fourDigits(c.Last4) {
		known := *c
		known.Last4 = ""
		p.Card = &known
	}
	switch a := p.Access; {
	case a == nil:
	case keep(a.Kind, CardInExtranet, CardByToken, CardNowhere) == "":
		p.Access = nil
	case !strings.HasPrefix(a.URL, "https://"):
		p.Access = &CardAccess{Kind: a.Kind, Until: a.Until}
	}
	return p
}

func fourDigits(s string) bool {
	return len(s) == 4 && strings.Trim(s, "0123456789") == ""
}
