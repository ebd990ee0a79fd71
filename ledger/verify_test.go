package ledger

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func quietly(string, float64) {}

// verified verifies the house's file beside the open ledger.
func (h *house) verified(t tb) Verification {
	t.Helper()
	return must(Verify(context.Background(), h.path, quietly))(t)
}

// After any writes the tables are what the journal says.
func TestVerifyFindsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var made []hotel.Reservation
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			h.drawWrite(t, &made)
		}
		if rapid.Bool().Draw(t, "derived") {
			h.deriveAll(t)
		}
		v := h.verified(t)
		for _, d := range v.Differences {
			t.Errorf("%s", d)
		}
		if v.Entries != must(h.Sequence(context.Background()))(t) || v.Compared == 0 || v.Chains != 2 {
			t.Errorf("verified %+v", v)
		}
	})
}

// Whatever is changed behind the journal's back is found and told.
func TestVerifyFindsWhatWasPlanted(t *testing.T) {
	for _, test := range []struct{ plant, told string }{
		{"UPDATE property SET body = json_set(body, '$.name', 'Other')", "hotel_1: property hotel_1: the journal says {"},
		{"UPDATE pool SET body = json_set(body, '$.total_units', 6)", "pool"},
		{"UPDATE room_type SET body = json_set(body, '$.name', 'Other')", "room_type"},
		{"UPDATE rate_plan SET body = json_set(body, '$.name', 'Other')", "rate_plan"},
		{"UPDATE fact_night SET value = json_set(value, '$.amount', 1) WHERE sheet = 'price'", "price fact of "},
		{"UPDATE fact_night SET version = version - 1 WHERE sheet = 'price'", "price fact of "},
		{"DELETE FROM fact_night WHERE sheet = 'pool'", "stored is nothing"},
		{"UPDATE fact_night SET value = json_set(value, '$.closed', json('true')) WHERE sheet = 'room'", "room fact of "},
		{"UPDATE fact_night SET value = json_set(value, '$.min_stay_arrival', 9) WHERE sheet = 'rule'", "rule fact of "},
		{"DELETE FROM reservation_night", "room taken of res_"},
		{"UPDATE reservation_night SET night = night + 100", "room taken of res_"},
		{"UPDATE pickup_night SET rooms = rooms + 1", "pickup of "},
		{"UPDATE pricing_rule SET body = json_set(body, '$.name', 'Other')", "pricing_rule"},
		{"UPDATE house_stock SET available = available + 1, net = net + 1", "house stock of "},
		{"UPDATE house_price SET amount = amount + 1", "house price of "},
		{"DELETE FROM house_price", "house price of "},
		{"UPDATE house_restriction SET lengths = lengths + 1", "house restrictions of "},
		{"UPDATE journal SET body = replace(body, 'Other', 'Another'), actor = 'client:x' WHERE sequence = 3", "entry 3 of the journal"},
	} {
		t.Run(test.plant, func(t *testing.T) {
			h := newHouse(t)
			must2(h.book(h.double, h.today, h.today+2, hotel.Once{}))(t)
			must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(3, 4), OutOfOrder: hotel.Given(1), SellLimit: hotel.Given(1)}))(t)
			must(h.updateRules(hotel.RestrictionEntry{Dates: h.span(5, 6), MinStayArrival: hotel.Given(2)}))(t)
			h.addRule(t, hotel.RuleCondition{Metric: hotel.RoomsLeft, Op: "lte", Value: []string{"3"}})
			h.deriveAll(t)
			if v := h.verified(t); len(v.Differences) > 0 {
				t.Fatalf("before anything was planted: %s", v.Differences[0])
			}
			h.exec(t, test.plant)
			v := h.verified(t)
			if len(v.Differences) == 0 {
				t.Fatal("not found")
			}
			if d := v.Differences[0].String(); !strings.Contains(d, test.told) {
				t.Errorf("told %s", d)
			}
			if len(v.Differences) > mostDifferences {
				t.Errorf("%d told one by one", len(v.Differences))
			}
		})
	}
}

// A large update that is still on its way into the tables is no difference.
func TestVerifyWhileAnUpdateIsDue(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 500)")
	h.property.HorizonDays = 500
	for i := range 3 {
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 450), OutOfOrder: hotel.Given(i)}))(t)
		must(h.DeriveDue(context.Background()))(t)
	}
	for _, d := range h.verified(t).Differences {
		if !strings.HasPrefix(d.Where, "property") { // the horizon was changed by hand
			t.Error(d)
		}
	}
}
