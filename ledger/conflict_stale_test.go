package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
)

// staleWorld is a booking of two nights whose second revision is stored.
func staleWorld(t *testing.T, order hotel.FeedOrder) (*house, Receipt) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	r := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2})
	r.Order, r.Revision = order, "10"
	must(h.Receive(context.Background(), r))(t)
	h.clock.move(time.Hour)
	r = longer(h, r, "2", 3)
	r.Revision = "20"
	must(h.Receive(context.Background(), r))(t)
	return h, r
}

// longer is a modification to a stay of so many nights.
func longer(h *house, r Receipt, key string, nights int) Receipt {
	r.Key, r.Event, r.At, r.Raw = key, "modified", h.clock.Now(), []byte(key)
	room := r.Booking.Rooms[0]
	room.Stay.CheckOut = room.Stay.CheckIn + hotel.Date(nights)
	r.Booking.Rooms = []hotel.ChannelRoom{room}
	return r
}

func (h *house) nightsOf(t tb) int {
	t.Helper()
	list := must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t)
	if len(list) != 1 {
		t.Fatalf("%d reservations, want 1", len(list))
	}
	return list[0].Stay.Nights()
}

// TestModificationOutOfOrder: what is older for certain does not count and is noted;
// what has no place in the order waits for somebody.
func TestModificationOutOfOrder(t *testing.T) {
	for name, test := range map[string]struct {
		order  hotel.FeedOrder
		say    func(*Receipt)
		policy string
		asked  bool
		nights int // after the policies had their say
	}{
		"older by number":                        {order: hotel.OrderRevisionNumber, say: func(r *Receipt) { r.Revision = "15" }, nights: 3},
		"older by time":                          {order: hotel.OrderTime, say: func(r *Receipt) { r.At = r.At.Add(-time.Minute) }, nights: 3},
		"older, and everybody asks":              {order: hotel.OrderRevisionNumber, say: func(r *Receipt) { r.Revision = "15" }, policy: "ask", asked: true, nights: 3},
		"older, and it counts":                   {order: hotel.OrderRevisionNumber, say: func(r *Receipt) { r.Revision = "15" }, policy: "apply", nights: 4},
		"without a number":                       {order: hotel.OrderRevisionNumber, say: func(r *Receipt) { r.Revision = "" }, asked: true, nights: 3},
		"without a text":                         {order: hotel.OrderRevisionText, say: func(r *Receipt) { r.Revision = "" }, asked: true, nights: 3},
		"without a time":                         {order: hotel.OrderTime, say: func(r *Receipt) { r.At = time.Time{} }, asked: true, nights: 3},
		"another of the same instant":            {order: hotel.OrderTime, say: func(*Receipt) {}, asked: true, nights: 3},
		"of the same instant, and it is ignored": {order: hotel.OrderTime, say: func(*Receipt) {}, policy: "ignore", nights: 3},
		"of the same instant, and it counts":     {order: hotel.OrderTime, say: func(*Receipt) {}, policy: "apply", nights: 4},
		"the same under another key":             {order: hotel.OrderTime, say: func(r *Receipt) { r.Raw = []byte("2") }, nights: 4},
		"of a channel without an order":          {order: hotel.OrderNone, say: func(*Receipt) {}, nights: 4},
	} {
		t.Run(name, func(t *testing.T) {
			h, r := staleWorld(t, test.order)
			if test.policy != "" {
				h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictStale: test.policy}})
			}
			r = longer(h, r, "3", 4)
			test.say(&r)
			must(h.Receive(context.Background(), r))(t)
			h.decideDue(t)
			if n := h.nightsOf(t); n != test.nights {
				t.Errorf("%d nights, want %d", n, test.nights)
			}
			open := 0
			for _, c := range h.conflicts(t, hotel.ConflictStale) {
				if c.Status == hotel.ConflictOpen {
					open++
				} else if c.DecidedBy != hotel.ByPolicy || c.Applied.Value != c.Resolution.Option {
					t.Errorf("decided %+v because of %+v", c, c.Applied)
				}
			}
			if (open == 1) != test.asked {
				t.Errorf("%d conflicts are open", open)
			}
			if again := must(h.Receive(context.Background(), r))(t); !again.Duplicate {
				t.Error("a redelivery is not known")
			}
			h.sound(t)
		})
	}
}

// TestSomebodyOrdersModifications: what somebody says of a message is done, and the
// next ones are compared with the newest.
func TestSomebodyOrdersModifications(t *testing.T) {
	for option, nights := range map[string]int{hotel.OptionApply: 4, hotel.OptionIgnore: 3} {
		h, r := staleWorld(t, hotel.OrderRevisionNumber)
		late := longer(h, r, "3", 4)
		late.Revision = ""
		must(h.Receive(context.Background(), late))(t)
		c := h.conflict(t, hotel.ConflictStale)
		h.resolve(t, c, option, "")
		if n := h.nightsOf(t); n != nights {
			t.Errorf("%s: %d nights, want %d", option, n, nights)
		}
		_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: map[string]string{"apply": "ignore", "ignore": "apply"}[option]})
		if refusedAs(err) != "conflict_already_resolved" {
			t.Errorf("decided twice: %v", err)
		}
		older := longer(h, r, "4", 5)
		older.Revision = "19"
		must(h.Receive(context.Background(), older))(t)
		newer := longer(h, r, "5", 1)
		newer.Revision = "21"
		if h.nightsOf(t) != nights {
			t.Errorf("%s: an older message counts", option)
		}
		must(h.Receive(context.Background(), newer))(t)
		if n := h.nightsOf(t); n != 1 {
			t.Errorf("%s: then the newest says 1 night, not %d", option, n)
		}
		h.sound(t)
	}
}

// TestAWaitingMessageIsCounted: while somebody is asked, the channel may have sold the
// nights that the message names, and shows that many fewer.
func TestAWaitingMessageIsCounted(t *testing.T) {
	for name, test := range map[string]struct {
		then   func(h *house, r Receipt)
		nights int64 // counted then
	}{
		"ignored": {func(h *house, _ Receipt) { h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionIgnore, "") }, 3},
		"applied": {func(h *house, _ Receipt) { h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionApply, "") }, 5},
		"a newer one": {func(h *house, r Receipt) {
			h.clock.move(time.Minute)
			must(h.Receive(context.Background(), longer(h, r, "4", 2)))(t)
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			h, r := staleWorld(t, hotel.OrderTime)
			(&farSide{h: h, id: "ch", opening: 5}).goLive(t)
			counted := func() int64 { return int64(h.number(t, "SELECT COUNT(*) FROM counted")) }
			must(h.Receive(context.Background(), longer(h, r, "3", 5)))(t)
			if n := counted(); n != 5 {
				t.Errorf("%d nights are counted while it waits, want 5", n)
			}
			if n := h.number(t, "SELECT COUNT(*) FROM stock_cell WHERE own_seq > 0"); n < 5 {
				t.Errorf("%d nights of the channel's counters are in doubt, want 5", n)
			}
			test.then(h, r)
			if n := counted(); n != test.nights {
				t.Errorf("%d nights are counted in the end, want %d", n, test.nights)
			}
			h.sound(t)
		})
	}
}

// What somebody says of one message says nothing of another that waits.
func TestMessagesAreDecidedOneByOne(t *testing.T) {
	h, r := staleWorld(t, hotel.OrderTime)
	must(h.Receive(context.Background(), longer(h, r, "3", 4)))(t)
	must(h.Receive(context.Background(), longer(h, r, "4", 5)))(t)
	h.resolve(t, h.conflicts(t, hotel.ConflictStale)[0], hotel.OptionApply, "")
	if n := h.number(t, "SELECT COUNT(*) FROM message WHERE outcome = 'waiting'"); n != 1 {
		t.Errorf("%d messages wait, want the other one", n)
	}
	h.sound(t)
}

// One with the place of a modification that another has followed is older for certain.
func TestTwinOfAnOlderModificationIsOlder(t *testing.T) {
	h, r := staleWorld(t, hotel.OrderRevisionNumber)
	newer := longer(h, r, "3", 4)
	newer.Revision = "50"
	must(h.Receive(context.Background(), newer))(t)
	must(h.Receive(context.Background(), longer(h, r, "4", 5)))(t)
	if c := h.conflict(t, hotel.ConflictStale); c.DecidedBy != hotel.ByPolicy || h.nightsOf(t) != 4 {
		t.Errorf("%d nights, %s", h.nightsOf(t), c.DecidedBy)
	}
}

// A newer message settles what nobody had decided, and nothing that names the guest
// is left of the other.
func TestNewerMessageEndsTheQuestion(t *testing.T) {
	h, r := staleWorld(t, hotel.OrderTime)
	must(h.Receive(context.Background(), longer(h, r, "3", 4)))(t)
	h.clock.move(time.Minute)
	must(h.Receive(context.Background(), longer(h, r, "4", 5)))(t)
	if c := h.conflict(t, hotel.ConflictStale); c.DecidedBy != hotel.ByItself || h.nightsOf(t) != 5 {
		t.Errorf("%d nights, and the question is %+v", h.nightsOf(t), c)
	}
	if n := h.number(t, "SELECT COUNT(*) FROM message WHERE outcome = 'waiting' OR content IS NOT NULL"); n != 0 {
		t.Errorf("%d messages wait", n)
	}
}

func TestQuestionAboutAMessageHasADeadline(t *testing.T) {
	h, r := staleWorld(t, hotel.OrderTime)
	h.policies(t, hotel.Policies{OnDeadline: map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictStale: {After: 60, Option: hotel.OptionApply}}})
	must(h.Receive(context.Background(), longer(h, r, "3", 4)))(t)
	h.clock.move(time.Hour)
	if h.decideDue(t) != 1 || h.nightsOf(t) != 4 {
		t.Errorf("%d nights after the deadline", h.nightsOf(t))
	}
}

// Of a channel without an order: what comes late of a booking that is cancelled.
func TestLateMessagesWithoutAnOrder(t *testing.T) {
	for name, test := range map[string]struct {
		events []string
		timed  bool
		live   int // reservations that hold a room
		asked  bool
	}{
		"the booking itself":                  {events: []string{"cancelled", "booked"}},
		"the booking itself, with a time":     {events: []string{"cancelled", "booked"}, timed: true},
		"a change":                            {events: []string{"booked", "cancelled", "modified"}, asked: true},
		"a change, and nothing else is known": {events: []string{"cancelled", "modified"}, asked: true},
		"a change that was made later":        {events: []string{"booked", "cancelled", "modified"}, timed: true, live: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			made := map[string]time.Time{}
			for i, event := range []string{"booked", "cancelled", "modified"} {
				made[event] = h.clock.Now().Add(time.Duration(i) * time.Minute)
			}
			for _, event := range test.events {
				r := oneRoom(h, event, event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2})
				if r.Ref, r.Order, r.At = "B", hotel.OrderNone, made[event]; !test.timed {
					r.At = time.Time{}
				}
				if event == "cancelled" {
					r.Booking = hotel.ChannelBooking{}
				}
				must(h.Receive(context.Background(), r))(t)
			}
			live := 0
			for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t) {
				if r.Status == hotel.Confirmed {
					live++
				}
			}
			asked := false
			for _, c := range h.conflicts(t, hotel.ConflictStale) {
				asked = asked || c.Status == hotel.ConflictOpen
			}
			if live != test.live || asked != test.asked {
				t.Errorf("%d rooms are held, want %d; somebody is asked: %t", live, test.live, asked)
			}
			h.sound(t)
		})
	}
}

// A booking that lives again, because somebody has said so, is changed by what comes
// next, also where a message names only what changes.
func TestRevivedWithoutAnOrder(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	said := func(event string, nights int, key string) {
		r := oneRoom(h, key, event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 3 + hotel.Date(nights)}, Adults: 2})
		r.Ref, r.Order, r.At, r.Partial = "B", hotel.OrderNone, time.Time{}, true
		must(h.Receive(context.Background(), r))(t)
	}
	said("booked", 1, "1")
	said("cancelled", 1, "2")
	said("modified", 2, "3")
	h.resolve(t, h.conflict(t, hotel.ConflictStale), hotel.OptionApply, "")
	said("modified", 3, "4")
	r := must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t)[0]
	if r.Status != hotel.Confirmed || r.Stay.Nights() != 3 {
		t.Errorf("%s for %d nights, want 3 nights that are confirmed", r.Status, r.Stay.Nights())
	}
	h.sound(t)
}
