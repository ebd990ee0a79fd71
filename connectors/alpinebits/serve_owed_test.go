package alpinebits

import (
	"strings"
	"testing"
	"time"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// A system that tells changes is asked for all there is where that is not known here: at
// first, of a room type that is new, and since a backup was restored. It is not asked in
// every answer, nor for ever.
func TestAPMSIsAskedForAllThatIsMissing(t *testing.T) {
	house, pms := newPretend(), pmsOf(t)
	clock := &standing{now: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)}
	pms.clock = clock
	house.layout.Property.Truth, house.layout.Epoch = hotel.Truth{Stock: hotel.ByPMS, Prices: hotel.ByPMS}, 1
	tell := func(action, root, body string) (asked string) {
		t.Helper()
		clock.now = clock.now.Add(questionAgain)
		w := tellPMS(t, pms, house, message.V2024, action, body)
		said, err := message.ReadReply(w.Body.Bytes(), root)
		if err != nil || said.Refused() {
			t.Fatalf("answered %s, %v", w.Body, err)
		}
		for _, status := range []string{message.AskFreeRooms, message.AskRatePlans} {
			if said.Asks(status) {
				asked += strings.TrimPrefix(status, "ALPINEBITS_SEND_") + " "
			}
		}
		return asked
	}
	hotelOf := message.Hotel{Code: "123"}
	rooms := []message.Rooms{{Category: "double", Nights: hotel.Span{From: house.layout.Today, To: house.layout.Today + 9}, Free: 2}}
	some := func() string {
		return tell(message.FreeRooms.Name, message.Answered, string(message.WriteFreeRooms(hotelOf, rooms)))
	}
	all := func() string {
		return tell(message.FreeRooms.Name, message.Answered, string(message.WriteAllFreeRooms(hotelOf, nil, rooms)))
	}
	plan := func(kind message.PlanKind) string {
		return tell(message.RatePlans.Name, message.Priced, planWith(kind))
	}
	for i, step := range []struct {
		name              string
		do                func() string
		want              string
		restored, another bool
	}{
		{name: "changes first", do: some, want: "FREEROOMS "},
		{name: "and again", do: some, want: "FREEROOMS "},
		{name: "all of it", do: all},
		{name: "changes", do: some},
		{name: "a plan that nobody knows", do: func() string {
			w := tellPMS(t, pms, house, message.V2024, message.RatePlans.Name, planWith(message.Overlay))
			if said, err := message.ReadReply(w.Body.Bytes(), message.Priced); err != nil || !said.Failed || !said.Asks(message.AskRatePlans) {
				t.Errorf("answered %s, %v", w.Body, err)
			}
			return ""
		}},
		{name: "the plan", do: func() string { return plan(message.New) }},
		{name: "its changes", do: func() string { return plan(message.Overlay) }},
		{name: "a room type that is new", do: some, want: "FREEROOMS ", another: true},
		{name: "all of it again", do: all},
		{name: "changes behind a restored backup", do: some, want: "FREEROOMS RATEPLANS ", restored: true},
		{name: "all rooms", do: all, want: "RATEPLANS "},
		{name: "all prices", do: func() string { return plan(message.New) }},
		{name: "changes of all that is known", do: some},
	} {
		if step.restored {
			house.layout.Epoch++
		}
		if step.another {
			house.layout.Rooms = append(house.layout.Rooms, hotel.RoomType{Entity: hotel.Entity{ID: "attic"}, Code: "attic", Status: hotel.Active})
		}
		if got := step.do(); got != step.want {
			t.Errorf("%d %s: it is asked for %q, want %q", i, step.name, got, step.want)
		}
	}
	house.layout.Epoch++
	asked := 0
	for range 2 * mostQuestions {
		clock.now = clock.now.Add(-questionAgain / 2) // twice within the time
		if some() != "" {
			asked++
		}
	}
	if asked != mostQuestions {
		t.Errorf("one that does not listen is asked %d times", asked)
	}
	house.layout.Property.Truth, house.layout.Epoch = hotel.Truth{}, 9
	if w := tellPMS(t, pms, house, message.V2024, message.Acknowledge.Name, string(message.WriteAcknowledgement([]message.UniqueID{{Type: "14", ID: "R1"}}))); strings.Contains(w.Body.String(), "SEND") {
		t.Errorf("one whose word does not count is asked: %s", w.Body)
	}
}
