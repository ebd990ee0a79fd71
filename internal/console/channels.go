package console

import (
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// channelLine is a channel with how it stands in one word.
type channelLine struct {
	desk.ChannelView
	State string // see [stateOf]
}

// channels are the channels of the house, those in trouble first.
func (v *visit) channels() ([]channelLine, error) {
	list, err := v.c.desk.Channels(v.r.Context(), v.caller, v.house.ID)
	lines := make([]channelLine, len(list))
	for i, c := range list {
		lines[i] = channelLine{c, stateOf(c)}
	}
	slices.SortStableFunc(lines, func(a, b channelLine) int {
		return slices.Index(channelStates, a.State) - slices.Index(channelStates, b.State)
	})
	return lines, err
}

// channelStates are what a channel's state can be, the worst first.
var channelStates = []string{"failing", "stale", "trouble", "busy", "fresh", "paused", "setup", "over"}

// stateOf says in one word how a channel stands.
func stateOf(c desk.ChannelView) string {
	switch c.Status {
	case hotel.ChannelActive:
	case hotel.Disconnected:
		return "over"
	case hotel.Paused:
		if c.RoomsAtRisk > 0 {
			return "trouble"
		}
		return "paused"
	case hotel.Draft, hotel.Testing:
		return "setup"
	}
	switch {
	case c.Failing:
		return "failing"
	case !c.StaleSince.IsZero():
		return "stale"
	case c.Rejected > 0 || c.Unknown > 0 || c.Held > 0 || c.Link.Circuit == "open" || len(c.Flags) > 0:
		return "trouble"
	case c.Lag > 0:
		return "busy"
	}
	return "fresh"
}

// Heard is when the channel was last heard of: it took something, was read or was
// asked for bookings. Zero: never.
func (l channelLine) Heard() time.Time {
	return slices.MaxFunc([]time.Time{l.LastPushAt, l.LastPullAt, l.LastReadAt}, time.Time.Compare)
}
