package sync_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A horizon that somebody sets for a channel keeps nothing of the nights beyond it from
// the others: what it was dealt there is taken back, and they sell all of it.
func TestNightsBeyondAHorizonThatIsSetAreTheOthers(t *testing.T) {
	guards(t, []string{"pull", "pull"}, func(k *kinds) {
		night := k.first + 12
		if k.shows(k.far[0], suite, night) == 0 {
			k.t.Fatal("nothing is dealt to the channel")
		}
		days := 10
		if _, _, err := k.ldg.ChangeChannel(k.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Days = &days
			return nil
		}); err != nil {
			k.t.Fatal(err)
		}
		k.eng.Renew("a")
		sold := 0
		for k.pass(3 * time.Minute); k.shows(k.far[1], suite, night) > 0; k.pass(3 * time.Minute) {
			k.sell(k.far[1], k.wish(suite, 0, night))
			sold++
		}
		if sold != testkit.Suites {
			k.t.Errorf("of %d suites %d are sold by the other channel", testkit.Suites, sold)
		}
		if k.shows(k.far[0], suite, k.first+10) == 0 || k.shows(k.far[0], suite, night) != 0 {
			k.t.Error("it is not sold just as far ahead as somebody has set")
		}
	})
}
