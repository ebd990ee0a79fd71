package message

import (
	"cmp"
	"encoding/xml"
	"fmt"
)

// Reservation is what a portal tells of one booking, or of a guest who asks for an
// offer. All values are as they were written; whatever is empty was not told.
type Reservation struct {
	Created  string   `xml:"CreateDateTime,attr"`
	Modified string   `xml:"LastModifyDateTime,attr,omitempty"`
	Status   string   `xml:"ResStatus,attr"`
	ID       UniqueID `xml:"UniqueID"`
	Stays    []Stay   `xml:"RoomStays>RoomStay"`
	Customer *Person  `xml:"ResGuests>ResGuest>Profiles>ProfileInfo>Profile>Customer"`
	Hotel    Hotel    `xml:"ResGlobalInfo>BasicPropertyInfo"`

	Comments []Comment `xml:"ResGlobalInfo>Comments>Comment"`
	Brokers  []Broker  `xml:"ResGlobalInfo>HotelReservationIDs>HotelReservationID"`
	Profiles []Profile `xml:"ResGlobalInfo>Profiles>ProfileInfo>Profile"`

	Raw  []byte `xml:"-"` // as it was received, without what tells how somebody pays
	Card string `xml:"-"` // the type of the card in it, in the codes of OpenTravel; "" where there is none
}

// The statuses of a reservation.
const (
	Requested = "Requested" // a guest asks for an offer
	Reserved  = "Reserved"
	Modified  = "Modify"
	Cancelled = "Cancelled"
)

// Comment is what somebody wrote about a reservation. Lists of what is within its price are
// left out.
type Comment struct {
	Text []string `xml:"Text"`
}

// Broker is where a reservation comes from, and which number it has there.
type Broker struct {
	Type   string `xml:"ResID_Type,attr"` // 13: an internet broker
	Value  string `xml:"ResID_Value,attr"`
	Source string `xml:"ResID_Source,attr"`
}

// InternetBroker is the type of a broker, TravelAgent that of a profile.
const (
	InternetBroker = "13"
	TravelAgent    = "4"
)

// Profile is a company that a reservation has come through.
type Profile struct {
	Type    string  `xml:"ProfileType,attr"`
	Company Company `xml:"CompanyInfo"`
}

// Company is a company, as it is called and reached.
type Company struct {
	Name  string `xml:"CompanyName"`
	Phone Phone  `xml:"TelephoneInfo"`
	Email string `xml:"Email,omitempty"`
}

// UniqueID is the number of a reservation at the portal.
type UniqueID struct {
	Type string `xml:"Type,attr"` // 14, and 15 of a cancellation
	ID   string `xml:"ID,attr"`
}

// Tells reports whether the number can be told to the portal again: it is there, and
// of a type that the schemas know.
func (u UniqueID) Tells() bool { return u.ID != "" && (u.Type == Booking || u.Type == Cancellation) }

// The types of the number of a reservation, and of a cancelled one.
const (
	Booking      = "14"
	Cancellation = "15"
)

// Stay is one room of a reservation. The last date of its span is that of departure.
type Stay struct {
	RoomType  RoomType    `xml:"RoomTypes>RoomType"`
	RatePlan  RatePlan    `xml:"RatePlans>RatePlan"`
	RoomRates []NightRate `xml:"RoomRates>RoomRate>Rates>Rate"`
	Guests    []Guests    `xml:"GuestCounts>GuestCount"`
	Span      StaySpan    `xml:"TimeSpan"`
	Total     *Amount     `xml:"Total"`
}

// RoomType is the category that was booked.
type RoomType struct {
	Code string `xml:"RoomTypeCode,attr,omitempty"`
}

// RatePlan is the rate plan that was booked.
type RatePlan struct {
	Code       string      `xml:"RatePlanCode,attr,omitempty"`
	Commission *Commission `xml:"Commission"`
	Meals      *Meals      `xml:"MealsIncluded"`
}

// Meals is what is eaten at the price of a rate plan, by its code.
type Meals struct {
	Indicator string `xml:"MealPlanIndicator,attr,omitempty"` // true, where there is a code
	Code      string `xml:"MealPlanCodes,attr,omitempty"`
}

// MealsOf are those of a code.
func MealsOf(code string) *Meals { return &Meals{"true", code} }

// Commission is what the portal keeps: an amount, or a percentage of the total.
type Commission struct {
	Percent string   `xml:"Percent,attr,omitempty"`
	Payable *Payable `xml:"CommissionPayableAmount"`
}

// Payable is an amount that is to be paid.
type Payable struct {
	Amount   string `xml:"Amount,attr"`
	Currency string `xml:"CurrencyCode,attr"`
}

// NightRate is what the room costs on one night, or on each of several.
type NightRate struct {
	Date     string   `xml:"EffectiveDate,attr"`
	End      string   `xml:"ExpireDate,attr,omitempty"`
	Excluded string   `xml:"ExpireDateExclusiveInd,attr,omitempty"` // whether End is the night after the last one
	Nights   string   `xml:"UnitMultiplier,attr,omitempty"`         // how many nights one amount is for
	Base     []Amount `xml:"Base"`
}

// Guests is how many guests there are of one age; without an age they are adults.
type Guests struct {
	Count string `xml:"Count,attr"`
	Age   string `xml:"Age,attr,omitempty"`
}

// StaySpan is when somebody stays. What is asked for may be any days of a window.
type StaySpan struct {
	Start    string `xml:"Start,attr,omitempty"`
	End      string `xml:"End,attr,omitempty"`
	Duration string `xml:"Duration,attr,omitempty"` // P7N
}

// Amount is an amount of money, taxes included.
type Amount struct {
	AfterTax string `xml:"AmountAfterTax,attr"`
	Currency string `xml:"CurrencyCode,attr"`
}

// Person is who booked.
type Person struct {
	BirthDate string   `xml:"BirthDate,attr,omitempty"`
	Language  string   `xml:"Language,attr,omitempty"`
	Prefix    string   `xml:"PersonName>NamePrefix,omitempty"`
	GivenName string   `xml:"PersonName>GivenName,omitempty"`
	Surname   string   `xml:"PersonName>Surname"`
	Title     string   `xml:"PersonName>NameTitle,omitempty"`
	Phones    []Phone  `xml:"Telephone"`
	Email     string   `xml:"Email,omitempty"`
	Address   *Address `xml:"Address"`
}

// Phone is a number, and of what.
type Phone struct {
	Kind   string `xml:"PhoneTechType,attr,omitempty"` // 3: a fax
	Number string `xml:"PhoneNumber,attr"`
}

// Address is where somebody lives.
type Address struct {
	Line    string `xml:"AddressLine,omitempty"`
	City    string `xml:"CityName,omitempty"`
	Zip     string `xml:"PostalCode,omitempty"`
	Country struct {
		Code string `xml:"Code,attr"`
	} `xml:"CountryName"`
}

// reservationsOf reads the reservations of a document one by one.
func (d document) reservationsOf() []Reservation {
	all := make([]Reservation, 0, len(d.reservations))
	for _, part := range d.reservations {
		r := Reservation{Raw: d.without(part)}
		for _, p := range d.paysFor(part) {
			r.Card = cmp.Or(r.Card, p.card)
		}
		// The document has been read to its end, so this part of it can be.
		_ = xml.Unmarshal(r.Raw, &r)
		all = append(all, r)
	}
	return all
}

// ReadReservation reads one reservation again, from its [Reservation.Raw].
func ReadReservation(raw []byte) (Reservation, error) {
	r := Reservation{Raw: raw}
	if len(raw) > maxBytes {
		return r, fmt.Errorf("the reservation is longer than %d bytes", maxBytes)
	}
	return r, xml.Unmarshal(raw, &r)
}
