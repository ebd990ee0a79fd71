package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func TestIdempotentBooking(t *testing.T) {
	h := newHouse(t)
	body := h.booking("2026-12-01", "2026-12-02")
	post := func(key, body string) reply { return h.call("POST", "/v1/reservations", body, "Idempotency-Key: "+key) }
	first := post("k1", body).want(t, 201, "")
	if first.Header.Get("Idempotent-Replayed") != "" {
		t.Error("the first is marked as a replay")
	}
	for _, key := range []string{"k1", `"k1"`} {
		again := post(key, body).want(t, 201, "")
		if again.Header.Get("Idempotent-Replayed") != "true" || again.json(t)["id"] != first.json(t)["id"] ||
			again.Header.Get("Location") != first.Header.Get("Location") {
			t.Errorf("replay %v %s", again.Header, again.body)
		}
	}
	post("k1", strings.Replace(body, `"adults":2`, `"adults":1`, 1)).want(t, 422, "idempotency_key_reused")

	id := first.json(t)["id"].(string)
	cancel := func() reply {
		return h.call("POST", "/v1/reservations/"+id+"/cancel", `{"reason":"x"}`, "Idempotency-Key: k1")
	}
	cancel().want(t, 200, "")
	if again := cancel().want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("a cancellation is not marked as a replay")
	}
	if now := post("k1", body).want(t, 201, "").json(t); now["status"] != "cancelled" {
		t.Errorf("a replay shows the resource as it was: %v", now["status"])
	}
}

func TestIdempotentRefusal(t *testing.T) {
	h := newHouse(t)
	for range 5 {
		h.book("2026-12-02", "2026-12-03")
	}
	body := h.booking("2026-12-02", "2026-12-03")
	post := func() reply { return h.call("POST", "/v1/reservations", body, "Idempotency-Key: full") }
	first := post().want(t, 409, "not_available").json(t)
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-02","date_to":"2026-12-02","values":{"total":9}}`).want(t, 200, "")
	replayed := post().want(t, 409, "not_available")
	if again := replayed.json(t); replayed.Header.Get("Idempotent-Replayed") != "true" || again["reason"] != first["reason"] || fmt.Sprint(again["nights"]) != fmt.Sprint(first["nights"]) {
		t.Errorf("replayed refusal %s %v, first %v", replayed.body, replayed.Header, first)
	}
	other := h.call("POST", "/v1/reservations", h.booking("2026-12-02", "2026-12-04"), "Idempotency-Key: full").want(t, 422, "idempotency_key_reused")
	if other.Header.Get("Idempotent-Replayed") != "" {
		t.Error("the refusal of a key that was used for another request is called a replay")
	}
}

func TestIdempotentUpdate(t *testing.T) {
	h := newHouse(t)
	entry := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-02","date_to":"2026-12-02","values":{"total":9}}`
	first := h.update("inventory", entry, "Idempotency-Key: u").want(t, 200, "").json(t)
	again := h.update("inventory", entry, "Idempotency-Key: u").want(t, 200, "")
	if again.json(t)["id"] != first["id"] || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("replay %v %s", again.Header, again.body)
	}
}

// TestIdempotentAfterItIsRefused: what had its effect is answered as it was, also where whoever
// asks may not have it any more. Without that they would do it once more in another way.
func TestIdempotentAfterItIsRefused(t *testing.T) {
	h := newHouse(t)
	c, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "group", Environment: auth.Production, Kind: "enterprise", Scopes: auth.AllScopes() &^ auth.ScopesOf(auth.AdminClients), PropertyIDs: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	other := "Authorization: Bearer " + h.tokenOf(c.Client)
	stock := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-02","date_to":"2026-12-02","values":{"total":9}}`
	undone := h.update("inventory", stock, other).want(t, 200, "").json(t)["id"].(string)
	requests := map[string]func(headers ...string) reply{
		"an update": func(headers ...string) reply { return h.update("inventory", stock, headers...) },
		"taking one back": func(headers ...string) reply {
			return h.call("POST", "/v1/ari-updates/"+undone+"/undo", "", headers...)
		},
	}
	order := []string{"taking one back", "an update"}
	for _, name := range order {
		if r := requests[name](other, "Idempotency-Key: had"); r.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	h.call("PATCH", "/v1/properties/hotel_123", `{"truth":{"stock":"pms"}}`).want(t, 200, "")
	for _, name := range order {
		r := requests[name](other, "Idempotency-Key: had")
		if r.StatusCode >= 300 || r.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s is answered once more with %d %v: %s", name, r.StatusCode, r.Header, r.body)
		}
	}
	h.update("inventory", stock, other, "Idempotency-Key: new").want(t, 409, "owned_by_pms")
	dry := `{"property_id":"hotel_123","dry_run":true,"entries":[` + stock + `]}`
	h.call("POST", "/v1/inventory/updates", dry, other).want(t, 409, "owned_by_pms")
	plan := `{"property_id":"hotel_123","code":"own","name":"Own","room_type_ids":["` + h.standard.ID + `"],"sold_by":["ch_none"]}`
	for _, replayed := range []string{"", "true"} {
		r := h.call("POST", "/v1/rate-plans", plan, other, "Idempotency-Key: plan").want(t, 422, "validation_failed")
		if got := r.Header.Get("Idempotent-Replayed"); got != replayed {
			t.Errorf("the refusal of a plan has the mark %q, want %q", got, replayed)
		}
	}
}

func TestIdempotentInParallel(t *testing.T) {
	h := newHouse(t)
	body := h.booking("2026-12-01", "2026-12-02")
	replies := make([]reply, 50)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() { replies[i] = h.call("POST", "/v1/reservations", body, "Idempotency-Key: k") })
	}
	wg.Wait()
	ids := map[any]bool{}
	for _, r := range replies {
		switch r.StatusCode {
		case 201:
			ids[r.json(t)["id"]] = true
		case 409:
			if r.want(t, 409, "idempotency_in_progress"); r.Header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
			}
		default:
			t.Errorf("%d %s", r.StatusCode, r.body)
		}
	}
	if len(ids) != 1 {
		t.Errorf("%d reservations", len(ids))
	}
	h.call("POST", "/v1/reservations", body, "Idempotency-Key: k").want(t, 201, "")
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03"), "Idempotency-Key: k").want(t, 422, "idempotency_key_reused")
	if stored := h.call("GET", "/v1/reservations", "").want(t, 200, "").json(t)["data"].([]any); len(stored) != 1 {
		t.Errorf("%d reservations are stored", len(stored))
	}
}

func TestLastRooms(t *testing.T) {
	h := newHouse(t)
	for range 4 {
		h.book("2026-12-01", "2026-12-02")
	}
	replies := make([]reply, 50)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() { replies[i] = h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")) })
	}
	wg.Wait()
	sold := 0
	for _, r := range replies {
		if r.StatusCode == 201 {
			sold++
			continue
		}
		if why := r.want(t, 409, "not_available").json(t); why["reason"] != "full" {
			t.Errorf("refused because of %v", why["reason"])
		}
	}
	if sold != 1 {
		t.Errorf("the last room was sold %d times", sold)
	}
}

func TestKeyForm(t *testing.T) {
	for sent, want := range map[string]string{
		"abc": "abc", `"abc"`: "abc", `"a\"b\\c"`: `a"b\c`, strings.Repeat("x", 255): strings.Repeat("x", 255),
		`"a`: "", `"a"b"`: "", `""`: "", `"\x"`: "", "a b": "", "ä": "", strings.Repeat("x", 256): "",
	} {
		if got, ok := readKey(sent); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", sent, got, ok, want)
		}
	}
	h := newHouse(t)
	h.call("POST", "/v1/reservations", `{}`, "Idempotency-Key: a b").want(t, 400, "invalid_parameter")
}
