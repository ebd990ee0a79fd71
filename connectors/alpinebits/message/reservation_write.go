package message

import "encoding/xml"

// toldReservation is a reservation as it goes out. What is not there has no element: the
// schemas allow no empty ones.
type toldReservation struct {
	Created  string     `xml:"CreateDateTime,attr"`
	Modified string     `xml:"LastModifyDateTime,attr,omitempty"`
	Status   string     `xml:"ResStatus,attr"`
	ID       UniqueID   `xml:"UniqueID"`
	Stays    *toldStays `xml:"RoomStays"`
	Customer *Person    `xml:"ResGuests>ResGuest>Profiles>ProfileInfo>Profile>Customer"`
	Global   toldGlobal `xml:"ResGlobalInfo"`
}

type toldGlobal struct {
	Comments *toldComments `xml:"Comments"`
	Brokers  *toldBrokers  `xml:"HotelReservationIDs"`
	Hotel    Hotel         `xml:"BasicPropertyInfo"`
}

type toldBrokers struct {
	Broker []Broker `xml:"HotelReservationID"`
}

type toldComments struct {
	Comment []toldComment `xml:"Comment"`
}

type toldComment struct {
	Name string   `xml:"Name,attr"`
	Text []string `xml:"Text"`
}

// guestsComment is how the schemas call what a guest wrote.
const guestsComment = "customer comment"

type toldStays struct {
	Stay []toldStay `xml:"RoomStay"`
}

type toldStay struct {
	RoomType *RoomType `xml:"RoomTypes>RoomType"`
	RatePlan *RatePlan `xml:"RatePlans>RatePlan"`
	Guests   []Guests  `xml:"GuestCounts>GuestCount"`
	Span     StaySpan  `xml:"TimeSpan"`
	Total    *Amount   `xml:"Total"`
}

// WriteReservations answers a question about reservations. Amounts by night are not told.
func WriteReservations(all []Reservation) []byte {
	type list struct {
		XMLName     xml.Name          `xml:"ReservationsList"`
		Reservation []toldReservation `xml:"HotelReservation"`
	}
	var out list
	for _, r := range all {
		told := toldReservation{Created: r.Created, Modified: r.Modified, Status: r.Status, ID: r.ID, Customer: r.Customer, Global: toldGlobal{Hotel: r.Hotel}}
		if len(r.Brokers) > 0 {
			told.Global.Brokers = &toldBrokers{r.Brokers}
		}
		for _, c := range r.Comments {
			told.Global.Comments = &toldComments{[]toldComment{{guestsComment, c.Text}}}
		}
		for _, s := range r.Stays {
			stay := toldStay{Guests: s.Guests, Span: s.Span, Total: s.Total}
			if s.RoomType != (RoomType{}) {
				stay.RoomType = &s.RoomType
			}
			if s.RatePlan != (RatePlan{}) {
				stay.RatePlan = &s.RatePlan
			}
			if told.Stays == nil {
				told.Stays = &toldStays{}
			}
			told.Stays.Stay = append(told.Stays.Stay, stay)
		}
		out.Reservation = append(out.Reservation, told)
	}
	return write(Retrieved, "7.000", struct {
		Success unit
		List    list
	}{List: out})
}
