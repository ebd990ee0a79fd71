package availability_test

import (
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// world is a random property on a random night.
type world struct {
	pools []availability.Pool
	rooms []availability.Room
	night availability.Night
}

func (w world) layout() *availability.Layout { return availability.NewLayout(w.pools, w.rooms) }

// drawWorld makes a house that is small enough for every assignment to be tried.
func drawWorld(t *rapid.T) world {
	number := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "n") }
	w := world{night: availability.Night{HouseLimit: rapid.SampledFrom([]int{availability.NoLimit, 3, 8}).Draw(t, "house limit")}}
	for range number(1, 3) {
		w.pools = append(w.pools, availability.Pool{Rooms: number(1, 2)})
		w.night.Pools = append(w.night.Pools, availability.PoolNight{
			Total: number(0, 4), OutOfOrder: number(0, 1), OutOfInventory: number(0, 1), Overbooking: number(0, 1),
		})
	}
	largest := number(1, 3) // in half of the worlds some draws take several units
	for range number(1, 3) {
		var r availability.Room
		for range number(1, 2) {
			d := availability.Draw{Units: number(1, largest)}
			for range number(1, 3) {
				d.AnyOf = append(d.AnyOf, number(0, len(w.pools)-1))
			}
			r.Draws = append(r.Draws, d)
		}
		w.rooms = append(w.rooms, r)
		w.night.Rooms = append(w.night.Rooms, availability.RoomNight{
			Sold: number(0, 2), Held: number(0, 1), Blocked: number(0, 1),
			SellLimit: number(availability.NoLimit, 3), Closed: number(0, 9) == 0,
		})
	}
	return w
}

// place tries every way of giving the needs their pools, one unit after the
// other, and returns the fewest units that were short.
func place(left []int, needs []availability.Draw) int {
	if len(needs) == 0 {
		short := 0
		for _, n := range left {
			if n < 0 {
				short -= n
			}
		}
		return short
	}
	best := 1 << 30
	for _, p := range needs[0].AnyOf {
		left[p] -= needs[0].Units
		best = min(best, place(left, needs[1:]))
		left[p] += needs[0].Units
	}
	return best
}

// short places so many rooms of each type.
func (w world) short(rooms []int) int {
	left := make([]int, len(w.pools))
	for i, p := range w.night.Pools {
		left[i] = p.Total - p.OutOfOrder - p.OutOfInventory + p.Overbooking
	}
	var needs []availability.Draw
	for i, n := range rooms {
		for range n {
			needs = append(needs, w.rooms[i].Draws...)
		}
	}
	return place(left, needs)
}

// taken counts the rooms of each type that somebody has.
func (w world) taken() []int {
	var rooms []int
	for _, r := range w.night.Rooms {
		rooms = append(rooms, r.Sold+r.Held+r.Blocked)
	}
	return rooms
}

// net moves rooms of one type in until one of somebody's finds no place.
func (w world) net(room int) int {
	rooms := w.taken()
	had := rooms[room]
	rooms[room] = 0
	without := w.short(rooms)
	for w.short(rooms) == without {
		rooms[room]++
	}
	return rooms[room] - 1 - had
}

func equalsTryingEveryAssignment(t *rapid.T) {
	w := drawWorld(t)
	for i, got := range w.layout().House(&w.night) {
		if want := w.net(i); got.Net != want {
			t.Fatalf("room type %d: net %d, want %d", i, got.Net, want)
		}
		if got.Free != max(0, got.Net) {
			t.Fatalf("room type %d: free %d of net %d", i, got.Free, got.Net)
		}
		open := 0
		for got.Free > open && w.mayAlsoSell(i, open+1) {
			open++
		}
		if got.Open != open {
			t.Fatalf("room type %d: open %d, want %d", i, got.Open, open)
		}
		if w.night.Rooms[i].Closed {
			open = 0
		}
		if got.Available != open {
			t.Fatalf("room type %d: available %d, want %d", i, got.Available, open)
		}
	}
}

func TestHouseEqualsTryingEveryAssignment(t *testing.T) { rapid.Check(t, equalsTryingEveryAssignment) }

func FuzzHouse(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("two pools and a choice between them, with a suite of two rooms"))
	f.Fuzz(rapid.MakeFuzz(equalsTryingEveryAssignment))
}

// A search without end is given up, and then nothing is shown that is not there.
func TestHouseGivesUpALongSearch(t *testing.T) {
	rooms := []availability.Room{
		of("2A/B/C/D"), of("3A/B/C/D"), of("5A/B/C"), of("7B/C/D"), of("3A/C"), of("2B/D"), of("5A/D"),
	}
	night := availability.Night{Pools: units(103, 103, 103, 103), HouseLimit: availability.NoLimit}
	for range rooms {
		night.Rooms = append(night.Rooms, taken(14))
	}
	left := 4*103 - 14*(2+3+5+7+3+2+5)
	for i, h := range layoutOf(4, rooms...).House(&night) {
		if h.Net > left/rooms[i].Draws[0].Units {
			t.Errorf("room type %d: net %d of %d units left", i, h.Net, left)
		}
	}
}

// mayAlsoSell reports whether the limits let n more rooms of a type be sold.
func (w world) mayAlsoSell(room, n int) bool {
	inHouse, sold := 0, 0
	for i, rooms := range w.taken() {
		if i == room {
			rooms += n
			sold = rooms - w.night.Rooms[i].Blocked
		}
		for range rooms {
			for _, d := range w.rooms[i].Draws {
				fewest := w.pools[d.AnyOf[0]].Rooms
				for _, p := range d.AnyOf {
					fewest = min(fewest, w.pools[p].Rooms)
				}
				inHouse += fewest * d.Units
			}
		}
	}
	limit := w.night.Rooms[room].SellLimit
	return (limit == availability.NoLimit || sold <= limit) &&
		(w.night.HouseLimit == availability.NoLimit || inHouse <= w.night.HouseLimit)
}

func TestHouseMovesByOneAndNeverUpwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		before := w.layout().House(&w.night)
		room := rapid.IntRange(0, len(w.rooms)-1).Draw(t, "sold room")
		w.night.Rooms[room].Sold++
		for i, after := range w.layout().House(&w.night) {
			if i == room && after.Net != before[i].Net-1 {
				t.Fatalf("a sale moves its own net from %d to %d", before[i].Net, after.Net)
			}
			if after.Net > before[i].Net && before[i].Net >= 0 || after.Available > before[i].Available {
				t.Fatalf("a sale of room type %d raises room type %d from %+v to %+v", room, i, before[i], after)
			}
		}
		if w.night.Rooms[room].Sold--; w.short(w.taken()) > 0 {
			return // a unit more may give somebody a place who takes that of another
		}
		pool := rapid.IntRange(0, len(w.pools)-1).Draw(t, "pool")
		w.night.Pools[pool].Total++
		for i, after := range w.layout().House(&w.night) {
			if after.Net < before[i].Net {
				t.Fatalf("one more unit lowers room type %d from %+v to %+v", i, before[i], after)
			}
		}
	})
}

func TestExplainIsTheSameComputation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for i := range w.rooms {
			w.rooms[i].Given = rapid.IntRange(0, 4).Draw(t, "given") == 0
			w.night.Rooms[i].Given = rapid.IntRange(0, 4).Draw(t, "number")
		}
		for i, want := range w.layout().House(&w.night) {
			var tr hotel.Trace
			if got := w.layout().Explain(&w.night, i, &tr); got != want {
				t.Fatalf("room type %d: explained %+v, house %+v", i, got, want)
			}
			count := 0
			for _, s := range tr.Steps {
				if count += s.Change; count != s.Count {
					t.Fatalf("room type %d: after %s the changes come to %d, the count is %d", i, s.Name, count, s.Count)
				}
			}
			if count != want.Open {
				t.Fatalf("room type %d: the steps end at %d, open %d", i, count, want.Open)
			}
		}
	})
}
