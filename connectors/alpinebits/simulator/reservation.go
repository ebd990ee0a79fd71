package simulator

import (
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// reservation is a booking on the wire.
type reservation struct {
	Created  string     `xml:"CreateDateTime,attr"`
	Status   string     `xml:"ResStatus,attr"`
	Modified string     `xml:"LastModifyDateTime,attr,omitempty"`
	ID       uniqueID   `xml:"UniqueID"`
	Stays    []roomStay `xml:"RoomStays>RoomStay"`
	First    string     `xml:"ResGuests>ResGuest>Profiles>ProfileInfo>Profile>Customer>PersonName>GivenName"`
	Last     string     `xml:"ResGuests>ResGuest>Profiles>ProfileInfo>Profile>Customer>PersonName>Surname"`
	Brokers  *brokers   `xml:"ResGlobalInfo>HotelReservationIDs"`
	Hotel    property   `xml:"ResGlobalInfo>BasicPropertyInfo"`
}

// brokers are where a booking was made, when that was not at the portal itself.
type brokers struct {
	Broker []broker `xml:"HotelReservationID"`
}

type broker struct {
	Type   string `xml:"ResID_Type,attr"`
	Value  string `xml:"ResID_Value,attr"`
	Source string `xml:"ResID_Source,attr"`
}

type uniqueID struct {
	Type string `xml:"Type,attr"`
	ID   string `xml:"ID,attr"`
}

type property struct {
	Code string `xml:"HotelCode,attr"`
}

type roomStay struct {
	Category category  `xml:"RoomTypes>RoomType"`
	Rate     rate      `xml:"RatePlans>RatePlan"`
	Nights   *roomRate `xml:"RoomRates>RoomRate"`
	Guests   []guests  `xml:"GuestCounts>GuestCount"`
	Span     timeSpan  `xml:"TimeSpan"`
	Card     card      `xml:"Guarantee>GuaranteesAccepted>GuaranteeAccepted>PaymentCard"`
	Total    *amount   `xml:"Total"`
}

type category struct {
	Code string `xml:"RoomTypeCode,attr"`
}

type rate struct {
	Code  string `xml:"RatePlanCode,attr"`
	Meals meals  `xml:"MealsIncluded"`
}

// meals are in every plan: the portal sells breakfast with it.
type meals struct {
	Indicator bool   `xml:"MealPlanIndicator,attr"`
	Code      string `xml:"MealPlanCodes,attr"`
}

type roomRate struct {
	Rate     string      `xml:"RatePlanCode,attr"`
	Category string      `xml:"RoomTypeCode,attr"`
	Nights   []nightRate `xml:"Rates>Rate"`
}

type nightRate struct {
	Date string `xml:"EffectiveDate,attr"`
	Base amount
}

// guests are adults, who have no age, or the children of an age.
type guests struct {
	Count string `xml:"Count,attr"`
	Age   string `xml:"Age,attr,omitempty"`
}

type timeSpan struct {
	Start string `xml:"Start,attr"`
	End   string `xml:"End,attr"`
}

type card struct {
	Code    string `xml:"CardCode,attr"`
	Expires string `xml:"ExpireDate,attr"`
	Holder  string `xml:"CardHolderName"`
	Number  string `xml:"CardNumber>PlainText"`
}

type amount struct {
	AfterTax string `xml:"AmountAfterTax,attr"`
	Currency string `xml:"CurrencyCode,attr"`
}

// typeOf is the type of a reservation's number.
func typeOf(kind connectors.EventKind) string {
	if kind == connectors.Cancelled {
		return "15"
	}
	return "14"
}

var statuses = map[connectors.EventKind]string{
	connectors.Booked: "Reserved", connectors.Modified: "Modify", connectors.Cancelled: "Cancelled",
}

// named is a name that has at least one character, as the schema wants it.
func named(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// tell writes a booking. A card is always with it, as clear as the standard allows.
func (s *Simulator) tell(version string, kind connectors.EventKind, b simkit.Booking) reservation {
	at := b.At.UTC().Format(time.RFC3339Nano)
	r := reservation{
		Created: at, Status: statuses[kind], ID: uniqueID{typeOf(kind), b.Reference},
		First: named(b.FirstName), Last: named(b.LastName), Hotel: property{s.o.Hotel},
	}
	if b.Number%2 == 0 {
		r.Brokers = &brokers{[]broker{{"13", strconv.FormatInt(700000+b.Number, 10), "Locanda Online"}}}
	}
	if version != oldest && kind == connectors.Modified {
		r.Modified = at
	}
	for _, p := range b.Parts() {
		stay := stayOf(version, p)
		stay.Card = card{Code: "VI", Expires: "1230", Holder: named(b.LastName), Number: "4111111111111111"}
		r.Stays = append(r.Stays, stay)
	}
	return r
}

// stayOf writes one room of a booking. What each night costs the newest version tells.
func stayOf(version string, p simkit.Part) roomStay {
	stay := roomStay{
		Category: category{p.Room}, Rate: rate{p.Rate, meals{true, "3"}}, Guests: []guests{{Count: strconv.Itoa(p.Adults)}},
		Span: timeSpan{p.CheckIn.String(), p.CheckOut.String()},
	}
	for i, age := range p.Children {
		if i > 0 && p.Children[i-1] == age {
			continue
		}
		same := 0
		for _, other := range p.Children {
			if other == age {
				same++
			}
		}
		stay.Guests = append(stay.Guests, guests{strconv.Itoa(same), strconv.Itoa(age)})
	}
	var total hotel.Money
	for _, a := range p.Amounts {
		total.Minor += a.Minor
		total.Currency = a.Currency
	}
	if !total.IsZero() {
		stay.Total = &amount{total.Amount(), string(total.Currency)}
	}
	if version == newest && len(p.Amounts) > 0 {
		stay.Nights = &roomRate{Rate: p.Rate, Category: p.Room}
		for i, a := range p.Amounts {
			night := p.CheckIn + hotel.Date(i)
			stay.Nights.Nights = append(stay.Nights.Nights, nightRate{night.String(), amount{a.Amount(), string(a.Currency)}})
		}
	}
	return stay
}
