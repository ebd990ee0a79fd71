package api

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// events asks the feed and returns its types and the rest of the answer.
func (h *house) events(query string, headers ...string) (string, map[string]any) {
	h.t.Helper()
	got := h.call("GET", "/v1/events"+query, "", headers...).want(h.t, 200, "").json(h.t)
	var types []string
	for _, e := range got["data"].([]any) {
		types = append(types, e.(map[string]any)["type"].(string))
	}
	return strings.Join(types, " "), got
}

// end is where the feed stands now.
func (h *house) end() string {
	h.t.Helper()
	for after := "0"; ; {
		_, page := h.events("?limit=200&after=" + after)
		after = fmt.Sprint(int64(page["next_after"].(float64)))
		if page["caught_up"] == true {
			return after
		}
	}
}

func TestTheFeedTellsWhatHappenedInOrder(t *testing.T) {
	h := newHouse(t)
	after := h.end()
	made := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "").json(t)["id"].(string)
	h.call("POST", "/v1/reservations/"+made+"/cancel", `{"reason":"guest_request"}`).want(t, 200, "")
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{"name":"Doppelzimmer"}`).want(t, 200, "")
	types, page := h.events("?after=" + after)
	if types != "guest.created reservation.created inventory.updated reservation.cancelled inventory.updated room_type.updated" || page["caught_up"] != true {
		t.Fatalf("told %s, %v", types, page)
	}
	events := page["data"].([]any)
	first := events[1].(map[string]any)
	object := first["data"].(map[string]any)["object"].(map[string]any)
	if first["property_id"] != "hotel_123" || first["api_version"] != "v1" || object["id"] != made || object["status"] != "cancelled" {
		t.Errorf("first %v", first)
	}
	stock := events[2].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)
	if fmt.Sprint(stock["ranges"]) != "[map[available:4 date_from:2026-12-01 date_to:2026-12-02]]" {
		t.Errorf("stock %v", stock)
	}
	if types, _ := h.events("?type=reservation.*&after=" + after); types != "reservation.created reservation.cancelled" {
		t.Errorf("of reservations: %s", types)
	}
	if types, page := h.events("?limit=2&type=inventory.updated,room_type.updated&after=" + after); types != "inventory.updated inventory.updated" || page["caught_up"] != false {
		t.Errorf("two: %s %v", types, page)
	}
	if types, _ := h.events("?property_id=hotel_456&after=" + after); types != "" {
		t.Errorf("of another house: %s", types)
	}
	if types, _ := h.events("?type=property.created"); types != "property.created property.created" {
		t.Errorf("from the beginning: %s", types)
	}
	one := h.call("GET", "/v1/events/"+first["id"].(string), "").want(t, 200, "").json(t)
	if one["sequence"] != first["sequence"] {
		t.Errorf("one %v", one)
	}
	h.call("GET", "/v1/events/none", "").want(t, 404, "not_found")
	h.call("GET", "/v1/events?property_id=none", "").want(t, 404, "property_not_found")
	h.call("GET", "/v1/events?after=x", "").want(t, 400, "invalid_parameter")
	if types := h.call("GET", "/v1/event-types", "", "Authorization:").want(t, 200, "").json(t)["data"].([]any); len(types) < 30 {
		t.Errorf("%d types", len(types))
	}
}

// What lies between an instant and the window of the feed is not left out in silence.
func TestTheFeedDoesNotBeginBeforeItsWindow(t *testing.T) {
	h := newHouse(t)
	began := h.clock.Now()
	endpoint := h.call("POST", "/v1/webhook-endpoints", `{"url":"https://partner.example/hooks","event_types":["*"]}`).want(t, 201, "").json(t)["id"].(string)
	ask := func(since time.Time) reply { return h.call("GET", "/v1/events?since="+stamp(since), "") }
	again := func(since time.Time) reply {
		return h.call("POST", "/v1/webhook-endpoints/"+endpoint+"/replay", `{"since":"`+stamp(since)+`"}`)
	}
	ask(began.Add(-400*24*time.Hour)).want(t, 200, "") // nothing is older than the window
	h.clock.move(desk.DefaultEventWindow + time.Hour)
	h.token = h.tokenOf(h.client)
	inside := h.clock.Now().Add(-desk.DefaultEventWindow)
	for _, since := range []time.Time{began, began.Add(-time.Hour)} {
		ask(since).want(t, 410, "cursor_expired")
		again(since).want(t, 410, "cursor_expired")
	}
	ask(inside).want(t, 200, "")
	again(inside).want(t, 202, "")
	h.call("GET", "/v1/events", "").want(t, 200, "")
	both := h.call("GET", "/v1/events?after=1&since="+stamp(inside), "").want(t, 400, "ambiguous_parameters").json(t)
	if item := both["errors"].([]any)[0].(map[string]any); item["parameter"] != "since" {
		t.Errorf("told %v", item)
	}
}

func TestTheFeedTellsEachReaderItsOwn(t *testing.T) {
	h := newHouse(t)
	after := h.end()
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "")
	for _, c := range []struct {
		name, want string
		client     auth.Client
	}{
		{"without the scope of reservations", "inventory.updated", first(h.newClient("a", auth.ScopesOf(auth.EventsRead, auth.InventoryRead), "*"))},
		{"without the scope of stock", "reservation.created", first(h.newClient("b", auth.ScopesOf(auth.EventsRead, auth.ReservationsRead), "*"))},
		{"of another house", "", first(h.newClient("c", h.client.Scopes, "hotel_456"))},
	} {
		as := "Authorization: Bearer " + h.tokenOf(c.client)
		if got, _ := h.events("?after="+after, as); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	own := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(own))
	after = h.end()
	h.call("POST", "/v1/channels/"+h.draft()+"/test", "").want(t, 200, "")
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "")
	if got, _ := h.events("?after="+after, as); got != "" {
		t.Errorf("a channel hears of what is not its own: %s", got)
	}
	theirs := h.call("POST", "/v1/reservations", strings.Replace(h.booking("2026-12-04", "2026-12-05"), "{", `{"source":{"channel_id":"`+own+`"},`, 1)).want(t, 201, "").json(t)
	got, page := h.events("?after="+after, as)
	if got != "reservation.created" || page["data"].([]any)[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["id"] != theirs["id"] {
		t.Errorf("of its own booking it hears %s, %v", got, page)
	}
}

func first[A, B any](a A, _ B) A { return a }

func TestTheFeedHasAWindow(t *testing.T) {
	h := newHouse(t)
	h.clock.move(31 * 24 * time.Hour)
	h.client, h.secret = h.newClient("later", h.client.Scopes, "*")
	h.token = h.tokenOf(h.client)
	h.call("GET", "/v1/events?after=1", "").want(t, 410, "cursor_expired")
	h.call("PATCH", "/v1/properties/hotel_123", `{"name":"Neu"}`).want(t, 200, "")
	if types, _ := h.events(""); types != "property.updated" {
		t.Errorf("the window begins with %s", types)
	}
	// A place that the journal has not come to is one of another journal: who waited there
	// would miss all that happens until this one is as long.
	_, page := h.events("")
	h.call("GET", "/v1/events?after="+fmt.Sprint(page["next_after"]), "").want(t, 200, "")
	h.call("GET", "/v1/events?after=999999", "").want(t, 410, "cursor_expired")
}

// Waiting requests are answered by the commit that they wait for, all of
// them, long before their wait is over.
func TestALongPollWaitsForTheCommit(t *testing.T) {
	h := newHouse(t)
	after := h.end()
	var waiting sync.WaitGroup
	started := time.Now()
	for range 20 {
		waiting.Go(func() {
			types, page := h.events("?type=reservation.created&after="+after, "Prefer: wait=25")
			if types != "reservation.created" {
				t.Errorf("told %s, %v", types, page)
			}
		})
	}
	waiting.Go(func() { h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "") })
	waiting.Wait()
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("answered after %s", took)
	}
}

func TestALongPollEnds(t *testing.T) {
	h := newHouse(t)
	after := h.end()
	stop := make(chan struct{})
	h.handler.(*server).stopping = stop
	ended := make(chan string)
	go func() {
		types, _ := h.events("?after="+after, "Prefer: wait=30")
		ended <- types
	}()
	close(stop)
	if types := <-ended; types != "" {
		t.Errorf("when the program stops: %s", types)
	}
	h.handler.(*server).stopping = nil
	ctx, hangUp := context.WithCancel(t.Context())
	req := httptest.NewRequestWithContext(ctx, "GET", "/v1/events?after="+after, nil)
	req.Header.Set("Authorization", "Bearer "+h.token)
	req.Header.Set("Prefer", "wait=30")
	go func() {
		h.handler.ServeHTTP(httptest.NewRecorder(), req)
		ended <- ""
	}()
	hangUp()
	<-ended
}

func TestWaitIsReadFromPrefer(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 0, "wait=20": 20 * time.Second, "respond-async, Wait=5; x=y": 5 * time.Second, "wait=99999": longestWait, "wait=-1": 0, "wait=x": 0,
	} {
		if got := wait(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}
