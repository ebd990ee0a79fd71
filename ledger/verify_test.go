package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func quietly(string, float64) {}

// verified verifies the house's file beside the open ledger.
func (h *house) verified(t tb) Verification {
	t.Helper()
	return must(Verify(context.Background(), h.path, VerifyOptions{Report: quietly, Stage: asTheyAre}))(t)
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

// asTheyAre is the stage of a far side.
func asTheyAre(hotel.Channel) (Reach, func(Work) []Wanted, error) {
	return Reach{}, wantedOf, nil
}

// live verifies the open ledger, with its boards.
func (h *house) live(t tb, report Progress) Verification {
	t.Helper()
	return must(h.Verify(context.Background(), VerifyOptions{Report: report, Stage: asTheyAre}))(t)
}

// The open ledger is verified while others write, its boards with it.
func TestVerifyOpenLedger(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5).goLive(t)
	board := must(h.Board(context.Background(), h.property.ID))(t)
	compared, said := h.verified(t).Compared, 0
	v := h.live(t, func(string, float64) {
		said++
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(3, 9), SellLimit: hotel.Given(said % 3)}))(t)
	})
	for _, d := range v.Differences {
		t.Error(d)
	}
	if want := compared + len(board.Nights) - 7; v.Compared < want {
		t.Errorf("%d places compared, want %d or more", v.Compared, want)
	}
}

// A board that is not what its tables come to is found, and the place is told.
func TestVerifyFindsADamagedBoard(t *testing.T) {
	for plant, told := range map[string]string{
		"UPDATE fact_night SET value = json_set(value, '$.amount', 1) WHERE sheet = 'price'":          "in memory: price of ",
		"UPDATE fact_night SET value = json_set(value, '$.min_stay_arrival', 9) WHERE sheet = 'rule'": "in memory: restrictions of ",
		"UPDATE fact_night SET value = json_set(value, '$.out_of_order', 3) WHERE sheet = 'pool'":     "in memory: pool of pl_",
		"DELETE FROM reservation_night":                            "in memory: stock of rt_",
		"UPDATE house_stock SET available = 9":                     "in memory: announced stock of rt_",
		"UPDATE pickup_night SET rooms = rooms + 1":                "in memory: pickup of hotel_1",
		"UPDATE pool SET body = json_set(body, '$.name', 'Other')": "in memory: what the property is made of",
	} {
		t.Run(plant, func(t *testing.T) {
			h := newHouse(t)
			h.fillTables(t)
			must(h.Board(context.Background(), h.property.ID))(t)
			if v := h.live(t, quietly); len(v.Differences) > 0 {
				t.Fatalf("before anything was planted: %s", v.Differences[0])
			}
			if h.changed(t, plant) == 0 {
				t.Fatal("there is nothing to change")
			}
			for _, d := range h.live(t, quietly).Differences {
				if strings.Contains(d.String(), told) {
					return
				}
			}
			t.Errorf("not told, but %v", h.live(t, quietly).Differences)
		})
	}
}

// TestVerifyLooksBehindTheHorizon: what a long stay takes there is verified too, also where
// nothing of it is stored.
func TestVerifyLooksBehindTheHorizon(t *testing.T) {
	for name, from := range map[string]hotel.Date{"all of it": 1, "its last night": 30} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			horizon := h.property.Shows(h.clock.Now()).To
			must(h.Receive(context.Background(), oneRoom(h, "1", "booked", hotel.ChannelRoom{
				Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: horizon - 2, CheckOut: horizon + 31}, Adults: 2,
			})))(t)
			h.deriveAll(t)
			for _, d := range h.verified(t).Differences {
				t.Errorf("before anything was planted: %s", d)
			}
			lost := h.changed(t, fmt.Sprintf("DELETE FROM house_stock WHERE night >= %d AND room_type_id = '%s'", horizon+from, h.double.ID))
			if found := h.verified(t).Differences; lost == 0 || len(found) == 0 || !strings.Contains(found[0].String(), "house stock") {
				t.Errorf("%d are lost, and found is %v", lost, found)
			}
		})
	}
}
