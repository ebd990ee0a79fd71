package api

import (
	"context"
	"net/http"

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
	register(s, get, needs(auth.ReservationsRead), func(ctx context.Context, in *byID) (*resource[reservationBody], error) {
		c := callerOf(ctx)
		r, err := s.desk.Reservation(ctx, c, in.ID)
		if err != nil {
			return nil, err
		}
		res := resourceOf(in.IfNoneMatch, r.Revision, reservationOf(r, c.Scopes))
		return res, nil
	})
	s.registerBooking()
	s.registerReservationChange()
	s.registerCancellation()
}

// reservationInput is a reservation that somebody asks for.
type reservationInput struct {
	PropertyID       string            `json:"property_id"`
	RoomTypeID       string            `json:"room_type_id"`
	RatePlanID       string            `json:"rate_plan_id"`
	CheckIn          hotel.Date        `json:"check_in" format:"date" example:"2026-12-01"`
	CheckOut         hotel.Date        `json:"check_out" format:"date" example:"2026-12-03"`
	Adults           int               `json:"adults" minimum:"1" maximum:"20"`
	ChildrenAges     []int             `json:"children_ages,omitempty" maxItems:"20" minimum:"0" maximum:"17"`
	Guest            guestInput        `json:"guest"`
	Notes            string            `json:"notes,omitempty" maxLength:"2000"`
	GuestRequests    string            `json:"guest_requests,omitempty" maxLength:"2000"`
	Metadata         map[string]string `json:"metadata,omitempty" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	ExpectedTotal    *money            `json:"expected_total,omitempty" doc:"Refused as price_changed when the total is another."`
	AllowOverbooking bool              `json:"allow_overbooking,omitempty" doc:"Take it although no room is free; needs reservations:override."`
}

type guestInput struct {
	FirstName string `json:"first_name,omitempty" maxLength:"100"`
	LastName  string `json:"last_name" minLength:"1" maxLength:"100"`
	Email     string `json:"email,omitempty" format:"email" maxLength:"254"`
	Phone     string `json:"phone,omitempty" pattern:"^\\+[1-9]\\d{4,14}$" patternDescription:"a number of E.164, such as +4930123456"`
	Language  string `json:"language,omitempty" pattern:"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" patternDescription:"a tag of BCP 47"`
	Country   string `json:"country,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
}

func (s *server) registerBooking() {
	op := huma.Operation{
		OperationID: "create-reservation", Method: http.MethodPost, Path: "/reservations",
		Summary: "Book a room", Tags: []string{tagReservations}, DefaultStatus: http.StatusCreated,
		Description: "One room for one stay, if every night has one; checked and booked in one step. With an Idempotency-Key it may be sent again.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *struct{ Body reservationInput }) (*created[reservationBody], error) {
		b, c := in.Body, callerOf(ctx)
		expected, err := readMoney(b.ExpectedTotal, "/expected_total")
		if err != nil {
			return nil, err
		}
		if err := checkMetadata(b.Metadata); err != nil {
			return nil, err
		}
		r, replayed, err := s.desk.Book(ctx, c, hotel.NewReservation{
			PropertyID: b.PropertyID, RoomTypeID: b.RoomTypeID, RatePlanID: b.RatePlanID,
			Stay: hotel.Stay{CheckIn: b.CheckIn, CheckOut: b.CheckOut}, Adults: b.Adults, ChildrenAges: b.ChildrenAges,
			Guest: hotel.Guest(b.Guest), Notes: b.Notes, Requests: b.GuestRequests, Metadata: b.Metadata,
			ExpectedTotal: expected, Overbook: b.AllowOverbooking,
		})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &created[reservationBody]{
			Location: s.base() + "/reservations/" + r.ID, ETag: etag(r.Revision), Cache: revalidate, Body: reservationOf(r, c.Scopes),
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
		Description: "Cancelling it again changes nothing. A channel's booking is cancelled at the channel.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		revision, err := ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		c := callerOf(ctx)
		r, replayed, err := s.desk.Cancel(ctx, c, in.ID, hotel.CancelRequest{
			Reason: in.Body.Reason, Note: in.Body.Note, IfRevision: revision,
		})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", r.Revision, reservationOf(r, c.Scopes)), nil
	})
}

type cancelInput struct {
	Reason string `json:"reason" minLength:"1" maxLength:"100" example:"guest_request"`
	Note   string `json:"note,omitempty" maxLength:"2000"`
}
