package availability

import (
	"fmt"

	"ostler.example/hotel"
)

// ChannelNight is what decides how much of a night one channel is shown. The
// zero value shows all that the house has open.
type ChannelNight struct {
	KeepBack int  // rooms that it is not shown
	Limit    *int // the most rooms that it is ever shown; nil: no limit
	Share    *int // its share of a guarded pool; nil: no share, it may be shown everything
	Beyond   bool // further ahead than it is sold
	CutOff   bool // past the last minute for an arrival, where nothing but the stock can say so
	Closed   bool // closed, where nothing but the stock can say so
	Most     int  // the largest number that the far side takes; 0: no bound
	Sold     int  // rooms that the number it is told has in it besides, since they are sold there
}

// Offer turns what the house has open on a night into the rooms that one channel
// is shown. The result is never negative. The steps recorded are keep_back,
// channel_limit, protection_share, channel_horizon where it acts, cut_off, closed and
// capability_clamp.
//
// The house counts as closed where the caller passes House.Available for open,
// which is then 0 already; a caller that explains passes House.Open, and Closed
// when the type is closed.
func Offer(open int, c ChannelNight, tr *hotel.Trace) int {
	n := max(0, open-c.KeepBack)
	tr.AddCount("keep_back", n, note(tr, c.KeepBack > 0, "kept %d", c.KeepBack))
	if tr != nil {
		tr.Name(hotel.Acted{Limit: new(c.KeepBack)})
	}
	n = capped(n, c.Limit, "channel_limit", tr)
	n = capped(n, c.Share, "protection_share", tr)
	if c.Beyond {
		n = 0
		tr.AddCount("channel_horizon", n, "further ahead than the channel is sold")
	}
	n = zeroed(n, c.CutOff, "cut_off", tr)
	n = zeroed(n, c.Closed, "closed", tr)
	if c.Most > 0 {
		n = max(0, min(n, c.Most-c.Sold))
	}
	tr.AddCount("capability_clamp", n, note(tr, c.Most > 0, "at most %d", c.Most)+note(tr, c.Most > 0 && c.Sold > 0, " in all, of which %d are sold there", c.Sold))
	if tr != nil && c.Most > 0 {
		tr.Name(hotel.Acted{Limit: new(c.Most)})
	}
	return n
}

func capped(n int, limit *int, step string, tr *hotel.Trace) int {
	by := ""
	if limit != nil {
		n = max(0, min(n, *limit))
		by = note(tr, true, "at most %d", *limit)
	}
	tr.AddCount(step, n, by)
	tr.Name(hotel.Acted{Limit: limit})
	return n
}

func zeroed(n int, when bool, step string, tr *hotel.Trace) int {
	by := ""
	if when {
		n, by = 0, "sent as no rooms"
	}
	tr.AddCount(step, n, by)
	return n
}

// note words what acted, when anybody listens.
func note(tr *hotel.Trace, acts bool, format string, n int) string {
	if tr == nil || !acts {
		return ""
	}
	return fmt.Sprintf(format, n)
}
