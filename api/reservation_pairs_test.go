package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// transition is a row of the table of steps, written apart from the program's own.
type transition struct {
	step, body string
	from       []string
	to, event  string
	repeats    bool // asking again is answered with what is so already
}

var transitions = []transition{
	{"request", `{"until":"2026-11-22T10:00:00Z"}`, []string{"enquired"}, "requested", "requested", true},
	{"hold", `{"until":"2026-11-22T10:00:00Z"}`, []string{"enquired"}, "held", "held", true},
	{"confirm", "", []string{"enquired", "requested", "held", "waitlisted"}, "confirmed", "confirmed", true},
	{"decline", `{"decline_reason":"property"}`, []string{"enquired", "requested", "held"}, "declined", "declined", true},
	{"cancel", `{"reason":"guest"}`, []string{"requested", "held", "waitlisted", "confirmed"}, "cancelled", "cancelled", true},
	{"check-in", "", []string{"confirmed"}, "checked_in", "checked_in", true},
	{"check-out", "", []string{"checked_in"}, "checked_out", "checked_out", true},
	{"no-show", `{"charge":true}`, []string{"confirmed", "checked_in"}, "no_show", "no_show", true},
	{"undo-check-in", "", []string{"checked_in"}, "confirmed", "check_in_reverted", false},
	{"undo-check-out", "", []string{"checked_out"}, "checked_in", "check_out_reverted", false},
	{"reinstate", "", []string{"cancelled", "no_show", "declined"}, "confirmed", "reinstated", false},
}

// ways are how a reservation comes into each of the ten statuses: as what it is asked
// for, and the steps from there.
var ways = map[string][]string{
	"enquired": {"enquired"}, "requested": {"requested"}, "held": {"held"}, "waitlisted": {"waitlisted"}, "confirmed": {"confirmed"},
	"checked_in": {"checked_in"}, "checked_out": {"checked_in", "check-out"}, "cancelled": {"confirmed", "cancel"},
	"declined": {"enquired", "decline"}, "no_show": {"confirmed", "no-show"},
}

// Every step in every status: it is answered 200 and told, answered 200 as what is so
// already and not told, or refused with the statuses that can follow.
func TestEveryStepInEveryStatus(t *testing.T) {
	for _, from := range slices.Sorted(maps.Keys(ways)) {
		t.Run(from, func(t *testing.T) {
			h := newHouse(t)
			h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-11-21","date_to":"2026-11-23","values":{"total":100}}`).want(t, 200, "")
			next := func(days int) {
				h.clock.move(time.Duration(days) * 24 * time.Hour)
				h.token = h.tokenOf(h.client)
			}
			take := func(id, step string) reply {
				row := transitions[slices.IndexFunc(transitions, func(r transition) bool { return r.step == step })]
				return h.call("POST", "/v1/reservations/"+id+"/"+step, row.body)
			}
			ids := map[string]string{}
			for _, row := range transitions {
				asked := `"status":"` + ways[from][0] + `"`
				if ways[from][0] == "held" {
					asked += `,"hold_expires_at":"2026-11-22T10:00:00Z"`
				}
				body := strings.Replace(h.booking("2026-11-21", "2026-11-24"), "{", "{"+asked+",", 1)
				ids[row.step] = h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)["id"].(string)
			}
			if from == "no_show" {
				next(1)
			}
			for _, step := range ways[from][1:] {
				for _, id := range ids {
					take(id, step).want(t, 200, "")
				}
			}
			following := []any{}
			for _, row := range transitions {
				if slices.Contains(row.from, from) && !slices.Contains(following, any(row.to)) {
					following = append(following, row.to)
				}
			}
			for _, row := range transitions {
				id, may := ids[row.step], slices.Contains(row.from, from)
				if row.step == "no-show" && from == "checked_in" {
					may = false // somebody saw the guest come
				}
				if row.step == "no-show" && from == "confirmed" {
					take(id, row.step).want(t, 409, "invalid_transition") // not before the night is over
					continue
				}
				h.step(t, id, from, row, may, following, take)
			}
			if from == "confirmed" {
				next(1)
				late := transitions[slices.IndexFunc(transitions, func(r transition) bool { return r.step == "no-show" })]
				h.step(t, ids[late.step], from, late, true, following, take)
			}
		})
	}
}

// step takes one step, and looks at the answer and at what is told of it.
func (h *house) step(t *testing.T, id, from string, row transition, may bool, following []any, take func(id, step string) reply) {
	t.Helper()
	after := h.end()
	got := take(id, row.step)
	var told []string
	_, page := h.events("?limit=200&type=reservation.*&after=" + after)
	for _, e := range page["data"].([]any) {
		event := e.(map[string]any)
		if event["data"].(map[string]any)["object"].(map[string]any)["id"] == id {
			told = append(told, event["type"].(string))
		}
	}
	switch {
	case may:
		if got.StatusCode != 200 || got.json(t)["status"] != row.to || !slices.Equal(told, []string{"reservation." + row.event}) {
			t.Errorf("%s: %d %s, told as %v", row.step, got.StatusCode, got.body, told)
		}
	case row.repeats && row.to == from:
		if got.StatusCode != 200 || got.json(t)["status"] != from || len(told) > 0 {
			t.Errorf("%s again: %d %s, told as %v", row.step, got.StatusCode, got.body, told)
		}
	default:
		refused := got.want(t, 409, "invalid_transition").json(t)
		if row.step == "no-show" { // which the status allows: but somebody has seen the guest
			following = slices.DeleteFunc(slices.Clone(following), func(status any) bool { return status == row.to })
		}
		if refused["from"] != from || refused["to"] != row.to || fmt.Sprint(refused["allowed"]) != fmt.Sprint(following) || len(told) > 0 {
			t.Errorf("%s: refused with %v, want %v; told as %v", row.step, refused, following, told)
		}
	}
}
