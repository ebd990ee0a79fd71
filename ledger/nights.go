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
// of it, and so is every decision inside a transaction. Whoever writes such rows
// marks the nights with renewed, or patches them as the rows were changed.
func (s *structure) loadNights(ctx context.Context, q *ledgerdb.Queries, from, to hotel.Date) ([]*board.Night, error) {
	nights := make([]*board.Night, max(0, int(to-from)+1))
	index := s.empty
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
		pool, _ := index.Pool(r.PoolID)
		n := &at(r.Night).Pools[pool]
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
		room, _ := index.Room(r.RoomTypeID)
		n := &at(r.Night).Rooms[room]
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
		room, _ := index.Room(r.RoomTypeID)
		at(r.Night).Rooms[room].Sold = int(r.Sold)
	}
	stock, err := q.HouseStock(ctx, ledgerdb.HouseStockParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read house stock of %s: %w", id, err)
	}
	for _, r := range stock {
		room, _ := index.Room(r.RoomTypeID)
		at(r.Night).Announced[room] = board.Announced{Known: true, Net: int(r.Net), Available: int(r.Available)}
	}
	rates, err := q.RateNights(ctx, ledgerdb.RateNightsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return nil, fmt.Errorf("read prices of %s: %w", id, err)
	}
	for _, r := range rates {
		room, _ := index.Room(r.RoomTypeID)
		plan, _ := index.Plan(r.RatePlanID)
		rate := &at(r.Night).Rates[room][plan]
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
			room, _ = index.Room(r.RoomTypeID)
		}
		if r.RatePlanID != "" {
			plan, _ = index.Plan(r.RatePlanID)
		}
		at(r.Night).Restrict(room, plan, restrictionOf(r))
	}
	return nights, nil
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
