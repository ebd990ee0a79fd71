package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type guestStayBody struct {
	ReservationID      string     `json:"reservation_id"`
	ConfirmationNumber string     `json:"confirmation_number"`
	PropertyID         string     `json:"property_id"`
	Status             string     `json:"status" enum:"enquired,requested,held,waitlisted,confirmed,checked_in,checked_out,cancelled,no_show,declined"`
	CheckIn            string     `json:"check_in" format:"date"`
	CheckOut           string     `json:"check_out" format:"date"`
	Nights             int        `json:"nights"`
	RoomTypeID         *string    `json:"room_type_id" doc:"Null while the channel's room is not mapped."`
	RoomType           string     `json:"room_type" doc:"Its name."`
	RatePlanID         *string    `json:"rate_plan_id"`
	RatePlan           string     `json:"rate_plan" doc:"Its name."`
	ChannelID          string     `json:"channel_id" example:"direct"`
	Total              *totalBody `json:"total" doc:"Null when the channel gave no price."`
}

func (s *server) registerStays() {
	list := huma.Operation{
		OperationID: "list-guest-stays", Method: http.MethodGet, Path: "/guests/{id}/stays",
		Summary: "What a guest has booked", Tags: []string{tagGuests},
		Description: "Every booking of the guest, whatever came of it, the newest stay first.",
	}
	register(s, list, needs(auth.GuestsRead), func(ctx context.Context, in *struct {
		ID string `path:"id"`
		Paging
	},
	) (*listOf[guestStayBody], error) {
		h, err := s.desk.Stays(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		shows(ctx, in.ID)
		at := func(r hotel.Reservation) position { return position{-int64(r.Stay.CheckIn), r.ID} }
		return pageOf(ctx, s, in.Paging, h.Booked, at, func(r hotel.Reservation) guestStayBody {
			return guestStayBody{
				ReservationID: r.ID, ConfirmationNumber: r.Confirmation, PropertyID: r.PropertyID, Status: string(r.Status),
				CheckIn: r.Stay.CheckIn.String(), CheckOut: r.Stay.CheckOut.String(), Nights: r.Stay.Nights(),
				RoomTypeID: orNull(r.RoomTypeID), RoomType: h.Names[r.RoomTypeID], RatePlanID: orNull(r.RatePlanID), RatePlan: h.Names[r.RatePlanID],
				ChannelID: r.Source.ChannelID, Total: totalOf(r.Totals),
			}
		})
	})
}
