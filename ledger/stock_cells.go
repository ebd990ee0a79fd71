package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// Inventory reads the stock of a property by room type and night, ordered by room
// type, then night, as it is or was; of the house as well when asked. A channel that the
// property does not have is [ErrNotFound].
func (l *Ledger) Inventory(ctx context.Context, q hotel.InventoryQuery) (inv hotel.Inventory, err error) {
	err = l.look(ctx, q.PropertyID, q.AsOf, q.Span, func(v view) error {
		inv = hotel.Inventory{}
		w, err := v.written(ctx)
		if err != nil {
			return err
		}
		synced, err := v.synced(ctx, q.ChannelID)
		if err != nil {
			return err
		}
		var granted map[hotel.RoomNight]int
		if q.ChannelID != "" && q.AsOf.Now() && v.s.guards() {
			if granted, err = shares(ctx, v.q, q.PropertyID, q.ChannelID, q.Span); err != nil {
				return err
			}
		}
		for i := range v.s.rooms {
			room := &v.s.rooms[i]
			if !hotel.AnyOf(q.RoomTypeIDs, room.ID) || !drawsOn(room, q.PoolIDs) {
				continue
			}
			for d := q.Span.From; d <= q.Span.To; d++ {
				c := v.stock(d, i, w)
				if q.ChannelID != "" {
					of := synced[factKey{d, room.ID}]
					c.Channel = &hotel.ChannelCell{SyncedVersion: of.Confirmed, SyncedAt: instantOrZero(of.HeldAt)}
					if q.AsOf.Now() || !v.s.mayGuard(room.ID) {
						var share *int
						if n, ok := granted[hotel.RoomNight{Night: d, RoomTypeID: room.ID}]; ok {
							share = &n
						}
						c.Channel.Available = new(v.b.Offered(d, i, q.ChannelID, share))
						c.Channel.Bookable = new(v.b.SaleTo(d, i, q.ChannelID, 0).Now)
					}
				}
				inv.Cells = append(inv.Cells, c)
			}
		}
		for d := q.Span.From; q.House && d <= q.Span.To; d++ {
			t, n := v.b.Totals(d), hotel.HouseNight{Date: d}
			if limit := v.b.Night(d).HouseLimit; limit != availability.NoLimit {
				n.Limit = &limit
			}
			n.Sold, n.Held, n.Blocked, n.Net = t.Sold, t.Held, t.Blocked, t.Net
			if f, ok := w.house[factKey{d, q.PropertyID}]; ok {
				n.Version, n.Source, n.UpdatedAt = f.version, f.source, instant(f.at)
			}
			inv.House = append(inv.House, n)
		}
		for _, pool := range v.s.pools {
			for d := q.Span.From; q.Pools && d <= q.Span.To && hotel.AnyOf(q.PoolIDs, pool.ID); d++ {
				inv.Pools = append(inv.Pools, v.pool(d, pool.ID, w))
			}
		}
		return v.doubtExposure(ctx, inv.Cells)
	})
	return inv, err
}

// doubtExposure marks the cells of which channels could sell more than is counted as
// exposed. A channel of the lower levels may sell what it was granted over and over
// before we hear of it; so it may where a policy has its rooms dealt without it.
func (v view) doubtExposure(ctx context.Context, cells []hotel.InventoryCell) error {
	if !slices.ContainsFunc(cells, func(c hotel.InventoryCell) bool { return c.Exposed > 0 }) {
		return nil
	}
	rows, err := v.q.ListChannelsOf(ctx, v.s.property.ID)
	if err != nil {
		return err
	}
	loose := false
	for _, row := range rows {
		c := seller{row: row}
		if c.of, err = channelOf(row); err != nil {
			return err
		}
		if c.terms, err = termsOf(row); err != nil {
			return err
		}
		away, _ := hotel.UnreachableOf(c.of.Policies, v.s.property.Policies)
		level := exposure.LevelOf(c.terms)
		loose = loose || c.atRisk(v.s) || away == hotel.AcceptRisk && level != exposure.Guaranteed && level != exposure.OneWay
	}
	for i := range cells {
		cells[i].AtLeast = loose && cells[i].Exposed > 0
	}
	return nil
}

func drawsOn(room *hotel.RoomType, pools []string) bool {
	return len(pools) == 0 || slices.ContainsFunc(room.Consumes, func(d hotel.Draw) bool {
		return slices.ContainsFunc(d.AnyOf, func(id string) bool { return slices.Contains(pools, id) })
	})
}

// writtenStock is what stands written of stock in a view.
type writtenStock struct {
	house map[factKey]fact[houseFact]
	pools map[factKey]fact[poolFact]
	rooms map[factKey]fact[roomFact]
	given map[factKey]fact[givenFact]
	shown map[factKey]fact[board.Shown]
}

func (v view) written(ctx context.Context) (w writtenStock, err error) {
	if w.house, err = written[houseFact](ctx, v, houseSheet); err != nil {
		return w, err
	}
	if w.pools, err = written[poolFact](ctx, v, poolSheet); err != nil {
		return w, err
	}
	if w.rooms, err = written[roomFact](ctx, v, roomSheet); err != nil {
		return w, err
	}
	if w.given, err = written[givenFact](ctx, v, givenSheet); err != nil {
		return w, err
	}
	w.shown, err = written[board.Shown](ctx, v, shownSheet)
	return w, err
}

// stock puts together one cell. Its version is that of the newest fact in it.
func (v view) stock(d hotel.Date, room int, w writtenStock) hotel.InventoryCell {
	of, night, house := &v.s.rooms[room], v.b.Night(d), v.b.House(d)[room]
	n := night.Rooms[room]
	c := hotel.InventoryCell{
		RoomTypeID: of.ID, Date: d, Closed: n.Closed, Sold: n.Sold, Held: n.Held, Blocked: n.Blocked,
		Net: house.Net, Free: house.Free, Available: house.Available,
	}
	c.Exposed = v.b.Exposed(d, room)
	stand := func(version int64, source string, at int64) {
		if version > c.Version {
			c.Version, c.Source, c.UpdatedAt = version, source, instant(at)
		}
	}
	k := factKey{d, of.ID}
	if f, ok := w.rooms[k]; ok {
		c.SellLimit, c.Lock = f.V.SellLimit, f.V.Lock
		stand(f.version, f.source, f.at)
	}
	if f, ok := w.given[k]; ok {
		c.Given = f.V.Net
		stand(f.version, f.source, f.at)
	}
	if f, ok := w.shown[k]; ok {
		c.KeepBack, c.ChannelLimits = f.V.KeepBack, f.V.Limits
		stand(f.version, f.source, f.at)
	}
	own := of.OwnPool(v.s.pools)
	if own == nil {
		return c
	}
	p := v.pool(d, own.ID, w)
	c.PoolID, c.Total, c.OutOfOrder, c.OutOfInventory, c.Overbooking = own.ID, p.Total, p.OutOfOrder, p.OutOfInventory, p.Overbooking
	if f, ok := w.pools[factKey{d, own.ID}]; ok {
		stand(f.version, f.source, f.at)
	}
	return c
}

// pool is what stands written of one pool on a night.
func (v view) pool(d hotel.Date, id string, w writtenStock) hotel.PoolNight {
	at, _ := v.b.Pool(id)
	p := v.b.Night(d).Pools[at]
	n := hotel.PoolNight{PoolID: id, Date: d, Total: p.Total, OutOfOrder: p.OutOfOrder, OutOfInventory: p.OutOfInventory, Overbooking: p.Overbooking}
	if f, ok := w.pools[factKey{d, id}]; ok {
		n.Version, n.Source, n.UpdatedAt = f.version, f.source, instant(f.at)
	}
	return n
}

// synced returns, by night and room type, the entry of the journal up to which the
// channel has confirmed all of its counters of the type, and when; nothing without
// a channel.
func (v view) synced(ctx context.Context, channel string) (map[factKey]ledgerdb.SyncedStockRow, error) {
	if channel == "" {
		return nil, nil
	}
	if _, err := v.channel(ctx, channel); err != nil {
		return nil, err
	}
	rows, err := v.q.SyncedStock(ctx, ledgerdb.SyncedStockParams{ChannelID: channel, First: int64(v.span.From), Last: int64(v.span.To)})
	if err != nil {
		return nil, fmt.Errorf("read what channel %s confirmed: %w", channel, err)
	}
	synced := make(map[factKey]ledgerdb.SyncedStockRow, len(rows))
	for _, r := range rows {
		synced[factKey{hotel.Date(r.Night), r.RoomTypeID}] = r
	}
	return synced, nil
}
