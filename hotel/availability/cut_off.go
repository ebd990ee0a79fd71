package availability

import (
	"time"

	"ostler.example/hotel"
)

// CutOffAt returns the instant from which an arrival on the date can no longer be
// booked: the earliest of the cut-offs that are set. It reports false when none
// is. A time of day that cannot be read counts as midnight, the earlier end.
func CutOffAt(arrival hotel.Date, zone *time.Location, cutOffs ...*hotel.CutOff) (time.Time, bool) {
	var earliest time.Time
	found := false
	for _, c := range cutOffs {
		if c == nil {
			continue
		}
		var hour, minute int
		if t, err := time.Parse("15:04", c.Time); err == nil {
			hour, minute = t.Hour(), t.Minute()
		}
		at := (arrival - hotel.Date(c.DaysBefore)).At(hour, minute, zone)
		if !found || at.Before(earliest) {
			earliest, found = at, true
		}
	}
	return earliest, found
}

// PastCutOff reports whether it is too late at the instant now to book an arrival
// on the date.
func PastCutOff(arrival hotel.Date, zone *time.Location, now time.Time, cutOffs ...*hotel.CutOff) bool {
	at, ok := CutOffAt(arrival, zone, cutOffs...)
	return ok && !now.Before(at)
}

// FieldCutOff names a violation of a cut-off. It is none of the fields that a channel is
// told: those that it is told of it as, [CloseToArrival] says.
const FieldCutOff hotel.Field = "cut_off"

// Late is the violation of a cut-off by a stay that arrives on the date.
func Late(arrival hotel.Date) Violation { return violation(FieldCutOff, arrival, 0) }

// CloseToArrival adds to the rules of a night that it can no longer be booked as
// an arrival, in the way in which a channel can be told.
//
// Where the channel carries closed_to_arrival that is all: guests in the house
// may still stay on. Elsewhere the night is closed. No stay is lost by it either
// way: a later arrival has a later cut-off, so when that of a night is past, so
// are those of all nights before it, and no new stay can contain the night.
func CloseToArrival(r NightRules, fields map[hotel.Field]hotel.Carriage) NightRules {
	if fields[hotel.FieldClosedToArrival].As == hotel.Absent {
		r.Closed.Closed = true
		return r
	}
	r.Closed.Arrival = true
	return r
}
