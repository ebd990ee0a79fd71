package api

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger" //nolint:depguard // what channels tell is taken in by it
)

// What somebody here has set on a channel's booking stays until the guest is to have left,
// and a room type that is set back to the booked one follows the channel again.
func TestKeptFieldsSayUntilWhen(t *testing.T) {
	h := newHouse(t)
	path := "/v1/reservations/" + h.sold(h.live(), "B1")
	kept := func() (out string) {
		t.Helper()
		r := h.call("GET", path, "").want(t, 200, "").json(t)
		leaves := must(hotel.ParseDate(r["check_out"].(string)))(t)
		for _, k := range r["kept_fields"].([]any) {
			f := k.(map[string]any)
			if want := leaves.At(11, 0, must(time.LoadLocation("Europe/Vienna"))(t)).UTC().Format("2006-01-02T15:04:05.000Z"); f["until"] != want {
				t.Errorf("%v is kept until %v, want %s", f["field"], f["until"], want)
			}
			out += fmt.Sprint(f["field"], " ")
		}
		return out
	}
	h.call("PATCH", path, `{"room_type_id":"`+h.deluxe.ID+`","adults":1}`).want(t, 200, "")
	if got := kept(); got != "room_type_id adults " {
		t.Errorf("kept: %s", got)
	}
	h.call("PATCH", path, `{"room_type_id":"`+h.standard.ID+`"}`).want(t, 200, "")
	if got := kept(); got != "adults " {
		t.Errorf("kept when the room is the booked one again: %s", got)
	}
}

// What a channel says too late makes no revision; it is told of between them.
func TestIgnoredMessagesAreAmongTheRevisions(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	in := hotel.DateOf(h.clock.Now().Date()) + 9
	says := func(key, revision, event string, nights hotel.Date) string {
		t.Helper()
		got, err := h.ledger.Receive(t.Context(), ledger.Receipt{
			ChannelID: channel, Key: key, Ref: "B1", Event: event, Revision: revision, Order: hotel.OrderRevisionNumber, Raw: []byte("{}"),
			Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{Ref: "1", Room: "STD", Rate: "FLEX", Stay: hotel.Stay{CheckIn: in, CheckOut: in + nights}, Adults: 2}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Reservations) == 0 {
			return ""
		}
		return got.Reservations[0].ID
	}
	id := says("a", "1", "booked", 2)
	says("b", "3", "modified", 4)
	says("c", "2", "modified", 3) // older
	says("c", "2", "modified", 3) // the same message again is none
	says("d", "4", "modified", 5)
	path := "/v1/reservations/" + id
	list, cursor := "", ""
	for {
		page := h.call("GET", path+"/revisions?limit=2"+cursor, "").want(t, 200, "").json(t)
		for _, v := range page["data"].([]any) {
			r := v.(map[string]any)
			out := r["snapshot"].(map[string]any)["check_out"].(string)
			list += fmt.Sprintf("%v %v %d", r["revision"], r["ignored"], must(hotel.ParseDate(out))(t)-in)
			if m, ok := r["message"].(map[string]any); ok {
				list += fmt.Sprintf(" %v %v %v %v %d", r["event"], m["event"], m["channel_revision"], r["origin"], len(r["changes"].([]any)))
			}
			list += "; "
		}
		if page["next_cursor"] == nil {
			break
		}
		cursor = "&cursor=" + page["next_cursor"].(string)
	}
	const want = "1 false 2; 2 false 4; 2 true 4 message.ignored modified 2 channel 0; 3 false 5; "
	if list != want {
		t.Errorf("revisions:\n%s\nwant:\n%s", list, want)
	}
	if all := h.call("GET", path+"?include=revisions", "").want(t, 200, "").json(t)["revisions"].([]any); len(all) != 4 {
		t.Errorf("%d of them come with the reservation", len(all))
	}
}

// The making of a booking of two rooms that comes behind its cancellation makes a revision of
// each, and is told of beside none of them.
func TestALateBookingOfTwoRoomsMadeBothRevisions(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	in := hotel.DateOf(h.clock.Now().Date()) + 9
	room := hotel.ChannelRoom{Ref: "1", Room: "STD", Rate: "FLEX", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2}
	other := room
	other.Ref = "2"
	says := func(key, revision, event string, rooms ...hotel.ChannelRoom) ledger.Received {
		return must(h.ledger.Receive(t.Context(), ledger.Receipt{
			ChannelID: channel, Key: key, Ref: "B1", Event: event, Revision: revision, Order: hotel.OrderRevisionNumber, Raw: []byte("{}"),
			Booking: hotel.ChannelBooking{Rooms: rooms},
		}))(t)
	}
	says("b", "2", "cancelled")
	made := says("a", "1", "booked", room, other)
	if len(made.Reservations) != 2 || !made.Ignored {
		t.Fatalf("received %+v", made)
	}
	for _, r := range made.Reservations {
		list := h.call("GET", "/v1/reservations/"+r.ID+"/revisions", "").want(t, 200, "").json(t)["data"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["ignored"] != false {
			t.Errorf("reservation %s: %v", r.ID, list)
		}
	}
}

// A booking says of its guest what a profile has beside, and changes it.
func TestABookingTellsTheProfileOfItsGuest(t *testing.T) {
	h := newHouse(t)
	book := func(day int, guest string) (string, map[string]any) {
		t.Helper()
		body := fmt.Sprintf(`{"property_id":"hotel_123","room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-%02d","check_out":"2026-12-%02d","adults":1,"guest":%s}`,
			h.standard.ID, h.flex.ID, day, day+1, guest)
		r := h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)
		return r["id"].(string), r["guest"].(map[string]any)
	}
	profile := func(id string) string {
		t.Helper()
		g := h.call("GET", "/v1/reservations/"+id+"?include=guest", "").want(t, 200, "").json(t)["guest"].(map[string]any)
		p := h.call("GET", "/v1/guests/"+g["id"].(string), "").want(t, 200, "").json(t)
		with := g["profile"].(map[string]any)
		for _, name := range []string{"loyalty", "vip", "marketing_consent", "external_ids", "metadata"} {
			if fmt.Sprint(with[name]) != fmt.Sprint(p[name]) {
				t.Errorf("%s is %v with the booking, %v in the profile", name, with[name], p[name])
			}
		}
		consent := "nobody asked"
		if c, ok := p["marketing_consent"].(map[string]any); ok {
			consent = fmt.Sprint(c["granted"])
		}
		return fmt.Sprintf("%v %v %s %v %v", p["loyalty"], p["vip"], consent, p["external_ids"], p["metadata"])
	}
	first, guest := book(1, `{"last_name":"Ada","email":"ada@example.com","loyalty":[{"program":"stars","number":"1"}],"vip":true,`+
		`"marketing_consent":{"granted":true,"at":"2026-11-01T10:00:00Z","source":"web"},"external_ids":{"crm":"7"},"metadata":{"a":"1"}}`)
	if got, want := profile(first), "[map[number:1 program:stars]] true true map[crm:7] map[a:1]"; got != want {
		t.Errorf("booked: %s, want %s", got, want)
	}
	second, same := book(3, `{"last_name":"Ada","email":"ada@example.com","loyalty":[{"program":"stars","number":"2"},{"program":"miles","number":"3"}],"external_ids":{"pms":"8"}}`)
	if same["id"] != guest["id"] {
		t.Fatalf("another guest: %v, %v", same, guest)
	}
	if got, want := profile(second), "[map[number:2 program:stars] map[number:3 program:miles]] true true map[crm:7 pms:8] map[a:1]"; got != want {
		t.Errorf("booked again: %s, want %s", got, want)
	}
	before := h.call("GET", "/v1/reservations/"+second, "").Header.Get("ETag")
	h.call("PATCH", "/v1/reservations/"+second, `{"guest":{"loyalty":[],"vip":false,"marketing_consent":null,"external_ids":{"crm":null},"metadata":{"b":"2"}}}`, "If-Match: "+before).want(t, 200, "")
	if got, want := profile(second), "[] false nobody asked map[pms:8] map[a:1 b:2]"; got != want {
		t.Errorf("changed: %s, want %s", got, want)
	}
	h.call("PATCH", "/v1/reservations/"+second, `{"guest":{"first_name":"A.","vip":true}}`).want(t, 200, "")
	if got, want := profile(second), "[] true nobody asked map[pms:8] map[a:1 b:2]"; got != want {
		t.Errorf("changed with the name: %s, want %s", got, want)
	}
	if got := h.call("PATCH", "/v1/reservations/"+second, `{"guest":{"metadata":{"":"2"}}}`).want(t, 422, "validation_failed").items(t); got[:6] != "/guest" {
		t.Errorf("refused: %s", got)
	}
}
