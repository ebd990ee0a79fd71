package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
)

// looks asks a channel for everything that it shows.
func (f *farSide) looks(t *testing.T) {
	t.Helper()
	f.beginRead(t)
	f.endRead(t)
}

// typed has somebody set a value of the channel's first product there, which is then read.
func (f *farSide) typed(t *testing.T, g hotel.Group, night hotel.Date, v int64) {
	t.Helper()
	f.shown[hotel.Cell{Line: f.mappings[0].Line, Group: g, Night: night}] = v
	f.looks(t)
}

// asked counts the drifts about which somebody is asked, and lists why they cannot be taken over.
func (b *inbox) asked(t *testing.T) (open int, why string) {
	t.Helper()
	var codes []string
	for _, c := range b.conflicts(t, hotel.ConflictDrift) {
		if c.Status != hotel.ConflictOpen {
			continue
		}
		open++
		var f DriftFacts
		if err := json.Unmarshal(c.Facts, &f); err != nil {
			t.Fatal(err)
		}
		for _, n := range f.Nights {
			codes = append(codes, n.NotTaken.Code)
		}
	}
	return open, strings.Join(codes, " ")
}

// TestTwoChannelsThatAreBothRight: of two channels that set one price back and forth somebody is
// asked, and neither has the other's word taken away within a day.
func TestTwoChannelsThatAreBothRight(t *testing.T) {
	b := newInbox(t)
	f, g := b.f, b.farSideOf(t, "ch2", 5)
	must2(b.ChangeRatePlan(context.Background(), tester, hotel.Once{}, b.flex.ID, hotel.Change[hotel.RatePlan]{Apply: func(of *hotel.RatePlan) error {
		of.SoldBy = []string{f.id, g.id}
		return nil
	}}))(t)
	b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
	night := b.today + 3
	both := func() {
		t.Helper()
		for _, c := range []*farSide{f, g} {
			c.catchUp(t)
			c.looks(t)
		}
	}
	f.goLive(t)
	g.goLive(t)
	both()
	own := func(want string) {
		t.Helper()
		if got := b.ownOf(t, night); got != want {
			t.Fatalf("the house says %s, want %s", got, want)
		}
	}
	f.typed(t, hotel.Price, night, 12100)
	own("price 12100 by channel:ch")
	both()
	g.typed(t, hotel.Price, night, 11000)
	both()
	own("price 12100 by channel:ch")
	if n, why := b.asked(t); n != 1 || why != "contested" {
		t.Fatalf("somebody is asked about %d, for %q", n, why)
	}
	b.resolve(t, b.open(t, hotel.ConflictDrift), string(hotel.Theirs), "")
	both()
	own("price 11000 by channel:ch2")
	f.typed(t, hotel.Price, night, 12100)
	both()
	own("price 11000 by channel:ch2")
	if n, why := b.asked(t); n != 1 || why != "contested" {
		t.Fatalf("back again somebody is asked about %d, for %q", n, why)
	}
	b.resolve(t, b.open(t, hotel.ConflictDrift), string(hotel.Ours), "")
	both()
	// What a channel said itself it may say otherwise, and what is a day old is no fight.
	g.typed(t, hotel.Price, night, 11500)
	own("price 11500 by channel:ch2")
	both()
	b.clock.move(25 * time.Hour)
	both()
	f.typed(t, hotel.Price, night, 12300)
	own("price 12300 by channel:ch")
}

// TestWhatIsTypedAgainIsTakenOverAgain: the channel was never told what was taken over from it, and
// what is typed there next is typed behind that all the same.
func TestWhatIsTypedAgainIsTakenOverAgain(t *testing.T) {
	b := newInbox(t)
	b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
	b.live(t)
	b.f.looks(t)
	night := b.today + 3
	for _, price := range []int64{12100, 12500, 11900} {
		b.f.typed(t, hotel.Price, night, price)
		if own := b.ownOf(t, night); own != fmt.Sprintf("price %d by channel:ch", price) {
			t.Errorf("%d was typed, and the house says %s", price, own)
		}
		b.f.catchUp(t)
	}
	b.sound(t)
}

// TestWhatNobodyIsKnownToHaveTypedIsAskedAbout: of a value that a channel was not seen without
// since it was told, theirs has somebody asked. While nobody knows whether it took what it was
// told last it is told that again.
func TestWhatNobodyIsKnownToHaveTypedIsAskedAbout(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(t *testing.T, b *inbox, night hotel.Date)
		shown   int64
		asked   bool
	}{
		"never seen since it was told": {prepare: func(*testing.T, *inbox, hotel.Date) {}, shown: 12100, asked: true},
		"while a call has no answer": {prepare: func(t *testing.T, b *inbox, night hotel.Date) {
			b.f.looks(t)
			must(b.setPrice(b.double, b.flex, night, night, 13000))(t)
			b.deriveAll(t)
			for b.f.derive(t) {
			}
			b.f.begin(t, b.f.dirty(t))
			b.f.settle(t, 0, Settlement{State: DeliveryUnknown})
		}, shown: 12100},
		"while all is told again": {prepare: func(t *testing.T, b *inbox, night hotel.Date) {
			ctx := context.Background()
			b.f.looks(t)
			for range 2 {
				b.clock.move(time.Minute)
				if err := b.Refresh(ctx, b.f.id, instantOrZero(must(b.read.GetChannel(ctx, b.f.id))(t).ReadAt), b.clock.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}, shown: 12100},
		"a call that did nothing": {prepare: func(t *testing.T, b *inbox, night hotel.Date) {
			b.f.looks(t)
			must(b.setPrice(b.double, b.flex, night, night, 13000))(t)
			b.deriveAll(t)
			for b.f.derive(t) {
			}
			b.f.begin(t, b.f.dirty(t))
			b.f.settle(t, 0, Settlement{State: DeliveryUnknown})
		}},
		"a call that did it": {prepare: func(t *testing.T, b *inbox, night hotel.Date) {
			b.f.looks(t)
			must(b.setPrice(b.double, b.flex, night, night, 13000))(t)
			b.deriveAll(t)
			for b.f.derive(t) {
			}
			b.f.begin(t, b.f.dirty(t))
			b.f.take(0, nil)
			b.f.settle(t, 0, Settlement{State: DeliveryUnknown})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}))
			b.live(t)
			night := b.today + 3
			test.prepare(t, b, night)
			before := b.ownOf(t, night)
			if test.shown != 0 {
				b.f.typed(t, hotel.Price, night, test.shown)
			} else {
				b.f.looks(t)
			}
			b.f.catchUp(t)
			if own := b.ownOf(t, night); own != before {
				t.Errorf("the house says %s, want %s", own, before)
			}
			n, _ := b.asked(t)
			if (n > 0) != test.asked {
				t.Errorf("somebody is asked about %d", n)
			}
			if got := b.productAt(hotel.Price, night); (got == test.shown) != test.asked {
				t.Errorf("%d is shown", got)
			}
			if test.asked {
				b.resolve(t, b.open(t, hotel.ConflictDrift), string(hotel.Theirs), "")
				if own := b.ownOf(t, night); own != "price 12100 by channel:ch" {
					t.Errorf("it is decided, and the house says %s", own)
				}
			}
			b.sound(t)
		})
	}
}

// TestAConflictHasSoManyCells: what differs on many nights is several conflicts, each with nights of
// its own, and each decided by itself.
func TestAConflictHasSoManyCells(t *testing.T) {
	b := newInbox(t)
	b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.AskOwner}))
	const nights = 450
	must2(b.ChangeProperty(context.Background(), tester, hotel.Once{}, b.property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
		of.HorizonDays = nights
		return nil
	}}))(t)
	must(b.setPrice(b.double, b.flex, b.today, b.today+nights, 10000))(t)
	b.live(t)
	b.f.looks(t)
	var priced int
	for cell := range b.f.groups(t) {
		if cell.Group == hotel.Price && cell.Line == b.f.mappings[0].Line {
			b.f.shown[cell] = 12100
			priced++
		}
	}
	b.f.looks(t)
	var cells int
	seen := map[string]bool{}
	list := b.conflicts(t, hotel.ConflictDrift)
	for _, c := range list {
		n := len(cellsOfConflict(&c))
		if cells += n; n > mostInConflict || c.Status != hotel.ConflictOpen || seen[c.Topic] {
			t.Errorf("%s has %d cells, and is %s", c.Topic, n, c.Status)
		}
		seen[c.Topic] = true
	}
	if cells != priced || len(list) != (priced+mostInConflict-1)/mostInConflict {
		t.Errorf("%d conflicts have %d cells of %d", len(list), cells, priced)
	}
}

// TestASoldOutNightIsNoStopSell: that a channel closes what it has sold out is not what somebody
// has decided there, and the night is open when a room comes back.
func TestASoldOutNightIsNoStopSell(t *testing.T) {
	for name, test := range map[string]struct{ out, taken bool }{
		"sold out": {out: true}, "sold out, where something of it was taken over": {out: true, taken: true}, "on sale": {},
	} {
		t.Run(name, func(t *testing.T) {
			out, shut, open := test.out, closedHere, openNight
			ctx := context.Background()
			b := newInbox(t)
			b.asks(t, fieldPolicies(map[hotel.Field]hotel.DriftPolicy{hotel.FieldClosed: hotel.Theirs, hotel.FieldClosedToArrival: hotel.Theirs}))
			b.live(t)
			night := b.today + 5
			if test.taken {
				shut, open = closedHere|noArrival, noArrival
				b.f.looks(t)
				b.f.typed(t, hotel.Closures, night, noArrival)
				b.f.catchUp(t)
			}
			if out {
				b.full(t, 0)
			}
			b.f.catchUp(t)
			b.f.looks(t)
			for range 3 {
				b.f.typed(t, hotel.Closures, night, shut)
				b.f.catchUp(t)
			}
			closed := func() string {
				rule := must(b.RestrictionCells(ctx, hotel.CellQuery{PropertyID: b.property.ID, Span: hotel.Span{From: night, To: night}, RoomTypeIDs: []string{b.double.ID}, RatePlanIDs: []string{b.flex.ID}}))(t)[0]
				return fmt.Sprint(rule.Own.Closed != nil && *rule.Own.Closed)
			}
			if got := closed(); got != fmt.Sprint(!out) {
				t.Fatalf("the house has it closed: %s", got)
			}
			if n, _ := b.asked(t); n != 0 {
				t.Errorf("somebody is asked about %d", n)
			}
			if !out {
				return
			}
			gone := oneRoom(b.house, "a", "cancelled", channelRoom(night, night+1, "D", true))
			gone.Key, gone.Revision, gone.Booking.Rooms = "gone", "2", nil
			must(b.Receive(ctx, gone))(t)
			b.f.catchUp(t)
			b.f.looks(t)
			b.f.catchUp(t)
			if got, own := b.productAt(hotel.Closures, night), closed(); got != open || own != "false" {
				t.Errorf("a room came back, and the channel shows %d; the house has it closed: %s", got, own)
			}
			b.sound(t)
		})
	}
	if !drift.SoldOut.Waits() {
		t.Error("what is sold out is judged at once")
	}
}
