package desk

import (
	"time"

	"github.com/robfig/cron/v3"
)

// UnfetchedAfter is for how long no bookings may come in that are due, before somebody is
// told.
const UnfetchedAfter = 10 * time.Minute

// Unfetched reports whether bookings that were last fetched at an instant have been due
// again, by their schedule, for longer than that. One who asks every six hours is not late
// after one.
func Unfetched(schedule string, last, now time.Time) bool {
	s, err := cron.ParseStandard(schedule)
	return err == nil && now.Sub(s.Next(last.UTC())) > UnfetchedAfter
}
