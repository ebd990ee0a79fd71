package simkit

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Request is what a guest asks for. For a change, empty fields keep what is.
type Request struct {
	Reference string     `json:"reference"` // of a new booking: of one that is over, to be used again; empty: a number of its own
	Room      string     `json:"room"`
	Rate      string     `json:"rate"`
	CheckIn   hotel.Date `json:"check_in"`
	CheckOut  hotel.Date `json:"check_out"`
	Adults    int        `json:"adults"`
	Children  []int      `json:"children,omitempty"` // their ages; of a change: nil keeps them, and none takes them out
	FirstName string     `json:"first_name"`
	LastName  string     `json:"last_name"`

	Others  []Part `json:"others,omitempty"`  // of a new booking: its rooms but for this one
	Without int    `json:"without,omitempty"` // of a change: which of several rooms is given up, counted from 1; 0: none
}

// What a guest cannot have.
var (
	ErrNotSellable = errors.New("not on sale")
	ErrNoBooking   = errors.New("no such booking")
)

// maxNights is the longest stay that is sold.
const maxNights = 60

// Cart is a stay that a guest has found on sale and not booked yet.
type Cart struct{ booking Booking }

// Fill lets a guest begin to book a stay if every night of it is on sale, and returns
// [ErrNotSellable] with the reason otherwise. Nothing is taken by it.
func (b *Book) Fill(q Request) (Cart, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fill(q)
}

func (b *Book) fill(q Request) (Cart, error) {
	want := q.booking()
	number := b.state.numbers + 1
	var parts []Part
	var err error
	if was, used := b.state.bookings[q.Reference]; q.Reference != "" && (!used || !b.over(was)) {
		return Cart{}, fmt.Errorf("booking %s is not over: %w", q.Reference, ErrNotSellable)
	}
	want.Reference = q.Reference
	for i := range b.state.sites { // guests look at one place after the other
		want.Site = int(number-1+int64(i)) % b.state.sites
		if parts, err = b.sellable(want, Booking{}); err == nil {
			return Cart{want.of(parts)}, nil
		}
	}
	return Cart{}, err
}

// Buy books what a guest began to book, at the price of that moment, whatever is on
// sale by now.
func (b *Book) Buy(c Cart) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buy(c)
}

func (b *Book) buy(c Cart) (Booking, error) {
	booking := c.booking
	booking.Number = b.state.numbers + 1
	if booking.Reference == "" {
		booking.Reference = fmt.Sprintf("%s-%06d", b.o.Prefix, booking.Number)
	}
	booking.Status, booking.Revision, booking.At = Confirmed, 1, b.o.Clock.Now()
	step := b.event(connectors.Booked, booking)
	if b.o.Adjusts.Book == hotel.AdjustYes {
		step.Moves = booking.moves(-1)
	}
	return booking, b.commit(step)
}

// Sell books a stay if every night of it is on sale, and returns
// [ErrNotSellable] with the reason otherwise.
func (b *Book) Sell(q Request) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, err := b.fill(q)
	if err != nil {
		return Booking{}, err
	}
	return b.buy(c)
}

// Modify changes the first room of a booking if the nights that it does not hold yet
// are on sale, or gives up one of several rooms.
func (b *Book) Modify(q Request) (Booking, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	was, err := b.live(q.Reference)
	if err != nil {
		return Booking{}, err
	}
	held := was
	if parts := was.Parts(); q.Without > 0 {
		if q.Without > len(parts) || len(parts) == 1 {
			return Booking{}, fmt.Errorf("booking %s has %d rooms, of which one stays: %w", q.Reference, len(parts), ErrNotSellable)
		}
		held = was.of(slices.Delete(parts, q.Without-1, q.Without))
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
	if q.Children != nil {
		next.Children = slices.Sorted(slices.Values(q.Children))
	}
	parts, err := b.sellable(next, held)
	if err != nil {
		return Booking{}, err
	}
	next = next.of(parts)
	step := b.event(connectors.Modified, next)
	if b.o.Adjusts.Modify == hotel.AdjustYes {
		step.Moves = append(was.moves(1), next.moves(-1)...)
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

// Resend tells the newest event of a booking that is not cancelled once more, as
// somebody at the far side can have it do.
func (b *Book) Resend(reference string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	booking, err := b.live(reference)
	if err != nil {
		return err
	}
	kind := connectors.Modified
	if booking.Revision == 1 {
		kind = connectors.Booked
	}
	return b.commit(b.event(kind, booking))
}

// Sellable returns nil when the stay could be sold now.
func (b *Book) Sellable(q Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.sellable(q.booking(), Booking{})
	return err
}

// booking is what a request would be, without its price.
func (q Request) booking() Booking {
	return Booking{
		Entry:     Entry{Room: q.Room, Rate: q.Rate, CheckIn: q.CheckIn, CheckOut: q.CheckOut, Adults: max(q.Adults, 1), Children: slices.Sorted(slices.Values(q.Children))},
		FirstName: q.FirstName, LastName: q.LastName, Others: slices.Clone(q.Others),
	}
}

// event is the record of a booking and of what the hotel's side is told of it.
func (b *Book) event(kind connectors.EventKind, booking Booking) record {
	return record{
		Bookings: []Booking{booking},
		Events:   []Event{{Seq: b.state.lastEvent + 1, Kind: kind, Booking: booking}},
	}
}

// over reports whether nobody comes any more for a booking.
func (b *Book) over(booking Booking) bool {
	return booking.Status == Cancelled || !slices.ContainsFunc(booking.Parts(), func(p Part) bool { return p.CheckOut > b.today() })
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

// sellable returns the rooms of a booking with the amount of each night when all of
// them can be sold. Nights that held, room by room, has already need no free room and
// may have been closed since.
func (b *Book) sellable(want, held Booking) ([]Part, error) {
	parts, had := want.Parts(), held.Parts()
	taken := map[stock]int{} // by the rooms before
	for i := range parts {
		var was Part
		if i < len(had) {
			was = had[i]
		}
		amounts, err := b.sellablePart(parts[i], was, want.Site, taken)
		if err != nil {
			return nil, err
		}
		parts[i].Amounts = amounts
	}
	return parts, nil
}

func (b *Book) sellablePart(want, held Part, site int, taken map[stock]int) ([]hotel.Money, error) {
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
	room, rate := b.counter(want.Room, want.Rate)
	moved := held.Room != want.Room || b.o.PerRate && held.Rate != want.Rate // to another count
	for night := want.CheckIn; night < want.CheckOut; night++ {
		shown := b.state.offers[product{want.Room, want.Rate, night}]
		if at := (stock{room, rate, night, site}); moved || !held.Stay().Contains(night) {
			if b.state.counts[at] <= taken[at] {
				return refuse("no room %s is left on %s", want.Room, night)
			}
			taken[at]++
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
func (b *Book) restricted(want Part, nights int) string {
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
	for night := want.CheckIn; night < want.CheckOut || b.o.Leaving && night == want.CheckOut; night++ {
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
