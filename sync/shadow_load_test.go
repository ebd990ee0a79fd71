package sync_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A channel in shadow hears nothing from us while everything happens to the house that
// can happen: prices, stock, bookings at the desk and their ends, bookings at the
// channel that somebody cancels in the house, conflicts, restarts, and a channel beside
// it that is live and sells. Every call that leaves for it only looks: no number is
// written, no message acknowledged, and none fetched from where fetching takes it. This
// is the part of check 12 of docs/api-checks.md that is about shadow.
func TestShadowOnlyLooksUnderFullLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer func() { b.stop() }()
		var mu sync.Mutex
		calls := map[string]map[string]int{"a.test": {}, "b.test": {}} // by far side and what was asked
		b.net.Leaves = func(r *http.Request, _ []byte) {
			mu.Lock()
			defer mu.Unlock()
			calls[r.URL.Host][r.Method+" "+r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]++
		}
		shadow, beside := b.far("a"), b.far("b")
		b.channel("a", shadow.Settings(300))
		b.channel("b", beside.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.live() // once, so that there is something that it could be told
		if err := b.ldg.GoLive(t.Context(), testkit.Tester, "b", 0); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		if _, _, err := b.ldg.ShadowChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
			t.Fatal(err)
		}
		b.pass(5 * time.Second)
		mu.Lock()
		calls["a.test"], calls["b.test"] = map[string]int{}, map[string]int{}
		mu.Unlock()

		l := &load{bench: b, dice: rand.New(rand.NewPCG(12, 1))}
		for step := range 120 {
			l.step(shadow, beside)
			b.pass(time.Second)
			if step%50 == 49 { // and a restart
				if err := b.eng.Stop(); err != nil {
					t.Fatal(err)
				}
				b.newEngine()
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		(&kinds{pained: &pained{bench: b}}).sleeps(2 * time.Hour) // it is read back every hour
		mu.Lock()
		defer mu.Unlock()
		looks := map[string]bool{"GET bookings": true, "GET shown": true, "GET products": true}
		for what, n := range calls["a.test"] {
			if !looks[what] {
				t.Errorf("in shadow %d calls were %s", n, what)
			}
		}
		if calls["a.test"]["GET bookings"] == 0 || calls["a.test"]["GET shown"] == 0 {
			t.Errorf("it was not looked at: %v", calls["a.test"])
		}
		if told := calls["b.test"]; told["POST availability"] < 20 || told["POST rates"] < 10 || told["POST acknowledge"] == 0 {
			t.Errorf("the channel beside it was told too little to prove anything: %v", told)
		}
		if l.sold == 0 || l.booked == 0 || l.cancelled == 0 {
			t.Errorf("too little happened: %d sold, %d booked, %d cancelled", l.sold, l.booked, l.cancelled)
		}
		if n := len(shadow.Book().Events(0, 1000)); n < l.sold {
			t.Errorf("its feed holds %d messages of the %d that nobody has acknowledged", n, l.sold)
		}
	})
}

// load is everybody who does something to the house.
type load struct {
	*bench
	dice                    *rand.Rand
	sold, booked, cancelled int // at the channel in shadow; at the desk; by the desk
}

// step is one thing that happens.
func (l *load) step(shadow, beside testkit.FarSide) {
	l.t.Helper()
	ctx, night, room := l.t.Context(), l.first+hotel.Date(1+l.dice.IntN(20)), l.dice.IntN(len(l.house.Rooms))
	wish := testkit.Request{
		Room: l.house.RemoteRoom(room), Rate: l.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: fmt.Sprint("Guest ", l.sold+l.booked),
	}
	switch l.dice.IntN(6) {
	case 0:
		l.house.Price(l.t, l.ldg, room, hotel.Span{From: night, To: night + 3}, int64(9000+l.dice.IntN(4000)))
	case 1:
		l.house.Stock(l.t, l.ldg, room, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(l.dice.IntN(4))})
	case 2:
		if _, err := shadow.Book().Sell(wish); err == nil { // it may have none left
			l.sold++
		}
	case 3:
		_, _ = beside.Book().Sell(wish)
	case 4:
		_, _, err := l.ldg.CreateReservation(ctx, testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: l.house.Property.ID, RoomTypeID: l.house.Rooms[room].ID, RatePlanID: l.house.Plans[0].ID,
			Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: wish.LastName},
		})
		if err == nil {
			l.booked++
		} else if codeOf(err) != "not_available" {
			l.t.Fatal(err)
		}
	case 5:
		all, err := l.ldg.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{l.house.Property.ID}, Statuses: []hotel.ReservationStatus{hotel.Confirmed}, Limit: 200})
		if err != nil {
			l.t.Fatal(err)
		}
		if len(all) == 0 {
			return
		}
		// Of a channel's booking the channel has to be asked, in shadow by somebody's hand.
		if _, _, err := l.ldg.CancelReservation(ctx, testkit.Tester, hotel.Once{}, all[l.dice.IntN(len(all))].ID, hotel.CancelRequest{Reason: "repairs"}); err == nil {
			l.cancelled++
		} else if codeOf(err) == "" {
			l.t.Fatal(err)
		}
	}
}
