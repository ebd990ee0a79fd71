package sync_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// pause stops a channel's sales.
func (b *bench) pause(id string, freeze bool) {
	b.t.Helper()
	if _, _, err := b.ldg.PauseChannel(b.t.Context(), testkit.Tester, hotel.Once{}, id, 0, freeze); err != nil {
		b.t.Fatal(err)
	}
	b.eng.Renew(id)
}

// disconnect ends a channel without force.
func (b *bench) disconnect(id string) error {
	_, _, err := b.ldg.DisconnectChannel(b.t.Context(), testkit.Tester, hotel.Once{}, id, 0, false)
	b.eng.Renew(id)
	return err
}

// atRisk is how many rooms a channel is said to be able to sell while it stands still.
func (b *bench) atRisk(id string) int {
	b.t.Helper()
	state, err := b.ldg.Channel(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return state.RoomsAtRisk
}

// A paused channel of a guarded pool is closed, and asked for its bookings as before: what
// it sold just before the closing is heard of by that, and then it can be disconnected. The
// other channel is dealt what is left.
func TestAPausedChannelIsDrained(t *testing.T) {
	guards(t, []string{"pull", "pull"}, func(k *kinds) {
		night := k.first + 3
		granted := k.shows(k.far[0], suite, night)
		if granted == 0 {
			k.t.Fatal("nothing is dealt to the channel")
		}
		if _, err := k.far[0].Book().Sell(k.wish(suite, 0, night)); err != nil {
			k.t.Fatal(err)
		}
		k.pause("a", false)
		if err := k.disconnect("a"); codeOf(err) != "closing_unacknowledged" {
			k.t.Errorf("disconnected at once: %v", err)
		}
		if n := k.atRisk("a"); n < granted {
			k.t.Errorf("%d rooms are at risk, it was granted %d of one night", n, granted)
		}
		k.pass(3 * time.Minute)
		if n := k.rooms(k.far[0]); n != 0 {
			k.t.Errorf("paused, it shows %d rooms", n)
		}
		if n := k.atRisk("a"); n != 0 {
			k.t.Errorf("closed and listed, %d rooms are at risk", n)
		}
		if err := k.disconnect("a"); err != nil {
			k.t.Errorf("closed and listed: %v", err)
		}
		sold := 1
		for k.pass(3 * time.Minute); k.shows(k.far[1], suite, night) > 0; k.pass(3 * time.Minute) {
			if _, err := k.far[1].Book().Sell(k.wish(suite, 0, night)); err != nil {
				k.t.Fatal(err)
			}
			sold++
		}
		if sold != testkit.Suites {
			k.t.Errorf("of %d suites %d are sold, though the other channel sells all that it is dealt", testkit.Suites, sold)
		}
	})
}
