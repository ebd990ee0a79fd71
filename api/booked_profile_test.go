package api

import (
	"fmt"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// A number of a card is kept nowhere, by whichever way it came into a profile. The number
// in a loyalty program is not one to pay with.
func TestNoCardGetsIntoAProfile(t *testing.T) {
	const number = "4111 1111 1111 1111"
	const more = `"loyalty":[{"program":"` + number + `","number":"1"}],"external_ids":{"crm":"` + number + `"},"metadata":{"x":"` + number + `"},` +
		`"marketing_consent":{"granted":true,"at":"2026-11-01T10:00:00Z","source":"` + number + `"}`
	guest := func(last string) string { return `{"last_name":"` + last + `",` + more + `}` }
	for name, told := range map[string]func(h *house) string{
		"a profile": func(h *house) string {
			return h.call("POST", "/v1/guests", strings.Replace(guest("A"), "{", `{"property_id":"hotel_123",`, 1)).want(t, 201, "").json(t)["id"].(string)
		},
		"a changed profile": func(h *house) string {
			id := guestOfBody(h.book("2026-12-01", "2026-12-02"))
			h.call("PATCH", "/v1/guests/"+id, guest("A")).want(t, 200, "")
			return id
		},
		"a booking": func(h *house) string {
			body := fmt.Sprintf(`{"property_id":"hotel_123","room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-01","check_out":"2026-12-02","adults":1,"guest":%s}`,
				h.standard.ID, h.flex.ID, guest("A"))
			return guestOfBody(h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t))
		},
		"a group": func(h *house) string {
			body := strings.Replace(h.groupOfRooms(1, "", "2026-12-01", "2026-12-03"), `"adults":2`, `"adults":2,"guest":`+guest("A"), 1)
			rooms := h.call("POST", "/v1/reservation-groups", body).want(t, 201, "").json(t)["reservations"].([]any)
			return guestOfBody(h.call("GET", "/v1/reservations/"+rooms[0].(map[string]any)["id"].(string), "").want(t, 200, "").json(t))
		},
		"a changed booking": func(h *house) string {
			r := h.book("2026-12-01", "2026-12-02")
			h.call("PATCH", "/v1/reservations/"+r["id"].(string), `{"guest":`+guest("A")+`}`).want(t, 200, "")
			return guestOfBody(r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			p := h.call("GET", "/v1/guests/"+told(h), "").want(t, 200, "").json(t)
			got := fmt.Sprint(p["loyalty"], p["external_ids"], p["metadata"], p["marketing_consent"])
			if want := 4; strings.Contains(got, number) || strings.Count(got, "1111") != want {
				t.Errorf("kept %s", got)
			}
		})
	}
}

// Who may book only, and whoever stands for a channel, adds to what is known of a guest
// and changes nothing of it.
func TestWhoBooksChangesNoProfile(t *testing.T) {
	h := newHouse(t)
	desk, _ := h.newClient("desk", auth.ScopesOf(auth.ReservationsRead, auth.ReservationsWrite, auth.GuestsRead), "*")
	as := "Authorization: Bearer " + h.tokenOf(desk)
	book := func(day int, guest string) (path, id string) {
		t.Helper()
		body := fmt.Sprintf(`{"property_id":"hotel_123","room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-%02d","check_out":"2026-12-%02d","adults":1,"guest":%s}`,
			h.standard.ID, h.flex.ID, day, day+1, guest)
		r := h.call("POST", "/v1/reservations", body, as).want(t, 201, "").json(t)
		return "/v1/reservations/" + r["id"].(string), guestOfBody(r)
	}
	profile := func(id string) string {
		t.Helper()
		p := h.call("GET", "/v1/guests/"+id, "").want(t, 200, "").json(t)
		asked := "nobody asked"
		if c, ok := p["marketing_consent"].(map[string]any); ok {
			asked = fmt.Sprint(c["granted"])
		}
		return fmt.Sprintf("%v %v %s %v %v", p["loyalty"], p["vip"], asked, p["external_ids"], p["metadata"])
	}
	_, other := book(1, `{"last_name":"Byron","vip":true,"loyalty":[{"program":"stars","number":"1"}],"external_ids":{"crm":"1"}}`)
	if got, want := profile(other), "[map[number:1 program:stars]] true nobody asked map[crm:1] map[]"; got != want {
		t.Errorf("of somebody new: %s, want %s", got, want)
	}
	known := h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	was := profile(known)
	const grace = `{"last_name":"Hopper","email":"grace@example.com",`
	path, id := book(2, grace+`"vip":false,"loyalty":[{"program":"stars","number":"9"}],"external_ids":{"pms":"P9"},"metadata":{"k":"9"},
		"marketing_consent":{"granted":false,"at":"2026-11-02T10:00:00Z","source":"web"}}`)
	if id != known {
		t.Fatalf("another guest")
	}
	if got := profile(known); got != was {
		t.Errorf("booked: %s, want %s", got, was)
	}
	h.call("PATCH", path, `{"guest":{"vip":null,"loyalty":[],"external_ids":{"pms":null},"metadata":{"k":null},"marketing_consent":null}}`, as).want(t, 200, "")
	if got := profile(known); got != was {
		t.Errorf("changed: %s, want %s", got, was)
	}
	h.call("PATCH", path, `{"guest":{"loyalty":[{"program":"stars","number":"9"},{"program":"miles","number":"3"}],"external_ids":{"crm":"C1"},"metadata":{"b":"2"}}}`, as).want(t, 200, "")
	if got, want := profile(known), "[map[number:7 program:stars] map[number:3 program:miles]] true true map[crm:C1 pms:P1] map[b:2 k:v]"; got != want {
		t.Errorf("added: %s, want %s", got, want)
	}
	h.call("PATCH", "/v1/guests/"+known, `{"marketing_consent":null,"vip":false}`).want(t, 200, "")
	h.call("PATCH", path, `{"guest":{"vip":true,"marketing_consent":{"granted":true,"at":"2026-11-02T10:00:00Z","source":"web"}}}`, as).want(t, 200, "")
	if got, want := profile(known), "[map[number:7 program:stars] map[number:3 program:miles]] false true map[crm:C1 pms:P1] map[b:2 k:v]"; got != want {
		t.Errorf("asked by now: %s, want %s", got, want)
	}
}

// Somebody who takes the place of a guest who is forgotten has a profile to tell.
func TestANewGuestInThePlaceOfOneForgotten(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-02")
	path := "/v1/reservations/" + r["id"].(string)
	h.call("POST", path+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	h.call("POST", "/v1/guests/"+guestOfBody(r)+"/anonymize", `{"reason":"guest_request"}`).want(t, 200, "")
	h.call("POST", path+"/reinstate", `{}`).want(t, 200, "")
	now := h.call("PATCH", path, `{"guest":{"last_name":"Byron","vip":true}}`).want(t, 200, "").json(t)
	if guestOfBody(now) == guestOfBody(r) {
		t.Fatalf("the same guest: %v", now["guest"])
	}
	if p := h.call("GET", "/v1/guests/"+guestOfBody(now), "").want(t, 200, "").json(t); p["vip"] != true || p["last_name"] != "Byron" {
		t.Errorf("the profile: %v", p)
	}
}
