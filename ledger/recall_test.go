package ledger

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// wanted is a room for a stay, as a sale waits for it.
func wanted(room string, stay hotel.Stay) (rooms []hotel.RoomNight) {
	for _, d := range stay.Dates() {
		rooms = append(rooms, hotel.RoomNight{Night: d, RoomTypeID: room})
	}
	return rooms
}

func (h *house) recall(t *testing.T, by hotel.By, rooms []hotel.RoomNight, asked, until time.Time) {
	t.Helper()
	if err := h.Recall(t.Context(), by, h.property.ID, rooms, asked, until); err != nil {
		t.Fatal(err)
	}
}

// What is taken back for a sale is kept for whoever comes back for it after the request,
// once however often they ask, and nothing is taken back for them when they have it.
func TestRoomsAreKeptForWhoComesBack(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	sold := f.soldOut(t)
	night := sold[0].Stay.CheckIn
	ask := func() {
		asked := h.clock.Now().Add(5 * time.Second)
		h.recall(t, tester, wanted(h.double.ID, sold[0].Stay), asked, asked.Add(2*time.Minute))
	}
	ask()
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[0].ID, hotel.CancelRequest{}))(t)
	for range 5 {
		f.orders(t, night, 0) // somebody may come back for the one that is free
		h.clock.move(90 * time.Second)
		ask()
	}
	h.clock.move(3 * time.Minute)
	f.orders(t, night, 1) // nobody has come back
	for range 5 {
		ask()
		f.orders(t, night, 0)
		h.clock.move(90 * time.Second)
	}
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[1].ID, hotel.CancelRequest{}))(t)
	f.orders(t, night, 1) // who has asked five times may take the other
}

// soldOut guards the doubles, and has the desk sell all of a night; it returns the
// bookings.
func (f *farSide) soldOut(t *testing.T) (sold []hotel.Reservation) {
	t.Helper()
	h := f.h
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	h.exec(t, "UPDATE party SET account = 0, raised = 0, doing = ''")
	h.reopen(t)
	for {
		r, _, err := h.book(h.double, h.today+2, h.today+3, hotel.Once{})
		if err != nil {
			return sold
		}
		sold = append(sold, r)
	}
}

// orders checks how many rooms the counter of doubles is ordered to show.
func (f *farSide) orders(t *testing.T, night hotel.Date, want int) {
	t.Helper()
	if err := f.h.DealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.h.drain(t)
	for f.derive(t) {
	}
	if n := f.h.number(t, "SELECT COALESCE(SUM(ordered), 0) FROM stock_cell WHERE line = ? AND night = ?", f.counters[0].Line, night); n != want {
		t.Fatalf("%d rooms are dealt, want %d", n, want)
	}
}

// A sale ends the wait of the request that makes it, or of one before it of the same
// actor that waits no more: whoever else wants such rooms goes on waiting.
func TestASaleEndsItsOwnRecall(t *testing.T) {
	h := newHouse(t)
	h.protect(t, hotel.Guarded)
	night := h.today + 2
	in := func(actor, request string) hotel.By {
		return hotel.By{Actor: hotel.Actor{Kind: hotel.ActorUser, ID: actor}, RequestID: request}
	}
	rooms := wanted(h.double.ID, hotel.Stay{CheckIn: night, CheckOut: night + 2})
	asked := h.clock.Now().Add(time.Second)
	h.recall(t, in("ann", "1"), rooms, asked, asked.Add(time.Hour))
	h.recall(t, in("ben", "2"), rooms, asked, asked.Add(time.Hour))
	h.recall(t, in("ann", "3"), rooms, asked.Add(time.Minute), asked.Add(time.Hour))
	for _, sale := range []struct {
		by     hotel.By
		nights hotel.Date
		left   string
		after  time.Duration
	}{
		{in("cleo", "4"), 2, "1 2 3", 0}, // somebody else is faster
		{in("ann", "1"), 1, "1 2 3", 0},  // another stay
		{in("ann", "5"), 2, "1 2 3", 0},  // another guest of hers, while both requests wait
		{in("ann", "3"), 2, "1 2", 0},
		{in("ann", "6"), 2, "2", 2 * time.Second}, // she has come back
		{in("ben", "7"), 2, "", 0},
	} {
		h.clock.move(sale.after)
		must2(h.CreateReservation(t.Context(), sale.by, hotel.Once{}, hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: night, CheckOut: night + sale.nights}, Adults: 2,
			Guest: hotel.Guest{LastName: "Guest"}, Overbook: true,
		}))(t)
		var left []string
		for _, x := range h.recalls.of[h.property.ID] {
			left = append(left, x.by.RequestID)
		}
		if got := strings.Join(left, " "); got != sale.left {
			t.Fatalf("after the sale of %v %q wait, want %q", sale.by, got, sale.left)
		}
	}
	if h.recalls.until.Load() != 0 {
		t.Error("somebody waits for what they have")
	}
}

// Nothing is kept for whoever has what they waited for, not for the rest of the batch of
// their sale either.
func TestNothingIsKeptBehindASale(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	sold := f.soldOut(t)
	night := sold[0].Stay.CheckIn
	asked := h.clock.Now().Add(5 * time.Second)
	h.recall(t, tester, wanted(h.double.ID, sold[0].Stay), asked, asked.Add(2*time.Minute))
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[0].ID, hotel.CancelRequest{}))(t)
	f.orders(t, night, 0)
	var booked, cancelled error
	h.atOnce(
		func() { _, _, booked = h.book(h.double, night, night+1, hotel.Once{}) },
		func() {
			_, _, cancelled = h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[1].ID, hotel.CancelRequest{})
		},
	)
	if booked != nil || cancelled != nil {
		t.Fatal(booked, cancelled)
	}
	f.orders(t, night, 1)
}
