package hotel

import "slices"

// Pool is a set of identical physical units that one or more room types are
// sold from.
type Pool struct {
	Entity       `json:"-"`
	PropertyID   string `json:"property_id"`
	Code         string `json:"code"`
	Name         string `json:"name"`
	TotalUnits   int    `json:"total_units"`              // the default of every night
	RoomsPerUnit int    `json:"rooms_per_unit,omitempty"` // 2 for a pool of connecting pairs; 0 stands for 1
	OwnOf        string `json:"own_of,omitempty"`         // the room type that it was made together with; "" when made apart
	Status       Status `json:"status"`

	Protection   Protection `json:"protection,omitzero"`
	DirectWeight *int       `json:"direct_weight,omitempty"` // of direct sales when its rooms are dealt; nil: what they have sold lately
}

// Protection says how far a pool is kept from being sold twice.
type Protection struct {
	Kind ProtectionKind `json:"kind"`
	N    int            `json:"n,omitempty"` // guarded_last: from so many free units on
}

// ProtectionKind is the manner of a pool's protection.
type ProtectionKind string

// A shared pool shows everything that is free everywhere. A guarded one grants
// each room to one channel at a time before it is shown there. A pool that is
// guarded at the last is shared while more units are free.
const (
	Shared      ProtectionKind = "shared"
	Guarded     ProtectionKind = "guarded"
	GuardedLast ProtectionKind = "guarded_last"
)

// Draw is one need of a room type: so many units of any one of some pools. A
// room type needs all of its draws at once.
type Draw struct {
	AnyOf []string `json:"any_of"` // ids of pools, the preferred first
	Units int      `json:"units,omitempty"`
}

// RoomType is what is sold: a kind of room.
type RoomType struct {
	Entity            `json:"-"`
	PropertyID        string            `json:"property_id"`
	Code              string            `json:"code"` // lower case, unique in the property: what /availability asks for
	Name              string            `json:"name"` // what /availability answers
	Description       string            `json:"description,omitempty"`
	TotalUnits        int               `json:"total_units,omitempty"` // what an empty house has of it; kept with its own pool, and of others only told
	Sized             bool              `json:"-"`                     // of a change of what it draws on: total_units is said too, and is not what was told before
	Consumes          []Draw            `json:"consumes"`
	Rooms             *int              `json:"rooms,omitempty"`              // physical rooms it counts as; nil: what its units have
	BaseOccupancy     int               `json:"base_occupancy"`               // guests that the base price is for
	MinOccupancy      int               `json:"min_occupancy,omitempty"`      // guests that it is sold to at the least, those in need of no place left out
	StandardOccupancy int               `json:"standard_occupancy,omitempty"` // 0: the base occupancy
	MaxAdults         int               `json:"max_adults"`
	MaxChildren       int               `json:"max_children"`
	MaxInfants        *int              `json:"max_infants,omitempty"` // nil: as many as there is room for
	MaxOccupancy      int               `json:"max_occupancy"`
	InfantsUseBed     bool              `json:"infants_use_bed,omitempty"`
	BedTypes          []string          `json:"bed_types,omitempty"`
	Amenities         []string          `json:"amenities,omitempty"`         // OTA RMA codes
	Mode              AvailabilityMode  `json:"availability_mode,omitempty"` // "": the property's
	Metadata          map[string]string `json:"metadata,omitempty"`
	Position          int               `json:"position"`
	Status            Status            `json:"status"`
}

// OwnPool returns the pool of the list that is the room type's own and all that it draws on,
// one unit of it, as one does that names no draws; nil: it draws on others, or on more.
func (r *RoomType) OwnPool(pools []Pool) *Pool {
	i := slices.IndexFunc(pools, func(p Pool) bool { return p.OwnOf != "" && p.OwnOf == r.ID })
	if i < 0 || len(r.Consumes) > 1 {
		return nil
	}
	for _, d := range r.Consumes {
		if d.Units > 1 || !slices.Equal(d.AnyOf, []string{pools[i].ID}) { // 0 units stand for 1
			return nil
		}
	}
	return &pools[i]
}

// Alone is what a room type draws on that draws on the pool alone.
func (p *Pool) Alone() []Draw { return []Draw{{AnyOf: []string{p.ID}, Units: 1}} }

// Given reports whether another system counts the free rooms of the type.
func (r RoomType) Given(p Property) bool {
	if r.Mode == "" {
		return p.Mode == GivenMode
	}
	return r.Mode == GivenMode
}
