package desk

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stopped is a clock that stands still until it is moved.
type stopped struct{ now time.Time }

func (c *stopped) Now() time.Time                  { return c.now }
func (c *stopped) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *stopped) Steady() time.Time               { return c.Now() }

// newDesk returns the desk of a ledger with two properties, one room type and
// no prices.
func newDesk(t *testing.T) (*Desk, *stopped) {
	t.Helper()
	clock := &stopped{now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	l, err := ledger.Open(t.Context(), ledger.Options{Path: filepath.Join(t.TempDir(), "ledger.db"), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	by := hotel.By{Actor: hotel.System}
	for _, id := range []string{"h1", "h2"} {
		_, _, err := l.CreateProperty(t.Context(), by, hotel.Once{}, hotel.Property{
			Entity: hotel.Entity{ID: id}, Name: id, TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
			CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 10, Status: hotel.Active,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = l.CreateRoomType(t.Context(), by, hotel.Once{}, hotel.RoomType{
		PropertyID: "h1", Code: "double", Name: "Double", TotalUnits: 2, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Ledger: l, Clock: clock}), clock
}

func who(scopes auth.Scopes, properties ...string) Caller {
	return Caller{Who: auth.Who{ClientID: "c", Environment: auth.Production, Scopes: scopes, PropertyIDs: properties}}
}

// codeOf is the code of a refusal, "" for no error.
func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		t.Fatalf("%v is no refusal", err)
	}
	return r.Code
}

// Whatever the wire lets through, the desk asks for the scope and the grant
// itself: the console comes here too.
func TestEveryNounAsksForScopeAndGrant(t *testing.T) {
	d, _ := newDesk(t)
	day := hotel.DateOf(2026, 11, 22)
	cells := hotel.CellQuery{PropertyID: "h1", Span: hotel.Span{From: day, To: day}}
	dates := hotel.Dates{Span: cells.Span}
	for _, c := range []struct {
		name    string
		scope   auth.Scope
		foreign string // what a caller without the grant is told
		ask     func(Caller) error
	}{
		{"availability", auth.AvailabilityRead, "property_not_found", func(c Caller) error {
			_, err := d.Availability(t.Context(), c, StayQuery{PropertyID: "h1", Stay: hotel.Stay{CheckIn: day, CheckOut: day + 1}})
			return err
		}},
		{"properties", auth.PropertiesRead, "", func(c Caller) error { _, err := d.Properties(t.Context(), c); return err }},
		{"property", auth.PropertiesRead, "property_not_found", func(c Caller) error { _, err := d.Property(t.Context(), c, "h1"); return err }},
		{"room types", auth.PropertiesRead, "property_not_found", func(c Caller) error { _, err := d.RoomTypes(t.Context(), c, "h1"); return err }},
		{"pools", auth.PropertiesRead, "property_not_found", func(c Caller) error { _, err := d.Pools(t.Context(), c, "h1"); return err }},
		{"rate plans", auth.RatesRead, "property_not_found", func(c Caller) error { _, err := d.RatePlans(t.Context(), c, "h1"); return err }},
		{"channels", auth.ChannelsRead, "property_not_found", func(c Caller) error { _, err := d.Channels(t.Context(), c, "h1"); return err }},
		{"inventory", auth.InventoryRead, "property_not_found", func(c Caller) error {
			_, err := d.Inventory(t.Context(), c, hotel.InventoryQuery{PropertyID: "h1", Span: cells.Span})
			return err
		}},
		{"rates", auth.RatesRead, "property_not_found", func(c Caller) error { _, err := d.Rates(t.Context(), c, cells); return err }},
		{"restrictions", auth.RatesRead, "property_not_found", func(c Caller) error { _, err := d.Restrictions(t.Context(), c, cells); return err }},
		{"restriction update", auth.RatesWrite, "property_not_found", func(c Caller) error {
			_, _, err := d.UpdateRestrictions(t.Context(), c, hotel.RestrictionUpdate{
				PropertyID: "h1", Entries: []hotel.RestrictionEntry{{Dates: dates, Closed: hotel.Given(true)}},
			})
			return err
		}},
		{"reservations", auth.ReservationsRead, "property_not_found", func(c Caller) error {
			_, err := d.Reservations(t.Context(), c, hotel.ReservationFilter{PropertyIDs: []string{"h1"}, Limit: 1})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := codeOf(t, c.ask(who(auth.AllScopes()&^auth.ScopesOf(c.scope), "*"))); got != "insufficient_scope" {
				t.Errorf("without %s: %q", c.scope, got)
			}
			if got := codeOf(t, c.ask(who(auth.ScopesOf(c.scope), "h1"))); got != "" {
				t.Errorf("with %s: %q", c.scope, got)
			}
			for _, grants := range [][]string{{"h2"}, nil} {
				if got := codeOf(t, c.ask(who(auth.ScopesOf(c.scope), grants...))); got != c.foreign {
					t.Errorf("with grants %v: %q, want %q", grants, got, c.foreign)
				}
			}
		})
	}
}

func TestNoGrantIsNoProperty(t *testing.T) {
	d, _ := newDesk(t)
	if list, err := d.Reservations(t.Context(), who(auth.AllScopes()), hotel.ReservationFilter{Limit: 1}); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	if list, err := d.Properties(t.Context(), who(auth.AllScopes(), "h2", "h9")); err != nil || len(list) != 1 || list[0].ID != "h2" {
		t.Errorf("%v %v", list, err)
	}
}

// The business date is remembered for a minute and no longer.
func TestTodayFollowsTheClock(t *testing.T) {
	d, clock := newDesk(t)
	p, err := d.Property(t.Context(), who(auth.AllScopes(), "*"), "h1")
	if err != nil {
		t.Fatal(err)
	}
	clock.now = time.Date(2026, 11, 22, 1, 59, 0, 0, time.UTC) // 02:59 in Berlin
	for _, want := range []string{"2026-11-21", "2026-11-22", "2026-11-22"} {
		if got := d.Today(p); got.String() != want {
			t.Errorf("at %s: %s, want %s", clock.now, got, want)
		}
		clock.now = clock.now.Add(time.Minute)
	}
	p.DayRoll = "04:00"
	if got := d.Today(p); got.String() != "2026-11-21" {
		t.Errorf("after the roll was moved: %s", got)
	}
}

func TestSaid(t *testing.T) {
	if got := codeOf(t, said(fmt.Errorf("read: %w", ledger.ErrNotFound))); got != "not_found" {
		t.Error(got)
	}
	if got := codeOf(t, said(fmt.Errorf("%w: commit", ledger.ErrUnknown))); got != "temporarily_unavailable" {
		t.Error(got)
	}
	other := errors.New("disk on fire")
	if !errors.Is(said(other), other) || said(nil) != nil {
		t.Error("another error was changed")
	}
}
