package api

import (
	"context"
	"fmt"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger" //nolint:depguard // what channels tell is taken in by it
)

// unmapped has a channel tell of a booking whose room is not mapped, and returns
// the conflict about it.
func (h *house) unmapped(channel, ref string) string {
	h.t.Helper()
	in := hotel.DateOf(h.clock.Now().Date()) + 9
	_, err := h.ledger.Receive(context.Background(), ledger.Receipt{
		ChannelID: channel, Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderRevisionNumber, Raw: []byte("{}"),
		Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{Ref: "1", Room: "ZZZ", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2}}},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	list := h.call("GET", "/v1/conflicts?status=open&channel_id="+channel, "").want(h.t, 200, "").json(h.t)["data"].([]any)
	if len(list) == 0 {
		h.t.Fatal("no conflict was raised")
	}
	return list[0].(map[string]any)["id"].(string)
}

func TestConflicts(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	h.call("POST", "/v1/channels/"+channel+"/test", "").want(t, 200, "")
	id := h.unmapped(channel, "B1")
	got := h.call("GET", "/v1/conflicts/"+id, "").want(t, 200, "")
	c := got.json(t)
	if c["kind"] != "unmapped_booking" || c["status"] != "open" || c["severity"] != "critical" || c["channel_id"] != channel || c["decided_by"] != nil {
		t.Errorf("raised %s", got.body)
	}
	if s := c["subject"].(map[string]any); s["type"] != "reservation" || c["facts"].(map[string]any)["channel_reference"] != "B1" {
		t.Errorf("subject %v, facts %v", s, c["facts"])
	}
	if again := h.call("GET", "/v1/conflicts/"+id, "", "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("read again: %d", again.StatusCode)
	}
	if open := h.call("GET", "/v1/channels/"+channel, "").json(t)["open_conflicts"]; open != 1.0 {
		t.Errorf("the channel has %v open conflicts", open)
	}

	resolve := "/v1/conflicts/" + id + "/resolve"
	h.call("POST", resolve, `{"option":"forget"}`).want(t, 422, "validation_failed")
	for body, want := range map[string]string{
		`{"option":"forget"}`:                                "/option unknown_option",
		`{"option":"keep_unassigned","arguments":{"n":1}}`:   "/arguments/n unknown_field",
		`{"option":"keep_unassigned","arguments":["n",1,2]}`: "/arguments type",
	} {
		item := h.call("POST", resolve, body).want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if got := fmt.Sprintf("%s %s", item["pointer"], item["code"]); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	h.call("POST", "/v1/conflicts/none/resolve", `{"option":"keep_unassigned"}`).want(t, 404, "not_found")
	settled := h.call("POST", resolve, `{"option":"keep_unassigned","note":"called them"}`, "Idempotency-Key: a").want(t, 200, "").json(t)
	if settled["decided_by"] != h.client.ID {
		t.Errorf("decided by %v, and not by the client %s", settled["decided_by"], h.client.ID)
	}
	if settled["status"] != "resolved" || settled["resolution"].(map[string]any)["note"] != "called them" || settled["decided_by"] == nil || settled["revision"] != 2.0 {
		t.Errorf("settled %v", settled)
	}
	if r := h.call("POST", resolve, `{"option":"keep_unassigned","note":"called them"}`, "Idempotency-Key: a").want(t, 200, ""); r.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("the repeat is not told as one")
	}
	h.call("POST", resolve, `{"option":"keep_unassigned"}`).want(t, 200, "")
	if late := h.call("POST", resolve, `{"option":"map","arguments":{"room_type_id":"`+h.standard.ID+`"}}`).want(t, 409, "conflict_already_resolved").json(t)["detail"]; late != "It was settled by "+h.client.ID+": keep_unassigned." {
		t.Errorf("who settled it is told as %q, and decided_by has %v", late, settled["decided_by"])
	}
}

// Who has no grant for a house does not learn that it is there.
func TestAGuestIsWalkedToAGrantedHouse(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	h.call("POST", "/v1/channels/"+channel+"/test", "").want(t, 200, "")
	id := h.unmapped(channel, "B1")
	c, _ := h.newClient("limited", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "hotel_123")
	for _, house := range []string{"hotel_456", "none"} {
		r := h.call("POST", "/v1/conflicts/"+id+"/resolve", `{"option":"walk","arguments":{"property_id":"`+house+`"}}`, "Authorization: Bearer "+h.tokenOf(c))
		item := r.want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if got := fmt.Sprintf("%s %s", item["pointer"], item["code"]); got != "/arguments/property_id enum" {
			t.Errorf("%s: %s", house, got)
		}
	}
}

// TestWhatAnOptionWritesNeedsItsScope: the inbox opens nothing that its reader could
// not write directly.
func TestWhatAnOptionWritesNeedsItsScope(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	h.call("POST", "/v1/channels/"+channel+"/test", "").want(t, 200, "")
	id := h.unmapped(channel, "B1")
	of := map[string]string{}
	for _, o := range h.call("GET", "/v1/conflicts/"+id, "").want(t, 200, "").json(t)["options"].([]any) {
		of[o.(map[string]any)["option"].(string)] = fmt.Sprint(o.(map[string]any)["needs_scope"])
	}
	if got := fmt.Sprint(of); got != "map[keep_unassigned:[] map:[reservations:write]]" {
		t.Errorf("options need %s", got)
	}
	c, _ := h.newClient("inbox", auth.ScopesOf(auth.ChannelsRead, auth.ChannelsWrite), "hotel_123")
	bearer := "Authorization: Bearer " + h.tokenOf(c)
	refused := func(method, path, body, scope string) {
		t.Helper()
		if got := h.call(method, path, body, bearer).want(t, 403, "insufficient_scope").json(t)["scope"]; got != scope {
			t.Errorf("%s %s names %v, want %s", path, body, got, scope)
		}
	}
	refused("POST", "/v1/conflicts/"+id+"/resolve", `{"option":"map","arguments":{"room_type_id":"x","rate_plan_id":"y"}}`, "reservations:write")
	h.call("POST", "/v1/conflicts/"+id+"/resolve", `{"option":"keep_unassigned"}`, bearer).want(t, 200, "")

	for _, path := range []string{"/v1/channels/" + channel + "/policies", "/v1/properties/hotel_123/policies"} {
		moves := `{"oversell":"move","on_deadline":{"exposed":{"after":5,"option":"close_all"}}}`
		refused("PUT", path, `{"oversell":"move"}`, "reservations:write")
		refused("PUT", path, `{"staleness":{"after_minutes":9,"free_at_most":0,"then":["close_out"]}}`, "inventory:write")
		refused("PUT", path, `{"on_deadline":{"exposed":{"after":5,"option":"close_all"}}}`, "inventory:write")
		refused("PUT", path, `{"drift":{"available":"theirs"}}`, "inventory:write")
		refused("PUT", path, `{"drift":{"amount":"theirs"}}`, "rates:write")
		refused("PUT", path, `{"drift":{"closed":"theirs","amount":"ask"}}`, "rates:write")
		h.call("PUT", path, `{"drift":{"amount":"theirs"}}`).want(t, 200, "")
		h.call("PUT", path, `{"drift":{"amount":"theirs","available":"ask"}}`, bearer).want(t, 200, "") // it was so before
		refused("PUT", path, `{"guarded_unsafe":"accept_risk"}`, "reservations:override")
		h.call("PUT", path, `{"guarded_unreachable":"accept_risk"}`).want(t, 200, "")
		h.call("PUT", path, `{"guarded_unreachable":"accept_risk"}`, bearer).want(t, 200, "") // it was so before
		refused("PUT", path, `{"guarded_unreachable":"accept_risk","guarded_unsafe":"accept_risk"}`, "reservations:override")
		h.call("PUT", path, moves).want(t, 200, "")
		h.call("PUT", path, moves, bearer).want(t, 200, "") // it was so before
		h.call("PUT", path, `{"oversell":"accept"}`, bearer).want(t, 200, "")
	}
	for _, k := range hotel.ConflictKinds() {
		for _, o := range hotel.ConflictOptions(k) {
			for _, scope := range o.Needs {
				if auth.ScopesOf(auth.Scope(scope)) == 0 {
					t.Errorf("%s of %s needs %s, which is no scope", o.Option, k, scope)
				}
			}
		}
	}
}

func TestConflictsAreListed(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	h.call("POST", "/v1/channels/"+channel+"/test", "").want(t, 200, "")
	var ids []string
	for i := range 3 {
		ids = append(ids, h.unmapped(channel, fmt.Sprintf("B%d", i)))
	}
	h.call("POST", "/v1/conflicts/"+ids[0]+"/resolve", `{"option":"keep_unassigned"}`).want(t, 200, "")
	for query, want := range map[string]int{
		"": 3, "?property_id=hotel_123": 3, "?property_id=hotel_456": 0, "?status=open": 2, "?status=resolved": 1, "?kind=drift": 0, "?kind=unmapped_booking": 3,
		"?severity=info": 0, "?channel_id=ch_none": 0, "?since=2099-01-01T00:00:00Z": 0, "?since=2000-01-01T00:00:00Z": 3,
	} {
		if n := len(h.call("GET", "/v1/conflicts"+query, "").want(t, 200, "").json(t)["data"].([]any)); n != want {
			t.Errorf("%q lists %d, want %d", query, n, want)
		}
	}
	h.call("GET", "/v1/conflicts?property_id=none", "").want(t, 404, "property_not_found")
	first := h.call("GET", "/v1/conflicts?limit=2", "").want(t, 200, "").json(t)
	if first["has_more"] != true || first["data"].([]any)[0].(map[string]any)["id"] != ids[2] {
		t.Errorf("first page %v", first)
	}
	second := h.call("GET", "/v1/conflicts?limit=2&cursor="+first["next_cursor"].(string), "").want(t, 200, "").json(t)
	if data := second["data"].([]any); len(data) != 1 || data[0].(map[string]any)["id"] != ids[0] || second["has_more"] != false {
		t.Errorf("second page %v", second)
	}
}

func TestPolicies(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	effective := func(path, field string) any {
		return h.call("GET", path, "").want(t, 200, "").json(t)["effective"].(map[string]any)[field]
	}
	of, house := "/v1/channels/"+channel+"/policies", "/v1/properties/hotel_123/policies"
	h.call("PUT", house, `{"price_mismatch_pct":2.555}`).want(t, 422, "validation_failed")
	h.call("PUT", house, `{"price_mismatch_pct":2.5}`).want(t, 200, "")
	if got := h.call("GET", house, "").want(t, 200, "").json(t)["price_mismatch_pct"]; got != 2.5 {
		t.Errorf("price_mismatch_pct is %v", got)
	}
	if got := fmt.Sprint(effective(of, "drift.amount")); got != "map[field:drift.amount level:default value:ours]" {
		t.Errorf("at first %s", got)
	}
	h.call("PUT", house, `{"drift":{"amount":"theirs","closed":"ask"}}`).want(t, 200, "")
	h.call("PUT", of, `{"drift":{"amount":"ask"}}`).want(t, 200, "")
	for field, want := range map[string]string{"drift.amount": "channel ask", "drift.closed": "property ask", "drift.available": "default ours"} {
		p := effective(of, field).(map[string]any)
		if got := fmt.Sprintf("%s %s", p["level"], p["value"]); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	conflicts := `{"unmapped_booking":"keep_unassigned","on_deadline":{"drift":{"after":60,"option":"ours"}}}`
	said := h.call("PUT", of, conflicts).want(t, 200, "").json(t)
	if got := fmt.Sprint(said["unmapped_booking"], said["on_deadline"], effective(of, "unmapped_booking")); got !=
		"keep_unassignedmap[drift:map[after:60 option:ours]] map[field:unmapped_booking level:channel value:keep_unassigned]" {
		t.Errorf("policies about conflicts read %s", got)
	}
	said = h.call("PUT", house, `{"drift":{"amount":"theirs","closed":"ask"},"staleness":{"after_minutes":5,"free_at_most":0,"then":["call"]}}`).want(t, 200, "").json(t)
	if got := fmt.Sprint(said["staleness"], effective(of, "staleness")); got !=
		"map[after_minutes:5 free_at_most:0 then:[call]] map[field:staleness level:property value:after 5 minutes, at most 0 free: call]" {
		t.Errorf("the policy about staleness reads %s", got)
	}
	said = h.call("PUT", house, `{"drift":{"amount":"theirs"},"blast_radius":{"cells":0}}`).want(t, 200, "").json(t)
	if got := fmt.Sprint(said["blast_radius"], effective(of, "blast_radius")); got != "map[cells:0] map[field:blast_radius level:property value:0 cells]" {
		t.Errorf("the policy about large changes reads %s", got)
	}
	set := h.call("PUT", of, `{"drift":{"amount":"ask"}}`).want(t, 200, "")
	h.call("PUT", of, `{}`, "If-Match: "+set.Header.Get("ETag")).want(t, 200, "")
	h.call("PUT", of, `{"drift":{"amount":"ours"}}`, "If-Match: "+set.Header.Get("ETag")).want(t, 412, "precondition_failed")
	if got := fmt.Sprint(effective(of, "drift.amount")); got != "map[field:drift.amount level:property value:theirs]" {
		t.Errorf("taken back, %s", got)
	}
	for body, want := range map[string]string{
		`{"drift":{"colour":"ours"}}`:                                         "/drift/colour unknown_field",
		`{"drift":{"amount":"mine"}}`:                                         "/drift/amount enum",
		`{"on_deadline":{"drift":{"after":5,"option":"x"}}}`:                  "/on_deadline/drift/option unknown_option",
		`{"staleness":{"after_minutes":0,"free_at_most":0,"then":[]}}`:        "/staleness/after_minutes min",
		`{"staleness":{"after_minutes":9,"free_at_most":0,"then":["shout"]}}`: "/staleness/then/0 enum",
		`{"staleness":{"after_minutes":9,"free_at_most":0}}`:                  "/staleness/then required",
		`{"blast_radius":{"cells":-1}}`:                                       "/blast_radius/cells min",
		`{"drift":{"amount":"ours"},}`:                                        "",
	} {
		r := h.call("PUT", of, body)
		if want == "" {
			r.want(t, 400, "malformed_json")
			continue
		}
		item := r.want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if got := fmt.Sprintf("%s %s", item["pointer"], item["code"]); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	h.call("GET", "/v1/channels/none/policies", "").want(t, 404, "not_found")
	h.call("GET", "/v1/properties/none/policies", "").want(t, 404, "property_not_found")
}

// FuzzConflictDecision: no body makes the server fail.
func FuzzConflictDecision(f *testing.F) {
	f.Add(`{"option":"ours","note":"x"}`)
	f.Add(`{"option":null}`)
	h := newHouse(f)
	f.Fuzz(func(t *testing.T, body string) {
		h := *h
		h.t = t
		if r := h.call("POST", "/v1/conflicts/none/resolve", body); r.StatusCode >= 500 {
			t.Errorf("%d for %q", r.StatusCode, body)
		}
	})
}
