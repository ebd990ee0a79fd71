package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// group receives a booking of so many rooms, named r1, r2 and so on.
func (h *house) group(t tb, event, revision string, names ...string) []hotel.Reservation {
	t.Helper()
	r := oneRoom(h, event+revision, event, hotel.ChannelRoom{})
	r.Ref, r.Revision, r.Booking.Rooms = "B", revision, nil
	for _, name := range names {
		r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{Ref: name, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2})
	}
	return must(h.Receive(context.Background(), r))(t).Reservations
}

// rooms are the names of the rooms of the group that are live.
func (h *house) rooms(t tb) string {
	t.Helper()
	var names []string
	for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10, Sort: hotel.SortCreated}))(t) {
		if stay.Live(r.Status) {
			names = append(names, r.Source.RoomRef)
		}
	}
	return strings.Join(names, " ")
}

// TestMessageLeavesRoomsOut: of a channel whose messages are whole the rooms are gone,
// unless it is too many of them, or one whose guest is here.
func TestMessageLeavesRoomsOut(t *testing.T) {
	for name, test := range map[string]struct {
		says   string
		inn    bool // the first guest is in the house
		policy string
		asked  bool
		left   string
	}{
		"one of three":                         {says: "r1 r2", left: "r1 r2"},
		"two of three":                         {says: "r1", asked: true, left: "r1 r2 r3"},
		"two of three, and the policy says so": {says: "r1", policy: hotel.OptionCancelMissing, left: "r1"},
		"two of three, and the policy keeps":   {says: "r1", policy: hotel.OptionKeepAll, left: "r1 r2 r3"},
		"one of three, who is in the house":    {says: "r2 r3", inn: true, asked: true, left: "r1 r2 r3"},
		"all three for others":                 {says: "n1 n2 n3", left: "n1 n2 n3"},
		"two of three under other names":       {says: "r1 n2 n3", left: "r1 n2 n3"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			if test.policy != "" {
				h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictGroupShrink: test.policy}})
			}
			first := h.group(t, "booked", "1", "r1", "r2", "r3")[0]
			if test.inn {
				must2(h.StepReservation(context.Background(), tester, hotel.Once{}, first.ID, stay.CheckIn, hotel.StepRequest{}))(t)
			}
			h.group(t, "modified", "2", strings.Fields(test.says)...)
			h.decideDue(t)
			if got := h.rooms(t); got != test.left {
				t.Errorf("%s are left, want %s", got, test.left)
			}
			open := 0
			for _, c := range h.conflicts(t, hotel.ConflictGroupShrink) {
				if c.Status == hotel.ConflictOpen {
					open++
				}
			}
			if (open == 1) != test.asked {
				t.Errorf("%d conflicts are open", open)
			}
			h.sound(t)
		})
	}
}

func TestSomebodyDecidesAboutRoomsLeftOut(t *testing.T) {
	for option, left := range map[string]string{hotel.OptionCancelMissing: "r1", hotel.OptionKeepAll: "r1 r2 r3"} {
		t.Run(option, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			h.group(t, "booked", "1", "r1", "r2", "r3")
			h.group(t, "modified", "2", "r1")
			c := h.conflict(t, hotel.ConflictGroupShrink)
			h.resolve(t, c, option, "")
			h.group(t, "modified", "3", "r1") // not asked again
			if c := h.conflict(t, hotel.ConflictGroupShrink); h.rooms(t) != left || c.DecidedBy != "operator:tester" {
				t.Errorf("%s are left, want %s; %+v", h.rooms(t), left, c)
			}
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: map[string]string{"keep_all": "cancel_missing", "cancel_missing": "keep_all"}[option]})
			if refusedAs(err) != "conflict_already_resolved" {
				t.Errorf("decided twice: %v", err)
			}
			h.group(t, "cancelled", "4")
			if h.rooms(t) != "" {
				t.Errorf("the booking was cancelled, and %s are left", h.rooms(t))
			}
			h.sound(t)
		})
	}
}

// TestRoomsKeptStay: rooms about which somebody was asked, or has decided to keep, are
// not cancelled by what a later message says of the others.
func TestRoomsKeptStay(t *testing.T) {
	for name, test := range map[string]struct {
		kept bool // somebody has decided so
		then string
		left string // rooms that are live then
		open string // about which somebody is still asked
	}{
		"kept, and one is named again":      {kept: true, then: "r1 r2", left: "r1 r2 r3 r4"},
		"kept, and others come":             {kept: true, then: "r1 n1 n2 n3", left: "r1 r2 r3 r4 n1 n2 n3"},
		"asked, and one is named again":     {then: "r1 r2", left: "r1 r2 r3 r4", open: "r3 r4"},
		"asked, and others come":            {then: "r1 n1 n2 n3", left: "r1 r2 r3 r4 n1 n2 n3", open: "r2 r3 r4"},
		"asked, and the last one goes, too": {then: "n1", left: "r2 r3 r4 n1", open: "r2 r3 r4"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			h.group(t, "booked", "1", "r1", "r2", "r3", "r4")
			h.group(t, "modified", "2", "r1")
			c := h.conflict(t, hotel.ConflictGroupShrink)
			if test.kept {
				h.resolve(t, c, hotel.OptionKeepAll, "")
			}
			h.group(t, "modified", "3", strings.Fields(test.then)...)
			if got := h.rooms(t); got != test.left {
				t.Errorf("%s are left, want %s", got, test.left)
			}
			c = h.conflict(t, hotel.ConflictGroupShrink)
			if (c.Status == hotel.ConflictOpen) != (test.open != "") {
				t.Fatalf("the conflict is %+v", c)
			}
			if test.open != "" {
				h.resolve(t, c, hotel.OptionCancelMissing, "")
				for room := range strings.FieldsSeq(test.open) {
					if strings.Contains(h.rooms(t), room) {
						t.Errorf("%s are left, and %s was to go", h.rooms(t), test.open)
					}
				}
				if got := len(strings.Fields(h.rooms(t))); got != len(strings.Fields(test.left))-len(strings.Fields(test.open)) {
					t.Errorf("%s are left", h.rooms(t))
				}
			}
			h.sound(t)
		})
	}
}

// TestRoomKeptIsLeftOutAgain: once the channel has named a room again, it is the
// channel's to give back, whatever was decided about it before.
func TestRoomKeptIsLeftOutAgain(t *testing.T) {
	for name, test := range map[string]struct {
		order hotel.FeedOrder
		then  []string // what the messages after the decision name
		left  string
		asked bool
	}{
		"one of four, by number": {order: hotel.OrderRevisionNumber, then: []string{"r1 r2 r3 r4", "r1 r3 r4"}, left: "r1 r3 r4"},
		"one of four, by time":   {order: hotel.OrderTime, then: []string{"r1 r2 r3 r4", "r1 r3 r4"}, left: "r1 r3 r4"},
		"the others stay kept":   {order: hotel.OrderRevisionNumber, then: []string{"r1 r2", "r1"}, left: "r1 r3 r4"},
		"three of four again":    {order: hotel.OrderRevisionNumber, then: []string{"r1 r2 r3 r4", "r1"}, left: "r1 r2 r3 r4", asked: true},
		"never named again":      {order: hotel.OrderRevisionNumber, then: []string{"r1", "r1"}, left: "r1 r2 r3 r4"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			says := func(i int, names string) {
				r := oneRoom(h, fmt.Sprint(i), map[bool]string{true: "booked", false: "modified"}[i == 1], hotel.ChannelRoom{})
				r.Ref, r.Order, r.Booking.Rooms, r.At = "B", test.order, nil, h.clock.Now().Add(time.Duration(i)*time.Second)
				if r.Revision = ""; test.order != hotel.OrderTime {
					r.Revision = fmt.Sprint(i)
				}
				for name := range strings.FieldsSeq(names) {
					r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{Ref: name, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2})
				}
				must(h.Receive(context.Background(), r))(t)
			}
			says(1, "r1 r2 r3 r4")
			says(2, "r1")
			h.resolve(t, h.conflict(t, hotel.ConflictGroupShrink), hotel.OptionKeepAll, "")
			for i, names := range test.then {
				says(3+i, names)
			}
			if got := h.rooms(t); got != test.left {
				t.Errorf("%s are left, want %s", got, test.left)
			}
			asked := slices.ContainsFunc(h.conflicts(t, hotel.ConflictGroupShrink), func(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen })
			if asked != test.asked {
				t.Errorf("asked: %v", asked)
			}
			h.sound(t)
		})
	}
}

// What a channel leaves out it may have given back to its own counters.
func TestRoomsLeftOutMoveCounters(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5).goLive(t)
	h.group(t, "booked", "1", "r1", "r2", "r3")
	r := oneRoom(h, "2", "modified", hotel.ChannelRoom{})
	r.Ref, r.Revision, r.Adjusts = "B", "2", hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustNo, Cancel: hotel.AdjustYes}
	r.Booking.Rooms = []hotel.ChannelRoom{{Ref: "r1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2}}
	before := h.number(t, "SELECT COALESCE(MAX(own_seq), 0) FROM stock_cell")
	must(h.Receive(context.Background(), r))(t)
	if h.number(t, "SELECT COALESCE(MAX(own_seq), 0) FROM stock_cell") <= before {
		t.Error("the counters are taken for what they were")
	}
}

// What is named again, cancelled, or cancelled here by hand is not missing any more.
func TestRoomsLeftOutComeBack(t *testing.T) {
	for name, ends := range map[string]func(h *house, rooms []hotel.Reservation){
		"named again": func(h *house, _ []hotel.Reservation) { h.group(t, "modified", "3", "r1", "r2", "r3") },
		"cancelled":   func(h *house, _ []hotel.Reservation) { h.group(t, "cancelled", "3") },
		"by hand": func(h *house, rooms []hotel.Reservation) {
			for _, r := range rooms[1:] {
				must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.CancelRequest{DoneAtChannel: true}))(t)
			}
		},
	} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		rooms := h.group(t, "booked", "1", "r1", "r2", "r3")
		h.group(t, "modified", "2", "r1")
		ends(h, rooms)
		if c := h.conflict(t, hotel.ConflictGroupShrink); c.DecidedBy != hotel.ByItself {
			t.Errorf("%s: still %+v", name, c)
		}
	}
}

// A channel whose messages name what changes has not spoken of the rest.
func TestMessageNamesWhatChanges(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	h.group(t, "booked", "1", "r1", "r2", "r3")
	r := oneRoom(h, "2", "modified", hotel.ChannelRoom{Ref: "r1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 2})
	r.Ref, r.Revision, r.Partial = "B", "2", true
	must(h.Receive(context.Background(), r))(t)
	if got := h.rooms(t); got != "r1 r2 r3" || len(h.conflicts(t, hotel.ConflictGroupShrink)) > 0 {
		t.Errorf("%s are left", got)
	}
	h.sound(t)
}

// TestMessageThatDidNotCome: a channel that counts tells by its numbers that one is
// missing. Nothing is lost when it comes.
func TestMessageThatDidNotCome(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	say := func(revision int, nights hotel.Date) hotel.Reservation {
		event := "modified"
		if revision == 1 {
			event = "booked"
		}
		r := oneRoom(h, fmt.Sprint(revision), event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + nights}, Adults: 2})
		r.Ref, r.Revision, r.Order = "B", fmt.Sprint(revision), hotel.OrderRevisionCount
		must(h.Receive(context.Background(), r))(t)
		list := must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t)
		return list[0]
	}
	gap := func(r hotel.Reservation) string {
		for _, i := range r.Issues {
			if i.Code == issueGap {
				return i.Detail[strings.LastIndex(i.Detail, "revision ")+len("revision "):]
			}
		}
		return ""
	}
	for i, step := range []struct {
		revision int
		nights   hotel.Date
		gap      string
		left     int
	}{{1, 1, "", 1}, {4, 4, "2 to 3", 4}, {6, 2, "2 to 3, 5", 2}, {3, 3, "2, 5", 2}, {5, 3, "2", 2}, {2, 1, "", 2}, {7, 5, "", 5}} {
		if r := say(step.revision, step.nights); gap(r) != step.gap || r.Stay.Nights() != step.left {
			t.Errorf("%d: behind revision %d %d nights are held, want %d, and %q is missing, want %q", i, step.revision, r.Stay.Nights(), step.left, gap(r), step.gap)
		}
	}
	h.sound(t)
}
