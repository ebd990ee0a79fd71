package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
)

// UpdateInventory stores a bulk update of stock. replayed tells that the key of
// once has had its effect before.
func (l *Ledger) UpdateInventory(ctx context.Context, by hotel.By, once hotel.Once, u hotel.InventoryUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	in := request{kind: "inventory", property: u.PropertyID, source: u.Source, partial: u.Partial, dryRun: u.DryRun}
	for _, e := range u.Entries {
		in.count(e.Dates, 1)
	}
	in.draw = func(ctx context.Context, p *proposal) error {
		pools, err := proposeFacts[poolFact](ctx, p, poolSheet)
		if err != nil {
			return err
		}
		rooms, err := proposeFacts[roomFact](ctx, p, roomSheet)
		if err != nil {
			return err
		}
		for i, e := range u.Entries {
			err := p.enter(i, e.Dates, e.ExpectedVersion, e.Faults(), func() ([]target, error) {
				return p.s.stockTargets(i, e, pools, rooms)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return l.update(ctx, by, once, in)
}

// stockTargets finds the pool and the room type that an entry writes to.
func (s *structure) stockTargets(i int, e hotel.InventoryEntry, pools *proposedFacts[poolFact], rooms *proposedFacts[roomFact]) ([]target, error) {
	var list []target
	pool := s.pool(e.PoolID)
	switch {
	case e.PoolID != "" && pool == nil:
		return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/pool_id", i), "unknown_pool", "the property has no pool %q", e.PoolID)
	case e.PoolID == "":
		room, err := s.checkRoom(i, e.RoomTypeID)
		if err != nil {
			return nil, err
		}
		list = append(list, rooms.subject(room.ID, func(_ hotel.Date, v roomFact) (roomFact, error) {
			v.SellLimit = e.SellLimit.Over(v.SellLimit)
			v.Closed = e.Closed.Or(v.Closed, false)
			return v, nil
		}))
		own, alone := s.ownPool(room)
		if pool = s.pool(own); !alone {
			if e.Total.Set || e.OutOfOrder.Set || e.OutOfInventory.Set || e.Overbooking.Set {
				return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/room_type_id", i), "pool_owned", "room type %s draws on a pool that it shares: write total, out_of_order, out_of_inventory and overbooking_limit through pool_id", room.ID)
			}
			return list, nil
		}
	}
	return append(list, pools.subject(pool.ID, func(_ hotel.Date, v poolFact) (poolFact, error) {
		v.Total = e.Total.Over(v.Total)
		if v.Total != nil && *v.Total == pool.TotalUnits {
			v.Total = nil // it goes on following the pool
		}
		v.OutOfOrder = e.OutOfOrder.Or(v.OutOfOrder, 0)
		v.OutOfInventory = e.OutOfInventory.Or(v.OutOfInventory, 0)
		v.Overbooking = e.Overbooking.Or(v.Overbooking, 0)
		return v, nil
	})), nil
}
