package ledger

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// takesOnly has the channel take no night further ahead than so many days.
func (f *farSide) takesOnly(t *testing.T, days int) {
	t.Helper()
	f.days = days
	f.promises(t, promising(func(terms *hotel.Terms) { terms.HorizonDays, terms.Versions = days, true }))
}

// parties counts the counters that are parties from a night on.
func (h *house) parties(t *testing.T, from hotel.Date) int {
	t.Helper()
	return h.number(t, "SELECT COUNT(*) FROM party WHERE night >= ?", from)
}

// A channel is no party to nights further ahead than it takes: nothing of them is kept
// for it, whatever it may have sold of the others. With the day that brings such a night
// within its reach it shows there what was stated when it went live; where nothing was,
// nobody knows that before it is closed and listed. Then it is dealt rooms.
func TestAChannelIsNoPartyBeyondItsHorizon(t *testing.T) {
	for _, c := range []struct {
		name   string
		stated bool
	}{{"what it shows was stated", true}, {"nobody stated what it shows", false}} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			h.passes(t, 0)
			f := h.newFarSide(t, 0)
			f.takesOnly(t, 10)
			h.protect(t, hotel.Guarded)
			if c.stated {
				f.goLive(t)
			} else {
				must(h.ChannelReached(t.Context(), tester, f.id))(t)
				must2(h.ActivateChannel(t.Context(), tester, hotel.Once{}, f.id, must(h.Sequence(t.Context()))(t), hotel.Activation{AcceptedBy: "Ada"}))(t)
			}
			h.drain(t)
			f.catchUp(t)
			next := h.today + 11
			if n := h.parties(t, next); n > 0 {
				t.Errorf("the channel is party to %d nights that it does not take", n)
			}
			if _, _, err := h.book(h.double, next, next+1, hotel.Once{}); err != nil {
				t.Errorf("a night that the channel does not take: %v", err)
			}

			h.passes(t, 24*time.Hour)
			f.catchUp(t)
			if p := f.party(t, next); p.Unknown == c.stated {
				t.Errorf("a night that has come within its reach: %+v", p)
			}
			f.list(t)
			f.catchUp(t)
			h.drain(t)
			f.catchUp(t)
			if v := f.shown[f.counted(next)]; v == 0 {
				t.Errorf("it is dealt nothing of the night that has come within its reach: %+v", f.party(t, next))
			}
			if n := h.parties(t, next+1); n > 0 {
				t.Errorf("the channel is party to %d nights that it does not take yet", n)
			}
		})
	}
}

// A channel that comes to take fewer nights keeps beyond what it was granted and told
// there, and what nobody knows of it; where it has nothing, or was never told anything,
// it is a party no more.
func TestAHorizonThatShrinksLosesNoGrant(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	granted, nothing, nobodyKnows, untold := h.today+12, h.today+13, h.today+14, h.today+15
	if p := f.party(t, granted); p.Account == 0 {
		t.Fatalf("nothing is granted: %+v", p)
	}
	h.exec(t, fmt.Sprintf("UPDATE party SET account = 0, raised = 0, paid = 0 WHERE night = %d", nothing))
	h.exec(t, fmt.Sprintf("UPDATE party SET account = NULL WHERE night IN (%d, %d)", nobodyKnows, untold))
	h.exec(t, fmt.Sprintf("DELETE FROM stock_cell WHERE night = %d", untold))
	h.reopen(t)
	f.takesOnly(t, 10)
	h.drain(t)
	held := must((&tx{ctx: t.Context(), q: h.read, l: h.Ledger}).holdings(h.property.ID, hotel.Span{From: granted, To: untold}))(t)
	for night, want := range map[hotel.Date]bool{granted: true, nothing: false, nobodyKnows: true, untold: false} {
		if got := held.at(f.counters[0].Line, night) != nil; got != want {
			t.Errorf("%d days ahead it is a party: %t, want %t", night-h.today, got, want)
		}
	}
	if p := f.party(t, granted); p.Doing == exposure.Drained || p.Account == 0 {
		t.Errorf("what was granted beyond is %+v", p)
	}
}
