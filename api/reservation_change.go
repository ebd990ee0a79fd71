package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// reservationPatch is a merge patch (RFC 7396): what is left out stays, null
// clears, and guest, invoice_address and metadata are laid over what is there.
type reservationPatch struct {
	CheckIn            optional[hotel.Date]         `json:"check_in,omitzero" format:"date"`
	CheckOut           optional[hotel.Date]         `json:"check_out,omitzero" format:"date"`
	RoomTypeID         optional[string]             `json:"room_type_id,omitzero"`
	RatePlanID         optional[string]             `json:"rate_plan_id,omitzero"`
	GroupID            optional[string]             `json:"group_id,omitzero" doc:"The group that it joins, of the same property and source; null: it leaves its group. A channel's bookings are grouped as the channel says."`
	RoomNumber         optional[string]             `json:"room_number,omitzero" maxLength:"20"`
	ExpectedArrival    optional[string]             `json:"expected_arrival_time,omitzero" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" patternDescription:"a local time, such as 17:30"`
	Adults             optional[int]                `json:"adults,omitzero" minimum:"1" maximum:"20"`
	ChildrenAges       optional[[]*int]             `json:"children_ages,omitzero" maxItems:"20" minimum:"0" maximum:"17" doc:"Null: nobody has said how old."`
	Guest              optional[guestPatch]         `json:"guest,omitzero"`
	GuestID            optional[string]             `json:"guest_id,omitzero" doc:"Another guest of the property, in place of the one that it was for; not with guest."`
	AdditionalGuestIDs optional[[]string]           `json:"additional_guest_ids,omitzero" maxItems:"20"`
	Nightly            optional[[]nightInput]       `json:"nightly,omitzero" maxItems:"90" doc:"Prices set by hand; the other nights keep theirs."`
	Extras             optional[[]extraBody]        `json:"extras,omitzero" maxItems:"50"`
	Complimentary      optional[bool]               `json:"complimentary,omitzero" doc:"Needs reservations:override."`
	HouseUse           optional[bool]               `json:"house_use,omitzero" doc:"Needs reservations:override."`
	Guarantee          optional[guaranteePatch]     `json:"guarantee,omitzero"`
	DepositPaid        optional[money]              `json:"deposit_paid,omitzero"`
	Commission         optional[money]              `json:"commission,omitzero"`
	AmountBasis        optional[string]             `json:"amount_basis,omitzero" enum:"guest_price,net_of_commission"`
	HoldExpiresAt      optional[time.Time]          `json:"hold_expires_at,omitzero"`
	MarketSegment      optional[string]             `json:"market_segment,omitzero"`
	Tags               optional[[]string]           `json:"tags,omitzero" maxItems:"10" minLength:"1" maxLength:"40"`
	Notes              optional[string]             `json:"notes,omitzero" maxLength:"2000"`
	GuestRequests      optional[string]             `json:"guest_requests,omitzero" maxLength:"2000"`
	InvoiceAddress     optional[invoicePatch]       `json:"invoice_address,omitzero"`
	Metadata           optional[map[string]*string] `json:"metadata,omitzero" doc:"A key that is null is removed."`
	Reprice            bool                         `json:"reprice,omitempty" doc:"Price the nights to come again."`
	ExpectedTotal      *money                       `json:"expected_total,omitempty" doc:"In the currency of the total. Refused as price_changed when the new total is another."`
	TakenRooms
	AtChannel
}

type guaranteePatch struct {
	Kind optional[string]   `json:"kind,omitzero" enum:"none,card_on_file,deposit,prepaid"`
	Card optional[cardBody] `json:"card,omitzero" doc:"Taken whole."`

	CardAccess optional[cardAccessBody] `json:"card_access,omitzero" doc:"Taken whole."`
}

type invoicePatch struct {
	Name       optional[string] `json:"name,omitzero" maxLength:"200"`
	Company    optional[string] `json:"company,omitzero" maxLength:"200"`
	TaxID      optional[string] `json:"tax_id,omitzero" maxLength:"40"`
	Email      optional[string] `json:"email,omitzero" format:"email" maxLength:"254"`
	Country    optional[string] `json:"country,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
	Line1      optional[string] `json:"line1,omitzero" maxLength:"200"`
	Line2      optional[string] `json:"line2,omitzero" maxLength:"200"`
	City       optional[string] `json:"city,omitzero" maxLength:"100"`
	Region     optional[string] `json:"region,omitzero" maxLength:"100"`
	PostalCode optional[string] `json:"postal_code,omitzero" maxLength:"20"`
}

// members names what the patch sets or clears.
func (p invoicePatch) members() map[string]*string {
	out := map[string]*string{}
	for name, m := range map[string]optional[string]{
		"name": p.Name, "company": p.Company, "tax_id": p.TaxID, "email": p.Email, "country": p.Country,
		"line1": p.Line1, "line2": p.Line2, "city": p.City, "region": p.Region, "postal_code": p.PostalCode,
	} {
		if m.Set {
			out[name] = m.pointer()
		}
	}
	return out
}

func (s *server) registerReservationChange() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the reservation has another ETag."`
		Body    reservationPatch
	}
	op := huma.Operation{
		OperationID: "update-reservation", Method: http.MethodPatch, Path: "/reservations/{id}",
		Summary: "Change a reservation", Tags: []string{tagReservations},
		Description: "A merge patch, sent as application/merge-patch+json or application/json. Rooms are given back and taken in one step. " +
			"A change of room type alone keeps the price; added nights and a new plan are priced. " +
			"Nights of a channel's booking are given back by the channel: it is asked to, and the answer is 202 with the dates as they were.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		change, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		if change.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		if change.Guest != nil {
			change.IfGuestRevision = guestOfTag(in.IfMatch)
		}
		r, replayed, err := s.desk.Change(ctx, callerOf(ctx), in.ID, change)
		if change.CheckIn == nil && change.CheckOut == nil || !replayed && follows(r, change) {
			return s.changed(ctx, r, replayed, err)
		}
		return s.changedOrAsked(ctx, r, hotel.ActionShorten, replayed, err)
	})
	mayBeAsked(s.api.OpenAPI().Paths[op.Path].Patch)
	content := s.api.OpenAPI().Paths[op.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

// follows reports whether a reservation has the dates that a change asks for.
func follows(r hotel.Reservation, c hotel.ReservationChange) bool {
	return (c.CheckIn == nil || *c.CheckIn == r.Stay.CheckIn) && (c.CheckOut == nil || *c.CheckOut == r.Stay.CheckOut)
}

// read turns the patch into a change. Members that a reservation cannot be
// without cannot be cleared.
func (p reservationPatch) read() (hotel.ReservationChange, error) {
	var c hotel.ReservationChange
	for _, m := range []struct {
		name string
		null bool
	}{
		{"/check_in", p.CheckIn.Null},
		{"/check_out", p.CheckOut.Null},
		{"/room_type_id", p.RoomTypeID.Null},
		{"/rate_plan_id", p.RatePlanID.Null},
		{"/adults", p.Adults.Null},
		{"/guest_id", p.GuestID.Null},
		{"/guest", p.Guest.Null},
		{"/guest/last_name", p.Guest.Value.LastName.Null},
		{"/nightly", p.Nightly.Null},
		{"/guarantee", p.Guarantee.Null},
	} {
		if m.null {
			return c, hotel.Invalid(m.name, "required", "cannot be cleared")
		}
	}
	c = hotel.ReservationChange{
		CheckIn: p.CheckIn.pointer(), CheckOut: p.CheckOut.pointer(),
		RoomTypeID: p.RoomTypeID.pointer(), RatePlanID: p.RatePlanID.pointer(), GroupID: p.GroupID.orZero(), RoomNumber: p.RoomNumber.orZero(), ArrivalTime: p.ExpectedArrival.orZero(),
		Adults: p.Adults.pointer(), Free: p.Complimentary.orZero(), HouseUse: p.HouseUse.orZero(),
		HoldExpires: p.HoldExpiresAt.orZero(), Segment: p.MarketSegment.orZero(), Tags: p.Tags.orZero(),
		Notes: p.Notes.orZero(), Requests: p.GuestRequests.orZero(), Reprice: p.Reprice, Overbook: p.AllowOverbooking, SellDealt: p.SellDealt, DoneAtChannel: p.DoneAtChannel,
		NetAmounts: p.netAmounts(),
		Invoice:    hotel.Optional[map[string]*string]{Set: p.InvoiceAddress.Set, Null: p.InvoiceAddress.Null, Value: p.InvoiceAddress.Value.members()},
	}
	if c.Guest, c.GuestID = p.Guest.pointer().read(), p.GuestID.pointer(); c.Guest != nil && c.GuestID != nil {
		return c, hotel.Invalid("/guest_id", "enum", "send guest or guest_id, not both")
	}
	if ages := p.ChildrenAges.orZero(); ages != nil {
		c.ChildrenAges = new(readAges(*ages))
	}
	if p.AdditionalGuestIDs.Set {
		c.Companions = p.AdditionalGuestIDs.orZero()
	}
	if err := p.readMoney(&c); err != nil {
		return c, err
	}
	return c, p.readMetadata(&c)
}

// netAmounts is what the patch says of the basis of prices.
func (p reservationPatch) netAmounts() *bool {
	basis := p.AmountBasis.orZero()
	if basis == nil {
		return nil
	}
	net := hotel.AmountBasis(*basis) == hotel.NetOfCommission
	return &net
}

// readMoney reads what has amounts.
func (p reservationPatch) readMoney(c *hotel.ReservationChange) (err error) {
	if c.ExpectedTotal, err = readMoney(p.ExpectedTotal, "/expected_total"); err != nil {
		return err
	}
	if c.Overrides, err = readNights(p.Nightly.Value); err != nil {
		return err
	}
	if p.Extras.Set {
		extras, err := readExtras(p.Extras.Value)
		if err != nil {
			return err
		}
		c.Extras = &extras
	}
	for _, m := range []struct {
		name string
		from optional[money]
		to   *hotel.Optional[hotel.Money]
	}{{"/deposit_paid", p.DepositPaid, &c.DepositPaid}, {"/commission", p.Commission, &c.Commission}} {
		m.to.Set, m.to.Null = m.from.Set, m.from.Null
		if !m.from.Set || m.from.Null {
			continue
		}
		if m.to.Value, err = m.from.Value.read(m.name); err != nil {
			return err
		}
	}
	of := p.Guarantee.Value
	c.Guarantee = of.Kind.orZero()
	c.Card.Set, c.Card.Null = of.Card.Set, of.Card.Null
	card, err := of.Card.pointer().read()
	if err != nil {
		return err
	}
	if card != nil {
		c.Card.Value = *card
	}
	c.CardAccess.Set, c.CardAccess.Null = of.CardAccess.Set, of.CardAccess.Null
	if access := of.CardAccess.pointer().read(); access != nil {
		c.CardAccess.Value = *access
	}
	return nil
}

func (p reservationPatch) readMetadata(c *hotel.ReservationChange) error {
	c.Metadata = p.Metadata.Optional
	for k, v := range p.Metadata.Value {
		if v == nil {
			continue
		}
		if err := checkMetadatum(k, *v); err != nil {
			return err
		}
	}
	return nil
}
