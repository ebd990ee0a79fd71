package api

import (
	"fmt"
	"testing"
	"time"
)

// What is shown of a booking and of its group changes without a revision of theirs: by
// the day, by an acknowledgement, by the terms of the channel and by whoever books. The
// ETag changes with each.
func TestTheTagOfABookingCoversAllThatIsShown(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	group := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, `,"source":{"channel_id":"`+channel+`","channel_reference":"G1"}`, "2026-11-22", "2026-11-23")).want(t, 201, "").json(t)
	room := group["reservations"].([]any)[0].(map[string]any)
	atRoom, atGroup := "/v1/reservations/"+room["id"].(string), "/v1/reservation-groups/"+group["id"].(string)
	held := map[string]reply{}
	for _, path := range []string{atRoom, atGroup} {
		held[path] = h.call("GET", path, "").want(t, 200, "")
	}
	acknowledge := fmt.Sprintf(`{"revision":%v}`, room["revision"])
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"acknowledged", func() { h.call("POST", atRoom+"/acknowledge", acknowledge).want(t, 200, "") }},
		{"another commission", func() {
			h.call("PATCH", "/v1/channels/"+channel, `{"commission":{"pct":"15","base":"gross"}}`).want(t, 200, "")
		}},
		{"another name", func() { h.call("PATCH", "/v1/guests/"+guestOfBody(room), `{"last_name":"King"}`).want(t, 200, "") }},
		{"the day of arrival", func() { h.clock.move(24 * time.Hour) }},
	} {
		c.do()
		h.token = h.tokenOf(h.client)
		for path, before := range held {
			now := h.call("GET", path, "", "If-None-Match: "+before.Header.Get("ETag"))
			if now.StatusCode != 200 || string(now.body) == string(before.body) {
				t.Errorf("%s of %s: %d with the tag from before", c.name, path, now.StatusCode)
				continue
			}
			held[path] = now
			if again := h.call("GET", path, "", "If-None-Match: "+now.Header.Get("ETag")); again.StatusCode != 304 {
				t.Errorf("%s of %s: %d with the present tag", c.name, path, again.StatusCode)
			}
		}
	}
	// A group is at another revision once one of its rooms is.
	tag := held[atGroup].Header.Get("ETag")
	h.call("PATCH", atRoom, `{"notes":"late"}`, "If-Match: "+held[atRoom].Header.Get("ETag")).want(t, 200, "")
	h.call("POST", atGroup+"/cancel", `{"reason":"guest","done_at_channel":true}`, "If-Match: "+tag).want(t, 412, "precondition_failed")
	tag = h.call("GET", atGroup, "").Header.Get("ETag")
	h.call("POST", atGroup+"/cancel", `{"reason":"guest","done_at_channel":true}`, "If-Match: "+tag).want(t, 200, "")
}

// A pool says which room types draw on it, with the pools that serve as well.
func TestConsumersOfAPool(t *testing.T) {
	h := newHouse(t)
	twins, doubles := h.standard.Consumes[0].AnyOf[0], h.deluxe.Consumes[0].AnyOf[0]
	path := "/v1/pools/" + twins
	before := h.call("GET", path, "").want(t, 200, "")
	either := h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"either","name":"Either","position":9,"base_occupancy":2,"max_adults":2,"max_occupancy":2,
		"consumes":[{"any_of":["`+doubles+`","`+twins+`"],"units":2}]}`).want(t, 201, "").json(t)["id"].(string)
	now := h.call("GET", path, "", "If-None-Match: "+before.Header.Get("ETag")).want(t, 200, "")
	want := fmt.Sprintf("[map[alternatives:[] room_type_id:%s units:1] map[alternatives:[%s] room_type_id:%s units:2]]", h.standard.ID, doubles, either)
	list := h.call("GET", "/v1/pools?property_id=hotel_123", "").want(t, 200, "").json(t)["data"].([]any)
	changed := h.call("PATCH", path, `{"name":"Twins"}`, "If-Match: "+now.Header.Get("ETag")).want(t, 200, "").json(t)
	for name, body := range map[string]any{"read": now.json(t), "listed": list[0], "changed": changed} {
		pool := body.(map[string]any)
		if pool["id"] != twins || fmt.Sprint(pool["consumers"]) != want {
			t.Errorf("%s: %v, want %s", name, pool["consumers"], want)
		}
	}
	h.call("PATCH", path, `{"consumers":[]}`).want(t, 422, "validation_failed")
	h.call("POST", "/v1/room-types/"+either+"/archive", "").want(t, 200, "")
	if left := h.call("GET", path, "").json(t)["consumers"].([]any); len(left) != 1 {
		t.Errorf("after the type is archived: %v", left)
	}
}

// What is shown beside a resource and changes without its revision: the secrets of a
// client, what a property decides for its channels, how many rooms a pool has.
func TestTheTagCoversWhatOthersChange(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	channel, pool := h.draft(), h.standard.Consumes[0].AnyOf[0]
	self := "/v1/clients/" + h.client.ID
	for _, c := range []struct{ name, path, auth, method, at, body string }{
		{"a secret of one's own", "/v1/client", "", "POST", "/v1/client/secrets", ""},
		{"a secret of a client", self, admin, "DELETE", "/v1/client/secrets/", ""},
		{"the property's policies", "/v1/channels/" + channel + "/policies", "", "PUT", "/v1/properties/hotel_123/policies", `{"oversell":"accept"}`},
		{"the size of its pool", "/v1/room-types/" + h.standard.ID, "", "PATCH", "/v1/pools/" + pool, `{"total_units":7}`},
	} {
		if c.auth == "" {
			c.auth = "Authorization: Bearer " + h.token
		}
		before := h.call("GET", c.path, "", c.auth).want(t, 200, "")
		if c.method == "DELETE" {
			c.at += before.json(t)["secrets"].([]any)[0].(map[string]any)["id"].(string)
		}
		changed := h.call(c.method, c.at, c.body)
		if changed.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", c.name, changed.StatusCode, changed.body)
		}
		now := h.call("GET", c.path, "", c.auth, "If-None-Match: "+before.Header.Get("ETag"))
		if now.StatusCode != 200 || string(now.body) == string(before.body) {
			t.Errorf("%s: %d with the tag from before, %s", c.name, now.StatusCode, now.body)
			continue
		}
		if again := h.call("GET", c.path, "", c.auth, "If-None-Match: "+now.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s: %d with the present tag", c.name, again.StatusCode)
		}
	}
}

// One who writes is told the tag that whoever reads is told.
func TestWritesAnswerWithTheTagOfTheirResource(t *testing.T) {
	h := newHouse(t)
	admin := h.admin()
	channel := h.draft()
	for _, c := range []struct{ name, method, at, body, path string }{
		{"a new property", "POST", "/v1/properties", `{"name":"Neu","time_zone":"Europe/Berlin","currency":"EUR","country":"DE"}`, ""},
		{"a changed property", "PATCH", "/v1/properties/hotel_456", `{"name":"Neu"}`, ""},
		{"a new room type", "POST", "/v1/room-types", `{"property_id":"hotel_123","code":"single","total_units":1,"base_occupancy":1,"max_adults":1,"max_occupancy":1}`, ""},
		{"a changed room type", "PATCH", "/v1/room-types/" + h.standard.ID, `{"name":"Double"}`, ""},
		{"a new client", "POST", "/v1/clients", `{"name":"New","environment":"production"}`, ""},
		{"a changed client", "PATCH", "/v1/clients/" + h.client.ID, `{"name":"Other"}`, ""},
		{"a client without its tokens", "POST", "/v1/clients/" + h.client.ID + "/revoke-tokens", "", "/v1/clients/" + h.client.ID},
		{"policies of a channel", "PUT", "/v1/channels/" + channel + "/policies", `{"oversell":"accept"}`, ""},
		{"policies of a property", "PUT", "/v1/properties/hotel_123/policies", `{"oversell":"accept"}`, ""},
	} {
		wrote := h.call(c.method, c.at, c.body, admin)
		if wrote.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", c.name, wrote.StatusCode, wrote.body)
		}
		path := c.at
		if c.path != "" {
			path = c.path
		} else if wrote.StatusCode == 201 {
			path += "/" + wrote.json(t)["id"].(string)
		}
		read := h.call("GET", path, "", admin).want(t, 200, "")
		if got, want := wrote.Header.Get("ETag"), read.Header.Get("ETag"); got == "" || got != want {
			t.Errorf("%s: ETag %s, its GET has %s", c.name, got, want)
		}
	}
}
