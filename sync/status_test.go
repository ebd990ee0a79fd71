package sync_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// The status of the answer to a call is told with the call: of one that went well, of one that
// failed, and of one that was never answered none.
func TestTheStatusOfACallIsExplained(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   testkit.FaultKind
		outcome string
		status  int
	}{
		{"it went well", "", "applied", 200},
		{"it failed", testkit.ServerError, "unknown", 503},
		{"it was never answered", testkit.Timeout, "unknown", 0},
		{"the answer was cut off", testkit.Cut, "unknown", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, f := driftBench(t, "pull")
				defer b.stop()
				if c.fault != "" {
					f.Plant(t, testkit.Fault{Kind: c.fault, Seconds: 3600})
				}
				night := hotel.Span{From: b.first + 3, To: b.first + 3}
				b.house.Stock(t, b.ldg, suite, night, hotel.InventoryEntry{SellLimit: hotel.Given(1)})
				b.pass(time.Minute)
				of := hotel.ExplainQuery{ChannelID: "a", RoomTypeID: b.house.Rooms[suite].ID, RatePlanID: b.house.Plans[0].ID, Night: night.From}
				x, err := b.eng.Explain(t.Context(), of)
				if err != nil {
					t.Fatal(err)
				}
				at := slices.IndexFunc(x.Calls, func(call hotel.CarriedValue) bool {
					return call.Group == hotel.Availability && call.Value.Available == 1
				})
				if at < 0 || x.Calls[at].HTTPStatus != c.status || x.Calls[at].Outcome != c.outcome {
					t.Errorf("its calls are %+v", x.Calls)
				}
			})
		})
	}
}
