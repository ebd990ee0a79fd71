package api

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type reservationBody struct {
	EntityBody
	ConfirmationNumber string                    `json:"confirmation_number"`
	PropertyID         string                    `json:"property_id"`
	GroupID            *string                   `json:"group_id"`
	BlockID            *string                   `json:"block_id" doc:"The block whose lines it draws from."`
	Status             string                    `json:"status" enum:"enquired,requested,held,waitlisted,confirmed,checked_in,checked_out,cancelled,no_show,declined"`
	StayPhase          string                    `json:"stay_phase" enum:"future,due_in,overdue_arrival,stayover,due_out,overdue_departure,departed,void" doc:"Where it stands on the business date."`
	HoldExpiresAt      *string                   `json:"hold_expires_at" format:"date-time" doc:"When it is declined unless somebody confirms it."`
	RoomTypeID         *string                   `json:"room_type_id" doc:"Null while the channel's room is not mapped."`
	RatePlanID         *string                   `json:"rate_plan_id"`
	BookedRoomTypeID   *string                   `json:"booked_room_type_id" doc:"What was sold."`
	HeldRoomTypeID     *string                   `json:"held_room_type_id" doc:"What is held while the channel's room is not mapped."`
	RoomNumber         *string                   `json:"room_number"`
	CheckIn            string                    `json:"check_in" format:"date"`
	CheckOut           string                    `json:"check_out" format:"date"`
	OriginalCheckOut   string                    `json:"original_check_out" format:"date"`
	ExpectedArrival    *string                   `json:"expected_arrival_time" doc:"Local time."`
	ActualCheckInAt    *string                   `json:"actual_check_in_at" format:"date-time" doc:"Null where nobody saw it."`
	ActualCheckOutAt   *string                   `json:"actual_check_out_at" format:"date-time" doc:"Null where nobody saw it."`
	Adults             int                       `json:"adults"`
	ChildrenAges       []*int                    `json:"children_ages" doc:"Null: the channel gave only a count."`
	GuestID            *string                   `json:"guest_id" doc:"Null where there is none."`
	Guest              guestBody                 `json:"guest"`
	AdditionalGuestIDs []string                  `json:"additional_guest_ids" doc:"Profiles of further guests."`
	SuggestedGuestIDs  []string                  `json:"suggested_guest_ids" doc:"Profiles that may be of the same person: e-mail and last name are the same, phone or date of birth are not. Merge them if they are."`
	Source             sourceBody                `json:"source"`
	Nightly            []nightBody               `json:"nightly"`
	Extras             []extraBody               `json:"extras"`
	Total              *totalBody                `json:"total,omitempty" doc:"Left out when the channel gave no price."`
	PriceKnown         bool                      `json:"price_known"`
	Complimentary      bool                      `json:"complimentary"`
	HouseUse           bool                      `json:"house_use"`
	Exchange           *bookingExchangeBody      `json:"exchange" doc:"Into the property's currency, of a booking in another; null also where no rate is known."`
	TotalProperty      *money                    `json:"total_property" doc:"total.gross in the property's currency, of a booking in another with an exchange."`
	Commission         *money                    `json:"commission" doc:"Null: unknown."`
	CommissionSource   string                    `json:"commission_source" enum:"told,computed,unknown" doc:"Told with the booking, or worked out of the terms of its channel; direct sales cost none."`
	AmountBasis        string                    `json:"amount_basis" enum:"guest_price,net_of_commission" doc:"What the prices are: what the guest pays, or what is left of that after the commission."`
	Guarantee          guaranteeBody             `json:"guarantee"`
	DepositPaid        *money                    `json:"deposit_paid"`
	Balance            *money                    `json:"balance" doc:"What is still to be paid; null when the price is not known."`
	CancellationPolicy *hotel.CancellationPolicy `json:"cancellation_policy" doc:"As it was when the room was booked."`
	Cancel             *cancelBody               `json:"cancel" doc:"Also of a no-show; null of any other."`
	DeclineReason      *string                   `json:"decline_reason" enum:"property,guest,expired"`
	Overbooked         bool                      `json:"overbooked" doc:"It found no room when it came."`
	Issues             []issueBody               `json:"issues" doc:"What was odd about a channel's message."`
	KeptFields         []keptBody                `json:"kept_fields" doc:"Set here by hand: the channel's later messages leave them alone."`
	ChannelActions     []channelActionBody       `json:"channel_actions" doc:"What the channel of the booking was asked to do with it."`
	Acknowledged       *acknowledgedBody         `json:"acknowledged" doc:"The newest revision that the hotel's system has."`
	Imported           bool                      `json:"imported" doc:"It existed before it was known here."`
	MarketSegment      *string                   `json:"market_segment"`
	Tags               []string                  `json:"tags"`
	Notes              string                    `json:"notes"`
	GuestRequests      string                    `json:"guest_requests"`
	InvoiceAddress     *invoiceBody              `json:"invoice_address"`
	Metadata           map[string]string         `json:"metadata"`
	Revisions          []revisionBody            `json:"revisions,omitempty" doc:"Only with include=revisions."`
	Group              *groupBody                `json:"group,omitempty" doc:"Only with include=group."`
}

type sourceBody struct {
	ChannelID         string  `json:"channel_id" example:"direct"`
	SubChannel        *string `json:"sub_channel" doc:"The seller behind a relay."`
	ChannelReference  *string `json:"channel_reference"`
	RoomReference     *string `json:"room_reference"`
	ChannelModifiedAt *string `json:"channel_modified_at" format:"date-time"`
	BookedAt          *string `json:"booked_at" format:"date-time"`
	Collect           *string `json:"collect" enum:"hotel,channel" doc:"Who takes the guest's money."`
}

type nightBody struct {
	Date       string  `json:"date" format:"date"`
	RoomTypeID string  `json:"room_type_id" doc:"Where the guest sleeps."`
	RatePlanID *string `json:"rate_plan_id" doc:"Null where its channel named none that is known here."`
	Amount     money   `json:"amount"`
	Override   bool    `json:"override" doc:"Set by hand; it is not priced again."`
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
	At      string `json:"at" format:"date-time"`
	Reason  string `json:"reason"`
	Note    string `json:"note"`
	By      string `json:"by" doc:"The kind of whoever did it: client, user, channel, operator or system."`
	Penalty *money `json:"penalty" doc:"By the policy of the day of booking; null when it is not known."`
	Waived  bool   `json:"waived" doc:"The guest does not have to pay the penalty."`
}

type keptBody struct {
	Field string `json:"field" enum:"room_type_id,guest,adults,additional_guest_ids,expected_arrival_time,guest_requests,extras,deposit_paid" doc:"adults: who sleeps in the room, children too."`
	By    string `json:"by"`
	At    string `json:"at" format:"date-time"`
	Until string `json:"until" format:"date-time" doc:"When the guest is to have left, at the property's check-out time; it moves with check_out. A room type is released before, where it is set back to the booked one."`
}

type acknowledgedBody struct {
	Revision  int64  `json:"revision"`
	At        string `json:"at" format:"date-time"`
	Reference string `json:"pms_reference"`
}

// reservationOf shows the reservation as the scopes allow.
func (s *server) reservationOf(ctx context.Context, r hotel.Reservation, scopes auth.Scopes) (reservationBody, error) {
	phase, err := s.desk.Phase(ctx, r)
	if err != nil {
		return reservationBody{}, err
	}
	commission, source, err := s.desk.Commission(ctx, r)
	if err != nil {
		return reservationBody{}, err
	}
	b := reservationBody{
		EntityBody: entityOf(r.Entity), ConfirmationNumber: r.Confirmation, PropertyID: r.PropertyID, GroupID: orNull(r.GroupID), BlockID: orNull(r.BlockID),
		Status: string(r.Status), StayPhase: string(phase), HoldExpiresAt: stampOrNull(r.HoldExpires),
		RoomTypeID: orNull(r.RoomTypeID), RatePlanID: orNull(r.RatePlanID), BookedRoomTypeID: orNull(r.BookedRoom), RoomNumber: orNull(r.RoomNumber),
		CheckIn: r.Stay.CheckIn.String(), CheckOut: r.Stay.CheckOut.String(), OriginalCheckOut: r.FirstOut.String(), ExpectedArrival: orNull(r.ArrivalTime),
		ActualCheckInAt: seenAt(r.Arrived), ActualCheckOutAt: seenAt(r.Departed),
		Adults: r.Adults, ChildrenAges: []*int{}, GuestID: orNull(r.GuestID), Guest: personOf(ctx, r.GuestID, r.Guest, scopes), AdditionalGuestIDs: some(r.Companions), SuggestedGuestIDs: some(r.SuggestedGuests), Source: sourceOf(r.Source), Nightly: []nightBody{},
		Extras: extrasOf(r.Extras), PriceKnown: r.PriceKnown, Complimentary: r.Free, HouseUse: r.HouseUse,
		Exchange: bookingExchangeOf(r.Exchange), TotalProperty: moneyOrNone(r.TotalAtHome()),
		Commission: moneyOrNone(commission), CommissionSource: string(source), AmountBasis: amountBasisOf(r),
		Guarantee: guaranteeOf(r, scopes), DepositPaid: moneyOrNone(r.DepositPaid), Total: totalOf(r.Totals), Balance: balanceOf(r),
		CancellationPolicy: r.Policy, Cancel: cancelOf(r), DeclineReason: orNull(string(r.Refused)),
		Overbooked: r.Overbooked, Issues: []issueBody{}, KeptFields: []keptBody{}, ChannelActions: channelActionsOf(r),
		Imported: r.Imported, MarketSegment: orNull(r.Segment), Tags: some(r.Tags), Notes: r.Notes, GuestRequests: r.Requests, InvoiceAddress: invoiceOf(r.Invoice, scopes), Metadata: r.Metadata,
	}
	if r.RoomTypeID == "" {
		b.HeldRoomTypeID = orNull(r.HeldRoom)
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
			Date: n.Date.String(), RoomTypeID: r.RoomOn(n.Date), RatePlanID: orNull(n.RatePlanID), Amount: moneyOf(n.Amount), Override: n.Override,
		})
	}
	for _, i := range r.Issues {
		b.Issues = append(b.Issues, issueBody(i))
	}
	if len(r.Kept) > 0 {
		until, err := s.desk.Leaves(ctx, r)
		if err != nil {
			return b, err
		}
		for _, k := range r.Kept {
			b.KeptFields = append(b.KeptFields, keptBody{Field: k.Field, By: string(k.By.Kind), At: stamp(k.At), Until: stamp(until)})
		}
	}
	if a := r.Acknowledged; a != nil {
		b.Acknowledged = &acknowledgedBody{a.Revision, stamp(a.At), a.Reference}
	}
	return b, nil
}

// seenAt is when somebody saw the guest come or go.
func seenAt(p *hotel.Passage) *string {
	if p == nil || p.Assumed {
		return nil
	}
	return stampOrNull(p.At)
}

func sourceOf(s hotel.Source) sourceBody {
	return sourceBody{
		ChannelID: s.ChannelID, SubChannel: orNull(s.SubChannel), ChannelReference: orNull(s.Reference), RoomReference: orNull(s.RoomRef),
		ChannelModifiedAt: stampOrNull(s.ModifiedAt), BookedAt: stampOrNull(s.BookedAt), Collect: orNull(string(s.Collect)),
	}
}

func cancelOf(r hotel.Reservation) *cancelBody {
	c := r.Cancel
	if c == nil {
		return nil
	}
	return &cancelBody{
		At: stamp(c.At), Reason: r.CancelReason, Note: r.CancelNote, By: string(c.By.Kind), Penalty: moneyOrNone(c.Penalty), Waived: c.Waived,
	}
}
