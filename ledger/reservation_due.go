package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// DueStays does to reservations what time does: those whose time is up are
// declined, and at the day roll stays that nobody records move on, and guests who
// should have left take their room for tonight too. What a channel may have confirmed,
// or noted as a no-show, waits for its answer, or for whoever decides without one. It returns how many
// reservations it changed. What fell due while nobody asked is done once, with
// every step on the way. A reservation that cannot be moved on keeps no other.
func (l *Ledger) DueStays(ctx context.Context) (changed int, err error) {
	ids, err := l.dueStays(ctx)
	if err != nil {
		return 0, fmt.Errorf("look for due stays: %w", err)
	}
	err = each(ids, func(id string) error {
		moved := false
		err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
			var err error
			moved, err = t.age(id)
			return err
		})
		if err != nil {
			return fmt.Errorf("move reservation %s on: %w", id, err)
		}
		if moved {
			changed++
		}
		return nil
	})
	return changed, err
}

// dueStays lists the reservations to which time may have done something.
func (l *Ledger) dueStays(ctx context.Context) ([]string, error) {
	var ids []string
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		now := l.clock.Now()
		micros := now.UnixMicro()
		var err error
		if ids, err = q.ExpiredReservations(ctx, &micros); err != nil {
			return err
		}
		properties, err := readAll[hotel.Property](q.ListProperties(ctx))
		if err != nil {
			return err
		}
		for _, p := range properties {
			today := int64(p.BusinessDate(now))
			arrived, err := q.ArrivingBefore(ctx, ledgerdb.ArrivingBeforeParams{PropertyID: p.ID, CheckIn: today})
			if err != nil {
				return err
			}
			left, err := q.LeavingBefore(ctx, ledgerdb.LeavingBeforeParams{PropertyID: p.ID, CheckOut: today})
			if err != nil {
				return err
			}
			ids = append(append(ids, arrived...), left...)
		}
		return nil
	})
	return ids, err
}

// age takes every step that time takes on a reservation.
func (t *tx) age(id string) (moved bool, err error) {
	r, err := t.reservation(id)
	if err != nil {
		return false, err
	}
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return false, err
	}
	if stay.Expires(r.Status) && !r.HoldExpires.IsZero() && !r.HoldExpires.After(t.now) {
		if waits, err := t.awaits(&r, hotel.ActionConfirm); err != nil || waits {
			return false, err
		}
		before := r
		r.Status, r.Refused, r.HoldExpires = hotel.Declined, hotel.Expired, time.Time{}
		return true, t.bookEntry(Kind(stay.StepOf(stay.Decline).Event), s, &r, &before)
	}
	house := stay.House{
		Today: s.property.BusinessDate(t.now), Assumed: s.property.StayRecording != hotel.Recorded,
		OverdueHolds: s.property.OverdueHolds == nil || *s.property.OverdueHolds,
	}
	for {
		a, until := house.Due(r.Status, r.Stay, r.RoomUntil)
		if a == "" && until == r.RoomUntil {
			return moved, nil
		}
		if a == stay.CheckOut {
			if waits, err := t.awaits(&r, hotel.ActionNoShow); err != nil || waits {
				return moved, err
			}
		}
		before := r
		kind := ReservationUpdated
		r.RoomUntil = until
		if a != "" {
			kind, r.Status = Kind(stay.StepOf(a).Event), stay.StepOf(a).To
			t.assume(&r, a)
		}
		if err := t.bookEntry(kind, s, &r, &before); err != nil {
			return moved, err
		}
		moved = true
	}
}

// assume notes an arrival or a departure that nobody saw.
func (t *tx) assume(r *hotel.Reservation, a stay.Action) {
	p := &hotel.Passage{At: t.now, Assumed: true}
	if a == stay.CheckIn {
		p.On, p.Room, r.Arrived = r.Stay.CheckIn, r.RoomOn(r.Stay.CheckIn), p
		return
	}
	p.On, p.Booked, r.Departed = r.Stay.CheckOut, r.Stay, p
}
