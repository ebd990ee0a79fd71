package channex

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/channex/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// TestPropertiesElsewhere: amounts have as many decimals as the currency of the property, both
// ways, and the first night that is taken is the property's own.
func TestPropertiesElsewhere(t *testing.T) {
	for _, c := range []struct {
		currency hotel.Currency
		zone     string
		minor    int64
		first    int // of the nights that are taken, counted from the date in London
	}{
		{"JPY", "Asia/Tokyo", 12000, 1},
		{"KWD", "Asia/Kuwait", 35750, 0},
		{"USD", "Pacific/Honolulu", 9950, -1},
	} {
		t.Run(string(c.currency), func(t *testing.T) {
			clock := &hotelClock{time.Date(2027, 3, 10, 5, 0, 0, 0, time.UTC)}
			if c.first > 0 {
				clock.now = clock.now.Add(12 * time.Hour)
			}
			sim, err := simulator.Open(connectors.SimulatorOptions{
				Hotel: "P1", Secret: testSecret, Clock: clock, Currency: c.currency, TimeZone: c.zone,
				Products: []connectors.RemoteProduct{{Room: "T", RoomName: "Twin", Rate: "T-BAR", RateName: "Best"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(sim)
			t.Cleanup(func() { server.Close(); _ = sim.Close() })
			config := sound()
			config.URL, config.Property, config.APIKey, config.Currency = server.URL+"/api/v1", "P1", testSecret, c.currency
			client := transport.New(transport.Options{})
			t.Cleanup(client.CloseIdleConnections)
			with := connectors.Env{Client: client, Clock: clock, Log: zap.NewNop(), Shelf: kept{}}
			found, err := discover(t.Context(), config, with)
			if err != nil || len(found.Doubts) > 0 || fmt.Sprint(found.Features[:2]) != fmt.Sprintf("[currency=%s timezone=%s]", c.currency, c.zone) {
				t.Errorf("found is %+v, %v", found, err)
			}
			conn, err := open(t.Context(), config, with)
			if err != nil {
				t.Fatal(err)
			}
			first := hotel.DateIn(clock.now, time.UTC) + hotel.Date(c.first)
			for night, sold := range map[hotel.Date]bool{first - 1: false, first: true, first + 3: true} {
				k := connectors.Key{Room: "T", Group: hotel.Availability, Night: night}
				price := k
				price.Rate, price.Group = "T-BAR", hotel.Price
				offer := hotel.Offer{Amount: hotel.Money{Minor: c.minor, Currency: c.currency}}
				calls, refused := conn.Encode([]connectors.Change{{Key: k, Offer: hotel.Offer{Available: 2}}, {Key: price, Offer: offer}})
				if len(refused) > 0 {
					t.Fatalf("refused are %v", refused)
				}
				for _, call := range calls {
					answer, err := conn.Send(t.Context(), call)
					if err != nil || (answer.Rest == connectors.Applied && len(answer.Keys) == 0) != sold {
						t.Errorf("%s is answered %+v, %v", night, answer, err)
					}
				}
				if got, _ := sim.Book().Shown(price); sold && got.Amount != offer.Amount {
					t.Errorf("on %s %v is shown, want %v", night, got.Amount, offer.Amount)
				}
			}
			b, err := sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first + 3, CheckOut: first + 4, Adults: 2, LastName: "Hopper"})
			if err != nil {
				t.Fatal(err)
			}
			var got []connectors.Message
			if _, err := conn.(connectors.Poller).Poll(t.Context(), "", taken(func(m connectors.Message) { got = append(got, m) })); err != nil || len(got) != 1 {
				t.Fatalf("%d messages, %v", len(got), err)
			}
			if total := got[0].Booking.Total; total == nil || *total != b.Total() || got[0].Booking.Rooms[0].Amounts[0] != b.Total() {
				t.Errorf("it is of %v and %v, sold was %v", total, got[0].Booking.Rooms[0].Amounts, b.Total())
			}
		})
	}
}
