package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type profileBody struct {
	EntityBody
	PropertyID  string            `json:"property_id"`
	FirstName   string            `json:"first_name" required:"false" maxLength:"100" example:"Ada"`
	LastName    *string           `json:"last_name" minLength:"1" maxLength:"100" example:"Lovelace" doc:"Null where a channel told none, and of a person who was forgotten; never in a request."`
	Title       string            `json:"title" required:"false" maxLength:"100"`
	DisplayName string            `json:"display_name" readOnly:"true" example:"Ada Lovelace"`
	Company     string            `json:"company" required:"false" maxLength:"200"`
	Email       string            `json:"email" required:"false" maxLength:"254" example:"ada@example.com"`
	EmailKind   *string           `json:"email_kind" readOnly:"true" enum:"own,relay" doc:"relay is an alias that a channel made up; it never tells two guests to be one. Null without an address."`
	Phone       string            `json:"phone" required:"false" example:"+4930123456" doc:"E.164."`
	Language    string            `json:"language" required:"false" example:"en-GB" doc:"BCP 47."`
	Country     string            `json:"country" required:"false" example:"GB" doc:"Where the guest lives; ISO 3166-1 alpha-2."`
	Nationality string            `json:"nationality" required:"false" example:"GB" doc:"ISO 3166-1 alpha-2."`
	DateOfBirth *string           `json:"date_of_birth" required:"false" format:"date" example:"1985-12-10"`
	Address     hotel.Address     `json:"address" required:"false"`
	Loyalty     []loyaltyBody     `json:"loyalty" required:"false" maxItems:"20"`
	VIP         bool              `json:"vip" required:"false"`
	Consent     *consentBody      `json:"marketing_consent" required:"false" doc:"Null: the guest was never asked."`
	ExternalIDs map[string]string `json:"external_ids" required:"false" maxProperties:"20" doc:"Ids of the guest in other systems, by system. One id is one guest of the property."`
	Metadata    map[string]string `json:"metadata" required:"false" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	Stats       statsBody         `json:"stats" required:"false" readOnly:"true" doc:"Of the bookings that the caller may see."`
	Status      string            `json:"status" readOnly:"true" enum:"active,merged,anonymized" doc:"Of a person who was forgotten nothing else is left."`
	MergedInto  *string           `json:"merged_into" readOnly:"true" doc:"The profile of which this one is part."`
}

type loyaltyBody struct {
	Program string `json:"program" minLength:"1" maxLength:"100" example:"stars"`
	Number  string `json:"number" minLength:"1" maxLength:"100" example:"ST-1815"`
}

type consentBody struct {
	Granted bool   `json:"granted"`
	At      string `json:"at" format:"date-time" example:"2026-11-21T10:00:00.000Z"`
	Source  string `json:"source" minLength:"1" maxLength:"200" example:"check-in form"`
}

type statsBody struct {
	Stays         int     `json:"stays" doc:"Begun, or over."`
	Nights        int     `json:"nights" doc:"Of these stays."`
	FirstStayOn   *string `json:"first_stay_on" format:"date" doc:"Arrival."`
	LastStayOn    *string `json:"last_stay_on" format:"date" doc:"Arrival."`
	Cancellations int     `json:"cancellations"`
	NoShows       int     `json:"no_shows"`
	Revenue       []money `json:"lifetime_revenue" doc:"What these stays came to with taxes; one amount for each currency."`
}

// emailKind says whose an address is: the guest's own, or one that a channel made up; "" for none.
func emailKind(address string) string {
	switch {
	case address == "":
		return ""
	case hotel.Relay(address):
		return "relay"
	}
	return "own"
}

// profileOf shows a guest's profile, and notes that it did.
func profileOf(ctx context.Context, p hotel.GuestProfile) profileBody {
	shows(ctx, p.ID)
	b := body[profileBody](p)
	b.EntityBody, b.DisplayName = entityOf(p.Entity), p.DisplayName()
	b.Loyalty, b.ExternalIDs, b.Metadata = some(b.Loyalty), someOf(b.ExternalIDs), someOf(b.Metadata)
	if kind := emailKind(p.Email); kind != "" {
		b.EmailKind = &kind
	}
	if p.Consent != nil {
		b.Consent.At = stamp(p.Consent.At)
	}
	s := p.Stats
	b.Stats = statsBody{
		Stays: s.Stays, Nights: s.Nights, FirstStayOn: dateOrNull(s.FirstStay), LastStayOn: dateOrNull(s.LastStay),
		Cancellations: s.Cancellations, NoShows: s.NoShows, Revenue: []money{},
	}
	for _, m := range s.Revenue {
		b.Stats.Revenue = append(b.Stats.Revenue, moneyOf(m))
	}
	return b
}

func dateOrNull(d *hotel.Date) *string {
	if d == nil {
		return nil
	}
	return new(d.String())
}

func profileResource(ctx context.Context, ifNoneMatch string, p hotel.GuestProfile) *resource[profileBody] {
	return resourceOf(ifNoneMatch, p.Revision, profileOf(ctx, p))
}

// guestsIn are the filters of the list. They narrow it together.
type guestsIn struct {
	Paging
	Sort string `query:"sort" enum:"created_at,-created_at,updated_at,-updated_at" default:"created_at"`
	OfProperties
	Status       []string  `query:"status" enum:"active,merged,anonymized" doc:"One of several; any when it is left out."`
	Email        string    `query:"email" doc:"The whole address; upper and lower case are the same."`
	Phone        string    `query:"phone" doc:"The whole number; only its digits count."`
	LastName     string    `query:"last_name" doc:"Its beginning; upper and lower case are the same."`
	ExternalID   string    `query:"external_id" doc:"In any system."`
	UpdatedSince time.Time `query:"updated_since" doc:"At or after."`
}

func (s *server) registerGuests() {
	list := huma.Operation{
		OperationID: "list-guests", Method: http.MethodGet, Path: "/guests",
		Summary: "Guests", Tags: []string{tagGuests},
		Description: "Profiles of the granted properties. To follow changes, read with updated_since and sort=updated_at. " +
			"Which guests a client was shown is written down, with the request.",
	}
	register(s, list, needs(auth.GuestsRead), func(ctx context.Context, in *guestsIn) (*listOf[profileBody], error) {
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		f := hotel.GuestFilter{
			PropertyIDs: in.PropertyID,
			Statuses:    several[hotel.GuestStatus](in.Status), Email: in.Email, Phone: in.Phone, LastName: in.LastName, ExternalID: in.ExternalID, UpdatedSince: in.UpdatedSince,
			Sort: hotel.GuestSort(strings.TrimPrefix(in.Sort, "-")), Descending: strings.HasPrefix(in.Sort, "-"),
			Limit: in.Limit + 1, // one more tells whether there is more
		}
		if from != nil {
			f.AfterKey, f.AfterID = from.key, from.id
		}
		found, err := s.desk.Guests(ctx, callerOf(ctx), f)
		if err != nil {
			return nil, inParameters(err)
		}
		var last *position
		if len(found) > in.Limit {
			found = found[:in.Limit]
			end := &found[in.Limit-1]
			last = &position{end.SortKey(f.Sort), end.ID}
		}
		entries := make([]profileBody, len(found))
		for i, p := range found {
			entries[i] = profileOf(ctx, p)
		}
		return page(ctx, s, entries, last), nil
	})
	get := huma.Operation{
		OperationID: "get-guest", Method: http.MethodGet, Path: "/guests/{id}",
		Summary: "One guest", Tags: []string{tagGuests},
		Description: "A profile that was merged into another answers 308 with the address of that one, at this address and those below it.",
	}
	register(s, get, needs(auth.GuestsRead), func(ctx context.Context, in *byID) (*resource[profileBody], error) {
		p, err := s.desk.Guest(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return profileResource(ctx, in.IfNoneMatch, p), nil
	})
	create := huma.Operation{
		OperationID: "create-guest", Method: http.MethodPost, Path: "/guests",
		Summary: "Make a guest's profile", Tags: []string{tagGuests}, DefaultStatus: http.StatusCreated,
		Description: "A new profile, also where another has the same address: profiles are told to be one person when a booking names them, or by hand.",
	}
	register(s, create, needs(auth.GuestsWrite), func(ctx context.Context, in *struct{ Body written[profileBody] }) (*created[profileBody], error) {
		p, err := read[hotel.GuestProfile](in.Body, "property_id")
		if err != nil {
			return nil, err
		}
		p, replayed, err := s.desk.CreateGuest(ctx, callerOf(ctx), p)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/guests/"+p.ID, p.Revision, profileOf(ctx, p)), nil
	})
	registerPatch(s, kindOfResource[hotel.GuestProfile, profileBody]{
		name: "guest", path: "/guests/{id}", tag: tagGuests, scope: auth.GuestsWrite,
		show: func(ctx context.Context, p hotel.GuestProfile) (*resource[profileBody], error) {
			return profileResource(ctx, "", p), nil
		},
		change: s.desk.ChangeGuest,
	})
	s.registerPreferences()
	s.registerStays()
	s.registerPerson()
}
