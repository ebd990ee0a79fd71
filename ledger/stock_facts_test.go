package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestHouseLimit(t *testing.T) {
	h := newHouse(t)
	must(h.updateStock(hotel.InventoryEntry{Dates: h.span(10, 11), HouseLimit: hotel.Given(2)}))(t)
	if got := h.available(t, h.double, 9, 12) + h.available(t, h.suite, 9, 12); got != "[5 2 2 5][2 2 2 2]" {
		t.Errorf("available %s", got)
	}
	must2(h.book(h.suite, h.today+10, h.today+12, hotel.Once{}))(t)
	must2(h.book(h.twin, h.today+11, h.today+12, hotel.Once{}))(t)
	if got := h.available(t, h.double, 9, 12) + h.available(t, h.suite, 9, 12); got != "[5 1 0 5][2 1 0 2]" {
		t.Errorf("available beside two rooms %s", got)
	}
	_, _, err := h.book(h.double, h.today+10, h.today+12, hotel.Once{})
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok || r.Code != "not_available" || r.Members["reason"] != "house_limit" || fmt.Sprint(r.Members["nights"]) != fmt.Sprint([]hotel.Date{h.today + 11}) {
		t.Errorf("refused with %v %+v", err, r)
	}
	must(h.updateStock(hotel.InventoryEntry{Dates: h.span(11, 11), HouseLimit: null[int]()}))(t)
	must2(h.book(h.double, h.today+10, h.today+12, hotel.Once{}))(t)
	h.checkMemory(t)
	h.checkVerified(t)
}

// available lists what may be sold of a room type on some nights.
func (h *house) available(t tb, room hotel.RoomType, from, to hotel.Date) string {
	t.Helper()
	b := must(h.Board(context.Background(), h.property.ID))(t)
	at, _ := b.Room(room.ID)
	var rooms []int
	for d := from; d <= to; d++ {
		rooms = append(rooms, b.House(h.today + d)[at].Available)
	}
	return fmt.Sprint(rooms)
}

func (h *house) checkVerified(t *testing.T) {
	t.Helper()
	for _, d := range h.verified(t).Differences {
		t.Errorf("verify: %s", d)
	}
}

// What is kept back moves no house value; the channel hears of it all the same.
func TestWhatIsKeptFromAChannelIsWorkForIt(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	f := h.newFarSide(t, 0)
	f.goLive(t)
	h.newChannel(t, "ch_other")
	for f.derive(t) {
	}
	must(h.updateStock(
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 4), KeepBack: hotel.Given(hotel.ChannelQuantities{"*": hotel.Given(1), "ch_other": hotel.Given(4)})},
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(4, 4), ChannelLimits: hotel.Given(hotel.ChannelQuantities{f.id: hotel.Given(2)})},
	))(t)
	work := func() map[hotel.Date]availability.ChannelNight {
		kept := map[hotel.Date]availability.ChannelNight{}
		for _, s := range must(h.Work(ctx, f.id, Reach{}, Turn{}))(t).Stock {
			if s.Available != 5 {
				t.Errorf("the house has %d rooms", s.Available)
			}
			kept[s.Night-h.today] = s.Channel
		}
		return kept
	}
	want := map[hotel.Date]availability.ChannelNight{3: {KeepBack: 1}, 4: {KeepBack: 1, Limit: new(2)}}
	if diff := cmp.Diff(want, work()); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	for f.derive(t) {
	}
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 4), KeepBack: hotel.Given(hotel.ChannelQuantities{"*": null[int]()})}))(t)
	if diff := cmp.Diff(map[hotel.Date]availability.ChannelNight{3: {}, 4: {Limit: new(2)}}, work()); diff != "" {
		t.Errorf("kept once one is taken away (-want +got):\n%s", diff)
	}
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 4), ChannelLimits: null[hotel.ChannelQuantities](), KeepBack: null[hotel.ChannelQuantities]()}))(t)
	if diff := cmp.Diff(map[hotel.Date]availability.ChannelNight{3: {}, 4: {}}, work()); diff != "" {
		t.Errorf("kept once all is taken away (-want +got):\n%s", diff)
	}
	h.checkVerified(t)
}

func TestAnEntryOfStockNamesWhatItIsAbout(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct {
		name string
		e    hotel.InventoryEntry
		want string
	}{
		{"a limit of the house on a room type", hotel.InventoryEntry{RoomTypeID: h.double.ID, HouseLimit: hotel.Given(1)}, "/entries/0/values/house_limit type"},
		{"a closing of no room type", hotel.InventoryEntry{Closed: hotel.Given(true)}, "/entries/0/room_type_id required"},
		{"something kept back of a pool", hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], KeepBack: hotel.Given(hotel.ChannelQuantities{})}, "/entries/0/values pool_owned"},
		{"a number given of what is counted here", hotel.InventoryEntry{RoomTypeID: h.double.ID, Given: hotel.Given(1)}, "/entries/0/values/given read_only"},
		{"less than nothing kept back", hotel.InventoryEntry{RoomTypeID: h.double.ID, KeepBack: hotel.Given(hotel.ChannelQuantities{"ch/a": hotel.Given(-1)})}, "/entries/0/values/keep_back/ch~1a min"},
		{"a house below nothing", hotel.InventoryEntry{HouseLimit: hotel.Given(-1)}, "/entries/0/values/house_limit min"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.e.Dates = h.span(1, 2)
			if _, err := h.updateStock(c.e); faultOf(err) != c.want {
				t.Errorf("refused as %q, want %q", faultOf(err), c.want)
			}
		})
	}
}

// A version is that of all that stands written of a room type on a night.
func TestTheVersionOfACellCoversAllItsFacts(t *testing.T) {
	h := newHouse(t)
	entry := hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), KeepBack: hotel.Given(hotel.ChannelQuantities{"*": hotel.Given(1)})}
	upd := must(h.updateStock(entry))(t)
	closing := hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Closed: hotel.Given(true), ExpectedVersion: new(int64(0))}
	if _, err := h.updateStock(closing); faultOf(err) != "version_conflict" {
		t.Errorf("refused as %q", faultOf(err))
	}
	closing.ExpectedVersion = new(h.stock(t, h.double, 3, 3)[0].Version)
	if *closing.ExpectedVersion == 0 || *closing.ExpectedVersion > upd.Sequence {
		t.Errorf("version %d after entry %d", *closing.ExpectedVersion, upd.Sequence)
	}
	must(h.updateStock(closing))(t)
}

// newForeign is a house whose rooms another system counts.
func newForeign(t *testing.T) *house {
	h := newHouse(t)
	h.property = must(h.changeProperty(func(p *hotel.Property) { p.Mode = hotel.GivenMode }))(t)
	h.deriveAll(t)
	return h
}

func (h *house) give(t tb, room hotel.RoomType, from, to hotel.Date, rooms int) {
	t.Helper()
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: room.ID, Dates: h.span(from, to), Given: hotel.Given(rooms)}))(t)
}

// acknowledge is what the other system says of a reservation once it has it.
func (h *house) acknowledge(t tb, id string) {
	t.Helper()
	ctx := context.Background()
	must2(h.AcknowledgeReservation(ctx, tester, hotel.Once{}, id, hotel.AcknowledgeRequest{Revision: must(h.Reservation(ctx, id))(t).Revision}))(t)
}

func TestNothingIsSubtractedTwiceFromANumberThatIsGiven(t *testing.T) {
	h := newForeign(t)
	ctx := context.Background()
	want := func(what, rooms string) {
		t.Helper()
		if got := h.available(t, h.double, 10, 11); got != rooms {
			t.Errorf("%s: %s available, want %s", what, got, rooms)
		}
		h.checkMemory(t)
	}
	want("nothing was given", "[0 0]")
	h.give(t, h.double, 10, 11, 4)
	want("four were given", "[4 4]")
	first := must2(h.book(h.double, h.today+10, h.today+12, hotel.Once{}))(t)
	want("one is sold", "[3 3]")
	h.give(t, h.double, 10, 10, 4)
	want("the number was written before the other system knew", "[3 3]")
	h.acknowledge(t, first.ID)
	want("it was told", "[3 3]")
	h.give(t, h.double, 10, 10, 3)
	want("it has counted one night", "[3 3]")
	h.give(t, h.double, 11, 11, 4)
	want("the same number again counts as well", "[3 4]")
	second := must2(h.book(h.double, h.today+10, h.today+11, hotel.Once{}))(t)
	want("a second room", "[2 4]")
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, second.ID, hotel.CancelRequest{Reason: "x"}))(t)
	want("a cancellation adds nothing", "[2 4]")
	h.acknowledge(t, second.ID)
	want("a room that was never counted comes back when it is told", "[3 4]")
	h.give(t, h.double, 10, 10, 3)
	want("and its number is sold as it is", "[3 4]")
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, first.ID, hotel.CancelRequest{Reason: "x"}))(t)
	want("a room that was counted comes back when the other system says so", "[3 4]")
	h.give(t, h.double, 10, 11, 5)
	want("as it says now", "[5 5]")
}

// A system that tells only what has changed says nothing when a booking leaves a room type
// whose number never had it in: the number is right already. The room is free again when
// the system acknowledges the booking as it has become, and not before.
func TestARoomThatWasNeverCountedComesBack(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave func(h *house, r hotel.Reservation) error
		twins string
	}{
		{"to another room type", func(h *house, r hotel.Reservation) error {
			_, _, err := h.ChangeReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &h.twin.ID})
			return err
		}, "[1 1]"},
		{"to other nights", func(h *house, r hotel.Reservation) error {
			_, _, err := h.ChangeReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckIn: new(h.today + 20), CheckOut: new(h.today + 22)})
			return err
		}, "[2 2]"},
		{"cancelled", func(h *house, r hotel.Reservation) error {
			_, _, err := h.CancelReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.CancelRequest{Reason: "x"})
			return err
		}, "[2 2]"},
	} {
		for _, known := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, acknowledged before: %t", c.name, known), func(t *testing.T) {
				h := newForeign(t)
				want := func(what, doubles, twins string) {
					t.Helper()
					if got := h.available(t, h.double, 10, 11) + " " + h.available(t, h.twin, 10, 11); got != doubles+" "+twins {
						t.Errorf("%s: %s available, want %s %s", what, got, doubles, twins)
					}
					h.checkMemory(t)
				}
				h.give(t, h.double, 10, 21, 4)
				h.give(t, h.twin, 10, 21, 2)
				r := must2(h.book(h.double, h.today+10, h.today+12, hotel.Once{}))(t)
				if known {
					h.acknowledge(t, r.ID) // and no number follows before it leaves
				}
				want("sold", "[3 3]", "[2 2]")
				if err := c.leave(h, r); err != nil {
					t.Fatal(err)
				}
				want("it has left, and the other system does not know", "[3 3]", c.twins)
				h.acknowledge(t, r.ID)
				want("the other system knows, and its numbers are as they were", "[4 4]", c.twins)
				h.checkVerified(t)
			})
		}
	}
}

// What another system knows of a booking is told by the journal alone, also once
// it was cut, and of a booking that has changed from day to day.
func TestWhatAnotherSystemWasToldIsJournalled(t *testing.T) {
	h := newForeign(t)
	ctx := context.Background()
	seen := map[time.Time]string{}
	var order []time.Time
	look := func(at hotel.AsOf) string {
		var rooms []int
		for _, c := range must(h.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.property.ID, Span: h.span(10, 13).Span, RoomTypeIDs: []string{h.double.ID}, AsOf: at}))(t).Cells {
			rooms = append(rooms, c.Net)
		}
		return fmt.Sprint(rooms)
	}
	note := func() {
		at := h.clock.Now()
		order, seen[at] = append(order, at), look(hotel.AsOf{})
		h.clock.move(24 * time.Hour)
	}
	h.give(t, h.double, 10, 13, 5)
	note()
	r := must2(h.book(h.double, h.today+10, h.today+12, hotel.Once{}))(t)
	other := must2(h.book(h.double, h.today+10, h.today+14, hotel.Once{}))(t)
	note()
	h.acknowledge(t, r.ID)
	h.give(t, h.double, 10, 10, 4)
	note()
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckOut: new(h.today + 13)}))(t)
	note()
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, other.ID, hotel.CancelRequest{Reason: "x"}))(t)
	note()
	h.acknowledge(t, r.ID)
	h.acknowledge(t, other.ID)
	h.give(t, h.double, 12, 13, 4)
	note()
	if got := fmt.Sprint(seen[order[1]], seen[order[2]], seen[order[3]], seen[order[5]]); got != "[3 3 4 4][3 3 4 4][3 3 3 4][4 4 4 4]" {
		t.Errorf("seen %s", got)
	}
	for from := range order {
		if from > 0 {
			if err := h.CutJournal(ctx, order[from]); err != nil {
				t.Fatal(err)
			}
		}
		for _, at := range order[from:] {
			if got := look(hotel.AsOf{At: at}); got != seen[at] {
				t.Errorf("as of %s %s was seen, and after %d cuts %s", at, seen[at], from, got)
			}
		}
		h.checkVerified(t)
	}
	h.exec(t, "UPDATE foreign_night SET acknowledged = 1")
	if len(h.verified(t).Differences) == 0 {
		t.Error("what was planted is not found")
	}
}

// No more units are out of order or out of inventory than there are, whichever of
// the numbers is written last.
func TestUnitsAwayAreNoMoreThanThereAre(t *testing.T) {
	h := newHouse(t)
	write := func(e hotel.InventoryEntry) error {
		e.RoomTypeID, e.Dates = h.double.ID, h.span(3, 3)
		_, err := h.updateStock(e)
		return err
	}
	refused := func(name, pointer string, err error) {
		t.Helper()
		r := (*hotel.Refusal)(nil)
		if !errors.As(err, &r) || len(r.Items) != 1 || r.Items[0].Pointer != pointer || r.Items[0].Code != "max" || !strings.Contains(r.Items[0].Detail, (h.today+3).String()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("more than there are", "/entries/0/values/out_of_order", write(hotel.InventoryEntry{OutOfOrder: hotel.Given(6)}))
	must(0, write(hotel.InventoryEntry{OutOfOrder: hotel.Given(2), OutOfInventory: hotel.Given(2)}))(t)
	refused("both together", "/entries/0/values/out_of_inventory", write(hotel.InventoryEntry{OutOfInventory: hotel.Given(4)}))
	refused("fewer in the night", "/entries/0/values/total", write(hotel.InventoryEntry{Total: hotel.Given(3)}))
	lower := func(units int) error {
		_, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.TotalUnits = units })
		return err
	}
	refused("fewer in the pool", "/total_units", lower(3))
	must(0, lower(4))(t)
	must(0, write(hotel.InventoryEntry{Overbooking: hotel.Given(1)}))(t)
	must(0, write(hotel.InventoryEntry{Total: hotel.Given(9), OutOfOrder: hotel.Given(7)}))(t)
	must(0, lower(1))(t) // the night has a total of its own
}
