package api

import (
	"encoding/json"
	"testing"

	"ostler.example/hotel"
	"ostler.example/ledger" //nolint:depguard // what channels tell is taken in by it
)

// What a channel takes is as it was told, else as its terms say, else unknown.
func TestCommissionAndItsSource(t *testing.T) {
	h := newHouse(t)
	id := h.draft()
	sold := func(members string) map[string]any {
		t.Helper()
		var body map[string]any
		if err := json.Unmarshal([]byte(h.booking("2026-12-01", "2026-12-02")), &body); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(members), &body); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(body)
		return h.call("POST", "/v1/reservations", string(text)).want(t, 201, "").json(t)
	}
	amount := func(r map[string]any, member string) string {
		m, _ := r[member].(map[string]any)
		text, _ := m["amount"].(string)
		return text
	}
	check := func(name string, r map[string]any, commission, source, basis string) {
		t.Helper()
		if amount(r, "commission") != commission || r["commission_source"] != source || r["amount_basis"] != basis {
			t.Errorf("%s: %v, %v, %v", name, r["commission"], r["commission_source"], r["amount_basis"])
		}
	}
	check("direct", sold(`{}`), "0.00", "computed", "guest_price")
	told := sold(`{"commission":{"amount":"7.00","currency":"EUR"},"amount_basis":"net_of_commission"}`)
	check("told", told, "7.00", "told", "net_of_commission")
	path := "/v1/reservations/" + told["id"].(string)
	check("the basis is changed", h.call("PATCH", path, `{"amount_basis":"guest_price"}`).want(t, 200, "").json(t), "7.00", "told", "guest_price")
	check("nothing is told any more", h.call("PATCH", path, `{"commission":null,"amount_basis":"net_of_commission"}`).want(t, 200, "").json(t), "0.00", "computed", "net_of_commission")
	check("the basis is left out", h.call("PATCH", path, `{"amount_basis":null}`).want(t, 200, "").json(t), "0.00", "computed", "guest_price")

	far := sold(`{"source":{"channel_id":"` + id + `","channel_reference":"A1"}}`)
	check("without terms", far, "", "unknown", "guest_price")
	h.call("PATCH", "/v1/channels/"+id, `{"commission":{"pct":"15","base":"gross"}}`).want(t, 200, "")
	path = "/v1/reservations/" + far["id"].(string)
	check("by its terms", h.call("GET", path, "").want(t, 200, "").json(t), "14.85", "computed", "guest_price")
	h.call("PATCH", path, `{"commission_source":"told"}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/cancel", `{"reason":"guest","done_at_channel":true}`).want(t, 200, "")
	check("cancelled", h.call("GET", path, "").want(t, 200, "").json(t), "", "unknown", "guest_price")
}

// A booking in another currency keeps the rate of its channel of that day, and counts in
// reports by it.
func TestBookingsInAnotherCurrencyHaveARate(t *testing.T) {
	h := newHouse(t)
	id := h.draft()
	h.call("PATCH", "/v1/channels/"+id, `{"currency":"CHF","exchange_rate":{"rate":"0.9","date":"2026-11-20"}}`).want(t, 200, "")
	h.inFrancs(t, id, "B1", 9000)
	found := h.call("GET", "/v1/reservations?channel_reference=B1", "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	x, _ := found["exchange"].(map[string]any)
	total, _ := found["total_property"].(map[string]any)
	if x["from"] != "CHF" || x["to"] != "EUR" || x["rate"] != "1.111111111111" || x["source"] != "channel" || total["amount"] != "100.00" || total["currency"] != "EUR" {
		t.Errorf("exchange %v, total %v", x, total)
	}
	h.call("PATCH", "/v1/channels/"+id, `{"exchange_rate":{"rate":"0.5","date":"2026-11-21"}}`).want(t, 200, "")
	again := h.call("PATCH", "/v1/reservations/"+found["id"].(string), `{"notes":"late"}`).want(t, 200, "").json(t)
	if again["exchange"].(map[string]any)["rate"] != x["rate"] {
		t.Errorf("the rate has moved to %v", again["exchange"])
	}
	totals := h.report(t, "revenue", "")["totals"].(map[string]any)
	if totals["room_revenue"].(map[string]any)["amount"] != "100.00" || totals["unconverted_reservations"] != 0.0 {
		t.Errorf("report %v", totals)
	}
}

// inFrancs has a channel sell a night of December in CHF.
func (h *house) inFrancs(t *testing.T, channel, ref string, minor int64) {
	t.Helper()
	in := hotel.DateOf(2026, 12, 1)
	_, err := h.ledger.Receive(t.Context(), ledger.Receipt{
		ChannelID: channel, Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderRevisionNumber, Raw: []byte("{}"),
		Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{
			Ref: "1", Room: "ZZZ", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Amounts: []hotel.Money{{Minor: minor, Currency: "CHF"}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
}
