package ledger

import (
	"strings"
	"testing"

	"ostler.example/hotel"
)

// TestTheSellerBehindARelay is who the first message of a booking says: a later one that
// names nobody, or somebody else, is still about the same booking and its rooms.
func TestTheSellerBehindARelay(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	in := h.today + 1
	room := func(ref string) hotel.ChannelRoom {
		return hotel.ChannelRoom{Ref: ref, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2}
	}
	tell := func(ref, key, event, seller string, rooms ...hotel.ChannelRoom) []hotel.Reservation {
		t.Helper()
		said := oneRoom(h, key, event, rooms[0])
		said.Ref, said.Key, said.Revision, said.Booking.Seller, said.Booking.Rooms = ref, ref+key, key, seller, rooms
		return must(h.Receive(t.Context(), said))(t).Reservations
	}
	first := tell("A", "1", "booked", "  Locanda  Online ", room("1"))[0]
	if first.Source.SubChannel != "Locanda Online" {
		t.Errorf("it is sold by %q", first.Source.SubChannel)
	}
	for i, seller := range []string{"", "Somebody Else"} {
		for _, r := range tell("A", []string{"2", "3"}[i], "modified", seller, room("1"), room("2")) {
			if r.Source.SubChannel != "Locanda Online" || r.ID == first.ID && r.GroupID == "" {
				t.Errorf("told by %q, room %s is sold by %q in group %q", seller, r.Source.RoomRef, r.Source.SubChannel, r.GroupID)
			}
		}
	}
	list := must(h.Reservations(t.Context(), hotel.ReservationFilter{PropertyIDs: []string{h.property.ID}, SubChannel: "Locanda Online", Limit: 10}))(t)
	if len(list) != 2 {
		t.Errorf("%d rooms are found by their seller, want 2", len(list))
	}
	if of := tell("B", "1", "booked", strings.Repeat("é", 200), room("1"))[0].Source.SubChannel; of != strings.Repeat("é", mostSeller) {
		t.Errorf("a name without end is kept as %d bytes", len(of))
	}
}
