package simulator

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"ostler.example/connectors"
)

// plan is a rate plan, which belongs to one room type, with its occupancy options.
type plan struct {
	connectors.RemoteProduct
	perPerson bool // it has a price for each number of guests, else one for the room
	options   []occupancyOption
}

// occupancyOption is one price of a plan. That of the plan's own id is the primary one.
type occupancyOption struct {
	id     string
	guests int
	shown  int // the number of guests under which the book has it; 0: of the room
}

// The occupancies of a plan that has a price for each number of guests, and the
// primary one of every plan.
const (
	mostGuests    = 4
	primaryGuests = 2
)

// plansOf makes rate plans of products. Where a rate is sold in several rooms, each
// of them has a plan of its own.
func plansOf(products []connectors.RemoteProduct, preset string) []plan {
	var out []plan
	for i, p := range products {
		shared := slices.ContainsFunc(products, func(o connectors.RemoteProduct) bool { return o.Rate == p.Rate && o.Room != p.Room })
		if shared {
			p.Rate += "." + p.Room
		}
		made := plan{RemoteProduct: p, perPerson: preset == perPerson || preset == mixed && i%2 == 0, options: []occupancyOption{{id: p.Rate, guests: primaryGuests}}}
		if made.perPerson {
			made.options[0].shown = primaryGuests
			for guests := 1; guests <= mostGuests; guests++ {
				if guests != primaryGuests {
					made.options = append(made.options, occupancyOption{p.Rate + ":" + strconv.Itoa(guests), guests, guests})
				}
			}
		}
		out = append(out, made)
	}
	return out
}

// plan finds a rate plan.
func (s *Simulator) plan(id string) (plan, bool) {
	i := slices.IndexFunc(s.plans, func(p plan) bool { return p.Rate == id })
	if i < 0 {
		return plan{}, false
	}
	return s.plans[i], true
}

// rooms are the room types, each once.
func (s *Simulator) rooms() []connectors.RemoteProduct {
	var out []connectors.RemoteProduct
	for _, p := range s.plans {
		if !slices.ContainsFunc(out, func(o connectors.RemoteProduct) bool { return o.Room == p.Room }) {
			out = append(out, p.RemoteProduct)
		}
	}
	return out
}

// properties lists the only one.
func (s *Simulator) properties(w http.ResponseWriter, r *http.Request) {
	paged(w, r, []any{s.property()})
}

// one shows the property.
func (s *Simulator) one(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("id") != s.o.Hotel {
		problem(w, http.StatusNotFound, "resource_not_found", "Resource not found", nil)
		return
	}
	reply(w, map[string]any{"data": s.property()})
}

func (s *Simulator) property() object {
	return object{Type: "property", ID: s.o.Hotel, Attributes: map[string]any{
		"id": s.o.Hotel, "title": "Pretend Property", "currency": s.o.Currency, "timezone": cmp.Or(s.o.TimeZone, "UTC"), "is_active": true,
		"settings": map[string]any{
			"min_stay_type": s.minStayType(), "state_length": stateLength, "allow_availability_autoupdate_on_confirmation": true,
			"allow_availability_autoupdate_on_modification": false, "allow_availability_autoupdate_on_cancellation": false,
		},
	}}
}

// roomTypes lists the room types.
func (s *Simulator) roomTypes(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	var all []any
	for _, room := range s.rooms() {
		all = append(all, object{
			Type: "room_type", ID: room.Room,
			Attributes:    map[string]any{"id": room.Room, "title": room.RoomName, "occ_adults": cmp.Or(room.Adults, mostGuests), "default_occupancy": primaryGuests, "room_kind": "room"},
			Relationships: map[string]any{"property": related("property", s.o.Hotel)},
		})
	}
	paged(w, r, all)
}

// ratePlans lists the rate plans.
func (s *Simulator) ratePlans(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	var all []any
	for _, p := range s.plans {
		mode := "per_room"
		if p.perPerson {
			mode = perPerson
		}
		var options []any
		for _, o := range slices.Backward(p.options) { // the order says nothing
			options = append(options, map[string]any{"id": o.id, "occupancy": o.guests, "is_primary": o.id == p.Rate, "rate": "0.00"})
		}
		all = append(all, object{
			Type: "rate_plan", ID: p.Rate,
			Attributes:    map[string]any{"id": p.Rate, "title": p.RateName, "currency": s.o.Currency, "sell_mode": mode, "rate_mode": "manual", "meal_type": cmp.Or(p.Board, "none"), "options": options},
			Relationships: map[string]any{"property": related("property", s.o.Hotel), "room_type": related("room_type", p.Room)},
		})
	}
	paged(w, r, all)
}
