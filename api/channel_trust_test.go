package api

import (
	"encoding/json"
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

// A secret that is typed is kept sealed, said again it is no change, and nobody types one
// that is sealed already: who found it in a backup would have it sent elsewhere.
func TestTypedSecretsAreSealed(t *testing.T) {
	h := newHouse(t)
	typed := strings.Replace(channel("https://far.test", ""), "secret:mock", "s3cret-typed", 1)
	id := h.call("POST", "/v1/channels", typed).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/channels/" + id
	kept := func() (settings, sealed string) {
		t.Helper()
		c, err := h.ledger.Channel(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var of struct{ Secret string }
		if err := json.Unmarshal(c.Settings, &of); err != nil || !strings.HasPrefix(of.Secret, "sealed:") {
			t.Fatalf("kept are %s, %v", c.Settings, err)
		}
		return string(c.Settings), of.Secret
	}
	before, sealed := kept()
	if got := h.call("GET", path, "").want(t, 200, ""); strings.Contains(string(got.body), "sealed:") || strings.Contains(string(got.body), "s3cret") {
		t.Errorf("shown are %s", got.body)
	}
	h.call("PATCH", path, `{"settings":{"secret":"s3cret-typed"}}`).want(t, 200, "")
	if after, _ := kept(); after != before {
		t.Errorf("said again, kept are %s, were %s", after, before)
	}
	h.call("PATCH", path, `{"settings":{"secret":"s3cret-other"}}`).want(t, 200, "")
	_, other := kept()
	if other == sealed {
		t.Error("another secret is sealed as the one of before")
	}
	h.call("PATCH", path, `{"settings":{"url":"https://thief.test","secret":"`+other+`"}}`).want(t, 422, "validation_failed") // as in a copy of the ledger
	h.call("PATCH", path, `{"settings":{"secret":"`+sealed+`"}}`).want(t, 422, "validation_failed")
	h.call("POST", "/v1/channels", strings.Replace(channel("https://thief.test", ""), "secret:mock", sealed, 1)).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"settings":{"secret":"secret:mock"}}`).want(t, 200, "")
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
