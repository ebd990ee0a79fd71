package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// poolFact and roomFact are what can be written of one night; they are compared
// by value, and journalled as they are.
type poolFact struct {
	Total          int `json:"total"`
	OutOfOrder     int `json:"out_of_order"`
	OutOfInventory int `json:"out_of_inventory"`
	Overbooking    int `json:"overbooking_limit"`
}

type roomFact struct {
	SellLimit int  `json:"sell_limit"` // -1: none
	Closed    bool `json:"closed"`
}

// nightKey names a stored cell: its night and the ids it belongs to.
type nightKey struct {
	night hotel.Date
	product
}

// facts holds the cells of one table between the first and last night of an
// update: as stored, and as they will be.
type facts[F comparable] struct {
	stored  map[nightKey]F
	version map[nightKey]int64
	now     map[nightKey]F
}

func newFacts[F comparable]() facts[F] {
	return facts[F]{map[nightKey]F{}, map[nightKey]int64{}, map[nightKey]F{}}
}

func (f facts[F]) at(k nightKey, standard F) F {
	if v, ok := f.now[k]; ok {
		return v
	}
	if v, ok := f.stored[k]; ok {
		return v
	}
	return standard
}

// changed lists, by what they belong to, the nights that differ from what is
// stored, ascending.
func (f facts[F]) changed(standard func(product) F) map[product][]hotel.Date {
	sets := map[product]nightSet{}
	for k, v := range f.now {
		was, ok := f.stored[k]
		if !ok {
			was = standard(k.product)
		}
		if v == was {
			continue
		}
		if sets[k.product] == nil {
			sets[k.product] = nightSet{}
		}
		sets[k.product][k.night] = struct{}{}
	}
	out := make(map[product][]hotel.Date, len(sets))
	for p, nights := range sets {
		out[p] = nights.sorted()
	}
	return out
}

// UpdateInventory stores a bulk update of stock. replayed tells that the key of
// once has had its effect before.
func (l *Ledger) UpdateInventory(ctx context.Context, by hotel.By, once hotel.Once, u hotel.InventoryUpdate) (hotel.AriUpdate, bool, error) {
	dates := make([]hotel.Dates, len(u.Entries))
	for i, e := range u.Entries {
		dates[i] = e.Dates
	}
	return l.update(ctx, by, once, u.PropertyID, "inventory", dates, func(b *bulkUpdate) error {
		return b.storeStock(u)
	})
}

func (u *bulkUpdate) storeStock(in hotel.InventoryUpdate) error {
	pools, rooms, err := u.loadStock()
	if err != nil {
		return err
	}
	standardPool := func(p product) poolFact { return poolFact{Total: u.s.pool(p.room).TotalUnits} }
	standardRoom := func(product) roomFact { return roomFact{SellLimit: -1} }
	for i, e := range in.Entries {
		pool, err := u.checkStock(i, e)
		if err != nil {
			return err
		}
		for _, d := range e.Nights() {
			poolKey, roomKey := nightKey{d, product{room: pool}}, nightKey{d, product{room: e.RoomTypeID}}
			if err := checkVersion(i, e.ExpectedVersion, max(pools.version[poolKey], rooms.version[roomKey]), d); err != nil {
				return err
			}
			changed := false
			if pool != "" {
				old := pools.at(poolKey, standardPool(poolKey.product))
				v := old
				set(&v.Total, e.Total, u.s.pool(pool).TotalUnits)
				set(&v.OutOfOrder, e.OutOfOrder, 0)
				set(&v.OutOfInventory, e.OutOfInventory, 0)
				set(&v.Overbooking, e.Overbooking, 0)
				pools.now[poolKey], changed = v, v != old
			}
			if e.RoomTypeID != "" {
				old := rooms.at(roomKey, standardRoom(roomKey.product))
				v := old
				set(&v.SellLimit, e.SellLimit, -1)
				set(&v.Closed, e.Closed, false)
				rooms.now[roomKey] = v
				changed = changed || v != old
			}
			if changed {
				u.upd.Changed[i]++
			}
		}
	}
	return u.commitStock(in, pools, rooms, standardPool, standardRoom)
}

// checkStock resolves the pool that an entry writes to, "" for a room type that
// has none of its own.
func (u *bulkUpdate) checkStock(i int, e hotel.InventoryEntry) (string, error) {
	physical := e.Total.Set || e.OutOfOrder.Set || e.OutOfInventory.Set || e.Overbooking.Set
	switch {
	case e.PoolID != "" && e.RoomTypeID != "":
		return "", hotel.Invalid(fmt.Sprintf("/entries/%d/pool_id", i), "type", "name a pool or a room type, not both")
	case e.PoolID != "":
		if u.s.pool(e.PoolID) == nil {
			return "", hotel.Invalid(fmt.Sprintf("/entries/%d/pool_id", i), "unknown_pool", "the property has no pool %q", e.PoolID)
		}
		if e.SellLimit.Set || e.Closed.Set {
			return "", hotel.Invalid(fmt.Sprintf("/entries/%d/values", i), "pool_owned", "sell_limit and closed belong to a room type, not to a pool")
		}
		return e.PoolID, nil
	}
	room, err := u.s.checkRoom(i, e.RoomTypeID)
	if err != nil {
		return "", err
	}
	pool, own := u.s.ownPool(room)
	if !own && physical {
		return "", hotel.Invalid(fmt.Sprintf("/entries/%d/room_type_id", i), "pool_owned", "room type %s draws on a pool that it shares: write total, out_of_order, out_of_inventory and overbooking_limit through pool_id", room.ID)
	}
	return pool, nil
}

func (u *bulkUpdate) loadStock() (facts[poolFact], facts[roomFact], error) {
	t, id := u.t, u.s.property.ID
	pools, rooms := newFacts[poolFact](), newFacts[roomFact]()
	poolRows, err := t.q.PoolNights(t.ctx, ledgerdb.PoolNightsParams{PropertyID: id, First: int64(u.first), Last: int64(u.last)})
	if err != nil {
		return pools, rooms, fmt.Errorf("read stock: %w", err)
	}
	for _, r := range poolRows {
		k := nightKey{hotel.Date(r.Night), product{room: r.PoolID}}
		total := u.s.pool(r.PoolID).TotalUnits
		if r.Total != nil {
			total = int(*r.Total)
		}
		pools.stored[k] = poolFact{total, int(r.OutOfOrder), int(r.OutOfInventory), int(r.OverbookingLimit)}
		pools.version[k] = r.Version
	}
	roomRows, err := t.q.RoomNights(t.ctx, ledgerdb.RoomNightsParams{PropertyID: id, First: int64(u.first), Last: int64(u.last)})
	if err != nil {
		return pools, rooms, fmt.Errorf("read stock: %w", err)
	}
	for _, r := range roomRows {
		k := nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}
		v := roomFact{SellLimit: -1, Closed: r.Closed == 1}
		if r.SellLimit != nil {
			v.SellLimit = int(*r.SellLimit)
		}
		rooms.stored[k], rooms.version[k] = v, r.Version
	}
	return pools, rooms, nil
}

func (u *bulkUpdate) commitStock(
	in hotel.InventoryUpdate, pools facts[poolFact], rooms facts[roomFact], standardPool func(product) poolFact, standardRoom func(product) roomFact,
) error {
	t, id := u.t, u.s.property.ID
	for p, nights := range pools.changed(standardPool) {
		value := func(d hotel.Date) poolFact { return pools.now[nightKey{d, p}] }
		err := journalFacts(u, StockChanged, p.room, "pool_id", nights, value, func(d hotel.Date, v poolFact, version int64) error {
			row := ledgerdb.PutPoolNightParams{
				PropertyID: id, Night: int64(d), PoolID: p.room, OutOfOrder: int64(v.OutOfOrder),
				OutOfInventory: int64(v.OutOfInventory), OverbookingLimit: int64(v.Overbooking),
				Version: version, Source: in.Source, UpdatedAt: t.micros(),
			}
			if v.Total != u.s.pool(p.room).TotalUnits { // else it goes on following the pool
				total := int64(v.Total)
				row.Total = &total
			}
			return t.q.PutPoolNight(t.ctx, row)
		})
		if err != nil {
			return err
		}
	}
	for p, nights := range rooms.changed(standardRoom) {
		value := func(d hotel.Date) roomFact { return rooms.now[nightKey{d, p}] }
		err := journalFacts(u, StockChanged, p.room, "room_type_id", nights, value, func(d hotel.Date, v roomFact, version int64) error {
			row := ledgerdb.PutRoomNightParams{
				PropertyID: id, Night: int64(d), RoomTypeID: p.room, Closed: flag(v.Closed),
				Version: version, Source: in.Source, UpdatedAt: t.micros(),
			}
			if v.SellLimit >= 0 {
				limit := int64(v.SellLimit)
				row.SellLimit = &limit
			}
			return t.q.PutRoomNight(t.ctx, row)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// journalFacts appends one entry for the changed nights of one subject, stores
// each night under its sequence, and follows what comes of it.
func journalFacts[F comparable](
	u *bulkUpdate, kind Kind, subject, named string, nights []hotel.Date, value func(hotel.Date) F, put func(hotel.Date, F, int64) error,
) error {
	spans := setOf(nights...).spans()
	seq, err := u.t.append(entry{
		property: u.s.property.ID, kind: kind, subject: subject, nights: spans,
		body: map[string]any{
			"update_id": u.upd.ID, named: subject,
			"ranges": hotel.Runs(nights, func(i int) F { return value(nights[i]) }),
		},
	})
	if err != nil {
		return err
	}
	for _, d := range nights {
		if err := put(d, value(d), seq); err != nil {
			return fmt.Errorf("store %s of %s: %w", kind, d, err)
		}
	}
	a := affected{property: u.s.property.ID, stock: kind == StockChanged, nights: setOf(nights...)}
	if !a.stock {
		a.affect(kind, u.s.selling(productOf(subject)))
	}
	return u.t.follow(u.s, a, seq)
}
