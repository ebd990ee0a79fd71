package api

import (
	"fmt"
	"strings"
	"testing"
)

// A client that stands for a channel books what names the channel, and nothing that is
// sold to everybody else.
func TestAChannelsClientBooksWhatIsSoldToIt(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	body := h.booking("2026-12-01", "2026-12-02")
	errors := h.call("POST", "/v1/reservations", body, as).want(t, 422, "validation_failed").json(t)["errors"].([]any)
	if code := errors[0].(map[string]any)["code"]; code != "unknown_rate_plan" {
		t.Errorf("refused as %v", code)
	}
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.call("POST", "/v1/reservations", body, as).want(t, 201, "")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 201, "")
	for id, status := range map[string]int{channel: 201, "direct": 201, "ch_other": 422} {
		of := strings.Replace(h.booking("2026-12-05", "2026-12-06"), "{", `{"source":{"channel_id":"`+id+`"},`, 1)
		if r := h.call("POST", "/v1/reservations", of, as); r.StatusCode != status {
			t.Errorf("as %s: %d %s", id, r.StatusCode, r.Body)
		}
	}
}

// What is kept from a channel, and the most that it is shown, bind its client's bookings
// as well: nobody else's.
func TestAChannelsClientBooksNoMoreThanItIsShown(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	for night, values := range map[string]string{"2026-12-01": `{"keep_back":{"` + channel + `":3}}`, "2026-12-03": `{"channel_limits":{"` + channel + `":0}}`} {
		h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"`+night+`","date_to":"`+night+`","values":`+values+`}`).want(t, 200, "")
	}
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(3, "", "2026-12-01", "2026-12-02"), as).want(t, 409, "not_available")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 201, "")
	for in, out := range map[string]string{"2026-12-01": "2026-12-02", "2026-12-03": "2026-12-04"} {
		if said := h.call("POST", "/v1/reservations", h.booking(in, out), as).want(t, 409, "not_available").json(t); said["reason"] != "full" {
			t.Errorf("%s: refused with %v", in, said)
		}
		h.call("POST", "/v1/reservations", h.booking(in, out)).want(t, 201, "")
	}
}

// Nor does such a client take a room that is kept from its channel with a booking that it
// has: by confirming what took none, by reinstating, or by moving to another room type.
func TestAChannelsClientTakesNoMoreThanItIsShown(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	book := func(status string) string {
		body := strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, `"status":"`+status+`","adults"`, 1)
		return "/v1/reservations/" + h.call("POST", "/v1/reservations", body, as).want(t, 201, "").json(t)["id"].(string)
	}
	enquiry, cancelled, moved := book("enquired"), book("confirmed"), book("confirmed")
	h.call("POST", cancelled+"/cancel", `{"reason":"guest"}`, as).want(t, 200, "")
	for _, room := range []string{h.standard.ID, h.deluxe.ID} {
		h.update("inventory", `{"room_type_id":"`+room+`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"channel_limits":{"`+channel+`":0}}}`).want(t, 200, "")
	}
	h.call("POST", enquiry+"/confirm", "{}", as).want(t, 409, "not_available")
	h.call("POST", cancelled+"/reinstate", "{}", as).want(t, 409, "not_available")
	h.call("PATCH", moved, `{"room_type_id":"`+h.deluxe.ID+`"}`, as).want(t, 409, "not_available")
	h.call("POST", enquiry+"/confirm", `{"done_at_channel":true}`).want(t, 200, "") // the house may
	h.call("POST", cancelled+"/reinstate", "{}").want(t, 200, "")
}

// A client that stands for a channel is told the rooms that it can book here, in every
// place alike: without those that are kept from its channel, and of a guarded pool those
// that are granted to no channel. What its channel was granted, that sells by itself.
func TestAChannelsClientIsToldWhatItCanBook(t *testing.T) {
	h := newHouse(t)
	h.dealt()
	channel := h.call("GET", "/v1/channels", "").want(t, 200, "").ids(t)
	mine, as := "Authorization: Bearer "+h.token, "Authorization: Bearer "+h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-02","date_to":"2026-12-02","values":{"keep_back":{"`+channel+`":2}}}`).want(t, 200, "")
	h.call("PATCH", "/v1/pools/"+h.deluxe.Consumes[0].AnyOf[0], `{"direct_weight":1000000}`).want(t, 200, "")
	h.update("inventory", `{"room_type_id":"`+h.deluxe.ID+`","date_from":"2026-12-01","date_to":"2026-12-05","values":{"total":5}}`).want(t, 200, "")
	told := func(as string) string {
		t.Helper()
		answer := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&include=stay_details", "", as).want(t, 200, "").json(t)
		said := ""
		for i, room := range answer["rooms"].([]any) {
			more := answer["stay"].(map[string]any)["rooms"].([]any)[i].(map[string]any)
			said += fmt.Sprintf("%v %v %v; ", room.(map[string]any)["available"], more["direct"], more["recallable"])
		}
		return said
	}
	if got := told(as); got != "3 3 0; 2 2 3; " {
		t.Errorf("the channel's client is told %s", got)
	}
	if got := told(mine); got != "5 5 0; 2 2 3; " {
		t.Errorf("the house's client is told %s", got)
	}
	inventory := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&channel_id=" + channel + "&room_type_id=" + h.deluxe.ID
	cell := h.call("GET", inventory, "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if got := fmt.Sprint(cell["available"], cell["channel_available"], cell["channel_bookable"]); got != "5 3 2" {
		t.Errorf("of the rooms the channel is shown, and its client can book: %s", got)
	}
	past := h.call("GET", inventory+"&as_of=2026-11-21T10:00:00Z", "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if shown, told := past["channel_available"]; told {
		t.Errorf("of the past the channel is said to have been shown %v", shown)
	}
	book := func(room string) reply {
		return h.call("POST", "/v1/reservations", strings.Replace(h.booking("2026-12-01", "2026-12-03"), h.standard.ID, room, 1), as)
	}
	for sold, want := range []string{"3 3 0; 2 2 3; ", "3 3 0; 1 1 3; "} {
		if got := told(as); got != want {
			t.Errorf("with %d sold it is told %s, want %s", sold, got, want)
		}
		book(h.deluxe.ID).want(t, 201, "")
	}
	if said := book(h.deluxe.ID).want(t, 409, "not_available").json(t); said["reason"] != "dealt" || said["recallable"] != 3.0 || told(as) != "3 3 0; 0 0 3; " {
		t.Errorf("told %s, and refused with %v", told(as), said)
	}
	h.update("inventory", `{"room_type_id":"`+h.deluxe.ID+`","date_from":"2026-12-02","date_to":"2026-12-02","values":{"channel_limits":{"`+channel+`":0}}}`).want(t, 200, "")
	if said := book(h.deluxe.ID).want(t, 409, "not_available").json(t); said["reason"] != "full" || told(as) != "3 3 0; 0 0 0; " {
		t.Errorf("of rooms that its channel is not shown: told %s, and refused with %v", told(as), said)
	}
}

// Nor does it book more rooms at once than it is shown.
func TestAChannelsClientBooksNoLargerGroupThanItIsShown(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"channel_limits":{"`+channel+`":2}}}`).want(t, 200, "")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(3, "", "2026-12-01", "2026-12-02"), as).want(t, 409, "not_available")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 201, "")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(3, "", "2026-12-01", "2026-12-02")).want(t, 201, "") // the house may
}

// A client that stands for a channel sees the rooms that are promised to its channel, and
// hears of them and of what somebody has to decide about it: of nobody else's.
func TestAChannelsClientSeesWhatIsPromisedToItsChannel(t *testing.T) {
	h := newHouse(t)
	channel, other := h.draft(), h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	block := func(more string) string {
		return h.call("POST", "/v1/blocks", h.blockJSON(more)).want(t, 201, "").json(t)["id"].(string)
	}
	own := block(`,"status":"definite","channel_id":"` + channel + `"`)
	theirs := []string{block(`,"status":"definite","channel_id":"` + other + `"`), block("")}
	if got := h.call("GET", "/v1/blocks", "", as).want(t, 200, "").ids(t); got != own {
		t.Errorf("its blocks are %s, want %s", got, own)
	}
	if got := h.call("GET", "/v1/blocks?channel_id="+other, "", as).want(t, 200, "").ids(t); got != "" {
		t.Errorf("the other channel's are %s", got)
	}
	h.call("GET", "/v1/blocks/"+own, "", as).want(t, 200, "")
	for _, id := range theirs {
		h.call("GET", "/v1/blocks/"+id, "", as).want(t, 404, "not_found")
	}
	subjects := func(group string) (told []string) {
		for _, e := range h.call("GET", "/v1/events?type="+group, "", as).want(t, 200, "").json(t)["data"].([]any) {
			told = append(told, e.(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["id"].(string))
		}
		return told
	}
	if got := subjects("block.*"); len(got) != 1 || got[0] != own {
		t.Errorf("it hears of the blocks %v, want %s", got, own)
	}
	for _, id := range []string{channel, other} {
		h.call("POST", "/v1/channels/"+id+"/test", "").want(t, 200, "")
		h.unmapped(id, "B1")
	}
	conflicts := h.call("GET", "/v1/conflicts", "", as).want(t, 200, "").ids(t)
	if got := subjects("sync.*"); conflicts == "" || len(got) != 1 || got[0] != conflicts {
		t.Errorf("it hears of the conflicts %v, and is shown %s", got, conflicts)
	}
}

// What somebody has to decide about a channel, what its client hears of it, and why the
// channel is shown a number, name no booking of anybody else, and no other channel: the
// house's own client is told of both.
func TestAChannelsClientIsToldOfNobodyElsesBookings(t *testing.T) {
	h := newHouse(t)
	other := h.draft()
	channel := h.live()
	house, as := "Authorization: Bearer "+h.token, "Authorization: Bearer "+h.tokenOf(h.ota(channel))
	book := func(source, more string) string {
		body := strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, source+more+`"adults"`, 1)
		return h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)["id"].(string)
	}
	from := func(channel, ref string) string {
		return `"source":{"channel_id":"` + channel + `","channel_reference":"` + ref + `"},`
	}
	foreign := []string{other, book("", ""), book(from(other, "B1"), "")}
	for range 3 { // the house is full
		foreign = append(foreign, book("", ""))
	}
	own := book(from(channel, "A1"), `"allow_overbooking":true,`)
	foreign = append(foreign, book("", `"allow_overbooking":true,`))
	houses := 0
	for _, c := range h.call("GET", "/v1/conflicts", "", house).want(t, 200, "").json(t)["data"].([]any) {
		if of := c.(map[string]any); of["channel_id"] == nil {
			houses, foreign = houses+1, append(foreign, of["id"].(string))
		}
	}
	if houses == 0 {
		t.Error("the house has no conflict of its own")
	}
	kinds := map[string]bool{}
	paths := []string{"/v1/conflicts", "/v1/events?type=sync.*&limit=200", "/v1/channels/" + channel + "/explain?date=2026-12-01&room_type_id=" + h.standard.ID + "&rate_plan_id=" + h.flex.ID}
	for _, c := range h.call("GET", paths[0], "", as).want(t, 200, "").json(t)["data"].([]any) {
		kinds[c.(map[string]any)["kind"].(string)] = true
		paths = append(paths, "/v1/conflicts/"+c.(map[string]any)["id"].(string))
	}
	if !kinds["duplicate_suspect"] || !kinds["oversell"] {
		t.Errorf("it is told of conflicts of the kinds %v", kinds)
	}
	names := func(body []byte) (n int) {
		for _, id := range foreign {
			n += strings.Count(string(body), id)
		}
		return n
	}
	for i, path := range paths {
		mine := h.call("GET", path, "", as).want(t, 200, "")
		if n := names(mine.body); n > 0 {
			t.Errorf("%s names what is others' %d times: %s", path, n, mine.body)
		}
		if theirs := h.call("GET", path, "", house).want(t, 200, ""); i < 3 && names(theirs.body) == 0 {
			t.Errorf("%s tells the house nothing that could be kept from the channel: %s", path, theirs.body)
		}
		if i > 2 && !strings.Contains(string(mine.body), own) {
			t.Errorf("%s does not name its own booking %s: %s", path, own, mine.body)
		}
	}
}

// Nor does it take a room that is promised to somebody else, alone or among several: a block
// of another channel, or of the house, is one that does not exist.
func TestAChannelsClientDrawsFromItsOwnBlocks(t *testing.T) {
	h := newHouse(t)
	channel, other := h.draft(), h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	draw := func(block string) (alone, grouped reply) {
		body := strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, `"block_id":"`+block+`","adults"`, 1)
		return h.call("POST", "/v1/reservations", body, as),
			h.call("POST", "/v1/reservation-groups", h.groupOfRooms(1, `,"block_id":"`+block+`"`, "2026-12-01", "2026-12-02"), as)
	}
	noneAlone, noneGrouped := draw("nothing")
	for of, more := range map[string]string{"another channel": `,"channel_id":"` + other + `"`, "a group": ""} {
		block := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite"`+more)).want(t, 201, "").json(t)["id"].(string)
		alone, grouped := draw(block)
		if alone.want(t, 422, "validation_failed").items(t) != noneAlone.items(t) || grouped.want(t, 422, "validation_failed").items(t) != noneGrouped.items(t) {
			t.Errorf("of %s: %s, %s; of none: %s, %s", of, alone.body, grouped.body, noneAlone.body, noneGrouped.body)
		}
		h.call("POST", "/v1/blocks/"+block+"/release", "{}").want(t, 200, "")
	}
	own := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite","channel_id":"`+channel+`"`)).want(t, 201, "").json(t)["id"].(string)
	alone, grouped := draw(own)
	alone.want(t, 201, "")
	grouped.want(t, 201, "")
}

// A client that stands for a channel has the reports of its channel: of its bookings, and
// of the rooms of the house and the share in them nothing.
func TestAChannelsClientReportsOnItsChannel(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "")
	own := strings.Replace(h.booking("2026-12-02", "2026-12-03"), `"adults"`, `"source":{"channel_id":"`+channel+`","channel_reference":"A1"},"adults"`, 1)
	h.call("POST", "/v1/reservations", own).want(t, 201, "")
	for _, test := range []struct{ report, more, want string }{
		{"occupancy", "", "rooms_total null rooms_available null rooms_blocked null rooms_sold 1 occupancy_pct null arrivals 1"},
		{"revenue", "", "room_revenue 99.00 adr 99.00 revpar null trevpar null"},
		{"channels", "", "reservations 1 room_nights 1 share_room_nights_pct null share_revenue_pct null"},
		{"cancellations", "", "booked 1 cancelled 0"},
		{"lead-time", "", "reservations 1"},
		{"pickup", "&pickup_since=2026-11-20T10:00:00Z", "rooms_added 1 otb_rooms 1"},
	} {
		got := h.call("GET", "/v1/reports/"+test.report+"?"+december+test.more, "", as).want(t, 200, "")
		h.fits(t, test.report, got.body)
		checkFigures(t, test.report, got.json(t)["totals"].(map[string]any), test.want)
		if strings.Contains(string(got.body), "direct") {
			t.Errorf("%s tells of direct sales: %s", test.report, got.body)
		}
	}
	rows := h.call("GET", "/v1/reports/channels?"+december+"&group_by=channel", "", as).want(t, 200, "").json(t)["rows"].([]any)
	if len(rows) != 1 || rows[0].(map[string]any)["channel_id"] != channel {
		t.Errorf("the mix of channels is %v", rows)
	}
}
