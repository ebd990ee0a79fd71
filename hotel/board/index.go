package board

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// maxDepth is how many derivations may follow each other.
const maxDepth = 3

func newIndex(property hotel.Property, pools []hotel.Pool, rooms []hotel.RoomType, plans []hotel.RatePlan) (*index, error) {
	x := &index{
		pools:    make(map[string]int, len(pools)),
		rooms:    make(map[string]int, len(rooms)),
		names:    make(map[string]int, 2*len(rooms)),
		plans:    make(map[string]int, len(plans)),
		products: make([][]bool, len(rooms)),
		terms:    make([][]price.Product, len(rooms)),
	}
	layout, err := layoutOf(property, pools, rooms)
	if err != nil {
		return nil, err
	}
	x.layout = layout
	for i := range pools {
		x.pools[pools[i].ID] = i
	}
	for i := range rooms {
		r := &rooms[i]
		x.rooms[r.ID] = i
		x.names[fold(r.Code)] = i
		x.products[i], x.terms[i] = make([]bool, len(plans)), make([]price.Product, len(plans))
		for j := range plans {
			x.products[i][j] = slices.Contains(plans[j].RoomTypeIDs, r.ID)
			x.terms[i][j] = price.Product{Pricing: plans[j].Pricing, Base: r.BaseOccupancy, Most: r.MaxOccupancy, Bands: property.AgeBands}
		}
	}
	for i := range rooms {
		// A name never hides a code, nor the name of a room type further up.
		if _, ok := x.names[fold(rooms[i].Name)]; !ok {
			x.names[fold(rooms[i].Name)] = i
		}
	}
	for i := range plans {
		x.plans[plans[i].ID] = i
	}
	if len(property.AgeBands) > price.MaxBands {
		return nil, fmt.Errorf("the property has %d age bands, more than %d", len(property.AgeBands), price.MaxBands)
	}
	if err := x.follow(plans, property.AgeBands); err != nil {
		return nil, err
	}
	return x, nil
}

// follow finds every plan's parent, checks the derivations and works out the
// rules that hold where no night says anything.
func (x *index) follow(plans []hotel.RatePlan, bands price.Bands) error {
	x.parents, x.derived = make([]int, len(plans)), make([]price.Derivation, len(plans))
	for i := range plans {
		p := &plans[i]
		x.parents[i] = -1
		if p.DerivedFrom == nil {
			continue
		}
		parent, ok := x.plans[p.DerivedFrom.RatePlanID]
		if !ok {
			return fmt.Errorf("rate plan %s is derived from unknown plan %s", p.ID, p.DerivedFrom.RatePlanID)
		}
		if plans[parent].Currency != p.Currency {
			return fmt.Errorf("rate plan %s in %s is derived from a plan in %s", p.ID, p.Currency, plans[parent].Currency)
		}
		derived, err := price.NewDerivation(*p.DerivedFrom, bands)
		if err != nil {
			return fmt.Errorf("rate plan %s: %w", p.ID, err)
		}
		x.parents[i], x.derived[i] = parent, derived
	}
	for i := range plans {
		depth := 0
		for p := x.parents[i]; p >= 0; p = x.parents[p] {
			if depth++; depth > maxDepth {
				return fmt.Errorf("rate plan %s is derived in a circle or more than %d plans deep", plans[i].ID, maxDepth)
			}
		}
	}
	x.plain = make([]availability.NightRules, len(plans))
	for i := range plans {
		x.plain[i] = x.rules(plans, nil, Every, i, nil)
	}
	return nil
}
