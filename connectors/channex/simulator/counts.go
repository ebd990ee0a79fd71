package simulator

import (
	"encoding/json"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// counts are the values of one update of availability, as far as they are taken.
type counts struct {
	s   *Simulator
	set []connectors.Change
}

func (c *counts) changes() []connectors.Change { return c.set }

// take implements taker.
func (c *counts) take(v value) (map[string]string, string) {
	about, refusal := c.s.about(v, "room_type_id")
	if refusal != nil {
		return refusal, ""
	}
	if !slices.ContainsFunc(c.s.plans, func(p plan) bool { return p.Room == about.id }) {
		return map[string]string{"room_type_id": "is invalid"}, ""
	}
	available := -1
	for field, raw := range v {
		switch field {
		case "availability":
			if json.Unmarshal(raw, &available) != nil || available < 0 {
				return map[string]string{field: "must be greater than or equal to 0"}, ""
			}
		case "property_id", "room_type_id", "date", "date_from", "date_to":
		default:
			return map[string]string{field: unknownField}, ""
		}
	}
	if available < 0 {
		return map[string]string{"availability": "can't be blank"}, ""
	}
	for _, night := range about.nights {
		key := connectors.Key{Room: about.id, Group: hotel.Availability, Night: night}
		c.set = append(c.set, connectors.Change{Key: key, Offer: hotel.Offer{Available: available}})
	}
	return nil, about.remark
}
