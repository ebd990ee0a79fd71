package ledger

import (
	"fmt"
	"regexp"
	"slices"

	"ostler.example/hotel"
)

// What of a message's details is kept at the most, as of what the API is told.
const (
	mostRequests   = 2000 // characters
	mostExtras     = 50
	mostCompanions = 20
	mostExtraCode  = 40 // characters
	mostExtraName  = 100
)

var clockTime = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

// setDetails takes over what the message says beside dates, party and price, but for what
// somebody here knows better. What it does not mention, or what makes no sense, stays as
// it was.
func (m *message) setDetails(r *hotel.Reservation, room hotel.ChannelRoom) error {
	said := &m.r.Booking
	if said.Requests != "" && !r.Keeps(hotel.KeptRequests) {
		r.Requests = shortened(said.Requests, mostRequests)
	}
	if clockTime.MatchString(said.ArrivalTime) && !r.Keeps(hotel.KeptArrival) {
		r.ArrivalTime = said.ArrivalTime
	}
	if !r.Keeps(hotel.KeptExtras) {
		m.setExtras(r, room)
	}
	if room.Companions == nil || r.Keeps(hotel.KeptCompanions) {
		return nil
	}
	return m.setCompanions(r, room.Companions)
}

// setExtras takes over the extras of the room, within its stay. Those that stand there
// already are cut to it too.
func (m *message) setExtras(r *hotel.Reservation, room hotel.ChannelRoom) {
	extras := r.Extras
	if room.Extras != nil {
		extras = room.Extras
	}
	r.Extras = nil
	for _, e := range extras[:min(len(extras), mostExtras)] {
		e.Code, e.Name = shortened(e.Code, mostExtraCode), shortened(e.Name, mostExtraName)
		e.DateFrom, e.DateTo = max(e.DateFrom, r.Stay.CheckIn), min(e.DateTo, r.Stay.CheckOut)
		switch {
		case e.Code == "" || e.Quantity < 1 || e.Quantity > 999 || e.UnitPrice.Minor < 0 || e.DateTo < e.DateFrom:
			continue
		case e.UnitPrice.Currency != m.s.property.Currency:
			r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("the extra %q is priced in %s, which is left out", e.Code, e.UnitPrice.Currency)})
			continue
		}
		r.Extras = append(r.Extras, e)
	}
}

// setCompanions gives the room its further guests. One of a name that it has already stays
// the same person; who was forgotten is not told again.
func (m *message) setCompanions(r *hotel.Reservation, companions []hotel.Guest) error {
	known := map[string]string{} // by name
	for _, id := range r.Companions {
		p, err := m.t.guest(id)
		if err != nil {
			return err
		}
		if p.Status == hotel.GuestAnonymized {
			return nil
		}
		known[fullName(p.Guest)] = id
	}
	r.Companions = nil
	for _, g := range companions {
		name := fullName(g)
		if name == fullName(hotel.Guest{}) || name == fullName(r.Guest) || len(r.Companions) == mostCompanions {
			continue
		}
		if known[name] == "" {
			p, _, err := m.t.meet(r.PropertyID, g)
			if err != nil {
				return err
			}
			known[name] = p.ID
		}
		if !slices.Contains(r.Companions, known[name]) {
			r.Companions = append(r.Companions, known[name])
		}
	}
	return nil
}

func fullName(g hotel.Guest) string { return hotel.GuestKey(g.FirstName + " " + g.LastName) }

// shortened cuts text to so many characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
