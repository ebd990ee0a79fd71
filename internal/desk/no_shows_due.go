package desk

import (
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// NoShowUntil returns up to when the channel of a booking takes that its guest has not come,
// where somebody is to say so now: what is said later is nothing that it acts on. The channels
// are those of the property.
func (d *Desk) NoShowUntil(p hotel.Property, channels []ChannelView, r *hotel.Reservation) (until time.Time, due bool) {
	if r.OpenAction() != nil || stay.PhaseOn(r.Status, r.Stay, d.today(&p)) != stay.OverdueArrival {
		return until, false
	}
	for _, c := range channels {
		if c.ID != r.Source.ChannelID || c.Configured == nil || c.InShadow() || !c.Status.Receives() {
			continue
		}
		if terms, able := c.Configured.Abilities.ActionOf(hotel.ActionNoShow); able {
			until = terms.TakenUntil(r, p.Zone())
		}
	}
	return until, until.After(d.clock.Now())
}
