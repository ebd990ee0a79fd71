package sync_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
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

func newFacts(h testkit.House, now time.Time) *facts {
	first := h.Property.BusinessDate(now)
	return &facts{house: h, first: first, last: first - 1, nights: map[hotel.Date]*[3]fact{}}
}

// dawn gives the nights a price that have come within the horizon when the
// property's clock last ticked.
func (w *world) dawn() {
	f, last := w.facts, w.day+w.habits.days
	if last <= f.last {
		return
	}
	for d := f.last + 1; d <= last; d++ {
		f.nights[d] = &[3]fact{{limit: -1}, {limit: -1}, {limit: -1}}
	}
	fresh := hotel.Span{From: f.last + 1, To: last}
	f.last = last
	for room := range f.house.Rooms {
		w.price(room, fresh, 10000+int64(room)*5000)
	}
	w.offerStrange(fresh)
	w.pmsGives()
}

func (f *facts) set(room int, nights hotel.Span, to func(*fact)) {
	for d := nights.From; d <= nights.To; d++ {
		to(&f.nights[d][room])
	}
}

// stays lists the live bookings of the whole world, each with the room that is held for it.
func (w *world) stays() []stay { return w.staysBy(w.sleeps) }

// staysIn lists them as they take rooms of the pool of a room type: where these are granted
// one by one with the rooms that were sold, whatever is held.
func (w *world) staysIn(room int) []stay {
	if w.guarded(room) {
		return w.staysBy(w.sells)
	}
	return w.stays()
}

func (w *world) staysBy(roomOf func(string) int) []stay {
	all := slices.Clone(w.facts.direct)
	for _, f := range w.far {
		for _, b := range f.Book().Bookings() {
			if _, here := w.arrived[b.Reference]; b.Status == testkit.CancelledAtFarSide && !here {
				continue
			}
			for _, p := range b.Parts() {
				all = append(all, stay{b.Reference, roomOf(p.Room), p.Stay()})
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

// free is how many rooms there are of each type, or fewer than none.
func (f *facts) free(room int, d hotel.Date, sold [3]int) int {
	night := f.nights[d]
	doubles := testkit.Doubles - night[0].outOfOrder - sold[0] - 2*sold[1]
	return [3]int{doubles, doubles >> 1, testkit.Suites - night[2].outOfOrder - sold[2]}[room]
}

// short reports whether the pool of a type has sold more than it has.
func (f *facts) short(room int, d hotel.Date, sold [3]int) bool {
	return f.nights[d] != nil && f.free(min(room, 2)&^1, d, sold) < 0
}

// available is how many rooms of a type may still be sold on a night, of which so many
// have been sold; held is how many of each type the hotel holds for somebody, by which its
// limits go.
func (f *facts) available(room int, d hotel.Date, sold, held [3]int) int {
	night, free := f.nights[d], max(0, f.free(room, d, sold))
	if limit := night[room].limit; limit >= 0 {
		free = max(0, min(free, limit-held[room]))
	}
	if night[room].shut {
		return 0
	}
	return free
}

// difference is a value that a channel shows in place of another.
type difference struct {
	f         *far
	key       connectors.Key
	got, want hotel.Offer
}

func (d difference) String() string {
	return fmt.Sprintf("%s shows %v for %s %s of %s on %s, must show %v", d.f.channel, d.got, d.key.Room, d.key.Rate, d.key.Group, d.key.Night, d.want)
}

// differ tells of all that a channel shows and must not, until it is told to stop.
func (w *world) differ(tell func(difference) bool) {
	h, stays, today := w.facts.house, w.stays(), w.today()
	for d := today; d <= min(today+w.habits.days, w.facts.last); d++ {
		sold := sold(stays, d)
		for room := range h.Rooms {
			fact := w.facts.nights[d][room]
			for _, f := range w.far {
				check := func(k connectors.Key, want hotel.Offer) bool {
					k.Room, k.Night = h.RemoteRoom(room), d
					got, _ := f.Book().Shown(k)
					return got == want || tell(difference{f, k, got, want})
				}
				if !w.granted(room, d, sold) && !check(connectors.Key{Group: hotel.Availability}, hotel.Offer{Available: w.facts.available(room, d, sold, sold)}) {
					return
				}
				for plan, percent := range [...]int64{100, 90} {
					rate := h.RemoteRate(plan)
					if !check(connectors.Key{Rate: rate, Group: hotel.Closures}, hotel.Offer{Closed: fact.closed}) ||
						!check(connectors.Key{Rate: rate, Group: hotel.Lengths}, hotel.Offer{Lengths: fact.lengths}) {
						return
					}
					for guests, amount := range [...]int64{fact.price, fact.price * 9 / 10, fact.price} {
						if !check(connectors.Key{Rate: rate, Group: hotel.Price, Occupancy: guests},
							hotel.Offer{Amount: hotel.Money{Minor: cents(f.raise(amount * percent * 10)), Currency: "EUR"}}) {
							return
						}
					}
				}
			}
		}
	}
}

// cents rounds thousandths of them, halves to the even side.
func cents(thousandths int64) int64 {
	whole, rest := thousandths/1000, thousandths%1000
	if rest > 500 || rest == 500 && whole%2 == 1 {
		whole++
	}
	return whole
}

// differs returns the first thing that a channel shows and must not.
func (w *world) differs() (first string) {
	w.differ(func(d difference) bool {
		first = d.String()
		return false
	})
	return first
}

// checkShown compares all that every channel shows with what it must.
func (w *world) checkShown() {
	n := 0
	w.differ(func(d difference) bool {
		n++
		w.wrong(4, "%s", d)
		return n < 5
	})
}

// checkBookings compares the ledger's reservations with the world's bookings.
func (w *world) checkBookings() {
	ctx := context.Background()
	for _, f := range w.far {
		kept, err := w.ldg.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{f.channel}, Limit: 100000})
		if err != nil {
			w.t.Error(err)
		}
		byReference := map[string][]hotel.Reservation{}
		for _, r := range kept {
			byReference[r.Source.Reference] = append(byReference[r.Source.Reference], r)
		}
		bookings := f.Book().Bookings()
		if len(bookings) != len(byReference) {
			w.wrong(2, "%s has sold %d bookings, the ledger has %d", f.channel, len(bookings), len(byReference))
		}
		for _, b := range bookings {
			switch rs := w.checkReused(b, byReference[b.Reference]); {
			case w.reused[b.Reference] && b.Status == testkit.CancelledAtFarSide: // what is kept of it may be the other one
			case w.parties[b.Reference] > 0:
				w.checkParty(b, rs)
			case len(rs) != 1:
				w.wrong(2, "booking %s is %d times in the ledger", b.Reference, len(rs))
			default:
				w.checkBooking(b, rs[0])
			}
		}
	}
}

// checkBooking compares a booking of one room.
func (w *world) checkBooking(b testkit.Booking, r hotel.Reservation) {
	room := w.roomIn(r)
	if unmapped := b.Rate == strangePlan; unmapped != (r.RoomTypeID == "") {
		w.wrong(2, "booking %s of %s %s is of room type %q", b.Reference, b.Room, b.Rate, r.RoomTypeID)
	}
	// What time does by itself moves a stay on; the channel does not.
	_, here := w.arrived[b.Reference]
	live := (b.Status == testkit.CancelledAtFarSide && !here) == (r.Status == hotel.Cancelled)
	if !live || r.Stay != b.Stay() || room != w.sleeps(b.Room) || r.Adults != b.Adults {
		w.wrong(2, "booking %s is %s %d %v %d in the ledger, %s %s %v %d at the channel",
			b.Reference, r.Status, room, r.Stay, r.Adults, b.Status, b.Room, b.Stay(), b.Adults)
	}
	w.checkAsked(b, r)
	if here {
		w.checkArrived(b, r)
		return
	}
	if r.Total != b.Total() {
		w.wrong(11, "booking %s costs %v in the ledger and %v at the channel", b.Reference, r.Total, b.Total())
	}
}

// roomIn is of which room type of the house a reservation takes a room.
func (w *world) roomIn(r hotel.Reservation) int {
	return slices.IndexFunc(w.facts.house.Rooms, func(room hotel.RoomType) bool { return room.ID == cmp.Or(r.RoomTypeID, r.HeldRoom) })
}

// checkLedger checks the ledger's own numbers and its chain, and that no far
// side was called too often by its own count.
func (w *world) checkLedger() {
	ctx, h := context.Background(), w.facts.house
	today := w.today()
	inv, err := w.ldg.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.Property.ID, Span: hotel.Span{From: today, To: today + w.habits.days}})
	if err != nil {
		w.t.Error(err)
	}
	stays := w.stays()
	for _, c := range inv.Cells {
		for room := range h.Rooms {
			if sold := sold(stays, c.Date); c.RoomTypeID == h.Rooms[room].ID && c.Sold != sold[room] {
				w.wrong(3, "the ledger has sold %d of %s on %s, the world has %d", c.Sold, h.Rooms[room].Code, c.Date, sold[room])
			}
		}
	}
	for _, f := range w.far {
		if n := f.State(w.t).OverLimit; n > 0 {
			w.wrong(6, "%s refused %d calls beyond its limit", f.channel, n)
		}
	}
	w.addJournal()
}

// checkRebuilt checks that a ledger, with all that it has in memory, is what
// follows from its journal.
func checkRebuilt(l *ledger.Ledger, wrong func(format string, args ...any)) {
	v, err := l.Verify(context.Background(), ledger.VerifyOptions{Stage: chansync.Stage(nil, nil), Report: func(string, float64) {}})
	if err != nil {
		wrong("verify the ledger: %v", err)
	}
	for _, d := range v.Differences {
		wrong("not what follows from the journal: %s", d)
	}
}

// checkForGood is what is looked at once, at the end.
func (w *world) checkForGood() {
	if at, err := w.ldg.VerifyChain(context.Background(), w.facts.house.Property.ID); err != nil || at != 0 {
		w.wrong(9, "the chain breaks at %d: %v", at, err)
	}
	for _, name := range []string{"ledger.db", "ledger.db-wal"} {
		b, err := os.ReadFile(filepath.Join(w.folder(w.lives), name))
		if err != nil {
			w.t.Error(err)
		}
		w.leaks(name, b)
	}
}
