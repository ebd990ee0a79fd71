package sync_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// What a live channel sells under which codes is changed while it sells: a code
// that is left out is closed, one that comes back opens, and one that stands for
// another room shows that room's numbers.
func TestMappingsOfALiveChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.live()
		b.pass(20 * time.Second)
		all := b.house.Mappings()
		first, other := all[0], all[slices.IndexFunc(all, func(m hotel.Mapping) bool { return m.RoomTypeID != all[0].RoomTypeID })]
		shown := b.shown(f)
		if shown[first.RemoteRoom] == 0 || shown[first.RemoteRoom] == shown[other.RemoteRoom] {
			t.Fatalf("the test needs rooms of different numbers, it has %v", shown)
		}

		b.remap("a", slices.DeleteFunc(slices.Clone(all), func(m hotel.Mapping) bool { return m.RemoteRoom == first.RemoteRoom }))
		got := b.shown(f)
		if got[first.RemoteRoom] != 0 || got[other.RemoteRoom] != shown[other.RemoteRoom] {
			t.Errorf("without %s it shows %v, before %v", first.RemoteRoom, got, shown)
		}
		someNights := hotel.Span{From: b.first, To: b.first + 5}
		b.house.Stock(t, b.ldg, 0, someNights, hotel.InventoryEntry{OutOfOrder: hotel.Given(1)})
		b.pass(20 * time.Second)
		if got := b.shown(f); got[first.RemoteRoom] != 0 {
			t.Errorf("a fact opened a code that is not mapped: %v", got)
		}
		b.house.Stock(t, b.ldg, 0, someNights, hotel.InventoryEntry{OutOfOrder: hotel.Given(0)})

		b.remap("a", all)
		if got := b.shown(f); got[first.RemoteRoom] != shown[first.RemoteRoom] {
			t.Errorf("mapped again it shows %v, before %v", got, shown)
		}

		swapped := slices.Clone(all)
		for i, m := range all {
			switch m.RoomTypeID {
			case first.RoomTypeID:
				swapped[i].RemoteRoom = other.RemoteRoom
			case other.RoomTypeID:
				swapped[i].RemoteRoom = first.RemoteRoom
			}
		}
		b.remap("a", swapped)
		if got := b.shown(f); got[first.RemoteRoom] != shown[other.RemoteRoom] || got[other.RemoteRoom] != shown[first.RemoteRoom] {
			t.Errorf("swapped it shows %v, before %v", got, shown)
		}
	})
}

// remap changes the mappings of a channel by its plan and gives it time to take them.
func (b *bench) remap(id string, mappings []hotel.Mapping) {
	b.t.Helper()
	b.mapped(id, mappings)
	b.pass(20 * time.Second)
}

// mapped changes the mappings of a channel by its plan.
func (b *bench) mapped(id string, mappings []hotel.Mapping) {
	b.t.Helper()
	m := hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings}
	plan, err := b.eng.Plan(b.t.Context(), id, hotel.PlanQuery{Kind: hotel.PlanMapping, As: &m})
	if err == nil {
		m.Approval = hotel.Approval{PlanID: plan.ID, Accept: plan.Raises, AcceptedBy: "Ada"}
		err = b.eng.Map(b.t.Context(), testkit.Tester, id, m)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// shown is how many rooms a far side shows under each of its codes, on all nights
// together.
func (b *bench) shown(f testkit.FarSide) map[string]int {
	type night struct {
		room string
		date hotel.Date
	}
	rooms, seen := map[string]int{}, map[night]bool{}
	for _, c := range f.State(b.t).Cells {
		if n := (night{c.Room, c.Date}); !seen[n] {
			seen[n] = true
			rooms[c.Room] += c.Available
		}
	}
	return rooms
}
