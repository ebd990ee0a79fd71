package api

import (
	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type reservationBody struct {
	EntityBody
	ConfirmationNumber string            `json:"confirmation_number"`
	PropertyID         string            `json:"property_id"`
	GroupID            *string           `json:"group_id"`
	Status             string            `json:"status" enum:"confirmed,cancelled"`
	RoomTypeID         *string           `json:"room_type_id" doc:"Null while the channel's room is not mapped."`
	RatePlanID         *string           `json:"rate_plan_id"`
	BookedRoomTypeID   *string           `json:"booked_room_type_id" doc:"What was sold."`
	HeldRoomTypeID     *string           `json:"held_room_type_id" doc:"What is held while the channel's room is not mapped."`
	CheckIn            string            `json:"check_in" format:"date"`
	CheckOut           string            `json:"check_out" format:"date"`
	OriginalCheckOut   string            `json:"original_check_out" format:"date"`
	Adults             int               `json:"adults"`
	ChildrenAges       []*int            `json:"children_ages" doc:"Null: the channel gave only a count."`
	Guest              guestBody         `json:"guest"`
	Source             sourceBody        `json:"source"`
	Nightly            []nightBody       `json:"nightly"`
	Total              *totalBody        `json:"total,omitempty" doc:"Left out when the channel gave no price."`
	PriceKnown         bool              `json:"price_known"`
	Overbooked         bool              `json:"overbooked" doc:"It found no room when it came."`
	Issues             []issueBody       `json:"issues" doc:"What was odd about a channel's message."`
	Notes              string            `json:"notes"`
	GuestRequests      string            `json:"guest_requests"`
	Metadata           map[string]string `json:"metadata"`
	Cancel             *cancelBody       `json:"cancel,omitempty"`
}

// guestBody shows what may be read without the scope guests:read; the members
// that can be left out need it.
type guestBody struct {
	ID          string `json:"id"`
	DisplayName string `json:"display_name"`
	Language    string `json:"language"`
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Email       string `json:"email,omitempty"`
	Phone       string `json:"phone,omitempty"`
	Country     string `json:"country,omitempty"`
}

type sourceBody struct {
	ChannelID         string  `json:"channel_id" example:"direct"`
	ChannelReference  *string `json:"channel_reference"`
	RoomReference     *string `json:"room_reference"`
	ChannelModifiedAt *string `json:"channel_modified_at" format:"date-time"`
	BookedAt          *string `json:"booked_at" format:"date-time"`
}

type nightBody struct {
	Date       string `json:"date" format:"date"`
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	Amount     money  `json:"amount"`
}

type totalBody struct {
	Room    money `json:"room"`
	Extras  money `json:"extras"`
	VAT     money `json:"vat"`
	Gross   money `json:"gross"`
	CityTax money `json:"city_tax_due_at_property"`
}

type issueBody struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

type cancelBody struct {
	At     string `json:"at" format:"date-time"`
	Reason string `json:"reason"`
	Note   string `json:"note"`
	By     string `json:"by" doc:"The kind of whoever did it: client, channel, operator or system."`
}

// reservationOf shows the reservation as the scopes allow.
func reservationOf(r hotel.Reservation, scopes auth.Scopes) reservationBody {
	b := reservationBody{
		EntityBody: entityOf(r.Entity), ConfirmationNumber: r.Confirmation, PropertyID: r.PropertyID, GroupID: orNull(r.GroupID),
		Status: string(r.Status), RoomTypeID: orNull(r.RoomTypeID), RatePlanID: orNull(r.RatePlanID),
		BookedRoomTypeID: orNull(r.BookedRoom), HeldRoomTypeID: orNull(r.HeldRoom),
		CheckIn: r.Stay.CheckIn.String(), CheckOut: r.Stay.CheckOut.String(), OriginalCheckOut: r.FirstOut.String(),
		Adults: r.Adults, ChildrenAges: []*int{}, Guest: guestOf(r, scopes), Source: sourceOf(r.Source), Nightly: []nightBody{},
		PriceKnown: r.PriceKnown, Overbooked: r.Overbooked, Issues: []issueBody{},
		Notes: r.Notes, GuestRequests: r.Requests, Metadata: r.Metadata,
	}
	if b.Metadata == nil {
		b.Metadata = map[string]string{}
	}
	for _, age := range r.ChildrenAges {
		if age < 0 {
			b.ChildrenAges = append(b.ChildrenAges, nil)
			continue
		}
		b.ChildrenAges = append(b.ChildrenAges, &age)
	}
	for _, n := range r.Nightly {
		b.Nightly = append(b.Nightly, nightBody{
			Date: n.Date.String(), RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID, Amount: moneyOf(n.Amount),
		})
	}
	for _, i := range r.Issues {
		b.Issues = append(b.Issues, issueBody(i))
	}
	if r.PriceKnown {
		// No property has taxes or extras configured, so the room is the whole.
		none := moneyOf(hotel.Money{Currency: r.Total.Currency})
		b.Total = &totalBody{Room: moneyOf(r.Total), Extras: none, VAT: none, Gross: moneyOf(r.Total), CityTax: none}
	}
	if r.Cancel != nil {
		b.Cancel = &cancelBody{At: stamp(r.Cancel.At), Reason: r.Cancel.Reason, Note: r.Cancel.Note, By: string(r.Cancel.By.Kind)}
	}
	return b
}

func guestOf(r hotel.Reservation, scopes auth.Scopes) guestBody {
	b := guestBody{ID: r.GuestID, DisplayName: r.Guest.DisplayName(), Language: r.Guest.Language}
	if scopes.Has(auth.GuestsRead) {
		b.FirstName, b.LastName = r.Guest.FirstName, r.Guest.LastName
		b.Email, b.Phone, b.Country = r.Guest.Email, r.Guest.Phone, r.Guest.Country
	}
	return b
}

func sourceOf(s hotel.Source) sourceBody {
	return sourceBody{
		ChannelID: s.ChannelID, ChannelReference: orNull(s.Reference), RoomReference: orNull(s.RoomRef),
		ChannelModifiedAt: stampOrNull(s.ModifiedAt), BookedAt: stampOrNull(s.BookedAt),
	}
}
