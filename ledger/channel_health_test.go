package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

// A channel that has confirmed everything owes nothing. What it was not told yet is named
// with the age of the oldest change, and a count takes from its change until it is
// confirmed, whatever was told meanwhile.
func TestChannelHealth(t *testing.T) {
	h := newHouse(t)
	h.passes(t, 0)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	health := func() hotel.ChannelHealth {
		t.Helper()
		return must(h.ChannelHealth(t.Context(), f.id))(t)
	}
	if got := health(); !got.Behind.IsZero() || got.Oldest != nil || got.Counts == 0 || got.Most != 0 {
		t.Errorf("up to date it is %+v", got)
	}
	all := health().Counts
	changed := h.clock.Now()
	must2(h.book(h.double, h.today+3, h.today+4, hotel.Once{}))(t)
	h.passes(t, 7*time.Second)
	f.derive(t)
	got := health()
	if want := (hotel.Unconfirmed{RoomTypeID: h.double.ID, Night: h.today + 3, Group: hotel.Availability}); !got.Behind.Equal(changed) || got.Oldest == nil || *got.Oldest != want {
		t.Errorf("with a sale that it does not know it is %+v of %+v", got, got.Oldest)
	}
	f.catchUp(t)
	if got := health(); !got.Behind.IsZero() || got.Oldest != nil || got.Counts != all || got.Half != 0 || got.Most != 7*time.Second {
		t.Errorf("told again it is %+v", got)
	}
	h.passes(t, 25*time.Hour)
	f.catchUp(t)
	if got := health(); got.Counts >= all {
		t.Errorf("a day later it has the counts of then: %+v", got)
	}
}
