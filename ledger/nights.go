package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// loadNights reads the facts of the property's nights from from to to,
// inclusive. It is the one way in which facts leave the tables: boards are made
// of it, and so is every decision inside a transaction.
func (s *structure) loadNights(ctx context.Context, q *ledgerdb.Queries, from, to hotel.Date) ([]*board.Night, error) {
	nights := make([]*board.Night, max(0, int(to-from)+1))
	pools, rooms, plans := index(s.pools, poolID), index(s.rooms, roomID), index(s.plans, planID)
	for i := range nights {
		n := board.NewNight(len(s.pools), len(s.rooms), len(s.plans))
		for p := range s.pools {
			n.Pools[p].Total = s.pools[p].TotalUnits
		}
		nights[i] = n
	}
	id, first, last := s.property.ID, int64(from), int64(to)
	at := func(night int64) *board.Night { return nights[night-first] }

	poolRows, err := q.PoolNights(ctx, ledgerdb.PoolNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read stock of %s: %w", id, err)
	}
	for _, r := range poolRows {
		n := &at(r.Night).Pools[pools[r.PoolID]]
		if r.Total != nil {
			n.Total = int(*r.Total)
		}
		n.OutOfOrder, n.OutOfInventory, n.Overbooking = int(r.OutOfOrder), int(r.OutOfInventory), int(r.OverbookingLimit)
	}
	roomRows, err := q.RoomNights(ctx, ledgerdb.RoomNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read stock of %s: %w", id, err)
	}
	for _, r := range roomRows {
		n := &at(r.Night).Rooms[rooms[r.RoomTypeID]]
		if r.SellLimit != nil {
			n.SellLimit = int(*r.SellLimit)
		}
		n.Closed = r.Closed == 1
	}
	sold, err := q.SoldNights(ctx, ledgerdb.SoldNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read sold rooms of %s: %w", id, err)
	}
	for _, r := range sold {
		at(r.Night).Rooms[rooms[r.RoomTypeID]].Sold = int(r.Sold)
	}
	rates, err := q.RateNights(ctx, ledgerdb.RateNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read prices of %s: %w", id, err)
	}
	for _, r := range rates {
		rate := &at(r.Night).Rates[rooms[r.RoomTypeID]][plans[r.RatePlanID]]
		if r.Occupancy == 0 {
			rate.Amount = r.Amount
			continue
		}
		if rate.ByOccupancy == nil {
			rate.ByOccupancy = make(map[int]int64)
		}
		rate.ByOccupancy[int(r.Occupancy)] = r.Amount
	}
	rules, err := q.RestrictionNights(ctx, ledgerdb.RestrictionNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read restrictions of %s: %w", id, err)
	}
	for _, r := range rules {
		room, plan := board.Every, board.Every
		if r.RoomTypeID != "" {
			room = rooms[r.RoomTypeID]
		}
		if r.RatePlanID != "" {
			plan = plans[r.RatePlanID]
		}
		at(r.Night).Restrict(room, plan, restrictionOf(r))
	}
	return nights, nil
}

func poolID(p *hotel.Pool) string     { return p.ID }
func roomID(r *hotel.RoomType) string { return r.ID }
func planID(p *hotel.RatePlan) string { return p.ID }

func index[V any](list []V, id func(*V) string) map[string]int {
	at := make(map[string]int, len(list))
	for i := range list {
		at[id(&list[i])] = i
	}
	return at
}

func restrictionOf(r ledgerdb.RestrictionNight) hotel.Restriction {
	return hotel.Restriction{
		Closed: boolOf(r.Closed), ClosedToArrival: boolOf(r.ClosedToArrival), ClosedToDeparture: boolOf(r.ClosedToDeparture),
		MinStayArrival: intOf(r.MinStayArrival), MinStayThrough: intOf(r.MinStayThrough),
		MaxStayArrival: intOf(r.MaxStayArrival), MaxStayThrough: intOf(r.MaxStayThrough),
		MinAdvance: intOf(r.MinAdvance), MaxAdvance: intOf(r.MaxAdvance),
	}
}

func boolOf(v *int64) *bool {
	if v == nil {
		return nil
	}
	b := *v == 1
	return &b
}

func intOf(v *int64) *int {
	if v == nil {
		return nil
	}
	n := int(*v)
	return &n
}

func columnOf[V int | bool](v *V) *int64 {
	if v == nil {
		return nil
	}
	var n int64
	switch x := any(*v).(type) {
	case int:
		n = int64(x)
	case bool:
		n = flag(x)
	}
	return &n
}

// spanBoard makes a board of the nights from from to to as this item sees them.
func (t *tx) spanBoard(s *structure, from, to hotel.Date) (*board.Board, error) {
	nights, err := s.loadNights(t.ctx, t.q, from, to)
	if err != nil {
		return nil, err
	}
	return s.board(from, nights, t.heads.sequence)
}
