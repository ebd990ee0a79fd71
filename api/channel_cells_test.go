package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger" //nolint:depguard // whose records are shown
)

// live makes a channel that sells standard and deluxe by flex, and waits until it
// has been told everything. It returns its id.
func (h *house) live() string {
	h.t.Helper()
	return h.liveAt(h.far())
}

// liveAt is live for a far side of one's own.
func (h *house) liveAt(url string) string {
	h.t.Helper()
	id := h.call("POST", "/v1/channels", channel(url, "")).want(h.t, 201, "").json(h.t)["id"].(string)
	path := "/v1/channels/" + id
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+id+`"]}`).want(h.t, 200, "")
	h.call("POST", path+"/test", "").want(h.t, 200, "")
	mapping := func(room, remote string) string {
		return `{"room_type_id":"` + room + `","rate_plan_id":"` + h.flex.ID + `","remote_room_id":"` + remote + `","remote_rate_id":"FLEX"}`
	}
	h.call("PUT", path+"/mappings", `{"mappings":[`+mapping(h.standard.ID, "STD")+`,`+mapping(h.deluxe.ID, "DLX")+`]}`).want(h.t, 200, "")
	plan := h.call("GET", path+"/plan", "").want(h.t, 200, "").json(h.t)
	raises, _ := json.Marshal(plan["raises"])
	h.call("POST", path+"/activate", `{"mode":"live","plan_id":"`+plan["plan_id"].(string)+`","accept_raises":`+string(raises)+`,"accepted_by":"Ada"}`).want(h.t, 200, "")
	h.tell(id)
	return id
}

// tell does what a channel's worker does: it works out what the channel is to show
// and has it take all of that. No clock runs here that calls could go by.
func (h *house) tell(id string) {
	h.t.Helper()
	ctx := h.t.Context()
	state := must(h.ledger.Channel(ctx, id))(h.t)
	terms := must(h.engine.Configure(state.Connector, state.Settings))(h.t).Abilities.Terms
	if err := h.ledger.KeepTerms(ctx, id, terms); err != nil {
		h.t.Fatal(err)
	}
	for {
		w := must(h.ledger.Work(ctx, id, ledger.Reach{}, ledger.Turn{}))(h.t)
		if w.Empty() {
			break
		}
		if err := h.ledger.Desire(ctx, id, w, houseValues(w)); err != nil {
			h.t.Fatal(err)
		}
	}
	for {
		var cells []ledger.SentCell
		for _, d := range must(h.ledger.Dirty(ctx, id, hotel.DateOf(2026, 11, 21), 10000))(h.t) {
			cells = append(cells, ledger.SentCell{Cell: d.Cell, Value: d.Want})
		}
		if len(cells) == 0 {
			return
		}
		call := must(h.ledger.Begin(ctx, ledger.NewDelivery{ChannelID: id, Kind: ledger.Push, Operation: "set", SentAt: h.clock.Now(), Cells: cells}))(h.t)
		if err := h.ledger.Settle(ctx, ledger.Settlement{DeliveryID: call.ID, State: ledger.DeliveryApplied, HTTPStatus: 202}); err != nil {
			h.t.Fatal(err)
		}
	}
}

// houseValues passes house values on as they are.
func houseValues(w ledger.Work) []ledger.Wanted {
	var out []ledger.Wanted
	want := func(line int64, g hotel.Group, night hotel.Date, o hotel.Offer) {
		v := o.Encode(g)
		out = append(out, ledger.Wanted{Cell: hotel.Cell{Line: line, Group: g, Night: night}, Value: &v, Tells: ledger.TellsClosures})
	}
	for _, s := range w.Stock {
		want(s.Line, hotel.Availability, s.Night, hotel.Offer{Available: s.Available})
	}
	for _, p := range w.Prices {
		want(p.Line, hotel.Price, p.Night, hotel.Offer{Amount: hotel.Money{Minor: p.Prices[0].Minor(), Currency: "EUR"}})
	}
	for _, r := range w.Rules {
		for i, rules := range r.House[0] {
			want(r.Lines[0], hotel.Closures, r.From+hotel.Date(i), hotel.Offer{Closed: rules.Closed})
		}
	}
	return out
}

func TestWhatAChannelSees(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	cells := "/v1/channels/" + id + "/cells?date_from=2026-12-01&date_to=2026-12-31"
	list := h.call("GET", cells+"&room_type_id="+h.standard.ID, "").want(t, 200, "").json(t)
	data := list["data"].([]any)
	if len(data) != 31 || list["has_more"] != false || list["at_sequence"].(float64) < 1 {
		t.Fatalf("%d nights, %v", len(data), list["at_sequence"])
	}
	night := data[0].(map[string]any)
	groups := night["groups"].(map[string]any)
	rooms := groups["availability"].(map[string]any)
	for _, fact := range []string{"desired", "sent", "acknowledged"} {
		f, ok := rooms[fact].(map[string]any)
		if !ok || f["available"] != 5.0 || f["at"] == nil || f["sequence"] == nil || fact != "desired" && !strings.HasPrefix(f["delivery_id"].(string), "dlv_") {
			t.Errorf("%s is %v", fact, rooms[fact])
		}
	}
	price := groups["price:2"].(map[string]any)
	if amount := price["desired"].(map[string]any)["amount"].(map[string]any); rooms["read_back"] != nil || rooms["state"] != "in_sync" || night["dot"] != "equal" ||
		night["exposure"] != 5.0 || night["date"] != "2026-12-01" || amount["currency"] != "EUR" {
		t.Errorf("%v", night)
	}
	if closed := groups["closures"].(map[string]any)["acknowledged"].(map[string]any)["closed"]; closed != false {
		t.Errorf("closed: %v", closed)
	}

	compact := h.call("GET", cells+"&compact=true", "").want(t, 200, "").json(t)["data"].([]any)
	if len(compact) >= 62 || compact[0].(map[string]any)["date_from"] != "2026-12-01" {
		t.Errorf("%d entries, first %v", len(compact), compact[0])
	}
	seen := 0
	for target := cells + "&limit=20"; target != ""; {
		page := h.call("GET", target, "").want(t, 200, "").json(t)
		seen += len(page["data"].([]any))
		target = ""
		if cursor, _ := page["next_cursor"].(string); cursor != "" {
			target = cells + "&limit=20&cursor=" + cursor
		}
	}
	if seen != 62 {
		t.Errorf("%d nights in pages, want 62", seen)
	}
	if got := h.call("GET", cells+"&state=pending,held,unknown", "").want(t, 200, ""); len(got.json(t)["data"].([]any)) != 0 {
		t.Errorf("nothing is to be told, and yet %s", got.body)
	}
	if got := h.call("GET", cells+"&state=in_sync&group=price", "").want(t, 200, ""); len(got.json(t)["data"].([]any)) != 62 {
		t.Errorf("in sync: %s", got.body)
	}

	h.call("POST", "/v1/channels/"+id+"/pause", `{"mode":"freeze"}`).want(t, 200, "")
	h.call("POST", "/v1/inventory/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-05","date_to":"2026-12-05","values":{"closed":true}}]}`).want(t, 200, "")
	h.tell(id)
	held := h.call("GET", cells+"&state=held", "").want(t, 200, "").json(t)["data"].([]any)
	if len(held) != 1 || held[0].(map[string]any)["date"] != "2026-12-05" || held[0].(map[string]any)["dot"] != "differs" {
		t.Errorf("held %v", held)
	}
	rooms = held[0].(map[string]any)["groups"].(map[string]any)["availability"].(map[string]any)
	if rooms["desired"].(map[string]any)["available"] != 0.0 || rooms["acknowledged"].(map[string]any)["available"] != 5.0 || rooms["reason_code"] != "frozen" || rooms["reason"] == nil {
		t.Errorf("held %v", rooms)
	}
	h.call("GET", "/v1/channels/"+id+"/cells?date_from=2026-12-01&date_to=2028-12-31", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/channels/"+id+"/cells?date_from=2026-12-31&date_to=2026-12-01", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/channels/"+id+"/cells?date_from=2026-12-31", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/channels/"+id+"/cells?date_from=2026-12-01&date_to=2026-12-31&state=lost", "").want(t, 400, "invalid_parameter")
	h.call("GET", strings.Replace(cells, id, "none", 1), "").want(t, 404, "not_found")

	other, _ := h.newClient("other", auth.ScopesOf(auth.ChannelsRead), "hotel_456")
	h.call("GET", cells, "", "Authorization: Bearer "+h.tokenOf(other)).want(t, 404, "not_found")
}

func TestWhyAChannelSeesIt(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	path := "/v1/channels/" + id + "/explain?room_type_id=" + h.standard.ID + "&date=2026-12-05"
	one := path + "&rate_plan_id=" + h.flex.ID
	before := h.clock.Now()
	h.clock.move(30 * time.Minute)
	stay := `{"property_id":"hotel_123","room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-05","check_out":"2026-12-06","adults":2,"guest":{"last_name":"Guest"}}`
	booked := h.call("POST", "/v1/reservations", stay).want(t, 201, "").json(t)["id"].(string)
	h.tell(id)
	available := func(got reply) (map[string]any, map[string]any) {
		t.Helper()
		x := got.want(t, 200, "").json(t)
		return x, x["derivation"].([]any)[0].(map[string]any)
	}
	x, rooms := available(h.call("GET", one, ""))
	if rooms["number"] != "available" || rooms["result"] != 4.0 || x["states"].(map[string]any)["availability"] != "in_sync" || x["rate_plan_id"] != h.flex.ID {
		t.Errorf("now: %v %v", rooms, x["states"])
	}
	for _, s := range rooms["steps"].([]any) {
		step := s.(map[string]any)
		switch step["step"] {
		case "stock":
			if step["pool_id"] == nil {
				t.Errorf("stock: %v", step)
			}
		case "keep_back":
			if step["kept"] != 0.0 || step["by"] != nil {
				t.Errorf("kept back: %v", step)
			}
		case "protection_share":
			if policy, _ := step["policy"].(map[string]any); policy["kind"] != "shared" {
				t.Errorf("share: %v", step)
			}
		}
		if step["step"] == "sold" && (step["change"] != -1.0 || step["by"].([]any)[0].(map[string]any)["reservation_id"] != booked) {
			t.Errorf("sold: %v", step)
		}
	}
	call := x["deliveries"].([]any)[0].(map[string]any)
	if call["outcome"] != "applied" || call["value"].(map[string]any)["available"] != 4.0 || strings.Contains(fmt.Sprint(x), "Guest") ||
		text(call["answer"]) != `{"excerpt":"","http_status":202,"reference":null}` {
		t.Errorf("call: %v", call)
	}
	x, rooms = available(h.call("GET", one+"&as_of="+before.Format(time.RFC3339), ""))
	if rooms["result"] != 5.0 || x["groups"].(map[string]any)["availability"].(map[string]any)["acknowledged"].(map[string]any)["available"] != 5.0 {
		t.Errorf("an hour ago: %v", rooms)
	}
	_, rooms = available(h.call("GET", one+"&as_of_sequence="+fmt.Sprint(int(x["at_sequence"].(float64))), ""))
	if rooms["result"] != 5.0 {
		t.Errorf("by sequence: %v", rooms)
	}
	h.call("GET", path, "").want(t, 400, "invalid_parameter")
	h.call("GET", path+"&rate_plan_id="+h.member.ID, "").want(t, 400, "invalid_parameter")
	h.call("GET", strings.Replace(one, h.standard.ID, "none", 1), "").want(t, 400, "invalid_parameter")
	h.call("GET", strings.Replace(one, "2026-12-05", "2029-12-05", 1), "").want(t, 400, "invalid_parameter")
	h.call("GET", one+"&as_of=2030-01-01T00:00:00Z", "").want(t, 400, "invalid_parameter")
	h.call("GET", one+"&as_of=2026-11-21T09:00:00Z&as_of_sequence=3", "").want(t, 400, "invalid_parameter")
	if said := h.call("GET", one+"&as_of=2020-01-01T00:00:00Z", "").want(t, 410, "as_of_expired").json(t); said["earliest"] == nil {
		t.Errorf("of a time before the ledger: %v", said)
	}
	h.call("GET", one+"&as_of_sequence=1", "").want(t, 404, "not_found")
	h.call("GET", strings.Replace(one, id, "none", 1), "").want(t, 404, "not_found")
	other, _ := h.newClient("other", auth.ScopesOf(auth.ChannelsRead), "hotel_456")
	h.call("GET", one, "", "Authorization: Bearer "+h.tokenOf(other)).want(t, 404, "not_found")
}

// A plan that is not sold by the channel is closed there by a step with a name.
func TestWhyAChannelSellsNoPlan(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":[]}`).want(t, 200, "")
	x := h.call("GET", "/v1/channels/"+id+"/explain?room_type_id="+h.standard.ID+"&rate_plan_id="+h.flex.ID+"&date=2026-12-05", "").want(t, 200, "").json(t)
	var steps []any
	for _, number := range x["derivation"].([]any) {
		if number := number.(map[string]any); number["number"] == "closed" {
			steps = number["steps"].([]any)
		}
	}
	if !slices.ContainsFunc(steps, func(step any) bool { s := step.(map[string]any); return s["step"] == "sold_by" && s["by"] != nil }) {
		t.Errorf("closed: %v", steps)
	}
}
