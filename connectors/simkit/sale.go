package simkit

import (
	"errors"
	"fmt"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Request is what a guest asks for. For a change, empty fields keep what is.
type Request struct {
	Reference string     `json:"reference"` // changes and cancellations only
	Room      string     `json:"room"`
	Rate      string     `json:"rate"`
	CheckIn   hotel.Date `json:"check_in"`
	CheckOut  hotel.Date `json:"check_out"`
	Adults    int        `json:"adults"`
	FirstName string     `json:"first_name"`
	LastName  string     `json:"last_name"`
}

// What a guest cannot have.
var (
	ErrNotSellable = errors.New("not on sale")
	ErrNoBooking   = errors.New("no such booking")
)

// maxNights is the longest stay that is sold.
const maxNights = 60

// Sell books a stay if every night of it is on sale, and returns
// [ErrNotSellable] with the reason otherwise.
func (b *Book) Sell(q Request) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := int64(len(b.state.bookings)) + 1
	booking := Booking{
		Entry: Entry{
			Reference: fmt.Sprintf("%s-%06d", b.o.Prefix, number), Status: Confirmed,
			Room: q.Room, Rate: q.Rate, CheckIn: q.CheckIn, CheckOut: q.CheckOut, Adults: max(q.Adults, 1), Revision: 1,
		},
		Number: number, FirstName: q.FirstName, LastName: q.LastName, At: b.o.Clock.Now(),
	}
	var err error
	for i := range b.state.sites { // guests look at one place after the other
		booking.Site = int(number-1+int64(i)) % b.state.sites
		if booking.Amounts, err = b.sellable(booking, Booking{}); err == nil {
			break
		}
	}
	if err != nil {
		return Booking{}, err
	}
	step := b.event(connectors.Booked, booking)
	if b.o.Adjusts.Book == hotel.AdjustYes {
		step.Moves = []move{{Room: booking.Room, Stay: booking.Stay(), By: -1, Site: booking.Site}}
	}
	return booking, b.commit(step)
}

// Modify changes a booking if the nights that it does not hold yet are on sale.
func (b *Book) Modify(q Request) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	held, err := b.live(q.Reference)
	if err != nil {
		return Booking{}, err
	}
	next := held
	next.Revision++
	next.At = b.o.Clock.Now()
	for set, to := range map[*string]string{&next.Room: q.Room, &next.Rate: q.Rate, &next.FirstName: q.FirstName, &next.LastName: q.LastName} {
		if to != "" {
			*set = to
		}
	}
	if q.CheckIn != 0 {
		next.CheckIn = q.CheckIn
	}
	if q.CheckOut != 0 {
		next.CheckOut = q.CheckOut
	}
	if q.Adults != 0 {
		next.Adults = q.Adults
	}
	if next.Amounts, err = b.sellable(next, held); err != nil {
		return Booking{}, err
	}
	step := b.event(connectors.Modified, next)
	if b.o.Adjusts.Modify == hotel.AdjustYes {
		step.Moves = []move{
			{Room: held.Room, Stay: held.Stay(), By: 1, Site: held.Site},
			{Room: next.Room, Stay: next.Stay(), By: -1, Site: next.Site},
		}
	}
	return next, b.commit(step)
}

// Cancel ends a booking.
func (b *Book) Cancel(reference string) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	booking, err := b.live(reference)
	if err != nil {
		return Booking{}, err
	}
	step := b.cancelled(booking)
	return step.Bookings[0], b.commit(step)
}

// Sellable returns nil when the stay could be sold now.
func (b *Book) Sellable(q Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.sellable(Booking{Entry: Entry{
		Room: q.Room, Rate: q.Rate, CheckIn: q.CheckIn, CheckOut: q.CheckOut, Adults: max(q.Adults, 1),
	}}, Booking{})
	return err
}

// event is the record of a booking and of what the hotel's side is told of it.
func (b *Book) event(kind connectors.EventKind, booking Booking) record {
	return record{
		Bookings: []Booking{booking},
		Events:   []Event{{Seq: b.state.lastEvent + 1, Kind: kind, Booking: booking}},
	}
}

// live finds a booking that can still change.
func (b *Book) live(reference string) (Booking, error) {
	booking, ok := b.state.bookings[reference]
	if !ok {
		return Booking{}, fmt.Errorf("booking %s: %w", reference, ErrNoBooking)
	}
	if booking.Status == Cancelled {
		return Booking{}, fmt.Errorf("booking %s is cancelled: %w", reference, ErrNotSellable)
	}
	return booking, nil
}

// sellable returns the amount of each night when the stay can be sold. Nights
// that held has already need no free room and may have been closed since.
func (b *Book) sellable(want, held Booking) ([]hotel.Money, error) {
	refuse := func(format string, args ...any) ([]hotel.Money, error) {
		return nil, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrNotSellable)
	}
	nights := want.Stay().Nights()
	switch {
	case !b.Knows(want.Room, want.Rate):
		return refuse("room %s with rate %s is not in the catalogue", want.Room, want.Rate)
	case nights == 0 || nights > maxNights:
		return refuse("a stay has 1 to %d nights", maxNights)
	case want.CheckIn != held.CheckIn && want.CheckIn < b.today():
		return refuse("%s is over", want.CheckIn)
	}
	var amounts []hotel.Money
	for night := want.CheckIn; night < want.CheckOut; night++ {
		shown := b.state.offers[product{want.Room, want.Rate, night}]
		if !held.holds(want.Room, night) {
			if b.state.counts[stock{want.Room, night, want.Site}] <= 0 {
				return refuse("no room %s is left on %s", want.Room, night)
			}
			if shown.closed.Closed {
				return refuse("%s %s is closed on %s", want.Room, want.Rate, night)
			}
		}
		amount, priced := shown.prices[want.Adults]
		if !priced {
			amount, priced = shown.prices[0]
		}
		if !priced || amount.Minor <= 0 {
			return refuse("%s %s has no price for %d on %s", want.Room, want.Rate, want.Adults, night)
		}
		amounts = append(amounts, amount)
	}
	if want.Stay() != held.Stay() {
		if why := b.restricted(want, nights); why != "" {
			return refuse("%s", why)
		}
	}
	return amounts, nil
}

// restricted says which restriction forbids the stay, empty when none does.
func (b *Book) restricted(want Booking, nights int) string {
	at := func(night hotel.Date) offered { return b.state.offers[product{want.Room, want.Rate, night}] }
	arrival, ahead := at(want.CheckIn), int(want.CheckIn-b.today())
	switch limits := arrival.lengths; {
	case arrival.closed.Arrival:
		return fmt.Sprintf("no arrival on %s", want.CheckIn)
	case at(want.CheckOut).closed.Departure:
		return fmt.Sprintf("no departure on %s", want.CheckOut)
	case nights < limits.MinStayArrival, limits.MaxStayArrival > 0 && nights > limits.MaxStayArrival:
		return fmt.Sprintf("%d nights from %s are too few or too many", nights, want.CheckIn)
	case ahead < limits.MinAdvance, limits.MaxAdvance > 0 && ahead > limits.MaxAdvance:
		return fmt.Sprintf("%d days ahead are too few or too many", ahead)
	}
	for night := want.CheckIn; night < want.CheckOut; night++ {
		limits := at(night).lengths
		if nights < limits.MinStayThrough || limits.MaxStayThrough > 0 && nights > limits.MaxStayThrough {
			return fmt.Sprintf("%d nights over %s are too few or too many", nights, night)
		}
	}
	return ""
}

// today is the earliest date that it still is anywhere: a book does not know the
// hotel's time zone.
func (b *Book) today() hotel.Date {
	return hotel.DateIn(b.o.Clock.Now().Add(-12*time.Hour), time.UTC)
}
