package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func (s *server) registerReservations() {
	s.registerReservationList()
	get := huma.Operation{
		OperationID: "get-reservation", Method: http.MethodGet, Path: "/reservations/{id}",
		Summary: "One reservation", Tags: []string{tagReservations},
	}
	type input struct {
		ID          string   `path:"id"`
		IfNoneMatch string   `header:"If-None-Match" doc:"Answers 304 when the resource still has this ETag."`
		Include     []string `query:"include" enum:"guest,revisions,group" doc:"What else to show: what the guest's profile says beside who that is (guests:read), how it came to be so, and the rooms booked with it."`
	}
	register(s, get, needs(auth.ReservationsRead), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		r, err := s.desk.Reservation(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		body, err := s.reservationOf(ctx, r, callerOf(ctx).Scopes)
		if err != nil {
			return nil, err
		}
		if err := s.include(ctx, &body, r, in.Include); err != nil {
			return nil, err
		}
		return reservationResource(in.IfNoneMatch, r, body), nil
	})
	s.registerBooking()
	s.registerReservationChange()
	s.registerCancellation()
	s.registerReservationSteps()
	s.registerAcknowledgement()
	s.registerRevisions()
	s.registerReservationGroups()
	s.registerImports()
}

// include shows what else of a reservation is asked for.
func (s *server) include(ctx context.Context, body *reservationBody, r hotel.Reservation, parts []string) (err error) {
	if slices.Contains(parts, "revisions") {
		if body.Revisions, err = s.revisions(ctx, r.ID); err != nil {
			return err
		}
	}
	if c := callerOf(ctx); slices.Contains(parts, "guest") && c.Scopes.Has(auth.GuestsRead) {
		p, err := s.desk.Guest(ctx, c, r.GuestID)
		if err == nil {
			known := profileOf(ctx, p)
			body.Guest.Profile = &guestProfileBody{known.Loyalty, known.VIP, known.Consent, known.ExternalIDs, known.Metadata}
		} else if _, gone := errors.AsType[*hotel.Refusal](err); !gone {
			return err
		}
	}
	if !slices.Contains(parts, "group") || r.GroupID == "" {
		return nil
	}
	g, err := s.desk.Group(ctx, callerOf(ctx), r.GroupID)
	if err != nil {
		return err
	}
	group, err := s.groupOf(ctx, g, callerOf(ctx).Scopes)
	body.Group = &group
	return err
}

// reservationInput is a reservation that somebody asks for.
type reservationInput struct {
	PropertyID string `json:"property_id"`
	GroupID    string `json:"group_id,omitempty" doc:"A group of the property that the room joins; of the same source."`
	BookedRoom
	Source        *sourceInput `json:"source,omitempty" doc:"Left out for a booking of your own."`
	ExpectedTotal *money       `json:"expected_total,omitempty" doc:"In the currency of the rate plan. Refused as price_changed when the total is another."`
	TakenRooms
}

// TakenRooms says which rooms are taken that are not free to be sold.
type TakenRooms struct {
	AllowOverbooking bool `json:"allow_overbooking,omitempty" doc:"Take the rooms although none is free; needs reservations:override."`
	SellDealt        bool `json:"sell_dealt,omitempty" doc:"Take them at once although every free room is on sale at a channel, which may still sell it; needs reservations:override."`
}

// BookedRoom is what is asked for of one room, alone or in a group.
type BookedRoom struct {
	Status             string            `json:"status,omitempty" enum:"confirmed,enquired,requested,held,waitlisted,checked_in" default:"confirmed" doc:"checked_in is a guest who walks in."`
	HoldExpiresAt      *time.Time        `json:"hold_expires_at,omitempty" doc:"When it is declined unless somebody confirms it; a held room needs it."`
	RoomTypeID         string            `json:"room_type_id"`
	RatePlanID         string            `json:"rate_plan_id"`
	BlockID            string            `json:"block_id,omitempty" doc:"Draws from the block's lines in place of what is free."`
	RoomNumber         string            `json:"room_number,omitempty" maxLength:"20"`
	CheckIn            hotel.Date        `json:"check_in" format:"date" example:"2026-12-01"`
	CheckOut           hotel.Date        `json:"check_out" format:"date" example:"2026-12-03"`
	ExpectedArrival    string            `json:"expected_arrival_time,omitempty" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" patternDescription:"a local time, such as 17:30"`
	Adults             int               `json:"adults" minimum:"1" maximum:"20"`
	ChildrenAges       []*int            `json:"children_ages,omitempty" maxItems:"20" minimum:"0" maximum:"17" doc:"Null: nobody has said how old."`
	GuestID            string            `json:"guest_id,omitempty" doc:"Of a guest of the property; in place of guest."`
	Guest              *bookedGuest      `json:"guest,omitempty"`
	AdditionalGuestIDs []string          `json:"additional_guest_ids,omitempty" maxItems:"20" doc:"Profiles of further guests."`
	Nightly            []nightInput      `json:"nightly,omitempty" maxItems:"90" doc:"Prices set by hand; the other nights cost what the plan says."`
	Extras             []extraBody       `json:"extras,omitempty" maxItems:"50"`
	Complimentary      bool              `json:"complimentary,omitempty" doc:"Free of charge; needs reservations:override."`
	HouseUse           bool              `json:"house_use,omitempty" doc:"Used by the house itself, free of charge; needs reservations:override."`
	Guarantee          *guaranteeBody    `json:"guarantee,omitempty" doc:"What the plan asks for when it is left out."`
	DepositPaid        *money            `json:"deposit_paid,omitempty"`
	Commission         *money            `json:"commission,omitempty"`
	AmountBasis        string            `json:"amount_basis,omitempty" enum:"guest_price,net_of_commission" default:"guest_price" doc:"What the prices are: what the guest pays, or what is left of that after the commission."`
	MarketSegment      string            `json:"market_segment,omitempty"`
	Tags               []string          `json:"tags,omitempty" maxItems:"10" minLength:"1" maxLength:"40"`
	Notes              string            `json:"notes,omitempty" maxLength:"2000"`
	GuestRequests      string            `json:"guest_requests,omitempty" maxLength:"2000"`
	InvoiceAddress     *invoiceBody      `json:"invoice_address,omitempty"`
	Metadata           map[string]string `json:"metadata,omitempty" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
}

// sourceInput says where a booking came from.
type sourceInput struct {
	ChannelID        string     `json:"channel_id,omitempty" default:"direct"`
	SubChannel       string     `json:"sub_channel,omitempty" maxLength:"100"`
	ChannelReference string     `json:"channel_reference,omitempty" maxLength:"100" doc:"With the others here it is the booking's natural key: one that is stored already is refused as duplicate_reservation."`
	RoomReference    string     `json:"room_reference,omitempty" maxLength:"100"`
	ModifiedAt       *time.Time `json:"channel_modified_at,omitempty" doc:"When the channel changed it last. Of a channel that tells this with its messages, one that is older changes nothing."`
	BookedAt         *time.Time `json:"booked_at,omitempty"`
	Collect          string     `json:"collect,omitempty" enum:"hotel,channel"`
}

func (b *sourceInput) read() hotel.Source {
	if b == nil {
		return hotel.Source{}
	}
	return hotel.Source{
		ChannelID: b.ChannelID, SubChannel: b.SubChannel, Reference: b.ChannelReference, RoomRef: b.RoomReference,
		ModifiedAt: instantOf(b.ModifiedAt), BookedAt: instantOf(b.BookedAt), Collect: hotel.Collector(b.Collect),
	}
}

// readFor turns the members of one room into a booking. Where somebody books for
// a group, no guest need be named.
func (b *BookedRoom) readFor(group bool) (hotel.NewReservation, error) {
	n := hotel.NewReservation{
		Status: hotel.ReservationStatus(b.Status), HoldExpires: instantOf(b.HoldExpiresAt), RoomTypeID: b.RoomTypeID, RatePlanID: b.RatePlanID, BlockID: b.BlockID,
		RoomNumber: b.RoomNumber, Stay: hotel.Stay{CheckIn: b.CheckIn, CheckOut: b.CheckOut}, ArrivalTime: b.ExpectedArrival,
		Adults: b.Adults, ChildrenAges: readAges(b.ChildrenAges), GuestID: b.GuestID, Companions: b.AdditionalGuestIDs, Free: b.Complimentary, HouseUse: b.HouseUse,
		NetAmounts: hotel.AmountBasis(b.AmountBasis) == hotel.NetOfCommission, Segment: b.MarketSegment, Tags: b.Tags,
		Words: hotel.Words{Notes: b.Notes, Requests: b.GuestRequests, Invoice: b.InvoiceAddress.read(), Metadata: b.Metadata},
	}
	switch {
	case b.Guest == nil && b.GuestID == "" && !group:
		return n, hotel.Invalid("/guest", "required", "name the guest, or one of the property's guests by guest_id")
	case b.Guest != nil && b.GuestID != "":
		return n, hotel.Invalid("/guest_id", "enum", "send guest or guest_id, not both")
	case b.Guest != nil:
		n.Guest, n.Profile = hotel.Guest(b.Guest.NamedGuest), b.Guest.profile()
	}
	var err error
	if n.Overrides, err = readNights(b.Nightly); err != nil {
		return n, err
	}
	if n.Extras, err = readExtras(b.Extras); err != nil {
		return n, err
	}
	if n.DepositPaid, err = readMoney(b.DepositPaid, "/deposit_paid"); err != nil {
		return n, err
	}
	if n.Commission, err = readMoney(b.Commission, "/commission"); err != nil {
		return n, err
	}
	return n, cmp.Or(b.Guarantee.readInto(&n), checkMetadata(b.Metadata))
}

func (s *server) registerBooking() {
	op := huma.Operation{
		OperationID: "create-reservation", Method: http.MethodPost, Path: "/reservations",
		Summary: "Book a room", Tags: []string{tagReservations}, DefaultStatus: http.StatusCreated,
		Description: "One room for one stay, if every night has one; checked and booked in one step. With an Idempotency-Key it may be sent again.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *struct{ Body reservationInput }) (*created[reservationBody], error) {
		b, c := in.Body, callerOf(ctx)
		n, err := b.readFor(false)
		if err != nil {
			return nil, err
		}
		if n.ExpectedTotal, err = readMoney(b.ExpectedTotal, "/expected_total"); err != nil {
			return nil, err
		}
		n.PropertyID, n.GroupID, n.Source, n.Overbook, n.SellDealt = b.PropertyID, b.GroupID, b.Source.read(), b.AllowOverbooking, b.SellDealt
		if c.Scopes.Has(auth.GuestsRead) {
			n.ShownIn = op.OperationID
		}
		r, replayed, err := s.desk.Book(ctx, c, n)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		if n.ShownIn != "" && !replayed {
			callOf(ctx).noted = r.GuestID
		}
		body, err := s.reservationOf(ctx, r, c.Scopes)
		if err != nil {
			return nil, err
		}
		return &created[reservationBody]{
			Location: baseOf(ctx) + "/reservations/" + r.ID, ETag: reservationTag(r, body), Cache: revalidate, Body: body,
		}, nil
	})
}

// checkMetadata looks at what a schema cannot say of a map.
func checkMetadata(m map[string]string) error {
	for k, v := range m {
		if err := checkMetadatum(k, v); err != nil {
			return err
		}
	}
	return nil
}

const (
	metadataKey   = 40
	metadataValue = 500
)

func checkMetadatum(k, v string) error {
	if k == "" || len(k) > metadataKey {
		return hotel.Invalid("/metadata", "length", "a key has 1 to %d characters", metadataKey)
	}
	if len([]rune(v)) > metadataValue {
		return hotel.Invalid("/metadata", "length", "a value has at most %d characters", metadataValue)
	}
	return nil
}

func (s *server) registerCancellation() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the reservation has another ETag."`
		Body    cancelInput
	}
	op := huma.Operation{
		OperationID: "cancel-reservation", Method: http.MethodPost, Path: "/reservations/{id}/cancel",
		Summary: "Cancel a reservation", Tags: []string{tagReservations}, DefaultStatus: http.StatusOK,
		Description: "Cancelling it again changes nothing." + atChannel,
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		b := in.Body
		r, replayed, err := s.desk.Cancel(ctx, callerOf(ctx), in.ID, hotel.CancelRequest{
			Reason: b.Reason, Note: b.Note, WaivePenalty: b.WaivePenalty, DoneAtChannel: b.DoneAtChannel, IfRevision: revision,
		})
		return s.changedOrAsked(ctx, r, hotel.ActionCancel, replayed, err)
	})
	mayBeAsked(s.api.OpenAPI().Paths[op.Path].Post)
}

type cancelInput struct {
	Reason       string `json:"reason" minLength:"1" maxLength:"100" example:"guest_request" doc:"released gives away the room of a guest without guarantee who has not come by the release time."`
	Note         string `json:"note,omitempty" maxLength:"2000"`
	WaivePenalty bool   `json:"waive_penalty,omitempty" doc:"The guest does not have to pay; needs reservations:override."`
	AtChannel
}
