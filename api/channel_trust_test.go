package api

import (
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// A secret that is kept goes to no other address.
func TestAddressChangesWithItsSecretAlone(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/channels", strings.Replace(channel("https://far.test", ""), "secret:mock", "s3cret", 1)).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/channels/" + id
	for _, kept := range []string{``, `,"secret":"***"`} {
		if got := h.call("PATCH", path, `{"settings":{"url":"https://thief.test"`+kept+`}}`).want(t, 422, "validation_failed"); !strings.Contains(string(got.body), "/settings/secret") {
			t.Errorf("refused with %s", got.body)
		}
	}
	if got := h.call("GET", path, "").json(t)["settings"].(map[string]any)["url"]; got != "https://far.test" {
		t.Errorf("refused, it goes to %v", got)
	}
	h.call("PATCH", path, `{"settings":{"url":"https://other.test","secret":"s3cret"}}`).want(t, 200, "")
	h.call("PATCH", path, `{"settings":{"secret":"secret:mock"}}`).want(t, 200, "")
	h.call("PATCH", path, `{"settings":{"url":"https://thief.test","secret":"secret:mock"}}`).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"settings":{"hotel":"H2"}}`).want(t, 200, "")
}

// Whoever may not read guests, or not write what is sold, sets up nobody who does.
func TestPMSIsSetUpByWhoMayWhatItMay(t *testing.T) {
	p := newPMS(t)
	body := `{"property_id":"hotel_123","connector":"alpinebits","name":"PMS","settings":{"far_side":"pms","hotel":"H2","inbound_user":"me","inbound_password":"mine"}}`
	path := "/v1/channels/" + p.channel
	full := auth.ScopesOf(auth.ChannelsRead, auth.ChannelsWrite, auth.ReservationsRead, auth.GuestsRead, auth.InventoryWrite, auth.RatesWrite)
	bearer := func(scopes auth.Scopes) string {
		client, _ := p.newClient("some", scopes, "*")
		return "Authorization: Bearer " + p.tokenOf(client)
	}
	for _, missing := range []auth.Scope{auth.ReservationsRead, auth.GuestsRead, auth.InventoryWrite, auth.RatesWrite} {
		as := bearer(full &^ auth.ScopesOf(missing))
		p.call("POST", "/v1/channels", body, as).want(t, 403, "insufficient_scope")
		p.call("PATCH", path, `{"settings":{"inbound_password":"mine"}}`, as).want(t, 403, "insufficient_scope")
		p.call("POST", "/v1/channels", channel("https://far.test", ""), as).want(t, 201, "")
	}
	p.call("PATCH", path, `{"name":"House"}`, bearer(full)).want(t, 200, "")
}

// Whose data the hotel's own system is handed is written down.
func TestPMSIsNotedAsShownGuests(t *testing.T) {
	p := newPMS(t)
	p.says(roomsAction, freeRooms(completeSet, freeOn("DZ", firstNight, secondNight, 4)), "<Success>")
	guest := p.call("POST", "/v1/reservations", p.booking("2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["guest"].(map[string]any)["id"].(string)
	noted := func() (n int) {
		accesses, err := p.ledger.PersonalAccesses(t.Context(), guest)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range accesses {
			if a.By.ID == p.channel && a.Operation == "hand-out-reservations" {
				n++
			}
		}
		return n
	}
	if n := noted(); n != 0 {
		t.Errorf("noted %d times before", n)
	}
	if got := p.reservations(); len(got) != 1 {
		t.Fatalf("%v wait", got)
	}
	if n := noted(); n != 1 {
		t.Errorf("noted %d times", n)
	}
}
