package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/internal/auth"
)

// Grid is what a calendar shows of nights: of the cells what counts, with nothing of what
// was typed for it or when.
type Grid struct {
	Stock  []hotel.InventoryCell   // RoomTypeID, Date, Closed, Net and Available
	Prices []hotel.RateCell        // RoomTypeID, RatePlanID, Date and Amount
	Rules  []hotel.RestrictionCell // RoomTypeID, RatePlanID, Date, Closed and Lengths
}

// Grid tells of the nights of a property's room types and their rate plans; of the query the
// property, the span and the room types count. Nights that can be
// sold are read from the board in memory, as availability is; others, which few look at, from
// the ledger.
func (d *Desk) Grid(ctx context.Context, c Caller, of hotel.CellQuery) (g Grid, err error) {
	for _, scope := range []auth.Scope{auth.InventoryRead, auth.RatesRead} {
		if err := d.enterCells(ctx, c, scope, of); err != nil {
			return g, err
		}
	}
	if err := c.seesHouse(); err != nil {
		return g, err
	}
	priced, err := d.pricedFor(ctx, c, of.PropertyID)
	if err != nil {
		return g, err
	}
	b, err := d.board(ctx, of.PropertyID)
	if err != nil {
		return g, err
	}
	if of.Span.From >= b.From && of.Span.To <= b.To() {
		return gridOf(b, of, priced), nil
	}
	inv, err := d.Inventory(ctx, c, hotel.InventoryQuery{PropertyID: of.PropertyID, Span: of.Span, RoomTypeIDs: of.RoomTypeIDs})
	if err != nil {
		return g, err
	}
	if g.Prices, err = d.Rates(ctx, c, of); err != nil {
		return g, err
	}
	g.Stock = inv.Cells
	g.Rules, err = d.Restrictions(ctx, c, of)
	return g, err
}

// gridOf reads the nights of a board; priced tells of which plans prices are told.
func gridOf(b *board.Board, of hotel.CellQuery, priced func(plan string) bool) (g Grid) {
	rooms, products := 0, 0
	for room, r := range b.RoomTypes {
		if !hotel.AnyOf(of.RoomTypeIDs, r.ID) {
			continue
		}
		rooms++
		for plan := range b.Plans {
			if b.Offers(room, plan) {
				products++
			}
		}
	}
	days := of.Span.Days()
	g.Stock, g.Prices, g.Rules = make([]hotel.InventoryCell, 0, rooms*days), make([]hotel.RateCell, 0, products*days), make([]hotel.RestrictionCell, 0, products*days)
	for n := of.Span.From; n <= of.Span.To; n++ {
		house := b.House(n)
		for room, r := range b.RoomTypes {
			if !hotel.AnyOf(of.RoomTypeIDs, r.ID) {
				continue
			}
			g.Stock = append(g.Stock, hotel.InventoryCell{
				RoomTypeID: r.ID, Date: n, Closed: b.Night(n).Rooms[room].Closed, Net: house[room].Net, Available: house[room].Available,
			})
			for plan, p := range b.Plans {
				if !b.Offers(room, plan) {
					continue
				}
				if priced(p.ID) {
					cell := hotel.RateCell{RoomTypeID: r.ID, RatePlanID: p.ID, Date: n}
					if of, has := b.HousePrice(n, room, plan, 0); has {
						amount := price.Quote(of)
						cell.Amount = &amount
					}
					g.Prices = append(g.Prices, cell)
				}
				rules := b.HouseRules(n, room, plan)
				g.Rules = append(g.Rules, hotel.RestrictionCell{RoomTypeID: r.ID, RatePlanID: p.ID, Date: n, Closed: rules.Closed, Lengths: rules.Lengths})
			}
		}
	}
	return g
}
