package ledger

import (
	"errors"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// refusal returns what was refused, and fails where nothing was.
func refusal(t *testing.T, err error) *hotel.Refusal {
	t.Helper()
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		t.Fatalf("not refused: %v", err)
	}
	return r
}

// disconnect ends the channel without force.
func (f *farSide) disconnect(t *testing.T) error {
	t.Helper()
	_, _, err := f.h.DisconnectChannel(t.Context(), tester, hotel.Once{}, f.id, 0, false)
	return err
}

// A paused channel that has taken its closing may have sold guarded rooms before it, of
// which nobody has heard. Until its bookings are listed it is neither disconnected nor
// joined to another place without force, what it was granted is shown as at risk, and
// nobody else is dealt it. Then it goes, and the rooms are the others'.
func TestAClosedChannelThatIsNotListedIsNotLetGo(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	night := h.today + 2
	granted := f.party(t, night).Account
	f.sell(f.counters[0], night)
	f.pause(t)
	f.mail, f.bookings = nil, f.mail // the notice of the sale is lost
	f.catchUp(t)
	if p := f.party(t, night); p.Doing != exposure.Closed || f.shown[f.counted(night)] != 0 {
		t.Fatalf("paused, it is at %+v", p)
	}
	for what, err := range map[string]error{"disconnected": f.disconnect(t), "joined to another place": f.rejoin()} {
		r := refusal(t, err)
		if r.Code != "closing_unacknowledged" || r.Members["cells"] != 0 || r.Members["date_from"] != h.today {
			t.Errorf("%s: %s %+v", what, r.Detail, r.Members)
		}
	}
	if n := f.state(t).RoomsAtRisk; n < granted {
		t.Errorf("%d rooms are at risk, it was granted %d of one night", n, granted)
	}
	f.mail = f.bookings // as a list shows it
	f.list(t)
	f.catchUp(t)
	if n := f.state(t).RoomsAtRisk; n != 0 {
		t.Errorf("%d rooms are at risk of a channel that is closed and listed", n)
	}
	if err := f.disconnect(t); err != nil {
		t.Fatalf("closed and listed: %v", err)
	}
	if _, _, err := h.book(h.double, night, night+1, hotel.Once{}); err != nil {
		t.Errorf("a room of a channel that is gone: %v", err)
	}
}

// What a channel of which no list proves anything was granted comes back by no waiting:
// it is disconnected by force, and what it has goes on counting and is shown.
func TestWhatAOneWayChannelWasGrantedGoesOnCounting(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(func(terms *hotel.Terms) { terms.ListsByDate = false }))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	f.pause(t)
	f.catchUp(t)
	if r := refusal(t, f.disconnect(t)); r.Code != "closing_unacknowledged" {
		t.Errorf("%s", r.Detail)
	}
	before := f.state(t).RoomsAtRisk
	must2(h.DisconnectChannel(t.Context(), tester, hotel.Once{}, f.id, 0, true))(t)
	if n := f.state(t).RoomsAtRisk; n != before || n == 0 {
		t.Errorf("%d rooms are at risk after it was disconnected, %d before", n, before)
	}
	left := 5 - h.number(t, "SELECT SUM(account) FROM party WHERE night = ?", h.today+2)
	for range left {
		must2(h.book(h.double, h.today+2, h.today+3, hotel.Once{}))(t)
	}
	if _, _, err := h.book(h.double, h.today+2, h.today+3, hotel.Once{}); refusedAs(err) != "not_available" {
		t.Errorf("a room that the channel may sell was sold directly: %v", err)
	}
}

// What a contract promises a channel is kept by the contract: it holds up nobody who
// disconnects it.
func TestAContractHoldsNoChannelUp(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	f.allot(t, 2, 2)
	f.catchUp(t)
	f.pause(t)
	f.catchUp(t)
	f.list(t)
	f.catchUp(t)
	if n := f.shown[f.counted(h.today+2)]; n != 0 {
		t.Errorf("paused, it shows %d rooms of its contract", n)
	}
	if err := f.disconnect(t); err != nil {
		t.Error(err)
	}
}

// counted is the cell of the counter of doubles on a night.
func (f *farSide) counted(night hotel.Date) hotel.Cell {
	return hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}
}
