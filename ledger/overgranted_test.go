package ledger

import (
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// dealtOut is a channel that was granted and shows all of the five doubles of a night.
func dealtOut(t *testing.T) (*house, *farSide, hotel.Date) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	if err := h.MapChannel(t.Context(), tester, f.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"}}}); err != nil {
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
		"sold beyond what is free": {exposedSold, func(t *testing.T, h *house, night hotel.Date) {
			must2(h.CreateReservation(t.Context(), tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2,
				Guest: hotel.Guest{LastName: "Guest"}, Overbook: true,
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

// lowered states how many doubles there are on nights.
func (h *house) lowered(t *testing.T, total int, nights ...hotel.Date) {
	t.Helper()
	u := hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api"}
	for _, d := range nights {
		u.Entries = append(u.Entries, hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: d, To: d}}, Total: hotel.Given(total)})
	}
	must2(h.UpdateInventory(t.Context(), tester, hotel.Once{}, u))(t)
	h.drain(t)
}

// exposedOn lists the nights of the open conflicts about rooms that channels may still sell.
func (h *house) exposedOn(t *testing.T) (nights []hotel.Date) {
	t.Helper()
	for _, facts := range h.exposures(t) {
		for _, n := range facts.Nights {
			for d := n.From; d <= n.To; d++ {
				nights = append(nights, d)
			}
		}
	}
	return nights
}

// What somebody has decided is not asked again while no more rooms are gone, whatever else
// is told and decided; what is over by the calendar ends.
func TestGrantedRoomsThatAreGoneAreAskedAboutOnce(t *testing.T) {
	h, _, night := dealtOut(t)
	decide := func(option string) {
		t.Helper()
		h.resolve(t, h.conflicts(t, hotel.ConflictExposed)[0], option, "")
	}
	tells := func(when string, want ...hotel.Date) {
		t.Helper()
		if got := h.exposedOn(t); !slices.Equal(got, want) {
			t.Errorf("%s it tells of %v, want %v", when, got, want)
		}
	}
	h.lowered(t, 4, night)
	decide(hotel.OptionAccept)
	must(h.setPrice(h.double, h.flex, night, night, 9000))(t)
	h.closeNights(t, night+5, night+5, true)
	h.drain(t)
	tells("after the decision")
	h.lowered(t, 4, night+1)
	tells("when another night is short", night+1)
	h.lowered(t, 4, night+3)
	tells("when a third is", night+1, night+3)
	decide(hotel.OptionCloseAll)
	h.drain(t)
	tells("after the second decision")
	h.lowered(t, 3, night)
	tells("when one room more is gone", night)
	h.lowered(t, 4, night)
	tells("when that is back")
	h.lowered(t, 5, night)
	h.lowered(t, 4, night)
	tells("when it is gone once more", night)
	h.clock.move(4 * 24 * time.Hour)
	if err := h.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells("when the night is over")
}

// A loss that was left as it is, and made good when the channel had been closed and listed,
// says nothing of the next one.
func TestALossIsToldAfterOneThatWasMadeGood(t *testing.T) {
	h, f, night := dealtOut(t)
	h.lowered(t, 4, night)
	h.resolve(t, h.conflict(t, hotel.ConflictExposed), hotel.OptionAccept, "")
	h.drain(t)
	for f.derive(t) {
	}
	f.sends(t) // that it is closed, and lists
	f.sends(t) // what it is granted then
	n := f.party(t, night).Account
	if n < 1 || n > 4 {
		t.Fatalf("the channel was granted %d doubles of four", n)
	}
	h.lowered(t, n-1, night)
	if got := h.exposedOn(t); !slices.Equal(got, []hotel.Date{night}) {
		t.Errorf("it tells of %v, want %s", got, night)
	}
}

// However many nights a change touches, they are told at once: one entry of the journal.
func TestWhatIsGoneOnManyNightsIsToldAtOnce(t *testing.T) {
	h, _, night := dealtOut(t)
	var nights []hotel.Date
	for i := range hotel.Date(20) {
		nights = append(nights, night+2*i)
	}
	before := must(h.Sequence(t.Context()))(t)
	h.lowered(t, 4, nights...)
	if got := h.exposedOn(t); !slices.Equal(got, nights) {
		t.Errorf("it tells of %v, want %v", got, nights)
	}
	told := 0
	for _, k := range h.kinds(t, before) {
		if k == ConflictDetected || k == ConflictChanged {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

// Of a long stay that takes rooms which a channel was granted all nights are told of as sold
// knowingly, those that are dealt later too.
func TestALongStayIsSoldKnowinglyOnAllNights(t *testing.T) {
	h, _, night := dealtOut(t)
	h.newChannel(t, "other") // whose counters are counted when a change is divided
	if err := h.MapChannel(t.Context(), tester, "other", hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
		{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, RemoteRoom: "T", RemoteRate: "F"},
	}}); err != nil {
		t.Fatal(err)
	}
	h.drain(t)
	const nights = 40
	if most := must(nightsAtOnce(t.Context(), h.read, h.property.ID))(t); most >= nights {
		t.Fatalf("%d nights are dealt at once", most)
	}
	must2(h.CreateReservation(t.Context(), tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: night, CheckOut: night + nights}, Adults: 2,
		Guest: hotel.Guest{LastName: "Guest"}, SellDealt: true,
	}))(t)
	check := func(when string) {
		t.Helper()
		got := h.exposures(t)
		if len(got) != 1 || got[0].Reason != exposedSold || len(h.exposedOn(t)) != nights {
			t.Errorf("%s told of %+v, want %d nights that were sold knowingly", when, got, nights)
		}
	}
	check("at once")
	h.drain(t)
	check("when all nights are dealt")
}
