package ledger

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
)

func onceOf(key string, body byte) hotel.Once {
	return hotel.Once{Client: "client", Method: "POST", Path: "/v1/reservations", Key: key, Fingerprint: [32]byte{body}}
}

// refusedAs returns the code of a refusal, "" for anything else.
func refusedAs(err error) string {
	if r := (*hotel.Refusal)(nil); errors.As(err, &r) {
		return r.Code
	}
	return ""
}

func (h *house) count(t tb) int {
	t.Helper()
	return len(must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 1000}))(t))
}

func TestOneKeyMakesOneReservation(t *testing.T) {
	h := newHouse(t)
	ids, replays := map[string]int{}, 0
	var mu sync.Mutex
	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			r, replayed, err := h.book(h.double, h.today, h.today+2, onceOf("k", 1))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			ids[r.ID]++
			if replayed {
				replays++
			}
		})
	}
	callers.Wait()
	if len(ids) != 1 || replays != 49 || h.count(t) != 1 {
		t.Errorf("%d ids, %d replays, %d reservations stored", len(ids), replays, h.count(t))
	}
}

func TestKeyOfAnotherRequest(t *testing.T) {
	h := newHouse(t)
	first, _, err := h.book(h.double, h.today, h.today+2, onceOf("k", 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.book(h.double, h.today, h.today+2, onceOf("k", 2)); refusedAs(err) != "idempotency_key_reused" {
		t.Errorf("another body under the key: %v", err)
	}
	for name, once := range map[string]hotel.Once{
		"client": {Client: "other", Method: "POST", Path: "/v1/reservations", Key: "k"},
		"method": {Client: "client", Method: "PUT", Path: "/v1/reservations", Key: "k"},
		"path":   {Client: "client", Method: "POST", Path: "/v1/other", Key: "k"},
	} {
		if r, replayed, err := h.book(h.suite, h.today+20, h.today+21, once); err != nil && refusedAs(err) != "not_available" || replayed || r.ID == first.ID {
			t.Errorf("the key of another %s: %v, replayed %v", name, err, replayed)
		}
	}
}

func TestReplayShowsTheReservationAsItIs(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	made := must2(h.book(h.double, h.today, h.today+2, onceOf("k", 1)))(t)
	must2(h.CancelReservation(ctx, tester, onceOf("c", 1), made.ID, hotel.CancelRequest{}))(t)
	got, replayed, err := h.book(h.double, h.today, h.today+2, onceOf("k", 1))
	if err != nil || !replayed || got.ID != made.ID || got.Status != hotel.Cancelled {
		t.Errorf("replayed %v: %+v, %v", replayed, got, err)
	}
	again, replayed, err := h.CancelReservation(ctx, tester, onceOf("c", 1), made.ID, hotel.CancelRequest{})
	if err != nil || !replayed || again.Revision != got.Revision {
		t.Errorf("second cancellation: replayed %v, revision %d, %v", replayed, again.Revision, err)
	}
}

// A refusal is the request's answer too: room that is free by now does not turn
// a replay into a booking that its sender knows as refused.
func TestRefusalIsReplayed(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	var held []hotel.Reservation
	for range 2 {
		held = append(held, must2(h.book(h.suite, h.today, h.today+1, hotel.Once{}))(t))
	}
	_, _, first := h.book(h.suite, h.today, h.today+1, onceOf("k", 1))
	if refusedAs(first) != "not_available" {
		t.Fatal(first)
	}
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, held[0].ID, hotel.CancelRequest{}))(t)
	_, _, again := h.book(h.suite, h.today, h.today+1, onceOf("k", 1))
	if again == nil || again.Error() != first.Error() {
		t.Errorf("replayed %v, first %v", again, first)
	}
	h.reopen(t)
	if _, _, err := h.book(h.suite, h.today, h.today+1, onceOf("k", 1)); err == nil || err.Error() != first.Error() {
		t.Errorf("replayed after a restart %v, first %v", err, first)
	}
	if _, _, err := h.book(h.suite, h.today, h.today+1, onceOf("other", 1)); err != nil {
		t.Errorf("the free room under another key: %v", err)
	}
}

// A precondition is about the moment, not about the request: the same request is
// right once the client has read again.
func TestFailedPreconditionIsNotReplayed(t *testing.T) {
	h := newHouse(t)
	r := must2(h.book(h.suite, h.today, h.today+1, hotel.Once{}))(t)
	_, _, err := h.CancelReservation(context.Background(), tester, onceOf("k", 1), r.ID, hotel.CancelRequest{IfRevision: 7})
	if refusedAs(err) != "precondition_failed" {
		t.Fatal(err)
	}
	if _, _, err := h.CancelReservation(context.Background(), tester, onceOf("k", 1), r.ID, hotel.CancelRequest{IfRevision: 1}); err != nil {
		t.Errorf("the same key with the right revision: %v", err)
	}
}

func TestKeyIsKeptFor72Hours(t *testing.T) {
	h := newHouse(t)
	first := must2(h.book(h.double, h.today+10, h.today+11, onceOf("k", 1)))(t)
	h.clock.move(72*time.Hour - time.Second)
	if r, replayed, err := h.book(h.double, h.today+10, h.today+11, onceOf("k", 1)); err != nil || !replayed || r.ID != first.ID {
		t.Errorf("just before its end: replayed %v, %v", replayed, err)
	}
	h.clock.move(time.Second)
	if r, replayed, err := h.book(h.double, h.today+10, h.today+11, onceOf("k", 2)); err != nil || replayed || r.ID == first.ID {
		t.Errorf("after its end: replayed %v, %v", replayed, err)
	}
}

func TestTwentyCallersForFiveRooms(t *testing.T) {
	h := newHouse(t)
	var mu sync.Mutex
	answers := map[string]int{}
	var callers sync.WaitGroup
	for i := range 20 {
		callers.Go(func() {
			room := []hotel.RoomType{h.double, h.twin}[i%2]
			_, _, err := h.book(room, h.today+3, h.today+5, onceOf(string(rune('a'+i)), 1))
			code := refusedAs(err)
			if err != nil && code == "" {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			answers[code]++
		})
	}
	callers.Wait()
	if answers[""] != 5 || answers["not_available"] != 15 {
		t.Errorf("answers %v", answers)
	}
	h.checkSold(t)
}

func TestRefusalNamesTheFullNights(t *testing.T) {
	h := newHouse(t)
	for range 2 {
		must2(h.book(h.suite, h.today+1, h.today+2, hotel.Once{}))(t)
	}
	_, _, err := h.book(h.suite, h.today, h.today+3, hotel.Once{})
	r := (*hotel.Refusal)(nil)
	if !errors.As(err, &r) || r.Code != "not_available" {
		t.Fatal(err)
	}
	if nights, _ := r.Members["nights"].([]string); len(nights) != 1 || nights[0] != (h.today+1).String() {
		t.Errorf("nights %v", r.Members["nights"])
	}
}
