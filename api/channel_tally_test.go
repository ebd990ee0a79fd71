package api

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/ledger" //nolint:depguard // whose records are counted
)

// tallied counts the states of everything that a channel's cells list.
func (h *house) tallied(id string) map[string]any {
	h.t.Helper()
	counts := map[string]any{}
	for _, state := range hotel.SightStates {
		counts[string(state)] = 0.0
	}
	list := h.call("GET", "/v1/channels/"+id+"/cells?date_from=2026-11-21&date_to=2027-11-21&limit=2000", "").want(h.t, 200, "").json(h.t)
	if list["has_more"] != false {
		h.t.Fatal("there are more cells than one page has")
	}
	for _, cell := range list["data"].([]any) {
		for _, g := range cell.(map[string]any)["groups"].(map[string]any) {
			state := g.(map[string]any)["state"].(string)
			counts[state] = counts[state].(float64) + 1
		}
	}
	return counts
}

// What a channel's cells are counted as is what they are listed as, in whatever state
// they are.
func TestChannelCountsItsCells(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	path, ctx := "/v1/channels/"+id, t.Context()
	check := func(when string, states ...hotel.SightState) {
		t.Helper()
		got := h.call("GET", path, "").want(t, 200, "").json(t)["cells"].(map[string]any)
		if diff := cmp.Diff(h.tallied(id), got); diff != "" {
			t.Errorf("%s (-listed +counted):\n%s", when, diff)
		}
		for _, state := range states {
			if got[string(state)] == 0.0 {
				t.Errorf("%s no cell is %s: %v", when, state, got)
			}
		}
	}
	check("told everything", hotel.InSync)

	h.call("POST", "/v1/inventory/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-05","date_to":"2026-12-20","values":{"closed":true}}]}`).want(t, 200, "")
	for {
		w := must(h.ledger.Work(ctx, id, ledger.Reach{}, ledger.Turn{}))(t)
		if w.Empty() {
			break
		}
		if err := h.ledger.Desire(ctx, id, w, houseValues(w)); err != nil {
			t.Fatal(err)
		}
	}
	dirty := must(h.ledger.Dirty(ctx, id, hotel.DateOf(2026, 11, 21), 100))(t)
	send := func(n int) ledger.Settlement {
		t.Helper()
		var cells []ledger.SentCell
		for _, d := range dirty[:n] {
			cells = append(cells, ledger.SentCell{Cell: d.Cell, Value: d.Want})
		}
		dirty = dirty[n:]
		call := must(h.ledger.Begin(ctx, ledger.NewDelivery{ChannelID: id, Kind: ledger.Push, Operation: "set", SentAt: h.clock.Now(), Cells: cells}))(t)
		s := ledger.Settlement{DeliveryID: call.ID, State: ledger.DeliveryPartial, Rejected: map[hotel.Cell]string{}, Unknown: map[hotel.Cell]bool{}}
		for i, c := range cells {
			if i%2 == 0 {
				s.Rejected[c.Cell] = "no"
			} else {
				s.Unknown[c.Cell] = true
			}
		}
		return s
	}
	if err := h.ledger.Settle(ctx, send(4)); err != nil {
		t.Fatal(err)
	}
	send(3) // and nobody answers
	check("in the middle of telling", hotel.InSync, hotel.Pending, hotel.InFlight, hotel.Unclear, hotel.Rejected)

	h.call("POST", path+"/pause", `{"mode":"freeze"}`).want(t, 200, "")
	check("frozen", hotel.HeldBack, hotel.Rejected)
	health := h.call("GET", path, "").want(t, 200, "").json(t)["health"].(map[string]any)
	if oldest, waits := health["oldest_unconfirmed"].(map[string]any); !waits || oldest["room_type_id"] == "" || health["acceptance"].(map[string]any)["counts"] == 0.0 {
		t.Errorf("with values that wait its health is %v", health)
	}

	for _, c := range h.call("GET", "/v1/channels", "").want(t, 200, "").json(t)["data"].([]any) {
		if of := c.(map[string]any); of["cells"] != nil || of["health"] != nil {
			t.Errorf("a list goes through every cell: %v", c)
		}
	}
}

// What the house says and a channel cannot be told is listed with the channel, for
// whoever has to set it there by hand.
func TestChannelListsWhatIsKeptThere(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	restrict := `{"property_id":"hotel_123","entries":[{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-05","date_to":"2026-12-07","values":{"min_advance_days":2,"min_stay_through":3}}]}`
	h.call("POST", "/v1/restrictions/updates", restrict).want(t, 200, "")
	terms := must(h.engine.Configure("mock", must(h.ledger.Channel(t.Context(), id))(t).Settings))(t).Abilities.Terms
	delete(terms.Fields, hotel.FieldMinAdvance)
	if err := h.ledger.KeepTerms(t.Context(), id, terms); err != nil {
		t.Fatal(err)
	}
	kept := func() any {
		t.Helper()
		return h.call("GET", "/v1/channels/"+id, "").want(t, 200, "").json(t)["kept_at_channel"]
	}
	want := []any{map[string]any{"field": "min_advance_days", "nights": 3.0, "date_from": "2026-12-05", "date_to": "2026-12-07"}}
	if diff := cmp.Diff(any(want), kept()); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	h.call("PATCH", "/v1/channels/"+id, `{"absent":{"min_advance_days":"close"}}`).want(t, 200, "")
	if diff := cmp.Diff(any([]any{}), kept()); diff != "" {
		t.Errorf("kept, though its nights are closed (-want +got):\n%s", diff)
	}
}

// A channel that does not take our credentials goes on selling what it shows, and
// cannot be told otherwise.
func TestChannelInErrorPutsRoomsAtRisk(t *testing.T) {
	h := newHouse(t)
	far := openFar(t)
	var refuses atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		far.ServeHTTP(w, r)
	}))
	defer server.Close()
	path := "/v1/channels/" + h.liveAt(server.URL)
	if err := h.engine.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.engine.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if got := h.call("GET", path, "").want(t, 200, "").json(t)["rooms_at_risk"]; got != 0.0 {
		t.Errorf("%v rooms of a channel that is well are at risk", got)
	}
	refuses.Store(true)
	h.call("POST", path+"/test", "").want(t, 502, "channel_error")
	got := h.call("GET", path, "").want(t, 200, "").json(t)
	if got["status"] != "error" || got["rooms_at_risk"].(float64) == 0 {
		t.Errorf("%v with %v rooms at risk", got["status"], got["rooms_at_risk"])
	}
}
