package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"
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
