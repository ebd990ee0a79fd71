package ledger

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// queries reads the statements of the generated package, by name.
func queries(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, path := range must(filepath.Glob("internal/ledgerdb/*.sql.go"))(t) {
		file := must(parser.ParseFile(token.NewFileSet(), path, nil, 0))(t)
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			v := g.Specs[0].(*ast.ValueSpec)
			out[v.Names[0].Name] = must(strconv.Unquote(v.Values[0].(*ast.BasicLit).Value))(t)
		}
	}
	return out
}

// explain returns how SQLite means to run a statement, one line a step.
func (h *house) explain(t *testing.T, sql string) string {
	t.Helper()
	ctx := context.Background()
	conn := must(h.readDB.Conn(ctx))(t)
	defer func() { // the pool has few
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}()
	var args []any
	err := conn.Raw(func(c any) error {
		s, err := c.(*sqlite3.SQLiteConn).Prepare(sql)
		if err != nil {
			return err
		}
		args = make([]any, s.NumInput())
		return s.Close()
	})
	if err != nil {
		t.Fatalf("%v in %s", err, sql)
	}
	rows, err := conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+sql, args...)
	if err != nil {
		t.Fatalf("%v in %s", err, sql)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// TestHotQueriesUseTheirIndex names the index that each query rests on whose
// table grows with nights, bookings or calls.
func TestHotQueriesUseTheirIndex(t *testing.T) {
	h := newHouse(t)
	all := queries(t)
	nights := "USING PRIMARY KEY (property_id=? AND night>? AND night<?)"
	for name, want := range map[string]string{
		"dirtyStockCells": "INDEX stock_cell_dirty (channel_id=? AND night>?)", "stockLag": "INDEX stock_cell_dirty (channel_id=? AND night>? AND night<?)",
		"dirtyPriceCells": "INDEX price_cell_dirty (channel_id=? AND night>?)", "priceLag": "INDEX price_cell_dirty (channel_id=? AND night>? AND night<?)",
		"pressingClosures":    "INDEX price_cell_dirty (channel_id=? AND night>?)",
		"dirtyOccupancyCells": "INDEX occupancy_cell_dirty (channel_id=? AND night>?)", "occupancyLag": "INDEX occupancy_cell_dirty (channel_id=? AND night>? AND night<?)",
		"stockCells":     "PRIMARY KEY (channel_id=? AND line=? AND seller=? AND night>? AND night<?)",
		"priceCells":     "PRIMARY KEY (channel_id=? AND line=? AND night>? AND night<?)",
		"occupancyCells": "PRIMARY KEY (channel_id=? AND line=? AND night>? AND night<?)",
		"glanceStock":    "PRIMARY KEY (channel_id=? AND line=? AND seller=? AND night>? AND night<?)",
		"glancePrices":   "PRIMARY KEY (channel_id=? AND line=? AND night>? AND night<?)", "stirringOccupancies": "PRIMARY KEY (channel_id=? AND line=? AND night>? AND night<?)",
		"rejectedCells": "stock_cell_rejected", "rejectedBetween": "INDEX price_cell_rejected (channel_id=?)", "heldBetween": "INDEX price_cell_held (channel_id=?)",
		"openDeliveries": "delivery_open", "callsSince": "INDEX delivery_by_channel (channel_id=? AND sent_at>?)", "sentSince": "INDEX delivery_sent (account=? AND sent_at>?)",
		"lastAnswered": "INDEX delivery_well (channel_id=? AND kind=?)", "lastFailure": "INDEX delivery_wrong (channel_id=? AND kind=? AND sent_at>?)",
		"countersShort": "PRIMARY KEY (channel_id=? AND line=? AND seller=? AND night>? AND night<?)",
		"factNights":    "PRIMARY KEY (property_id=? AND sheet=? AND night>? AND night<?)",
		"factNightsOf":  "PRIMARY KEY (property_id=? AND sheet=? AND night=? AND subject>? AND subject<?)",
		"soldNights":    nights, "factsSince": "INDEX journal_by_property (property_id=? AND sequence>?)",
		"houseStock": nights, "housePrices": nights, "houseRestrictions": nights,
		"housePricesOf": "PRIMARY KEY (property_id=? AND night=? AND room_type_id=? AND rate_plan_id=?)", "houseRestrictionsOf": "PRIMARY KEY (property_id=? AND night=? AND room_type_id=? AND rate_plan_id=?)",
		"offersAfter": "INDEX journal_offers (property_id=? AND sequence>?)", "nextOffer": "INDEX journal_offers (property_id=? AND sequence>?)", "entriesAfter": "INTEGER PRIMARY KEY (rowid>?)",
		"chainOf": "INDEX journal_by_property (property_id=? AND sequence>?)", "headOf": "INDEX journal_by_property (property_id=?)",
		"newestTouch":    "PRIMARY KEY (kind=? AND subject=? AND month=? AND sequence<?)",
		"getIdempotency": "PRIMARY KEY (client_id=? AND method=? AND path=? AND key=?)", "deleteIdempotency": "INDEX idempotency_expires",
		"outcomeOfMessage": "PRIMARY KEY (channel_id=? AND key=?)", "getMessage": "PRIMARY KEY (channel_id=? AND key=?)", "bookingsOfReference": "PRIMARY KEY (channel_id=? AND ref=?)",
		"reservationsOfBooking":   "INDEX reservation_natural (property_id=? AND channel_id=? AND channel_ref=?)",
		"hasUnmapped":             "INDEX reservation_natural (property_id=? AND channel_id=? AND channel_ref=?)",
		"bookedBefore":            "INDEX message_by_booking (ref=?)",
		"deleteReservationNights": "INDEX reservation_night_by_reservation (reservation_id=?)",
		"revisionsOf":             "SEARCH v USING PRIMARY KEY (reservation_id=?)",
		"waitingReservations":     "INDEX reservation_waiting (property_id=?)",
		"expiredReservations":     "INDEX reservation_expiring (hold_expires_at<?)", "newestGuestSnapshot": "PRIMARY KEY (reservation_id=?)",
		"arrivingBefore": "INDEX reservation_arriving (property_id=? AND check_in<?)", "leavingBefore": "INDEX reservation_in_house (property_id=? AND check_out<?)",
		"groupOfBooking":       "INDEX reservation_group_natural (property_id=? AND channel_id=? AND channel_ref=? AND sub_channel=? AND reuse=?)",
		"dueWebhookDeliveries": "INDEX webhook_delivery_due (endpoint_id=? AND next_at<?)", "nextWebhookDelivery": "INDEX webhook_delivery_due (endpoint_id=?)",
		"openWebhookDelivery":   "INDEX webhook_delivery_open (endpoint_id=? AND kind=? AND property_id=? AND subject=?)",
		"unacknowledgedBetween": "INDEX reservation_unacknowledged (property_id=? AND updated_at>? AND updated_at<?)",
		"webhookDeliveryOf":     "INDEX webhook_delivery_event (endpoint_id=? AND event_id=?)", "countWebhookAttempts": "INDEX webhook_attempt_by_endpoint (endpoint_id=? AND at>?)",
		"listWebhookDeliveries": "INDEX webhook_delivery_by_endpoint (endpoint_id=? AND id<?)", "entriesOfSubject": "INDEX journal_by_property (property_id=? AND sequence>? AND sequence<?)",
		"booksNow": "INDEX reservation_by_check_out (property_id=? AND check_out>?)", "booksBookedSince": "INDEX reservation_by_created (property_id=? AND created_at>?)",
		"booksAsOf": "INDEX reservation_by_created (property_id=? AND created_at<?)", "booksImportedSince": "INDEX reservation_by_created (property_id=? AND created_at>?)",
		"getToken": "PRIMARY KEY (hash=?)", "nextDue": "sqlite_autoindex_cursor_1 (reader>? AND reader<?)",
	} {
		sql, ok := all[name]
		if !ok {
			t.Errorf("no query %s", name)
			continue
		}
		if got := h.explain(t, sql); !strings.Contains(got, want) {
			t.Errorf("%s does not use %s:\n%s", name, want, got)
		}
	}
}

var (
	// smallTables do not grow with nights, bookings or calls.
	smallTables = `(property|pool|room_type|rate_plan|pricing_rule|channel|mapping|counter|client|rate_window|journal_cut|flag|spread|webhook_endpoint|webhook_secret|webhook_replay|notice|notice_mail|notice_state)`
	// smallIndexes hold the few rows of a large table that wait for something.
	smallIndexes = `INDEX (delivery_open|conflict_open|conflict_waiting|ari_update_syncing|sync_run_running|message_unread|party_waiting|party_unlisted|reservation_waiting|(stock|price|occupancy)_cell_(rejected|held|unpriced|cut|left))\b`

	wholeTable = regexp.MustCompile(`^SCAN |AUTOMATIC`)
	wholeOwner = regexp.MustCompile(`\((property_id|channel_id)=\?( AND sheet=\?)?\)$`)
	harmless   = regexp.MustCompile(`^(SCAN|SEARCH) ` + smallTables + `\b|^SCAN (json_each|d VIRTUAL TABLE|CONSTANT ROW|\d+ CONSTANT)|` + smallIndexes)
)

// wideQueries read all that a large table has, of one property or channel or at
// all, for the reason that is given.
var wideQueries = map[string]string{
	"newestEntry":            "the last row of the journal",
	"hasReservations":        "it ends at the first reservation that a property has",
	"headOf":                 "the last row of the chain, by its index",
	"lastHouseNight":         "the last row, by its key",
	"newestPushes":           "the newest calls of a channel, by its index",
	"deletePulls":            "a nightly clean-up",
	"deleteTraffic":          "a nightly clean-up",
	"listAccessRequests":     "all requests of partners, which are few",
	"deleteCarried":          "a nightly clean-up",
	"oldDeliveries":          "a nightly clean-up",
	"deleteAnswers":          "a nightly clean-up",
	"deleteWork":             "a nightly clean-up",
	"deletePersonalAccesses": "a nightly clean-up",

	"oldWebhookDeliveries": "an hourly clean-up",
	"webhookQueue":         "what waits is what is counted, once in some seconds at most", "dealtProperties": "the first row of each property will do",

	"tallyCalls": "somebody makes a support bundle", "tallyWebhookDeliveries": "somebody makes a support bundle",

	"acceptedCounts":  "somebody looks at how a channel keeps up: what its counts took, of which most are older than a day",
	"alongWith":       "somebody is forgotten, merged, or asks what is known of them: who came along is named in the booking of another",
	"openBookings":    "somebody is to be forgotten",
	"forgottenGuests": "somebody was just forgotten, and the whole database is written anew",

	"overgrantedLeft":  "the few nights on which somebody has left what is missing",
	"calmNights":       "nights of which few units more than the last are free",
	"channelsToLookAt": "every few seconds, of each channel a few indexes",
	"listBlocks":       "all blocks of a property are what is asked for",

	"allBlockNights": "verification", "allGroups": "verification", "allReservationTags": "verification", "takenNights": "verification",
	"allForeignNights": "verification", "allReservations": "verification", "allRevisions": "verification",

	"doubtStock": "a channel is told everything again", "doubtPrices": "a channel is told everything again", "doubtOccupancies": "a channel is told everything again",
	"forgetStock": "a backup has come back", "deleteTokens": "a backup has come back", "deleteConsoleSessions": "a backup has come back", "deleteConsoleLinks": "a backup has come back",
	"listConsoleUsers": "all of them", "forgetConsoleSessions": "hourly, of the few who are signed in", "forgetConsoleLinks": "hourly, of a few", "hasUnknownParty": "the first row will do", "nextDoubts": "the first rows, by their indexes",
	"forgetShown": "a channel goes live", "rememberShown": "a channel is paused", "unclosed": "a channel is disconnected", "toldStock": "a channel in shadow is joined to another place",
	"clearShelf":   "a channel is joined to another place",
	"forgetPrices": "a channel gets another currency", "forgetOccupancies": "a channel gets another currency",
	"releasePrices": "a channel is changed", "releaseOccupancies": "a channel is changed",
	"tallyStock": "a channel shown alone counts its cells", "tallyPrices": "a channel shown alone counts its cells", "tallyOccupancies": "a channel shown alone counts its cells",
	"tallyRules": "a channel shown alone counts its cells", "endOfJournal": "the last row of the journal",
	"releaseStock": "a large change is decided", "releaseProducts": "a large change is decided", "releaseGuests": "a large change is decided",
	"stockCellsBetween": "the plan of a channel's going live", "priceCellsBetween": "the plan of a channel's going live", "occupancyCellsBetween": "the plan of a channel's going live",
	"restartParties": "the program starts", "dealAllDue": "the program starts",
	"deleteChannelStock": "a channel is joined to another place", "deleteChannelPrices": "a channel is joined to another place",
	"deleteChannelOccupancies": "a channel is joined to another place",
	"conflictsAt":              "somebody asks why a channel was shown something in the past",
	"deleteChannelParties":     "a channel goes live", "channelPartyNights": "a channel goes live or is mapped", "estrangeParties": "a channel is mapped",
	"estrangeChannel": "a channel goes live", "countersOfProperty": "the counters of a property, which are few",
	"nextDue": "the properties that are stepped over, which are few", "grants": "the first row will do", "nextDealDue": "the first row will do", "dealDue": "the first rows, by their key",
}

// Every query is looked up by an index that narrows it down to what it needs; one
// that is added is too, or says why it need not be.
func TestEveryQueryIsLookedUp(t *testing.T) {
	h := newHouse(t)
	unused := maps.Clone(wideQueries)
	for name, sql := range queries(t) {
		for step := range strings.SplitSeq(h.explain(t, sql), "\n") {
			if !wholeTable.MatchString(step) && !wholeOwner.MatchString(step) || harmless.MatchString(step) {
				continue
			}
			if wideQueries[name] == "" {
				t.Errorf("%s: %s", name, step)
			}
			delete(unused, name)
		}
	}
	for name := range unused {
		t.Errorf("%s needs no exception", name)
	}
}

func TestReservationListsAreReadInOrder(t *testing.T) {
	h := newHouse(t)
	for _, test := range []struct {
		name  string
		f     hotel.ReservationFilter
		index string
	}{
		{"by creation", hotel.ReservationFilter{}, "reservation_by_created (property_id=?"},
		{"by creation, newest first", hotel.ReservationFilter{Descending: true}, "reservation_by_created (property_id=?"},
		{"by change", hotel.ReservationFilter{Sort: hotel.SortUpdated}, "reservation_by_updated (property_id=?"},
		{"by arrival", hotel.ReservationFilter{Sort: hotel.SortCheckIn}, "reservation_by_check_in (property_id=?"},
		{"a later page", hotel.ReservationFilter{Sort: hotel.SortUpdated, AfterID: "res_1", AfterKey: 7}, "reservation_by_updated (property_id=? AND (updated_at,id)>(?,?))"},
		{"filtered", hotel.ReservationFilter{Statuses: []hotel.ReservationStatus{hotel.Confirmed}, ChannelIDs: []string{"ch"}}, "reservation_by_created (property_id=?"},
		{"unacknowledged", hotel.ReservationFilter{Unacknowledged: true, Sort: hotel.SortUpdated}, "reservation_unacknowledged (property_id=?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.f.PropertyIDs, test.f.Limit = []string{h.property.ID}, 50
			sql, _ := selectReservations(test.f)
			plan := h.explain(t, sql)
			if !strings.Contains(plan, test.index) || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s\n%s", sql, plan)
			}
		})
	}
}

func TestNarrowListsAreLookedUp(t *testing.T) {
	h := newHouse(t)
	day := h.today
	for _, test := range []struct {
		name  string
		f     hotel.ReservationFilter
		index string
	}{
		{"of a guest", hotel.ReservationFilter{GuestIDs: []string{"gst_1"}}, "reservation_by_guest (guest_id=?)"},
		{"of a group", hotel.ReservationFilter{GroupIDs: []string{"grp_1"}}, "reservation_by_group (group_id=?)"},
		{"of a block", hotel.ReservationFilter{BlockIDs: []string{"blk_1"}}, "reservation_by_block (block_id=?)"},
		{"by number", hotel.ReservationFilter{Confirmations: []string{"BCDFGHJKLM"}}, "(confirmation=?)"},
		{"by the channel's number", hotel.ReservationFilter{ChannelIDs: []string{"ch"}, Reference: "B1"}, "reservation_natural (property_id=? AND channel_id=? AND channel_ref=?)"},
		{"by tag", hotel.ReservationFilter{Tag: "vip"}, "reservation_tag USING PRIMARY KEY (property_id=? AND tag=?)"},
		{"who sleeps here", hotel.ReservationFilter{StayingOn: &day}, "reservation_night USING PRIMARY KEY (property_id=? AND night=?)"},
		{"who leaves", hotel.ReservationFilter{CheckOutFrom: &day, CheckOutTo: &day}, "reservation_by_check_out (property_id=? AND check_out>? AND check_out<?)"},
		{"due in", hotel.ReservationFilter{In: []hotel.Standing{stay.In(stay.DueIn, "hotel_1", day)}}, "reservation_by_check_in (property_id=? AND check_in>? AND check_in<?)"},
		{"due out", hotel.ReservationFilter{In: []hotel.Standing{stay.In(stay.DueOut, "hotel_1", day)}}, "reservation_by_check_out (property_id=? AND check_out>? AND check_out<?)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.f.PropertyIDs, test.f.Limit = []string{h.property.ID}, 50
			sql, _ := selectReservations(test.f)
			if plan := h.explain(t, sql); !strings.Contains(plan, test.index) {
				t.Errorf("%s\n%s", sql, plan)
			}
		})
	}
}
