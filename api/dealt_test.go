package api

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/ledger" //nolint:depguard // whose channels are made to give rooms back
)

// dealt makes the deluxe rooms guarded and all of them on sale at a channel.
func (h *house) dealt() {
	h.t.Helper()
	h.call("PATCH", "/v1/pools/"+h.deluxe.Consumes[0].AnyOf[0], `{"protection":{"kind":"guarded"},"direct_weight":0}`).want(h.t, 200, "")
	c, _, err := h.ledger.CreateChannel(h.t.Context(), tester, hotel.Once{}, hotel.Channel{
		PropertyID: "hotel_123", Connector: "mock", Name: "Portal", Status: hotel.Testing, Settings: []byte("{}"), Account: "portal", Schedule: "@every 1h",
	})
	if err == nil {
		err = h.ledger.MapChannel(h.t.Context(), tester, c.ID, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
			{RoomTypeID: h.deluxe.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
		}})
	}
	if err == nil {
		err = h.ledger.GoLive(h.t.Context(), tester, c.ID, 3) // it shows all three
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestDealtRooms(t *testing.T) {
	h := newHouse(t)
	h.dealt()
	got := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&room_type=deluxe&include=stay_details", "").want(t, 200, "").json(t)
	if got["available"] != false {
		t.Errorf("answered %v", got)
	}
	room := got["stay"].(map[string]any)["rooms"].([]any)[0].(map[string]any)
	if room["direct"] != 0.0 || room["recallable"] != 3.0 {
		t.Errorf("the stay has %v", room)
	}
	booking := func(more string) string {
		return `{"property_id":"hotel_123","room_type_id":"` + h.deluxe.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"Guest"}` + more + `}`
	}
	refused := h.call("POST", "/v1/reservations", booking(""), "Idempotency-Key: one").want(t, 409, "not_available")
	said := refused.json(t)
	if said["reason"] != "dealt" || said["recallable"] != 3.0 || refused.Header.Get("Retry-After") != "30" {
		t.Errorf("refused with %v, Retry-After %q", said, refused.Header.Get("Retry-After"))
	}
	clerk, _ := h.newClient("clerk", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	h.call("POST", "/v1/reservations", booking(`,"sell_dealt":true`), "Authorization: Bearer "+h.tokenOf(clerk)).want(t, 403, "insufficient_scope")
	h.call("POST", "/v1/reservations", booking(`,"sell_dealt":true`)).want(t, 201, "")
	// One of three rooms that the channel may sell was sold beside it.
	for query, want := range map[string]any{"": 1.0, "&as_of=2026-11-21T10:00:00Z": nil} {
		for _, c := range h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-03&room_type_id="+h.deluxe.ID+query, "").want(t, 200, "").json(t)["data"].([]any) {
			if night := c.(map[string]any); night["date"] == "2026-12-03" && want != nil && night["exposed"] != 0.0 || night["date"] != "2026-12-03" && night["exposed"] != want {
				t.Errorf("exposed %v on %v, want %v", night["exposed"], night["date"], want)
			}
		}
	}
	conflict := h.call("GET", "/v1/conflicts?status=open&kind=exposed", "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if facts := conflict["facts"].(map[string]any); conflict["severity"] != "critical" || facts["reason"] != "sold_dealt" {
		t.Errorf("told %v", conflict)
	}
	// A refusal for a while is not kept under the key of its request.
	h.call("PATCH", "/v1/pools/"+h.deluxe.Consumes[0].AnyOf[0], `{"protection":{"kind":"shared"}}`).want(t, 200, "")
	h.call("POST", "/v1/reservations", booking(""), "Idempotency-Key: one").want(t, 201, "")
	if open := h.call("GET", "/v1/conflicts?status=open&kind=exposed", "").want(t, 200, "").json(t)["data"].([]any); len(open) != 0 {
		t.Errorf("told %v of a pool in which nothing is granted", open)
	}
}

// yielding is a ledger whose channels give back what is asked of them at once.
type yielding struct {
	*ledger.Ledger
	give func()
}

func (y yielding) Recall(ctx context.Context, by hotel.By, property string, rooms []hotel.RoomNight, asked, until time.Time) error {
	err := y.Ledger.Recall(ctx, by, property, rooms, asked, until)
	y.give()
	return err
}

// A sale of a room that is dealt to a channel waits for it, and is answered as any other
// when the room is back in time.
func TestASaleWaitsForADealtRoom(t *testing.T) {
	h := newHouse(t)
	h.dealt()
	pool := h.deluxe.Consumes[0].AnyOf[0]
	given := 0
	d := desk.New(desk.Options{
		Ledger: yielding{h.ledger, func() {
			given++
			_, _, err := h.ledger.ChangePool(t.Context(), tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{
				Apply: func(p *hotel.Pool) error { p.Protection = hotel.Protection{Kind: hotel.Shared}; return nil },
			})
			if err != nil {
				t.Error(err)
			}
		}},
		Engine: h.engine, Clients: h.auth, Requests: h.auth, Post: h.post, Clock: h.clock, RecallFor: time.Hour,
	})
	h.handler = New(Options{Desk: d, Auth: h.auth, PublicURL: "https://hotel.example", Version: "1.0.0", Clock: h.clock, Log: zap.NewNop(), CursorKey: [32]byte{1}})
	body := `{"property_id":"hotel_123","room_type_id":"` + h.deluxe.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"Guest"}}`
	if got := h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t); got["status"] != "confirmed" || got["overbooked"] != false || given != 1 {
		t.Errorf("sold as %v after %d recalls", got, given)
	}
}

func TestSellersOfAChannel(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/channels", `{"property_id":"hotel_123","connector":"mock","name":"Portal","weight":7,"priority":2,
		"settings":{"url":"https://portal.example","hotel":"H1","secret":"s3cret"}}`).want(t, 201, "").json(t)
	if made["weight"] != 7.0 || made["priority"] != 2.0 || made["capabilities"].(map[string]any)["guard_level"] != "guaranteed" {
		t.Errorf("made %v", made)
	}
	path := "/v1/channels/" + made["id"].(string)
	changed := h.call("PATCH", path, `{"weight":null,"priority":5}`).want(t, 200, "").json(t)
	if changed["weight"] != nil || changed["priority"] != 5.0 {
		t.Errorf("changed to %v", changed)
	}
	h.call("PATCH", path, `{"weight":-1}`).want(t, 422, "validation_failed")
}

// Rooms that are on sale at a channel are sold by whoever answers for it, in whatever way
// they are taken.
func TestWhoAnswersForItSellsDealtRooms(t *testing.T) {
	h := newHouse(t)
	room := func(day int, more string) string {
		return fmt.Sprintf(`"room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-%02d","check_out":"2026-12-%02d","adults":2%s`, h.deluxe.ID, h.flex.ID, day, day+1, more)
	}
	booked := func(day int, more string) string {
		body := `{"property_id":"hotel_123","guest":{"last_name":"Guest"},` + room(day, more) + `}`
		return "/v1/reservations/" + h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)["id"].(string)
	}
	longer, confirmed, held, reinstated := booked(3, ""), booked(7, `,"status":"enquired"`), booked(9, `,"status":"enquired"`), booked(11, "")
	h.call("POST", reinstated+"/cancel", `{"reason":"repairs"}`).want(t, 200, "")
	h.dealt()
	clerk, _ := h.newClient("clerk", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	alone := func(more string) string { return "{" + strings.TrimPrefix(more, ",") + "}" }
	for _, c := range []struct {
		name, method, path string
		body               func(more string) string
		status             int
	}{
		{"a group", "POST", "/v1/reservation-groups", func(more string) string {
			return `{"property_id":"hotel_123","booker":{"last_name":"Guest"},"reservations":[{` + room(1, more) + `},{` + room(1, more) + `}]}`
		}, 201},
		{"a longer stay", "PATCH", longer, func(more string) string { return `{"check_out":"2026-12-05"` + more + `}` }, 200},
		{"an enquiry that is confirmed", "POST", confirmed + "/confirm", alone, 200},
		{"an enquiry that is held", "POST", held + "/hold", func(more string) string { return `{"until":"2026-11-25T10:00:00Z"` + more + `}` }, 200},
		{"a booking that is reinstated", "POST", reinstated + "/reinstate", alone, 200},
	} {
		if said := h.call(c.method, c.path, c.body("")).want(t, 409, "not_available").json(t); said["reason"] != "dealt" {
			t.Errorf("%s: refused with %v", c.name, said)
		}
		h.call(c.method, c.path, c.body(`,"sell_dealt":true`), "Authorization: Bearer "+h.tokenOf(clerk)).want(t, 403, "insufficient_scope")
		h.call(c.method, c.path, c.body(`,"sell_dealt":true`)).want(t, c.status, "")
	}
}
