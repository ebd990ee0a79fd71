package notify

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// Desk is where the house is looked at as its people see it.
type Desk interface {
	Today(p hotel.Property) hotel.Date
	Reservations(ctx context.Context, c desk.Caller, f hotel.ReservationFilter, phases ...stay.Phase) ([]hotel.Reservation, error)
	Conflicts(ctx context.Context, c desk.Caller, properties []string, f hotel.ConflictFilter) ([]hotel.Conflict, error)
	CardsToCharge(ctx context.Context, c desk.Caller, p hotel.Property) ([]hotel.Reservation, error)
	Channels(ctx context.Context, c desk.Caller, properties ...string) ([]desk.ChannelView, error)
	NoShowUntil(p hotel.Property, channels []desk.ChannelView, r *hotel.Reservation) (until time.Time, due bool)
	RoomTypes(ctx context.Context, c desk.Caller, properties ...string) ([]hotel.RoomType, error)
	Inventory(ctx context.Context, c desk.Caller, q hotel.InventoryQuery) (hotel.Inventory, error)
	Shown(ctx context.Context, c desk.Caller, operation string, people []string) error
}

var _ Desk = (*desk.Desk)(nil)

// ourselves is who looks: the program, for the people of the house.
var ourselves = desk.Caller{Who: auth.Operator("ostler")}

// mostListed is how many bookings of a day are counted or listed.
const mostListed = 2000

// house is who comes, leaves and stays on the property's business date.
type house struct {
	Arrivals, Departures, InHouse []hotel.Reservation
}

func houseOf(ctx context.Context, d Desk, p *hotel.Property) (house, error) {
	var h house
	of := hotel.ReservationFilter{PropertyIDs: []string{p.ID}, Sort: hotel.SortCheckIn, Limit: mostListed}
	arriving, err := d.Reservations(ctx, ourselves, of, stay.OverdueArrival, stay.DueIn)
	if err != nil {
		return h, err
	}
	staying, err := d.Reservations(ctx, ourselves, of, stay.OverdueDeparture, stay.DueOut, stay.Stayover)
	if err != nil {
		return h, err
	}
	h.Arrivals, h.InHouse = arriving, staying
	for _, r := range staying {
		if stay.PhaseOn(r.Status, r.Stay, d.Today(*p)) != stay.Stayover {
			h.Departures = append(h.Departures, r)
		}
	}
	return h, nil
}

// digest writes what is to be done today, in numbers: the names are where it is done.
func (w *Worker) digest(ctx context.Context, p *hotel.Property, say *words, l *letter) error {
	h, err := houseOf(ctx, w.o.Desk, p)
	if err != nil {
		return err
	}
	open, err := w.o.Desk.Conflicts(ctx, ourselves, []string{p.ID}, hotel.ConflictFilter{Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: mostOpen})
	if err != nil {
		return err
	}
	cards, err := w.o.Desk.CardsToCharge(ctx, ourselves, *p)
	if err != nil {
		return err
	}
	asked, err := w.o.Desk.Reservations(ctx, ourselves, hotel.ReservationFilter{
		PropertyIDs: []string{p.ID}, Statuses: []hotel.ReservationStatus{hotel.Requested}, Limit: mostListed,
	})
	if err != nil {
		return err
	}
	absent, err := noShows(ctx, w.o.Desk, p, h.Arrivals)
	if err != nil {
		return err
	}
	deadlines := len(asked) + absent
	for _, c := range open {
		if c.Deadline != nil {
			deadlines++
		}
	}
	for _, line := range []struct {
		key string
		n   int
	}{{"arrivals", len(h.Arrivals)}, {"departures", len(h.Departures)}, {"in_house", len(h.InHouse)}} {
		l.add(say.of(line.key, "n", line.n))
	}
	l.add("")
	if len(open)+len(cards)+deadlines == 0 {
		l.add(say.of("nothing"))
	}
	for _, line := range []struct {
		key string
		n   int
	}{{"decisions", len(open)}, {"cards", len(cards)}, {"deadlines", deadlines}} {
		if line.n > 0 {
			l.add(say.of(line.key, "n", line.n))
		}
	}
	if w.o.Console != "" {
		l.add("")
		l.add(w.o.Console)
	}
	return nil
}

// noShows counts the guests who have not come, of whom channels are to be told while they take
// that.
func noShows(ctx context.Context, d Desk, p *hotel.Property, arrivals []hotel.Reservation) (n int, err error) {
	if !slices.ContainsFunc(arrivals, func(r hotel.Reservation) bool { return r.Source.ChannelID != "" }) {
		return 0, nil // what channels take need not be looked up
	}
	channels, err := d.Channels(ctx, ourselves, p.ID)
	if err != nil {
		return 0, err
	}
	for i := range arrivals {
		if _, due := d.NoShowUntil(*p, channels, &arrivals[i]); due {
			n++
		}
	}
	return n, nil
}
