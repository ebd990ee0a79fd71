package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// The first on the list whom the room fits is told, and only when there is a room
// where there was none.
func TestFreedRoomIsToldToTheWaitingList(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	var booked []hotel.Reservation
	for range 2 {
		booked = append(booked, must2(h.book(h.suite, h.today+5, h.today+7, hotel.Once{}))(t))
	}
	wait := func(in, out hotel.Date) hotel.Reservation {
		return must2(h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: out}, Adults: 2,
			Guest: hotel.Guest{LastName: "Patient"}, Status: hotel.Waitlisted,
		}))(t)
	}
	must2(h.book(h.suite, h.today+7, h.today+8, hotel.Once{}))(t)
	must2(h.book(h.suite, h.today+7, h.today+8, hotel.Once{}))(t)
	wait(h.today+6, h.today+8) // the night of the 7th stays full
	second := wait(h.today+5, h.today+7)
	wait(h.today+5, h.today+6)
	told := func(after int64) []string {
		var ids []string
		for _, e := range must(h.Entries(ctx, after, 100))(t) {
			if e.Kind == ReservationWaitlist {
				ids = append(ids, e.Subject)
			}
		}
		return ids
	}
	before := must(h.Sequence(ctx))(t)
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, booked[0].ID, hotel.CancelRequest{}))(t)
	if ids := told(before); len(ids) != 1 || ids[0] != second.ID {
		t.Errorf("told %v, want %s", ids, second.ID)
	}
	before = must(h.Sequence(ctx))(t)
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, booked[1].ID, hotel.CancelRequest{}))(t)
	if ids := told(before); len(ids) != 0 {
		t.Errorf("told %v, although a room was free before", ids)
	}
	if got := must(h.take(second.ID, stay.Confirm, hotel.StepRequest{}))(t); got.Status != hotel.Confirmed {
		t.Errorf("confirmed as %s", got.Status)
	}
	h.checkSold(t)
}
