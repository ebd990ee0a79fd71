package ledger

import (
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

func (h *house) recall(t *testing.T, rooms []hotel.RoomNight, asked, until time.Time) {
	t.Helper()
	if err := h.Recall(t.Context(), h.property.ID, rooms, asked, until); err != nil {
		t.Fatal(err)
	}
}

// What is taken back for a sale is kept for whoever comes back for it after the request,
// once however often they ask, and nothing is taken back for them when they have it.
func TestRoomsAreKeptForWhoComesBack(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	h.exec(t, "UPDATE party SET account = 0, raised = 0, doing = ''")
	h.reopen(t)
	night := h.today + 2
	var sold []hotel.Reservation
	for {
		r, _, err := h.book(h.double, night, night+1, hotel.Once{})
		if err != nil {
			break
		}
		sold = append(sold, r)
	}
	ordered := func() int {
		if err := h.DealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.drain(t)
		for f.derive(t) {
		}
		return h.number(t, "SELECT COALESCE(SUM(ordered), 0) FROM stock_cell WHERE line = ? AND night = ?", f.counters[0].Line, night)
	}
	ask := func() {
		asked := h.clock.Now().Add(5 * time.Second)
		h.recall(t, wanted(h.double.ID, hotel.Stay{CheckIn: night, CheckOut: night + 1}), asked, asked.Add(2*time.Minute))
	}
	ask()
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[0].ID, hotel.CancelRequest{}))(t)
	for range 5 {
		if n := ordered(); n != 0 {
			t.Fatalf("%d rooms are dealt while somebody may come back for the one that is free", n)
		}
		h.clock.move(90 * time.Second)
		ask()
	}
	must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, sold[1].ID, hotel.CancelRequest{}))(t)
	if n := ordered(); n != 1 {
		t.Errorf("%d of two free rooms are dealt while one who has come back five times may take the other", n)
	}
	h.clock.move(3 * time.Minute)
	if n := ordered(); n == 0 {
		t.Error("nothing is dealt after nobody has come back")
	}
}

// A sale ends the wait for what it has taken.
func TestASaleEndsItsRecall(t *testing.T) {
	h := newHouse(t)
	h.protect(t, hotel.Guarded)
	rooms := wanted(h.double.ID, hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 4})
	asked := h.clock.Now().Add(time.Second)
	for range 2 { // two who wait at a time are two
		h.recall(t, rooms, asked, asked.Add(time.Minute))
	}
	must2(h.book(h.double, h.today+2, h.today+3, hotel.Once{}))(t) // another stay
	for left := 2; left > 0; left-- {
		if n := len(h.recalls.of[h.property.ID]); n != left {
			t.Fatalf("%d wait, want %d", n, left)
		}
		must2(h.book(h.double, h.today+2, h.today+4, hotel.Once{}))(t)
	}
	if n := len(h.recalls.of[h.property.ID]); n != 0 || h.recalls.until.Load() != 0 {
		t.Errorf("%d wait for what they have", n)
	}
}
