package simkit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// horizon is how many nights ahead guests look.
const horizon = 120

// Guests book, change and cancel by themselves, and only what the book has on
// sale.
type Guests struct {
	Book *Book
	Pace time.Duration // mean time between two bookings; 0: they stand still
	Seed uint64
	Log  *zap.Logger
}

// Run lets them act until ctx ends. It returns an error only when the book can
// take nothing more.
func (g Guests) Run(ctx context.Context) error {
	if g.Pace <= 0 {
		<-ctx.Done()
		return nil
	}
	// A book that is opened again goes on instead of repeating itself.
	dice := rand.New(rand.NewPCG(g.Seed, uint64(len(g.Book.Bookings()))))
	timer := time.NewTimer(g.pause(dice))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if err := g.act(dice); err != nil {
			return fmt.Errorf("guests: %w", err)
		}
		timer.Reset(g.pause(dice))
	}
}

// pause is the time to the next act, between half and one and a half times the
// mean: of ten acts seven are bookings.
func (g Guests) pause(dice *rand.Rand) time.Duration {
	mean := int64(g.Pace) * 7 / 10
	return time.Duration(mean/2 + dice.Int64N(mean+1))
}

// act does one thing: seven times of ten a booking, else a change or a
// cancellation. A guest who finds nothing to buy cancels something instead, so
// that a full house does not stand still.
func (g Guests) act(dice *rand.Rand) error {
	today := hotel.DateIn(g.Book.Clock().Now(), time.UTC)
	var live []Booking
	for _, b := range g.Book.Bookings() {
		if b.Status == Confirmed && b.CheckIn > today {
			live = append(live, b)
		}
	}
	var booking Booking
	var err error
	roll := dice.IntN(20)
	want, found := g.choose(dice, today)
	switch {
	case found && (roll < 14 || len(live) == 0):
		booking, err = g.Book.Sell(want)
	case len(live) == 0:
		return nil
	case roll >= 14 && roll < 17:
		booking, err = g.Book.Modify(g.change(dice, live[dice.IntN(len(live))]))
	default:
		booking, err = g.Book.Cancel(live[dice.IntN(len(live))].Reference)
	}
	if errors.Is(err, ErrNotSellable) {
		return nil // the nights that the guest would have liked are not to be had
	}
	if err != nil {
		return err
	}
	g.Log.Debug("guest", zap.String("reference", booking.Reference), zap.Int("revision", booking.Revision),
		zap.String("status", booking.Status), zap.Stringer("check_in", booking.CheckIn), zap.Stringer("check_out", booking.CheckOut))
	return nil
}

// choose looks for a stay that is on sale.
func (g Guests) choose(dice *rand.Rand, today hotel.Date) (Request, bool) {
	products := g.Book.Products()
	if len(products) == 0 {
		return Request{}, false
	}
	for range 20 {
		p := products[dice.IntN(len(products))]
		nights := 1 + min(dice.IntN(4), dice.IntN(4)) // mostly short
		arrival := today + 1 + hotel.Date(dice.IntN(horizon-nights))
		q := Request{
			Room: p.Room, Rate: p.Rate, CheckIn: arrival, CheckOut: arrival + hotel.Date(nights), Adults: 1 + dice.IntN(2),
			FirstName: firstNames[dice.IntN(len(firstNames))], LastName: lastNames[dice.IntN(len(lastNames))],
		}
		if g.Book.Sellable(q) == nil {
			return q, true
		}
	}
	return Request{}, false
}

// change makes a stay one night longer or shorter.
func (g Guests) change(dice *rand.Rand, b Booking) Request {
	q := Request{Reference: b.Reference, CheckOut: b.CheckOut + 1}
	if b.Stay().Nights() > 1 && dice.IntN(2) == 0 {
		q.CheckOut = b.CheckOut - 1
	}
	return q
}

var (
	firstNames = []string{"Ada", "Bruno", "Chiara", "Daniel", "Elif", "Femke", "Gustav", "Hana", "Ines", "Jonas", "Katya", "Liam"}
	lastNames  = []string{"Almeida", "Berger", "Costa", "Dubois", "Eriksen", "Fischer", "Garcia", "Horvat", "Ivanova", "Jansen", "Kowalski", "Lindqvist"}
)
