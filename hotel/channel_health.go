package hotel

import (
	"slices"
	"time"
)

// ChannelHealth is how well a channel keeps up with the house.
type ChannelHealth struct {
	Behind time.Time    // when the oldest change was made that it has not confirmed; zero: it owes nothing
	Oldest *Unconfirmed // a cell of which it has not confirmed the oldest change; nil: nothing waits to be told
	Half   time.Duration
	Most   time.Duration // within Half of its counts, and within Most 99 of 100, were confirmed, from the change on
	Counts int           // that were confirmed in the last 24 hours, which both are of; 0: none was
}

// Unconfirmed is a field group of a night that a channel has not confirmed.
type Unconfirmed struct {
	RoomTypeID, RatePlanID string // no plan where it is a count of rooms
	Night                  Date
	Group                  Group
}

// Accepted notes how long each count took from its change until it was confirmed.
func (h *ChannelHealth) Accepted(took []time.Duration) {
	if h.Counts = len(took); h.Counts == 0 {
		return
	}
	slices.Sort(took)
	within := func(pct int) time.Duration { return took[(len(took)*pct+99)/100-1] }
	h.Half, h.Most = within(50), within(99)
}
