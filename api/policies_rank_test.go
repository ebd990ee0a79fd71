package api

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// The hotel's own system and other clients write prices of the same nights; whose counts
// is the property's to say, and no channel's.
func TestThePropertyRanksTheSourcesOfPrices(t *testing.T) {
	h := newHouse(t)
	other := must(h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "Prices", Environment: auth.Production, Kind: "rms", Scopes: h.client.Scopes, PropertyIDs: []string{"hotel_123"},
	}))(t)
	pms, client := "Authorization: Bearer "+h.token, "Authorization: Bearer "+h.tokenOf(other.Client)
	set := func(amount, as string) {
		t.Helper()
		h.call("POST", "/v1/rates/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+`",
			"date_from":"2026-12-01","date_to":"2026-12-01","values":{"amount":{"amount":"`+amount+`","currency":"EUR"}}}]}`, as).want(t, 200, "")
	}
	says := func(want string) {
		t.Helper()
		cell := h.call("GET", "/v1/rates?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&room_type_id="+h.standard.ID+"&rate_plan_id="+h.flex.ID, "").
			want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
		if got := cell["amount"].(map[string]any)["amount"].(string) + " " + cell["source"].(string); got != want {
			t.Errorf("the night costs %s, want %s", got, want)
		}
	}
	effective := func() any {
		return h.call("GET", "/v1/properties/hotel_123/policies", "").want(t, 200, "").json(t)["effective"].(map[string]any)["rate_rank"].(map[string]any)["value"]
	}
	set("120.00", client)
	set("90.00", pms)
	says("120.00 api")
	if got := effective(); got != "api > pms > channel" {
		t.Errorf("they rank %v", got)
	}
	h.call("PUT", "/v1/properties/hotel_123/policies", `{"rate_rank":["pms","api"]}`).want(t, 422, "validation_failed")
	h.call("PUT", "/v1/properties/hotel_123/policies", `{"rate_rank":["pms","api","channel"]}`).want(t, 200, "")
	if got := effective(); got != "pms > api > channel" {
		t.Errorf("they rank %v", got)
	}
	set("91.00", pms)
	says("91.00 pms")
	set("125.00", client)
	says("91.00 pms")
	h.call("PUT", "/v1/channels/"+h.draft()+"/policies", `{"rate_rank":["pms","api","channel"]}`).want(t, 422, "validation_failed")
}

// Whose price counts decides what rooms cost: to change it needs the scope of prices, to keep
// it while other policies change does not. Where the PMS has the prices, it alone is named.
func TestWhoRanksTheSourcesOfPrices(t *testing.T) {
	h := newHouse(t)
	without, _ := h.newClient("policies", auth.ScopesOf(auth.ChannelsRead, auth.ChannelsWrite), "hotel_123")
	as := "Authorization: Bearer " + h.tokenOf(without)
	const path, ranked = "/v1/properties/hotel_123/policies", `{"rate_rank":["pms","api","channel"]}`
	h.call("PUT", path, ranked, as).want(t, 403, "insufficient_scope")
	h.call("PUT", path, ranked).want(t, 200, "")
	h.call("PUT", path, `{"rate_rank":["pms","api","channel"],"drift":{"amount":"ask"}}`, as).want(t, 200, "")
	h.call("PUT", path, `{}`, as).want(t, 403, "insufficient_scope")
	h.call("PUT", path, `{"rate_rank":["pms","rms","channel"]}`).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/properties/hotel_123", `{"truth":{"stock":"ostler","prices":"pms","restrictions":"ostler"}}`).want(t, 200, "")
	effective := h.call("GET", path, "").want(t, 200, "").json(t)["effective"].(map[string]any)["rate_rank"].(map[string]any)
	if effective["value"] != "pms" || effective["level"] != "property" {
		t.Errorf("whose price counts: %v", effective)
	}
}
