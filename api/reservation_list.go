package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

// reservationsIn are the filters of the list. They narrow it together.
type reservationsIn struct {
	Paging
	Sort string `query:"sort" enum:"created_at,-created_at,updated_at,-updated_at,check_in,-check_in" default:"created_at"`
	OfProperties
	Status             []string  `query:"status" enum:"enquired,requested,held,waitlisted,confirmed,checked_in,checked_out,cancelled,no_show,declined" doc:"One of several."`
	ChannelID          []string  `query:"channel_id" doc:"One of several."`
	ChannelReference   string    `query:"channel_reference" doc:"One: a comma in it is a part of it."`
	ConfirmationNumber []string  `query:"confirmation_number" doc:"One of several."`
	StayPhase          []string  `query:"stay_phase" enum:"future,due_in,overdue_arrival,stayover,due_out,overdue_departure,departed,void" doc:"One of several, on the business date of each property."`
	SubChannel         string    `query:"sub_channel" doc:"The seller behind a relay; one, as with channel_reference."`
	GuestID            []string  `query:"guest_id" doc:"One of several."`
	GroupID            []string  `query:"group_id" doc:"One of several."`
	BlockID            []string  `query:"block_id" doc:"One of several."`
	RoomTypeID         []string  `query:"room_type_id" doc:"One of several."`
	RatePlanID         []string  `query:"rate_plan_id" doc:"One of several."`
	Tag                string    `query:"tag" doc:"One, as with channel_reference."`
	Unacknowledged     bool      `query:"unacknowledged" doc:"Only those whose newest revision nobody has acknowledged."`
	CheckInFrom        string    `query:"check_in_from" format:"date" doc:"Inclusive."`
	CheckInTo          string    `query:"check_in_to" format:"date" doc:"Inclusive."`
	CheckOutFrom       string    `query:"check_out_from" format:"date" doc:"Inclusive."`
	CheckOutTo         string    `query:"check_out_to" format:"date" doc:"Inclusive."`
	StayingOn          string    `query:"staying_on" format:"date" doc:"A room is taken for it on this night."`
	CreatedSince       time.Time `query:"created_since" doc:"At or after."`
	CreatedBefore      time.Time `query:"created_before"`
	UpdatedSince       time.Time `query:"updated_since" doc:"At or after."`
	UpdatedBefore      time.Time `query:"updated_before"`
}

func (in *reservationsIn) filter() hotel.ReservationFilter {
	f := hotel.ReservationFilter{
		PropertyIDs: in.PropertyID,
		ChannelIDs:  in.ChannelID, Reference: in.ChannelReference, Confirmations: in.ConfirmationNumber,
		SubChannel: in.SubChannel, GuestIDs: in.GuestID, GroupIDs: in.GroupID, BlockIDs: in.BlockID,
		RoomTypeIDs: in.RoomTypeID, RatePlanIDs: in.RatePlanID, Tag: in.Tag, Unacknowledged: in.Unacknowledged,
		CheckInFrom: dateOrNone(in.CheckInFrom), CheckInTo: dateOrNone(in.CheckInTo), StayingOn: dateOrNone(in.StayingOn),
		CheckOutFrom: dateOrNone(in.CheckOutFrom), CheckOutTo: dateOrNone(in.CheckOutTo),
		CreatedSince: in.CreatedSince, CreatedBefore: in.CreatedBefore,
		UpdatedSince: in.UpdatedSince, UpdatedBefore: in.UpdatedBefore,
		Sort: hotel.ReservationSort(strings.TrimPrefix(in.Sort, "-")), Descending: strings.HasPrefix(in.Sort, "-"),
		Limit: in.Limit + 1, // one more tells whether there is more
	}
	f.Statuses = several[hotel.ReservationStatus](in.Status)
	return f
}

// dateOrNone reads a date that was validated; nil when it was left out.
func dateOrNone(text string) *hotel.Date {
	d, err := hotel.ParseDate(text)
	if err != nil {
		return nil
	}
	return &d
}

func (s *server) registerReservationList() {
	op := huma.Operation{
		OperationID: "list-reservations", Method: http.MethodGet, Path: "/reservations",
		Summary: "Reservations", Tags: []string{tagReservations},
		Description: "To follow changes, read with updated_since and sort=updated_at.",
	}
	register(s, op, needs(auth.ReservationsRead), func(ctx context.Context, in *reservationsIn) (*listOf[reservationBody], error) {
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		c, f := callerOf(ctx), in.filter()
		if from != nil {
			f.AfterKey, f.AfterID = from.key, from.id
		}
		phases := make([]stay.Phase, len(in.StayPhase))
		for i, p := range in.StayPhase {
			phases[i] = stay.Phase(p)
		}
		found, err := s.desk.Reservations(ctx, c, f, phases...)
		if err != nil {
			return nil, inParameters(err)
		}
		var last *position
		if len(found) > in.Limit {
			found = found[:in.Limit]
			end := found[in.Limit-1]
			last = &position{end.SortKey(f.Sort), end.ID}
		}
		entries := make([]reservationBody, len(found))
		for i, r := range found {
			if entries[i], err = s.reservationOf(ctx, r, c.Scopes); err != nil {
				return nil, err
			}
		}
		return page(ctx, s, entries, last), nil
	})
}
