package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type mergeInput struct {
	SourceGuestID string `json:"source_guest_id" minLength:"1" doc:"The profile that comes to an end."`
}

type forgetInput struct {
	Reason string `json:"reason" pattern:"^[a-z][a-z0-9_]{0,39}$" patternDescription:"a word of a to z, 0 to 9 and _, at most 40 characters" example:"guest_request" doc:"Kept with the event: a word, and nothing about the person."`
}

// exportBody is everything that is kept of a person.
type exportBody struct {
	GeneratedAt  string             `json:"generated_at" format:"date-time"`
	Guest        profileBody        `json:"guest"`
	Preferences  preferencesBody    `json:"preferences"`
	Reservations []reservationBody  `json:"reservations"`
	Earlier      []earlierBody      `json:"earlier_details" doc:"What reservations said of the guest before."`
	Along        []accompaniedBody  `json:"accompanied" doc:"Bookings of others that the person comes along with, without what they say of those."`
	Messages     []guestMessageBody `json:"channel_messages" doc:"As channels sent them, of bookings that are nobody else's too, and never were."`
	Accesses     []guestAccessBody  `json:"accesses" doc:"Who was shown any of this."`
}

type earlierBody struct {
	ReservationID string    `json:"reservation_id"`
	Revision      int64     `json:"revision"`
	At            string    `json:"at" format:"date-time"`
	Guest         guestBody `json:"guest"`
}

type accompaniedBody struct {
	ReservationID string `json:"reservation_id"`
	PropertyID    string `json:"property_id"`
	CheckIn       string `json:"check_in" format:"date"`
	CheckOut      string `json:"check_out" format:"date"`
}

type guestMessageBody struct {
	ChannelID        string `json:"channel_id"`
	ChannelReference string `json:"channel_reference"`
	ReceivedAt       string `json:"received_at" format:"date-time"`
	Content          string `json:"content"`
}

type guestAccessBody struct {
	At        string    `json:"at" format:"date-time"`
	By        actorBody `json:"by"`
	RequestID string    `json:"request_id"`
	Operation string    `json:"operation" example:"get-guest"`
}

// personIn is a request about one person.
type personIn[B any] struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the guest has another ETag."`
	Body    B
}

func (s *server) registerPerson() {
	merge := huma.Operation{
		OperationID: "merge-guest", Method: http.MethodPost, Path: "/guests/{id}/merge",
		Summary: "Make two profiles of one person one", Tags: []string{tagGuests}, DefaultStatus: http.StatusOK,
		Description: "What the source knows is added to this profile where it says nothing itself, its reservations follow, and its address answers 308. There is no way back.",
	}
	register(s, merge, needs(auth.GuestsWrite), func(ctx context.Context, in *personIn[mergeInput]) (*resource[profileBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		p, replayed, err := s.desk.MergeGuest(ctx, callerOf(ctx), in.ID, hotel.GuestMerger{SourceID: in.Body.SourceGuestID, IfRevision: revision})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return profileResource(ctx, "", p), nil
	})
	forget := huma.Operation{
		OperationID: "anonymize-guest", Method: http.MethodPost, Path: "/guests/{id}/anonymize",
		Summary: "Forget a person", Tags: []string{tagGuests}, DefaultStatus: http.StatusOK,
		Description: "Nothing is left of the person: not in this profile and those merged into it, not in what reservations say and ever said of the guest, " +
			"nor in what people wrote about these, not in the channels' messages, and not in the files of the database. " +
			"Refused as resource_in_use while a booking is not over. Copies made before, such as backups, are not reached.",
	}
	register(s, forget, needs(auth.GuestsWrite), func(ctx context.Context, in *personIn[forgetInput]) (*resource[profileBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		p, replayed, err := s.desk.ForgetGuest(ctx, callerOf(ctx), in.ID, hotel.ForgetRequest{Reason: in.Body.Reason, IfRevision: revision})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return profileResource(ctx, "", p), nil
	})
	export := huma.Operation{
		OperationID: "export-guest", Method: http.MethodGet, Path: "/guests/{id}/export",
		Summary: "Everything that is kept of a person", Tags: []string{tagGuests},
		Description: "For a person who asks what is known of them, in one document.",
	}
	register(s, export, needs(auth.GuestsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*answer[exportBody], error) {
		e, err := s.desk.Export(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		b, err := s.exportOf(ctx, e)
		return &answer[exportBody]{b}, err
	})
}

// GuestDocument writes the same document outside of /v1.
func (s *server) GuestDocument(ctx context.Context, c desk.Caller, id string) ([]byte, error) {
	ctx = context.WithValue(ctx, callKey{}, &call{base: s.base(), url: &url.URL{}, header: http.Header{}, caller: c})
	e, err := s.desk.Export(ctx, c, id)
	if err != nil {
		return nil, err
	}
	b, err := s.exportOf(ctx, e)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(b)
	return text.Bytes(), err
}

func (s *server) exportOf(ctx context.Context, e desk.GuestExport) (exportBody, error) {
	scopes := callerOf(ctx).Scopes
	b := exportBody{
		GeneratedAt: stamp(s.clock.Now()), Guest: profileOf(ctx, e.GuestProfile), Preferences: preferencesOf(ctx, "", e.GuestProfile).Body,
		Reservations: []reservationBody{}, Earlier: []earlierBody{}, Along: []accompaniedBody{}, Messages: []guestMessageBody{}, Accesses: []guestAccessBody{},
	}
	for _, r := range e.Booked {
		one, err := s.reservationOf(ctx, r, scopes)
		if err != nil {
			return b, err
		}
		b.Reservations = append(b.Reservations, one)
	}
	for _, v := range e.Earlier {
		b.Earlier = append(b.Earlier, earlierBody{v.ID, v.Revision, stamp(v.UpdatedAt), personOf(ctx, v.GuestID, v.Guest, scopes)})
	}
	for _, a := range e.Along {
		b.Along = append(b.Along, accompaniedBody{a.ReservationID, a.PropertyID, a.Stay.CheckIn.String(), a.Stay.CheckOut.String()})
	}
	for _, m := range e.Messages {
		b.Messages = append(b.Messages, guestMessageBody{m.ChannelID, m.Reference, stamp(m.ReceivedAt), string(m.Content)})
	}
	for _, a := range e.Accesses {
		b.Accesses = append(b.Accesses, guestAccessBody{stamp(a.At), actorBody{string(a.By.Kind), a.By.ID}, a.RequestID, a.Operation})
	}
	return b, nil
}
