package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// Whatever happens to a group or to a room of it, its revision rises: two states of it never
// have the same one, also where it has lost a room.
func TestRevisionOfAGroupOnlyRises(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.newFarSide(t, 9)
	book := func(seller string) hotel.ReservationGroup {
		t.Helper()
		room := hotel.NewReservation{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2}
		return must2(h.CreateReservationGroup(t.Context(), tester, hotel.Once{}, hotel.NewReservationGroup{
			PropertyID: h.property.ID, Booker: &hotel.Guest{LastName: "Byron"}, Source: hotel.Source{ChannelID: "ch", SubChannel: seller, Reference: "R"},
			Reservations: []hotel.NewReservation{room, room},
		}))(t)
	}
	groups := []hotel.ReservationGroup{book("one"), book("two")}
	for i, g := range groups {
		if g.Revision != 1 {
			t.Errorf("group %d begins at revision %d", i, g.Revision)
		}
	}
	rises := func(what string, by int64, which ...int) {
		t.Helper()
		for _, i := range which {
			now := must(h.ReservationGroup(t.Context(), groups[i].ID))(t)
			if now.Revision != groups[i].Revision+by || now.UpdatedAt.Before(groups[i].UpdatedAt) {
				t.Errorf("%s: group %d goes from revision %d to %d, of %d rooms", what, i, groups[i].Revision, now.Revision, len(now.Reservations))
			}
			groups[i] = now
		}
	}
	rises("read again", 0, 0, 1)
	changed := groups[1].Reservations[0].ID
	must2(h.ChangeReservation(t.Context(), tester, hotel.Once{}, changed, hotel.ReservationChange{Notes: new("late")}))(t)
	rises("a room is changed", 1, 1)
	rises("the other group has nothing of it", 0, 0)

	room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2}
	said := oneRoom(h, "all", "modified", room)
	said.Ref, said.Revision, said.Booking.Rooms = "R", "2", []hotel.ChannelRoom{room, room, room, room, room}
	must(h.Receive(t.Context(), said))(t)
	joined, left := groups[0], groups[1]
	for i := range groups {
		groups[i] = must(h.ReservationGroup(t.Context(), groups[i].ID))(t)
	}
	full := groups[0]
	if a, b := len(groups[0].Reservations), len(groups[1].Reservations); a != 5 || b != 0 {
		t.Fatalf("the channel's message leaves groups of %d and %d rooms, not all in one", a, b)
	}
	if groups[1].Revision <= left.Revision {
		t.Errorf("two rooms left: the group goes from revision %d to %d", left.Revision, groups[1].Revision)
	}
	if groups[0].Revision <= joined.Revision {
		t.Errorf("three rooms joined: the group goes from revision %d to %d", joined.Revision, groups[0].Revision)
	}

	groups[0] = must2(h.CancelReservationGroup(t.Context(), tester, hotel.Once{}, groups[0].ID, hotel.CancelRequest{Reason: "storm", DoneAtChannel: true}))(t)
	rises("cancelled, and told so", 0, 0)
	groups[0] = must2(h.CancelReservationGroup(t.Context(), tester, hotel.Once{}, groups[0].ID, hotel.CancelRequest{Reason: "storm", DoneAtChannel: true}))(t)
	rises("cancelled already", 0, 0)
	if groups[0].Revision != full.Revision+1 {
		t.Errorf("five rooms cancelled at once: the group goes from revision %d to %d", full.Revision, groups[0].Revision)
	}
}
