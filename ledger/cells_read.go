package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// MaxCellNights is the longest span of nights that one read of cells covers.
const MaxCellNights = 400

// view is a property's span of nights as one snapshot shows it.
type view struct {
	q *ledgerdb.Queries
	s *structure
	b *board.Board
}

// look reads a span of nights, with the facts and what follows from them.
func (l *Ledger) look(ctx context.Context, property string, span hotel.Span, f func(view) error) error {
	if span.Days() == 0 || span.Days() > MaxCellNights {
		return hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", MaxCellNights, span.Days())
	}
	return l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := loadStructure(ctx, q, property)
		if err != nil {
			return err
		}
		nights, err := s.loadNights(ctx, q, span.From, span.To)
		if err != nil {
			return err
		}
		return f(view{q, s, s.board(span.From, nights, 0)})
	})
}

// InventoryCells lists the stock of a property's room types (one, or "" for
// all), ordered by room type, then night.
func (l *Ledger) InventoryCells(ctx context.Context, property string, span hotel.Span, roomTypeID string) (cells []hotel.InventoryCell, err error) {
	err = l.look(ctx, property, span, func(v view) error {
		pools, err := v.q.PoolNights(ctx, ledgerdb.PoolNightsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
		if err != nil {
			return fmt.Errorf("read stock: %w", err)
		}
		poolRows := map[nightKey]ledgerdb.PoolNight{}
		for _, r := range pools {
			poolRows[nightKey{hotel.Date(r.Night), product{room: r.PoolID}}] = r
		}
		rooms, err := v.q.RoomNights(ctx, ledgerdb.RoomNightsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
		if err != nil {
			return fmt.Errorf("read stock: %w", err)
		}
		roomRows := map[nightKey]ledgerdb.RoomNight{}
		for _, r := range rooms {
			roomRows[nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}] = r
		}
		for i := range v.s.rooms {
			room := &v.s.rooms[i]
			if roomTypeID != "" && room.ID != roomTypeID {
				continue
			}
			pool, own := v.s.ownPool(room)
			for d := span.From; d <= span.To; d++ {
				night, house := v.b.Night(d), v.b.House(d)[i]
				c := hotel.InventoryCell{
					RoomTypeID: room.ID, Date: d, Closed: night.Rooms[i].Closed, Sold: night.Rooms[i].Sold,
					Net: house.Net, Free: house.Free, Available: house.Available,
				}
				if limit := night.Rooms[i].SellLimit; limit >= 0 {
					c.SellLimit = &limit
				}
				if r, ok := roomRows[nightKey{d, product{room: room.ID}}]; ok {
					c.Version, c.Source, c.UpdatedAt = r.Version, r.Source, instant(r.UpdatedAt)
				}
				if own {
					at, _ := v.b.Pool(pool)
					p := night.Pools[at]
					c.PoolID, c.Total, c.OutOfOrder, c.OutOfInventory, c.Overbooking = pool, p.Total, p.OutOfOrder, p.OutOfInventory, p.Overbooking
					if r, ok := poolRows[nightKey{d, product{room: pool}}]; ok && r.Version > c.Version {
						c.Version, c.Source, c.UpdatedAt = r.Version, r.Source, instant(r.UpdatedAt)
					}
				}
				cells = append(cells, c)
			}
		}
		return nil
	})
	return cells, err
}

// RateCells lists the prices of a property's products, ordered by room type,
// plan, then night. "" means every room type or plan.
func (l *Ledger) RateCells(ctx context.Context, property string, span hotel.Span, roomTypeID, ratePlanID string) (cells []hotel.RateCell, err error) {
	err = l.look(ctx, property, span, func(v view) error {
		rows, err := v.q.RateNights(ctx, ledgerdb.RateNightsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
		if err != nil {
			return fmt.Errorf("read prices: %w", err)
		}
		typed := map[nightKey][]ledgerdb.RateNight{}
		for _, r := range rows {
			k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
			typed[k] = append(typed[k], r)
		}
		v.products(roomTypeID, ratePlanID, func(room, plan int, p product) {
			currency := v.s.plans[plan].Currency
			for d := span.From; d <= span.To; d++ {
				c := hotel.RateCell{RoomTypeID: p.room, RatePlanID: p.plan, Date: d, Derived: v.s.plans[plan].DerivedFrom != nil}
				for _, r := range typed[nightKey{d, p}] {
					m := hotel.Money{Minor: r.Amount, Currency: currency}
					if r.Occupancy == 0 {
						c.Own = &m
					} else {
						if c.OwnByOccupancy == nil {
							c.OwnByOccupancy = map[int]hotel.Money{}
						}
						c.OwnByOccupancy[int(r.Occupancy)] = m
					}
					if r.Version > c.Version {
						c.Version, c.Source, c.UpdatedAt = r.Version, r.Source, instant(r.UpdatedAt)
					}
				}
				for _, occupancy := range occupancies(v.b, room, plan) {
					h, ok := v.b.HousePrice(d, room, plan, occupancy)
					m := price.Quote(h)
					switch {
					case !ok:
					case occupancy == 0:
						c.Amount = &m
					default:
						if c.ByOccupancy == nil {
							c.ByOccupancy = map[int]hotel.Money{}
						}
						c.ByOccupancy[occupancy] = m
					}
				}
				cells = append(cells, c)
			}
		})
		return nil
	})
	return cells, err
}

// RestrictionCells lists what holds for a property's products, ordered by room
// type, plan, then night. "" means every room type or plan.
func (l *Ledger) RestrictionCells(ctx context.Context, property string, span hotel.Span, roomTypeID, ratePlanID string) (cells []hotel.RestrictionCell, err error) {
	err = l.look(ctx, property, span, func(v view) error {
		rows, err := v.q.RestrictionNights(ctx, ledgerdb.RestrictionNightsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
		if err != nil {
			return fmt.Errorf("read restrictions: %w", err)
		}
		typed := map[nightKey]ledgerdb.RestrictionNight{}
		for _, r := range rows {
			typed[nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}] = r
		}
		v.products(roomTypeID, ratePlanID, func(room, plan int, p product) {
			for d := span.From; d <= span.To; d++ {
				rules := v.b.HouseRules(d, room, plan)
				c := hotel.RestrictionCell{RoomTypeID: p.room, RatePlanID: p.plan, Date: d, Closed: rules.Closed, Lengths: rules.Lengths}
				if r, ok := typed[nightKey{d, p}]; ok {
					c.Own, c.Version, c.Source, c.UpdatedAt = restrictionOf(r), r.Version, r.Source, instant(r.UpdatedAt)
				}
				cells = append(cells, c)
			}
		})
		return nil
	})
	return cells, err
}

// products calls f for every product that is asked for.
func (v view) products(roomTypeID, ratePlanID string, f func(room, plan int, p product)) {
	for i := range v.s.rooms {
		for j := range v.s.plans {
			p := product{v.s.rooms[i].ID, v.s.plans[j].ID}
			if v.b.Offers(i, j) && (roomTypeID == "" || roomTypeID == p.room) && (ratePlanID == "" || ratePlanID == p.plan) {
				f(i, j, p)
			}
		}
	}
}
