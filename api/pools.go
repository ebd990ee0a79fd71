package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type poolBody struct {
	EntityBody
	PropertyID string  `json:"property_id"`
	Code       string  `json:"code"`
	Name       string  `json:"name"`
	TotalUnits int     `json:"total_units" doc:"Units on a night that says nothing else."`
	OwnOf      *string `json:"own_of" doc:"The room type that it was made with."`
	Status     string  `json:"status" enum:"active,archived"`
}

func poolOf(p hotel.Pool) poolBody {
	return poolBody{
		EntityBody: entityOf(p.Entity), PropertyID: p.PropertyID, Code: p.Code, Name: p.Name,
		TotalUnits: p.TotalUnits, OwnOf: orNull(p.OwnOf), Status: string(p.Status),
	}
}

func (s *server) registerPools() {
	list := huma.Operation{
		OperationID: "list-pools", Method: http.MethodGet, Path: "/pools",
		Summary: "Pools of rooms", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *ofProperty) (*listOf[poolBody], error) {
		all, err := s.desk.Pools(ctx, callerOf(ctx), in.PropertyID)
		if err != nil {
			return nil, err
		}
		return pageOf(ctx, s, in.Paging, all, func(p hotel.Pool) position { return position{id: p.ID} }, poolOf)
	})
	get := huma.Operation{
		OperationID: "get-pool", Method: http.MethodGet, Path: "/pools/{id}",
		Summary: "One pool", Tags: []string{tagStructure},
	}
	register(s, get, needs(auth.PropertiesRead), func(ctx context.Context, in *byID) (*resource[poolBody], error) {
		p, err := s.desk.Pool(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, p.Revision, poolOf(p)), nil
	})
}
