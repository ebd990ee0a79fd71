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
)

var clockTime = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

// setDetails takes over what the message says beside dates, party and price, but for what
// somebody here knows better. What it does not mention, or what makes no sense, stays as
// it was; so does what an import brought and the channel has none of, and all of a
// booking whose guest is forgotten.
func (m *message) setDetails(r *hotel.Reservation, room hotel.ChannelRoom) error {
	said := &m.r.Booking
	if said.Tentative {
		r.Issues = append(r.Issues, hotel.Issue{Code: "tentative", Detail: "the channel calls it tentative: it takes a room, and may yet be dropped there"})
	}
	if m.faceless {
		return nil
	}
	if text := said.Requests; text != nil && (*text != "" || !r.Imported) && !r.Keeps(hotel.KeptRequests) {
		r.Requests = shortened(*text, mostRequests)
	}
	if at := said.ArrivalTime; at != nil && !r.Keeps(hotel.KeptArrival) {
		switch {
		case clockTime.MatchString(*at), *at == "" && !r.Imported:
			r.ArrivalTime = *at
		case *at != "": // what it says may name people, and is in the journal
			r.Issues = append(r.Issues, hotel.Issue{Code: "arrival_time", Detail: "the channel's hour of arrival is none that can be read, and is left out"})
		}
	}
	if !r.Keeps(hotel.KeptExtras) {
		m.setExtras(r, room)
	}
	if room.Companions == nil || len(room.Companions) == 0 && r.Imported || r.Keeps(hotel.KeptCompanions) {
		return nil
	}
	return m.setCompanions(r, room.Companions)
}

// setExtras takes over the extras of the room, within its stay, by their kinds: what a
// channel calls them may name people, and they are in the journal. Those that stand there
// already are cut to the stay too.
func (m *message) setExtras(r *hotel.Reservation, room hotel.ChannelRoom) {
	extras := r.Extras
	if len(room.Extras) > 0 || room.Extras != nil && !r.Imported {
		extras = slices.Clone(room.Extras)
		for i := range extras {
			extras[i].Code, extras[i].Name = shortened(extras[i].Code, mostExtraCode), ""
		}
	}
	r.Extras = nil
	for _, e := range extras[:min(len(extras), mostExtras)] {
		e, some := cutTo(e, r.Stay)
		if e.UnitPrice.Minor == 0 {
			e.UnitPrice.Currency = m.s.property.Currency // nothing is nothing in any
		}
		switch {
		case unusable(e) || !some:
			continue
		case e.UnitPrice.Currency != m.s.property.Currency:
			r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("the extra %q is priced in %s, which is left out", e.Code, e.UnitPrice.Currency)})
			continue
		}
		r.Extras = append(r.Extras, e)
	}
}

// unusable reports whether an extra is none that could be booked here.
func unusable(e hotel.Extra) bool {
	return e.Code == "" || e.Quantity < 1 || e.Quantity > 999 || e.UnitPrice.Minor < 0
}

// setDeposit takes over what has been paid of the room ahead, but for what somebody here knows
// better, or has brought with an import and the channel has none of. It is taken off what
// the guest still owes, so that it is an amount of the same currency.
func (m *message) setDeposit(r *hotel.Reservation, room hotel.ChannelRoom) {
	paid := room.Deposit
	switch {
	case paid == nil || paid.Minor < 0 || r.Keeps(hotel.KeptDeposit):
	case paid.Minor == 0:
		if !r.Imported {
			r.DepositPaid = nil
		}
	case paid.Currency != m.s.property.Currency && !slices.ContainsFunc(room.Amounts, func(a hotel.Money) bool { return a.Currency == paid.Currency }):
		r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("%s were paid ahead, which is another currency than the price's and is left out", paid)})
	default:
		r.DepositPaid = paid
	}
}

// setCompanions gives the room its further guests. One of a name that it has already stays
// the same person. Where one of them is forgotten, so stays that one, and whoever is new
// is not taken in: nobody can tell the two apart.
func (m *message) setCompanions(r *hotel.Reservation, companions []hotel.Guest) error {
	known := map[string]string{} // by name
	var gone []string
	for _, id := range r.Companions {
		p, err := m.t.standsFor(id)
		switch {
		case err != nil:
			return err
		case p.Status == hotel.GuestAnonymized:
			gone = append(gone, id)
		default:
			known[fullName(p.Guest)] = p.ID
		}
	}
	r.Companions = gone
	for _, g := range companions {
		name := fullName(g)
		if name == fullName(hotel.Guest{}) || name == fullName(r.Guest) || len(r.Companions) == mostCompanions {
			continue
		}
		if known[name] == "" {
			if len(gone) > 0 {
				continue
			}
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

// standsFor returns a profile, or the one that it came to an end in.
func (t *tx) standsFor(id string) (hotel.GuestProfile, error) {
	p, err := t.guest(id)
	if err != nil || p.Status != hotel.GuestMerged {
		return p, err
	}
	return t.guest(p.MergedInto)
}

// forgotAny reports whether one of some guests is forgotten.
func (t *tx) forgotAny(guests []string) (bool, error) {
	for _, id := range guests {
		p, err := t.standsFor(id)
		if err != nil || p.Status == hotel.GuestAnonymized {
			return err == nil, err
		}
	}
	return false, nil
}

func fullName(g hotel.Guest) string { return hotel.GuestKey(g.FirstName + " " + g.LastName) }

// shortened cuts text to so many characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
