package api

import (
	"fmt"
	"testing"

	"ostler.example/hotel"
	"ostler.example/ledger" //nolint:depguard // what channels tell is taken in by it
)

// sold has a channel tell of a booking of four nights, and returns its reservation.
func (h *house) sold(channel, ref string) string {
	h.t.Helper()
	in := hotel.DateOf(h.clock.Now().Date()) + 9
	got, err := h.ledger.Receive(h.t.Context(), ledger.Receipt{
		ChannelID: channel, Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderRevisionNumber, Raw: []byte("{}"),
		Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{Ref: "1", Room: "STD", Rate: "FLEX", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 4}, Adults: 2}}},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return got.Reservations[0].ID
}

// answers is the channel's yes or no to what it was asked.
func (h *house) answers(channel string, state ledger.DeliveryState) {
	h.t.Helper()
	ctx := h.t.Context()
	list := must(h.ledger.AskedOfChannel(ctx, channel))(h.t)
	if len(list) != 1 {
		h.t.Fatalf("asked of it: %+v", list)
	}
	call := must(h.ledger.Begin(ctx, ledger.NewDelivery{ChannelID: channel, Kind: ledger.Act, Operation: "act", SentAt: h.clock.Now(), Asked: list[0]}))(h.t)
	if err := h.ledger.Answered(ctx, list[0], ledger.Settlement{DeliveryID: call.ID, State: state, Error: "no"}); err != nil {
		h.t.Fatal(err)
	}
}

func TestChannelActions(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	id := h.sold(channel, "B1")
	path := "/v1/reservations/" + id
	in := h.call("GET", path, "").want(t, 200, "").json(t)

	action := func(r map[string]any) string {
		list := r["channel_actions"].([]any)
		if len(list) == 0 {
			return ""
		}
		last := list[len(list)-1].(map[string]any)
		return fmt.Sprintf("%s %s %v", last["kind"], last["state"], last["deadline"] != nil)
	}
	shorter := `{"check_out":"` + (must(hotel.ParseDate(in["check_out"].(string)))(t) - 1).String() + `"}`
	asked := h.call("PATCH", path, shorter, "Idempotency-Key: shorter").want(t, 202, "").json(t)
	if asked["check_out"] != in["check_out"] || action(asked) != "shorten asked true" {
		t.Errorf("asked to shorten: %v, %v", asked["check_out"], asked["channel_actions"])
	}
	h.call("PATCH", path, `{"notes":"late"}`).want(t, 200, "")
	h.call("PATCH", path, shorter).want(t, 202, "")
	refused := h.call("POST", path+"/cancel", `{"reason":"repairs"}`).want(t, 409, "channel_action_open").json(t)
	if open := asked["channel_actions"].([]any)[0].(map[string]any); refused["deadline"] != open["deadline"] || refused["action"] != "shorten" {
		t.Errorf("refused with %v while it is asked %v", refused, open)
	}
	h.answers(channel, ledger.DeliveryApplied)
	if again := h.call("PATCH", path, shorter, "Idempotency-Key: shorter").want(t, 202, "").json(t); again["check_out"] == in["check_out"] || action(again) != "shorten accepted true" {
		t.Errorf("replayed: %v, %v", again["check_out"], again["channel_actions"])
	}
	h.call("PATCH", path, shorter).want(t, 200, "")

	if r := h.call("POST", path+"/cancel", `{"reason":"repairs"}`).want(t, 202, "").json(t); r["status"] != "confirmed" {
		t.Errorf("asked to cancel it is %v", r["status"])
	}
	h.answers(channel, ledger.DeliveryRejected)
	conflict := h.call("GET", "/v1/conflicts?status=open&kind=cancel_asked", "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if facts := conflict["facts"].(map[string]any); facts["answer"] != "refused" || facts["words"] != "no" {
		t.Errorf("raised with %v", facts)
	}
	h.call("POST", "/v1/conflicts/"+conflict["id"].(string)+"/resolve", `{"option":"retry"}`).want(t, 200, "")
	h.call("POST", path+"/cancel", `{"reason":"repairs"}`).want(t, 202, "")
	h.answers(channel, ledger.DeliveryApplied)
	if r := h.call("POST", path+"/cancel", `{"reason":"repairs"}`).want(t, 200, "").json(t); r["status"] != "cancelled" || action(r) != "cancel accepted true" {
		t.Errorf("cancelled: %v, %v", r["status"], r["channel_actions"])
	}
	told := 0
	for _, e := range h.call("GET", "/v1/events?limit=200&type=reservation.channel_action", "").want(t, 200, "").json(t)["data"].([]any) {
		if e.(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["id"] == id {
			told++
		}
	}
	if told != 6 { // asked and accepted; asked and refused; asked again and accepted
		t.Errorf("%d events", told)
	}

	other := h.sold(channel, "B2")
	if r := h.call("POST", "/v1/reservations/"+other+"/cancel", `{"reason":"repairs","done_at_channel":true}`).want(t, 200, "").json(t); action(r) != "cancel by_hand false" {
		t.Errorf("done by hand: %v", r["channel_actions"])
	}
	if err := h.ledger.KeepTerms(t.Context(), channel, hotel.Terms{}); err != nil {
		t.Fatal(err)
	}
	h.call("POST", "/v1/reservations/"+h.sold(channel, "B3")+"/cancel", `{"reason":"repairs"}`).want(t, 409, "channel_owned")
}
