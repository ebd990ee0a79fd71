package readback

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/robfig/cron/v3"
)

// timetable says when everything of a channel is due: a cron expression in UTC, or
// "@every 1h". Channels with one schedule are spread over a tenth of the time
// between two, so that they do not all ask at the same moment.
type timetable struct {
	schedule cron.Schedule
	channel  string
}

func newTimetable(channel, schedule string) (timetable, error) {
	s, err := cron.ParseStandard(schedule)
	if err != nil {
		return timetable{}, fmt.Errorf("read-back schedule of channel %s: %w", channel, err)
	}
	return timetable{s, channel}, nil
}

// due reports whether it is by now, when it last was at an instant. One that lies ahead
// was noted by a clock that was set back since: nobody knows how long ago it was.
func (t timetable) due(last, now time.Time) bool {
	return last.After(now) || !t.after(last).After(now)
}

// after returns when it is due next.
func (t timetable) after(last time.Time) time.Time {
	next := t.schedule.Next(last.UTC())
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.channel))
	spread := t.schedule.Next(next).Sub(next) / 10
	return next.Add(time.Duration(float64(spread) * float64(h.Sum32()) / (1 << 32)).Truncate(time.Second))
}
