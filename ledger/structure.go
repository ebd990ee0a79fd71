package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// structure is what a property is made of. What is archived is no part of it.
type structure struct {
	property hotel.Property
	zone     *time.Location
	pools    []hotel.Pool
	rooms    []hotel.RoomType
	plans    []hotel.RatePlan
	rules    []hotel.PricingRule // also those that are switched off
	empty    *board.Board        // without a night
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

func loadStructure(ctx context.Context, q *ledgerdb.Queries, property string) (*structure, error) {
	of, err := readOne[hotel.Property](q.GetProperty(ctx, property))
	if err != nil {
		return nil, err
	}
	pools, err := readAll[hotel.Pool](q.ListPools(ctx, property))
	if err != nil {
		return nil, err
	}
	rooms, err := readAll[hotel.RoomType](q.ListRoomTypes(ctx, property))
	if err != nil {
		return nil, err
	}
	plans, err := readAll[hotel.RatePlan](q.ListRatePlans(ctx, property))
	if err != nil {
		return nil, err
	}
	rules, err := readAll[hotel.PricingRule](q.ListPricingRules(ctx, property))
	if err != nil {
		return nil, err
	}
	return newStructure(of, pools, rooms, plans, rules)
}

// newStructure puts a property together from its parts: the pools by id, room
// types and plans by position, then id, and its pricing rules.
func newStructure(
	of hotel.Property, pools []hotel.Pool, rooms []hotel.RoomType, plans []hotel.RatePlan, rules []hotel.PricingRule,
) (s *structure, err error) {
	s = &structure{property: of, pools: pools, rooms: rooms, plans: plans, rules: rules}
	if s.zone, err = time.LoadLocation(of.TimeZone); err != nil {
		return nil, err
	}
	s.pools = slices.DeleteFunc(s.pools, func(p hotel.Pool) bool { return p.Status == hotel.Archived })
	s.rooms = slices.DeleteFunc(s.rooms, func(r hotel.RoomType) bool { return r.Status == hotel.Archived })
	s.plans = slices.DeleteFunc(s.plans, func(p hotel.RatePlan) bool { return p.Status == hotel.Archived })
	if s.empty, err = board.New(s.property, s.pools, s.rooms, s.plans, 0, nil, 0); err != nil {
		return nil, err
	}
	s.empty, err = s.empty.Ruled(s.rules)
	return s, err
}

// board makes a board of the property's given nights, as they are at an instant.
func (s *structure) board(now time.Time, from hotel.Date, nights []*board.Night, sequence int64) *board.Board {
	b := s.empty.Over(sequence, from, nights)
	b.Today, b.Business = s.property.Today(now), s.property.BusinessDate(now)
	return b
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
