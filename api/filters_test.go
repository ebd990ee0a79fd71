package api

import (
	"net/url"
	"slices"
	"testing"
)

// A filter that names several values lets through what has any of them.
func TestFiltersTakeSeveralValues(t *testing.T) {
	h := newHouse(t)
	block := func(status string) string {
		return h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"`+status+`"`)).want(t, 201, "").json(t)["id"].(string)
	}
	tentative, definite := block("tentative"), block("definite")
	update := func(property string) string {
		body := `{"property_id":"` + property + `","entries":[{"date_from":"2026-12-05","date_to":"2026-12-05","values":{"house_limit":4}}]}`
		return h.call("POST", "/v1/inventory/updates", body).want(t, 200, "").json(t)["id"].(string)
	}
	made := h.book("2026-12-08", "2026-12-09")
	booked, guest := made["id"].(string), guestOfBody(made)
	channel := h.draft()
	h.call("POST", "/v1/channels/"+channel+"/test", "").want(t, 200, "")
	conflict := h.unmapped(channel, "B1")
	here, there, again := update("hotel_123"), update("hotel_456"), update("hotel_123")
	since := "&created_since=" + url.QueryEscape(h.call("GET", "/v1/ari-updates/"+here, "").want(t, 200, "").json(t)["created_at"].(string))
	for path, want := range map[string][]string{
		"/blocks?status=tentative":                                                {tentative},
		"/blocks?status=tentative,definite":                                       {tentative, definite},
		"/ari-updates?kind=inventory,restrictions" + since:                        {here, there, again},
		"/ari-updates?kind=rates,restrictions&property_id=hotel_456" + since:      nil,
		"/ari-updates?kind=inventory&property_id=hotel_456" + since:               {there},
		"/ari-updates?status=syncing,completed,partial&kind=inventory" + since:    {here, there, again},
		"/ari-updates?status=partial" + since:                                     nil,
		"/sync-runs?kind=ari_full,read_back&status=queued,failed":                 nil,
		"/reservations?status=confirmed,checked_in&property_id=hotel_456&limit=1": nil,
		"/reservations?room_type_id=" + h.standard.ID + "," + h.deluxe.ID:         {booked},
		"/reservations?rate_plan_id=" + h.member.ID + "," + h.flex.ID:             {booked},
		"/reservations?rate_plan_id=" + h.member.ID:                               nil,
		"/guests?status=merged,active&last_name=Love":                             {guest},
		"/guests?status=merged,anonymized":                                        nil,
		"/conflicts?severity=info,warning,critical&status=open":                   {conflict},
		"/conflicts?kind=drift,unmapped_booking&status=open,resolved":             {conflict},
		"/conflicts?kind=drift,oversell":                                          nil,
	} {
		if got := h.call("GET", "/v1"+path, "").want(t, 200, "").cells(t, "id"); !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", path, got, want)
		}
	}
	if got := h.call("GET", "/v1/ari-updates?kind=inventory&limit=2"+since, "").want(t, 200, "").cells(t, "id"); !slices.Equal(got, []string{here, there}) {
		t.Errorf("the first page lists %v", got)
	}
	h.call("GET", "/v1/blocks?status=tentative,gone", "").want(t, 400, "invalid_parameter")
	stranger, _ := h.newClient("stranger", h.client.Scopes, "hotel_456")
	if got := h.call("GET", "/v1/ari-updates?kind=inventory"+since, "", "Authorization: Bearer "+h.tokenOf(stranger)).want(t, 200, "").cells(t, "id"); !slices.Equal(got, []string{there}) {
		t.Errorf("a client of another property is shown %v", got)
	}
}
