package notify

import (
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// unheard returns since when no bookings of a channel come in that should: they are not
// fetched, it cannot be opened, or it has fallen silent. Zero: they come in. told says that
// people have heard of it: a program that has just begun has fetched nothing, and calls
// nobody for that, nor does it say that something is over of which it does not know yet.
func (w *Worker) unheard(c *hotel.ChannelState, told bool) time.Time {
	if !c.Status.Receives() || w.o.Link == nil {
		return time.Time{}
	}
	now, link, last := w.o.Clock.Now(), w.o.Link(c.ID), c.LastPullAt
	if c.UpdatedAt.After(last) {
		last = c.UpdatedAt // until then nobody may have wanted it to be fetched, or so often
	}
	since := c.SilentSince
	switch {
	case link.Open && pulled(c, link) && desk.Unfetched(c.Schedule, last, now):
		since = last
	case !link.Open && link.Failure != "" && now.Sub(last) > desk.UnfetchedAfter:
		since = last
	case !link.Open && link.Failure == "" && told:
		return last // nobody has tried to open it yet
	default:
		return since
	}
	if !told && now.Sub(w.began) <= desk.UnfetchedAfter {
		return time.Time{}
	}
	return since
}

// pulled reports whether a channel's bookings are fetched. In shadow they are listed.
func pulled(c *hotel.ChannelState, link hotel.Link) bool {
	if c.InShadow() {
		return link.Abilities.Lists
	}
	return link.Abilities.Polls
}
