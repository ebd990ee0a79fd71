package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// Whatever makes a channel's parties others than they were, the nights in memory follow:
// every decision is made on them.
func TestStrangersAreInMemory(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, f *farSide)
	}{
		{"live once more", func(t *testing.T, f *farSide) {
			must2(f.h.DisconnectChannel(t.Context(), tester, hotel.Once{}, f.id, 0, true))(t)
			must(f.h.Board(t.Context(), f.h.property.ID))(t)
			must(f.h.ChannelReached(t.Context(), tester, f.id))(t)
			must2(f.h.ActivateChannel(t.Context(), tester, hotel.Once{}, f.id, must(f.h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
		}},
		{"another room under a code", func(t *testing.T, f *farSide) {
			f.sells(t, hotel.Mapping{RoomTypeID: f.h.twin.ID, RatePlanID: f.h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
				hotel.Mapping{RoomTypeID: f.h.double.ID, RatePlanID: f.h.flex.ID, RemoteRoom: "T", RemoteRate: "F"})
		}},
		{"another place", func(t *testing.T, f *farSide) {
			sold := must(f.h.Reservations(t.Context(), hotel.ReservationFilter{Limit: 1}))(t)[0]
			must2(f.h.ChangeReservation(t.Context(), tester, hotel.Once{}, sold.ID, hotel.ReservationChange{RoomTypeID: &f.h.twin.ID}))(t)
			f.pause(t)
			f.catchUp(t)
			f.list(t)
			f.catchUp(t)
			must(f.h.Board(t.Context(), f.h.property.ID))(t)
			if err := f.rejoin(); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			f.promises(t, promising(nil))
			f.goLive(t)
			h.protect(t, hotel.Guarded)
			f.catchUp(t)
			f.list(t)
			f.catchUp(t)
			if p := f.party(t, h.today+2); p.Account == 0 || p.Unknown {
				t.Fatalf("before the change it is at %+v", p)
			}
			f.sell(f.counters[0], h.today+3)
			f.hear(t, 0)
			must(h.Board(t.Context(), h.property.ID))(t)
			c.change(t, f)
			h.checkMemory(t)
			h.drain(t)
			h.checkMemory(t)
		})
	}
}
