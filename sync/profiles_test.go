package sync_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// go test ./sync -run TestProfiles -profiles.seed 17 -profiles.seeds 1 plays one market again.
var (
	profilesSeed  = flag.Uint64("profiles.seed", 1, "the first seed of the markets of real protocols")
	profilesSeeds = flag.Uint64("profiles.seeds", 2, "how many seeds to run")
	profilesHours = flag.Float64("profiles.hours", 4, "simulated hours of each seed, at most two weeks")
)

// TestProfiles lets a small hotel sell through a Channex, a portal of AlpineBits and a
// site of calendars at once, which fail, and directly; now and then its side is restarted
// or killed. Whenever all has come to rest, every booking that is anywhere is
// in the ledger once, as it is, and every far side shows what is left, at its price.
func TestProfiles(t *testing.T) {
	for seed := *profilesSeed; seed < *profilesSeed+*profilesSeeds; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newMarket(t, seed).live(time.Duration(*profilesHours * float64(time.Hour))) })
		})
	}
}

// market is a hotel, and far sides of every protocol.
type market struct {
	t    *testing.T
	dice *rand.Rand
	net  *testkit.Network
	far  []*stand
	done []chan error // of what the far sides do by themselves

	dir   string
	lives int // of the hotel's side
	life  context.Context
	end   context.CancelFunc
	ldg   *ledger.Ledger
	eng   *chansync.Engine

	house  testkit.House
	prices map[hotel.Date]*[3]int64 // of plan flex, by room
	rules  map[hotel.Date]*[3]ruled // by room, at all prices
	broken map[hotel.Date]int       // double rooms that are out of order
	direct []stay                   // sold by the hotel itself
	guard  int                      // how its pools are protected
	counts map[string]int           // of what has happened
}

// stand is one far side and the channel that is joined to it.
type stand struct {
	*profile.FarSide
	channel, host, preset string
	terms                 hotel.Terms
}

// closes reports whether it is told that a night is closed; one that is not is told that no
// room is left.
func (s *stand) closes() bool { return s.terms.Fields[hotel.FieldClosed].As == hotel.Exact }

// renames reports whether its bookings have another name each time that they are read, so
// that they are known by their nights.
func (s *stand) renames() bool { return s != nil && s.preset == "rotates" }

// What a market may be made of: one of each kind.
var (
	channexes = []string{"both", "arrival", "through", "per_person", "mixed"}
	portals   = []string{"2024-10", "2022-10", "2020-10", "push", "sets", "asks"}
	sites     = []string{"airbnb", "vrbo", "booking", "rotates"}
)

const (
	spareDoubles = 5 // of the house's, the rest being out of order: that few are left makes it a market
	pricedNights = 40
	lastSold     = 20 // nights ahead up to which guests look
)

func newMarket(t *testing.T, seed uint64) *market {
	m := &market{
		t: t, dice: rand.New(rand.NewPCG(seed, 23)), dir: testkit.Folder(t),
		prices: map[hotel.Date]*[3]int64{}, rules: map[hotel.Date]*[3]ruled{}, broken: map[hotel.Date]int{}, counts: map[string]int{},
	}
	var mu sync.Mutex
	ways := rand.New(rand.NewPCG(seed, 29))
	m.net = &testkit.Network{Delay: func(*http.Request, bool) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(ways.Int64N(int64(400 * time.Millisecond)))
	}}
	time.Sleep(12 * time.Hour) // bubbles begin at midnight, before the house's day does
	m.openLedger()
	t.Cleanup(m.stop)
	m.house = testkit.NewHouseIn(t, m.ldg, "Europe/Vienna", pricedNights, "a", "b", "c")
	today := m.today()
	span := hotel.Span{From: today, To: today + pricedNights}
	m.house.Stock(t, m.ldg, 0, span, hotel.InventoryEntry{OutOfOrder: hotel.Given(testkit.Doubles - spareDoubles)})
	for night := span.From; night <= span.To; night++ {
		m.prices[night], m.rules[night], m.broken[night] = &[3]int64{}, &[3]ruled{}, testkit.Doubles-spareDoubles
	}
	for room := range m.house.Rooms {
		m.price(room, span, 10000+5000*int64(room))
	}
	return m
}

// price sets the price of plan flex for two.
func (m *market) price(room int, span hotel.Span, amount int64) {
	m.house.Price(m.t, m.ldg, room, span, amount)
	for night := span.From; night <= span.To; night++ {
		m.prices[night][room] = amount
	}
}

func (m *market) today() hotel.Date { return hotel.DateIn(time.Now(), time.UTC) }

func (m *market) folder(life int) string { return filepath.Join(m.dir, fmt.Sprint(life)) }

func (m *market) openLedger() {
	err := os.MkdirAll(m.folder(m.lives), 0o700)
	if err == nil {
		m.ldg, err = ledger.Open(context.Background(), ledger.Options{Path: filepath.Join(m.folder(m.lives), "ledger.db"), Clock: hotel.SystemClock{}})
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// join opens a far side and a channel to it, which is live at once.
func (m *market) join(outside context.Context, id string, p profile.Profile) {
	host := id + ".test"
	inbound := "http://hotel.test/inbound/" + id + "/"
	client := &http.Client{Transport: m.net.Line(outside), Timeout: 10 * time.Second}
	s := &stand{FarSide: profile.Open(m.t, p, inbound, client, m.house.Remote()), channel: id, host: host, preset: p.Preset}
	m.net.Serve(outside, host, s)
	more := map[string]any{}
	if p.Connector == "alpinebits" {
		more["standard_guests"] = "R-double=2, R-family=2, R-suite=2"
		more["occupancy_prices"] = m.dice.IntN(2) == 0
		more["booking_rules"] = m.dice.IntN(2) == 0
		if m.dice.IntN(2) == 0 && p.Preset != "asks" {
			more["whole_plans"] = "P-flex=14, P-saver=3"
			more["complete_plans"] = m.dice.IntN(2) == 0
		}
		if m.dice.IntN(2) == 0 {
			more["inventory_language"] = "en"
		}
		for _, setting := range []string{"booking_rules", "whole_plans", "complete_plans", "inventory_language"} {
			if is := more[setting]; is != nil && is != false {
				m.count(setting)
			}
		}
	}
	settings := s.SettingsWith(m.t, "http://"+host, more)
	var err error
	if s.terms, err = termsOf(s.FarSide, settings); err != nil {
		m.t.Fatal(err)
	}
	c := hotel.Channel{
		Entity: hotel.Entity{ID: id}, PropertyID: m.house.Property.ID, Connector: p.Connector, Name: p.Connector, Status: hotel.Testing,
		Settings: settings, Account: p.Connector + ":" + host, Schedule: "@every 5m", ReadBack: "@every 6h",
	}
	var mappings []hotel.Mapping
	for _, product := range s.Products() {
		mappings = append(mappings, hotel.Mapping{
			RoomTypeID: m.house.Rooms[m.house.RoomOf(product.Room)].ID, RatePlanID: m.house.Plans[m.planOf(product)].ID,
			RemoteRoom: product.Room, RemoteRate: product.Rate,
		})
	}
	ctx := context.Background()
	_, _, err = m.ldg.CreateChannel(ctx, testkit.Tester, hotel.Once{}, c)
	if err == nil {
		err = m.ldg.MapChannel(ctx, testkit.Tester, id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings})
	}
	if err == nil {
		err = m.ldg.GoLive(ctx, testkit.Tester, id, 0)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.far = append(m.far, s)
	m.counts[p.Connector+" "+p.Preset]++
	if p.Connector == "ical" {
		return // the market says when the site reads our calendars
	}
	ended := make(chan error, 1)
	m.done = append(m.done, ended)
	go func() { ended <- s.Run(outside) }()
}

// farOf is the far side of a channel, nil of none.
func (m *market) farOf(channel string) *stand {
	if i := slices.IndexFunc(m.far, func(s *stand) bool { return s.channel == channel }); i >= 0 {
		return m.far[i]
	}
	return nil
}

// planOf finds the plan of a far side's product: by its name, since some have another code
// for it in every room. Calendars know none, and sell the first.
func (m *market) planOf(p connectors.RemoteProduct) int {
	return max(0, slices.IndexFunc(m.house.Plans, func(plan hotel.RatePlan) bool { return plan.Name == p.RateName }))
}

// live plays the market for so long.
func (m *market) live(long time.Duration) {
	outside, leave := context.WithCancel(context.Background())
	defer func() {
		m.stop()
		leave()
		for _, ended := range m.done {
			if err := <-ended; err != nil {
				m.t.Error(err)
			}
		}
	}()
	pick := func(of []string) string { return of[m.dice.IntN(len(of))] }
	m.join(outside, "a", profile.Profile{Connector: "channex", Preset: pick(channexes)})
	m.join(outside, "b", profile.Profile{Connector: "alpinebits", Preset: pick(portals)})
	m.join(outside, "c", profile.Profile{Connector: "ical", Preset: pick(sites)})
	m.start()
	m.quiet()
	m.protect(m.dice.IntN(protections))
	if m.guard == riskyMarket { // rooms are dealt once a site that comes to read has had the time to
		for range 30 {
			m.pass(time.Hour, 10*time.Minute)
			m.visit()
		}
	}
	m.quiet()
	for end := time.Now().Add(long); time.Now().Before(end) && !m.t.Failed(); {
		m.busy()
		m.quiet()
		if left := time.Until(end); left > 0 {
			m.pass(min(left, time.Duration(m.dice.Int64N(int64(12*time.Hour)))), 10*time.Minute)
		}
	}
	m.quiet()
	checkRebuilt(m.ldg, m.t.Errorf)
	m.t.Logf("what has happened: %v", m.counts)
}

// start starts the engine on the open ledger.
func (m *market) start() {
	m.life, m.end = context.WithCancel(context.Background())
	life := m.life
	m.eng = chansync.New(chansync.Options{
		Ledger: m.ldg, Clock: hotel.SystemClock{}, Log: engineLog(m.t), Collect: 500 * time.Millisecond, Timeout: 10 * time.Second,
		Client: func(string) *http.Client {
			return transport.New(transport.Options{Timeout: 10 * time.Second, Base: m.net.Line(life)})
		},
	})
	if err := m.eng.Start(context.Background()); err != nil {
		m.t.Fatal(err)
	}
	m.net.Serve(life, "hotel.test", m.eng.Handler())
}

// stop ends the hotel's side.
func (m *market) stop() {
	if m.eng != nil {
		if err := m.eng.Stop(); err != nil {
			m.t.Error(err)
		}
		m.end()
		m.eng = nil
	}
	if m.ldg != nil {
		if err := m.ldg.Close(); err != nil {
			m.t.Error(err)
		}
		m.ldg = nil
	}
}

// restart ends the hotel's side in good order and starts it again after a while.
func (m *market) restart() {
	m.stop()
	time.Sleep(time.Duration(m.dice.Int64N(int64(time.Minute))))
	m.openLedger()
	m.start()
}

// kill ends the hotel's side as a power cut would: calls under way break, and what is in
// its files now is all that the next one has.
func (m *market) kill() {
	synctest.Wait() // nothing is being written
	if err := os.CopyFS(m.folder(m.lives+1), os.DirFS(m.folder(m.lives))); err != nil {
		m.t.Fatal(err)
	}
	m.end()
	m.stop()
	_ = os.RemoveAll(m.folder(m.lives))
	m.lives++
	time.Sleep(time.Duration(m.dice.Int64N(int64(time.Minute))))
	m.openLedger()
	m.start()
}

// pass lets time go by; what is due is looked for every beat.
func (m *market) pass(d, beat time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && !m.t.Failed(); time.Sleep(min(beat, time.Until(end))) {
		if err := m.eng.Tick(context.Background()); err != nil {
			m.t.Fatal(err)
		}
	}
}
