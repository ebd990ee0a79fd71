package simulator

import (
	"net/http"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mostAsked bounds a query, in nights.
const mostAsked = 800

// nights reads which nights a query asks for, or answers 400.
func (s *Simulator) nights(w http.ResponseWriter, r *http.Request) (hotel.Span, bool) {
	q := r.URL.Query()
	from, to := q.Get("filter[date][gte]"), q.Get("filter[date][lte]")
	if one := q.Get("filter[date]"); one != "" {
		from, to = one, one
	}
	var span hotel.Span
	var errs [2]error
	span.From, errs[0] = hotel.ParseDate(from)
	span.To, errs[1] = hotel.ParseDate(to)
	if errs[0] != nil || errs[1] != nil || span.Days() > mostAsked || q.Get("filter[property_id]") == "" {
		problem(w, http.StatusBadRequest, "bad_request", "Bad Request", []string{"filter[property_id] and filter[date] are required"})
		return hotel.Span{}, false
	}
	return span, s.mine(w, r)
}

// within are the nights of a span that the property has.
func (s *Simulator) within(span hotel.Span) []hotel.Date {
	var out []hotel.Date
	for night := max(span.From, s.today()); night <= min(span.To, s.last()); night++ {
		out = append(out, night)
	}
	return out
}

// shownAvailability tells how many rooms are left. A night of which nothing was ever
// said has none.
func (s *Simulator) shownAvailability(w http.ResponseWriter, r *http.Request) {
	span, ok := s.nights(w, r)
	if !ok {
		return
	}
	data := map[string]map[hotel.Date]int{}
	for _, room := range s.rooms() {
		data[room.Room] = map[hotel.Date]int{}
		for _, night := range s.within(span) {
			data[room.Room][night] = s.left(room.Room, night)
		}
	}
	reply(w, map[string]any{"data": data})
}

func (s *Simulator) left(room string, night hotel.Date) int {
	o, _ := s.kit.Book.Shown(connectors.Key{Room: room, Group: hotel.Availability, Night: night})
	return max(0, o.Available)
}

// restrictionNames are what can be asked for.
var restrictionNames = []string{
	"availability", "rate", "min_stay_arrival", "min_stay_through", "min_stay", "closed_to_arrival", "closed_to_departure", "stop_sell", "max_stay",
	"availability_offset", "max_availability",
}

// shownRestrictions tells of every occupancy option what is asked for.
func (s *Simulator) shownRestrictions(w http.ResponseWriter, r *http.Request) {
	span, ok := s.nights(w, r)
	if !ok {
		return
	}
	asked := strings.Split(r.URL.Query().Get("filter[restrictions]"), ",")
	if slices.ContainsFunc(asked, func(name string) bool { return !slices.Contains(restrictionNames, name) }) {
		problem(w, http.StatusBadRequest, "bad_request", "Bad Request", []string{"filter[restrictions] is required"})
		return
	}
	data := map[string]map[hotel.Date]any{}
	for _, p := range s.plans {
		for _, o := range p.options {
			data[o.id] = map[hotel.Date]any{}
			for _, night := range s.within(span) {
				data[o.id][night] = s.shownNight(p, o, night, asked)
			}
		}
	}
	reply(w, map[string]any{"data": data})
}

// shownNight is what is asked of one night. A plan whose room type has no room left is
// shown as closed, and one without a price with a price of nothing.
func (s *Simulator) shownNight(p plan, o occupancyOption, night hotel.Date, asked []string) any {
	shown := func(g hotel.Group, guests int) hotel.Offer {
		offer, _ := s.kit.Book.Shown(connectors.Key{Room: p.Room, Rate: p.Rate, Group: g, Occupancy: guests, Night: night})
		return offer
	}
	closed, lengths := shown(hotel.Closures, 0).Closed, shown(hotel.Lengths, 0).Lengths
	amount := hotel.Money{Minor: shown(hotel.Price, o.shown).Amount.Minor, Currency: s.o.Currency}
	all := map[string]any{
		"availability": s.left(p.Room, night), "rate": amount.Amount(),
		"stop_sell": closed.Closed || s.left(p.Room, night) == 0, "closed_to_arrival": closed.Arrival, "closed_to_departure": closed.Departure,
		"min_stay_arrival": max(1, lengths.MinStayArrival), "min_stay_through": max(1, lengths.MinStayThrough), "max_stay": lengths.MaxStayArrival,
	}
	out := map[string]any{"unavailable_reasons": []string{}}
	for _, name := range asked {
		if value, there := all[name]; there {
			out[name] = value
		}
	}
	return out
}
