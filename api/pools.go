package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"

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

	Consumers []consumerBody `json:"consumers" readOnly:"true" doc:"The active room types that draw on it."`

	Protection   protectionBody `json:"protection" required:"false"`
	DirectWeight *int           `json:"direct_weight" required:"false" minimum:"0" maximum:"1000000" doc:"Share of direct sales when guarded rooms are dealt; null: their room nights of the last 90 days and one."`
}

type protectionBody struct {
	Kind string `json:"kind" enum:"shared,guarded,guarded_last" doc:"Whether every channel shows all that is free, or each room is granted to one channel at a time: always, or when few are left."`
	N    int    `json:"n,omitempty" minimum:"1" maximum:"9999" doc:"guarded_last: from so many free units on."`
}

// consumerBody is one draw of a room type on a pool.
type consumerBody struct {
	RoomTypeID   string   `json:"room_type_id"`
	Units        int      `json:"units" minimum:"1" doc:"Of the pool, for one room of the type."`
	Alternatives []string `json:"alternatives" doc:"Pools that serve as well as this one, the preferred first."`
}

// poolOf shows a pool among the room types of its property.
func poolOf(p hotel.Pool, rooms []hotel.RoomType) poolBody {
	b := body[poolBody](p)
	b.Consumers = []consumerBody{}
	for _, r := range rooms {
		for _, d := range r.Consumes {
			if r.Status == hotel.Active && slices.Contains(d.AnyOf, p.ID) {
				others := slices.DeleteFunc(slices.Clone(d.AnyOf), func(id string) bool { return id == p.ID })
				b.Consumers = append(b.Consumers, consumerBody{r.ID, cmp.Or(d.Units, 1), some(others)})
			}
		}
	}
	b.EntityBody = entityOf(p.Entity)
	b.RoomsPerUnit = cmp.Or(b.RoomsPerUnit, 1)
	b.Protection.Kind = cmp.Or(b.Protection.Kind, string(hotel.Shared))
	return b
}

func (s *server) poolBody(ctx context.Context, p hotel.Pool) (poolBody, error) {
	rooms, err := s.desk.RoomTypesAround(ctx, p)
	return poolOf(p, rooms), err
}

func (s *server) registerPools() {
	list := huma.Operation{
		OperationID: "list-pools", Method: http.MethodGet, Path: "/pools",
		Summary: "Pools of rooms", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *structureQuery) (*listOf[poolBody], error) {
		all, err := s.desk.Pools(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, err
		}
		rooms, err := s.desk.RoomTypes(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, err
		}
		all = withStatus(all, in.Status, func(p hotel.Pool) hotel.Status { return p.Status })
		return pageOf(ctx, s, in.Paging, all, func(p hotel.Pool) position { return position{id: p.ID} },
			func(p hotel.Pool) poolBody { return poolOf(p, rooms) })
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
		body, err := s.poolBody(ctx, p)
		if err != nil {
			return nil, err
		}
		return resourceOf(in.IfNoneMatch, p.Revision, body), nil
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
		body, err := s.poolBody(ctx, p)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/pools/"+p.ID, p.Revision, body), nil
	})
	registerChanges(s, kindOfResource[hotel.Pool, poolBody]{
		name: "pool", path: "/pools", scope: auth.PropertiesWrite,
		show: func(ctx context.Context, p hotel.Pool) (*resource[poolBody], error) {
			body, err := s.poolBody(ctx, p)
			return resourceOf("", p.Revision, body), err
		},
		change: s.desk.ChangePool, archive: s.desk.ArchivePool,
		archived: "A pool that a room type draws on stays.",
	})
}
