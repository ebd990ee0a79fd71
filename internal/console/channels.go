package console

import (
	"context"
	"net/http"
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
	case c.Lag > 0 || c.Deriving:
		return "busy"
	}
	return "fresh"
}

// Heard is when the channel was last heard of: it took something, was read or was
// asked for bookings. Zero: never.
func (l channelLine) Heard() time.Time {
	return slices.MaxFunc([]time.Time{l.LastPushAt, l.LastPullAt, l.LastReadAt}, time.Time.Compare)
}

// mine returns a channel of the house; one of another reads as one that there is not.
func (v *visit) mine() (desk.ChannelView, error) { return v.ofHouse(v.c.desk.BriefChannel) }

func (v *visit) ofHouse(read func(context.Context, desk.Caller, string) (desk.ChannelView, error)) (desk.ChannelView, error) {
	channel, err := read(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && channel.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such channel in this house")
	}
	return channel, err
}

// pause stops a channel's sales: it is closed first, or with freeze left as it is.
func (c *Console) pause(v *visit) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	if _, _, err := c.desk.Pause(v.r.Context(), v.caller, channel.ID, 0, v.r.PostFormValue("freeze") != ""); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("channels")+"?done=paused", http.StatusSeeOther)
	return nil
}

// bringUpToDate has a channel told everything again, read back, or asked for bookings.
func (c *Console) bringUpToDate(v *visit) error {
	channel, err := v.mine()
	if err != nil {
		return err
	}
	if _, _, err := c.desk.SyncChannel(v.r.Context(), v.caller, channel.ID, hotel.SyncOrder{Kind: hotel.SyncKind(v.r.PostFormValue("kind"))}); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("channels")+"?done=asked", http.StatusSeeOther)
	return nil
}
