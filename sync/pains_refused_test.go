package sync_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// The password was changed, and another channel sells all but the last room of a night of
// which this one has more on sale. After ten minutes somebody is called about what it may
// sell, or by policy the night is closed elsewhere, so that what is left stays for it. It
// is told all when it takes our password again.
func TestPainPasswordChangedWhileRoomsGo(t *testing.T) {
	for name, closes := range map[string]bool{"somebody is called": false, "it is closed elsewhere": true} {
		t.Run(name, func(t *testing.T) {
			hurts(t, func(p *pained) {
				night := p.first + 3
				if closes {
					p.policy(hotel.Policies{Staleness: &hotel.StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2, Then: []hotel.StaleStep{hotel.StaleOtherRoute, hotel.StaleCloseOut, hotel.StaleCall}}})
				}
				p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(2)})
				p.pass(time.Minute)
				var refuses atomic.Bool
				refuses.Store(true)
				p.net.Serve(context.Background(), p.a.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if refuses.Load() {
						w.WriteHeader(http.StatusUnauthorized)
						return
					}
					p.a.ServeHTTP(w, r)
				}))
				p.sell(p.b, p.wish(suite, 0, night))
				p.pass(9 * time.Minute)
				if asked := p.raised(hotel.ConflictExposed); asked != 0 || p.shows(p.b, suite, night) != 1 {
					p.t.Errorf("before its time somebody is asked %d times, and the other channel shows %d", asked, p.shows(p.b, suite, night))
				}
				p.pass(3 * time.Minute)
				want := 1
				if closes {
					want = 0
				}
				if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != 2 || b != want {
					p.t.Errorf("%d and %d are on sale, want 2 and %d", a, b, want)
				}
				p.pass(time.Hour)
				if exposed, denied := p.raised(hotel.ConflictExposed), p.raised(hotel.ConflictCredentials); exposed != 1 || denied != 1 {
					p.t.Errorf("in an hour somebody is called %d times about the rooms and %d times about the password, want once each", exposed, denied)
				}
				refuses.Store(false)
				p.pass(16 * time.Minute)
				if a := p.shows(p.a, suite, night); !closes && a != 1 || closes && a > 1 {
					p.t.Errorf("%d are on sale, though it takes our password again", a)
				}
			})
		})
	}
}

// A channel refuses one price. The night is not sold there at another one, everything else
// about the rate goes on, closings of that night too, somebody is told within the minute, and
// the channel is asked again each hour until it takes the price: then the night is on sale.
func TestPainPriceIsRefused(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		var refuses atomic.Bool
		refuses.Store(true)
		tried := 0
		p.net.Serve(context.Background(), p.a.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				p.t.Error(err)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if strings.HasSuffix(r.URL.Path, "/rates") && bytes.Contains(body, []byte("666.00")) {
				if tried++; refuses.Load() {
					http.Error(w, "that is no price", http.StatusUnprocessableEntity)
					return
				}
			}
			p.a.ServeHTTP(w, r)
		}))
		price := func(night hotel.Date, amount int64) {
			p.house.Price(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, amount)
		}
		look := func(night hotel.Date) (price string, sells bool) { // of the first rate of the suites
			for _, c := range p.a.State(p.t).Cells {
				if c.Room == p.house.RemoteRoom(suite) && c.Rate == p.house.RemoteRate(0) && c.Date == night {
					return c.Prices[0], c.Available > 0 && !c.Closed.Closed
				}
			}
			return "", false
		}
		shown := func(night hotel.Date) string { price, _ := look(night); return price }
		sells := func(night hotel.Date) bool { _, sells := look(night); return sells }
		was := shown(night)
		price(night, 66600)
		p.pass(time.Minute)
		if n := p.raised(hotel.ConflictRejected); n != 1 || shown(night) != was {
			p.t.Fatalf("%d times asked about a price that is refused, it shows %s", n, shown(night))
		}
		if sells(night) || !p.onSaleAt(p.b, suite, night) {
			p.t.Error("the night is sold at the price before, or not at the other channel")
		}
		price(night+1, 23400)
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		p.pass(time.Minute)
		if shown(night+1) == was || p.shows(p.a, suite, night) != 0 || !sells(night+1) {
			p.t.Errorf("the next night shows %s, and this one %d rooms", shown(night+1), p.shows(p.a, suite, night))
		}
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(2)})
		before := tried
		p.pass(61 * time.Minute)
		if again := tried - before; again < 1 || again > 2 || sells(night) {
			p.t.Errorf("in an hour the price was tried %d times, and the night is on sale: %t", again, sells(night))
		}
		refuses.Store(false)
		p.pass(61 * time.Minute)
		if shown(night) == was || !sells(night) {
			p.t.Errorf("it takes the price, and shows %s", shown(night))
		}
		list, err := p.ldg.Conflicts(p.t.Context(), hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictRejected}, Limit: 10})
		if err != nil || len(list) != 1 || list[0].Status == hotel.ConflictOpen {
			p.t.Errorf("what is left to decide: %+v (%v)", list, err)
		}
	})
}

// A channel takes nothing that it is told, for good. Within the minute behind the first one
// somebody is told that it is out of date, and it is flagged with what it says; what it may
// sell of a night that is nearly full somebody is called about.
func TestPainChannelRefusesEverything(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(2)})
		p.pass(time.Minute)
		p.net.Serve(context.Background(), p.a.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/rates") || strings.HasSuffix(r.URL.Path, "/availability") {
				http.Error(w, "this hotel is suspended", http.StatusUnprocessableEntity)
				return
			}
			p.a.ServeHTTP(w, r)
		}))
		began := time.Now()
		from, err := p.ldg.Sequence(p.t.Context())
		if err != nil {
			p.t.Fatal(err)
		}
		p.sell(p.b, p.wish(suite, 0, night))
		for d := night + 1; d < night+25; d++ {
			p.house.Price(p.t, p.ldg, suite, hotel.Span{From: d, To: d}, 20000+int64(d))
		}
		p.pass(70 * time.Second)
		entries, err := p.ldg.Entries(p.t.Context(), from, 10000)
		if err != nil {
			p.t.Fatal(err)
		}
		stale := slices.IndexFunc(entries, func(e ledger.Entry) bool { return e.Kind == ledger.ChannelStale && e.Subject == "a" })
		if stale < 0 || entries[stale].At.Sub(began) > 62*time.Second {
			p.t.Errorf("after a minute it is not told that the channel is out of date: %d", stale)
		}
		state, err := p.ldg.Channel(p.t.Context(), "a")
		if err != nil || len(state.Flags) != 1 || state.Flags[0].Fault.Kind != hotel.FaultRefusal || !strings.Contains(state.Flags[0].Fault.Words, "422") {
			p.t.Errorf("it is flagged %+v (%v)", state.Flags, err)
		}
		p.pass(12 * time.Minute)
		open := p.raised(hotel.ConflictExposed) + p.raised(hotel.ConflictRejected)
		if open == 0 {
			p.t.Error("nobody has anything to decide")
		}
		x, err := p.eng.Explain(p.t.Context(), hotel.ExplainQuery{ChannelID: "a", RoomTypeID: p.house.Rooms[suite].ID, RatePlanID: p.house.Plans[0].ID, Night: night})
		if err != nil || len(x.Conflicts) == 0 {
			p.t.Errorf("the night is explained without what is to be decided: %q (%v)", x.Conflicts, err)
		}
	})
}
