package console

import (
	"cmp"
	"net/http"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// channelHealth is how well a channel keeps up, for the piece of pages that says so.
type channelHealth struct {
	channelLine
	Window string // about how long it may sell a room that is sold elsewhere, in words; "": nobody knows its terms
	Near   *hotel.Limit
	Oldest string // of what it has not confirmed, in words; "": nothing waits
}

// abilities are what a channel can do now; false while its settings cannot be used.
func abilities(c desk.ChannelView) (hotel.Abilities, bool) {
	switch {
	case c.Configured == nil:
		return hotel.Abilities{}, false
	case c.Link.Open:
		return c.Link.Abilities, true
	}
	return c.Configured.Abilities, true
}

// health says how well a channel keeps up; names are those of room types and rate plans.
func (v *visit) health(c desk.ChannelView, names map[string]string) channelHealth {
	h := channelHealth{channelLine: channelLine{c, stateOf(c)}}
	if able, known := abilities(c); known {
		h.Window = v.window(able.Terms)
		for i, l := range able.Limits { // the one of which least is left
			if l.N > 0 && (h.Near == nil || l.Remaining*h.Near.N < h.Near.Remaining*l.N) {
				h.Near = &able.Limits[i]
			}
		}
	}
	if c.Health != nil && c.Health.Oldest != nil {
		o := c.Health.Oldest
		h.Oldest = cmp.Or(names[o.RoomTypeID], o.RoomTypeID)
		if o.RatePlanID != "" {
			h.Oldest += " · " + cmp.Or(names[o.RatePlanID], o.RatePlanID)
		}
		h.Oldest += " · " + v.words.T("group."+o.Group.String()) + " · " + v.nearDate(o.Night)
	}
	return h
}

// productNames are the names of room types and rate plans, by id.
func (v *visit) productNames() (map[string]string, error) {
	sold, err := v.ours()
	names := map[string]string{}
	for _, p := range slices.Concat(sold["room_type_id"], sold["rate_plan_id"]) {
		names[p.ID] = p.Name
	}
	return names, err
}

// board is how every channel stands, those in trouble first.
func (c *Console) board(v *visit) error {
	list, err := c.desk.ChannelBoard(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	names, err := v.productNames()
	if err != nil {
		return err
	}
	lines := make([]channelHealth, len(list))
	for i, one := range list {
		lines[i] = v.health(one, names)
	}
	slices.SortStableFunc(lines, func(a, b channelHealth) int {
		return slices.Index(channelStates, a.State) - slices.Index(channelStates, b.State)
	})
	return v.show("channels", http.StatusOK, lines)
}
