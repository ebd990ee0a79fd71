package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

// UpdateInventory stores a bulk update of stock. replayed tells that the key of
// once has had its effect before.
func (l *Ledger) UpdateInventory(ctx context.Context, by hotel.By, once hotel.Once, u hotel.InventoryUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	return l.update(ctx, by, once, stockRequest(u))
}

func stockRequest(u hotel.InventoryUpdate) request {
	in := request{kind: "inventory", property: u.PropertyID, source: u.Source, partial: u.Partial, dryRun: u.DryRun}
	for _, e := range u.Entries {
		in.count(e.Dates, 1)
	}
	in.draw = func(ctx context.Context, p *proposal) error {
		f, err := proposeStock(ctx, p)
		if err == nil && namesChannels(u.Entries) {
			f.channels, err = p.facts.channels(ctx)
		}
		if err != nil {
			return err
		}
		for i, e := range u.Entries {
			err := p.enter(i, e.Dates, e.ExpectedVersion, e.Faults(), func() ([]target, error) {
				return f.targets(i, e)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	return in
}

// stockFacts is the facts of all sheets about stock, as a proposal has them.
type stockFacts struct {
	s     *structure
	house *proposedFacts[houseFact]
	pools *proposedFacts[poolFact]
	rooms *proposedFacts[roomFact]
	given *proposedFacts[givenFact]
	shown *proposedFacts[board.Shown]

	channels map[string]bool // the property's, by id; nil when no entry names one
}

func proposeStock(ctx context.Context, p *proposal) (stockFacts, error) {
	f := stockFacts{s: p.s}
	var errs [5]error
	f.house, errs[0] = proposeFacts[houseFact](ctx, p, houseSheet)
	f.pools, errs[1] = proposeFacts[poolFact](ctx, p, poolSheet)
	f.rooms, errs[2] = proposeFacts[roomFact](ctx, p, roomSheet)
	f.given, errs[3] = proposeFacts[givenFact](ctx, p, givenSheet)
	f.shown, errs[4] = proposeFacts[board.Shown](ctx, p, shownSheet)
	return f, errors.Join(errs[:]...)
}

// targets finds what an entry writes to: the house, a pool, or a room type and,
// where it has one of its own, its pool.
func (f stockFacts) targets(i int, e hotel.InventoryEntry) ([]target, error) {
	at := func(member string) string { return fmt.Sprintf("/entries/%d%s", i, member) }
	switch {
	case e.RoomTypeID == "" && e.PoolID == "":
		return []target{f.house.subject(f.s.property.ID, func(_ hotel.Date, v houseFact) (houseFact, error) {
			v.Limit = e.HouseLimit.Over(v.Limit)
			return v, nil
		})}, nil
	case e.PoolID != "":
		pool := f.s.pool(e.PoolID)
		if pool == nil {
			return nil, hotel.Invalid(at("/pool_id"), "unknown_pool", "the property has no pool of that id")
		}
		return []target{f.pool(i, pool, e)}, nil
	}
	room, err := f.s.checkRoom(i, e.RoomTypeID)
	if err != nil {
		return nil, err
	}
	if e.Given.Set && !room.Given(f.s.property) {
		return nil, hotel.Invalid(at("/values/given"), "read_only", "the rooms of type %s are counted here: its availability_mode is derived", room.ID)
	}
	if err := f.checkChannels(i, e); err != nil {
		return nil, err
	}
	list := f.room(room, e)
	if own := room.OwnPool(f.s.pools); own != nil {
		return append(list, f.pool(i, own, e)), nil
	}
	if e.Total.Set || e.OutOfOrder.Set || e.OutOfInventory.Set || e.Overbooking.Set {
		return nil, hotel.Invalid(at("/room_type_id"), "pool_owned", "room type %s draws on a pool that it shares: write total, out_of_order, out_of_inventory and overbooking_limit through pool_id", room.ID)
	}
	return list, nil
}

func (f stockFacts) pool(i int, pool *hotel.Pool, e hotel.InventoryEntry) target {
	return f.pools.subject(pool.ID, func(d hotel.Date, v poolFact) (poolFact, error) {
		v.Total = e.Total.Over(v.Total)
		if v.Total != nil && *v.Total == pool.TotalUnits {
			v.Total = nil // it goes on following the pool
		}
		v.OutOfOrder = e.OutOfOrder.Or(v.OutOfOrder, 0)
		v.OutOfInventory = e.OutOfInventory.Or(v.OutOfInventory, 0)
		v.Overbooking = e.Overbooking.Or(v.Overbooking, 0)
		if total := v.total(pool); v.away() > total && (e.Total.Set || e.OutOfOrder.Set || e.OutOfInventory.Set) {
			return v, hotel.Invalid(fmt.Sprintf("/entries/%d/values/%s", i, awayMember(e)), "max",
				"on %s %d units would be out of order or out of inventory, of %d: raise total or lower these first", d, v.away(), total)
		}
		return v, nil
	})
}

// total returns how many units the pool has on the night.
func (f poolFact) total(pool *hotel.Pool) int {
	if f.Total != nil {
		return *f.Total
	}
	return pool.TotalUnits
}

// away returns how many of them cannot be used.
func (f poolFact) away() int { return f.OutOfOrder + f.OutOfInventory }

// awayMember names the value of an entry that takes more units away than there are.
func awayMember(e hotel.InventoryEntry) string {
	switch {
	case e.OutOfOrder.Set:
		return "out_of_order"
	case e.OutOfInventory.Set:
		return "out_of_inventory"
	}
	return "total"
}

// room lists the sheets on which an entry writes of a room type. Where a version
// is expected it is that of all of them.
func (f stockFacts) room(room *hotel.RoomType, e hotel.InventoryEntry) []target {
	list := []target{f.rooms.subject(room.ID, func(_ hotel.Date, v roomFact) (roomFact, error) {
		v.SellLimit = e.SellLimit.Over(v.SellLimit)
		v.Closed = e.Closed.Or(v.Closed, false)
		v.Lock = e.Lock.Over(v.Lock)
		return v, nil
	})}
	if e.Given.Set || e.ExpectedVersion != nil {
		list = append(list, f.given.subject(room.ID, func(_ hotel.Date, v givenFact) (givenFact, error) {
			if e.Given.Set {
				v.Net, v.Times = e.Given.Over(v.Net), v.Times+1
			}
			return v, nil
		}))
	}
	if e.KeepBack.Set || e.ChannelLimits.Set || e.ExpectedVersion != nil {
		list = append(list, f.shown.subject(room.ID, func(_ hotel.Date, v board.Shown) (board.Shown, error) {
			v.KeepBack = perChannel(v.KeepBack, e.KeepBack)
			v.Limits = perChannel(v.Limits, e.ChannelLimits)
			return v, nil
		}))
	}
	return list
}

// perChannel lays the numbers of an entry over those that channels have.
func perChannel(had availability.PerChannel, o hotel.Optional[hotel.ChannelQuantities]) availability.PerChannel {
	switch {
	case !o.Set:
		return had
	case o.Null:
		return nil
	}
	next := make(availability.PerChannel, len(had)+len(o.Value))
	maps.Copy(next, had)
	for id, n := range o.Value {
		if n.Null {
			delete(next, id)
		} else {
			next[id] = n.Value
		}
	}
	if len(next) == 0 {
		return nil // none, not an empty map: equal facts look alike
	}
	return next
}
