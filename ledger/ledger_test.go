package ledger

import (
	"context"
	"errors"
	cmdline "flag"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/race"
	"ostler.example/ledger/internal/ledgerdb"
)

func TestMain(m *testing.M) {
	// Each example of a property test has a ledger of its own; fewer than rapid's
	// hundred keep the package fast, and fewer still with the race detector. The
	// command line can ask for more.
	checks := "25"
	if race.On {
		checks = "10"
	}
	if err := cmdline.Set("rapid.checks", checks); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(foundedIn)
		os.Exit(code)
	}))
}

// fixedClock stands still until it is moved, or set to another time.
type fixedClock struct {
	mu  sync.Mutex
	now time.Time
	set time.Duration // how far somebody has, in all
}

func (c *fixedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fixedClock) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

func (c *fixedClock) Steady() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Add(-c.set - steadyBehind)
}

// steadyBehind is how far its steady time is behind what it tells: who mixes them up is
// found out.
const steadyBehind = 50 * 365 * 24 * time.Hour

// by sets the clock ahead, or back: no time passes.
func (c *fixedClock) by(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.set = c.now.Add(d), c.set+d
}

func (c *fixedClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// must takes a call's two results and returns the first, or ends the test.
func must[V any](v V, err error) func(t tb) V {
	return func(t tb) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// tb is what the fixtures need of a test, an example of a property test, or a
// benchmark.
type tb interface {
	Helper()
	Cleanup(func())
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// folder returns a folder on tmpfs where there is one: the statements are the
// same, and a sync costs nothing.
func folder(t tb) string {
	t.Helper()
	dir, err := tmpfs()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func tmpfs() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "ostler"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "ostler")
}

// house is a small hotel in a fresh ledger: twin and double share a pool of 5,
// suite has 2 rooms of its own; flex is priced, saver is flex less 10 %.
type house struct {
	*Ledger
	clock               *fixedClock
	property            hotel.Property
	double, twin, suite hotel.RoomType
	flex, saver         hotel.RatePlan
	path                string
	today               hotel.Date
}

// opening is when the clock of every house begins.
var opening = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var tester = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

// newHouse opens a copy of the one ledger that the test binary founds.
func newHouse(t tb) *house {
	t.Helper()
	model := must(founded())(t)
	h := *model
	h.clock = &fixedClock{now: model.clock.now}
	h.path = filepath.Join(folder(t), "ledger.db")
	if err := os.WriteFile(h.path, must(os.ReadFile(model.path))(t), 0o600); err != nil {
		t.Fatal(err)
	}
	h.open(t)
	t.Cleanup(func() { h.close(t) })
	return &h
}

func (h *house) close(t tb) {
	t.Helper()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// reopen closes the ledger and opens it again: a restart.
func (h *house) reopen(t tb) {
	t.Helper()
	h.close(t)
	h.open(t)
}

// open opens the house's file.
func (h *house) open(t tb) {
	t.Helper()
	h.Ledger = must(Open(context.Background(), Options{Path: h.path, Clock: h.clock, CheckBoards: true}))(t)
}

// founded makes the ledger that all houses are copies of.
var founded = sync.OnceValues(func() (h *house, err error) {
	dir, err := tmpfs()
	if err != nil {
		return nil, err
	}
	foundedIn = dir
	h = &house{clock: &fixedClock{now: opening}, path: filepath.Join(dir, "ledger.db")}
	ctx := context.Background()
	if h.Ledger, err = Open(ctx, Options{Path: h.path, Clock: h.clock}); err != nil {
		return nil, err
	}
	return h, errors.Join(h.furnish(ctx), h.Close())
})

// foundedIn is removed when the tests are over.
var foundedIn string

func (h *house) furnish(ctx context.Context) (err error) {
	h.property, _, err = h.CreateProperty(ctx, tester, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: "hotel_1"}, Name: "Test House", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 60, Status: hotel.Active,
	})
	var errs []error
	room := func(code string, draws []hotel.Draw, units, position int) hotel.RoomType {
		r, _, err := h.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
			PropertyID: h.property.ID, Code: code, Name: code, TotalUnits: units, Consumes: draws, BaseOccupancy: 2, MaxAdults: 3, MaxChildren: 2, MaxOccupancy: 4,
			Position: position, Status: hotel.Active,
		})
		errs = append(errs, err)
		return r
	}
	h.double = room("double", nil, 5, 1)
	h.twin = room("twin", h.double.Consumes, 0, 2)
	h.suite = room("suite", nil, 2, 3)
	plan := func(code string, d *hotel.Derivation, position int) hotel.RatePlan {
		p, _, err := h.CreateRatePlan(ctx, tester, hotel.Once{}, hotel.RatePlan{
			PropertyID: h.property.ID, Code: code, Name: code, Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
			RoomTypeIDs: []string{h.double.ID, h.twin.ID, h.suite.ID}, DerivedFrom: d, Audience: hotel.Public, SoldBy: []string{"ch"}, Position: position, Status: hotel.Active,
		})
		errs = append(errs, err)
		return p
	}
	h.flex = plan("flex", nil, 1)
	h.saver = plan("saver", &hotel.Derivation{RatePlanID: h.flex.ID, Kind: hotel.Percent, Value: "-10"}, 2)
	h.today = h.property.Today(h.clock.Now())
	for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
		_, err := h.setPrice(r, h.flex, h.today, h.today+60, 10000)
		errs = append(errs, err)
	}
	for more := true; more; {
		more, err = h.DeriveDue(ctx)
		errs = append(errs, err)
	}
	return errors.Join(append(errs, err)...)
}

func (h *house) deriveAll(t tb) {
	t.Helper()
	for must(h.DeriveDue(context.Background()))(t) {
	}
}

func (h *house) setPrice(r hotel.RoomType, p hotel.RatePlan, from, to hotel.Date, minor int64) (hotel.AriUpdate, error) {
	upd, _, err := h.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RateEntry{{
		RoomTypeID: r.ID, RatePlanID: p.ID, Dates: hotel.Dates{Span: hotel.Span{From: from, To: to}}, Amount: hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"}),
	}}})
	return upd, err
}

func (h *house) book(room hotel.RoomType, from, to hotel.Date, once hotel.Once) (hotel.Reservation, bool, error) {
	return h.CreateReservation(context.Background(), tester, once, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: room.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: from, CheckOut: to}, Adults: 2,
		Guest: hotel.Guest{LastName: "Guest"},
	})
}

func TestBookUntilFull(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	in := h.today + 10
	for i := range 6 {
		room := []hotel.RoomType{h.double, h.twin}[i%2]
		r, _, err := h.book(room, in, in+2, hotel.Once{})
		if i < 5 {
			if err != nil {
				t.Fatalf("booking %d: %v", i, err)
			}
			if r.Total.Minor != 20000 {
				t.Errorf("total %v", r.Total)
			}
			continue
		}
		if err == nil {
			t.Fatal("a sixth room was sold out of a pool of five")
		}
	}
	b := must(h.Board(ctx, h.property.ID))(t)
	at, _ := b.Room(h.double.ID)
	if got := b.House(in)[at]; got.Available != 0 || got.Net != 0 {
		t.Errorf("house %+v", got)
	}
	if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != 0 {
		t.Errorf("chain broken at %d", bad)
	}
}

func BenchmarkHouse(b *testing.B) {
	for b.Loop() {
		newHouse(b)
	}
}

// soldParams asks for every night there is.
func soldParams(property string) ledgerdb.SoldNightsParams {
	return ledgerdb.SoldNightsParams{PropertyID: property, First: 0, Last: 1 << 31}
}

func houseParams(p ledgerdb.SoldNightsParams) ledgerdb.HouseStockParams {
	return ledgerdb.HouseStockParams(p)
}
