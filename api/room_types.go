package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type roomTypeBody struct {
	EntityBody
	PropertyID    string            `json:"property_id"`
	Code          string            `json:"code" maxLength:"40" example:"deluxe" doc:"What room_type of /availability asks for: small letters, digits, spaces, hyphens and underscores."`
	Name          string            `json:"name" required:"false" maxLength:"200" example:"Deluxe"`
	Description   string            `json:"description" required:"false" maxLength:"5000"`
	TotalUnits    int               `json:"total_units" required:"false" clear:"false" minimum:"0" maximum:"9999" doc:"How many an empty house has: the size of its own pool. To be left out when consumes names another pool."`
	Consumes      []drawBody        `json:"consumes" required:"false" maxItems:"8" doc:"What one room of it takes; all of it at once. A room type that names no pool is made with one of its own."`
	Rooms         *int              `json:"rooms" required:"false" minimum:"0" maximum:"9999" doc:"Physical rooms that one of it counts as; null: as many as its units have."`
	BaseOccupancy int               `json:"base_occupancy" minimum:"1" maximum:"20" doc:"Guests that the base price is for."`
	MinOccupancy  int               `json:"min_occupancy" required:"false" minimum:"0" maximum:"20" doc:"Guests that it is sold to at the least: a smaller party is not offered it, nor can book it here. What a channel has sold, or was agreed, stays."`
	Standard      int               `json:"standard_occupancy" required:"false" minimum:"0" maximum:"20" doc:"The base occupancy when it is left out."`
	MaxAdults     int               `json:"max_adults" minimum:"1" maximum:"20"`
	MaxChildren   int               `json:"max_children" required:"false" minimum:"0" maximum:"20"`
	MaxInfants    *int              `json:"max_infants" required:"false" minimum:"0" maximum:"20" doc:"Of those whose age_bands of the property say that they are infants; null: as many as there is room for."`
	MaxOccupancy  int               `json:"max_occupancy" minimum:"1" maximum:"20"`
	InfantsInBed  bool              `json:"infants_use_bed" required:"false" doc:"Whether infants take a place."`
	BedTypes      []string          `json:"bed_types" required:"false" maxItems:"200"`
	Amenities     []string          `json:"amenities" required:"false" maxItems:"200" doc:"OTA room amenity codes."`
	Mode          *string           `json:"availability_mode" required:"false" enum:"derived,given" doc:"Null: the property's."`
	Metadata      map[string]string `json:"metadata" required:"false" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	Position      int               `json:"position" required:"false" minimum:"0" maximum:"9999" doc:"Its place in lists."`
	Status        string            `json:"status" readOnly:"true" enum:"active,archived"`
}

type drawBody struct {
	AnyOf []string `json:"any_of" minItems:"1" maxItems:"4" doc:"Ids of pools, one of which gives the units. A pool stands once in all entries of consumes."`
	Units int      `json:"units" required:"false" minimum:"1" maximum:"9999" doc:"1 when it is left out."`
}

func roomTypeOf(r hotel.RoomType) roomTypeBody {
	b := body[roomTypeBody](r)
	b.EntityBody = entityOf(r.Entity)
	b.Standard = cmp.Or(b.Standard, b.BaseOccupancy)
	b.BedTypes, b.Amenities, b.Metadata = some(b.BedTypes), some(b.Amenities), someOf(b.Metadata)
	return b
}

// sized has a change of what a room type draws on tell whether it says total_units too: of
// one that goes back to its own pool that is the pool's size, though the pools that it drew
// on have come to the same number.
func sized(apply func(*hotel.RoomType) error) func(*hotel.RoomType) error {
	return func(r *hotel.RoomType) error {
		const unsaid = -1
		units, draws := r.TotalUnits, r.Consumes
		r.TotalUnits = unsaid
		if err := apply(r); err != nil {
			return err
		}
		if r.TotalUnits == unsaid {
			r.TotalUnits = units
			return nil
		}
		r.Sized = !reflect.DeepEqual(draws, r.Consumes)
		return nil
	}
}

func (s *server) registerRoomTypes() {
	list := huma.Operation{
		OperationID: "list-room-types", Method: http.MethodGet, Path: "/room-types",
		Summary: "Room types", Tags: []string{tagStructure},
	}
	register(s, list, needs(auth.PropertiesRead), func(ctx context.Context, in *structureQuery) (*listOf[roomTypeBody], error) {
		all, err := s.desk.RoomTypes(ctx, callerOf(ctx), in.PropertyID...)
		if err != nil {
			return nil, err
		}
		all = withStatus(all, in.Status, func(r hotel.RoomType) hotel.Status { return r.Status })
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
	create := huma.Operation{
		OperationID: "create-room-type", Method: http.MethodPost, Path: "/room-types",
		Summary: "Make a room type", Tags: []string{tagStructure}, DefaultStatus: http.StatusCreated,
		Description: "It has stock for the whole booking horizon at once, and is sold by the rate plans that name it.",
	}
	register(s, create, needs(auth.PropertiesWrite), func(ctx context.Context, in *struct{ Body written[roomTypeBody] }) (*created[roomTypeBody], error) {
		r, err := read[hotel.RoomType](in.Body, "property_id")
		if err != nil {
			return nil, err
		}
		var sent struct {
			TotalUnits *int `json:"total_units"`
		}
		if err := decode(in.Body.raw, &sent); err != nil {
			return nil, err
		}
		if len(r.Consumes) == 0 && sent.TotalUnits == nil {
			return nil, hotel.Invalid("/total_units", "required", "is missing: without consumes it is the size of the room type's own pool")
		}
		r, replayed, err := s.desk.CreateRoomType(ctx, callerOf(ctx), r)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/room-types/"+r.ID, r.Revision, roomTypeOf(r)), nil
	})
	registerChanges(s, kindOfResource[hotel.RoomType, roomTypeBody]{
		name: "room type", path: "/room-types", scope: auth.PropertiesWrite,
		show: func(_ context.Context, r hotel.RoomType) (*resource[roomTypeBody], error) {
			return resourceOf("", r.Revision, roomTypeOf(r)), nil
		},
		change: func(ctx context.Context, c desk.Caller, id string, to hotel.Change[hotel.RoomType]) (hotel.RoomType, bool, error) {
			to.Apply = sized(to.Apply)
			return s.desk.ChangeRoomType(ctx, c, id, to)
		},
		archive:  s.desk.ArchiveRoomType,
		archived: "A room type that a rate plan sells, a channel is mapped to or a guest is still to sleep in stays. Its own pool goes with it.",
	})
}
