package sync_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// busyBeat is how often the engine is told the time while something happens.
const busyBeat = 3 * time.Second

// draw is a time of up to most.
func (w *world) draw(most time.Duration) time.Duration {
	return 1 + time.Duration(w.dice.Int64N(int64(most)))
}

// pass lets time go by and tells the engine of it, beat by beat.
func (w *world) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		if w.eng != nil && w.killed() {
			w.revive()
			continue
		}
		next := w.ticks.Add(w.beat)
		if now := time.Now(); next.Before(now) {
			next = now
		}
		if next.After(end) {
			time.Sleep(worldTurn.after(time.Until(end)))
			return
		}
		time.Sleep(worldTurn.after(time.Until(next)))
		w.ticks = next
		if w.eng == nil {
			continue
		}
		w.tick()
		w.checkOut(false)
		w.closeWindows()
		w.level(w.stays())
		w.checkCounts()
		if w.beat == busyBeat {
			w.watchCounts()
			w.watchStale()
		}
	}
}

// tick tells the engine the time. While the ledger is locked it comes to nothing.
func (w *world) tick() {
	w.unlockDue()
	switch err := w.eng.Tick(context.Background()); {
	case err == nil:
		w.day = w.today()
	case w.lock == nil:
		w.t.Error(err)
	}
}

// rest lets a long time go by in which nobody does anything. A lock has ended before: it
// does at a tick, and those are hours apart.
func (w *world) rest(d time.Duration) {
	for w.lock != nil {
		w.pass(w.beat)
	}
	w.beat = w.habits.beat
	w.pass(d)
	w.beat = busyBeat
	w.calmWatch()
}

// busy lets things happen for a while, each time in another mood.
func (w *world) busy() {
	w.mood = w.newMood()
	w.slow.Store(int64(w.mood.slow))
	for range w.habits.acts/4 + w.dice.IntN(w.habits.acts*3/4) {
		w.dawn()
		w.pass(w.draw(2 * w.mood.gap))
		w.act()
		w.zone(false)
		if w.dice.IntN(4) == 0 && w.differs() == "" && w.unsettled() == "" {
			w.checkShown()
		}
		if w.t.Failed() {
			return
		}
	}
}

// act lets one thing happen.
func (w *world) act() {
	if w.venture() {
		return
	}
	switch roll := w.dice.IntN(100); {
	case roll < w.mood.faults:
		w.fault()
		return
	case w.habits.kills && roll >= 100-w.mood.kills:
		if w.dice.IntN(4) > 0 {
			w.light(1 + w.dice.IntN(12))
		} else {
			w.restart()
		}
		return
	}
	switch roll := w.dice.IntN(40); {
	case roll < 16:
		w.guest()
	case roll < 20:
		w.direct()
	case roll < 26:
		w.duel()
	case roll < 32:
		w.restock()
	case roll < 36:
		w.price(w.dice.IntN(3), w.nights(5), 5000+50*w.dice.Int64N(400))
	case roll < 37 && w.habits.storms:
		w.storm()
	case roll < 38 && w.habits.edits:
		w.edit()
	case roll < 39 && w.habits.steps:
		w.count("clock step")
		by := w.draw(5 * time.Minute)
		if w.dice.IntN(3) == 0 {
			by = -by
		}
		if w.todayAfter(by) < w.opened {
			by = -by // a night that was over when the hotel opened was never told
		}
		w.ahead.Add(int64(by))
		w.stepped = time.Now()
		w.calmWatch()
	default:
		w.restrict()
	}
}

// edit is a thing that somebody has changed at a channel by hand.
type edit struct {
	channel string
	key     connectors.Key
}

// edit changes something at a channel by hand, each thing once a day at the most:
// who does so again and again is asked, and has to answer. Nobody sells what there
// is not, which no program could help.
func (w *world) edit() {
	f, room, h := w.far[w.dice.IntN(len(w.far))], w.dice.IntN(3), w.facts.house
	at := edit{f.channel, connectors.Key{Room: h.RemoteRoom(room), Rate: h.RemoteRate(w.dice.IntN(2)), Night: w.nights(1).From}}
	at.key.Group = []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price}[w.dice.IntN(4)]
	if at.key.Group == hotel.Availability {
		at.key.Rate = ""
	}
	was, known := f.Book().Shown(at.key)
	now := was
	switch at.key.Group {
	case hotel.Availability:
		now.Available = w.dice.IntN(1 + was.Available)
	case hotel.Closures:
		now.Closed.Closed = !was.Closed.Closed
	case hotel.Lengths:
		now.Lengths.MinStayArrival = 1 + w.dice.IntN(7)
	case hotel.Price:
		now.Amount.Minor += 1 + w.dice.Int64N(3000)
	}
	_, again := w.edited[at]
	if !known || again || now == was || at.key.Group == hotel.Availability && (w.guarded(room) || w.last(room) > 0) {
		return
	}
	_, _ = f.Book().Take([]connectors.Change{{Key: at.key, Offer: now}}, testkit.Receipt{})
	w.edited[at], w.byHand = time.Now(), true
	w.count("edit")
}

// today is the calendar date at the hotel.
func (w *world) today() hotel.Date { return w.todayAfter(0) }

// todayAfter is what the hotel's day would be with its clock set by so much.
func (w *world) todayAfter(by time.Duration) hotel.Date {
	return w.facts.house.Property.Today(clock{&w.ahead, w.lives}.Now().Add(by))
}

// nights draws a span of at most so many nights, starting on a busy one.
func (w *world) nights(most int) hotel.Span { return w.nightsBy(w.dice, most) }

func (w *world) nightsBy(dice *rand.Rand, most int) hotel.Span {
	today := w.today()
	from := today + 1 + hotel.Date(dice.IntN(w.mood.nights))
	last := min(today+w.habits.days, w.facts.last)
	return hotel.Span{From: min(from, last), To: min(from+hotel.Date(dice.IntN(most)), last)}
}

// guest books, changes or cancels at one of the channels.
func (w *world) guest() {
	f := w.far[w.dice.IntN(len(w.far))]
	var live []testkit.Booking
	for _, b := range f.Book().Bookings() {
		// Whose clock is ahead lets a guest in before the day: guestInHouse has him change his mind.
		if _, here := w.arrived[b.Reference]; !here && b.Status != testkit.CancelledAtFarSide && earliest(b) > w.today() {
			live = append(live, b)
		}
	}
	wish := func() testkit.Request {
		nights := w.nights(3)
		return w.strange(testkit.Request{
			Room: w.facts.house.RemoteRoom(w.dice.IntN(3)), Rate: w.facts.house.RemoteRate(w.dice.IntN(2)), CheckIn: nights.From, CheckOut: nights.To + 1,
			Adults: 1 + w.dice.IntN(2), LastName: []string{"Guest", "Guest " + cardNumber}[w.dice.IntN(2)],
		})
	}
	q := wish()
	for range 5 {
		if f.Book().Sellable(q) == nil {
			break
		}
		q = wish()
	}
	var err error
	switch roll := w.dice.IntN(10); {
	case roll < 6 || len(live) == 0:
		w.sell(f, w.party(q))
	case roll < 8:
		was := live[w.dice.IntN(len(live))]
		q.Reference = was.Reference
		b, e := f.Book().Modify(w.giveUp(was, q))
		if err = e; err == nil {
			w.moved[was.Reference] = append(w.moved[was.Reference], was)
			w.checkBooked(b, f)
		}
	default:
		_, err = f.Book().Cancel(live[w.dice.IntN(len(live))].Reference)
	}
	if err != nil && !errors.Is(err, testkit.ErrNotSellable) {
		w.t.Error(err)
	}
}

// sell lets a channel sell, and counts the rooms that the hotel has not got.
func (w *world) sell(f *far, q testkit.Request) {
	q.Reference = w.reuse(f)
	b, err := f.Book().Sell(q)
	if errors.Is(err, testkit.ErrNotSellable) {
		return
	}
	if err != nil {
		w.t.Error(err)
	}
	if q.Reference != "" {
		w.handOn(b.Reference)
	}
	if n := len(b.Others) + 1; n > 1 {
		w.parties[b.Reference] = n
		w.count("party")
	}
	w.checkBooked(b, f)
}

// direct books or cancels at the hotel itself.
func (w *world) direct() {
	if n := len(w.facts.direct); n > 0 && w.dice.IntN(2) == 0 {
		w.giveBack(w.dice.IntN(n))
		return
	}
	w.book(w.dice.IntN(3), w.nights(3))
}

// giveBack cancels a direct booking.
func (w *world) giveBack(at int) {
	w.mine()
	if w.facts.direct[at].nights.CheckIn <= w.today() {
		return
	}
	if _, _, err := w.ldg.CancelReservation(context.Background(), testkit.Tester, hotel.Once{}, w.facts.direct[at].id, hotel.CancelRequest{}); err != nil {
		w.t.Error(err)
	}
	w.facts.direct = slices.Delete(w.facts.direct, at, at+1)
}

// book books directly, if the hotel has such a room.
func (w *world) book(room int, nights hotel.Span) {
	w.mine()
	made, err := w.order(hotel.NewReservation{
		PropertyID: w.facts.house.Property.ID, RoomTypeID: w.facts.house.Rooms[room].ID, RatePlanID: w.facts.house.Plans[0].ID,
		Stay: hotel.Stay{CheckIn: nights.From, CheckOut: nights.To + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
	})
	if refusal := (*hotel.Refusal)(nil); errors.As(err, &refusal) {
		return // full, closed or too short
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	for _, r := range made {
		w.facts.direct = append(w.facts.direct, stay{id: r.ID, room: room, nights: r.Stay})
		w.checkSold(room, r.Stay, nil)
	}
}

// duel lets a channel sell a room while it is told of another sale, which is
// taken back at once. What it was told is then what is wanted again, and only
// the channel's own sale tells that it does not show it.
func (w *world) duel() {
	night := w.nights(1)
	room, had := w.dice.IntN(3), len(w.facts.direct)
	w.book(room, night)
	w.pass(w.draw(w.mood.slow / 2))
	f := w.far[w.dice.IntN(2)*w.dice.IntN(len(w.far))] // mostly the one that tells at once
	w.sell(f, testkit.Request{
		Room: w.facts.house.RemoteRoom(room), Rate: w.facts.house.RemoteRate(0), CheckIn: night.From, CheckOut: night.To + 1, Adults: 2, LastName: "Guest",
	})
	w.pass(w.draw(w.mood.slow / 8))
	if len(w.facts.direct) > had {
		w.giveBack(had)
	}
}

// restock changes a fact of the stock.
func (w *world) restock() {
	nights, room := w.nights(4), w.dice.IntN(3)
	var e hotel.InventoryEntry
	var change func(*fact)
	switch roll := w.dice.IntN(4); {
	case roll == 0 && room != 1: // family has no pool of its own
		n := w.dice.IntN(4)
		if w.guarded(room) && w.dice.IntN(2) == 0 {
			n = testkit.Suites // mostly more than is undealt
		}
		for d := nights.From; d <= nights.To; d++ {
			w.takeAway(room, hotel.Stay{CheckIn: d, CheckOut: d + 1}, max(0, n-w.facts.nights[d][room].outOfOrder))
		}
		e.OutOfOrder = hotel.Given(n)
		change = func(f *fact) { f.outOfOrder = n }
	case roll == 1:
		n := w.dice.IntN(12)
		e.SellLimit = hotel.Given(n)
		change = func(f *fact) { f.limit = n }
	case roll == 2:
		e.SellLimit = hotel.Optional[int]{Set: true, Null: true}
		change = func(f *fact) { f.limit = -1 }
	default:
		closed := w.dice.IntN(5) == 0
		e.Closed = hotel.Given(closed)
		change = func(f *fact) { f.shut = closed }
	}
	w.mine()
	w.facts.set(room, nights, change)
	if w.habits.pms && room == suiteRoom && e.OutOfOrder.Set {
		w.pmsGives()
		return
	}
	w.facts.house.Stock(w.t, w.ldg, room, nights, e)
	w.checkTold(room, nights)
}

func (w *world) price(room int, nights hotel.Span, amount int64) {
	w.mine()
	w.facts.house.Price(w.t, w.ldg, room, nights, amount)
	w.facts.set(room, nights, func(f *fact) { f.price = amount })
}

// storm gives every night of the house a price of its own.
func (w *world) storm() {
	today := w.today()
	for room := range w.facts.house.Rooms {
		u := hotel.RateUpdate{PropertyID: w.facts.house.Property.ID, Source: "api"}
		for d := today; d <= min(today+w.habits.days, w.facts.last); d++ {
			amount := 5000 + 50*w.dice.Int64N(400)
			u.Entries = append(u.Entries, w.facts.house.PriceEntry(room, hotel.Span{From: d, To: d}, amount))
			w.facts.set(room, hotel.Span{From: d, To: d}, func(f *fact) { f.price = amount })
		}
		w.mine()
		if _, _, err := w.ldg.UpdateRates(context.Background(), testkit.Tester, hotel.Once{}, u); err != nil {
			w.t.Error(err)
		}
	}
}

// restrict says something of the stays of one room type.
func (w *world) restrict() {
	closed, arrival, least := w.dice.IntN(5) == 0, w.dice.IntN(5) == 0, 1+w.dice.IntN(3)
	w.rule(w.dice.IntN(3), w.nights(4), hotel.Closed{Closed: closed, Arrival: arrival}, hotel.LengthLimits{MinStayArrival: least})
}

func (w *world) rule(room int, nights hotel.Span, closed hotel.Closed, lengths hotel.LengthLimits) {
	w.mine()
	_, _, err := w.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: w.facts.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: w.facts.house.Rooms[room].ID, Dates: hotel.Dates{Span: nights},
			Closed: hotel.Given(closed.Closed), ClosedToArrival: hotel.Given(closed.Arrival), MinStayArrival: hotel.Given(max(1, lengths.MinStayArrival)),
		}},
	})
	if err != nil {
		w.t.Error(err)
	}
	if lengths.MinStayArrival == 1 {
		lengths.MinStayArrival = 0 // every stay has a night: channels are told of no minimum
	}
	w.facts.set(room, nights, func(f *fact) { f.closed, f.lengths = closed, lengths })
}

// fault plants one at a channel.
func (w *world) fault() {
	if len(w.habits.faults) == 0 {
		return
	}
	f := testkit.Fault{Kind: w.habits.faults[w.dice.IntN(len(w.habits.faults))], Count: 1 + w.dice.IntN(3)}
	switch roll := w.dice.IntN(12); {
	case f.Kind == testkit.AbsurdLimit || f.Kind == testkit.HugeBody || f.Kind == testkit.Reject:
		f.Count = 1
	case roll < 2:
		f.Count, f.Seconds = 0, 20+w.dice.IntN(200)
	case roll == 2 && f.Kind == testkit.ServerError:
		f.Count, f.Seconds = 0, 3600
	}
	far := w.far[w.dice.IntN(len(w.far))]
	if w.habits.spared[string(f.Kind)] {
		return
	}
	if trouble, own := troubles[f.Kind]; own {
		trouble(w, far)
		return
	}
	far.Plant(w.t, f)
	w.refuse = w.refuse || f.Kind == testkit.Reject || f.Kind == testkit.Partial
	w.count(string(f.Kind))
	w.sicken(far, time.Duration(f.Seconds)*time.Second)
}
