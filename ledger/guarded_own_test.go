package ledger

import (
	"errors"
	"testing"

	"ostler.example/hotel"
)

// A channel that was granted all five rooms of a night has sold one. Its guest moves to a type
// that takes the very same room: nothing is taken back for that, and he takes no second one.
func TestAGuestMovedWithinAPoolTakesTheRoomThatHisChannelWasGranted(t *testing.T) {
	h, f, night := dealtOut(t)
	f.catchUp(t)
	f.sell(f.counters[0], night)
	guest := f.hear(t, 0).Reservations[0]
	h.drain(t)
	if n := h.undealt(t, night); n != 0 {
		t.Fatalf("%d rooms are granted to nobody after the sale", n)
	}
	moved := must2(h.ChangeReservation(t.Context(), tester, hotel.Once{}, guest.ID, hotel.ReservationChange{RoomTypeID: &h.twin.ID}))(t)
	if moved.Overbooked {
		t.Error("he is counted as one too many")
	}
	h.drain(t)
	if n := h.undealt(t, night); n != 0 {
		t.Errorf("%d rooms are granted to nobody after the move", n)
	}
	if got := h.exposures(t); len(got) != 0 {
		t.Errorf("told %+v though nothing is gone", got)
	}
	h.checkMemory(t)
	if _, _, err := h.book(h.twin, night, night+1, hotel.Once{}); !isDealt(err) {
		t.Errorf("the next guest is refused with %v", err)
	}
}

// A block takes a room of five that a channel may sell. Nobody draws it before it is back,
// unless somebody answers for that.
func TestNobodyDrawsARoomThatIsStillOnSale(t *testing.T) {
	h, f, night := dealtOut(t)
	from, to := night-h.today, night+1-h.today
	b := h.block(t, hotel.Definite, h.line(h.double, from, from, 1))
	if _, _, err := h.bookFrom(b.ID, h.double, from, to); !isDealt(err) {
		t.Fatalf("the draw is answered with %v", err)
	}
	h.drain(t)
	for f.derive(t) {
	}
	f.sends(t) // that it is closed, and lists
	must2(h.bookFrom(b.ID, h.double, from, to))(t)
}

func isDealt(err error) bool {
	var dealt *DealtError
	return errors.As(err, &dealt)
}
