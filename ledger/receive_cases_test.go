package ledger

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// kinds lists the kinds of the journal behind a sequence.
func (h *house) kinds(t tb, after int64) []Kind {
	t.Helper()
	var out []Kind
	for _, e := range must(h.Entries(context.Background(), after, 1000))(t) {
		out = append(out, e.Kind)
	}
	return out
}

func oneRoom(h *house, key, event string, room hotel.ChannelRoom) Receipt {
	r := Receipt{
		ChannelID: "ch", Key: key, Ref: "B-" + key, Revision: "1", Event: event, At: h.clock.Now(), Order: hotel.OrderRevisionNumber,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Guest"}, Rooms: []hotel.ChannelRoom{room}},
	}
	return r
}

// TestChannelBookingIsNeverRefused gives the ledger what it would refuse anybody
// else.
func TestChannelBookingIsNeverRefused(t *testing.T) {
	stay := func(h *house, in, out hotel.Date) hotel.Stay {
		return hotel.Stay{CheckIn: h.today + in, CheckOut: h.today + out}
	}
	for _, test := range []struct {
		name       string
		prepare    func(h *house, r *Receipt)
		nights     int // held in the end
		overbooked bool
		entry      Kind
		issues     []string
	}{
		{name: "as agreed", nights: 2, issues: []string{"price_unknown"}},
		{
			name: "no room left", nights: 2, overbooked: true, entry: InventoryOverbooked, issues: []string{"price_unknown"},
			prepare: func(h *house, _ *Receipt) {
				for range 5 {
					h.book(h.double, h.today, h.today+2, hotel.Once{}) //nolint:errcheck // it is full in the end
				}
			},
		},
		{
			name: "code not mapped", nights: 2, entry: ReservationUnmapped, issues: []string{"unmapped", "price_unknown"},
			prepare: func(_ *house, r *Receipt) { r.Booking.Rooms[0].Room = "X" },
		},
		{
			name: "without nights", nights: 1, issues: []string{"stay", "price_unknown"},
			prepare: func(h *house, r *Receipt) { r.Booking.Rooms[0].Stay = stay(h, 1, 1) },
		},
		{
			name: "ends before it begins", nights: 1, issues: []string{"stay", "price_unknown"},
			prepare: func(h *house, r *Receipt) { r.Booking.Rooms[0].Stay = stay(h, 3, 1) },
		},
		{
			name: "long ago and beyond the horizon", nights: 200, issues: []string{"price_unknown"},
			prepare: func(h *house, r *Receipt) { r.Booking.Rooms[0].Stay = stay(h, -50, 150) },
		},
		{
			name: "of a thousand years", nights: mostHeld, issues: []string{"stay", "price_unknown"},
			prepare: func(h *house, r *Receipt) { r.Booking.Rooms[0].Stay = stay(h, 1, 365_000) },
		},
		{
			name: "before there are dates", nights: 1, issues: []string{"stay", "price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				r.Booking.Rooms[0].Stay = hotel.Stay{CheckIn: -900_000, CheckOut: -899_998}
			},
		},
		{
			name: "in two currencies", nights: 2, issues: []string{"price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				r.Booking.Rooms[0].Amounts = []hotel.Money{{Minor: 1, Currency: "EUR"}, {Minor: 1, Currency: "USD"}}
			},
		},
		{
			name: "in another currency", nights: 2, issues: []string{"currency"},
			prepare: func(_ *house, r *Receipt) {
				r.Booking.Rooms[0].Amounts = []hotel.Money{{Minor: 1, Currency: "USD"}, {Minor: 1, Currency: "USD"}}
			},
		},
		{
			name: "at prices that come to more than can be counted", nights: 2, issues: []string{"price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				most := hotel.Money{Minor: 999_999_999_999_99, Currency: "EUR"}
				r.Booking.Rooms[0].Amounts = []hotel.Money{most, most}
			},
		},
		{
			name: "at amounts that cannot be counted", nights: 2, issues: []string{"price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				beyond := hotel.Money{Minor: math.MaxInt64, Currency: "EUR"}
				r.Booking.Rooms[0].Amounts = []hotel.Money{{Minor: 1, Currency: "EUR"}, {Minor: math.MinInt64, Currency: "EUR"}}
				r.Booking.Rooms[0].Extras = []hotel.Extra{{Code: "parking", Quantity: 1, UnitPrice: beyond, DateFrom: r.Booking.Rooms[0].Stay.CheckIn, DateTo: r.Booking.Rooms[0].Stay.CheckIn}}
				r.Booking.Total, r.Booking.Commission = &beyond, &beyond
			},
		},
		{
			name: "more guests than any room takes, and fewer than none", nights: 2, issues: []string{"party", "unmapped", "price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				r.Booking.Rooms[0].Room, r.Booking.Rooms[0].Adults, r.Booking.Rooms[0].Children = "X", -1, make([]int, 20)
			},
		},
		{
			name: "a reference used for two rooms", nights: 4, issues: []string{"price_unknown"},
			prepare: func(_ *house, r *Receipt) {
				r.Booking.Rooms[0].Ref = "1"
				r.Booking.Rooms = append(r.Booking.Rooms, r.Booking.Rooms[0])
			},
		},
		{
			name: "closed", nights: 2, overbooked: false, issues: []string{"price_unknown"},
			prepare: func(h *house, _ *Receipt) {
				h.UpdateInventory(context.Background(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Entries: []hotel.InventoryEntry{{ //nolint:errcheck // seen by what follows
					RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: h.today, To: h.today + 5}}, Closed: hotel.Given(true),
				}}})
			},
		},
		{name: "without a reference or guest", nights: 2, issues: []string{"price_unknown"}, prepare: func(_ *house, r *Receipt) { r.Ref, r.Booking.Guest = "", nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			r := oneRoom(h, "1", "booked", hotel.ChannelRoom{Room: "D", Rate: "F", Stay: stay(h, 0, 2), Adults: 2})
			if test.prepare != nil {
				test.prepare(h, &r)
			}
			before := must(h.Sequence(context.Background()))(t)
			got := must(h.Receive(context.Background(), r))(t)
			nights := 0
			for _, res := range got.Reservations {
				nights += res.Stay.Nights()
			}
			if nights != test.nights {
				t.Errorf("%d nights held, want %d", nights, test.nights)
			}
			res := got.Reservations[0]
			if res.Overbooked != test.overbooked {
				t.Errorf("overbooked is %v", res.Overbooked)
			}
			var codes []string
			for _, issue := range res.Issues {
				codes = append(codes, issue.Code)
			}
			if !slices.Equal(codes, test.issues) {
				t.Errorf("issues %v, want %v", codes, test.issues)
			}
			if list := must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 100}))(t); !slices.ContainsFunc(list, func(r hotel.Reservation) bool { return r.ID == res.ID }) {
				t.Errorf("it is not among the %d that are listed", len(list))
			}
			if kinds := h.kinds(t, before); test.entry != "" && !slices.Contains(kinds, test.entry) {
				t.Errorf("no entry %s among %v", test.entry, kinds)
			}
			h.checkSold(t)
		})
	}
}

// A new booking that names no room is sold all the same: it is kept, and somebody is asked,
// until a message comes that names its rooms. Of a booking that is known it says nothing new.
func TestMessageThatNamesNoRoom(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 2}
	says := func(key, event, revision string, rooms ...hotel.ChannelRoom) Received {
		t.Helper()
		r := oneRoom(h, key, event, room)
		r.Ref, r.Revision, r.Booking.Rooms = "B", revision, rooms
		return must(h.Receive(ctx, r))(t)
	}
	for range 2 {
		if got := says("1", "booked", "1"); !got.Unread {
			t.Errorf("nobody is asked: %+v", got)
		}
	}
	open := must(h.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.property.ID, Limit: 10}))(t)
	if len(open) != 1 || open[0].Kind != hotel.ConflictUnread {
		t.Errorf("somebody is asked %+v", open)
	}
	if got := says("2", "modified", "2", room); len(got.Reservations) != 1 {
		t.Errorf("with its room: %+v", got)
	}
	if got := says("3", "booked", "3"); got.Unread || len(got.Reservations) != 0 {
		t.Errorf("of a booking that is known: %+v", got)
	}
	if got := must(h.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.property.ID, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10}))(t); len(got) != 0 {
		t.Errorf("somebody is asked still: %+v", got)
	}
}

// What fails since what is stored cannot be read fails for what it is, and not for want of a
// disk. The message can be kept as it came all the same.
func TestMessageOfABookingThatCannotBeRead(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 2}
	r := oneRoom(h, "1", "booked", room)
	must(h.Receive(ctx, r))(t)
	h.exec(t, "UPDATE reservation SET body = '[]'")
	r.Key, r.Event, r.Revision = "2", "modified", "2"
	if _, err := h.Receive(ctx, r); !IsItsOwn(err) {
		t.Fatalf("taken for a failure of the ledger: %v", err)
	}
	r.Problem, r.Booking = "it cannot be taken", hotel.ChannelBooking{}
	if got := must(h.Receive(ctx, r))(t); !got.Unread {
		t.Errorf("it is not kept as it came: %+v", got)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := h.Receive(gone, r); err == nil || IsItsOwn(err) {
		t.Errorf("whoever asked has left: %v", err)
	}
}

func TestChannelBookingInAHouseWithoutRooms(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	p := h.property
	p.ID = "empty"
	must2(h.CreateProperty(ctx, tester, hotel.Once{}, p))(t)
	if _, _, err := h.CreateChannel(ctx, tester, hotel.Once{}, hotel.Channel{Entity: hotel.Entity{ID: "ch"}, PropertyID: "empty", Connector: "mock", Settings: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	got := must(h.Receive(ctx, oneRoom(h, "1", "booked", hotel.ChannelRoom{Room: "D", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}})))(t)
	if len(got.Reservations) != 1 || got.Reservations[0].HeldRoom != "" {
		t.Errorf("stored %+v", got.Reservations)
	}
	r := oneRoom(h, "2", "booked", hotel.ChannelRoom{})
	r.ChannelID = "nowhere"
	if _, err := h.Receive(ctx, r); !errors.Is(err, ErrNotFound) {
		t.Errorf("a message of no channel: %v", err)
	}
}

// Channels that give a cancellation the time or number of what it cancels.
func TestLaterStepOfABookingWinsATie(t *testing.T) {
	for _, order := range []hotel.FeedOrder{hotel.OrderTime, hotel.OrderRevisionNumber, hotel.OrderRevisionText, hotel.OrderNone} {
		for _, events := range [][]string{{"booked", "cancelled"}, {"cancelled", "booked"}, {"modified", "cancelled", "booked"}, {"booked", "modified"}, {"modified", "booked"}} {
			h := newHouse(t)
			h.newFarSide(t, 5)
			for _, event := range events {
				r := oneRoom(h, event, event, hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: len(event)})
				r.Ref, r.Order = "B", order
				must(h.Receive(context.Background(), r))(t)
			}
			list := must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 10}))(t)
			cancelled := slices.Contains(events, "cancelled")
			if len(list) != 1 || (list[0].Status == hotel.Cancelled) != cancelled || (!cancelled && list[0].Adults != len("modified")) {
				t.Errorf("order %d, %v: %+v", order, events, list)
			}
		}
	}
}

func TestRoomsOfABookingShareAGroup(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 2}
	one := oneRoom(h, "1", "booked", room)
	if got := must(h.Receive(context.Background(), one))(t); got.Reservations[0].GroupID != "" {
		t.Errorf("a single room has group %q", got.Reservations[0].GroupID)
	}
	second := room
	second.Ref = "2"
	two := oneRoom(h, "2", "modified", room)
	two.Ref, two.Revision, two.Booking.Rooms = one.Ref, "2", []hotel.ChannelRoom{second, room}
	got := must(h.Receive(context.Background(), two))(t).Reservations
	if len(got) != 2 || got[0].GroupID == "" || got[0].GroupID != got[1].GroupID {
		t.Errorf("groups of %+v", got)
	}
}

// A stay without a night is held for one, and is that stay when the channel says it again:
// which of a group's rooms is dropped does not depend on what came first.
func TestRoomWithoutANightIsItself(t *testing.T) {
	for _, late := range []bool{false, true} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictGroupShrink: hotel.OptionCancelMissing}})
		twin := hotel.ChannelRoom{Room: "T", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 4}, Adults: 2}
		double := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2}
		one := oneRoom(h, "1", "booked", twin)
		one.Booking.Rooms = append(one.Booking.Rooms, double)
		two := oneRoom(h, "2", "modified", double)
		two.Ref, two.Revision, two.Booking.Rooms[0].Stay.CheckOut = one.Ref, "2", h.today+1
		messages := []Receipt{one, two}
		if late {
			slices.Reverse(messages)
		}
		for _, r := range messages {
			must(h.Receive(context.Background(), r))(t)
		}
		h.decideDue(t)
		for _, r := range h.reservations(t) {
			if want := map[string]hotel.ReservationStatus{h.twin.ID: hotel.Cancelled, h.double.ID: hotel.Confirmed}[r.RoomTypeID]; r.Status != want {
				t.Errorf("the booking comes late %t: the %s of %s is %s", late, r.RoomTypeID, r.Stay, r.Status)
			}
		}
		h.checkSold(t)
	}
}

// The room that a message drops is free for the one that it brings.
func TestSwappedRoomFindsItsPlace(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	for range 4 {
		must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	}
	room := hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 2}
	r := oneRoom(h, "1", "booked", room)
	must(h.Receive(context.Background(), r))(t)
	room.Ref, r.Key, r.Revision, r.Event = "2", "2", "2", "modified"
	r.Booking.Rooms = []hotel.ChannelRoom{room}
	for _, res := range must(h.Receive(context.Background(), r))(t).Reservations {
		if res.Overbooked {
			t.Errorf("%s is overbooked, although its room was given back", res.Source.RoomRef)
		}
	}
}

// A guest who was given another room keeps it when the channel says again what it
// said; the channel's own counter is the one that it sold.
func TestMovedGuestStaysWhereHeIs(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := context.Background()
	f.sell(f.counters[0], h.today)
	sold := f.hear(t, 0).Reservations[0]
	f.catchUp(t)
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, sold.ID, hotel.ReservationChange{RoomTypeID: &h.suite.ID}))(t)
	again := f.bookings[0]
	again.Key, again.Revision, again.Event = "again", "2", "modified"
	got := must(h.Receive(ctx, again))(t).Reservations[0]
	if got.RoomTypeID != h.suite.ID || got.BookedRoom != h.double.ID {
		t.Errorf("sleeps in %s, booked %s", got.RoomTypeID, got.BookedRoom)
	}
	f.catchUp(t)
	f.revoke(0)
	f.mail[0].Revision = "3"
	f.hear(t, 0)
	if g := f.groups(t)[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: h.today}]; g.state != unknown {
		t.Errorf("the counter that the channel raised by itself is in state %d", g.state)
	}
	f.catchUp(t)
	f.check(t)
}

func TestPollCursor(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	h.clock.move(time.Minute)
	call := must(h.Begin(ctx, NewDelivery{ChannelID: "ch", Kind: Pull, Operation: "poll", SentAt: h.clock.Now()}))(t)
	if err := h.Polled(ctx, "ch", call.ID, "page 7"); err != nil {
		t.Fatal(err)
	}
	if got := must(h.PollCursor(ctx, "ch"))(t); got != "page 7" {
		t.Errorf("cursor %q", got)
	}
	if got := must(h.Beats(ctx))(t)["ch"].LastPull; !got.Equal(h.clock.Now()) {
		t.Errorf("last pull at %s", got)
	}
}
