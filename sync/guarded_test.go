package sync_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

var (
	guardedSeed  = flag.Uint64("guarded.seed", 0, "the first world of a guarded pool, played at length; 0: the first of those that every test plays a while")
	guardedSeeds = flag.Uint64("guarded.seeds", 0, "how many worlds of a guarded pool to play; 0: one, or as many as every test does")
)

// guardedWorlds are the worlds to play, and how often each of them becomes quiet: those that
// every test plays are soon over.
func guardedWorlds() (first, end uint64, rounds int) {
	if *guardedSeed == 0 {
		return firstGuarded, firstGuarded + cmp.Or(*guardedSeeds, guardedATest), 4
	}
	return *guardedSeed, *guardedSeed + cmp.Or(*guardedSeeds, 1), 10
}

// TestGuardedPoolIsNeverSoldTwice lets guests buy the few rooms of a guarded pool
// at channels that fail and tell late, and at the desk, and looks after every step
// that no night has more guests than rooms. When it is quiet no room is kept from
// everybody.
func TestGuardedPoolIsNeverSoldTwice(t *testing.T) {
	first, end, rounds := guardedWorlds()
	for seed := first; seed < end; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cryptotest.SetGlobalRandom(t, seed)
				w := newGuarded(t, seed)
				defer w.leave()
				for range rounds {
					for range 30 {
						w.act()
						w.check()
					}
					checkRebuilt(w.ldg, t.Errorf)
					w.quiet()
				}
				t.Logf("sold %d at channels, %d at the desk", w.sold, w.atDesk)
			})
		})
	}
}

// guarded is a house whose doubles are guarded, with its channels.
type guarded struct {
	*bench
	dice   *rand.Rand
	far    []testkit.FarSide
	total  map[hotel.Date]int // units of the pool
	direct map[string]stay
	moved  map[string]bool // by reference: guests of channels who sleep in a suite
	sold   int
	atDesk int
	gap    time.Duration // longest between two things that happen

	tardy bool         // calls take effect late, and somebody sets the hotel's clock
	more  *rand.Rand   // of what happens only where they do
	ahead atomic.Int64 // how far the hotel's clock is

	losses *losses // in worlds in which rooms go that channels were granted

	answering atomic.Int64 // until when the answer of a channel that has acted is on its way, in nanoseconds

	shape   shape
	rates   bool // one of the channels has a count for each rate of a room
	keeps   bool // one of the channels never gives back what it was granted
	front   bool // guests come to the desk more than to the channels, which are often deaf
	waiting bool // somebody at the desk waits for a room

	life   context.Context
	kill   context.CancelFunc
	cancel context.CancelFunc
	ended  []chan struct{}
}

func newGuarded(t *testing.T, seed uint64) *guarded {
	kind := kindOf(seed)
	w := &guarded{dice: rand.New(rand.NewPCG(seed, 5)), more: rand.New(rand.NewPCG(seed, 7)), tardy: kind.tardy, total: map[hotel.Date]int{}, direct: map[string]stay{}, moved: map[string]bool{}, gap: time.Second, front: kind.front}
	w.shape, w.rates, w.keeps = kind.shape, kind.rates, kind.keeps
	if kind.loses {
		w.losses = newLosses(seed)
	}
	w.bench = newBenchBy(t, clock{&w.ahead, 0})
	var mu sync.Mutex
	own := rand.New(rand.NewPCG(seed, 6))
	w.net.Delay = func(r *http.Request, back bool) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		if !back {
			return time.Duration(1 + own.Int64N(int64(300*time.Millisecond)))
		}
		d := time.Duration(1 + own.Int64N(int64(900*time.Millisecond)))
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/availability") {
			w.answering.Store(time.Now().Add(d).UnixNano())
		}
		return d
	}
	units := 1 + w.dice.IntN(4)
	nights := hotel.Span{From: w.first, To: w.first + testkit.HorizonDays}
	w.house.Stock(t, w.ldg, 0, nights, hotel.InventoryEntry{Total: hotel.Given(units)})
	for d := nights.From; d <= nights.To; d++ {
		w.total[d] = units
	}
	w.shape.build(w.bench)
	outside, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	for i, preset := range kind.presets {
		id := string(rune('a' + i))
		client := &http.Client{Transport: w.net.Line(outside), Timeout: 10 * time.Second}
		f := testkit.OpenFarSide(t, preset, id+".test", "http://hotel.test/inbound/"+id+"/", client, w.house.Remote())
		w.net.Serve(outside, f.Host, f)
		w.far = append(w.far, f)
		ended := make(chan struct{})
		w.ended = append(w.ended, ended)
		go func() {
			defer close(ended)
			_ = f.Run(outside)
		}()
		w.channel(id, f.Settings(300))
		if err := w.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
			t.Fatal(err)
		}
	}
	w.start()
	w.quiet()
	return w
}

func (w *guarded) start() {
	w.life, w.kill = context.WithCancel(context.Background())
	life := w.life
	w.eng = chansync.New(chansync.Options{
		Ledger: w.ldg, Clock: w.clock, Log: zap.NewNop(), Collect: 500 * time.Millisecond, Timeout: 10 * time.Second,
		Client: func(string) *http.Client {
			return transport.New(transport.Options{Timeout: 10 * time.Second, Base: w.net.Line(life)})
		},
	})
	if err := w.eng.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.net.Serve(life, "hotel.test", w.eng.Handler())
}

// die ends the hotel's side at once: what its files hold now is all that the next
// life has, and what is under way never arrives or is never answered.
func (w *guarded) die() {
	synctest.Wait() // nothing is being written
	next := filepath.Join(testkit.Folder(w.t), "ledger.db")
	for _, tail := range []string{"", "-wal"} {
		b, err := os.ReadFile(w.path + tail)
		if err == nil {
			err = os.WriteFile(next+tail, b, 0o600)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	w.kill()
	w.stop()
	w.path = next
	var err error
	if w.ldg, err = ledger.Open(context.Background(), ledger.Options{Path: next, Clock: w.clock}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *guarded) leave() {
	w.stop()
	w.kill()
	w.cancel()
	for i, f := range w.far {
		<-w.ended[i]
		if err := f.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

// nights draws a stay on the few nights that everybody wants.
func (w *guarded) nights() hotel.Stay {
	in := w.first + 1 + hotel.Date(w.dice.IntN(2))
	return hotel.Stay{CheckIn: in, CheckOut: in + 1 + hotel.Date(w.dice.IntN(2))}
}

func (w *guarded) act() {
	w.pass(time.Duration(1 + w.dice.Int64N(int64(w.gap))))
	if w.tardy && w.more.IntN(12) == 0 {
		w.tarry()
	}
	if w.losses != nil && w.losses.dice.IntN(10) == 0 {
		w.lose()
	}
	switch roll := w.dice.IntN(22); {
	case roll < 9 && (!w.front || roll >= 4):
		w.guest()
	case roll < 11:
		w.desk()
	case roll < 12:
		w.restock()
	case roll < 15:
		w.shut(w.dice.IntN(2) == 0)
		if w.dice.IntN(2) == 0 {
			w.cancels()
		}
	case roll < 18:
		kinds := []testkit.Fault{{Kind: testkit.Timeout}, {Kind: testkit.Cut}, {Kind: testkit.ServerError}, {Kind: testkit.LostAnswer}, {Kind: testkit.Reject}}
		f := kinds[w.dice.IntN(len(kinds))]
		f.Count = 1 + w.dice.IntN(3)
		if w.dice.IntN(4) == 0 || w.front { // what it is told is lost for a while, and it can still be asked
			f = testkit.Fault{Kind: testkit.Half, Seconds: 10 + w.dice.IntN(110)}
		}
		w.far[w.dice.IntN(len(w.far))].Plant(w.t, f)
	case roll < 19:
		if w.dice.IntN(2) == 0 {
			w.told()
		}
		w.die()
		for range w.dice.IntN(4) {
			w.guest()
			time.Sleep(time.Second)
		}
		w.start()
	case roll < 20:
		w.pass(time.Duration(w.dice.IntN(180)) * time.Second)
	default:
		w.move()
	}
}

// tarry has what a channel is told of open rooms take effect late, when it has been told
// otherwise and others have what it was granted: only who waits for that knows. Meanwhile
// everybody buys, so that what comes late adds to a house that is full, and often somebody
// sets the clock.
func (w *guarded) tarry() {
	for _, f := range w.far {
		for _, b := range w.live(f) {
			w.sells(f.Book().Cancel(b.Reference))
		}
	}
	nights := hotel.Span{From: w.first + 1, To: w.first + 3}
	for d := nights.From; d <= nights.To; d++ {
		w.total[d] = max(w.total[d], len(w.far)+1)
		w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: d, To: d}, hotel.InventoryEntry{Total: hotel.Given(w.total[d]), Closed: hotel.Given(true)})
	}
	w.pass(time.Duration(3+w.more.IntN(60)) * time.Second)
	f := w.far[[]int{0, 1, 1, 1}[w.more.IntN(4)]] // the second goes by no versions
	f.Plant(w.t, testkit.Fault{Kind: testkit.Late, Count: 1 + w.more.IntN(2)})
	w.house.Stock(w.t, w.ldg, 0, nights, hotel.InventoryEntry{Closed: hotel.Given(false)})
	for end := time.Now().Add(75 * time.Second); time.Now().Before(end); w.check() {
		w.pass(time.Duration(1 + w.more.Int64N(int64(8*time.Second))))
		if w.more.IntN(5) == 0 {
			w.ahead.Add(int64(time.Duration(w.more.IntN(9)-3) * time.Minute))
		}
		for _, f := range w.far {
			w.buys(f, nights.From+hotel.Date(w.more.IntN(3)))
		}
	}
}

// buys has a guest of a channel buy a double for one night.
func (w *guarded) buys(f testkit.FarSide, night hotel.Date) {
	if w.sells(f.Book().Sell(testkit.Request{
		Room: w.house.RemoteRoom(0), Rate: w.rate(), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
	})) {
		w.sold++
	}
}

// told lets time go by until a channel has acted and its answer is on the way.
func (w *guarded) told() {
	w.shut(false)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && time.Now().UnixNano() >= w.answering.Load(); {
		time.Sleep(50 * time.Millisecond)
	}
}

// live lists the bookings of a far side that are not cancelled.
func (w *guarded) live(f testkit.FarSide) (live []testkit.Booking) {
	for _, b := range f.Book().Bookings() {
		if b.Status != testkit.CancelledAtFarSide {
			live = append(live, b)
		}
	}
	return live
}

// sells notes what became of a guest's wish: it may be one that cannot be had.
func (w *guarded) sells(_ testkit.Booking, err error) bool {
	if err != nil && !errors.Is(err, testkit.ErrNotSellable) {
		w.t.Error(err)
	}
	return err == nil
}

func (w *guarded) guest() {
	f := w.far[w.dice.IntN(len(w.far))]
	live := w.live(f)
	stay := w.nights()
	q := testkit.Request{
		Room: w.house.RemoteRoom(w.dice.IntN(w.types())), Rate: w.rate(), CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, LastName: "Guest",
	}
	switch roll := w.dice.IntN(10); {
	case roll < 5 || len(live) == 0:
		if w.sells(f.Book().Sell(q)) {
			w.sold++
		}
	case roll < 7:
		q.Reference = live[w.dice.IntN(len(live))].Reference
		if !w.moved[q.Reference] { // else the hotel would have to say what becomes of the suite
			w.sells(f.Book().Modify(q))
		}
	default:
		w.sells(f.Book().Cancel(live[w.dice.IntN(len(live))].Reference))
	}
}

// cancels has some guests of channels cancel soon, one after the other: while what the
// channels were told takes effect.
func (w *guarded) cancels() {
	for range 1 + w.dice.IntN(3) {
		time.Sleep(time.Duration(1 + w.dice.Int64N(int64(800*time.Millisecond))))
		f := w.far[w.dice.IntN(len(w.far))]
		if live := w.live(f); len(live) > 0 {
			w.sells(f.Book().Cancel(live[w.dice.IntN(len(live))].Reference))
		}
	}
}

// move gives a guest of a channel a suite, where none is granted to anybody. The channel goes on
// counting a double.
func (w *guarded) move() {
	if w.shape.several() {
		return
	}
	kept, err := w.ldg.Reservations(context.Background(), hotel.ReservationFilter{Limit: 1000})
	if err != nil {
		w.t.Error(err)
	}
	for _, r := range kept {
		if r.Source.Reference == "" || r.Status != hotel.Confirmed || r.RoomTypeID == w.house.Rooms[2].ID || r.Stay.CheckIn <= w.first {
			continue
		}
		_, _, err := w.ldg.ChangeReservation(context.Background(), testkit.Tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &w.house.Rooms[2].ID})
		if _, full := errors.AsType[*hotel.Refusal](err); full {
			continue
		}
		if err != nil {
			w.t.Error(err)
		}
		w.moved[r.Source.Reference] = true
		return
	}
}

func (w *guarded) desk() {
	if w.dice.IntN(2) == 0 {
		for id := range w.direct {
			if _, _, err := w.ldg.CancelReservation(context.Background(), testkit.Tester, hotel.Once{}, id, hotel.CancelRequest{}); err != nil {
				w.t.Error(err)
			}
			delete(w.direct, id)
			return
		}
	}
	room, stay := w.dice.IntN(w.types()), w.nights()
	w.book(room, stay)
}

// book sells a room at the desk. Who is told that the rooms are on sale elsewhere
// waits for one a while, and mostly asks again.
func (w *guarded) book(room int, nights hotel.Stay) {
	r, _, err := w.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: w.house.Property.ID, RoomTypeID: w.house.Rooms[room].ID, RatePlanID: w.house.Plans[0].ID,
		Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
	})
	if refusal, refused := errors.AsType[*hotel.Refusal](err); refused {
		if refusal.Members["reason"] != "dealt" || w.waiting {
			return
		}
		if err := w.ldg.Recall(context.Background(), testkit.Tester, w.house.Property.ID, wanted(w.house.Rooms[room].ID, nights), time.Now().Add(20*time.Second), time.Now().Add(20*time.Second)); err != nil {
			w.t.Error(err)
		}
		w.waiting = true
		for range 4 {
			w.pass(time.Duration(1 + w.dice.Int64N(int64(3*time.Second))))
			w.guest()
		}
		w.book(room, nights)
		w.waiting = false
		return
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	w.direct[r.ID] = stay{id: r.ID, room: room, nights: r.Stay}
	w.atDesk++
}

// pass lets time go by in steps.
func (w *guarded) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(time.Until(end), 10*time.Second))
		if err := w.eng.Tick(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
}

// shut closes the doubles on the busy nights, or opens them.
func (w *guarded) shut(closed bool) {
	w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: w.first + 1, To: w.first + 1 + hotel.Date(w.dice.IntN(2))}, hotel.InventoryEntry{Closed: hotel.Given(closed)})
}

// restock adds a room to a night. Rooms are taken away in worlds with losses only.
func (w *guarded) restock() {
	d := w.first + 1 + hotel.Date(w.dice.IntN(3))
	w.total[d]++
	w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: d, To: d}, hotel.InventoryEntry{Total: hotel.Given(w.total[d])})
}

// atFarSides counts the rooms of a night that guests of channels booked, by type: those who
// were moved to a suite, or all others.
func (w *guarded) atFarSides(d hotel.Date, moved bool) (rooms [3]int) {
	for _, f := range w.far {
		for _, b := range f.Book().Bookings() {
			if b.Status != testkit.CancelledAtFarSide && b.Stay().Contains(d) && w.moved[b.Reference] == moved {
				rooms[w.house.RoomOf(b.Room)]++
			}
		}
	}
	return rooms
}

// taken counts the rooms of a night that guests have at the far sides and at the desk.
func (w *guarded) taken(d hotel.Date) [3]int {
	rooms := w.atFarSides(d, false)
	for _, s := range w.direct {
		if s.nights.Contains(d) {
			rooms[s.room]++
		}
	}
	return rooms
}

// onSale counts the rooms of a night that channels could sell.
func (w *guarded) onSale(d hotel.Date) (rooms [3]int) {
	for _, f := range w.far {
		for room := range w.types() {
			rooms[room] += f.Book().OnSale(w.house.RemoteRoom(room), d)
		}
	}
	return rooms
}

// units is how many units of the doubles rooms take, where they take of nothing else.
func (w *guarded) units(rooms [3]int) int { return rooms[0] + w.shape.units*rooms[1] }

func (w *guarded) check() {
	for d := w.first; d <= w.first+5; d++ {
		if n := w.taken(d); !w.shape.fits(n, w.total[d]+w.losses.on(d)) {
			w.t.Fatalf("%s: %v of %d doubles and what else there is are sold on %s", time.Now().Format(time.TimeOnly), n, w.total[d], d)
		}
	}
	w.checkTold()
}

// shownAt is what a far side shows of a room on a night, in all its counts.
func (w *guarded) shownAt(f testkit.FarSide, room int, d hotel.Date) (rooms int) {
	for _, c := range f.Book().Changes(w.house.RemoteRoom(room), hotel.Span{From: d, To: d}) {
		if c.Key.Group == hotel.Availability {
			rooms += max(0, c.Offer.Available)
		}
	}
	return rooms
}

// quiet ends the faults. Then whoever can be given a room has one to sell: soon, or
// when its count is looked at again where a call was lost or came late.
func (w *guarded) quiet() {
	w.shut(false)
	w.shut(false)
	w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: w.first + 1, To: w.first + 2}, hotel.InventoryEntry{Closed: hotel.Given(false)})
	why := ""
	for _, patience := range []time.Duration{10 * time.Minute, 70 * time.Minute} {
		for end := time.Now().Add(patience); time.Now().Before(end); w.pass(30 * time.Second) {
			for _, f := range w.far {
				f.Calm()
			}
		}
		w.check()
		if why = cmp.Or(w.unsold(), w.toldStill()); why == "" {
			break
		}
	}
	if why != "" {
		w.t.Errorf("%s: %s", time.Now().Format(time.TimeOnly), why)
	}
	w.notRaised()
	w.losses.settle(w)
	w.gap = []time.Duration{200 * time.Millisecond, time.Second, 4 * time.Second}[w.dice.IntN(3)]
}

// notRaised checks that nobody is told of a guarded count that somebody has raised, for
// nobody does.
func (w *guarded) notRaised() {
	told, err := w.ldg.Conflicts(context.Background(), hotel.ConflictFilter{PropertyID: w.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictDrift}, Limit: 100})
	if err != nil {
		w.t.Error(err)
	}
	for _, c := range told {
		for room := range w.types() {
			if len(c.Cells) > 0 && c.Cells[0].Group == hotel.Availability && c.Subject.RoomTypeID == w.house.Rooms[room].ID {
				w.t.Errorf("%s is said to have been raised by hand at channel %s: %s", c.Subject.Date, c.ChannelID, c.Facts)
			}
		}
	}
}

// unsold says which rooms are kept from somebody who could sell them.
func (w *guarded) unsold() string {
	for d := w.first + 1; d <= w.first+5; d++ {
		held := plus(w.taken(d), w.onSale(d))
		if !w.shape.fits(held, w.total[d]+w.losses.on(d)) {
			w.t.Errorf("%s: %v rooms are on sale or sold on %s, there are %d doubles and what else there is", time.Now().Format(time.TimeOnly), held, d, w.total[d])
		}
		held = plus(held, w.atFarSides(d, true)) // who cancels gives the room back to the channel, which sells it
		held = plus(held, w.keptAt(d))
		for room := 0; room < w.types(); room += 2 {
			more := held
			if more[room]++; !w.shape.fits(more, w.total[d]) {
				continue
			}
			for i, f := range w.far[:3] {
				if w.shownAt(f, room, d) == 0 {
					return fmt.Sprintf("some of %d doubles and what else there is are left on %s, where %v are taken or on sale, and channel %c shows no %s\n%s", w.total[d], d, held, 'a'+i, w.house.Rooms[room].Code, w.known(d))
				}
			}
		}
	}
	return ""
}

// keptAt counts the rooms of a night that the channel which gives nothing back was granted and
// does not show: it may have sold them, so that they are nobody else's.
func (w *guarded) keptAt(d hotel.Date) (rooms [3]int) {
	if !w.keeps {
		return rooms
	}
	seen, err := w.ldg.Sights(context.Background(), hotel.SightQuery{ChannelID: "d", Span: hotel.Span{From: d, To: d}, AtLeast: 100})
	if err != nil {
		w.t.Error(err)
	}
	counted := map[string]bool{} // several products have one counter
	for _, c := range seen.Cells {
		for room := range w.types() {
			if at := w.house.RemoteRoom(room); c.RemoteRoom == at && !counted[at] {
				counted[at] = true
				if rooms[room] = w.total[d]; c.Exposure != nil {
					rooms[room] = max(0, *c.Exposure-w.far[3].Book().OnSale(at, d))
				}
			}
		}
	}
	return rooms
}

// known tells what the ledger knows of every counter on a night: these worlds do not
// repeat, so what is seen once has to tell all.
func (w *guarded) known(d hotel.Date) string {
	var b strings.Builder
	value := func(f *hotel.ShownFact) string {
		if f == nil {
			return "-"
		}
		return fmt.Sprintf("%d at %s", f.Value.Available, f.At.Format(time.TimeOnly))
	}
	for i := range w.far {
		seen, err := w.ldg.Sights(context.Background(), hotel.SightQuery{ChannelID: string(rune('a' + i)), Span: hotel.Span{From: d, To: d}, AtLeast: 100})
		if err != nil {
			w.t.Error(err)
		}
		for _, c := range seen.Cells {
			for _, g := range c.Groups {
				if g.Group == hotel.Availability {
					exposed := "unknown"
					if c.Exposure != nil {
						exposed = fmt.Sprint(*c.Exposure)
					}
					fmt.Fprintf(&b, "%c %s %s: guarded %t, exposed %s, wanted %s, sent %s, acknowledged %s, read %s, %s %s %s\n", 'a'+i, c.RemoteRoom, c.RemoteRate,
						c.Guarded, exposed, value(g.Desired), value(g.Sent), value(g.Acknowledged), value(g.ReadBack), g.State, g.Code, g.Reason)
				}
			}
		}
	}
	return b.String()
}
