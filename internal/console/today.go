package console

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

// today is what a house has to do today.
type today struct {
	Date                 hotel.Date
	Arrivals, Departures []guestLine
	InHouse              int
	Nights               []nightBar // from tonight on
	Decisions            []conflictLine
	Channels             []channelLine
	Due                  []dueLine
}

// outlook is how many nights of occupancy are shown.
const outlook = 14

// listed is how many bookings a list on the page has at most.
const listed = 200

// guestLine is a booking in a list.
type guestLine struct {
	hotel.Reservation
	Phase stay.Phase
	Who   string // "" for whoever may not see guests' names
	Room  string
	From  string // the channel's name; "" for the house itself
}

// nightBar is how full a night is, as a bar of a chart.
type nightBar struct {
	Date        hotel.Date
	Taken, All  int
	Share       int // percent
	X, Y, H     int
	Weekend     bool
	Overbooked  bool
	LabelX      int
	ShowsLabels bool
}

// dueLine is something to be done up to an instant.
type dueLine struct {
	Kind string // card, request or conflict
	Who  string
	What string
	Path string
	At   time.Time // zero: any time
}

func (c *Console) today(v *visit) error {
	t := today{Date: c.desk.Today(v.house)}
	in, out, here, err := v.guestsToday()
	if err != nil {
		return err
	}
	t.Arrivals, t.Departures, t.InHouse = in, out, here
	if t.Nights, err = v.nights(t.Date); err != nil {
		return err
	}
	if t.Decisions, err = v.conflicts(hotel.ConflictFilter{Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: listed}); err != nil {
		return err
	}
	if t.Channels, err = v.channels(); err != nil {
		return err
	}
	if t.Due, err = v.due(t.Decisions); err != nil {
		return err
	}
	return v.show("today", http.StatusOK, t)
}

// guestsToday lists who is to come and to leave, and counts who is in house.
func (v *visit) guestsToday() (in, out []guestLine, here int, err error) {
	f := hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, Sort: hotel.SortCheckIn, Limit: listed}
	arriving, err := v.c.desk.Reservations(v.r.Context(), v.caller, f, stay.OverdueArrival, stay.DueIn)
	if err != nil {
		return nil, nil, 0, err
	}
	staying, err := v.c.desk.Reservations(v.r.Context(), v.caller, f, stay.OverdueDeparture, stay.DueOut, stay.Stayover)
	if err != nil {
		return nil, nil, 0, err
	}
	leaving := slices.DeleteFunc(slices.Clone(staying), func(r hotel.Reservation) bool {
		return stay.PhaseOn(r.Status, r.Stay, v.c.desk.Today(v.house)) == stay.Stayover
	})
	if in, err = v.lines("console.today", arriving); err != nil {
		return nil, nil, 0, err
	}
	out, err = v.lines("console.today", leaving)
	return in, out, len(staying), err
}

// lines are bookings as lists show them. Whose names are shown is written down.
func (v *visit) lines(operation string, list []hotel.Reservation) ([]guestLine, error) {
	rooms, err := v.rooms()
	if err != nil {
		return nil, err
	}
	sellers, err := v.sellers()
	if err != nil {
		return nil, err
	}
	today := v.c.desk.Today(v.house)
	var people []string
	lines := make([]guestLine, len(list))
	for i, r := range list {
		l := guestLine{Reservation: r, Phase: stay.PhaseOn(r.Status, r.Stay, today), Room: rooms[cmp.Or(r.RoomTypeID, r.HeldRoom)], From: sellers[r.Source.ChannelID]}
		if v.may(auth.GuestsRead) {
			l.Who = r.Guest.DisplayName()
			people = append(people, r.GuestID)
		} else {
			l.Guest, l.Words = hotel.Guest{}, hotel.Words{}
		}
		lines[i] = l
	}
	return lines, v.shown(operation, people)
}

// rooms are the names of the room types.
func (v *visit) rooms() (map[string]string, error) {
	list, err := v.c.desk.RoomTypes(v.r.Context(), v.caller, v.house.ID)
	names := map[string]string{}
	for _, r := range list {
		names[r.ID] = r.Name
	}
	return names, err
}

// sellers are the names of the channels.
func (v *visit) sellers() (map[string]string, error) {
	list, err := v.c.desk.ChannelList(v.r.Context(), v.caller, v.house.ID)
	names := map[string]string{}
	for _, c := range list {
		names[c.ID] = c.Name
	}
	return names, err
}

// The chart of occupancy, in its own units.
const (
	barStep   = 40
	barHeight = 96
	barTop    = 8
)

// nights are the bars of the chart of occupancy.
func (v *visit) nights(from hotel.Date) ([]nightBar, error) {
	inv, err := v.c.desk.Inventory(v.r.Context(), v.caller, hotel.InventoryQuery{
		PropertyID: v.house.ID, Span: hotel.Span{From: from, To: from + outlook - 1}, House: true,
	})
	if err != nil {
		return nil, err
	}
	bars := make([]nightBar, len(inv.House))
	for i, n := range inv.House {
		b := nightBar{Date: n.Date, Taken: n.Sold + n.Held + n.Blocked, Overbooked: n.Net < 0}
		b.All = b.Taken + n.Net
		if b.All > 0 {
			b.Share = b.Taken * 100 / b.All
		} else if b.Taken > 0 {
			b.Share = 100
		}
		b.H = max(2, min(100, b.Share)*barHeight/100)
		b.X, b.Y, b.LabelX = i*barStep+6, barTop+barHeight-b.H, i*barStep+barStep/2
		b.Weekend, b.ShowsLabels = weekend(n.Date), i%2 == 0
		bars[i] = b
	}
	return bars, nil
}

// weekend reports whether a night is one of a weekend: people leave on Saturday or Sunday.
func weekend(night hotel.Date) bool {
	day := night.Weekday()
	return day == time.Friday || day == time.Saturday
}

// due is what has to be done up to an instant, the most urgent first: requests that
// lapse, decisions with a deadline, and cards that may be charged.
func (v *visit) due(decisions []conflictLine) ([]dueLine, error) {
	var due []dueLine
	for _, d := range decisions {
		if d.Deadline != nil {
			due = append(due, dueLine{Kind: "conflict", What: string(d.Kind), Path: v.path("conflicts"), At: *d.Deadline})
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
