package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type preferencesBody struct {
	Tags    []preferenceBody    `json:"tags" required:"false" maxItems:"50"`
	Notes   []preferenceBody    `json:"notes" required:"false" maxItems:"50"`
	Dietary []preferenceBody    `json:"dietary" required:"false" maxItems:"50"`
	Room    roomPreferencesBody `json:"room" required:"false"`
}

type roomPreferencesBody struct {
	Floor      *preferenceBody `json:"floor" required:"false" doc:"Null, as the others: nobody knows."`
	Bed        *preferenceBody `json:"bed" required:"false"`
	Smoking    *preferenceBody `json:"smoking" required:"false"`
	Accessible *preferenceBody `json:"accessible" required:"false"`
}

type preferenceBody struct {
	Value  string `json:"value" minLength:"1" maxLength:"500" example:"high"`
	Source string `json:"source" enum:"guest,staff,booking,system" doc:"Where it is known from: the guest said so, somebody noted it, a booking said so, or another system."`
}

func preferencesOf(ctx context.Context, ifNoneMatch string, p hotel.GuestProfile) *resource[preferencesBody] {
	shows(ctx, p.ID)
	b := body[preferencesBody](p.Preferences)
	b.Tags, b.Notes, b.Dietary = some(b.Tags), some(b.Notes), some(b.Dietary)
	return resourceOf(ifNoneMatch, p.Revision, b)
}

// preferencesIn is a request that writes preferences.
type preferencesIn[B any] struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the guest has another ETag."`
	Body    B
}

func (s *server) registerPreferences() {
	const path = "/guests/{id}/preferences"
	get := huma.Operation{
		OperationID: "get-guest-preferences", Method: http.MethodGet, Path: path,
		Summary: "What a guest likes", Tags: []string{tagGuests},
		Description: "Part of the profile: they share its revision.",
	}
	register(s, get, needs(auth.GuestsRead), func(ctx context.Context, in *byID) (*resource[preferencesBody], error) {
		p, err := s.desk.Preferences(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return preferencesOf(ctx, in.IfNoneMatch, p), nil
	})
	put := huma.Operation{
		OperationID: "put-guest-preferences", Method: http.MethodPut, Path: path,
		Summary: "Replace what is known that a guest likes", Tags: []string{tagGuests},
	}
	register(s, put, needs(auth.GuestsWrite), func(ctx context.Context, in *preferencesIn[written[preferencesBody]]) (*resource[preferencesBody], error) {
		to, err := read[hotel.Preferences](in.Body)
		if err != nil {
			return nil, err
		}
		return s.prefer(ctx, in.ID, in.IfMatch, func(p *hotel.Preferences) error {
			*p = to
			return nil
		})
	})
	patch := huma.Operation{
		OperationID: "update-guest-preferences", Method: http.MethodPatch, Path: path,
		Summary: "Change what is known that a guest likes", Tags: []string{tagGuests},
		Description: mergePatchWords,
	}
	register(s, patch, needs(auth.GuestsWrite), func(ctx context.Context, in *preferencesIn[patched[preferencesBody]]) (*resource[preferencesBody], error) {
		to, err := change[hotel.Preferences](in.Body, 0)
		if err != nil {
			return nil, err
		}
		return s.prefer(ctx, in.ID, in.IfMatch, to.Apply)
	})
	content := s.api.OpenAPI().Paths[path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]
}

// prefer changes the preferences of a profile.
func (s *server) prefer(ctx context.Context, id, ifMatch string, apply func(*hotel.Preferences) error) (*resource[preferencesBody], error) {
	revision, err := s.ifMatch(ifMatch)
	if err != nil {
		return nil, err
	}
	p, replayed, err := s.desk.ChangeGuest(ctx, callerOf(ctx), id, hotel.Change[hotel.GuestProfile]{
		IfRevision: revision, Apply: func(p *hotel.GuestProfile) error { return apply(&p.Preferences) },
	})
	replay(ctx, replayed)
	if err != nil {
		return nil, err
	}
	return preferencesOf(ctx, "", p), nil
}
