package api

import "testing"

// A client that stands for a channel books what names the channel, and nothing that is
// sold to everybody else.
func TestAChannelsClientBooksWhatIsSoldToIt(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	body := h.booking("2026-12-01", "2026-12-02")
	errors := h.call("POST", "/v1/reservations", body, as).want(t, 422, "validation_failed").json(t)["errors"].([]any)
	if code := errors[0].(map[string]any)["code"]; code != "unknown_rate_plan" {
		t.Errorf("refused as %v", code)
	}
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.call("POST", "/v1/reservations", body, as).want(t, 201, "")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 201, "")
}
