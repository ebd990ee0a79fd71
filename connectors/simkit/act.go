package simkit

import (
	"fmt"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Act does with a booking what the property asks for, and keeps the receipt, in one
// step. An action whose receipt is kept already changes nothing and gets the first
// answer again; an empty ID is never recognised. What cannot be done is
// [ErrNotSellable] with the reason, an unknown booking [ErrNoBooking].
func (b *Book) Act(kind hotel.ActionKind, reference string, to hotel.Stay, r Receipt) (answer []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.state.answers[r.ID]; ok && r.ID != "" {
		return known.Answer, nil
	}
	booking, err := b.live(reference)
	if err != nil {
		return nil, err
	}
	step, err := b.asked(kind, booking, to)
	if err != nil {
		return nil, err
	}
	if r.ID != "" {
		step.Receipts = []Receipt{r}
	}
	if err := b.commit(step); err != nil {
		return nil, err
	}
	return r.Answer, nil
}

// asked is what becomes of a booking as the property asks. Its messages tell of what
// guests would see: that a booking was confirmed, or nobody came, is between the
// property and the channel.
func (b *Book) asked(kind hotel.ActionKind, booking Booking, to hotel.Stay) (record, error) {
	held := booking
	switch kind {
	case hotel.ActionConfirm:
		booking.Agreed = true
		return record{Bookings: []Booking{booking}}, nil
	case hotel.ActionNoShow:
		booking.NoShow = true
		return record{Bookings: []Booking{booking}}, nil
	case hotel.ActionDecline, hotel.ActionCancel:
		return b.cancelled(booking), nil
	case hotel.ActionShorten:
		if len(held.Others) > 0 {
			return record{}, fmt.Errorf("booking %s is of several rooms: %w", held.Reference, ErrNotSellable)
		}
		if !held.Stay().Covers(to) || to.Nights() == 0 || to == held.Stay() {
			return record{}, fmt.Errorf("%s to %s is no part of the stay: %w", to.CheckIn, to.CheckOut, ErrNotSellable)
		}
		booking.CheckIn, booking.CheckOut = to.CheckIn, to.CheckOut
		if len(held.Amounts) > 0 {
			booking.Amounts = slices.Clone(held.Amounts[to.CheckIn-held.CheckIn : to.CheckOut-held.CheckIn])
		}
		booking.Revision++
		booking.At = b.o.Clock.Now()
		step := b.event(connectors.Modified, booking)
		if b.o.Adjusts.Modify == hotel.AdjustYes {
			step.Moves = append(held.moves(1), booking.moves(-1)...)
		}
		return step, nil
	}
	return record{}, fmt.Errorf("there is no action %q: %w", kind, ErrNotSellable)
}

// cancelled is the end of a booking.
func (b *Book) cancelled(booking Booking) record {
	booking.Status = Cancelled
	booking.Revision++
	booking.At = b.o.Clock.Now()
	step := b.event(connectors.Cancelled, booking)
	if b.o.Adjusts.Cancel == hotel.AdjustYes || b.habits.Replenishes {
		step.Moves = booking.moves(1)
	}
	return step
}

// Booking returns a booking by its reference; false: there is none.
func (b *Book) Booking(reference string) (Booking, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	booking, ok := b.state.bookings[reference]
	return booking, ok
}
