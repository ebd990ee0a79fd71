package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type poolBody struct {
	EntityBody
	PropertyID   string  `json:"property_id"`
	Code         string  `json:"code" maxLength:"40"`
	Name         string  `json:"name" required:"false" maxLength:"200"`
	TotalUnits   int     `json:"total_units" minimum:"0" maximum:"9999" doc:"Units on a night that says nothing else."`
	RoomsPerUnit int     `json:"rooms_per_unit" required:"false" minimum:"1" maximum:"99" doc:"2 for a pool of connecting pairs."`
	OwnOf        *string `json:"own_of" readOnly:"true" doc:"The room type that it was made with."`
	Status       string  `json:"status" readOnly:"true" enum:"active,archived"`

	Protection   protectionBody `json:"protection" required:"false"`
	DirectWeight *int           `json:"direct_weight" required:"false" minimum:"0" maximum:"1000000" doc:"Share of direct sales when guarded rooms are dealt; null: their room nights of the last 90 days and one."`
}

type protectionBody struct {
	Kind string `json:"kind" enum:"shared,guarded,guarded_last" doc:"Whether every channel shows all that is free, or each room is granted to one channel at a time: always, or when few are left."`
	N    int    `json:"n,omitempty" minimum:"1" maximum:"9999" doc:"guarded_last: from so many free units on."`
}

func poolOf(p hotel.Pool) poolBody {
	b := body[poolBody](p)
	b.EntityBody = entityOf(p.Entity)
	b.RoomsPerUnit = cmp.Or(b.RoomsPerUnit, 1)
	b.Protection.Kind = cmp.Or(b.Protection.Kind, string(hotel.Shared))
	return b
}

func (s *server) registerPools() {
	list := huma.Operation{
		OperationID: "list-pools", Method: http.MethodGet, Path: "/pools",
		Summary: "Pools of rooms", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *structureQuery) (*listOf[poolBody], error) {
		all, err := s.desk.Pools(ctx, callerOf(ctx), in.PropertyID)
		if err != nil {
			return nil, err
		}
		all = withStatus(all, in.Status, func(p hotel.Pool) hotel.Status { return p.Status })
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
	create := huma.Operation{
		OperationID: "create-pool", Method: http.MethodPost, Path: "/pools",
		Summary: "Make a pool of rooms", Tags: []string{tagStructure}, DefaultStatus: http.StatusCreated,
		Description: "A room type that names no pool is made with one of its own; others are made here.",
	}
	register(s, create, needs(auth.PropertiesWrite), func(ctx context.Context, in *struct{ Body written[poolBody] }) (*created[poolBody], error) {
		p, err := read[hotel.Pool](in.Body, "property_id")
		if err != nil {
			return nil, err
		}
		p, replayed, err := s.desk.CreatePool(ctx, callerOf(ctx), p)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(s, "/pools/"+p.ID, p.Revision, poolOf(p)), nil
	})
	registerChanges(s, kindOfResource[hotel.Pool, poolBody]{
		name: "pool", path: "/pools", scope: auth.PropertiesWrite,
		show: func(_ context.Context, p hotel.Pool) *resource[poolBody] {
			return resourceOf("", p.Revision, poolOf(p))
		},
		change: s.desk.ChangePool, archive: s.desk.ArchivePool,
		archived: "A pool that a room type draws on stays.",
	})
}
