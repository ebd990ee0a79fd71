package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// groupBody is rooms that were booked together.
type groupBody struct {
	EntityBody
	PropertyID   string            `json:"property_id"`
	Booker       *guestBody        `json:"booker" doc:"Null where the channel named nobody."`
	Source       groupSourceBody   `json:"source"`
	Reservations []reservationBody `json:"reservations"`
}

type groupSourceBody struct {
	ChannelID        string  `json:"channel_id" example:"direct"`
	SubChannel       *string `json:"sub_channel"`
	ChannelReference *string `json:"channel_reference"`
}

func (s *server) groupOf(ctx context.Context, g hotel.ReservationGroup, scopes auth.Scopes) (groupBody, error) {
	b := groupBody{
		EntityBody: entityOf(g.Entity), PropertyID: g.PropertyID, Reservations: []reservationBody{},
		Source: groupSourceBody{g.Source.ChannelID, orNull(g.Source.SubChannel), orNull(g.Source.Reference)},
	}
	if g.BookerID != "" {
		booker := personOf(ctx, g.BookerID, g.Booker, scopes)
		b.Booker = &booker
	}
	for _, r := range g.Reservations {
		body, err := s.reservationOf(ctx, r, scopes)
		if err != nil {
			return b, err
		}
		b.Reservations = append(b.Reservations, body)
	}
	return b, nil
}

// groupedRoom is one room of a group. Without a guest it is for the booker.
type groupedRoom struct {
	BookedRoom
	RoomReference string `json:"room_reference,omitempty" maxLength:"100" doc:"The channel's number of the room."`
	TakenRooms
}

type groupInput struct {
	PropertyID   string        `json:"property_id"`
	Booker       *NamedGuest   `json:"booker,omitempty" doc:"Who books; a room without a guest of its own is for the booker. Left out: each room names its guest."`
	Source       *sourceInput  `json:"source,omitempty" doc:"Of all rooms; left out for a booking of your own."`
	BlockID      string        `json:"block_id,omitempty" doc:"Of every room that names no other."`
	Reservations []groupedRoom `json:"reservations" minItems:"1" maxItems:"100"`
}

func (b *groupInput) read() (hotel.NewReservationGroup, error) {
	n := hotel.NewReservationGroup{PropertyID: b.PropertyID, Source: b.Source.read()}
	if b.Booker != nil {
		n.Booker = new(hotel.Guest(*b.Booker))
	}
	for i := range b.Reservations {
		room := &b.Reservations[i]
		r, err := room.readFor(true)
		if err != nil {
			return n, hotel.Within(err, fmt.Sprintf("/reservations/%d", i))
		}
		if r.BlockID == "" {
			r.BlockID = b.BlockID
		}
		r.Source.RoomRef, r.Overbook, r.SellDealt = room.RoomReference, room.AllowOverbooking, room.SellDealt
		n.Reservations = append(n.Reservations, r)
	}
	return n, nil
}

// placed says of what all rooms have from the group where it stands.
func (b *groupInput) placed(err error) error {
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		return err
	}
	told := *r
	told.Items = slices.Clone(r.Items)
	for i, f := range told.Items {
		for at, room := range b.Reservations {
			member, inside := strings.CutPrefix(f.Pointer, fmt.Sprintf("/reservations/%d", at))
			if inside && (strings.HasPrefix(member, "/source/") || member == "/block_id" && room.BlockID == "") {
				told.Items[i].Pointer = member
			}
		}
	}
	return &told
}

func (s *server) registerReservationGroups() {
	tags := []string{tagReservations}
	get := huma.Operation{
		OperationID: "get-reservation-group", Method: http.MethodGet, Path: "/reservation-groups/{id}",
		Summary: "Rooms booked together", Tags: tags,
	}
	register(s, get, needs(auth.ReservationsRead), func(ctx context.Context, in *byID) (*resource[groupBody], error) {
		g, err := s.desk.Group(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		body, err := s.groupOf(ctx, g, callerOf(ctx).Scopes)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, g.Revision, body), nil
	})
	post := huma.Operation{
		OperationID: "create-reservation-group", Method: http.MethodPost, Path: "/reservation-groups",
		Summary: "Book several rooms", Tags: tags, DefaultStatus: http.StatusCreated,
		Description: "All of them or none, checked and booked in one step. A refusal names the room by pointer.",
	}
	register(s, post, needs(auth.ReservationsWrite), func(ctx context.Context, in *struct{ Body groupInput }) (*created[groupBody], error) {
		n, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		g, replayed, err := s.desk.BookGroup(ctx, callerOf(ctx), n)
		replay(ctx, replayed)
		if err != nil {
			return nil, in.Body.placed(err)
		}
		body, err := s.groupOf(ctx, g, callerOf(ctx).Scopes)
		if err != nil {
			return nil, err
		}
		return &created[groupBody]{Location: baseOf(ctx) + "/reservation-groups/" + g.ID, ETag: shownTag(g.Revision, body), Cache: revalidate, Body: body}, nil
	})
	s.registerGroupCancellation()
}

func (s *server) registerGroupCancellation() {
	type input struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the group, or a room of it, has changed since."`
		Body    cancelInput
	}
	op := huma.Operation{
		OperationID: "cancel-reservation-group", Method: http.MethodPost, Path: "/reservation-groups/{id}/cancel",
		Summary: "Cancel what is left of a group", Tags: []string{tagReservations}, DefaultStatus: http.StatusOK,
		Description: "All rooms or none. Rooms that are cancelled or over stay as they are." + atChannel,
	}
	register(s, op, needs(auth.ReservationsWrite), func(ctx context.Context, in *input) (*resource[groupBody], error) {
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		b := in.Body
		g, replayed, err := s.desk.CancelGroup(ctx, callerOf(ctx), in.ID, hotel.CancelRequest{
			Reason: b.Reason, Note: b.Note, WaivePenalty: b.WaivePenalty, DoneAtChannel: b.DoneAtChannel, IfRevision: revision,
		})
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		body, err := s.groupOf(ctx, g, callerOf(ctx).Scopes)
		if err != nil {
			return nil, err
		}
		out := resourceOf("", g.Revision, body)
		for _, r := range g.Reservations {
			out.Status = max(out.Status, askedStatus(r, hotel.ActionCancel, replayed))
		}
		return out, nil
	})
	mayBeAsked(s.api.OpenAPI().Paths[op.Path].Post)
}
