package plan

import (
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// opened returns the cells with those nights open that wait for nothing but their price,
// where that price is among the cells and an operation opens nights so: the far side takes
// both or neither. All other cells stay as they are.
//
//	closures        price of the night     told
//	wait for it     among the cells        open, in the entry of the price
//	wait for it     not among them         closed, as wanted
//	closed anyway   whatever               closed
func opened(cells []Cell, operations []connectors.Operation) []Cell {
	opens := slices.ContainsFunc(operations, func(o connectors.Operation) bool {
		return o.Opens && o.Tells(hotel.Closures) && o.Tells(hotel.Price)
	})
	if !opens || !slices.ContainsFunc(cells, func(c Cell) bool { return c.Open != nil }) {
		return slices.Clone(cells)
	}
	prices := map[connectors.Key]int{} // place of each among the cells
	for i, c := range cells {
		if c.Key.Group == hotel.Price && c.Key.Occupancy == 0 {
			prices[c.Key] = i
		}
	}
	out := slices.Clone(cells)
	for i, c := range cells {
		if at, priced := prices[c.priceKey()]; priced && c.Open != nil {
			out[i].Want, out[i].AtPrice, out[at].AtPrice = c.Open.Pick(hotel.Closures), true, true
		}
	}
	return out
}

// priceKey is the key of the night's price for the room.
func (c Cell) priceKey() connectors.Key {
	return connectors.Key{Room: c.Key.Room, Rate: c.Key.Rate, Group: hotel.Price, Night: c.Key.Night}
}

// shutAgain has the nights wait for their price after all of which the connector put the
// opening and the price into two calls, or refused one of them. It reports whether there
// are any.
func (p Plan) shutAgain(cells []Cell) bool {
	alone := map[connectors.Key]bool{}
	for _, call := range p.Calls {
		prices := map[connectors.Key]bool{}
		for _, c := range call.Cells {
			if c.AtPrice && c.Key.Group == hotel.Price {
				prices[c.Key] = true
			}
		}
		for _, c := range call.Cells {
			if c.AtPrice && c.Key.Group == hotel.Closures && !prices[c.priceKey()] {
				alone[c.Key] = true
			}
		}
	}
	for i, c := range cells {
		if alone[c.Key] {
			cells[i].Open = nil
		}
	}
	return len(alone) > 0
}
