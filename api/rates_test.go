package api

import (
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// What a plan costs is told to those who sell it: to whom it names, and, where it is public,
// to every client that stands for no channel. Who writes prices reads all that it may write.
func TestPricesAreToldToWhoSellsThem(t *testing.T) {
	h := newHouse(t)
	reader, _ := h.newClient("bi", auth.ScopesOf(auth.RatesRead), "hotel_123")
	writer, _ := h.newClient("rms", auth.ScopesOf(auth.RatesRead, auth.RatesWrite), "hotel_123")
	watcher, _ := h.newClient("bi2", auth.ScopesOf(auth.RatesRead, auth.EventsRead), "hotel_123")
	h.call("PATCH", "/v1/rate-plans/"+h.member.ID, `{"audience":"restricted","sold_by":[]}`).want(t, 200, "")
	h.update("rates", `{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.member.ID+`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"amount":{"amount":"77.00","currency":"EUR"}}}`).want(t, 200, "")
	nights := "?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01"
	simulation := `{"property_id":"hotel_123","date_from":"2026-12-01","date_to":"2026-12-01"}`
	told := func(token string) string {
		t.Helper()
		as := "Authorization: Bearer " + token
		var seen []string
		for _, answer := range []reply{h.call("GET", "/v1/rates"+nights, "", as), h.call("POST", "/v1/pricing-rules/simulations", simulation, as)} {
			body := string(answer.want(t, 200, "").body)
			if strings.Contains(body, h.flex.ID) {
				seen = append(seen, "flex")
			}
			if strings.Contains(body, h.member.ID) {
				seen = append(seen, "member")
			}
		}
		return strings.Join(seen, " ")
	}
	if got := told(h.tokenOf(reader)); got != "flex flex" {
		t.Errorf("whom no plan names is told of %q", got)
	}
	events := string(h.call("GET", "/v1/events?type=rates.updated", "", "Authorization: Bearer "+h.tokenOf(watcher)).want(t, 200, "").body)
	if !strings.Contains(events, h.member.ID) || strings.Contains(events, "77.00") {
		t.Errorf("whom no plan names hears %s", events)
	}
	if got := told(h.tokenOf(writer)); got != "flex member flex member" {
		t.Errorf("who writes prices is told of %q", got)
	}
	h.call("PATCH", "/v1/rate-plans/"+h.member.ID, `{"sold_by":["`+reader.ID+`"]}`).want(t, 200, "")
	if got := told(h.tokenOf(reader)); got != "flex member flex member" {
		t.Errorf("whom the plan names is told of %q", got)
	}
}
