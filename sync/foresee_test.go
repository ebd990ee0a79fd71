package sync_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// What a channel would be told of a bulk update is what it is told once the update is
// stored: the same calls, byte for byte.
func TestForesightIsWhatIsTold(t *testing.T) {
	for _, c := range []struct {
		name          string
		update        func(b *bench, nights hotel.Span) hotel.AnyUpdate
		closes, opens int
	}{
		{"a price", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Rates: &hotel.RateUpdate{Entries: []hotel.RateEntry{b.house.PriceEntry(0, nights, 12300)}}}
		}, 0, 0},
		{"no price any more", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			e := b.house.PriceEntry(1, nights, 0)
			e.Amount, e.Occupancies = hotel.Optional[hotel.Money]{Set: true, Null: true}, map[int]hotel.Optional[hotel.Money]{1: {Set: true, Null: true}}
			return hotel.AnyUpdate{Rates: &hotel.RateUpdate{Entries: []hotel.RateEntry{e}}}
		}, 6, 0}, // both plans on three nights
		{"rooms of a pool that two types draw on", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Inventory: &hotel.InventoryUpdate{Entries: []hotel.InventoryEntry{{RoomTypeID: b.house.Rooms[0].ID, Dates: hotel.Dates{Span: nights}, OutOfOrder: hotel.Given(testkit.Doubles)}}}}
		}, 6, 0},
		{"rooms kept from every channel", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Inventory: &hotel.InventoryUpdate{Entries: []hotel.InventoryEntry{{RoomTypeID: b.house.Rooms[0].ID, Dates: hotel.Dates{Span: nights}, KeepBack: hotel.Given(hotel.ChannelQuantities{"*": hotel.Given(1)})}}}}
		}, 0, 0},
		{"a plan closed to arrivals", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Restrictions: &hotel.RestrictionUpdate{Entries: []hotel.RestrictionEntry{{RatePlanID: b.house.Plans[1].ID, Dates: hotel.Dates{Span: nights}, ClosedToArrival: hotel.Given(true)}}}}
		}, 0, 0},
		{"a closed night that opens", func(b *bench, _ hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Restrictions: &hotel.RestrictionUpdate{Entries: []hotel.RestrictionEntry{{RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: b.first + 20, To: b.first + 20}}, Closed: hotel.Given(false)}}}}
		}, 0, 2}, // the other plan follows it
		{"what is so already", func(b *bench, nights hotel.Span) hotel.AnyUpdate {
			return hotel.AnyUpdate{Rates: &hotel.RateUpdate{Entries: []hotel.RateEntry{b.house.PriceEntry(0, nights, 10000)}}}
		}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				f := b.far("a")
				b.channel("a", f.Settings(300))
				if _, _, err := b.ldg.UpdateRestrictions(t.Context(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{
					{RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: b.first + 20, To: b.first + 20}}, Closed: hotel.Given(true)},
				}}); err != nil {
					t.Fatal(err)
				}
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.live()
				b.pass(time.Minute)

				u := c.update(b, hotel.Span{From: b.first + 3, To: b.first + 5})
				b.of(u)
				foresight, err := b.ldg.Foresee(t.Context(), u)
				if err != nil {
					t.Fatal(err)
				}
				would, err := b.eng.Foresee(t.Context(), "a", foresight)
				if err != nil {
					t.Fatal(err)
				}
				if p, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{}); err != nil || len(p.Calls) != 0 {
					t.Fatalf("asking what would be told has something told: %d calls, %v", len(p.Calls), err)
				}
				b.pause(true) // what it is to show is worked out, and it is not told
				b.store(u)
				b.pass(time.Minute)
				is, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanDelta})
				if err != nil {
					t.Fatal(err)
				}
				if len(would.Calls) != len(is.Calls) || (len(is.Calls) == 0) != (c.name == "what is so already") {
					t.Fatalf("foreseen are %d calls of %d cells, made are %d of %d", len(would.Calls), cellsOf(would), len(is.Calls), cellsOf(is))
				}
				closes, opens := 0, 0
				for i := range is.Calls {
					closes, opens = closes+would.Calls[i].Closes, opens+would.Calls[i].Opens
					if would.Calls[i].Sum != is.Calls[i].Sum || would.Calls[i].Cells != is.Calls[i].Cells || would.Calls[i].Closes != is.Calls[i].Closes || would.Calls[i].Opens != is.Calls[i].Opens {
						t.Errorf("foreseen is %s %s, made is %s %s", would.Calls[i].Operation, would.Calls[i].Body, is.Calls[i].Operation, is.Calls[i].Body)
					}
				}
				if closes != c.closes || opens != c.opens {
					t.Errorf("%d cells close and %d open, want %d and %d", closes, opens, c.closes, c.opens)
				}
			})
		})
	}
}

// of says that the update is of the bench's house.
func (b *bench) of(u hotel.AnyUpdate) {
	switch property := b.house.Property.ID; {
	case u.Inventory != nil:
		u.Inventory.PropertyID, u.Inventory.Source = property, "api"
	case u.Rates != nil:
		u.Rates.PropertyID, u.Rates.Source = property, "api"
	default:
		u.Restrictions.PropertyID, u.Restrictions.Source = property, "api"
	}
}

// store stores an update.
func (b *bench) store(u hotel.AnyUpdate) {
	b.t.Helper()
	var err error
	switch ctx := b.t.Context(); {
	case u.Inventory != nil:
		_, _, err = b.ldg.UpdateInventory(ctx, testkit.Tester, hotel.Once{}, *u.Inventory)
	case u.Rates != nil:
		_, _, err = b.ldg.UpdateRates(ctx, testkit.Tester, hotel.Once{}, *u.Rates)
	default:
		_, _, err = b.ldg.UpdateRestrictions(ctx, testkit.Tester, hotel.Once{}, *u.Restrictions)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// A connector that cannot pack changes says so of itself, and keeps nobody from looking at
// what the others would be told.
func TestAnIllConnectorForeseesNothing(t *testing.T) {
	for _, has := range []ailment{encodePanics, encodeHangs, encodeLoses} {
		t.Run(string(has), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{}), has: has}
				defer close(patient.release)
				b.house.Connect(t, b.ldg, hotel.Channel{
					Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Ill", Settings: []byte("{}"), Account: "ill", Schedule: "@every 1m",
				}, hotel.PerRoom)
				u := hotel.AnyUpdate{Rates: &hotel.RateUpdate{Entries: []hotel.RateEntry{b.house.PriceEntry(0, hotel.Span{From: b.first + 3, To: b.first + 5}, 12300)}}}
				b.of(u)
				foresight, err := b.ldg.Foresee(t.Context(), u)
				if err != nil {
					t.Fatal(err)
				}
				_, err = b.eng.Foresee(t.Context(), "ill", foresight)
				if r, refused := errors.AsType[*hotel.Refusal](err); !refused || r.Code != "channel_error" {
					t.Errorf("%v", err)
				}
			})
		})
	}
}
