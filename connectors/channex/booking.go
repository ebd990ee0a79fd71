package channex

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// resource is a booking revision, or a booking as it is by its latest revision. The id
// of the one is the revision's, that of the other the booking's.
type resource struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"`
	Attributes attributes `json:"attributes"`
}

type attributes struct {
	Property   text            `json:"property_id"`
	Booking    text            `json:"booking_id"`
	Revision   text            `json:"revision_id"`
	UniqueID   text            `json:"unique_id"`
	Status     text            `json:"status"`
	Seller     text            `json:"ota_name"`
	Inserted   text            `json:"inserted_at"`
	Amount     text            `json:"amount"`
	Commission text            `json:"ota_commission"`
	Currency   text            `json:"currency"`
	Customer   lenient[person] `json:"customer"`
	Rooms      []bookedRoom    `json:"rooms"`

	Arrival   lenient[hotel.Date] `json:"arrival_date"`
	Departure lenient[hotel.Date] `json:"departure_date"`
	Occupancy lenient[occupancy]  `json:"occupancy"`

	ArrivalHour text               `json:"arrival_hour"`
	Notes       text               `json:"notes"`
	Services    lenient[[]service] `json:"services"`

	Collect   text               `json:"payment_collect"`
	Guarantee lenient[guarantee] `json:"guarantee"`
	Deposits  lenient[[]deposit] `json:"deposits"`
}

type bookedRoom struct {
	ID        text                `json:"booking_room_id"`
	RoomType  text                `json:"room_type_id"`
	RatePlan  text                `json:"rate_plan_id"`
	CheckIn   lenient[hotel.Date] `json:"checkin_date"`
	CheckOut  lenient[hotel.Date] `json:"checkout_date"`
	Cancelled lenient[bool]       `json:"is_cancelled"`
	Occupancy lenient[occupancy]  `json:"occupancy"`
	Guests    lenient[[]person]   `json:"guests"`
	Meta      lenient[roomMeta]   `json:"meta"`
	Services  lenient[[]service]  `json:"services"`

	Days lenient[map[hotel.Date]text] `json:"days"`
}

type occupancy struct {
	Adults   int   `json:"adults"`
	Children int   `json:"children"`
	Infants  int   `json:"infants"`
	Ages     []int `json:"ages"`
}

// roomMeta names the rate plan where the booked one is derived from it.
type roomMeta struct {
	Parent text `json:"parent_rate_plan_id"`
}

type person struct {
	Name     text             `json:"name"`
	Surname  text             `json:"surname"`
	Mail     text             `json:"mail"`
	Phone    text             `json:"phone"`
	Country  text             `json:"country"`
	State    text             `json:"state"`
	City     text             `json:"city"`
	Address  text             `json:"address"`
	Zip      text             `json:"zip"`
	Language text             `json:"language"`
	Company  lenient[company] `json:"company"`
}

type company struct {
	Title text `json:"title"`
}

// lenient is a detail that is none when it is of another form than expected.
type lenient[V any] struct{ v V }

// UnmarshalJSON reads it.
func (l *lenient[V]) UnmarshalJSON(b []byte) error {
	var v V
	if json.Unmarshal(b, &v) == nil {
		l.v = v
	}
	return nil
}

// revision is what an event is known by.
func (r resource) revision() string {
	if r.Type == "booking" {
		return string(r.Attributes.Revision)
	}
	return r.ID
}

// ref is the number of the booking: that of the agency behind the agency's letters,
// else that of Channex.
func (r resource) ref() string {
	switch a := r.Attributes; {
	case a.UniqueID != "":
		return string(a.UniqueID)
	case r.Type == "booking":
		return r.ID
	default:
		return string(a.Booking)
	}
}

// at is when the revision was made; zero when it does not say. Channex leaves the zone
// out, which is UTC.
func (r resource) at() time.Time {
	for _, form := range []string{"2006-01-02T15:04:05.999999999", time.RFC3339Nano} {
		if at, err := time.Parse(form, string(r.Attributes.Inserted)); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// events are the kinds of revision.
var events = map[text]connectors.EventKind{"new": connectors.Booked, "modified": connectors.Modified, "cancelled": connectors.Cancelled}

// maxRooms and maxNights bound what one revision can make the ledger hold.
const (
	maxRooms  = 50
	maxNights = 400
)

// parseBooking reads a revision, which has the whole booking. It refuses what cannot be
// a booking at all; amounts that make no sense are left out, since the guest comes
// all the same. What is wrong with the rooms of a booking that is cancelled does not keep
// it from being so. sold tells whether the house sells a rate plan. Raw is left to the caller.
func parseBooking(raw []byte, sold func(room, rate string) bool) (resource, connectors.Message, error) {
	var r resource
	if err := json.Unmarshal(raw, &r); err != nil {
		return certain(raw), connectors.Message{}, fmt.Errorf("revision: %w", err)
	}
	a := r.Attributes
	event, known := events[a.Status]
	switch {
	case !known:
		return r, connectors.Message{}, errors.New("its status is none of new, modified and cancelled")
	case r.revision() == "" || r.ref() == "":
		return r, connectors.Message{}, errors.New("it needs the ids of a revision and of a booking")
	}
	if len(a.Rooms) > 0 && !slices.ContainsFunc(a.Rooms, func(b bookedRoom) bool { return !b.Cancelled.v }) {
		event = connectors.Cancelled // room by room
	}
	m := connectors.Message{Key: r.revision(), Ref: r.ref(), Event: event, At: r.at()}
	currency := hotel.Currency(a.Currency)
	var err error
	if m.Booking.Rooms, err = a.rooms(event, currency, sold); err != nil {
		return r, connectors.Message{}, err
	}
	if guest := a.Customer.v.guest(); guest != (hotel.Guest{}) {
		m.Booking.Guest = &guest
	}
	// The amount of a cancelled booking may be that of its fee.
	if total, err := parseAmount(a.Amount, currency); err == nil && event != connectors.Cancelled {
		m.Booking.Total = &total
	}
	if commission, err := parseAmount(a.Commission, currency); err == nil {
		m.Booking.Commission = &commission
	}
	m.Booking.Payment, m.Booking.Seller = a.payment(currency), strings.TrimSpace(string(a.Seller))
	m.Booking.Requests, m.Booking.ArrivalTime = new(strings.TrimSpace(string(a.Notes))), new(a.arrival())
	if len(m.Booking.Rooms) > 0 {
		bearer := bearerOf(m.Booking.Rooms)
		bearer.Extras = append(bearer.Extras, extras(a.Services.v, bearer.Stay, currency)...)
		if paid, ok := a.paid(currency); ok {
			share(paid, m.Booking.Rooms)
		}
	}
	return r, m, nil
}

// rooms are those of a booking that stand. One that says nothing of its rooms holds one
// that Channex does not know, between the dates of the whole.
func (a attributes) rooms(event connectors.EventKind, currency hotel.Currency, sold func(room, rate string) bool) ([]hotel.ChannelRoom, error) {
	said := a.Rooms
	if len(said) == 0 && event != connectors.Cancelled {
		said = []bookedRoom{{CheckIn: a.Arrival, CheckOut: a.Departure, Occupancy: a.Occupancy}}
	}
	var out []hotel.ChannelRoom
	for i, room := range said {
		if room.Cancelled.v && event != connectors.Cancelled {
			continue
		}
		parsed, err := room.parse(currency, sold)
		switch {
		case event == connectors.Cancelled && (err != nil || len(out) == maxRooms):
			continue
		case err != nil:
			return nil, fmt.Errorf("room %d: %w", i+1, err)
		case len(out) == maxRooms:
			return nil, fmt.Errorf("it has more than %d rooms", maxRooms)
		}
		out = append(out, parsed)
	}
	return out, nil
}

// certain is what can be said of a revision that cannot be read as a whole.
func certain(raw []byte) resource {
	var r struct {
		ID         text `json:"id"`
		Type       text `json:"type"`
		Attributes lenient[struct {
			Property text `json:"property_id"`
			Booking  text `json:"booking_id"`
			Revision text `json:"revision_id"`
			UniqueID text `json:"unique_id"`
			Inserted text `json:"inserted_at"`
		}] `json:"attributes"`
	}
	_ = json.Unmarshal(raw, &r) // what is not there is not said
	a := r.Attributes.v
	return resource{ID: string(r.ID), Type: string(r.Type), Attributes: attributes{
		Property: a.Property, Booking: a.Booking, Revision: a.Revision, UniqueID: a.UniqueID, Inserted: a.Inserted,
	}}
}

// parse reads one room of a booking. One without a room type is of none that
// Channex knows; it is kept, for a person to see. One at a plan that is derived, or at one
// of a plan's prices by guests, is at the plan that it comes from, unless the house sells
// the derived one by itself.
func (b bookedRoom) parse(currency hotel.Currency, sold func(room, rate string) bool) (hotel.ChannelRoom, error) {
	stay := hotel.Stay{CheckIn: b.CheckIn.v, CheckOut: b.CheckOut.v}
	if n := stay.Nights(); n == 0 || n > maxNights {
		return hotel.ChannelRoom{}, fmt.Errorf("a stay has 1 to %d nights", maxNights)
	}
	out := hotel.ChannelRoom{Ref: string(b.ID), Room: string(b.RoomType), Rate: string(b.RatePlan), Stay: stay, Adults: max(0, b.Occupancy.v.Adults)}
	if b.Meta.v.Parent != "" && !sold(out.Room, out.Rate) {
		out.Rate = string(b.Meta.v.Parent)
	}
	out.Children = b.Occupancy.v.ages()
	for _, night := range stay.Dates() {
		amount, err := parseAmount(b.Days.v[night], currency)
		if err != nil {
			out.Amounts = nil
			break
		}
		out.Amounts = append(out.Amounts, amount)
	}
	out.Companions = []hotel.Guest{}
	for i, person := range b.Guests.v {
		guest := person.guest()
		switch {
		case guest == (hotel.Guest{}):
		case i == 0:
			out.Guest = &guest
		default:
			out.Companions = append(out.Companions, guest)
		}
	}
	out.Extras = extras(b.Services.v, stay, currency)
	return out, nil
}

// maxChildren bounds how many children of a room are believed.
const maxChildren = 50

// infancy is the age from which a child is no infant any more.
const infancy = 2

// ages lists the children of a room. Ages may be those of the children alone, of the infants
// too, or of these alone; an infant of whom none is told is told as none year old.
func (o occupancy) ages() []int {
	if n := len(o.Ages); o.Infants > 0 && n == o.Children+o.Infants && n <= maxChildren {
		return o.Ages
	}
	children, infants := o.Ages, []int(nil)
	if o.Infants > 0 {
		infant := func(age int) bool { return age < infancy }
		children = slices.DeleteFunc(slices.Clone(o.Ages), infant)
		infants = slices.DeleteFunc(slices.Clone(o.Ages), func(age int) bool { return !infant(age) })
	}
	return append(agesOf(o.Children, children, -1), agesOf(o.Infants, infants, 0)...)
}

// agesOf are the ages that are told of so many, where they are told of all of them.
func agesOf(count int, told []int, unknown int) (out []int) {
	for i := range min(max(0, count), maxChildren) {
		age := unknown
		if len(told) == count {
			age = told[i]
		}
		out = append(out, age)
	}
	return out
}

func (p person) guest() hotel.Guest {
	return hotel.Guest{
		FirstName: string(p.Name), LastName: string(p.Surname), Company: string(p.Company.v.Title), Email: string(p.Mail), Phone: string(p.Phone),
		Language: string(p.Language), Country: string(p.Country),
		Address: hotel.Address{Line1: string(p.Address), City: string(p.City), Region: string(p.State), PostalCode: string(p.Zip)},
	}
}

// parseAmount reads decimal text. Zeros behind the decimals of the currency say
// nothing; other digits there are refused, not rounded.
func parseAmount(amount text, c hotel.Currency) (hotel.Money, error) {
	if !c.Known() {
		return hotel.Money{}, fmt.Errorf("%q is not a currency", c)
	}
	whole, decimals, _ := strings.Cut(string(amount), ".")
	for len(decimals) > c.Exponent() && strings.HasSuffix(decimals, "0") {
		decimals = strings.TrimSuffix(decimals, "0")
	}
	if decimals != "" {
		whole += "." + decimals
	}
	return hotel.ParseMoney(whole, c)
}
