package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

// dealtOut is a channel that was granted and shows all of the five doubles of a night.
func dealtOut(t *testing.T) (*house, *farSide, hotel.Date) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	if err := h.MapChannel(t.Context(), tester, f.id, 0, hotel.PerRoom, []hotel.Mapping{{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"}}); err != nil {
		t.Fatal(err)
	}
	f.counters, f.mappings, _ = h.Lines(t.Context(), f.id)
	f.promises(t, promising(nil))
	h.protect(t, hotel.Guarded)
	f.goLive(t)
	h.drain(t)
	night := h.today + 2
	if n := f.party(t, night).Account; n != 5 {
		t.Fatalf("the channel was granted %d doubles of five", n)
	}
	return h, f, night
}

// exposures lists the open conflicts about rooms that channels may still sell.
func (h *house) exposures(t *testing.T) (open []ExposedFacts) {
	t.Helper()
	for _, c := range h.conflicts(t, hotel.ConflictExposed) {
		if c.Status != hotel.ConflictOpen {
			continue
		}
		if c.Severity != hotel.Critical || c.Subject.Type != "cell" {
			t.Errorf("raised %+v", c)
		}
		open = append(open, must(exposedFactsOf(&c))(t))
	}
	return open
}

// A room goes out of order, capacity is lowered, a block or a guest takes a room, or
// somebody sells one knowingly, while the channel may sell them all: whoever is there is
// told at once, and it is over when the channel is closed and listed.
func TestWhoeverIsThereHearsOfGrantedRoomsThatAreGone(t *testing.T) {
	stock := func(e hotel.InventoryEntry) func(*testing.T, *house, hotel.Date) {
		return func(t *testing.T, h *house, night hotel.Date) {
			e.RoomTypeID, e.Dates = h.double.ID, hotel.Dates{Span: hotel.Span{From: night, To: night}}
			must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{e}}))(t)
		}
	}
	for name, c := range map[string]struct {
		reason string
		fact   func(*testing.T, *house, hotel.Date)
	}{
		"out of order": {exposedRemoved, stock(hotel.InventoryEntry{OutOfOrder: hotel.Given(1)})},
		"fewer rooms":  {exposedRemoved, stock(hotel.InventoryEntry{Total: hotel.Given(4)})},
		"sold knowingly": {exposedSold, func(t *testing.T, h *house, night hotel.Date) {
			must2(h.CreateReservation(t.Context(), tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2,
				Guest: hotel.Guest{LastName: "Guest"}, SellDealt: true,
			}))(t)
		}},
		"a block": {exposedRemoved, func(t *testing.T, h *house, night hotel.Date) {
			h.block(t, hotel.Definite, hotel.BlockLine{RoomTypeID: h.double.ID, DateFrom: night, DateTo: night, Units: 1})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h, f, night := dealtOut(t)
			if got := h.exposures(t); len(got) != 0 {
				t.Fatalf("told %+v before anything happened", got)
			}
			c.fact(t, h, night)
			got := h.exposures(t)
			if len(got) != 1 || got[0].Reason != c.reason || len(got[0].Nights) != 1 {
				t.Fatalf("told %+v, want one of %s", got, c.reason)
			}
			if n := got[0].Nights[0]; n.RoomTypeID != h.double.ID || n.Span != (hotel.Span{From: night, To: night}) || *n.Shown != 5 || n.Free != 4 {
				t.Errorf("told of %+v, where four are left of five that the channel may sell", n)
			}
			h.drain(t)
			for f.derive(t) {
			}
			if v := f.tells(t, night); v != 0 {
				t.Fatalf("the channel is told %d", v)
			}
			f.take(0, nil)
			f.settle(t, 0, Settlement{State: DeliveryApplied})
			if len(h.exposures(t)) != 1 {
				t.Error("over before anybody knows what the channel has sold")
			}
			h.clock.move(time.Second)
			f.list(t)
			if got := h.exposures(t); len(got) != 0 {
				t.Errorf("told %+v though the channel is closed and listed", got)
			}
		})
	}
}

// What somebody has decided is not asked again while no more rooms are gone; what is over
// by the calendar ends.
func TestGrantedRoomsThatAreGoneAreAskedAboutOnce(t *testing.T) {
	h, _, night := dealtOut(t)
	lower := func(of hotel.Date, total int) {
		t.Helper()
		must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
			RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: of, To: of}}, Total: hotel.Given(total),
		}}}))(t)
	}
	lower(night, 4)
	h.resolve(t, h.conflict(t, hotel.ConflictExposed), hotel.OptionAccept, "")
	must(h.setPrice(h.double, h.flex, night, night, 9000))(t)
	h.closeNights(t, night+1, night+1, true)
	h.drain(t)
	if got := h.exposures(t); len(got) != 0 {
		t.Errorf("asked again: %+v", got)
	}
	lower(night, 3)
	if got := h.exposures(t); len(got) != 1 || got[0].Nights[0].Free != 3 {
		t.Errorf("one room more is gone, told %+v", got)
	}
	h.clock.move(4 * 24 * time.Hour)
	if err := h.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.exposures(t); len(got) != 0 {
		t.Errorf("told of a night that is over: %+v", got)
	}
}
