package sync_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// losses are the rooms of a guarded pool that go though channels may sell them: a fact takes
// them, or the desk sells them knowingly. What channels could sell by then may be sold, and
// somebody is told of it at once.
type losses struct {
	dice    *rand.Rand
	units   map[hotel.Date]int // how many have gone since it was quiet
	decided map[hotel.Date]int // how many units more that channels can sell somebody has left as they are, at most
}

func newLosses(seed uint64) *losses {
	return &losses{dice: rand.New(rand.NewPCG(seed, 8)), units: map[hotel.Date]int{}, decided: map[hotel.Date]int{}}
}

// on is how many units of a night have gone.
func (l *losses) on(d hotel.Date) int {
	if l == nil {
		return 0
	}
	return l.units[d]
}

// settle has what channels could sell be sold or taken back: what was sold of it stays
// missing.
func (l *losses) settle(w *guarded) {
	if l == nil {
		return
	}
	for d := range l.units {
		l.units[d] = max(0, w.units(w.taken(d))-w.total[d])
	}
	heard := w.heard()
	for d := range l.decided {
		if w.beyond(d, heard[d]) <= 0 { // else it is what it was: a channel may have refused its closing
			delete(l.decided, d)
		}
	}
}

// lose takes a room away, sells one that a channel has, or decides that what is told of that
// is left as it is.
func (w *guarded) lose() {
	switch l := w.losses; l.dice.IntN(3) {
	case 0:
		d := w.first + 1 + hotel.Date(l.dice.IntN(3))
		if w.total[d] == 0 {
			return
		}
		w.total[d]--
		l.units[d]++
		w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: d, To: d}, hotel.InventoryEntry{Total: hotel.Given(w.total[d])})
	case 1:
		w.sellDealt(l.dice.IntN(2), w.first+1+hotel.Date(l.dice.IntN(3)))
	default:
		decided := map[string]bool{}
		for _, n := range toldOfLosses(w.t, w.ldg, w.house.Property.ID) {
			l.decided[n.night] = n.missing * max(1, w.shape.units) // what finds no place is told by the room, of any type
			if decided[n.conflict] {
				continue
			}
			decided[n.conflict] = true
			if _, _, err := w.ldg.ResolveConflict(context.Background(), testkit.Tester, hotel.Once{}, n.conflict, hotel.ConflictDecision{Option: hotel.OptionAccept}); err != nil {
				w.t.Error(err)
			}
		}
	}
	w.checkTold()
}

// sellDealt sells a room at the desk that a channel may sell as well.
func (w *guarded) sellDealt(room int, night hotel.Date) {
	r, _, err := w.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: w.house.Property.ID, RoomTypeID: w.house.Rooms[room].ID, RatePlanID: w.house.Plans[0].ID,
		Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"}, SellDealt: true,
	})
	if _, refused := errors.AsType[*hotel.Refusal](err); refused {
		return
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	w.direct[r.ID] = stay{id: r.ID, room: room, nights: r.Stay}
	w.atDesk++
	var sold [3]int
	sold[room]++
	w.losses.units[night] += w.units(sold)
}

// toldNight is a night of which an open conflict tells that granted rooms are gone: of which room
// type, and how many more of it channels can sell than there are.
type toldNight struct {
	conflict, room string
	night          hotel.Date
	missing        int
}

// toldOfLosses lists them.
func toldOfLosses(t testing.TB, ldg *ledger.Ledger, property string) (told []toldNight) {
	open, err := ldg.Conflicts(context.Background(), hotel.ConflictFilter{
		PropertyID: property, Kinds: []hotel.ConflictKind{hotel.ConflictExposed}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 100,
	})
	if err != nil {
		t.Error(err)
	}
	for _, c := range open {
		var facts ledger.ExposedFacts
		if err := json.Unmarshal(c.Facts, &facts); err != nil {
			t.Error(err)
		}
		if facts.Reason != "removed" && facts.Reason != "sold_dealt" {
			continue
		}
		for _, n := range facts.Nights {
			for d := n.From; d <= n.To; d++ {
				told = append(told, toldNight{c.ID, n.RoomTypeID, d, int(*n.Shown) - n.Free})
			}
		}
	}
	return told
}

// toldOf is how many open conflicts name each night.
func (w *guarded) toldOf() map[hotel.Date]int {
	of := map[hotel.Date]int{}
	for _, n := range toldOfLosses(w.t, w.ldg, w.house.Property.ID) {
		of[n.night]++
	}
	return of
}

// beyond is how many units more channels can sell on a night, by what they show and what of
// their sales the ledger has heard of, than there are.
func (w *guarded) beyond(d hotel.Date, heard int) (units int) {
	onSale := w.units(w.onSale(d))
	if onSale == 0 {
		return 0
	}
	return w.units(w.taken(d)) + w.units(w.atFarSides(d, true)) + onSale - max(w.total[d], heard)
}

// heard is how many units of each night the ledger has sold.
func (w *guarded) heard() map[hotel.Date]int {
	inv, err := w.ldg.Inventory(context.Background(), hotel.InventoryQuery{PropertyID: w.house.Property.ID, Span: hotel.Span{From: w.first, To: w.first + 5}})
	if err != nil {
		w.t.Error(err)
	}
	units := map[hotel.Date]int{}
	for _, c := range inv.Cells {
		for room, each := range []int{1, w.shape.units} {
			if c.RoomTypeID == w.house.Rooms[room].ID {
				units[c.Date] += each * c.Sold
			}
		}
	}
	return units
}

// checkTold checks that one open conflict names each night on which channels can sell more
// than there is, and more than somebody has left as it is, and that no night is named twice.
func (w *guarded) checkTold() {
	if w.losses == nil {
		return
	}
	told, heard := w.toldOf(), w.heard()
	for d := w.first + 1; d <= w.first+5; d++ {
		more := w.beyond(d, heard[d])
		if told[d] > 1 || told[d] == 0 && more > w.losses.decided[d] {
			w.t.Errorf("%s: channels can sell %d units more than there are on %s, of which %d conflicts are told", time.Now().Format(time.TimeOnly), more, d, told[d])
		}
	}
}

// toldStill names a night of which a conflict is told though nothing is missing there.
func (w *guarded) toldStill() string {
	if w.losses == nil || w.keeps { // who gives nothing back may sell it for good
		return ""
	}
	told := w.toldOf()
	for d := w.first + 1; d <= w.first+5; d++ {
		if told[d] > 0 && w.units(w.taken(d))+w.units(w.atFarSides(d, true)) <= w.total[d] && w.beyond(d, 0) <= 0 {
			return fmt.Sprintf("a conflict tells of %s, where nothing is missing\n%s", d, w.known(d))
		}
	}
	return ""
}

// lag is how many cells the channel is still to be told.
func (k *kinds) lag() int {
	k.t.Helper()
	states, err := k.ldg.Channels(k.t.Context(), k.house.Property.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	return states[0].Lag
}

// A room that a channel was granted is sold knowingly while a price list of the whole house is
// on its way: the channel is closed at once, before the prices, and whoever is there is told
// until its bookings are listed. What is left is dealt again, and nothing is sold twice.
func TestARoomSoldKnowinglyIsClosedBeforePrices(t *testing.T) {
	guards(t, []string{"push"}, func(k *kinds) {
		night := k.first + 3
		if n := k.shows(k.far[0], suite, night); n != testkit.Suites {
			k.t.Fatalf("%d suites are on sale, want all %d", n, testkit.Suites)
		}
		settings := k.far[0].Settings(2) // updates a minute: the price list takes more
		if _, _, err := k.ldg.ChangeChannel(k.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Settings = settings
			return nil
		}); err != nil {
			k.t.Fatal(err)
		}
		k.pass(time.Minute)
		open := func() int {
			all, err := k.ldg.Conflicts(k.t.Context(), hotel.ConflictFilter{
				PropertyID: k.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictExposed}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10,
			})
			if err != nil {
				k.t.Fatal(err)
			}
			return len(all)
		}
		for room := range k.house.Rooms {
			for d := k.first; d <= k.first+testkit.HorizonDays; d++ {
				k.house.Price(k.t, k.ldg, room, hotel.Span{From: d, To: d}, int64(5000+(100*room+int(d))%997))
			}
		}
		k.pass(20 * time.Second)
		if k.lag() == 0 {
			k.t.Fatal("the price list is told before anything is sold")
		}
		if _, _, err := k.ldg.CreateReservation(k.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: k.house.Property.ID, RoomTypeID: k.house.Rooms[suite].ID, RatePlanID: k.house.Plans[0].ID,
			Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"}, SellDealt: true,
		}); err != nil {
			k.t.Fatal(err)
		}
		if n := open(); n != 1 {
			k.t.Errorf("%d conflicts tell of it at once, want 1", n)
		}
		k.pass(3 * time.Second)
		if n := k.shows(k.far[0], suite, night); n != 0 {
			k.t.Errorf("%d suites are on sale after 3 s", n)
		}
		if k.lag() == 0 {
			k.t.Error("the price list was told first")
		}
		k.pass(10 * time.Minute)
		if n := k.shows(k.far[0], suite, night); n != testkit.Suites-1 {
			k.t.Errorf("%d suites are on sale in the end, one of %d is sold", n, testkit.Suites)
		}
		if n := open(); n != 0 {
			k.t.Errorf("%d conflicts tell of it still", n)
		}
	})
}
