package api

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ostler.example/ledger" //nolint:depguard // which is restored
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
		{"a changed rate plan", "PATCH", "/v1/rate-plans/" + h.flex.ID, `{"name":"Flexible"}`, ""},
		{"a new rate plan", "POST", "/v1/rate-plans", `{"property_id":"hotel_123","code":"new","name":"New","room_type_ids":["` + h.standard.ID + `"]}`, ""},
		{"a new pricing rule", "POST", "/v1/pricing-rules", `{"property_id":"hotel_123","name":"New","priority":10,"action":{"kind":"percent","value":"5"}}`, ""},
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

// A ledger that was restored counts on from where its backup was made: what was changed
// before and after is at one revision, and is not the same.
func TestTheTagOfWhatWasRestored(t *testing.T) {
	h := newHouse(t)
	guest := "/v1/guests/" + guestOfBody(h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "").json(t))
	rule := "/v1/pricing-rules/" + h.call("POST", "/v1/pricing-rules", `{"property_id":"hotel_123","name":"Autumn","priority":10,"action":{"kind":"percent","value":"5"}}`).want(t, 201, "").json(t)["id"].(string)
	cases := []struct{ method, path, body string }{ // %s: a word that differs
		{"PATCH", "/v1/properties/hotel_123", `{"name":"%s"}`},
		{"PATCH", "/v1/rate-plans/" + h.flex.ID, `{"name":"%s"}`},
		{"PATCH", rule, `{"name":"%s"}`},
		{"PATCH", guest + "/preferences", `{"tags":[{"value":"%s","source":"guest"}]}`},
		{"PUT", "/v1/properties/hotel_456/notifications", `{"recipients":[{"name":"%s","email":"desk@example.com","events":["oversell"]}]}`},
	}
	backup := filepath.Join(h.dir, "backup.db")
	if err := ledger.Copy(t.Context(), filepath.Join(h.dir, "production.db"), backup, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	write := func(word string) (tags []string) {
		for _, c := range cases {
			h.call(c.method, c.path, fmt.Sprintf(c.body, word)).want(t, 200, "")
			tags = append(tags, h.call("GET", c.path, "").want(t, 200, "").Header.Get("ETag"))
		}
		return tags
	}
	lost := write("Lost")
	if err := h.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	h.ledger = must(ledger.Open(t.Context(), ledger.Options{Path: backup, Clock: h.clock}))(t)
	h.serve(nil)
	for i, tag := range write("Later") {
		path := cases[i].path
		if was, _, _ := strings.Cut(lost[i], "-"); !strings.HasPrefix(tag, was+"-") {
			t.Errorf("%s: %s, then %s, which is another revision", path, lost[i], tag)
		}
		if got := h.call("GET", path, "", "If-None-Match: "+lost[i]); got.StatusCode != 200 {
			t.Errorf("%s: %d with the tag of what was lost", path, got.StatusCode)
		}
	}
}

// Whoever follows a guest to the profile that it was merged into sends the tag along.
func TestTheTagOfAGuestWhoWasMerged(t *testing.T) {
	h := newHouse(t)
	guest := func(name, likes string) string {
		id := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"`+name+`"}`).want(t, 201, "").json(t)["id"].(string)
		h.call("PUT", "/v1/guests/"+id+"/preferences", `{"tags":[{"value":"`+likes+`","source":"guest"}]}`).want(t, 200, "")
		return id
	}
	from, to := guest("Byron", "quiet"), guest("Lovelace", "high floor")
	h.call("PUT", "/v1/guests/"+from+"/preferences", `{"tags":[{"value":"sea view","source":"guest"}]}`).want(t, 200, "")
	held := h.call("GET", "/v1/guests/"+from+"/preferences", "").want(t, 200, "")
	tag := "If-None-Match: " + held.Header.Get("ETag")
	h.call("POST", "/v1/guests/"+to+"/merge", `{"source_guest_id":"`+from+`"}`).want(t, 200, "")
	moved := h.call("GET", "/v1/guests/"+from+"/preferences", "", tag)
	at := strings.TrimPrefix(moved.Header.Get("Location"), "https://hotel.example")
	if now := h.call("GET", at, "", tag); moved.StatusCode != 308 || now.StatusCode != 200 || string(now.body) == string(held.body) {
		t.Errorf("%d to %s: %d %s", moved.StatusCode, at, now.StatusCode, now.body)
	}
}

// What has no revision is called unchanged by what is shown of it.
func TestTheTagOfWhatHasNoRevision(t *testing.T) {
	h, _ := newWebhookHouse(t)
	after := h.end()
	booking := "/v1/reservations/" + h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["id"].(string)
	_, page := h.events("?type=reservation.created&after=" + after)
	hooked := "/v1/webhook-endpoints/" + h.hook(t)["id"].(string)
	called := "/v1/webhook-deliveries/" + h.call("POST", hooked+"/test", "").want(t, 200, "").json(t)["id"].(string)
	channel := h.draft()
	if err := h.ledger.GoLive(t.Context(), tester, channel, 0); err != nil {
		t.Fatal(err)
	}
	run := "/v1/sync-runs/" + h.call("POST", "/v1/channels/"+channel+"/sync", `{"kind":"ari_full"}`).want(t, 202, "").json(t)["id"].(string)
	for _, c := range []struct {
		path   string
		change func() // nil: there is none
	}{
		{"/v1/events/" + page["data"].([]any)[0].(map[string]any)["id"].(string), func() { h.call("PATCH", booking, `{"notes":"late"}`).want(t, 200, "") }},
		{called, nil},
		{run, nil},
		{"/v1/channels/" + channel, func() { h.call("POST", "/v1/channels/"+channel+"/pause", `{"mode":"freeze"}`).want(t, 200, "") }},
		{"/v1/channels/" + channel + "/mappings", nil},
	} {
		got := h.call("GET", c.path, "").want(t, 200, "")
		tag := "If-None-Match: " + got.Header.Get("ETag")
		if again := h.call("GET", c.path, "", tag); again.StatusCode != 304 || len(again.body) > 0 || got.Header.Get("Cache-Control") != revalidate {
			t.Errorf("%s: %d with %s; Cache-Control %q", c.path, again.StatusCode, tag, got.Header.Get("Cache-Control"))
		}
		if c.change == nil {
			continue
		}
		c.change()
		if now := h.call("GET", c.path, "", tag); now.StatusCode != 200 {
			t.Errorf("%s: %d after a change", c.path, now.StatusCode)
		}
	}
}
