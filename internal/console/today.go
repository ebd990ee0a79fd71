package console

import (
	"cmp"
	"net/http"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

// today is what a house has to do today.
type today struct {
	Date                      hotel.Date
	Arrivals, Departures      []guestLine    // the first of them
	Arriving, Leaving, Inside int            // how many there are in all
	Nights                    []nightBar     // from tonight on
	Decisions                 []conflictLine // the most urgent
	Waiting                   int            // how many decisions there are in all
	Channels                  []channelLine
	Due                       []dueLine
}

// mostDecisions is how many of the decisions that wait are shown.
const mostDecisions = 6

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
	Share       int64 // in hundredths of a per cent, as reports have it
	X, Y, H     int
	Weekend     bool
	Overbooked  bool
	LabelX      int
	ShowsLabels bool
}

func (c *Console) today(v *visit) error {
	t := today{Date: c.desk.Today(v.house)}
	if err := v.guestsToday(&t); err != nil {
		return err
	}
	var err error
	if t.Nights, err = v.nights(t.Date); err != nil {
		return err
	}
	waiting, err := v.waiting()
	if err != nil {
		return err
	}
	t.Waiting = len(waiting)
	if t.Decisions, err = v.conflictLines(waiting[:min(mostDecisions, len(waiting))]); err != nil {
		return err
	}
	if t.Channels, err = v.channels(); err != nil {
		return err
	}
	if t.Due, err = v.due(waiting, t.Arrivals, t.Channels); err != nil {
		return err
	}
	return v.show("today", http.StatusOK, t)
}

// guestsToday lists who is to come and to leave, and counts them and who is in house.
func (v *visit) guestsToday(t *today) error {
	ctx, f := v.r.Context(), hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, Sort: hotel.SortCheckIn, Limit: listed}
	for _, of := range []struct {
		phases []stay.Phase
		count  *int
		lines  *[]guestLine // nil: they are counted alone
	}{
		{phasesArriving, &t.Arriving, &t.Arrivals},
		{phasesLeaving, &t.Leaving, &t.Departures},
		{phasesStaying, &t.Inside, nil},
	} {
		var err error
		if *of.count, err = v.c.desk.CountReservations(ctx, v.caller, f, of.phases...); err != nil {
			return err
		}
		if of.lines == nil {
			continue
		}
		list, err := v.c.desk.Reservations(ctx, v.caller, f, of.phases...)
		if err != nil {
			return err
		}
		if *of.lines, err = v.lines("console.today", list); err != nil {
			return err
		}
	}
	return nil
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
		b.Share = share(b.Taken, b.All)
		b.H = max(2, int(min(10000, b.Share)*barHeight/10000))
		b.X, b.Y, b.LabelX = i*barStep+6, barTop+barHeight-b.H, i*barStep+barStep/2
		b.Weekend, b.ShowsLabels = weekend(n.Date), i%2 == 0
		bars[i] = b
	}
	return bars, nil
}

// share is how many of all are taken, in hundredths of a per cent, rounded. More rooms than
// there are any more are all of them.
func share(taken, all int) int64 {
	switch {
	case all > 0:
		return (int64(taken)*10000 + int64(all)/2) / int64(all)
	case taken > 0:
		return 10000
	}
	return 0
}

// weekend reports whether a night is one of a weekend: people leave on Saturday or Sunday.
func weekend(night hotel.Date) bool {
	day := night.Weekday()
	return day == time.Friday || day == time.Saturday
}
