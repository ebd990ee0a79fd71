package channex

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// TestBookingOfSeveralRooms: each room of a booking comes with a name of its own, one that
// is given up is gone, and all end with it.
func TestBookingOfSeveralRooms(t *testing.T) {
	s := newStage(t, twoByTwo)
	first := today + 20
	for _, room := range []string{"T", "D"} {
		s.tell(join(left(room, first, first+5, 8), rate(room, "BAR", first, first+5, 10000), closing(room, "BAR", first, first+5, hotel.Closed{})))
	}
	var got []connectors.Message
	cursor := ""
	poll := func(want int) connectors.Message {
		t.Helper()
		next, err := s.conn.(connectors.Poller).Poll(t.Context(), cursor, taken(func(m connectors.Message) { got = append(got, m) }))
		if err != nil || len(got) != want {
			t.Fatalf("%d messages and %v, want %d", len(got), err, want)
		}
		cursor = next
		return got[want-1]
	}
	rooms := func(m connectors.Message) (said []string) {
		for _, r := range m.Booking.Rooms {
			said = append(said, fmt.Sprint(r.Room, " ", int(r.Stay.CheckIn-first), "-", int(r.Stay.CheckOut-first), " for ", r.Adults, " at ", len(r.Amounts)))
		}
		return said
	}
	b, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 1, Adults: 2, LastName: "Hopper", Others: []simkit.Part{
		{Room: "D", Rate: "D-BAR", CheckIn: first, CheckOut: first + 2, Adults: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := poll(1)
	if diff := cmp.Diff([]string{"T 0-1 for 2 at 1", "D 0-2 for 1 at 2"}, rooms(m)); diff != "" || m.Booking.Rooms[0].Ref == m.Booking.Rooms[1].Ref {
		t.Errorf("its rooms (-want +got), with references %q and %q:\n%s", m.Booking.Rooms[0].Ref, m.Booking.Rooms[1].Ref, diff)
	}
	if m.Booking.Total == nil || m.Booking.Total.Minor != 30000 || m.Booking.Requests == nil || *m.Booking.Requests != "Comes by train" || m.Booking.ArrivalTime == nil || *m.Booking.ArrivalTime != "18:00" || len(m.Booking.Rooms[0].Extras) != 1 {
		t.Errorf("it says %+v", m.Booking)
	}
	if _, err := s.sim.Book().Modify(simkit.Request{Reference: b.Reference, Without: 1}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"D 0-2 for 1 at 2"}, rooms(poll(2))); diff != "" {
		t.Errorf("once a room is given up (-want +got):\n%s", diff)
	}
	if _, err := s.sim.Book().Cancel(b.Reference); err != nil {
		t.Fatal(err)
	}
	if m := poll(3); m.Event != connectors.Cancelled {
		t.Errorf("the end is %s", m.Event)
	}
}

// taken is a sink that takes everything.
type taken func(connectors.Message)

// Deliver implements [connectors.Sink].
func (f taken) Deliver(_ context.Context, m connectors.Message) error {
	f(m)
	return nil
}

// Hint implements [connectors.Sink].
func (taken) Hint() {}
