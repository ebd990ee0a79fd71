package sync_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// facts is what the world has told the hotel, and nothing that the hotel made of
// it. What a channel must show is worked out from it in the plainest way.
type facts struct {
	house       testkit.House
	first, last hotel.Date
	nights      map[hotel.Date]*[3]fact // by room
	direct      []stay                  // live bookings at the hotel itself
}

// fact is what was said of one room type on one night.
type fact struct {
	outOfOrder int
	limit      int // -1: none
	shut       bool
	price      int64 // of plan flex, for two guests, in cents
	closed     hotel.Closed
	lengths    hotel.LengthLimits
}

// stay is a live booking.
type stay struct {
	id     string
	room   int
	nights hotel.Stay
}

func newFacts(h testkit.House) *facts {
	f := &facts{house: h, first: h.Property.Today(time.Now()), nights: map[hotel.Date]*[3]fact{}}
	f.last = f.first + testkit.HorizonDays
	for d := f.first; d <= f.last; d++ {
		f.nights[d] = &[3]fact{{limit: -1}, {limit: -1}, {limit: -1}}
	}
	return f
}

func (f *facts) set(room int, nights hotel.Span, to func(*fact)) {
	for d := nights.From; d <= nights.To; d++ {
		to(&f.nights[d][room])
	}
}

// stays lists the live bookings of the whole world.
func (w *world) stays() []stay {
	all := slices.Clone(w.facts.direct)
	for _, f := range w.far {
		for _, b := range f.Book().Bookings() {
			if b.Status == testkit.CancelledAtFarSide {
				continue
			}
			for room := range w.facts.house.Rooms {
				if w.facts.house.RemoteRoom(room) == b.Room {
					all = append(all, stay{b.Reference, room, b.Stay()})
				}
			}
		}
	}
	return all
}

// sold counts the rooms sold of each type on a night.
func sold(stays []stay, d hotel.Date) (n [3]int) {
	for _, s := range stays {
		if s.nights.Contains(d) {
			n[s.room]++
		}
	}
	return n
}

// available is how many rooms of a type may still be sold on a night.
func (f *facts) available(room int, d hotel.Date, sold [3]int) int {
	night := f.nights[d]
	doubles := testkit.Doubles - night[0].outOfOrder - sold[0] - 2*sold[1]
	free := max(0, [3]int{doubles, doubles >> 1, testkit.Suites - night[2].outOfOrder - sold[2]}[room])
	if limit := night[room].limit; limit >= 0 {
		free = max(0, min(free, limit-sold[room]))
	}
	if night[room].shut {
		return 0
	}
	return free
}

// quiet ends the faults and waits until all is told. Then every channel shows
// what it must, every booking of the world is in the ledger once, and nothing
// more is sent.
func (w *world) quiet() {
	const patience = 30 * time.Minute
	w.slow.Store(int64(20 * time.Millisecond))
	began := time.Now()
	before := w.updates()
	for why := "?"; why != ""; why = w.unsettled() {
		if time.Since(began) > patience {
			w.t.Errorf("%s: after %v without anything happening: %s", time.Now().Format(time.TimeOnly), patience, why)
			break
		}
		for _, f := range w.far {
			f.Calm()
		}
		w.pass(5 * time.Second)
	}
	w.checkShown()
	w.checkBookings()
	w.checkLedger()
	after := w.updates()
	for i, f := range w.far {
		if n := after[i] - before[i]; n > 150 {
			w.t.Errorf("%s was called %d times to come to rest", f.channel, n)
		}
	}
	w.pass(65 * time.Second)
	for i, n := range w.updates() {
		if n != after[i] {
			w.t.Errorf("%s is told more although nothing has changed", w.far[i].channel)
		}
	}
}

// updates counts the updates that every channel was sent.
func (w *world) updates() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	var n []int
	for _, f := range w.far {
		n = append(n, f.updates)
	}
	return n
}

// unsettled says what the hotel and its channels still have to tell each other.
func (w *world) unsettled() string {
	states, err := w.ldg.Channels(context.Background(), "")
	if err != nil {
		return err.Error()
	}
	for i, s := range states {
		if s.Lag > 0 || s.Rejected > 0 {
			return fmt.Sprintf("%s: %d cells to be told, %d refused", s.ID, s.Lag, s.Rejected)
		}
		if n := w.far[i].Book().State().Waiting; n > 0 {
			return fmt.Sprintf("%s: %d messages not taken", w.far[i].channel, n)
		}
	}
	newest, err := w.ldg.Sequence(context.Background())
	if err != nil {
		return err.Error()
	}
	for _, s := range states {
		if s.SyncedThrough != newest {
			return fmt.Sprintf("%s is told up to %d of %d", s.ID, s.SyncedThrough, newest)
		}
	}
	return ""
}

// checkShown compares all that every channel shows with what it must.
func (w *world) checkShown() {
	h, stays, wrong := w.facts.house, w.stays(), 0
	for d := h.Property.Today(time.Now()); d <= w.facts.last; d++ {
		sold := sold(stays, d)
		for room := range h.Rooms {
			fact := w.facts.nights[d][room]
			for _, f := range w.far {
				check := func(k connectors.Key, want hotel.Offer) {
					k.Room, k.Night = h.RemoteRoom(room), d
					if got, _ := f.Book().Shown(k); got != want && wrong < 10 {
						wrong++
						w.t.Errorf("%s: %s shows %+v for %s %s of %s on %s, must show %+v", time.Now().Format(time.TimeOnly), f.channel, got, k.Room, k.Rate, k.Group, d, want)
					}
				}
				check(connectors.Key{Group: hotel.Availability}, hotel.Offer{Available: w.facts.available(room, d, sold)})
				for plan, percent := range []int64{100, 90} {
					rate := h.RemoteRate(plan)
					check(connectors.Key{Rate: rate, Group: hotel.Closures}, hotel.Offer{Closed: fact.closed})
					check(connectors.Key{Rate: rate, Group: hotel.Lengths}, hotel.Offer{Lengths: fact.lengths})
					for guests, amount := range map[int]int64{0: fact.price, 1: fact.price * 9 / 10, 2: fact.price} {
						check(connectors.Key{Rate: rate, Group: hotel.Price, Occupancy: guests},
							hotel.Offer{Amount: hotel.Money{Minor: f.raise(amount * percent / 100), Currency: "EUR"}})
					}
				}
			}
		}
	}
}

// checkBookings compares the ledger's reservations with the world's bookings.
func (w *world) checkBookings() {
	ctx, h := context.Background(), w.facts.house
	for _, f := range w.far {
		kept, err := w.ldg.Reservations(ctx, hotel.ReservationFilter{ChannelID: f.channel, Limit: 100000})
		if err != nil {
			w.t.Error(err)
		}
		byReference := map[string][]hotel.Reservation{}
		for _, r := range kept {
			byReference[r.Source.Reference] = append(byReference[r.Source.Reference], r)
		}
		bookings := f.Book().Bookings()
		if len(bookings) != len(byReference) {
			w.t.Errorf("%s has sold %d bookings, the ledger knows %d", f.channel, len(bookings), len(byReference))
		}
		for _, b := range bookings {
			rs := byReference[b.Reference]
			if len(rs) != 1 {
				w.t.Errorf("booking %s is %d times in the ledger", b.Reference, len(rs))
				continue
			}
			r := rs[0]
			room := ""
			for i := range h.Rooms {
				if h.Rooms[i].ID == r.RoomTypeID {
					room = h.RemoteRoom(i)
				}
			}
			if string(r.Status) != b.Status || r.Stay != b.Stay() || room != b.Room || r.Adults != b.Adults || r.Total != b.Total() {
				w.t.Errorf("booking %s is %s %s %v %d %v in the ledger, %s %s %v %d %v at the channel",
					b.Reference, r.Status, room, r.Stay, r.Adults, r.Total, b.Status, b.Room, b.Stay(), b.Adults, b.Total())
			}
		}
	}
}

// checkLedger checks the ledger's own numbers and its chain, and that no far
// side was called too often by its own count.
func (w *world) checkLedger() {
	ctx, h := context.Background(), w.facts.house
	inv, err := w.ldg.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.Property.ID, Span: hotel.Span{From: w.facts.first, To: w.facts.last}})
	if err != nil {
		w.t.Error(err)
	}
	stays := w.stays()
	for _, c := range inv.Cells {
		for room := range h.Rooms {
			if sold := sold(stays, c.Date); c.RoomTypeID == h.Rooms[room].ID && c.Sold != sold[room] {
				w.t.Errorf("the ledger has sold %d of %s on %s, the world has %d", c.Sold, h.Rooms[room].Code, c.Date, sold[room])
			}
		}
	}
	if at, err := w.ldg.VerifyChain(ctx, h.Property.ID); err != nil || at != 0 {
		w.t.Errorf("the chain breaks at %d: %v", at, err)
	}
	for _, f := range w.far {
		if n := f.State(w.t).OverLimit; n > 0 {
			w.t.Errorf("%s refused %d calls beyond its limit", f.channel, n)
		}
	}
}
