package webhook

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestABookingThatIsMappedIsHeardOfOnce: a partner hears of a booking of what is not mapped
// when it comes, and once more when it is mapped, also where the mapping is stored again and
// the program starts anew.
func TestABookingThatIsMappedIsHeardOfOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.house.Connect(t, w.ledger, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Settings: []byte("{}"), Account: "a"}, hotel.PerRoom)
		w.endpoint("partner", "reservation.*")
		all := w.house.Mappings()
		maps := func(list []hotel.Mapping) {
			sequence, err := w.ledger.Sequence(t.Context())
			w.check(err)
			w.check(w.ledger.RemapLive(t.Context(), testkit.Tester, "ch_1", sequence, hotel.Remap{StockPer: hotel.PerRoom, Mappings: list}))
		}
		maps(all[1:])
		in := w.house.Property.Today(time.Now()) + 3
		_, err := w.ledger.Receive(t.Context(), ledger.Receipt{
			ChannelID: "ch_1", Key: "1", Ref: "R1", Event: "booked", Order: hotel.OrderNone,
			Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Byron"}, Rooms: []hotel.ChannelRoom{
				{Room: all[0].RemoteRoom, Rate: all[0].RemoteRate, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1},
			}},
		})
		w.check(err)
		wait(time.Second)
		came := len(w.net.got("partner"))
		if came != 2 {
			t.Fatalf("when it comes there are %d calls, want that it is made and that it is not mapped", came)
		}
		maps(all)
		wait(time.Second)
		maps(all)
		w.restart()
		wait(time.Minute)
		mapped := w.events(ledger.ReservationUpdated)
		if got := w.net.got("partner")[came:]; len(mapped) != 1 || len(got) != 1 || got[0].id != mapped[0] || !got[0].verified {
			t.Errorf("mapped, it is told %+v, want the one change of %v", got, mapped)
		}
	})
}
