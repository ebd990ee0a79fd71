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
				must2(h.ActivateChannel(t.Context(), tester, hotel.Once{}, f.id, must(h.Sequence(t.Context()))(t), hotel.Approval{AcceptedBy: "Ada"}))(t)
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

// A channel that comes to take fewer nights keeps beyond what it was granted there, and
// what nobody knows of it, until it has been closed and listed. What was never told
// anything is no party there.
func TestAHorizonThatShrinksLosesNoGrant(t *testing.T) {
	h := newHouse(t)
	h.passes(t, 0)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	next, granted, nobodyKnows, untold := h.today+11, h.today+12, h.today+13, h.today+14
	if p := f.party(t, granted); p.Account == 0 {
		t.Fatalf("nothing is granted: %+v", p)
	}
	h.exec(t, fmt.Sprintf("UPDATE party SET account = NULL WHERE night IN (%d, %d)", nobodyKnows, untold))
	h.exec(t, fmt.Sprintf("DELETE FROM stock_cell WHERE night = %d", untold))
	h.reopen(t)
	f.takesOnly(t, 10)
	h.drain(t)
	held := must((&tx{ctx: t.Context(), q: h.read, l: h.Ledger}).holdings(h.property.ID, hotel.Span{From: granted, To: untold}))(t)
	for night, want := range map[hotel.Date]bool{granted: true, nobodyKnows: true, untold: false} {
		if got := held.at(f.counters[0].Line, night) != nil; got != want {
			t.Errorf("%d days ahead it is a party: %t, want %t", night-h.today, got, want)
		}
	}
	if p := f.party(t, granted); p.Doing == exposure.Drained || p.Account == 0 {
		t.Errorf("what was granted beyond is %+v", p)
	}
	f.catchUp(t)
	f.list(t)
	for _, night := range []hotel.Date{granted, nobodyKnows} {
		if p := f.party(t, night); p.Doing != exposure.Drained || p.Account != 0 || f.shown[f.counted(night)] != 0 {
			t.Errorf("%d days ahead it shows %d, closed and listed: %+v", night-h.today, f.shown[f.counted(night)], p)
		}
		must2(h.book(h.double, night, night+1, hotel.Once{}))(t) // what came back is the desk's
	}

	h.passes(t, 24*time.Hour)
	f.catchUp(t)
	if v := f.shown[f.counted(next)]; v == 0 {
		t.Errorf("it is dealt nothing of a night that has come within its reach again: %+v", f.party(t, next))
	}
}

// A counter that has sold all it was granted shows a room again when a guest cancels. So
// beyond what its channel takes by now it stays a party: nothing that it does not pay for
// is told there, and such a room is free when the counter is closed and listed.
func TestAHorizonThatShrinksKeepsWhatWasSold(t *testing.T) {
	h := newHouse(t)
	h.passes(t, 0)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	night := h.today + 12
	sold := 0
	for ; f.shown[f.counted(night)] > 0; sold++ {
		f.sell(f.counters[0], night)
		for len(f.mail) > 0 {
			f.hear(t, 0)
		}
	}
	if p := f.party(t, night); sold == 0 || p.Account != sold {
		t.Fatalf("it has sold %d: %+v", sold, p)
	}
	f.takesOnly(t, 10)
	h.drain(t)
	told := func() {
		t.Helper()
		for _, c := range f.dirty(t) {
			if c.Cell.Group == hotel.Availability && c.Cell.Night > h.today+10 && c.Value > 0 {
				t.Errorf("%d days ahead it is told to show %d", c.Cell.Night-h.today, c.Value)
			}
		}
	}
	told()
	if p := f.party(t, night); p.Account != sold {
		t.Fatalf("beyond, of %d rooms sold it has %d: %+v", sold, p.Account, p)
	}

	f.catchUp(t)
	f.list(t)
	left := h.undealt(t, night)
	f.revoke(0)
	f.hear(t, 0)
	if is := h.undealt(t, night); is != left {
		t.Errorf("a cancelled room that the channel shows is free: %d rooms, there were %d", is, left)
	}
	told()
	f.catchUp(t)
	f.list(t)
	if is := h.undealt(t, night); is != left+1 || f.shown[f.counted(night)] != 0 {
		t.Errorf("closed and listed, %d rooms are free, want %d; it shows %d", is, left+1, f.shown[f.counted(night)])
	}
}

// undealt is how many doubles may be sold directly on a night.
func (h *house) undealt(t *testing.T, night hotel.Date) int {
	t.Helper()
	b := must(h.Board(t.Context(), h.property.ID))(t)
	room, _ := b.Room(h.double.ID)
	return b.Undealt(night)[room].Available
}
