package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type roomTypeBody struct {
	EntityBody
	PropertyID    string     `json:"property_id"`
	Code          string     `json:"code" example:"deluxe" doc:"What room_type of /availability asks for."`
	Name          string     `json:"name" example:"Deluxe"`
	Description   string     `json:"description"`
	Consumes      []drawBody `json:"consumes" doc:"What one room of it takes; all of it at once."`
	BaseOccupancy int        `json:"base_occupancy" doc:"Guests that the base price is for."`
	MaxAdults     int        `json:"max_adults"`
	MaxChildren   int        `json:"max_children"`
	MaxOccupancy  int        `json:"max_occupancy"`
	Position      int        `json:"position"`
	Status        string     `json:"status" enum:"active,archived"`
}

type drawBody struct {
	AnyOf []string `json:"any_of" doc:"Ids of pools, one of which gives the units."`
	Units int      `json:"units"`
}

func roomTypeOf(r hotel.RoomType) roomTypeBody {
	consumes := make([]drawBody, len(r.Consumes))
	for i, c := range r.Consumes {
		consumes[i] = drawBody{AnyOf: c.AnyOf, Units: c.Units}
	}
	return roomTypeBody{
		EntityBody: entityOf(r.Entity), PropertyID: r.PropertyID, Code: r.Code, Name: r.Name, Description: r.Description,
		Consumes: consumes, BaseOccupancy: r.BaseOccupancy, MaxAdults: r.MaxAdults, MaxChildren: r.MaxChildren,
		MaxOccupancy: r.MaxOccupancy, Position: r.Position, Status: string(r.Status),
	}
}

// ofProperty are the parameters of lists that a property narrows.
type ofProperty struct {
	Paging
	PropertyID string `query:"property_id" doc:"Every granted property when it is left out."`
}

func (s *server) registerRoomTypes() {
	list := huma.Operation{
		OperationID: "list-room-types", Method: http.MethodGet, Path: "/room-types",
		Summary: "Room types", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *ofProperty) (*listOf[roomTypeBody], error) {
		all, err := s.desk.RoomTypes(ctx, callerOf(ctx), in.PropertyID)
		if err != nil {
			return nil, err
		}
		at := func(r hotel.RoomType) position { return position{int64(r.Position), r.ID} }
		return pageOf(ctx, s, in.Paging, all, at, roomTypeOf)
	})
	get := huma.Operation{
		OperationID: "get-room-type", Method: http.MethodGet, Path: "/room-types/{id}",
		Summary: "One room type", Tags: []string{tagStructure},
	}
	register(s, get, needs(auth.PropertiesRead), func(ctx context.Context, in *byID) (*resource[roomTypeBody], error) {
		r, err := s.desk.RoomType(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, r.Revision, roomTypeOf(r)), nil
	})
}
