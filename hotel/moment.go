package hotel

import "time"

// NextMoment returns the first instant after the given one at which time alone
// changes what the property sells or does: a midnight of its calendar, its day
// roll, or one of the cut-offs, each of which comes once a day. A time of day
// that a clock change skips comes when the change is over, one that it repeats
// comes once. A time that cannot be read counts as midnight.
func (p Property) NextMoment(after time.Time, cutOffs []CutOff) time.Time {
	times := make([]string, 0, 2+len(cutOffs))
	times = append(times, "", p.DayRoll)
	for _, c := range cutOffs {
		times = append(times, c.Time)
	}
	zone, today := p.Zone(), p.Today(after)
	var next time.Time
	for _, text := range times {
		var hour, minute int
		if t, err := time.Parse("15:04", text); err == nil {
			hour, minute = t.Hour(), t.Minute()
		}
		for day := today; ; day++ {
			at := day.At(hour, minute, zone)
			if at.After(after) {
				if next.IsZero() || at.Before(next) {
					next = at
				}
				break
			}
		}
	}
	return next
}
