package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// structure is what a property is made of.
type structure struct {
	property hotel.Property
	zone     *time.Location
	pools    []hotel.Pool
	rooms    []hotel.RoomType
	plans    []hotel.RatePlan
	empty    *board.Board // without a night
}

// structure returns what the property is made of, as this item sees it.
func (t *tx) structure(property string) (*structure, error) {
	changed := t.changed(property)
	if s := t.l.boards.structure(property); s != nil && !changed {
		return s, nil
	}
	s, err := loadStructure(t.ctx, t.q, property)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", property, err)
	}
	if !changed {
		t.l.boards.keep(s)
	}
	return s, nil
}

func loadStructure(ctx context.Context, q *ledgerdb.Queries, property string) (s *structure, err error) {
	s = &structure{}
	if s.property, err = readOne[hotel.Property](q.GetProperty(ctx, property)); err != nil {
		return nil, err
	}
	if s.zone, err = time.LoadLocation(s.property.TimeZone); err != nil {
		return nil, err
	}
	if s.pools, err = readAll[hotel.Pool](q.ListPools(ctx, property)); err != nil {
		return nil, err
	}
	if s.rooms, err = readAll[hotel.RoomType](q.ListRoomTypes(ctx, property)); err != nil {
		return nil, err
	}
	if s.plans, err = readAll[hotel.RatePlan](q.ListRatePlans(ctx, property)); err != nil {
		return nil, err
	}
	s.empty, err = board.New(s.property, s.pools, s.rooms, s.plans, 0, nil, 0)
	return s, err
}

// board makes a board of the property's given nights, as they are at an instant.
func (s *structure) board(now time.Time, from hotel.Date, nights []*board.Night, sequence int64) *board.Board {
	b := s.empty.Over(sequence, from, nights)
	b.Today = s.property.Today(now)
	return b
}

// ownPool returns the pool on which the room type alone can write physical
// facts: its only draw, one unit of it.
func (s *structure) ownPool(room *hotel.RoomType) (string, bool) {
	if len(room.Consumes) != 1 || room.Consumes[0].Units != 1 || len(room.Consumes[0].AnyOf) != 1 {
		return "", false
	}
	pool := s.pool(room.Consumes[0].AnyOf[0])
	if pool == nil {
		return "", false
	}
	return pool.ID, pool.OwnOf == room.ID
}

func (s *structure) room(id string) *hotel.RoomType { return byID(s.rooms, id) }
func (s *structure) plan(id string) *hotel.RatePlan { return byID(s.plans, id) }
func (s *structure) pool(id string) *hotel.Pool     { return byID(s.pools, id) }

// byID returns the resource of the list that has the id, nil when none has.
func byID[R any, P stored[R]](list []R, id string) *R {
	for i := range list {
		if P(&list[i]).Stored().ID == id {
			return &list[i]
		}
	}
	return nil
}

// Properties lists every property, ordered by id.
func (l *Ledger) Properties(ctx context.Context) ([]hotel.Property, error) {
	return readAll[hotel.Property](l.read.ListProperties(ctx))
}

// Property returns one property, or [ErrNotFound].
func (l *Ledger) Property(ctx context.Context, id string) (hotel.Property, error) {
	return readOne[hotel.Property](l.read.GetProperty(ctx, id))
}

// Pools lists a property's pools, ordered by id.
func (l *Ledger) Pools(ctx context.Context, property string) ([]hotel.Pool, error) {
	return readAll[hotel.Pool](l.read.ListPools(ctx, property))
}

// Pool returns one pool, or [ErrNotFound].
func (l *Ledger) Pool(ctx context.Context, id string) (hotel.Pool, error) {
	return readOne[hotel.Pool](l.read.GetPool(ctx, id))
}

// RoomTypes lists a property's room types, ordered by position, then id.
func (l *Ledger) RoomTypes(ctx context.Context, property string) ([]hotel.RoomType, error) {
	return readAll[hotel.RoomType](l.read.ListRoomTypes(ctx, property))
}

// RoomType returns one room type, or [ErrNotFound].
func (l *Ledger) RoomType(ctx context.Context, id string) (hotel.RoomType, error) {
	return readOne[hotel.RoomType](l.read.GetRoomType(ctx, id))
}

// RatePlans lists a property's rate plans, ordered by position, then id.
func (l *Ledger) RatePlans(ctx context.Context, property string) ([]hotel.RatePlan, error) {
	return readAll[hotel.RatePlan](l.read.ListRatePlans(ctx, property))
}

// RatePlan returns one rate plan, or [ErrNotFound].
func (l *Ledger) RatePlan(ctx context.Context, id string) (hotel.RatePlan, error) {
	return readOne[hotel.RatePlan](l.read.GetRatePlan(ctx, id))
}
