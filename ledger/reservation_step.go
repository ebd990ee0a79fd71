package ledger

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// StepReservation takes a reservation one step on. Asking again for a step that
// was taken changes nothing. Steps that a channel has to take with its own
// bookings are asked of it, unless they were taken there by hand; those that it
// cannot be asked for are refused.
func (l *Ledger) StepReservation(
	ctx context.Context, by hotel.By, once hotel.Once, id string, a stay.Action, q hotel.StepRequest,
) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, q.IfRevision, func(t *tx, s *structure, r *hotel.Reservation) (Kind, error) {
		facts := t.facts(s, r)
		facts.Override = q.Override
		return t.enter(s, r, a, facts, q)
	})
}

// CancelReservation cancels a reservation. Cancelling it again changes nothing. A
// channel's booking is cancelled by the channel, which is asked to.
func (l *Ledger) CancelReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.CancelRequest) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, c.IfRevision, func(t *tx, s *structure, r *hotel.Reservation) (Kind, error) {
		return t.cancel(s, r, c)
	})
}

// cancel is the step that has a reason and a price.
func (t *tx) cancel(s *structure, r *hotel.Reservation, c hotel.CancelRequest) (Kind, error) {
	firm := r.Status == hotel.Confirmed
	facts := t.facts(s, r)
	facts.Released = c.Reason == hotel.ReleasedRoom
	kind, err := t.enter(s, r, stay.Cancel, facts, hotel.StepRequest{DoneAtChannel: c.DoneAtChannel, Waived: c.WaivePenalty, Whole: c.Whole})
	if kind == "" || err != nil {
		return "", err
	}
	if kind == ReservationChannelAction { // why is known when the channel has done it
		r.CancelReason, r.CancelNote = c.Reason, c.Note
		return kind, nil
	}
	r.Cancel = &hotel.Cancellation{At: t.now, By: t.by.Actor, Waived: c.WaivePenalty}
	r.CancelReason, r.CancelNote = c.Reason, c.Note
	if r.Cancel.Penalty = noFee(s, r); firm && !facts.Released {
		r.Cancel.Penalty = cancelFee(s, r, t.now)
	}
	return kind, nil
}

// facts are what the guards look at.
func (t *tx) facts(s *structure, r *hotel.Reservation) stay.Facts {
	return stay.FactsOf(*r, s.property, t.now)
}

// enter checks a step and brings the reservation to where it leads, with the
// rooms that it needs there.
func (t *tx) enter(s *structure, r *hotel.Reservation, a stay.Action, facts stay.Facts, q hotel.StepRequest) (Kind, error) {
	step := stay.StepOf(a)
	if again, err := step.Take(r.Status); again || err != nil {
		return "", err
	}
	if err := facts.Check(a); err != nil {
		return "", err
	}
	if k, asks := actionOf[a]; asks && t.owned(r) {
		if !q.DoneAtChannel {
			if err := t.distinct(r, k, q.Whole); err != nil {
				return "", err
			}
			return t.ask(s, r, hotel.ChannelAction{
				Kind: k, Refused: q.Refused, Waived: a == stay.NoShow && !q.Charge || a == stay.Cancel && q.Waived, HoldNextNights: q.HoldNextNights,
			})
		}
		if err := t.byHand(s, r, k); err != nil {
			return "", err
		}
	}
	before := *r
	r.Status = step.To
	if err := t.leave(s, r, a, facts.Today, q); err != nil {
		return "", err
	}
	if err := t.takeNew(s, r, &before, sale{seller: q.Seller, overbook: q.Overbook, dealt: q.SellDealt}); err != nil {
		return "", err
	}
	return Kind(step.Event), nil
}

// leave writes what a step leaves behind.
func (t *tx) leave(s *structure, r *hotel.Reservation, a stay.Action, today hotel.Date, q hotel.StepRequest) error {
	r.HoldExpires, r.RoomUntil = time.Time{}, 0
	passage := &hotel.Passage{At: q.At, On: today}
	if q.At.IsZero() {
		passage.At = t.now
	} else if q.At.After(t.now) {
		return hotel.Invalid("/at", "max", "must not be in the future")
	}
	switch a {
	case stay.Request, stay.Hold:
		r.HoldExpires = q.Until
		var w wrong
		w.expiry(r, t.now)
		return w.refusal()
	case stay.Decline:
		r.Refused = q.Refused
	case stay.CheckIn:
		passage.Room, r.Arrived = r.RoomOn(r.Stay.CheckIn), passage
		assign(&r.RoomNumber, q.RoomNumber)
	case stay.CheckOut:
		passage.Booked, r.Departed = r.Stay, passage
		r.Stay, r.RoomUntil = stay.Leave(r.Stay, today, q.ReleaseTonight)
	case stay.NoShow:
		r.Arrived = nil
		r.Cancel = &hotel.Cancellation{At: t.now, By: t.by.Actor, Waived: !q.Charge, Penalty: noShowFee(s, r)}
		if q.HoldNextNights {
			r.RoomUntil = r.Stay.CheckOut
		}
	case stay.UndoCheckIn:
		r.Arrived = nil
	case stay.UndoCheckOut:
		r.Stay, r.Departed = r.Departed.Booked, nil
	case stay.Reinstate:
		r.Cancel, r.Refused, r.CancelReason, r.CancelNote = nil, "", "", ""
	case stay.Confirm, stay.Cancel:
	}
	return nil
}

// takeNew finds a room for each night that the reservation takes now and did not
// before.
func (t *tx) takeNew(s *structure, r, before *hotel.Reservation, by sale) error {
	by.take = freshNights(r, before, s.property.BusinessDate(t.now))
	if len(by.take) == 0 {
		return nil
	}
	if err := t.freeNights(before); err != nil {
		return err
	}
	b, err := t.spanBoard(s, by.take[0], by.take[len(by.take)-1])
	if err != nil {
		return err
	}
	_, err = t.findRoom(s, b, r, &by)
	return err
}

// freshNights lists the nights on which a reservation takes a room that it did
// not take before, in order. Nights that are over need none.
func freshNights(r, before *hotel.Reservation, today hotel.Date) []hotel.Date {
	had := map[hotel.Date]string{}
	for _, h := range heldRooms(before) {
		for d := h.From; d <= h.To; d++ {
			had[d] = h.RoomTypeID
		}
	}
	var fresh []hotel.Date
	for _, h := range heldRooms(r) {
		for d := max(h.From, today); d <= h.To; d++ {
			if had[d] != h.RoomTypeID {
				fresh = append(fresh, d)
			}
		}
	}
	return fresh
}

// noteOverbooked notes whether a reservation that takes no room yet lacks one on
// a night to come.
func (t *tx) noteOverbooked(s *structure, r *hotel.Reservation) error {
	r.Overbooked = false
	held := heldRooms(r)
	if len(held) == 0 || r.BlockID != "" { // a block's room is counted as taken already
		return nil
	}
	b, err := t.spanBoard(s, held[0].From, held[len(held)-1].To)
	if err != nil {
		return err
	}
	today := s.property.BusinessDate(t.now)
	for _, h := range held {
		room, ok := b.Room(h.RoomTypeID)
		for d := max(h.From, today); d <= h.To; d++ {
			if !ok || b.House(d)[room].Net < 1 {
				r.Overbooked = true
			}
		}
	}
	return nil
}
