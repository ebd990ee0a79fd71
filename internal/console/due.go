package console

import (
	"cmp"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// dueLine is something to be done up to an instant.
type dueLine struct {
	Kind string // card, request, conflict or no_show
	Who  string
	What string
	Path string
	At   time.Time // zero: any time
}

// due is what has to be done up to an instant, the most urgent first: requests that
// lapse, decisions with a deadline, guests who did not come of whom a channel is to be
// told, and cards that may be charged.
func (v *visit) due(waiting []hotel.Conflict, arrivals []guestLine, channels []channelLine) ([]dueLine, error) {
	due := v.noShows(arrivals, channels)
	for _, k := range waiting {
		if k.Deadline != nil {
			due = append(due, dueLine{Kind: "conflict", What: string(k.Kind), Path: v.path("conflicts/" + k.ID), At: *k.Deadline})
		}
	}
	of := hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, Limit: listed}
	of.Statuses = []hotel.ReservationStatus{hotel.Requested, hotel.Held}
	asked, err := v.c.desk.Reservations(v.r.Context(), v.caller, of)
	if err != nil {
		return nil, err
	}
	for _, r := range asked {
		if !r.HoldExpires.IsZero() {
			due = append(due, dueLine{Kind: "request", What: r.Confirmation, Path: v.path("reservations/" + r.ID), At: r.HoldExpires})
		}
	}
	cards, err := v.cards()
	due = append(due, cards...)
	slices.SortStableFunc(due, func(a, b dueLine) int {
		if a.At.IsZero() != b.At.IsZero() {
			return cmp.Compare(b.At.Unix(), a.At.Unix())
		}
		return a.At.Compare(b.At)
	})
	return due, err
}

// cards are the virtual cards that may be charged now.
func (v *visit) cards() ([]dueLine, error) {
	if !v.may(auth.GuestsRead) {
		return nil, nil
	}
	list, err := v.c.desk.CardsToCharge(v.r.Context(), v.caller, v.house)
	if err != nil {
		return nil, err
	}
	lines, err := v.lines("console.cards", list)
	var due []dueLine
	for _, l := range lines {
		due = append(due, dueLine{Kind: "card", Who: l.Who, What: l.Confirmation, Path: v.path("reservations/" + l.ID), At: l.Card.ActiveUntil})
	}
	return due, err
}

// noShows are the guests who have not come, of whom channels are to be told.
func (v *visit) noShows(arrivals []guestLine, channels []channelLine) (due []dueLine) {
	views := make([]desk.ChannelView, len(channels))
	for i, c := range channels {
		views[i] = c.ChannelView
	}
	for _, l := range arrivals {
		if until, is := v.c.desk.NoShowUntil(v.house, views, &l.Reservation); is {
			due = append(due, dueLine{Kind: "no_show", Who: l.Who, What: l.Confirmation, Path: v.path("reservations/" + l.ID), At: until})
		}
	}
	return due
}
