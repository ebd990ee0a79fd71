package dispatch

import (
	"context"
	"slices"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// remap replaces what the channel sells under which codes.
func (b *bench) remap(mappings []hotel.Mapping) {
	b.t.Helper()
	b.stop()
	b.codes(mappings...)
	if err := b.ldg.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.open()
}

// codes stores what the channel sells under which codes.
func (b *bench) codes(mappings ...hotel.Mapping) {
	b.t.Helper()
	sequence, err := b.ldg.Sequence(context.Background())
	if err == nil {
		err = b.ldg.RemapLive(context.Background(), testkit.Tester, channel, sequence, hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings})
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// without returns the mappings but for one rate of the suites.
func (b *bench) without(plan int) []hotel.Mapping {
	return slices.DeleteFunc(b.house.Mappings(), func(m hotel.Mapping) bool {
		return m.RoomTypeID == b.house.Rooms[2].ID && m.RatePlanID == b.house.Plans[plan].ID
	})
}

// opensBehind checks that the suites' first rate is closed first, and opened no
// sooner than it shows the price.
func (b *bench) opensBehind(n int, night hotel.Date, want int64) {
	b.t.Helper()
	price, open := b.suiteRate(hotel.Price, night), b.suiteRate(hotel.Closures, night)
	closed, amount := false, int64(-1)
	for _, call := range b.far.since(n) {
		if o, sent := call.sends[open]; sent {
			switch {
			case o.Closed.Closed:
				closed = true
			case !closed:
				b.t.Error("it is told to be open before it was closed")
			case amount != want:
				b.t.Errorf("it opens at %d, want %d", amount, want)
			}
		}
		if o, sent := call.sends[price]; sent {
			amount = o.Amount.Minor
		}
	}
	if !closed {
		b.t.Error("it is not closed meanwhile")
	}
	if got := b.far.shows(price).Amount.Minor; got != want || b.isClosed(night) {
		b.t.Errorf("in the end %d is shown, want %d; closed: %t", got, want, b.isClosed(night))
	}
}

// A code that stands for another product is closed until it shows that one's
// price: nobody may book the one at the price of the other.
func TestACodeOfAnotherProductOpensBehindItsPrice(t *testing.T) {
	run(t, nil, func(b *bench) {
		night := b.today + 3
		b.price(night, 30000)
		n := b.rest()
		swapped := b.house.Mappings()
		for i, m := range swapped {
			switch m.RoomTypeID {
			case b.house.Rooms[0].ID:
				swapped[i].RemoteRoom = b.house.RemoteRoom(2)
			case b.house.Rooms[2].ID:
				swapped[i].RemoteRoom = b.house.RemoteRoom(0)
			}
		}
		b.remap(swapped)
		b.rest()
		b.opensBehind(n, night, 10000) // what a double costs
		if got := b.far.shows(b.suiteKey(night)).Available; got != testkit.Doubles {
			t.Errorf("%d rooms are shown, want those of the doubles", got)
		}
		one := b.guests(night, 1)
		if got := b.far.shows(one).Amount.Minor; got != 9000 {
			t.Errorf("for one guest %d is shown", got)
		}
	})
}

// What was asked of a code once and is mapped again may have changed meanwhile.
func TestACodeThatComesBackOpensBehindItsPrice(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.remap(b.without(0))
		b.rest()
		if !b.isClosed(night) {
			t.Fatal("a code that nothing maps to is open")
		}
		b.price(night, 25000)
		n := b.rest()
		for _, call := range b.far.since(0)[:n] {
			if o, sent := call.sends[b.suiteRate(hotel.Price, night)]; sent && o.Amount.Minor == 25000 {
				t.Error("a code that nothing maps to is told a price")
			}
		}
		b.remap(b.house.Mappings())
		b.rest()
		price, open := b.suiteRate(hotel.Price, night), b.suiteRate(hotel.Closures, night)
		amount := int64(0)
		for _, call := range b.far.since(n) {
			if o, sent := call.sends[open]; sent && !o.Closed.Closed && amount != 25000 {
				t.Errorf("it opens at %d", amount)
			}
			if o, sent := call.sends[price]; sent {
				amount = o.Amount.Minor
			}
		}
		if got := b.far.shows(price).Amount.Minor; got != 25000 || b.isClosed(night) {
			t.Errorf("%d is shown, closed: %t", got, b.isClosed(night))
		}
	})
}

// Where a minimum stay is one number for the room, a rate that is taken out is
// closed all the same, and says nothing about the number.
func TestARateTakenOutOfARoomWithSharedRules(t *testing.T) {
	run(t, func(b *bench) {
		b.caps.Fields[hotel.FieldMinStayArrival] = hotel.Carriage{As: hotel.Exact, Level: hotel.PerRoomType}
	}, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.restrict(1, night, hotel.RestrictionEntry{MinStayArrival: hotel.Given(2)})
		n := b.rest()
		b.remap(b.without(0))
		b.rest()
		other := b.suiteRate(hotel.Closures, night)
		other.Rate = b.house.RemoteRate(1)
		if !b.isClosed(night) || b.far.shows(other).Closed.Closed {
			t.Errorf("closed: %t, and the rate that stays: %t", b.isClosed(night), b.far.shows(other).Closed.Closed)
		}
		for _, call := range b.far.since(n) {
			if _, sent := call.sends[connectors.Key{Room: other.Room, Rate: b.house.RemoteRate(0), Group: hotel.Lengths, Night: night}]; sent {
				t.Error("the rate that is taken out is told lengths")
			}
		}
	})
}

// Where only a room's number can close, a rate that is taken out while it is
// closed does not close the room for good.
func TestARateTakenOutOfARoomWithoutClosings(t *testing.T) {
	run(t, func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.restrict(0, night, hotel.RestrictionEntry{Closed: hotel.Given(true)})
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != 0 {
			t.Fatalf("%d rooms are shown of a closed night", got)
		}
		b.restrict(1, night, hotel.RestrictionEntry{Closed: hotel.Given(false)})
		b.remap(b.without(0))
		b.rest()
		b.suites(night, 2)
		b.rest()
		// The plan below takes over that its parent is closed.
		if got := b.far.shows(b.suiteKey(night)).Available; got != 0 {
			t.Errorf("%d rooms are shown, and the rate that stays is closed too", got)
		}
		b.restrict(0, night, hotel.RestrictionEntry{Closed: hotel.Given(false)})
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != 2 {
			t.Errorf("%d rooms are shown, want 2", got)
		}
	})
}

// Where only a room's number can close, a mapping without the rate that is closed opens
// the room: the plan names the night, and tells no closing.
func TestAPlanOfAnotherMappingNamesWhatACountHadClosed(t *testing.T) {
	run(t, func(b *bench) { delete(b.caps.Fields, hotel.FieldClosed) }, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.restrict(1, night, hotel.RestrictionEntry{Closed: hotel.Given(true)})
		b.rest()
		if got := b.far.shows(b.suiteKey(night)).Available; got != 0 {
			t.Fatalf("%d rooms are shown of a closed night", got)
		}
		p, err := b.worker.Preview(context.Background(), &hotel.Remap{StockPer: hotel.PerRoom, Mappings: b.without(1)})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(p.Raises, func(r hotel.Raise) bool {
			return r.From <= night && night <= r.To && r.Shown != nil && *r.Shown == 0 && r.Wanted > 0
		}) {
			t.Errorf("raised is %+v", p.Raises)
		}
		if len(p.Refused) != 0 {
			t.Errorf("%d values cannot be told", len(p.Refused))
		}
	})
}
