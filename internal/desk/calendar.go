package desk

import (
	"sync"

	"ostler.example/hotel"
)

// maxNights is the longest stay that can be asked for.
const maxNights = 90

// calendar remembers the dates of each property for the running minute: they can
// change at the turn of a minute only, and working them out reads the machine's
// time zone files.
type calendar struct{ byProperty sync.Map }

type calendarDay struct {
	minute         int64
	zone, dayRolls string
	horizon        int
	sells          hotel.Span
}

// today returns the date that the house works on.
func (d *Desk) today(p *hotel.Property) hotel.Date { return d.sells(p).From }

// sells returns the nights that can be sold now.
func (d *Desk) sells(p *hotel.Property) hotel.Span {
	now := d.clock.Now()
	minute := now.Unix() / 60
	if v, ok := d.calendar.byProperty.Load(p.ID); ok {
		if day := v.(*calendarDay); day.minute == minute && day.zone == p.TimeZone && day.dayRolls == p.DayRoll && day.horizon == p.HorizonDays {
			return day.sells
		}
	}
	day := &calendarDay{minute: minute, zone: p.TimeZone, dayRolls: p.DayRoll, horizon: p.HorizonDays, sells: p.Sells(now)}
	d.calendar.byProperty.Store(p.ID, day)
	return day.sells
}

// checkStay refuses a question about a stay that nobody could book, whatever is
// free.
func checkStay(s hotel.Stay, sells hotel.Span) error {
	switch {
	case s.CheckOut <= s.CheckIn:
		return hotel.Invalid("/check_out", "date_order", "must be after check_in")
	case s.Nights() > maxNights:
		return hotel.Invalid("/check_out", "stay_too_long", "a stay has at most %d nights", maxNights)
	case s.CheckIn < sells.From:
		return hotel.Invalid("/check_in", "date_in_past", "must not be before the business date %s", sells.From)
	case s.CheckIn > sells.To:
		return hotel.Invalid("/check_in", "date_horizon", "must not be after the booking horizon (%s)", sells.To)
	}
	return nil
}
