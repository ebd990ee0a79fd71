package all

import (
	"maps"
	"slices"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
)

// unplayed are the cases that a kind of far side cannot play though what they are about is
// declared, each kind with where that is shown instead.
var unplayed = map[string][]string{
	// Its calls ask for prices, and bring no booking; who asks is looked at in connectors/alpinebits TestAPortalThatAsksForPrices.
	"alpinebits asks": {"InboundDelivers", "InboundFailsWithItsHouse", "InboundKeepsWhatItCannotRead", "InboundNotAckedUntilDurable", "InboundRefusesForgery", "LateMessagesStayThemselves"},

	// What cannot be read comes behind all bookings: connectors/ical TestUnreadComesBehindBookings.
	"ical airbnb":  {"PollKeepsWhatItCannotRead"},
	"ical booking": {"PollKeepsWhatItCannotRead"},
	"ical vrbo":    {"PollKeepsWhatItCannotRead"},
}

// TestWhatIsDeclaredIsPlayed: whatever a connector declares is shown by the suite, for every
// kind of far side that its simulator can be.
func TestWhatIsDeclaredIsPlayed(t *testing.T) {
	left := maps.Clone(unplayed)
	for _, name := range connectors.SimulatorNames() {
		simulator, _ := connectors.LookupSimulator(name)
		for _, preset := range simulator.Presets {
			kind := name + " " + preset
			if kind == "ical rotates" {
				continue // its bookings have no name that stays: connectors/ical TestPollTellsWhatHasChanged
			}
			h, err := connectortest.Simulated(name, preset)
			if err != nil {
				t.Fatal(err)
			}
			results, err := connectortest.Unplayed(t.Context(), h)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range results {
				if got = append(got, r.Case); len(r.Failures) > 0 {
					t.Errorf("%s cannot be tried by %s: %q", kind, r.Case, r.Failures)
				}
			}
			if slices.Sort(got); !slices.Equal(got, unplayed[kind]) {
				t.Errorf("%s declares what these cases are about, and its far side cannot play them: %q; known are %q", kind, got, unplayed[kind])
			}
			delete(left, kind)
		}
	}
	for kind := range left {
		t.Errorf("there is no %s", kind)
	}
}
