package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// cell reads the standard room on the first of December.
func (h *house) cell(t *testing.T, more string) map[string]any {
	t.Helper()
	const date = "2026-12-01"
	path := "/v1/inventory?property_id=hotel_123&room_type_id=" + h.standard.ID + "&date_from=" + date + "&date_to=" + date + more
	return h.call("GET", path, "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
}

func (h *house) stockUpdate(entry string) string {
	return `{"property_id":"hotel_123","entries":[{"date_from":"2026-12-01","date_to":"2026-12-02",` + entry + `}]}`
}

func TestInventoryShowsWhatStandsAndWhatFollows(t *testing.T) {
	h := newHouse(t)
	h.newChannel(t, "ch_a")
	room := `"room_type_id":"` + h.standard.ID + `","values":`
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(room+`{"keep_back":{"*":1,"ch_a":2},"channel_limits":{"ch_a":2},"lock":{"by":"Ada","until":"2026-12-31"}}`)).want(t, 200, "")
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(`"values":{"house_limit":6}`)).want(t, 200, "")
	h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite"`)).want(t, 201, "")
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "")
	c := h.cell(t, "&channel_id=ch_a")
	for member, want := range map[string]any{
		"sold": 1.0, "held": 0.0, "blocked": 2.0, "net": 2.0, "free": 2.0, "available": 2.0, "channel_available": 0.0, "channel_synced_version": 0.0,
		"keep_back": "map[*:1 ch_a:2]", "channel_limits": "map[ch_a:2]", "lock": "map[by:Ada until:2026-12-31]", "given": nil,
	} {
		if fmt.Sprint(c[member]) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", member, c[member], want)
		}
	}
	if _, there := h.cell(t, "")["channel_available"]; there {
		t.Error("a channel is shown something that nobody asked about")
	}
	house := h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-03&include=house", "").want(t, 200, "").json(t)["house"].([]any)
	var told []string
	for _, n := range house {
		n := n.(map[string]any)
		told = append(told, fmt.Sprintln(n["date"], n["house_limit"], n["sold"], n["held"], n["blocked"], n["net"]))
	}
	if got, want := strings.Join(told, ""), "2026-12-01 6 1 0 2 3\n2026-12-02 6 0 0 2 4\n2026-12-03 <nil> 0 0 0 8\n"; got != want {
		t.Errorf("house\n%swant\n%s", got, want)
	}
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(room+`{"keep_back":{"ch_a":null},"channel_limits":null,"lock":null}`)).want(t, 200, "")
	c = h.cell(t, "&channel_id=ch_a")
	if fmt.Sprint(c["keep_back"], c["channel_limits"], c["lock"], c["channel_available"]) != "map[*:1] map[] <nil> 1" {
		t.Errorf("taken away: %v", c)
	}
}

func TestInventoryIsNarrowed(t *testing.T) {
	h := newHouse(t)
	path := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01"
	if all := h.call("GET", path+"&pool_id="+h.deluxe.Consumes[0].AnyOf[0], "").want(t, 200, "").json(t)["data"].([]any); len(all) != 1 || all[0].(map[string]any)["room_type_id"] != h.deluxe.ID {
		t.Errorf("of a pool: %v", all)
	}
	h.call("GET", path+"&channel_id=ch_none", "").want(t, 400, "invalid_parameter")
	h.call("GET", path+"&include=everything", "").want(t, 400, "invalid_parameter")
}

func TestInventoryUpdatesAreRefused(t *testing.T) {
	h := newHouse(t)
	h.newChannel(t, "ch_a")
	room := `"room_type_id":"` + h.standard.ID + `","values":`
	for _, c := range []struct{ name, entry, want string }{
		{"nothing for the house", `"values":{"closed":true}`, "/entries/0/room_type_id"},
		{"the house through a room type", room + `{"house_limit":3}`, "/entries/0/values/house_limit"},
		{"an unknown channel", room + `{"keep_back":{"ch_none":1}}`, "/entries/0/values/keep_back/ch_none"},
		{"a limit for every channel", room + `{"channel_limits":{"*":1}}`, "/entries/0/values/channel_limits/*"},
		{"less than nothing", room + `{"keep_back":{"ch_a":-1}}`, "/entries/0/values/keep_back/ch_a"},
		{"a lock until no date", room + `{"lock":{"until":"soon"}}`, "/entries/0/values/lock/until"},
		{"nothing at all", room + `{}`, "/entries/0/values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call("POST", "/v1/inventory/updates", h.stockUpdate(c.entry)).want(t, 422, "validation_failed")
			if !strings.Contains(string(r.body), fmt.Sprintf("%q", c.want)) {
				t.Errorf("refused %s, want %s", r.body, c.want)
			}
		})
	}
	entry := func(values string) string {
		return `{"date_from":"2026-12-01","date_to":"2026-12-02",` + room + values + `}`
	}
	partial := `{"property_id":"hotel_123","mode":"partial","entries":[` + entry(`{"keep_back":{"ch_a/seller":1}}`) + "," + entry(`{"keep_back":{"ch_none":1}}`) + `]}`
	if body := h.call("POST", "/v1/inventory/updates", partial).want(t, 200, "").json(t); body["cells_changed"] != 2.0 {
		t.Errorf("beside an unknown channel: %v", body)
	}
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(room+`{"given":3}`)).want(t, 422, "validation_failed") // the rooms are counted here
	other, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "other", Environment: auth.Production, Kind: "rms", Scopes: h.client.Scopes, PropertyIDs: []string{auth.AllProperties},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(room+`{"given":3}`), "Authorization: Bearer "+h.tokenOf(other.Client)).want(t, 409, "owned_by_pms")
}

func TestAReservationDrawsFromABlock(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite","amounts":[{"room_type_id":"`+h.standard.ID+`","amount":{"amount":"80.00","currency":"EUR"}}]`)).want(t, 201, "").json(t)["id"].(string)
	booking := strings.Replace(h.booking("2026-12-01", "2026-12-03"), "{", `{"block_id":"`+id+`",`, 1)
	for range 2 {
		r := h.call("POST", "/v1/reservations", booking).want(t, 201, "").json(t)
		if r["block_id"] != id || fmt.Sprint(r["nightly"].([]any)[0].(map[string]any)["amount"]) != "map[amount:80.00 currency:EUR]" {
			t.Errorf("reservation %v", r)
		}
	}
	if c := h.cell(t, ""); c["available"] != 3.0 || c["sold"] != 2.0 || c["blocked"] != 0.0 {
		t.Errorf("cell %v", c)
	}
	r := h.call("POST", "/v1/reservations", booking).want(t, 409, "not_available").json(t)
	if r["reason"] != "block" || fmt.Sprint(r["nights"]) != "[2026-12-01 2026-12-02]" {
		t.Errorf("refused %v", r)
	}
	h.call("POST", "/v1/reservations", strings.Replace(booking, id, "blk_none", 1)).want(t, 422, "validation_failed")
}

// The plan that was agreed for a block is that of its rooms, whatever plan a draw names
// and whoever sells it otherwise.
func TestADrawIsSoldByThePlanOfItsBlock(t *testing.T) {
	h := newHouse(t)
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"audience":"restricted","sold_by":[]}`).want(t, 200, "")
	block := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite","rate_plan_id":"`+h.flex.ID+`"`)).want(t, 201, "").json(t)["id"].(string)
	other := ""
	for _, p := range h.call("GET", "/v1/rate-plans?property_id=hotel_123", "").want(t, 200, "").json(t)["data"].([]any) {
		if id := p.(map[string]any)["id"].(string); id != h.flex.ID {
			other = id
		}
	}
	for _, named := range []string{h.flex.ID, other} {
		body := strings.Replace(h.booking("2026-12-01", "2026-12-03"), "{", `{"block_id":"`+block+`",`, 1)
		r := h.call("POST", "/v1/reservations", strings.Replace(body, h.flex.ID, named, 1)).want(t, 201, "").json(t)
		night := r["nightly"].([]any)[0].(map[string]any)
		if r["rate_plan_id"] != h.flex.ID || night["rate_plan_id"] != h.flex.ID || fmt.Sprint(night["amount"]) != "map[amount:99.00 currency:EUR]" {
			t.Errorf("a draw that names %s is %v at %v", named, r["rate_plan_id"], night)
		}
	}
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 422, "validation_failed") // it draws from nothing
}

// newChannel makes a channel of the house.
func (h *house) newChannel(t testing.TB, id string) {
	t.Helper()
	_, _, err := h.ledger.CreateChannel(t.Context(), tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: id}, PropertyID: "hotel_123", Connector: "mock", Name: id, Account: id, Settings: []byte("{}"),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A dry run tells from which nights rooms would be taken that are sold, and stores
// nothing.
func TestADryRunTellsWhoseRoomsItTakes(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "")
	try := func(total int) string {
		t.Helper()
		body := fmt.Sprintf(`{"property_id":"hotel_123","dry_run":true,"entries":[{"room_type_id":%q,"date_from":"2026-11-30","date_to":"2026-12-05","values":{"total":%d}}]}`, h.standard.ID, total)
		return fmt.Sprint(h.call("POST", "/v1/inventory/updates", body).want(t, 200, "").json(t)["oversold"])
	}
	if got, want := try(0), fmt.Sprintf("[map[date_from:2026-12-01 date_to:2026-12-02 net:-1 room_type_id:%s]]", h.standard.ID); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	if got := try(1); got != "<nil>" {
		t.Errorf("with a room left told %s", got)
	}
}

// What is written of a pool can be read where no room type is the pool's own: of one that
// draws on others the four numbers are null.
func TestNightsOfAPool(t *testing.T) {
	h := newHouse(t)
	pool := h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"suites","total_units":4}`).want(t, 201, "").json(t)["id"].(string)
	room := h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"suite","name":"Suite","position":9,"base_occupancy":2,"max_adults":2,"max_occupancy":2,
		"consumes":[{"any_of":["`+pool+`"],"units":2}]}`).want(t, 201, "").json(t)["id"].(string)
	h.update("inventory", `{"pool_id":"`+pool+`","date_from":"2026-12-02","date_to":"2026-12-02","values":{"out_of_order":1}}`).want(t, 200, "")
	path := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-02&include=pools&pool_id=" + pool
	got := h.call("GET", path, "").want(t, 200, "").json(t)
	for _, c := range got["data"].([]any) {
		cell := c.(map[string]any)
		for _, member := range []string{"pool_id", "total", "out_of_order", "out_of_inventory", "overbooking_limit"} {
			if v, told := cell[member]; !told || v != nil || cell["room_type_id"] != room {
				t.Errorf("%s is %v in %v", member, v, cell)
			}
		}
	}
	nights := ""
	for _, n := range got["pools"].([]any) {
		night := n.(map[string]any)
		nights += fmt.Sprintf("%v %v %v %v %v %v; ", night["pool_id"] == pool, night["date"], night["total"], night["out_of_order"], night["source"], night["version"].(float64) > 0)
	}
	if want := "true 2026-12-01 4 0 <nil> false; true 2026-12-02 4 1 pms true; "; nights != want {
		t.Errorf("nights %s, want %s", nights, want)
	}
	for query, want := range map[string]int{"": 3, "&pool_id=" + pool: 1} {
		list := h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&include=pools"+query, "").want(t, 200, "").json(t)["pools"].([]any)
		if len(list) != want {
			t.Errorf("with %q %d pools, want %d", query, len(list), want)
		}
	}
	var places []string // pools follow behind the cells, as many on a page as there is room for
	next := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-02&include=pools&limit=4"
	for cursor, pages := "", 0; pages < 9; pages++ {
		list := h.call("GET", next+cursor, "").want(t, 200, "").json(t)
		pools, _ := list["pools"].([]any)
		if len(list["data"].([]any))+len(pools) > 4 {
			t.Errorf("a page of %d cells and %d pools", len(list["data"].([]any)), len(pools))
		}
		for _, n := range append(list["data"].([]any), pools...) {
			night := n.(map[string]any)
			places = append(places, fmt.Sprint(night["room_type_id"], night["pool_id"], night["date"]))
		}
		if list["has_more"] != true {
			break
		}
		cursor = "&cursor=" + list["next_cursor"].(string)
	}
	whole := h.call("GET", strings.Replace(next, "&limit=4", "", 1), "").want(t, 200, "").json(t)
	if n := len(whole["data"].([]any)) + len(whole["pools"].([]any)); len(places) != n || len(slices.Compact(slices.Sorted(slices.Values(places)))) != n {
		t.Errorf("on pages %v, at once %d", places, n)
	}
	if _, told := h.call("GET", strings.Replace(path, "&include=pools", "", 1), "").want(t, 200, "").json(t)["pools"]; told {
		t.Error("pools are shown without being asked for")
	}
}
