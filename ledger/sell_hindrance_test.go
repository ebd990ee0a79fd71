package ledger

import (
	"context"
	"errors"
	"testing"

	"ostler.example/hotel"
)

// Why there is no room to be sold is told as it is, and who sells a room that the house only
// keeps back sells none that there is not.
func TestWhyThereIsNoRoom(t *testing.T) {
	ctx := context.Background()
	for reason, test := range map[string]struct {
		entry      func(h *house) hotel.InventoryEntry
		overbooked bool
	}{
		"closed": {func(h *house) hotel.InventoryEntry {
			return hotel.InventoryEntry{RoomTypeID: h.double.ID, Closed: hotel.Given(true)}
		}, false},
		"sell_limit": {func(h *house) hotel.InventoryEntry {
			return hotel.InventoryEntry{RoomTypeID: h.double.ID, SellLimit: hotel.Given(0)}
		}, false},
		"house_limit": {func(*house) hotel.InventoryEntry { return hotel.InventoryEntry{HouseLimit: hotel.Given(0)} }, true},
		"full": {func(h *house) hotel.InventoryEntry {
			return hotel.InventoryEntry{RoomTypeID: h.double.ID, Total: hotel.Given(0)}
		}, true},
	} {
		t.Run(reason, func(t *testing.T) {
			h := newHouse(t)
			entry := test.entry(h)
			entry.Dates = h.span(3, 3)
			must2(h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{entry}}))(t)
			n := hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 4}, Adults: 2,
				Status: hotel.Confirmed, Guest: hotel.Guest{LastName: "Guest"},
			}
			_, _, err := h.CreateReservation(ctx, tester, hotel.Once{}, n)
			refusal, ok := errors.AsType[*hotel.Refusal](err)
			if !ok || refusal.Code != "not_available" || refusal.Members["reason"] != reason {
				t.Fatalf("answered %v, %+v", err, refusal)
			}
			n.Overbook = true
			if r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, n))(t); r.Overbooked != test.overbooked {
				t.Errorf("sold all the same: overbooked %t", r.Overbooked)
			}
		})
	}
}

// A reservation outlives its rate plan: nights are given back, and another room taken, at
// the prices that were agreed. What would need a new price says so.
func TestAReservationOutlivesItsPlan(t *testing.T) {
	ctx := context.Background()
	for name, end := range map[string]func(h *house) error{
		"archived": func(h *house) error {
			_, _, err := h.ArchiveRatePlan(ctx, tester, hotel.Once{}, h.saver.ID, 0)
			return err
		},
		"sold for another room type": func(h *house) error {
			_, err := h.changePlan(h.saver.ID, func(p *hotel.RatePlan) { p.RoomTypeIDs = []string{h.suite.ID} })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Stay: hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 5}, Adults: 2,
				Status: hotel.Confirmed, Guest: hotel.Guest{LastName: "Guest"},
			}))(t)
			if err := end(h); err != nil {
				t.Fatal(err)
			}
			change := func(c hotel.ReservationChange) (hotel.Reservation, error) {
				r, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, c)
				return r, err
			}
			out := h.today + 4
			got := must(change(hotel.ReservationChange{CheckOut: &out}))(t)
			if len(got.Nightly) != 2 || got.Nightly[1] != r.Nightly[1] || got.Total.Minor != r.Nightly[0].Amount.Minor+r.Nightly[1].Amount.Minor {
				t.Errorf("a night given back: %+v of %+v", got.Nightly, r.Nightly)
			}
			if free := h.stock(t, h.double, h.today+4, h.today+4)[0].Sold; free != 0 {
				t.Errorf("the night that was given back has %d sold", free)
			}
			if moved := must(change(hotel.ReservationChange{RoomTypeID: &h.twin.ID}))(t); moved.RoomTypeID != h.twin.ID || moved.Total != got.Total {
				t.Errorf("moved: %s at %+v, want %+v", moved.RoomTypeID, moved.Total, got.Total)
			}
			later := h.today + 6
			if _, err := change(hotel.ReservationChange{CheckOut: &later}); refusedAs(err) != "validation_failed" {
				t.Errorf("nights without a price: %v", err)
			}
			price := hotel.Money{Minor: 5000, Currency: "EUR"}
			typed := must(change(hotel.ReservationChange{CheckOut: &later, Overrides: []hotel.NightAmount{{Date: h.today + 5, Amount: price}, {Date: h.today + 4, Amount: price}}}))(t)
			if typed.Total.Minor != got.Total.Minor+2*price.Minor || typed.Nightly[2].Date != h.today+4 {
				t.Errorf("nights with typed prices: %+v", typed.Nightly)
			}
		})
	}
}

// A block's plan that is gone sells nothing new, whatever prices are typed.
func TestABlockOfAPlanThatIsGone(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	b := must2(h.CreateBlock(ctx, tester, hotel.Once{}, hotel.Block{
		PropertyID: h.property.ID, Name: "Choir", BlockStatus: hotel.Definite, RatePlanID: h.saver.ID, Lines: []hotel.BlockLine{h.line(h.double, 10, 11, 1)},
	}))(t)
	must2(h.ArchiveRatePlan(ctx, tester, hotel.Once{}, h.saver.ID, 0))(t)
	in := h.today + 10
	_, _, err := h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Status: hotel.Confirmed,
		Guest: hotel.Guest{LastName: "Guest"}, BlockID: b.ID, Overrides: []hotel.NightAmount{{Date: in, Amount: hotel.Money{Minor: 5000, Currency: "EUR"}}},
	})
	if refusedAs(err) != "validation_failed" {
		t.Errorf("sold: %v", err)
	}
}

// What has been sold in a currency stays in it.
func TestTheCurrencyStaysOnceSomethingIsSold(t *testing.T) {
	h := newHouse(t)
	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	for _, plan := range []string{h.saver.ID, h.flex.ID} {
		must2(h.ArchiveRatePlan(context.Background(), tester, hotel.Once{}, plan, 0))(t)
	}
	if _, err := h.changeProperty(func(p *hotel.Property) { p.Currency = "CHF" }); refusedAs(err) != "validation_failed" {
		t.Errorf("a house with a reservation changes its currency: %v", err)
	}
}
