package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// reservationPatch is a merge patch (RFC 7396): what is left out stays, null
// clears, and guest and metadata are laid over what is there.
type reservationPatch struct {
	CheckIn       optional[hotel.Date]         `json:"check_in,omitzero" format:"date"`
	CheckOut      optional[hotel.Date]         `json:"check_out,omitzero" format:"date"`
	RoomTypeID    optional[string]             `json:"room_type_id,omitzero"`
	RatePlanID    optional[string]             `json:"rate_plan_id,omitzero"`
	Adults        optional[int]                `json:"adults,omitzero" minimum:"1" maximum:"20"`
	ChildrenAges  optional[[]int]              `json:"children_ages,omitzero" maxItems:"20" minimum:"0" maximum:"17"`
	Guest         *guestPatch                  `json:"guest,omitempty"`
	Notes         optional[string]             `json:"notes,omitzero" maxLength:"2000"`
	GuestRequests optional[string]             `json:"guest_requests,omitzero" maxLength:"2000"`
	Metadata      optional[map[string]*string] `json:"metadata,omitzero" doc:"A key that is null is removed."`
	ExpectedTotal *money                       `json:"expected_total,omitempty" doc:"Refused as price_changed when the new total is another."`
}

type guestPatch struct {
	FirstName optional[string] `json:"first_name,omitzero" maxLength:"100"`
	LastName  optional[string] `json:"last_name,omitzero" minLength:"1" maxLength:"100"`
	Email     optional[string] `json:"email,omitzero" format:"email" maxLength:"254"`
	Phone     optional[string] `json:"phone,omitzero" pattern:"^\\+[1-9]\\d{4,14}$" patternDescription:"a number of E.164, such as +4930123456"`
	Language  optional[string] `json:"language,omitzero" pattern:"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" patternDescription:"a tag of BCP 47"`
	Country   optional[string] `json:"country,omitzero" pattern:"^[A-Z]{2}$" patternDescription:"a code of ISO 3166-1 alpha-2"`
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
			"A change of room type alone keeps the price; added nights and a new plan are priced.",
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[reservationBody], error) {
		change, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		if change.IfRevision, err = ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		c := callerOf(ctx)
		r, replayed, err := s.desk.Change(ctx, c, in.ID, change)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return resourceOf("", r.Revision, reservationOf(r, c.Scopes)), nil
	})
	content := s.api.OpenAPI().Paths[op.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

// read turns the patch into a change. Members that a reservation cannot be
// without cannot be cleared.
func (p reservationPatch) read() (desk.Change, error) {
	for _, m := range []struct {
		name string
		null bool
	}{
		{"/check_in", p.CheckIn.Null},
		{"/check_out", p.CheckOut.Null},
		{"/room_type_id", p.RoomTypeID.Null},
		{"/rate_plan_id", p.RatePlanID.Null},
		{"/adults", p.Adults.Null},
		{"/guest/last_name", p.Guest != nil && p.Guest.LastName.Null},
	} {
		if m.null {
			return desk.Change{}, hotel.Invalid(m.name, "required", "cannot be cleared")
		}
	}
	expected, err := readMoney(p.ExpectedTotal, "/expected_total")
	if err != nil {
		return desk.Change{}, err
	}
	c := desk.Change{ReservationChange: hotel.ReservationChange{
		CheckIn: p.CheckIn.pointer(), CheckOut: p.CheckOut.pointer(),
		RoomTypeID: p.RoomTypeID.pointer(), RatePlanID: p.RatePlanID.pointer(),
		Adults: p.Adults.pointer(), ChildrenAges: p.ChildrenAges.orZero(),
		Notes: p.Notes.orZero(), Requests: p.GuestRequests.orZero(), ExpectedTotal: expected,
	}}
	if g := p.Guest; g != nil {
		c.Guest = &desk.GuestChange{
			FirstName: g.FirstName.orZero(), LastName: g.LastName.pointer(), Email: g.Email.orZero(),
			Phone: g.Phone.orZero(), Language: g.Language.orZero(), Country: g.Country.orZero(),
		}
	}
	return c, p.readMetadata(&c)
}

func (p reservationPatch) readMetadata(c *desk.Change) error {
	switch {
	case !p.Metadata.Set:
		return nil
	case p.Metadata.Null:
		c.ReservationChange.Metadata = &map[string]string{}
		return nil
	}
	for k, v := range p.Metadata.Value {
		if v == nil {
			continue
		}
		if err := checkMetadatum(k, *v); err != nil {
			return err
		}
	}
	c.Metadata = p.Metadata.Value
	return nil
}
