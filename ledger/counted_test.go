package ledger

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/hotel/stay"
)

// countedWorld is a guarded pool of five rooms of which a channel's counters D and E,
// both of doubles, have been granted some on each of three nights.
type countedWorld struct {
	h       *house
	f       *farSide
	adjusts hotel.Adjusts
	night   hotel.Date // the first
}

var (
	replenishes = hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes}
	keepsCount  = hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNever, Cancel: hotel.AdjustNo}
)

// newCountedWorld has each counter hold so many rooms.
func newCountedWorld(t *testing.T, adjusts hotel.Adjusts, granted map[string]int) *countedWorld {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	err := h.MapChannel(t.Context(), tester, f.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
		{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, RemoteRoom: "D", RemoteRate: "S"},
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "E", RemoteRate: "F"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if f.counters, f.mappings, err = h.Lines(t.Context(), f.id); err != nil {
		t.Fatal(err)
	}
	if err := h.KeepTerms(t.Context(), f.id, hotel.Terms{
		StockPer: hotel.PerRoom, AdjustsOn: adjusts, AtMostOnce: true, ListsByDate: true, Acknowledges: hotel.BySeller, Lifetime: time.Minute,
	}); err != nil {
		t.Fatal(err)
	}
	f.goLive(t)
	f.catchUp(t)
	h.protect(t, hotel.Guarded)
	f.catchUp(t)
	w := &countedWorld{h, f, adjusts, h.today + 3}
	w.change(t, func(code string, h *holding) { h.now = exposure.Party{Account: granted[code]} })
	return w
}

// change makes something else of the parties of the three nights.
func (w *countedWorld) change(t *testing.T, f func(code string, h *holding)) {
	t.Helper()
	if err := w.h.write(t.Context(), urgent, tester, func(tx *tx) error {
		held, err := tx.holdings(w.h.property.ID, hotel.Span{From: w.night, To: w.night + 2})
		if err != nil {
			return err
		}
		for at, h := range held.of {
			for _, c := range w.f.counters {
				if c.Line == at.line {
					f(c.RemoteRoom, h)
				}
			}
		}
		return held.save()
	}); err != nil {
		t.Fatal(err)
	}
}

// party is what is stored of a counter on a night, so many behind the first.
func (w *countedWorld) party(t *testing.T, code string, ahead hotel.Date) *holding {
	t.Helper()
	held := must((&tx{ctx: t.Context(), q: w.h.read, l: w.h.Ledger}).holdings(w.h.property.ID, hotel.Span{From: w.night + ahead, To: w.night + ahead}))(t)
	for _, c := range w.f.counters {
		if c.RemoteRoom == code {
			return held.at(c.Line, w.night+ahead)
		}
	}
	t.Fatalf("no counter %s", code)
	return nil
}

// undealt is how many rooms are granted to nobody on a night.
func (w *countedWorld) undealt(t *testing.T, ahead hotel.Date) (n int) {
	t.Helper()
	if err := w.h.write(t.Context(), urgent, tester, func(t *tx) error {
		s, err := t.structure(w.h.property.ID)
		if err != nil {
			return err
		}
		b, err := t.spanBoard(s, w.night+ahead, w.night+ahead)
		if err == nil {
			room, _ := b.Room(w.h.double.ID)
			n = b.Undealt(w.night + ahead)[room].Net
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.h.checkMemory(t)
	return n
}

// says has the channel tell of its one booking; of the same instant as the message
// before, nobody knows which is the newer.
func (w *countedWorld) says(t *testing.T, key, event, code, rate string, nights hotel.Date) {
	t.Helper()
	r := oneRoom(w.h, "1", event, hotel.ChannelRoom{Ref: "1", Room: code, Rate: rate, Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + nights}, Adults: 2})
	r.Key, r.Order, r.Raw, r.Adjusts = key, hotel.OrderTime, []byte(key), w.adjusts
	must(w.h.Receive(context.Background(), r))(t)
}

// A room that a doubtful message names by another code is one room all the same: it
// never leaves more to be dealt than there was, whatever is decided then.
func TestADoubtfulMessageFreesNothing(t *testing.T) {
	for name, c := range map[string]struct{ code, rate string }{"another rate of the counter": {"D", "S"}, "another counter of the type": {"E", "F"}} {
		for _, option := range []string{hotel.OptionApply, hotel.OptionIgnore} {
			for of, adjusts := range map[string]hotel.Adjusts{"replenishes": replenishes, "keeps its count": keepsCount} {
				t.Run(name+", "+of+", "+option, func(t *testing.T) {
					w := newCountedWorld(t, adjusts, map[string]int{"D": 3, "E": 2})
					w.says(t, "1", "booked", "D", "F", 1)
					w.h.clock.move(time.Minute)
					w.says(t, "2", "modified", "D", "F", 1)
					if got := w.undealt(t, 0); got != 0 {
						t.Fatalf("%d rooms are dealt to nobody, want none of five", got)
					}
					w.says(t, "3", "modified", c.code, c.rate, 1)
					if d := w.party(t, c.code, 0); d.live != 1 {
						t.Errorf("%s may have sold %d rooms, want the one of the message", c.code, d.live)
					}
					if got := w.undealt(t, 0); got != 0 {
						t.Errorf("%d rooms are dealt to nobody beside the message, want none", got)
					}
					w.h.resolve(t, w.h.conflict(t, hotel.ConflictStale), option, "")
					if got := w.undealt(t, 0); got > 0 {
						t.Errorf("%d rooms are dealt to nobody when it is decided, though what the channel shows was granted to it", got)
					}
				})
			}
		}
	}
}

// What a message names beside a stored stay may never have been sold: that it does not
// count brings no room back.
func TestADoubtfulNightThatDoesNotCountFreesNothing(t *testing.T) {
	w := newCountedWorld(t, keepsCount, map[string]int{"D": 5})
	w.says(t, "1", "booked", "D", "F", 1)
	w.h.clock.move(time.Minute)
	w.says(t, "2", "modified", "D", "F", 1)
	w.says(t, "3", "modified", "D", "F", 2)
	w.h.resolve(t, w.h.conflict(t, hotel.ConflictStale), hotel.OptionIgnore, "")
	if got := w.party(t, "D", 1).now.Account; got != 5 || w.undealt(t, 1) != 0 {
		t.Errorf("the channel's account is %d, and %d rooms are dealt to nobody, though it may show all five", got, w.undealt(t, 1))
	}
}

// Another rate of the same counter is no cancellation, and no longer stay.
func TestAChangeOfRateFreesNothing(t *testing.T) {
	w := newCountedWorld(t, keepsCount, map[string]int{"D": 5})
	w.says(t, "1", "booked", "D", "F", 1)
	w.h.clock.move(time.Minute)
	w.says(t, "2", "modified", "D", "S", 1)
	if got := w.party(t, "D", 0).now.Account; got != 5 || w.undealt(t, 0) != 0 {
		t.Errorf("the channel's account is %d, and %d rooms are dealt to nobody, though it shows four and has sold one", got, w.undealt(t, 0))
	}
	w.h.clock.move(time.Minute)
	w.says(t, "3", "cancelled", "D", "S", 1)
	if got := w.party(t, "D", 0).now.Account; got != 4 || w.undealt(t, 0) != 1 {
		t.Errorf("after a cancellation, which its count keeps, the account is %d, and %d rooms are dealt to nobody", got, w.undealt(t, 0))
	}
}

// A stay that is shortened raises the count of a channel that moves it with stays,
// though not with cancellations.
func TestAShorterStayReplenishes(t *testing.T) {
	adjusts := keepsCount
	adjusts.Modify = hotel.AdjustYes
	w := newCountedWorld(t, adjusts, map[string]int{"D": 5})
	w.says(t, "1", "booked", "D", "F", 2)
	w.h.clock.move(time.Minute)
	w.says(t, "2", "modified", "D", "F", 1)
	if got := w.party(t, "D", 1).now.Account; got != 5 || w.undealt(t, 1) != 0 {
		t.Errorf("the channel's account is %d, and %d rooms are dealt to nobody, though it shows all five again", got, w.undealt(t, 1))
	}
}

// A longer stay at a channel that lowers its count for new bookings alone is a sale of that
// night beside its count: what it may sell still is what it was, and the room is in its account.
// Where the count goes down with it, nothing moves.
func TestALongerStayThatLeavesTheCountIsInTheAccount(t *testing.T) {
	for modify, want := range map[hotel.Adjust]int{hotel.AdjustNo: 4, hotel.AdjustUnknown: 4, hotel.AdjustYes: 3} {
		t.Run(fmt.Sprint(modify), func(t *testing.T) {
			w := newCountedWorld(t, hotel.Adjusts{Book: hotel.AdjustYes, Modify: modify, Cancel: hotel.AdjustNo}, map[string]int{"D": 3})
			w.says(t, "1", "booked", "D", "F", 1)
			w.h.clock.move(time.Minute)
			w.says(t, "2", "modified", "D", "F", 2)
			first, second := w.party(t, "D", 0), w.party(t, "D", 1)
			if first.now.Account != 3 || first.live != 1 {
				t.Errorf("of the first night its account is %d with %d sold, want the 3 that it was granted and the one", first.now.Account, first.live)
			}
			if second.now.Account != want || second.live != 1 {
				t.Errorf("of the night that was added its account is %d with %d sold, want %d and the one", second.now.Account, second.live, want)
			}
		})
	}
}

// A booking that is first heard of when it is changed may have left any night, and
// says of none that a room came back.
func TestABookingFirstHeardOfAsModifiedFreesNothing(t *testing.T) {
	hub := hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
	for name, adjusts := range map[string]hotel.Adjusts{"stays are never changed": keepsCount, "stays move no count": hub} {
		t.Run(name, func(t *testing.T) {
			w := newCountedWorld(t, adjusts, map[string]int{"D": 5})
			w.change(t, func(code string, h *holding) {
				if code == "D" {
					h.now.Doing, h.now.Value, h.now.Since = exposure.Set, 5, w.h.clock.Now()
				}
			})
			w.says(t, "1", "modified", "D", "F", 1)
			for ahead := range hotel.Date(3) {
				if got := w.party(t, "D", ahead).now.Account; got != 5 || w.undealt(t, ahead) > 0 {
					t.Errorf("day %d: the channel's account is %d, and %d rooms are dealt to nobody, though it may show five", ahead, got, w.undealt(t, ahead))
				}
			}
		})
	}
}

// A booking may be over when we first hear of some of its nights: they were sold, and came
// back. That they did is news once.
func TestNightsThatAreFirstHeardOfWhenABookingIsOver(t *testing.T) {
	for name, c := range map[string]struct {
		adjusts       hotel.Adjusts
		account, back int
		unheard       int // the account of a night that the booking may never have had
	}{"replenishes": {replenishes, 5, 1, 5}, "keeps its count": {keepsCount, 4, 0, 5}} {
		t.Run(name, func(t *testing.T) {
			w := newCountedWorld(t, c.adjusts, map[string]int{"D": 5})
			w.says(t, "1", "booked", "D", "F", 1)
			w.closed(t)
			for _, key := range []string{"2", "3"} {
				w.h.clock.move(time.Minute)
				w.says(t, key, "cancelled", "D", "F", 3)
				for ahead := range hotel.Date(3) {
					account := c.unheard
					if ahead == 0 {
						account = c.account
					}
					if p := w.party(t, "D", ahead).now; p.Account != account || p.Back != c.back {
						t.Errorf("message %s, day %d: %+v, want an account of %d, and %d that may be shown again", key, ahead, p, account, c.back)
					}
				}
			}
		})
	}
}

// A cancellation that names the booking by another code of its counter frees it there once.
func TestACancellationByAnotherRateFreesOnce(t *testing.T) {
	w := newCountedWorld(t, keepsCount, map[string]int{"D": 5})
	w.says(t, "1", "booked", "D", "F", 1)
	w.h.clock.move(time.Minute)
	w.says(t, "2", "cancelled", "D", "S", 1)
	if got := w.party(t, "D", 0).now.Account; got != 4 {
		t.Errorf("the channel's account is %d, though it shows four", got)
	}
}

// What comes late may name nights that the booking had for a while, and gave back.
func TestALateMessageNamesWhatHasComeBack(t *testing.T) {
	w := newCountedWorld(t, replenishes, map[string]int{"D": 5})
	at := w.h.clock.Now()
	tells := func(key, event string, minute int, nights hotel.Date) {
		r := oneRoom(w.h, "1", event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + nights}, Adults: 2})
		r.Key, r.At, r.Order, r.Adjusts = key, at.Add(time.Duration(minute)*time.Minute), hotel.OrderTime, w.adjusts
		must(w.h.Receive(t.Context(), r))(t)
	}
	tells("1", "booked", 0, 1)
	w.closed(t)
	tells("3", "modified", 2, 1)
	tells("2", "modified", 1, 2)
	if p := w.party(t, "D", 1).now; p.Back != 1 {
		t.Errorf("the second night was the booking's and is not: %+v", p)
	}
}

// A guest who is in the house when the channel cancels stays, and the channel sells the
// nights to come again. What comes late of the booking moves the guest's nights, and has
// none of them sold there.
func TestALateMessageOfAGuestWhomTheChannelHasCancelled(t *testing.T) {
	w := newCountedWorld(t, replenishes, map[string]int{"D": 5})
	at := w.h.clock.Now()
	tells := func(key, event string, nights hotel.Date) Received {
		r := oneRoom(w.h, "1", event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.h.today, CheckOut: w.night + nights}, Adults: 2})
		r.Key, r.Revision, r.At, r.Order, r.Adjusts = key, key, at, hotel.OrderRevisionCount, w.adjusts
		return must(w.h.Receive(t.Context(), r))(t)
	}
	id := tells("1", "booked", 1).Reservations[0].ID
	if _, _, err := w.h.StepReservation(t.Context(), tester, hotel.Once{}, id, stay.CheckIn, hotel.StepRequest{}); err != nil {
		t.Fatal(err)
	}
	tells("4", "cancelled", 3)
	for _, key := range []string{"2", "3"} {
		tells(key, "modified", hotel.Date(key[0]-'0'))
	}
	if got := must(w.h.Reservation(t.Context(), id))(t).Stay.CheckOut; got != w.night+3 {
		t.Errorf("the guest leaves on %s, want %s as the newest change says", got, w.night+3)
	}
	for ahead := range hotel.Date(3) {
		if p := w.party(t, "D", ahead); p.live != 0 || p.now.Back == 0 {
			t.Errorf("day %d: %d sold at the channel, %d that may be shown again: it has cancelled the only booking", ahead, p.live, p.now.Back)
		}
	}
}

// Of a booking that is over when it is first heard of, nobody knows which nights it had:
// those that its cancellation names, if it names any, need not be all.
func TestACancellationAsTheFirstWordDoubtsEveryNight(t *testing.T) {
	for name, ahead := range map[string][]hotel.Date{"names a night to come": {0}, "names a night that is over": {-5}, "names none": nil} {
		t.Run(name, func(t *testing.T) {
			w := newCountedWorld(t, replenishes, map[string]int{"D": 5})
			w.closed(t)
			r := Receipt{ChannelID: w.f.id, Ref: "1", Event: eventCancelled, Order: hotel.OrderTime, At: w.h.clock.Now(), Adjusts: w.adjusts}
			for _, d := range ahead {
				r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night + d, CheckOut: w.night + d + 1}, Adults: 2})
			}
			for _, key := range []string{"3", "4"} { // told again, it is no news
				r.Key = key
				must(w.h.Receive(t.Context(), r))(t)
				if p := w.party(t, "D", 2).now; p.Back != 1 {
					t.Errorf("message %s, a night that it does not name: %+v", key, p)
				}
			}
		})
	}
}

// Between two messages whose numbers do not follow each other the booking may have had
// other nights, and given them back.
func TestMessagesThatHaveNotComeMayHaveReplenished(t *testing.T) {
	for revision, back := range map[string]int{"2": 0, "3": 1} {
		w := newCountedWorld(t, replenishes, map[string]int{"D": 5})
		tells := func(revision, event string) {
			r := oneRoom(w.h, "1", event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2})
			r.Key, r.Revision, r.Order, r.Adjusts = revision, revision, hotel.OrderRevisionCount, w.adjusts
			must(w.h.Receive(t.Context(), r))(t)
		}
		tells("1", "booked")
		w.closed(t)
		tells(revision, "modified")
		if p := w.party(t, "D", 1).now; p.Account != 5 || p.Back != back {
			t.Errorf("behind 1 came %s: %+v, want %d that may be shown again", revision, p, back)
		}
	}
}

// closed has counter D be told to show nothing.
func (w *countedWorld) closed(t *testing.T) {
	t.Helper()
	w.change(t, func(of string, h *holding) {
		if of == "D" {
			h.now.Doing, h.now.Since = exposure.Closed, w.h.clock.Now()
		}
	})
}

// Nobody knows how late a request may act that no lifetime ends and nothing newer
// replaces: the closing of such a channel is taken at its word, and blocks no pool.
func TestAChannelWithoutALifetimeBlocksNoPool(t *testing.T) {
	w := newCountedWorld(t, replenishes, nil)
	terms := hotel.Terms{StockPer: hotel.PerRoom, AdjustsOn: replenishes, AtMostOnce: true, ListsByDate: true, Acknowledges: hotel.BySeller}
	if err := w.h.KeepTerms(t.Context(), w.f.id, terms); err != nil {
		t.Fatal(err)
	}
	w.change(t, func(_ string, h *holding) { h.now = exposure.Stranger(w.h.clock.Now()) })
	if err := w.h.DealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(w.h.setPrice(w.h.double, w.h.flex, w.night, w.night+2, 9000))(t)
	must2(w.h.book(w.h.double, w.night, w.night+3, hotel.Once{}))
	w.f.catchUp(t)
	if p := w.party(t, "D", 0).now; p.Unknown {
		t.Errorf("what the channel sells is unknown after it has acknowledged its closing: %+v", p)
	}

	// Its rooms were dealt away while it could not be reached: what it was asked for
	// may act still, whatever it acknowledges.
	w.change(t, func(_ string, h *holding) {
		h.now = exposure.Stranger(w.h.clock.Now())
		h.now.Unknown, h.now.Accepted = false, 1
	})
	if err := w.h.DealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(w.h.setPrice(w.h.double, w.h.flex, w.night, w.night+2, 9100))(t)
	w.f.catchUp(t)
	if p := w.party(t, "D", 0).now; !p.Raise || p.Accepted != 1 {
		t.Errorf("it is trusted with rooms that were dealt away: %+v", p)
	}
}
