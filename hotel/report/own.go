package report

import (
	"slices"

	"ostler.example/hotel"
)

// own returns what of a set is one channel's: its bookings, what was imported of its
// nights, and what was done for it or for nobody in particular. Of the house's rooms and
// of what blocks hold nothing is left, so that no figure of theirs is known.
func (s *Set) own(channelID string) *Set {
	if channelID == "" {
		return s
	}
	return &Set{
		Work: slices.DeleteFunc(slices.Clone(s.Work), func(w Worked) bool {
			return w.ChannelID != channelID && (w.ChannelID != "" || w.PropertyID != "")
		}),
		Books: ownBooks(s.Books, channelID), Since: ownBooks(s.Since, channelID), LastYear: ownBooks(s.LastYear, channelID),
	}
}

func ownBooks(all []Books, channelID string) []Books {
	list := slices.Clone(all)
	for i := range list {
		b := &list[i]
		b.Supply, b.Blocked = nil, nil
		b.Bookings = slices.DeleteFunc(slices.Clone(b.Bookings), func(r hotel.Reservation) bool { return r.Source.ChannelID != channelID })
		b.History = slices.DeleteFunc(slices.Clone(b.History), func(h History) bool { return h.ChannelID != channelID })
	}
	return list
}
