package ledger

import (
	"context"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// planted is, for each table that verification covers, what is changed in it behind
// the journal's back, and what is then told.
var planted = map[string][]struct{ plant, told string }{
	"property": {{"UPDATE property SET body = json_set(body, '$.name', 'Other')", "hotel_1: property hotel_1: the journal says {"}},
	"pool":     {{"UPDATE pool SET body = json_set(body, '$.total_units', 6)", "pool"}},
	"room_type": {
		{"UPDATE room_type SET body = json_set(body, '$.name', 'Other')", "room_type"},
	},
	"rate_plan":    {{"UPDATE rate_plan SET body = json_set(body, '$.name', 'Other')", "rate_plan"}},
	"pricing_rule": {{"UPDATE pricing_rule SET body = json_set(body, '$.name', 'Other')", "pricing_rule"}},
	"fact_night": {
		{"UPDATE fact_night SET value = json_set(value, '$.amount', 1) WHERE sheet = 'price'", "price fact of "},
		{"UPDATE fact_night SET version = version - 1 WHERE sheet = 'price'", "price fact of "},
		{"DELETE FROM fact_night WHERE sheet = 'pool'", "kept is nothing"},
		{"UPDATE fact_night SET value = json_set(value, '$.closed', json('true')) WHERE sheet = 'room'", "room fact of "},
		{"UPDATE fact_night SET value = json_set(value, '$.min_stay_arrival', 9) WHERE sheet = 'rule'", "rule fact of "},
	},
	"reservation_night": {
		{"DELETE FROM reservation_night", "room taken of res_"},
		{"UPDATE reservation_night SET night = night + 100", "room taken of res_"},
	},
	"reservation": {
		{"UPDATE reservation SET status = 'cancelled'", "reservation res_"},
		{"UPDATE reservation SET body = json_set(body, '$.adults', 7)", "reservation res_"},
		{"UPDATE reservation SET check_out = check_out + 1", "reservation res_"},
		{"UPDATE reservation SET acknowledged = 1 - acknowledged", "reservation res_"},
		{"UPDATE reservation SET asked_until = 1", "reservation res_"},
	},
	"reservation_tag":      {{"UPDATE reservation_tag SET tag = 'other'", "reservation res_"}},
	"reservation_revision": {{"DELETE FROM reservation_revision", "revision of res_"}},
	"past_sales": {
		{"UPDATE past_sales SET rooms = rooms + 1", "past sales of "},
		{"DELETE FROM past_sales", "past sales of "},
	},
	"reservation_group": {{"UPDATE reservation_group SET channel_ref = 'other'", "reservation group grp_"}},
	"pickup_night":      {{"UPDATE pickup_night SET rooms = rooms + 1", "pickup of "}},
	"foreign_night": {
		{"UPDATE foreign_night SET acknowledged = 1 - min(acknowledged, 1)", "told the system that counts of res_"},
		{"DELETE FROM foreign_night", "told the system that counts of res_"},
	},
	"block":       {{"UPDATE block SET body = json_set(body, '$.name', 'Other')", "block blk_"}},
	"block_night": {{"UPDATE block_night SET units = units + 1", "rooms of a block of blk_"}},
	"house_stock": {{"UPDATE house_stock SET available = available + 1, net = net + 1", "house stock of "}},
	"house_price": {
		{"UPDATE house_price SET amount = amount + 1", "house price of "},
		{"DELETE FROM house_price", "house price of "},
	},
	"house_restriction": {{"UPDATE house_restriction SET lengths = lengths + 1", "house restrictions of "}},
	"channel": {
		{"UPDATE channel SET status = 'paused'", "channel ch"},
		{"UPDATE channel SET body = json_set(body, '$.markup', json('{\"kind\":\"percent\",\"value\":\"9\"}'))", "channel ch"},
	},
	"mapping": {
		{"UPDATE mapping SET retired = 1", "mapping of ch"},
		{"UPDATE mapping SET remote_rate = remote_rate || 'x'", "mapping of ch"},
	},
	"counter": {
		{"UPDATE counter SET room_type_id = (SELECT id FROM room_type WHERE code = 'suite')", "counter behind ch"},
		{"UPDATE counter SET retired = 1", "counter behind ch"},
	},
	"stock_cell": {
		{"UPDATE stock_cell SET told = told + 1, want = told + 1", "availability wanted at channel ch of D on "},
		{"UPDATE stock_cell SET closes = 1", "none while a product is closed"},
		{"UPDATE stock_cell SET want = 0", "availability to be told at channel ch of "},
		{"UPDATE stock_cell SET dirty = 1 - dirty", "availability to be sent at channel ch of D on "},
		{"DELETE FROM stock_cell WHERE night % 5 = 0", "kept is nothing"},
	},
	"price_cell": {
		{"UPDATE price_cell SET closures_told = 1 - closures_told", "closures wanted at channel ch of D/F on "},
		{"UPDATE price_cell SET tells = 1", "closures wanted at channel ch of "},
		{"UPDATE price_cell SET closures_want = 7", "closures to be told at channel ch of "},
		{"UPDATE price_cell SET lengths_want = lengths_want + 1", "lengths wanted at channel ch of "},
		{"UPDATE price_cell SET price_want = price_want + 100", "price wanted at channel ch of D/S on "},
		{"UPDATE price_cell SET waits = 2", "no price, so closed"},
		{"UPDATE price_cell SET dirty = 1 - dirty", "product to be sent at channel ch of "},
		{"DELETE FROM price_cell WHERE line = (SELECT min(id) FROM mapping)", "kept is nothing"},
	},
	"occupancy_cell": {
		{"INSERT INTO occupancy_cell (channel_id, line, night, occupancy, want, want_seq, want_entry, state, dirty) SELECT channel_id, line, night, 1, 9000, 1, 1, 0, 1 FROM price_cell LIMIT 3", "price for 1 wanted at channel ch of "},
	},
	"journal": {
		{"UPDATE journal SET body = replace(body, 'Other', 'Another'), actor = 'client:x' WHERE sequence = 3", "entry 3 of the journal"},
	},
	"journal_cut": {{"INSERT INTO journal_cut VALUES ('hotel_1', 1, 1, zeroblob(32))", "of the journal"}},
}

// notPlanted are the tables that verification leaves out, with the reason.
var notPlanted = map[string]string{
	"goose_db_version": "the program's own: which migrations have run",
	"sqlite_sequence":  "SQLite's own",
	"ledger":           "the file's own name and epoch",
	"touch":            "an index over the journal; as_of is tested against what was seen",
	"cursor":           "how far readers are: looking twice does no harm; what one has passed over is found in the cells",
	"idempotency":      "forgotten after a day",
	"imported_row":     "says what need not be imported again; what was is verified",

	"guest":             "guest data is not in the journal, so that it can be erased",
	"guest_snapshot":    "guest data is not in the journal, so that it can be erased",
	"personal_access":   "who was shown people's data is a record of its own",
	"guest_external_id": "guest data is not in the journal, so that it can be erased",
	"message":           "raw messages are not in the journal: they hold guest data",

	"client":          "credentials are not in the journal",
	"client_secret":   "credentials are not in the journal",
	"token":           "credentials are not in the journal",
	"console_user":    "credentials are not in the journal",
	"console_session": "credentials are not in the journal",
	"console_link":    "credentials are not in the journal",
	"rate_window":     "how much of an hour's requests is used",
	"answer_tally":    "how requests were answered, counted",
	"work_tally":      "how well the service worked, counted; nothing follows from it",

	"access_request":  "who asks for access is not in the journal, so that it can be erased",
	"sandbox":         "which generation of a pretend hotel is open: an older journal would only open another",
	"sandbox_traffic": "how a partner's tests went",

	"webhook_endpoint": "whom a client has called: its address is not in the journal",
	"reminder":         "of which bookings partners were reminded: what of them is told stands in the journal",
	"webhook_secret":   "credentials are not in the journal",
	"notice_state":     "who was told what is no fact of the house",
	"notice":           "who was told what is no fact of the house",
	"notice_mail":      "messages on their way are records of their own",
	"webhook_replay":   "how far an endpoint has heard again what is in the journal",
	"webhook_delivery": "calls and their answers are records of their own",
	"webhook_attempt":  "calls and their answers are records of their own",

	"standing":         "what a far side asked for and whether its breaker is open: by the clock of its answers",
	"flag":             "what a connector did against the rules: told in the journal when it begins and ends",
	"calm":             "since when rooms are guarded only because they were: by the clock of the decision",
	"overgranted_left": "what somebody has left as it is: told as the conflict in which it was",
	"party":            "what was granted was decided, by calls and their answers; the accounts are checked when rooms are dealt",
	"deal_due":         "nights that are still to be dealt: dealing them twice does no harm",
	"counted":          "what a channel said that it counts: theirs to say",
	"delivery":         "calls and their answers are records of their own",
	"carried":          "an index over the calls",
	"sync_run":         "calls and their answers are records of their own",
	"drift":            "what a channel was seen to show, for a day",
	"conflict":         "what was seen and decided is told in the journal, but for what people have typed, and nothing else is worked out from it",
	"spread":           "what of a change waits for somebody: counted on the way, and told as a conflict",
	"shelf":            "what connectors keep for themselves",
	"channel_booking":  "which message of a channel was the last: theirs to say",

	"ari_update":         "how far an update is, for whoever waits for it",
	"ari_update_channel": "how far an update is, for whoever waits for it",
	"ari_update_result":  "what became of its entries, for whoever has lost the answer",
}

// A table that is added to the schema is verified, or left out for a reason.
func TestEveryTableIsVerifiedOrLeftOut(t *testing.T) {
	h := newHouse(t)
	rows := must(h.readDB.QueryContext(context.Background(), "SELECT name FROM sqlite_schema WHERE type = 'table'"))(t)
	defer rows.Close()
	left := map[string]bool{}
	for table := range planted {
		left[table] = true
	}
	for table := range notPlanted {
		left[table] = true
	}
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		_, verified := planted[table]
		reason := notPlanted[table]
		if verified == (reason != "") {
			t.Errorf("%s: say how verification finds what is changed in it, or why it need not", table)
		}
		delete(left, table)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, table := range slices.Sorted(maps.Keys(left)) {
		if !strings.HasPrefix(table, "sqlite_") {
			t.Errorf("%s: there is no such table", table)
		}
	}
}

// Whatever is changed behind the journal's back is found and told.
func TestVerifyFindsWhatWasPlanted(t *testing.T) {
	sound := newHouse(t)
	sound.fillTables(t)
	if v := sound.verified(t); len(v.Differences) > 0 {
		t.Fatalf("before anything was planted: %s", v.Differences[0])
	}
	for table, plants := range planted {
		for _, test := range plants {
			t.Run(table+": "+test.plant, func(t *testing.T) {
				h := sound.files(t)
				if n := h.changed(t, test.plant); n == 0 {
					t.Fatal("there is nothing to change")
				}
				v := h.verified(t)
				if len(v.Differences) == 0 {
					t.Fatal("not found")
				}
				if !slices.ContainsFunc(v.Differences, func(d Difference) bool { return strings.Contains(d.String(), test.told) }) {
					t.Errorf("told %s", v.Differences[0])
				}
				if len(v.Differences) > mostDifferences {
					t.Errorf("%d told one by one", len(v.Differences))
				}
			})
		}
	}
}

// files is a copy of the house as its files have it now, closed.
func (h *house) files(t *testing.T) *house {
	t.Helper()
	c := *h
	c.path = filepath.Join(folder(t), "ledger.db")
	for _, end := range []string{"", "-wal"} {
		if err := os.WriteFile(c.path+end, must(os.ReadFile(h.path+end))(t), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &c
}

// changed runs a statement behind the ledger's back and returns how many rows it
// changed.
func (h *house) changed(t *testing.T, statement string) int64 {
	t.Helper()
	db := must(sql.Open("sqlite3", h.path))(t)
	n := must(must(db.ExecContext(context.Background(), statement))(t).RowsAffected())(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// fillTables writes something into every table that is verified.
func (h *house) fillTables(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	f := h.newFarSide(t, 5)
	f.goLive(t)
	given := must2(h.ChangeRoomType(ctx, tester, hotel.Once{}, h.suite.ID, hotel.Change[hotel.RoomType]{Apply: func(r *hotel.RoomType) error { r.Mode = hotel.GivenMode; return nil }}))(t)
	h.clock.move(time.Minute)
	must(h.updateStock(
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 4), OutOfOrder: hotel.Given(1), SellLimit: hotel.Given(4)},
		hotel.InventoryEntry{RoomTypeID: given.ID, Dates: h.span(0, 9), Given: hotel.Given(2)},
	))(t)
	must(h.updateRules(hotel.RestrictionEntry{Dates: h.span(5, 6), MinStayArrival: hotel.Given(2)}))(t)
	h.addRule(t, hotel.RuleCondition{Metric: hotel.RoomsLeft, Op: "lte", Value: []string{"3"}})
	h.block(t, hotel.Definite, h.line(h.double, 3, 5, 1))
	for _, room := range []hotel.RoomType{h.double, given} {
		r := must2(h.book(room, h.today, h.today+2, hotel.Once{}))(t)
		must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Tags: &[]string{"vip"}}))(t)
	}
	must2(h.CreateReservationGroup(ctx, tester, hotel.Once{}, hotel.NewReservationGroup{
		PropertyID: h.property.ID, Booker: &hotel.Guest{LastName: "Booker"},
		Reservations: []hotel.NewReservation{{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2}},
	}))(t)
	h.past(t, false, h.sold(9, 2, 180))
	f.catchUp(t)
}

// A channel that has passed over an entry of the journal is told something else
// than it should be.
func TestVerifyFindsWhatAChannelHasPassedOver(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 4), OutOfOrder: hotel.Given(1)}))(t)
	h.deriveAll(t)
	if v := h.verified(t); len(v.Differences) > 0 {
		t.Fatalf("what is still to be looked at: %s", v.Differences[0])
	}
	h.changed(t, "UPDATE cursor SET sequence = (SELECT max(sequence) FROM journal) WHERE reader GLOB 'channel:ch:*'")
	var told []string
	for _, d := range h.verified(t).Differences {
		told = append(told, d.String())
	}
	want := []string{
		"hotel_1: availability wanted at channel ch of D on 2026-11-24: the house values come to 4 rooms, kept is 5 rooms",
		"hotel_1: availability wanted at channel ch of T on 2026-11-24: the house values come to 4 rooms, kept is 5 rooms",
		"hotel_1: availability wanted at channel ch of D on 2026-11-25: the house values come to 4 rooms, kept is 5 rooms",
		"hotel_1: availability wanted at channel ch of T on 2026-11-25: the house values come to 4 rooms, kept is 5 rooms",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("-want +told:\n%s", diff)
	}
}
