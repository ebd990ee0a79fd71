package desk

import (
	"sync"

	"ostler.example/hotel"
)

// maxNights is the longest stay that can be asked for.
const maxNights = 90

// calendar remembers the business date of each property for the running minute:
// it can change at the turn of a minute only, and working it out reads the
// machine's time zone files.
type calendar struct{ byProperty sync.Map }

type calendarDay struct {
	minute         int64
	zone, dayRolls string
	date           hotel.Date
}

// today returns the date that the house works on.
func (d *Desk) today(p *hotel.Property) hotel.Date {
	now := d.clock.Now()
	minute := now.Unix() / 60
	if v, ok := d.calendar.byProperty.Load(p.ID); ok {
		if day := v.(*calendarDay); day.minute == minute && day.zone == p.TimeZone && day.dayRolls == p.DayRoll {
			return day.date
		}
	}
	day := &calendarDay{minute: minute, zone: p.TimeZone, dayRolls: p.DayRoll, date: p.BusinessDate(now)}
	d.calendar.byProperty.Store(p.ID, day)
	return day.date
}

// checkStay refuses a question about a stay that nobody could book, whatever is
// free.
func checkStay(s hotel.Stay, p *hotel.Property, today hotel.Date) error {
	switch {
	case s.CheckOut <= s.CheckIn:
		return hotel.Invalid("/check_out", "date_order", "must be after check_in")
	case s.Nights() > maxNights:
		return hotel.Invalid("/check_out", "stay_too_long", "a stay has at most %d nights", maxNights)
	case s.CheckIn < today:
		return hotel.Invalid("/check_in", "date_in_past", "must not be before the business date %s", today)
	case s.CheckIn > today+hotel.Date(p.HorizonDays):
		return hotel.Invalid("/check_in", "date_horizon", "must not be more than %d days ahead", p.HorizonDays)
	}
	return nil
}
