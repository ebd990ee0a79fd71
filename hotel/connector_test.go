package hotel_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

func TestWhenAChannelIsInError(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name string
		link hotel.Link
		want bool
	}{
		{"it is well", hotel.Link{Open: true}, false},
		{"it cannot be opened", hotel.Link{Failure: "a setting is missing"}, true},
		{"nobody has opened it yet", hotel.Link{}, false},
		{"its calls have failed for a while", hotel.Link{Open: true, Cause: hotel.Failing, Since: now.Add(-15 * time.Minute)}, false},
		{"its calls have failed for long", hotel.Link{Open: true, Cause: hotel.Failing, Since: now.Add(-16 * time.Minute)}, true},
		{"it cannot be opened and has failed for a while", hotel.Link{Failure: "a setting is missing", Cause: hotel.Failing, Since: now.Add(-time.Minute)}, true},
		{"its credentials are refused", hotel.Link{Open: true, Cause: hotel.Denied, Since: now}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.link.Erring(now); got != c.want {
				t.Errorf("in error: %t, want %t", got, c.want)
			}
		})
	}
}
