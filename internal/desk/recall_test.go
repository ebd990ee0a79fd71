package desk

import (
	"context"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// giving is a ledger whose channels give back what is asked of them at once, and which
// notes what that was.
type giving struct {
	*ledger.Ledger
	give  func()
	asked []hotel.RoomNight
	kept  time.Time
}

func (g *giving) Recall(ctx context.Context, by hotel.By, property string, rooms []hotel.RoomNight, asked, until time.Time) error {
	g.asked, g.kept = append(g.asked, rooms...), until
	err := g.Ledger.Recall(ctx, by, property, rooms, asked, until)
	g.give()
	return err
}

// Whatever is sold here has the rooms taken back that it needs, all of them at once,
// and gets them when they are back.
func TestEverySaleRecallsWhatItTakes(t *testing.T) {
	in := hotel.DateOf(2026, 11, 23)
	nights := hotel.Stay{CheckIn: in, CheckOut: in + 2}
	for name, c := range map[string]struct {
		before hotel.ReservationStatus // of a booking that was made before the rooms were dealt; "": there is none
		sell   func(d *Desk, who Caller, n hotel.NewReservation, id string, other hotel.RoomType) error
		rooms  int // what it takes of the night before its last, and of the last
		last   int
		other  bool // of the other room type
	}{
		"a booking": {"", func(d *Desk, who Caller, n hotel.NewReservation, _ string, _ hotel.RoomType) error {
			_, _, err := d.Book(t.Context(), who, n)
			return err
		}, 1, 1, false},
		"a group": {"", func(d *Desk, who Caller, n hotel.NewReservation, _ string, _ hotel.RoomType) error {
			_, _, err := d.BookGroup(t.Context(), who, hotel.NewReservationGroup{PropertyID: "h1", Booker: &n.Guest, Reservations: []hotel.NewReservation{n, n}})
			return err
		}, 2, 2, false},
		"a longer stay": {hotel.Confirmed, func(d *Desk, who Caller, n hotel.NewReservation, id string, _ hotel.RoomType) error {
			until := n.Stay.CheckOut
			_, _, err := d.Change(t.Context(), who, id, hotel.ReservationChange{CheckOut: &until})
			return err
		}, 0, 1, false},
		"another room": {hotel.Confirmed, func(d *Desk, who Caller, _ hotel.NewReservation, id string, other hotel.RoomType) error {
			_, _, err := d.Change(t.Context(), who, id, hotel.ReservationChange{RoomTypeID: &other.ID})
			return err
		}, 1, 0, true},
		"an enquiry": {hotel.Enquired, func(d *Desk, who Caller, _ hotel.NewReservation, id string, _ hotel.RoomType) error {
			_, _, err := d.Step(t.Context(), who, id, stay.Confirm, hotel.StepRequest{})
			return err
		}, 1, 0, false},
		"a reinstated booking": {hotel.Cancelled, func(d *Desk, who Caller, _ hotel.NewReservation, id string, _ hotel.RoomType) error {
			_, _, err := d.Step(t.Context(), who, id, stay.Reinstate, hotel.StepRequest{})
			return err
		}, 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			d, clock := newDesk(t)
			l := d.ledger.(*ledger.Ledger)
			g := &giving{Ledger: l}
			d.ledger, d.recallFor = g, time.Hour
			rooms, plan := selling(t, l)
			who := who(auth.AllScopes(), "*")
			n := hotel.NewReservation{PropertyID: "h1", RoomTypeID: rooms[0].ID, RatePlanID: plan.ID, Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"}}
			id := ""
			if c.before != "" {
				short := n
				short.Stay.CheckOut--
				if c.before == hotel.Enquired {
					short.Status = hotel.Enquired
				}
				made, _, err := d.Book(t.Context(), who, short)
				if err == nil && c.before == hotel.Cancelled {
					_, _, err = d.Cancel(t.Context(), who, made.ID, hotel.CancelRequest{})
				}
				if err != nil {
					t.Fatal(err)
				}
				id = made.ID
			}
			protect(t, l, rooms, hotel.Guarded)
			dealAll(t, l, rooms, plan)
			g.give = func() { protect(t, l, rooms, hotel.Shared) }
			if err := c.sell(d, who, n, id, rooms[1]); err != nil {
				t.Fatal(err)
			}
			of := rooms[0].ID
			if c.other {
				of = rooms[1].ID
			}
			var want []hotel.RoomNight
			for night, count := range []int{c.rooms, c.last} {
				want = append(want, slices.Repeat([]hotel.RoomNight{{Night: in + hotel.Date(night), RoomTypeID: of}}, count)...)
			}
			slices.SortStableFunc(g.asked, func(a, b hotel.RoomNight) int { return int(a.Night - b.Night) })
			if !slices.Equal(g.asked, want) {
				t.Errorf("asked for %v, want %v", g.asked, want)
			}
			if wait := clock.Until(g.kept) - d.recallFor; wait < 2*ledger.RecallSeconds*time.Second {
				t.Errorf("kept for %v after the request, which does not last until they ask again", wait)
			}
		})
	}
}

// selling is what the property of a desk sells: two room types by one plan.
func selling(t *testing.T, l *ledger.Ledger) ([]hotel.RoomType, hotel.RatePlan) {
	t.Helper()
	by := hotel.By{Actor: hotel.System}
	_, _, err := l.CreateRoomType(t.Context(), by, hotel.Once{}, hotel.RoomType{
		PropertyID: "h1", Code: "suite", Name: "Suite", TotalUnits: 2, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := l.RoomTypes(t.Context(), "h1")
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := l.CreateRatePlan(t.Context(), by, hotel.Once{}, hotel.RatePlan{
		PropertyID: "h1", Code: "flex", Name: "Flex", Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
		RoomTypeIDs: []string{rooms[0].ID, rooms[1].ID}, Audience: hotel.Public, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	today := hotel.DateOf(2026, 11, 21)
	var prices []hotel.RateEntry
	for _, r := range rooms {
		prices = append(prices, hotel.RateEntry{
			RoomTypeID: r.ID, RatePlanID: plan.ID, Dates: hotel.Dates{Span: hotel.Span{From: today, To: today + 9}}, Amount: hotel.Given(hotel.Money{Minor: 9900, Currency: "EUR"}),
		})
	}
	if _, _, err := l.UpdateRates(t.Context(), by, hotel.Once{}, hotel.RateUpdate{PropertyID: "h1", Source: "api", Entries: prices}); err != nil {
		t.Fatal(err)
	}
	return rooms, plan
}

// protect protects the rooms of both types; nothing of them is for direct sales alone.
func protect(t *testing.T, l *ledger.Ledger, rooms []hotel.RoomType, kind hotel.ProtectionKind) {
	t.Helper()
	for _, r := range rooms {
		_, _, err := l.ChangePool(t.Context(), hotel.By{Actor: hotel.System}, hotel.Once{}, r.Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
			Apply: func(p *hotel.Pool) error {
				p.Protection, p.DirectWeight = hotel.Protection{Kind: kind}, new(int)
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// dealAll has a channel take all rooms that are free.
func dealAll(t *testing.T, l *ledger.Ledger, rooms []hotel.RoomType, plan hotel.RatePlan) {
	t.Helper()
	by := hotel.By{Actor: hotel.System}
	c, _, err := l.CreateChannel(t.Context(), by, hotel.Once{}, hotel.Channel{
		PropertyID: "h1", Connector: "mock", Name: "Portal", Status: hotel.Testing, Settings: []byte("{}"), Account: "portal", Schedule: "@every 1h",
	})
	if err == nil {
		err = l.MapChannel(t.Context(), by, c.ID, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
			{RoomTypeID: rooms[0].ID, RatePlanID: plan.ID, RemoteRoom: "D", RemoteRate: "F"}, {RoomTypeID: rooms[1].ID, RatePlanID: plan.ID, RemoteRoom: "S", RemoteRate: "F"},
		}})
	}
	if err == nil {
		err = l.GoLive(t.Context(), by, c.ID, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
}
