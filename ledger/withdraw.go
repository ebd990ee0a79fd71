package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// withdraw takes away, and announces as gone, the house values of what the house
// no longer sells: archived room types and plans, and room types that were taken
// out of a plan.
func (t *tx) withdraw(s *structure, span hotel.Span, cause int64) error {
	id, first, last := s.property.ID, int64(span.From), int64(span.To)
	stock, err := t.q.HouseStock(t.ctx, ledgerdb.HouseStockParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return fmt.Errorf("read house stock of %s: %w", id, err)
	}
	prices, err := t.q.HousePrices(t.ctx, ledgerdb.HousePricesParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return fmt.Errorf("read house prices of %s: %w", id, err)
	}
	rules, err := t.q.HouseRestrictions(t.ctx, ledgerdb.HouseRestrictionsParams{PropertyID: id, First: first, Last: last})
	if err != nil {
		return fmt.Errorf("read house restrictions of %s: %w", id, err)
	}
	var rooms, priced, ruled gone
	for _, r := range stock {
		rooms.note(s, product{room: r.RoomTypeID}, r.Night)
	}
	for _, r := range prices {
		priced.note(s, product{r.RoomTypeID, r.RatePlanID}, r.Night)
	}
	for _, r := range rules {
		ruled.note(s, product{r.RoomTypeID, r.RatePlanID}, r.Night)
	}
	nothing := func(int) string { return "" }
	for p, nights := range rooms.all() {
		_, err := t.append(entry{
			property: id, kind: InventoryUpdated, subject: p.room, offers: true, nights: setOf(nights...).spans(),
			body: StockRuns{RoomTypeID: p.room, Ranges: hotel.Runs(nights, func(int) int64 { return 0 }), Cause: cause},
		})
		if err != nil {
			return err
		}
		err = t.q.DeleteHouseStock(t.ctx, ledgerdb.DeleteHouseStockParams{PropertyID: id, First: first, Last: last, RoomTypeID: p.room})
		if err != nil {
			return fmt.Errorf("withdraw room type %s: %w", p.room, err)
		}
	}
	for p, nights := range priced.all() {
		if _, err := t.announce(RatesUpdated, id, p, nights, nothing, cause); err != nil {
			return err
		}
		err := t.q.DeleteHousePrices(t.ctx, ledgerdb.DeleteHousePricesParams{PropertyID: id, First: first, Last: last, RoomTypeID: p.room, RatePlanID: p.plan})
		if err != nil {
			return fmt.Errorf("withdraw product %s: %w", p.subject(), err)
		}
	}
	for p, nights := range ruled.all() {
		if _, err := t.announce(HouseRulesUpdated, id, p, nights, nothing, cause); err != nil {
			return err
		}
		err := t.q.DeleteHouseRestrictions(t.ctx, ledgerdb.DeleteHouseRestrictionsParams{PropertyID: id, First: first, Last: last, RoomTypeID: p.room, RatePlanID: p.plan})
		if err != nil {
			return fmt.Errorf("withdraw product %s: %w", p.subject(), err)
		}
	}
	return nil
}

// gone is on which nights what is no longer sold has house values.
type gone map[product]nightSet

// note takes note of a house value, unless the house sells what it is of. A
// product without a plan is the room type.
func (g *gone) note(s *structure, p product, night int64) {
	room, ok := s.empty.Room(p.room)
	if p.plan != "" && ok {
		var plan int
		plan, ok = s.empty.Plan(p.plan)
		ok = ok && s.empty.Offers(room, plan)
	}
	if ok {
		return
	}
	if *g == nil {
		*g = gone{}
	}
	if (*g)[p] == nil {
		(*g)[p] = nightSet{}
	}
	(*g)[p][hotel.Date(night)] = struct{}{}
}

// all goes through what is gone in a fixed order.
func (g gone) all() func(yield func(product, []hotel.Date) bool) {
	return func(yield func(product, []hotel.Date) bool) {
		for _, p := range slices.SortedFunc(maps.Keys(g), func(a, b product) int {
			return cmp.Or(cmp.Compare(a.room, b.room), cmp.Compare(a.plan, b.plan))
		}) {
			if !yield(p, g[p].sorted()) {
				return
			}
		}
	}
}
