package hotel

import (
	"slices"
	"strings"
)

// Relay reports whether an address is an alias that a channel made up to hide the
// guest's own. It says nothing about who is behind it.
func Relay(email string) bool {
	_, domain, _ := strings.Cut(GuestKey(email), "@")
	return slices.ContainsFunc(relays, func(r string) bool { return domain == r || strings.HasSuffix(domain, "."+r) })
}

// relays are the domains of such aliases.
var relays = []string{
	"guest.booking.com", "guest.airbnb.com", "reply.airbnb.com", "m.expediapartnercentral.com", "guest.trip.com", "agoda-messaging.com",
	"messages.homeaway.com", "privaterelay.appleid.com",
}

// SamePerson is how a booking's guest is told from others: what is known of the
// house's guests with the same address, and what the booking says.
type SamePerson struct {
	Is        *GuestProfile // the same person; nil: none of them
	Suggested []string      // who may be the same
}

// manyNames is how many last names an address has that more than a household uses.
const manyNames = 4

// Match looks for the guest of a booking among the profiles with the booking's
// address, the oldest first. The same address and last name are the same person,
// unless phone or date of birth speak against it; then a person has to look.
// Addresses that many use, or that a channel made up, say nothing.
func Match(g Guest, known []GuestProfile) SamePerson {
	if g.Email == "" || Relay(g.Email) {
		return SamePerson{}
	}
	names := map[string]bool{}
	for i := range known {
		names[known[i].NameKey()] = true
	}
	if len(names) >= manyNames {
		return SamePerson{}
	}
	var out SamePerson
	for i := range known {
		p := &known[i]
		switch {
		case p.Status != GuestActive || p.EmailKey() != g.EmailKey() || p.NameKey() != g.NameKey():
		case differ(p.PhoneKey(), g.PhoneKey()) || differ(p.BirthDate, g.BirthDate):
			out.Suggested = append(out.Suggested, p.ID)
		default:
			return SamePerson{Is: p}
		}
	}
	return out
}

func differ(a, b string) bool { return a != "" && b != "" && a != b }
