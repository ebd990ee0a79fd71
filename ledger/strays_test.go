package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// recoded is a channel that sells both suites of a guarded night, and has given their
// room another code: a guest who bought one of them is told of under a code that nobody
// has mapped, and a double is held for him meanwhile.
type recoded struct {
	h     *house
	f     *farSide
	night hotel.Date
	guest hotel.Reservation

	adjusts hotel.Adjusts
}

func newRecoded(t *testing.T, terms hotel.Terms) *recoded {
	t.Helper()
	w := newGranted(t, terms, 3)
	w.f.sell(w.f.counters[1], w.night)
	w.f.mail[0].Booking.Rooms[0].Room = "X"
	w.guest = w.f.hear(t, 0).Reservations[0]
	if w.guest.RoomTypeID != "" || w.guest.HeldRoom != w.h.double.ID {
		t.Fatalf("the guest has %+v", w.guest)
	}
	return w
}

// newGranted is the same before anybody has bought anything; the channel was granted so
// many doubles.
func newGranted(t *testing.T, terms hotel.Terms, doubles int) *recoded {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	err := h.MapChannel(t.Context(), tester, f.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
		{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, RemoteRoom: "S", RemoteRate: "F"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if f.counters, f.mappings, err = h.Lines(t.Context(), f.id); err != nil {
		t.Fatal(err)
	}
	f.promises(t, terms)
	f.goLive(t)
	h.protect(t, hotel.Guarded)
	h.protectPool(t, h.suite, hotel.Guarded)
	f.catchUp(t)
	w := &recoded{h: h, f: f, night: h.today + 3, adjusts: terms.AdjustsOn}
	f.shown[f.counted(w.night)], f.shown[w.cell()] = int64(doubles), 2
	if err := h.write(t.Context(), urgent, tester, func(tx *tx) error {
		held, err := tx.holdings(h.property.ID, hotel.Span{From: w.night, To: w.night})
		if err != nil {
			return err
		}
		held.at(f.counters[0].Line, w.night).now = exposure.Party{Account: doubles}
		held.at(f.counters[1].Line, w.night).now = exposure.Party{Account: 2}
		return held.save()
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

// cell is that of the counter of suites, and party what it was granted.
func (w *recoded) cell() hotel.Cell {
	return hotel.Cell{Line: w.f.counters[1].Line, Group: hotel.Availability, Night: w.night}
}

func (w *recoded) party(t *testing.T) exposure.Party {
	t.Helper()
	held := must((&tx{ctx: t.Context(), q: w.h.read, l: w.h.Ledger}).holdings(w.h.property.ID, hotel.Span{From: w.night, To: w.night}))(t)
	return held.at(w.f.counters[1].Line, w.night).now
}

// takeBack closes the night there, and has its bookings listed.
func (w *recoded) takeBack(t *testing.T) {
	t.Helper()
	must2(w.h.UpdateInventory(t.Context(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: w.h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: w.h.suite.ID, Dates: hotel.Dates{Span: hotel.Span{From: w.night, To: w.night}}, Closed: hotel.Given(true),
	}}}))(t)
	w.f.sends(t)
}

// left is how many suites are neither sold nor granted to the channel.
func (w *recoded) left(t *testing.T) int {
	t.Helper()
	return w.leftOf(t, w.h.suite)
}

func (w *recoded) leftOf(t *testing.T, of hotel.RoomType) int {
	t.Helper()
	w.h.checkMemory(t)
	b := must(w.h.Board(t.Context(), w.h.property.ID))(t)
	room, _ := b.Room(of.ID)
	return b.Undealt(w.night)[room].Net
}

// says has the channel tell of one booking of the night; of two messages of the same
// instant nobody knows which is the newer.
func (w *recoded) says(t *testing.T, key, event, code string) {
	t.Helper()
	r := oneRoom(w.h, "1", event, hotel.ChannelRoom{Ref: "1", Room: code, Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2})
	r.Key, r.Order, r.Raw, r.Adjusts = key, hotel.OrderTime, []byte(key), w.adjusts
	must(w.h.Receive(t.Context(), r))(t)
}

// maps says what the code of the guest's room stands for.
func (w *recoded) maps(t *testing.T, room hotel.RoomType) {
	t.Helper()
	code := must(w.h.SoldAs(t.Context(), w.h.conflict(t, hotel.ConflictUnmapped).Subject.ID))(t)
	w.f.sells(t, append(must(w.h.Mappings(t.Context(), w.f.id))(t), hotel.Mapping{RoomTypeID: room.ID, RatePlanID: w.h.flex.ID, RemoteRoom: code.Room, RemoteRate: code.Rate})...)
	w.h.deriveAll(t)
}

// sends is catchUp that hears of nothing; each list that is waited for is read.
func (f *farSide) sends(t *testing.T) {
	t.Helper()
	mail := f.mail
	f.mail = nil
	f.catchUp(t)
	if _, waits, err := f.h.Unlisted(t.Context(), f.id); err != nil {
		t.Fatal(err)
	} else if waits {
		f.list(t)
		f.h.deriveAll(t)
	}
	f.mail = mail
}

// A booking under a code that nobody has mapped may be of any counter of its channel: when
// that is closed and listed, one of its rooms stays with it, whatever room is held for the
// guest. What the code is says whose it was.
func TestAnUnmappedBookingCountsWhereverItMayBelong(t *testing.T) {
	for name, terms := range map[string]hotel.Terms{
		"replenishes": promising(nil),
		"keeps its count": promising(func(terms *hotel.Terms) {
			terms.AdjustsOn.Cancel, terms.AdjustsOn.Modify = hotel.AdjustNo, hotel.AdjustNever
		}),
	} {
		t.Run(name, func(t *testing.T) {
			w := newRecoded(t, terms)
			if got := w.left(t); got != 0 {
				t.Fatalf("%d suites are left beside two that the channel was granted", got)
			}
			w.takeBack(t)
			if p := w.party(t); p.Doing != exposure.Drained || p.Account != 1 || w.left(t) != 1 {
				t.Fatalf("closed and listed, %d of two suites are left, and the channel is at %+v", w.left(t), p)
			}
			t.Run("it is a suite", func(t *testing.T) {
				w := newRecoded(t, terms)
				w.takeBack(t)
				w.maps(t, w.h.suite)
				w.f.sends(t)
				if p := w.party(t); p.Account != 0 || w.left(t) != 1 {
					t.Errorf("%d of two suites are left beside the guest's, and the old counter is at %+v", w.left(t), p)
				}
			})
			t.Run("it is a double", func(t *testing.T) {
				w := newRecoded(t, terms)
				w.takeBack(t)
				w.maps(t, w.h.double)
				if p := w.party(t); p.Account != 0 || w.left(t) != 2 {
					t.Errorf("%d of two suites are left, and the channel is at %+v", w.left(t), p)
				}
			})
			t.Run("it is cancelled", func(t *testing.T) {
				w := newRecoded(t, terms)
				w.takeBack(t)
				r := w.f.bookings[0]
				r.Key, r.Revision, r.Event, r.Adjusts, r.Booking = "gone", revised(r), "cancelled", terms.AdjustsOn, hotel.ChannelBooking{}
				must(w.h.Receive(t.Context(), r))(t)
				back := 0 // what its count may be by now
				if terms.AdjustsOn.Cancel == hotel.AdjustYes {
					back = 1
				}
				if got := w.left(t); got != 2-back {
					t.Errorf("%d of two suites are left, of which the channel may show %d", got, back)
				}
				w.h.deriveAll(t)
				w.f.sends(t)
				if p := w.party(t); p.Account != 0 || w.left(t) != 2 {
					t.Errorf("closed once more, %d of two suites are left, and the channel is at %+v", w.left(t), p)
				}
			})
		})
	}
}

// A counter that has not been granted a room cannot have sold one, and takes none for a
// booking that nobody can tell whose it is.
func TestAnUnmappedBookingTakesNothingOfWhatWasNeverGranted(t *testing.T) {
	w := newRecoded(t, promising(nil))
	w.takeBack(t)
	w.maps(t, w.h.double)
	room := hotel.ChannelRoom{Ref: "1", Room: "Y", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2}
	must(w.h.Receive(t.Context(), oneRoom(w.h, "later", "booked", room)))(t)
	if got := w.left(t); got != 2 {
		t.Errorf("%d of two suites are left, of which none was granted", got)
	}
}

// A counter that is to show nothing is closed also where an unmapped booking may be all
// that it has sold: it may be another's.
func TestAnUnmappedBookingKeepsNoCounterOpen(t *testing.T) {
	w := newRecoded(t, promising(nil))
	room := hotel.ChannelRoom{Ref: "1", Room: "Y", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2}
	must(w.h.Receive(t.Context(), oneRoom(w.h, "other", "booked", room)))(t)
	w.takeBack(t)
	if n := w.f.shown[w.cell()]; n != 0 {
		t.Errorf("closed, the channel shows %d", n)
	}
}

// A channel that is closed and listed may sell nothing, whoever has sold what nobody has
// mapped: it is let go.
func TestAnUnmappedBookingHoldsNoChannelUp(t *testing.T) {
	w := newRecoded(t, promising(nil))
	w.f.pause(t)
	w.f.sends(t)
	if n := w.f.state(t).RoomsAtRisk; n != 0 {
		t.Errorf("%d rooms are at risk at a channel that is closed and listed", n)
	}
	if err := w.f.disconnect(t); err != nil {
		t.Error(err)
	}
}

// Whoever is asked which of two messages is the newer has a booking that may be under its
// own code and under one that nobody has mapped: it takes one room, of what was granted as
// of the house.
func TestADoubtfulUnmappedCodeTakesARoomOnce(t *testing.T) {
	for name, c := range map[string]struct {
		codes [3]string
		room  func(*house) hotel.RoomType
		left  int
	}{
		"unmapped as it may be": {[3]string{"S", "S", "X"}, func(h *house) hotel.RoomType { return h.suite }, 0},
		"unmapped as it is":     {[3]string{"D", "X", "D"}, func(h *house) hotel.RoomType { return h.double }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newGranted(t, promising(nil), 3)
			w.says(t, "1", "booked", c.codes[0])
			w.h.clock.move(time.Minute)
			w.says(t, "2", "modified", c.codes[1])
			if got := w.leftOf(t, c.room(w.h)); got != c.left {
				t.Fatalf("%d rooms are left beside those that the channel was granted, want %d", got, c.left)
			}
			w.says(t, "3", "modified", c.codes[2])
			w.h.conflict(t, hotel.ConflictStale)
			if got := w.leftOf(t, c.room(w.h)); got != c.left {
				t.Errorf("%d rooms are left beside the doubtful message, want %d", got, c.left)
			}
		})
	}
}

// A room that somebody gave the guest is taken, and was granted to a counter that may not
// have sold it: where that leaves too few, the counter is closed.
func TestAnUnmappedGuestWhomSomebodyGaveARoomTakesIt(t *testing.T) {
	w := newGranted(t, promising(nil), 5)
	w.f.sell(w.f.counters[1], w.night)
	w.f.mail[0].Booking.Rooms[0].Room = "X"
	guest := w.f.hear(t, 0).Reservations[0]
	if guest.HeldRoom != w.h.double.ID || w.leftOf(t, w.h.double) != 0 {
		t.Fatalf("%d doubles are left beside five granted, of which one is held for the guest", w.leftOf(t, w.h.double))
	}
	must2(w.h.ChangeReservation(t.Context(), tester, hotel.Once{}, guest.ID, hotel.ReservationChange{RoomTypeID: &w.h.double.ID}))(t)
	if got := w.leftOf(t, w.h.double); got != -1 {
		t.Errorf("%d doubles are left of five, which the channel may sell, beside the guest's", got)
	}
	if got := w.h.exposures(t); len(got) != 1 {
		t.Errorf("whoever is there was told %+v", got)
	}
	w.f.sends(t)
	if n := w.f.shown[w.f.counted(w.night)]; n > 4 {
		t.Errorf("the channel shows %d doubles of four that it may sell", n)
	}
	if got := w.h.exposures(t); len(got) != 0 {
		t.Errorf("closed and listed, there is still %+v", got)
	}
}

// A booking that its channel moves from a counter to a code that nobody has mapped may have
// left the counter: where a cancellation raises the count, so may that, and the counter is
// closed again. Where it does not, nothing is taken from what it was granted, for the code
// may be its own.
func TestABookingThatIsMovedToAnUnmappedCodeMayComeBack(t *testing.T) {
	for name, terms := range map[string]hotel.Terms{
		"replenishes": promising(nil),
		"keeps its count": promising(func(terms *hotel.Terms) {
			terms.AdjustsOn.Cancel, terms.AdjustsOn.Modify = hotel.AdjustNo, hotel.AdjustNever
		}),
	} {
		for _, told := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, told %t", name, told), func(t *testing.T) {
				w := newGranted(t, terms, 3)
				w.f.sell(w.f.counters[1], w.night)
				w.f.hear(t, 0)
				w.takeBack(t)
				if p := w.party(t); p.Doing != exposure.Drained || p.Account != 1 || w.f.shown[w.cell()] != 0 {
					t.Fatalf("closed and listed, the channel shows %d, and is at %+v", w.f.shown[w.cell()], p)
				}
				r, back := w.f.bookings[0], 0
				r.Key, r.Revision, r.Event, r.Adjusts = "moved", revised(r), "modified", terms.AdjustsOn
				r.Booking.Rooms = slices.Clone(r.Booking.Rooms)
				r.Booking.Rooms[0].Room = "X"
				if terms.AdjustsOn.Cancel == hotel.AdjustYes {
					back = 1
				}
				w.f.shown[w.cell()] += int64(back)
				must(w.h.Receive(t.Context(), r))(t)
				if p := w.party(t); p.Account != 1 || p.Back != back {
					t.Errorf("its count may be higher by %d, and it is at %+v", back, p)
				}
				if told {
					w.h.deriveAll(t)
					w.f.sends(t)
					if n := w.f.shown[w.cell()]; n != 0 {
						t.Errorf("the channel shows %d on a closed night", n)
					}
				}
				w.maps(t, w.h.double)
				if got, shows := w.left(t), int(w.f.shown[w.cell()]); got != 2-shows {
					t.Errorf("%d of two suites are left, of which the channel shows %d", got, shows)
				}
			})
		}
	}
}
