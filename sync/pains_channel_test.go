package sync_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// raised counts the conflicts of a kind.
func (p *pained) raised(kind hotel.ConflictKind) int {
	p.t.Helper()
	list, err := p.ldg.Conflicts(p.t.Context(), hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{kind}, Limit: 100})
	if err != nil {
		p.t.Fatal(err)
	}
	return len(list)
}

// A guest cancels at a channel that puts the room on sale again by itself, though
// the hotel has taken it off sale meanwhile. It is off sale again, and stays so.
func TestPainRoomPutOnSaleAgain(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
		p.pass(5 * time.Second)
		b := p.sell(p.a, p.wish(suite, 0, night))
		p.pass(time.Minute)
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(0)})
		p.pass(5 * time.Second)
		if _, err := p.a.Book().Cancel(b.Reference); err != nil {
			p.t.Fatal(err)
		}
		if p.shows(p.a, suite, night) != 1 {
			p.t.Fatal("the channel of this story does not put it on sale again")
		}
		p.pass(2 * time.Minute)
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != 0 || b != 0 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
		calls := p.a.State(p.t).Calls
		p.pass(2 * time.Minute)
		if more := p.a.State(p.t).Calls - calls; more > 10 { // it is asked for bookings, and what it shows
			p.t.Errorf("%d calls more, though all is told", more)
		}
	})
}

// The same of a channel that says it does not, so that nobody expects it, and nobody asks
// for it to be read. Nights on which no room may show are read by themselves every ten
// minutes: that finds the room and says why it is there, nothing is told but that there is
// none, once, and what is read behind it finds no more.
func TestPainRoomPutOnSaleAgainAgainstItsWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, f := driftBench(t, "hub")
		defer b.stop()
		f.Acquire(t, testkit.Habits{Replenishes: true})
		night := b.first + 5
		booked := b.sell(f, night)
		b.pass(2 * time.Minute)
		b.house.Stock(t, b.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		b.pass(2 * time.Minute)
		told := 0
		b.net.Leaves = func(r *http.Request, body []byte) {
			if strings.HasSuffix(r.URL.Path, "/availability") && bytes.Contains(body, []byte(b.house.RemoteRoom(double))) {
				told++
			}
		}
		b.cancel(f, booked)
		if rooms, _ := b.cell(f, night); rooms != 1 {
			t.Fatalf("the channel of this story shows %d rooms", rooms)
		}
		const cycle = 10 * time.Minute
		cancelled := time.Now()
		for rooms := 1; rooms != 0; rooms, _ = b.cell(f, night) {
			if b.pass(time.Second); time.Since(cancelled) > cycle+10*time.Second {
				t.Fatalf("%d rooms are on sale after a whole cycle, and found is %q", rooms, b.conflicts())
			}
		}
		b.pass(70 * time.Minute) // all is read by then, too
		b.wantConflicts("drift auto_replenish ours")
		found, err := b.ldg.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, Limit: 1})
		if err != nil || !bytes.Contains(found[0].Facts, []byte(`"ours":{"available":0}`)) || !bytes.Contains(found[0].Facts, []byte(`"theirs":{"available":1}`)) {
			t.Errorf("found is %s, %v", found[0].Facts, err)
		}
		if rooms, _ := b.cell(f, night); rooms != 0 || told != 1 {
			t.Errorf("%d rooms are on sale, after %d calls", rooms, told)
		}
	})
}

// A channel goes on selling a number that was promised to it, whatever it is told.
// It is not told for ever: somebody is asked, and the others are right.
func TestPainPromisedRooms(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.a.Acquire(p.t, testkit.Habits{Promised: 2})
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		p.pass(5 * time.Second)
		for range 4 {
			p.readBack()
		}
		if a, b, asked := p.shows(p.a, suite, night), p.shows(p.b, suite, night), p.raised(hotel.ConflictAllotment); a != 2 || b != 0 || asked != 1 {
			p.t.Errorf("%d and %d are on sale, %d times asked", a, b, asked)
		}
		told := 0
		p.net.Leaves = func(r *http.Request, _ []byte) {
			if r.URL.Host == p.a.Host && strings.HasSuffix(r.URL.Path, "/availability") {
				told++
			}
		}
		p.readBack()
		if told > 0 {
			p.t.Errorf("told %d times more", told)
		}
	})
}

// The hotel takes rooms away under guests who have booked them. Nobody is told less
// than none, and the night that is sold out too far is asked about, once.
func TestPainRoomsTakenAwayUnderGuests(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		for range 2 {
			p.sell(p.a, p.wish(suite, 0, night))
		}
		p.pass(70 * time.Second)
		less := hotel.InventoryUpdate{PropertyID: p.house.Property.ID, Source: "api", DryRun: true, Entries: []hotel.InventoryEntry{{
			RoomTypeID: p.house.Rooms[suite].ID, Dates: hotel.Dates{Span: hotel.Span{From: night - 1, To: night + 1}}, Total: hotel.Given(1),
		}}}
		tried, _, err := p.ldg.UpdateInventory(context.Background(), testkit.Tester, hotel.Once{}, less)
		want := []hotel.Oversold{{RoomTypeID: p.house.Rooms[suite].ID, Span: hotel.Span{From: night, To: night}, Net: -1}}
		if err != nil || !slices.Equal(tried.Oversold, want) {
			p.t.Errorf("whoever tries it is told %+v, %v", tried.Oversold, err)
		}
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
		p.pass(2 * time.Minute)
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != 0 || b != 0 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
		if kept, asked := len(p.kept()), p.raised(hotel.ConflictOversell); kept != 2 || asked != 1 {
			p.t.Errorf("%d guests are kept, %d times asked", kept, asked)
		}
	})
}

// Somebody changes a price in the extranet. It is noticed with both values, put right
// as the policy says, and nothing else is told again.
func TestPainChangedInTheExtranet(t *testing.T) {
	hurts(t, func(p *pained) {
		night, price := p.first+3, "55.00"
		p.readBack()
		p.a.Type(p.t, testkit.Edit{Room: p.house.RemoteRoom(suite), Rate: p.house.RemoteRate(0), From: night, To: night, Price: &price})
		var told []string
		p.net.Leaves = func(r *http.Request, body []byte) {
			if r.URL.Host == p.a.Host && strings.HasSuffix(r.URL.Path, "/rates") {
				told = append(told, string(body))
			}
		}
		p.readBack()
		if len(told) != 1 || strings.Count(told[0], `"room"`) != 1 || !strings.Contains(told[0], `"from":"`+night.String()+`","to":"`+night.String()+`"`) {
			p.t.Errorf("told again is %q", told)
		}
		if n := p.raised(hotel.ConflictDrift); n != 1 {
			p.t.Errorf("%d differences are noted", n)
		}
	})
}

// A channel takes our password no more. It is asked about once, tried seldom, keeps no
// other from being told, and is right as soon as somebody has mended it.
func TestPainPasswordChanged(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		var refuses atomic.Bool
		var calls atomic.Int64
		refuses.Store(true)
		p.net.Serve(context.Background(), p.a.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			if refuses.Load() {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			p.a.ServeHTTP(w, r)
		}))
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		p.pass(20 * time.Minute)
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a == 0 || b != 0 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
		if asked := p.raised(hotel.ConflictCredentials); asked != 1 || calls.Load() > 4 {
			p.t.Errorf("%d times asked, %d calls in 20 minutes", asked, calls.Load())
		}
		refuses.Store(false)
		p.pass(16 * time.Minute)
		if a := p.shows(p.a, suite, night); a != 0 {
			p.t.Errorf("%d are on sale, though it takes our password again", a)
		}
	})
}

// A guest changes his stay between our reading of the booking and our word that we
// have it, of which the far side may want no word then but that of the change too. What is
// kept in the end is the change, and its nights alone are sold.
func TestPainChangedBeforeTheAcknowledgement(t *testing.T) {
	for name, refuses := range map[string]bool{"taken": false, "refused, pull again": true} {
		t.Run(name, func(t *testing.T) {
			hurts(t, func(p *pained) {
				night, changed, refused := p.first+3, false, 0
				p.net.Serve(context.Background(), p.a.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !strings.HasSuffix(r.URL.Path, "/feed/acknowledge") {
						p.a.ServeHTTP(w, r)
						return
					}
					body, err := io.ReadAll(r.Body)
					var said struct{ Messages []string }
					if err = errors.Join(err, json.Unmarshal(body, &said)); err != nil {
						p.t.Error(err)
					}
					if refuses && len(said.Messages) < len(p.a.Book().Events(0, 10)) {
						refused++
						http.Error(w, "it is no longer the latest, pull again", http.StatusConflict)
						return
					}
					r.Body = io.NopCloser(bytes.NewReader(body))
					p.a.ServeHTTP(w, r)
				}))
				b := p.sell(p.a, p.wish(suite, 0, night))
				p.listen(func(r *http.Request, _ []byte) {
					if changed || r.URL.Host != p.a.Host || !strings.HasSuffix(r.URL.Path, "/feed/acknowledge") {
						return
					}
					changed = true
					q := p.wish(suite, 0, night+5)
					q.Reference = b.Reference
					if _, err := p.a.Book().Modify(q); err != nil {
						p.t.Error(err)
					}
				})
				p.pass(150 * time.Second)
				if waiting := len(p.a.Book().Events(0, 10)); (refused == 1) != refuses || waiting != 0 {
					p.t.Errorf("refused %d times, %d wait", refused, waiting)
				}
				if kept := p.kept(); !changed || len(kept) != 1 || kept[0].Stay.CheckIn != night+5 {
					p.t.Errorf("changed %t, kept are %+v", changed, kept)
				}
				for at, want := range map[hotel.Date]int{night: testkit.Suites, night + 5: testkit.Suites - 1} {
					if a, b := p.shows(p.a, suite, at), p.shows(p.b, suite, at); a != want || b != want {
						p.t.Errorf("on %v %d and %d are on sale, want %d", at, a, b, want)
					}
				}
			})
		})
	}
}

// The messages of a channel that brings bookings every hour stop coming: nobody is told
// of a few hours, and somebody is once it is long for this channel.
func TestPainMessagesStopComing(t *testing.T) {
	hurts(t, func(p *pained) {
		if err := p.eng.Stop(); err != nil { // what came before is heard in a moment
			p.t.Fatal(err)
		}
		for i := range 8 * 24 {
			_, err := p.ldg.Receive(p.t.Context(), ledger.Receipt{
				ChannelID: "a", Key: fmt.Sprint(i), Ref: fmt.Sprint(i), Event: "cancelled", At: time.Now(), Order: hotel.OrderTime,
			})
			if err != nil {
				p.t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		p.reopen()
		for hours, want := range []bool{false, false, true} {
			c, err := p.ldg.Channel(p.t.Context(), "a")
			if err != nil || c.SilentSince.IsZero() == want {
				p.t.Errorf("after %d h it is silent since %v, %v", 4*hours, c.SilentSince, err)
			}
			p.pass(4*time.Hour + 10*time.Minute)
		}
		p.sell(p.a, p.wish(double, 0, p.first+12))
		p.pass(15 * time.Minute)
		if c, err := p.ldg.Channel(p.t.Context(), "a"); err != nil || !c.SilentSince.IsZero() {
			p.t.Errorf("it has brought a booking, and is silent since %v, %v", c.SilentSince, err)
		}
	})
}

// A channel cannot be asked for its bookings for 45 minutes, and writes to the hotel in its
// own way meanwhile. Somebody types the booking in, and then the channel tells of it too:
// whoever looks is shown that they may be one, and when he says so one room is sold.
func TestPainTypedInBeforeTheChannelTells(t *testing.T) {
	hurts(t, func(p *pained) {
		ctx, night := p.t.Context(), p.first+3
		silent := true
		p.net.Hinders = func(r *http.Request) error {
			if silent && r.URL.Host == p.a.Host && strings.HasSuffix(r.URL.Path, "/feed") {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		q := p.wish(suite, 0, night)
		q.FirstName = "Ann"
		b := p.sell(p.a, q)
		p.pass(20 * time.Minute)
		if kept := p.kept(); len(kept) > 0 {
			p.t.Fatalf("the channel has told of %+v", kept)
		}
		if _, _, err := p.ldg.CreateReservation(ctx, testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: p.house.Property.ID, RoomTypeID: p.house.Rooms[suite].ID, RatePlanID: p.house.Plans[0].ID,
			Stay: b.Stay(), Adults: 2, Guest: hotel.Guest{FirstName: "Ann", LastName: "Guest"},
		}); err != nil {
			p.t.Fatal(err)
		}
		p.pass(25 * time.Minute)
		silent = false
		p.pass(10 * time.Minute)
		kept := p.kept()
		told := slices.IndexFunc(kept, func(r hotel.Reservation) bool { return r.Source.Reference == b.Reference })
		if len(kept) != 2 || told < 0 {
			p.t.Fatalf("kept are %+v", kept)
		}
		open, err := p.ldg.Conflicts(ctx, hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictDuplicate}, Limit: 10})
		if err != nil || len(open) != 1 || open[0].Status != hotel.ConflictOpen {
			p.t.Fatalf("somebody is asked %+v: %v", open, err)
		}
		if _, _, err := p.ldg.ResolveConflict(ctx, testkit.Tester, hotel.Once{}, open[0].ID, hotel.ConflictDecision{
			Option: hotel.OptionSame, Arguments: json.RawMessage(`{"keep":"` + kept[told].ID + `"}`),
		}); err != nil {
			p.t.Fatal(err)
		}
		p.pass(10 * time.Minute)
		for _, r := range p.kept() {
			if live := r.Status == hotel.Confirmed; live != (r.Source.Reference == b.Reference) {
				p.t.Errorf("%q is %s", r.Source.Reference, r.Status)
			}
		}
		for _, f := range []testkit.FarSide{p.a, p.b} {
			if n := p.shows(f, suite, night); n != testkit.Suites-1 {
				p.t.Errorf("%d are on sale, want %d", n, testkit.Suites-1)
			}
		}
	})
}
