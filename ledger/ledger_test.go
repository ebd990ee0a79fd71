package ledger

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixedClock stands still until it is moved.
type fixedClock struct{ now time.Time }

func (c *fixedClock) Now() time.Time                  { return c.now }
func (c *fixedClock) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *fixedClock) move(d time.Duration)            { c.now = c.now.Add(d) }
func date(t *testing.T, s string) (d hotel.Date)      { t.Helper(); return must(hotel.ParseDate(s))(t) }
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// folder returns a folder on tmpfs where there is one: the statements are the
// same, and a sync costs nothing.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ostler")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
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

var tester = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{clock: &fixedClock{time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}, path: filepath.Join(folder(t), "ledger.db")}
	ctx := context.Background()
	h.Ledger = must(Open(ctx, Options{Path: h.path, Clock: h.clock}))(t)
	t.Cleanup(func() { h.Ledger.Close() })
	h.property = must(h.CreateProperty(ctx, tester, hotel.Property{
		Entity: hotel.Entity{ID: "hotel_1"}, Name: "Test House", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 60, Status: hotel.Active,
	}))(t)
	room := func(code string, draws []hotel.Draw, units, position int) hotel.RoomType {
		return must(h.CreateRoomType(ctx, tester, hotel.RoomType{
			PropertyID: h.property.ID, Code: code, Name: code, Consumes: draws, BaseOccupancy: 2, MaxAdults: 3, MaxChildren: 2, MaxOccupancy: 4,
			Position: position, Status: hotel.Active,
		}, units))(t)
	}
	h.double = room("double", nil, 5, 1)
	h.twin = room("twin", h.double.Consumes, 0, 2)
	h.suite = room("suite", nil, 2, 3)
	plan := func(code string, d *hotel.Derivation, position int) hotel.RatePlan {
		return must(h.CreateRatePlan(ctx, tester, hotel.RatePlan{
			PropertyID: h.property.ID, Code: code, Name: code, Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
			RoomTypeIDs: []string{h.double.ID, h.twin.ID, h.suite.ID}, DerivedFrom: d, Audience: hotel.Public, Position: position, Status: hotel.Active,
		}))(t)
	}
	h.flex = plan("flex", nil, 1)
	h.saver = plan("saver", &hotel.Derivation{RatePlanID: h.flex.ID, Kind: hotel.Percent, Value: "-10"}, 2)
	h.today = h.property.Today(h.clock.Now())
	for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
		h.setPrice(t, r, h.flex, h.today, h.today+60, 10000)
	}
	h.deriveAll(t)
	return h
}

func (h *house) deriveAll(t testing.TB) {
	t.Helper()
	for must(h.DeriveDue(context.Background()))(t) {
	}
}

func (h *house) setPrice(t testing.TB, r hotel.RoomType, p hotel.RatePlan, from, to hotel.Date, minor int64) hotel.AriUpdate {
	t.Helper()
	upd, _, err := h.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RateEntry{{
		RoomTypeID: r.ID, RatePlanID: p.ID, Dates: hotel.Dates{Span: hotel.Span{From: from, To: to}}, Amount: hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"}),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return upd
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
	fmt.Fprintln(os.Stderr, must(h.Sequence(ctx))(t))
}
