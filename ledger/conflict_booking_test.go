package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// arrived is a channel's guest who is in the house, and what the channel said.
func arrived(t *testing.T) (*house, Receipt, hotel.Reservation) {
	t.Helper()
	h := newHouse(t)
	h.newFarSide(t, 5)
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 3}, Adults: 2})
	r := must(h.Receive(context.Background(), said))(t).Reservations[0]
	return h, said, must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
}

// says receives what the channel says next of its booking.
func (h *house) says(t *testing.T, said Receipt, key, revision, event string, change func(*hotel.ChannelRoom)) {
	t.Helper()
	room := said.Booking.Rooms[0]
	if change != nil {
		change(&room)
	}
	said.Key, said.Revision, said.Event, said.Booking.Rooms = key, revision, event, []hotel.ChannelRoom{room}
	must(h.Receive(context.Background(), said))(t)
}

func TestChannelCancelsAGuestInTheHouse(t *testing.T) {
	for option, want := range map[string]hotel.ReservationStatus{
		hotel.OptionCancelAndCheckOut: hotel.CheckedOut, hotel.OptionKeep: hotel.CheckedIn, hotel.OptionDispute: hotel.CheckedIn,
	} {
		t.Run(option, func(t *testing.T) {
			h, said, r := arrived(t)
			h.says(t, said, "2", "2", "cancelled", nil)
			c := h.conflict(t, hotel.ConflictCancelledInHouse)
			if c.Severity != hotel.Critical || c.Subject.ID != r.ID || c.ChannelID != "ch" {
				t.Errorf("raised %+v", c)
			}
			h.resolve(t, c, option, "")
			if got := must(h.Reservation(context.Background(), r.ID))(t); got.Status != want {
				t.Errorf("the guest is %s, want %s", got.Status, want)
			}
			h.says(t, said, "2", "2", "cancelled", nil)
			h.conflict(t, hotel.ConflictCancelledInHouse) // not raised again
			h.sound(t)
		})
	}
}

// TestChannelTakesItsCancellationBack: nothing is left to decide.
func TestChannelTakesItsCancellationBack(t *testing.T) {
	h, said, _ := arrived(t)
	h.says(t, said, "2", "2", "cancelled", nil)
	h.says(t, said, "3", "3", "modified", nil)
	if c := h.conflict(t, hotel.ConflictCancelledInHouse); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
}

func TestChannelChangesAStayTooLate(t *testing.T) {
	for name, test := range map[string]struct {
		leave  bool
		change func(*hotel.ChannelRoom)
		option string // "": nobody is asked
		fields string
		want   func(h *house, r hotel.Reservation) bool
	}{
		"another room for who is in the house, who keeps theirs": {
			false, func(r *hotel.ChannelRoom) { r.Room = "T" }, hotel.OptionKeep, "",
			func(h *house, r hotel.Reservation) bool {
				return r.RoomTypeID == h.double.ID && r.Keeps(hotel.KeptRoom)
			},
		},
		"another room for who is in the house, who moves": {
			false, func(r *hotel.ChannelRoom) { r.Room = "T" }, hotel.OptionApply, "",
			func(h *house, r hotel.Reservation) bool { return r.RoomTypeID == h.twin.ID },
		},
		"another departure for who is here": {
			false, func(r *hotel.ChannelRoom) { r.Stay.CheckOut++ }, "", "",
			func(_ *house, r hotel.Reservation) bool { return r.Stay.Nights() == 4 },
		},
		"another departure for who has left": {
			true, func(r *hotel.ChannelRoom) { r.Stay.CheckOut++ }, hotel.OptionKeep, "",
			func(_ *house, r hotel.Reservation) bool { return r.Stay.Nights() == 1 },
		},
		"another departure for who has left, who was here that long": {
			true, func(r *hotel.ChannelRoom) { r.Stay.CheckOut++ }, hotel.OptionApply, "",
			func(h *house, r hotel.Reservation) bool { return r.Stay.Nights() == 4 && r.RoomUntil == h.today },
		},
		"another room and departure for who has left, and only one is true": {
			true, func(r *hotel.ChannelRoom) { r.Room, r.Adults = "T", 1; r.Stay.CheckOut++ }, hotel.OptionApply, `{"fields":["room_type_id"]}`,
			func(h *house, r hotel.Reservation) bool {
				return r.Stay.Nights() == 1 && r.RoomTypeID == h.twin.ID && r.Adults == 2
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, said, r := arrived(t)
			if test.leave {
				must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckOut, hotel.StepRequest{ReleaseTonight: true}))(t)
			}
			h.says(t, said, "2", "2", "modified", test.change)
			list := h.conflicts(t, hotel.ConflictLateModification)
			if (len(list) == 1) != (test.option != "") {
				t.Fatalf("conflicts %+v", list)
			}
			if test.option != "" {
				h.resolve(t, list[0], test.option, test.fields)
				h.says(t, said, "3", "3", "modified", test.change)
				h.conflict(t, hotel.ConflictLateModification) // not raised again
			}
			if got := must(h.Reservation(context.Background(), r.ID))(t); !test.want(h, got) {
				t.Errorf("the stay is %+v", got)
			}
			h.sound(t)
		})
	}
}

func TestUnmappedBookingIsMapped(t *testing.T) {
	for _, remember := range []bool{false, true} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		one, other := h.unmapped(t, "1"), h.unmapped(t, "2")
		list := h.conflicts(t, hotel.ConflictUnmapped)
		arguments := func(room, plan string) string {
			return string(must(json.Marshal(map[string]any{"room_type_id": room, "rate_plan_id": plan, "remember": remember}))(t))
		}
		for a, want := range map[string]string{
			arguments("none", h.flex.ID):  "/arguments/room_type_id unknown_room_type",
			arguments(h.suite.ID, "none"): "/arguments/rate_plan_id unknown_rate_plan",
			`{"room_type_id":"x"}`:        "/arguments/rate_plan_id required",
		} {
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, list[0].ID, hotel.ConflictDecision{Option: hotel.OptionMap, Arguments: json.RawMessage(a)})
			if r, _ := errors.AsType[*hotel.Refusal](err); r == nil || r.Items[0].Pointer+" "+r.Items[0].Code != want {
				t.Errorf("%s: %v, want %s", a, err, want)
			}
		}
		c := list[0]
		if list[1].Subject.ID == one.ID {
			c = list[1]
		}
		c = h.resolve(t, c, hotel.OptionMap, arguments(h.suite.ID, h.flex.ID))
		if c.DecidedBy != "operator:tester" {
			t.Errorf("settled by %s", c.DecidedBy)
		}
		for id, mapped := range map[string]bool{one.ID: true, other.ID: remember} {
			r := must(h.Reservation(context.Background(), id))(t)
			if (r.RoomTypeID == h.suite.ID && r.RatePlanID == h.flex.ID && !r.HasIssue("unmapped")) != mapped {
				t.Errorf("remembered: %t, and %s is %+v", remember, id, r)
			}
		}
		next := h.unmapped(t, "3")
		if (next.RoomTypeID == h.suite.ID) != remember {
			t.Errorf("remembered: %t, and the next is of %q", remember, next.RoomTypeID)
		}
		h.sound(t)
	}
}

// What a channel that is live is told of a code goes by a plan: a decision does not open it.
func TestMappingIsNotRememberedUnseen(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	booked := h.unmapped(t, "1")
	arguments := string(must(json.Marshal(map[string]any{"room_type_id": h.suite.ID, "rate_plan_id": h.flex.ID, "remember": true}))(t))
	_, _, err := h.ResolveConflict(t.Context(), tester, hotel.Once{}, h.conflict(t, hotel.ConflictUnmapped).ID, hotel.ConflictDecision{Option: hotel.OptionMap, Arguments: json.RawMessage(arguments)})
	if r, _ := errors.AsType[*hotel.Refusal](err); r == nil || r.Items[0].Pointer != "/arguments/remember" {
		t.Errorf("remembered: %v", err)
	}
	if all := must(h.Mappings(t.Context(), f.id))(t); len(all) != len(f.mappings) {
		t.Errorf("%d are mapped, %d were", len(all), len(f.mappings))
	}
	h.resolve(t, h.conflict(t, hotel.ConflictUnmapped), hotel.OptionMap, strings.Replace(arguments, "true", "false", 1))
	if r := must(h.Reservation(t.Context(), booked.ID))(t); r.RoomTypeID != h.suite.ID {
		t.Errorf("it is of %q", r.RoomTypeID)
	}
}

// A rate that nobody has mapped is sold of the room that the channel's code stands for
// now, not of the one that it stood for before somebody mended it.
func TestUnmappedRoomIsNotOfARetiredMapping(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	f.sells(t, hotel.Mapping{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"})
	for i, test := range []struct{ room, rate, held string }{
		{"D", "S", h.suite.ID},       // retired, and the room is mapped
		{"D", "unknown", h.suite.ID}, // never mapped
		{"T", "F", h.twin.ID},        // retired with its room: nothing better is known
	} {
		r := must(h.Receive(context.Background(), oneRoom(h, fmt.Sprint(i), "booked", hotel.ChannelRoom{
			Room: test.room, Rate: test.rate, Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2,
		})))(t).Reservations[0]
		if r.HeldRoom != test.held || r.RoomTypeID != "" {
			t.Errorf("%s/%s holds a room of %q, booked %q, want one of %q held", test.room, test.rate, r.HeldRoom, r.RoomTypeID, test.held)
		}
	}
	h.sound(t)
}

// TestSoldBeforeClose: a guest books, the house closes the night, and only then is
// the booking heard of. That is no fault of the channel's.
func TestSoldBeforeClose(t *testing.T) {
	for name, test := range map[string]struct {
		confirmed time.Duration // after the booking; below 0: the channel has known for long
		raised    bool
	}{
		"the channel learns of it later":    {time.Minute, true},
		"the channel has not taken it yet":  {0, true},
		"the channel had known it for long": {-time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 5)
			f.goLive(t)
			f.catchUp(t)
			closes := func() {
				must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Closed: hotel.Given(true)}))(t)
			}
			if test.confirmed < 0 {
				closes()
				f.catchUp(t)
				h.clock.move(-test.confirmed)
			}
			booked := h.clock.Now()
			said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 4}, Adults: 2})
			h.clock.move(25 * time.Second)
			if test.confirmed >= 0 {
				closes()
				for f.derive(t) {
				}
			}
			if test.confirmed > 0 {
				h.clock.move(test.confirmed)
				f.catchUp(t)
			}
			h.clock.move(20 * time.Second)
			r := must(h.Receive(context.Background(), said))(t).Reservations[0]
			list := h.conflicts(t, hotel.ConflictSoldBeforeClose)
			if (len(list) == 1) != test.raised {
				t.Fatalf("conflicts %+v", list)
			}
			if !test.raised {
				return
			}
			var facts BeforeCloseFacts
			if err := json.Unmarshal(list[0].Facts, &facts); err != nil {
				t.Fatal(err)
			}
			if facts.Night != h.today+3 || !facts.BookedAt.Equal(booked) || !facts.ClosedAt.Equal(booked.Add(25*time.Second)) || !facts.HeardAt.Equal(h.clock.Now()) ||
				(facts.ConfirmedAt != nil) != (test.confirmed > 0) || list[0].Severity != hotel.Info {
				t.Errorf("raised %+v: %s", list[0], list[0].Facts)
			}
			cancelled := said
			cancelled.Key, cancelled.Revision, cancelled.Event = "2", "2", "cancelled"
			must(h.Receive(context.Background(), cancelled))(t)
			if c := h.conflict(t, hotel.ConflictSoldBeforeClose); c.DecidedBy != hotel.ByItself || r.ID == "" {
				t.Errorf("cancelled, and it is %+v", c)
			}
		})
	}
}

func TestGuestWhoShouldHaveLeft(t *testing.T) {
	for option, arguments := range map[string]func(h *house) string{
		hotel.OptionExtend:   func(h *house) string { return `{"check_out":"` + (h.today + 3).String() + `"}` },
		hotel.OptionCheckOut: func(*house) string { return "" },
	} {
		t.Run(option, func(t *testing.T) {
			h := newHouse(t)
			r := must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
			must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
			h.recordStays(t, hotel.Recorded)
			h.clock.move(48 * time.Hour)
			must(h.DueStays(context.Background()))(t)
			c := h.conflict(t, hotel.ConflictOverstay)
			if c.Status != hotel.ConflictOpen || c.Subject.ID != r.ID {
				t.Fatalf("raised %+v", c)
			}
			h.resolve(t, c, option, arguments(h))
			h.conflict(t, hotel.ConflictOverstay)
			r = must(h.Reservation(context.Background(), r.ID))(t)
			if option == hotel.OptionExtend && r.Stay.CheckOut != h.today+3 || option == hotel.OptionCheckOut && r.Status != hotel.CheckedOut {
				t.Errorf("the stay is %+v", r)
			}
		})
	}
}

func TestBlockThatGoesBackSoon(t *testing.T) {
	for option, test := range map[string]struct {
		arguments func(h *house) string
		left      int // rooms of the block after its date of release
	}{
		hotel.OptionRelease: {nil, 0},
		hotel.OptionKeep:    {nil, 2},
		hotel.OptionExtend:  {func(h *house) string { return `{"release_on":"` + (h.today + 8).String() + `"}` }, 2},
	} {
		t.Run(option, func(t *testing.T) {
			h := newHouse(t)
			b := h.block(t, hotel.Definite, h.line(h.double, 10, 10, 2))
			day := func() {
				t.Helper()
				h.clock.move(24 * time.Hour)
				if err := h.Tick(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			must2(h.ChangeBlock(context.Background(), tester, hotel.Once{}, b.ID, hotel.BlockChange{ReleaseOn: hotel.Given(h.today + 5)}))(t)
			day()
			if n := len(h.conflicts(t, hotel.ConflictBlockDue)); n != 0 {
				t.Fatalf("%d conflicts four days before", n)
			}
			day()
			c := h.conflict(t, hotel.ConflictBlockDue)
			arguments := ""
			if test.arguments != nil {
				arguments = test.arguments(h)
			}
			h.resolve(t, c, option, arguments)
			for range 3 {
				day()
			}
			if left := must(h.Block(context.Background(), b.ID))(t).Lines[0].Nights[0].Remaining; left != test.left {
				t.Errorf("%d rooms are kept, want %d", left, test.left)
			}
			want := 1
			if option == hotel.OptionExtend {
				want = 2 // it is three days before the new date
			}
			if n := len(h.conflicts(t, hotel.ConflictBlockDue)); n != want {
				t.Errorf("%d conflicts, want %d", n, want)
			}
		})
	}
}

// TestSameGuestTwice: a booking that reads like one that is known may be one.
func TestSameGuestTwice(t *testing.T) {
	in := func(h *house) hotel.Stay { return hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5} }
	for name, test := range map[string]struct {
		guest  hotel.Guest
		stay   func(hotel.Stay) hotel.Stay
		raised bool
	}{
		"typed at the desk, then told by the channel": {hotel.Guest{FirstName: "ANN", LastName: "Lee"}, nil, true},
		"by the address":     {hotel.Guest{LastName: "Li", Email: "Ann@example.com"}, nil, true},
		"another first name": {hotel.Guest{FirstName: "Bob", LastName: "Lee"}, nil, false},
		"no first name":      {hotel.Guest{LastName: "Lee"}, nil, false},
		"other nights":       {hotel.Guest{FirstName: "Ann", LastName: "Lee"}, func(s hotel.Stay) hotel.Stay { s.CheckOut++; return s }, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			typed := must2(h.CreateReservation(context.Background(), tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: in(h), Adults: 2,
				Guest: hotel.Guest{FirstName: "Ann", LastName: "Lee", Email: "ann@example.com"},
			}))(t)
			at := in(h)
			if test.stay != nil {
				at = test.stay(at)
			}
			said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Room: "D", Rate: "F", Stay: at, Adults: 2})
			said.Booking.Guest = &test.guest
			told := must(h.Receive(context.Background(), said))(t).Reservations[0]
			list := h.conflicts(t, hotel.ConflictDuplicate)
			if (len(list) == 1) != test.raised {
				t.Fatalf("conflicts %+v", list)
			}
			if !test.raised {
				return
			}
			if strings.Contains(strings.ToLower(string(list[0].Facts)), "lee") {
				t.Errorf("the journal has the guest: %s", list[0].Facts)
			}
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, list[0].ID, hotel.ConflictDecision{Option: hotel.OptionSame, Arguments: json.RawMessage(`{"keep":"res_no"}`)})
			if refusedAs(err) != "validation_failed" {
				t.Errorf("neither is kept: %v", err)
			}
			h.resolve(t, list[0], hotel.OptionSame, `{"keep":"`+told.ID+`"}`)
			for id, want := range map[string]hotel.ReservationStatus{typed.ID: hotel.Cancelled, told.ID: hotel.Confirmed} {
				if r := must(h.Reservation(context.Background(), id))(t); r.Status != want {
					t.Errorf("%s is %s, want %s", id, r.Status, want)
				}
			}
			h.sound(t)
		})
	}
}

func TestTwinsThatAreNoneAnyMore(t *testing.T) {
	for _, option := range []string{hotel.OptionDistinct, hotel.OptionOver} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var last hotel.Reservation
		for _, key := range []string{"1", "2"} {
			said := oneRoom(h, key, "booked", hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2})
			said.Booking.Guest = &hotel.Guest{FirstName: "Ann", LastName: "Lee"}
			last = must(h.Receive(context.Background(), said))(t).Reservations[0]
		}
		c := h.conflict(t, hotel.ConflictDuplicate)
		if option == hotel.OptionDistinct {
			h.resolve(t, c, option, "")
		}
		must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, last.ID, hotel.CancelRequest{DoneAtChannel: true}))(t)
		if c := h.conflict(t, hotel.ConflictDuplicate); c.Resolution == nil || c.Resolution.Option != option {
			t.Errorf("it is %+v, want %s", c, option)
		}
	}
}

// Of bookings that may be one, none is kept that has ended meanwhile: the guest would
// be left without any.
func TestTwinThatHasEndedIsNotKept(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	var told []hotel.Reservation
	for _, key := range []string{"1", "2", "3"} {
		said := oneRoom(h, key, "booked", hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2})
		said.Booking.Guest = &hotel.Guest{FirstName: "Ann", LastName: "Lee"}
		told = append(told, must(h.Receive(context.Background(), said))(t).Reservations[0])
	}
	must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, told[0].ID, hotel.CancelRequest{DoneAtChannel: true}))(t)
	for _, c := range h.conflicts(t, hotel.ConflictDuplicate) {
		if c.Status != hotel.ConflictOpen || !strings.Contains(string(c.Facts), told[0].ID) {
			continue
		}
		_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionSame, Arguments: json.RawMessage(`{"keep":"` + told[0].ID + `"}`)})
		if refusedAs(err) != "validation_failed" {
			t.Errorf("what is cancelled was kept: %v", err)
		}
	}
	for _, r := range told[1:] {
		if r := must(h.Reservation(context.Background(), r.ID))(t); r.Status != hotel.Confirmed {
			t.Errorf("%s is %s", r.ID, r.Status)
		}
	}
}
