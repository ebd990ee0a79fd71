package desk

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
)

// cardsBack is how many days after the arrival a card is still looked for that nobody
// may have charged.
const cardsBack = 30

// mostCards is how many bookings are looked through for cards.
const mostCards = 500

// CardsToCharge lists the bookings of a property whose virtual cards may be charged now,
// the latest arrival first.
func (d *Desk) CardsToCharge(ctx context.Context, c Caller, p hotel.Property) ([]hotel.Reservation, error) {
	today := d.today(&p)
	from := today - cardsBack
	list, err := d.Reservations(ctx, c, hotel.ReservationFilter{
		PropertyIDs: []string{p.ID}, CheckInFrom: &from, CheckInTo: &today, Sort: hotel.SortCheckIn, Descending: true, Limit: mostCards,
	})
	now := d.clock.Now()
	return slices.DeleteFunc(list, func(r hotel.Reservation) bool { return !chargeable(r.Card, today, now) }), err
}

// chargeable reports whether a card is a virtual one that may be charged now.
func chargeable(c *hotel.Card, today hotel.Date, now time.Time) bool {
	return c != nil && c.Virtual && !now.Before(c.ActiveFrom) && (c.ActiveUntil.IsZero() || now.Before(c.ActiveUntil)) &&
		(c.ChargeAt == nil || *c.ChargeAt <= today) && (c.Balance == nil || c.Balance.Minor > 0)
}
