package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// crowded fills the double rooms of two nights and has a channel sell one more. The
// suite, which is free, costs 50 more a night.
func crowded(t *testing.T) (h *house, booked []hotel.Reservation, late hotel.Reservation) {
	t.Helper()
	h = newHouse(t)
	h.newFarSide(t, 5)
	must(h.setPrice(h.suite, h.flex, h.today, h.today+60, 15000))(t)
	for i := range 5 {
		in := h.today + 3
		r, _, err := h.book(h.double, in, in+2+hotel.Date(i), hotel.Once{})
		if err != nil {
			t.Fatal(err)
		}
		booked = append(booked, r)
	}
	room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2}
	late = must(h.Receive(context.Background(), oneRoom(h, "1", "booked", room)))(t).Reservations[0]
	return h, booked, late
}

// net returns how many rooms of a type are left on a night, below 0 when some are
// missing.
func (h *house) net(t *testing.T, room hotel.RoomType, d hotel.Date) int {
	t.Helper()
	b := must(h.Board(context.Background(), h.property.ID))(t)
	at, _ := b.Room(room.ID)
	return b.House(d)[at].Net
}

func crowdFacts(t tb, c hotel.Conflict) CrowdFacts {
	t.Helper()
	var f CrowdFacts
	if err := json.Unmarshal(c.Facts, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// sound verifies the ledger while it is open.
func (h *house) sound(t *testing.T) {
	t.Helper()
	h.deriveAll(t)
	for _, d := range h.live(t, quietly).Differences {
		t.Error(d)
	}
}

func TestOversellSaysWhoCanBeMoved(t *testing.T) {
	h, booked, late := crowded(t)
	c := h.conflict(t, hotel.ConflictOversell)
	f := crowdFacts(t, c)
	if c.Severity != hotel.Critical || c.ChannelID != "ch" || f.ReservationID != late.ID || len(f.Crowded) != 1 || f.Crowded[0] != (CrowdNight{hotel.Span{From: h.today + 3, To: h.today + 4}, -1}) {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
	if e := must(h.read.GetEntry(context.Background(), f.Sequence))(t); e.Subject != late.ID || Kind(e.Kind) != "reservation.created" {
		t.Errorf("it came about by %s %s, want the booking %s", e.Kind, e.Subject, late.ID)
	}
	if len(f.Movable) != mostProposed {
		t.Fatalf("proposed %+v", f.Movable)
	}
	for i, m := range f.Movable {
		// The stay of two nights is the cheapest to move, the one of three is next; the
		// channel's booking is of two nights, too, and came later.
		want := []string{late.ID, booked[0].ID, booked[1].ID}[i]
		if m.ReservationID != want || m.RoomTypeID != h.suite.ID || m.Nights != 2 || m.Cost == nil || m.Cost.Minor != []int64{10000, 10000, 15000}[i] {
			t.Errorf("proposal %d is %+v, want %s", i, m, want)
		}
	}
}

func TestOptionsOfAnOversell(t *testing.T) {
	for _, test := range []struct {
		option    string
		arguments func(h *house, booked []hotel.Reservation) string
		net       int
		look      func(t *testing.T, h *house, booked []hotel.Reservation, late hotel.Reservation)
	}{
		{option: hotel.OptionAccept, net: -1},
		{option: hotel.OptionMove, look: func(t *testing.T, h *house, _ []hotel.Reservation, late hotel.Reservation) {
			t.Helper()
			if r := must(h.Reservation(context.Background(), late.ID))(t); r.RoomTypeID != h.suite.ID || r.Total != late.Total || !r.Keeps(hotel.KeptRoom) {
				t.Errorf("moved %+v", r)
			}
		}},
		{
			option: hotel.OptionMove, arguments: func(h *house, booked []hotel.Reservation) string {
				return `{"reservation_id":"` + booked[1].ID + `","room_type_id":"` + h.suite.ID + `"}`
			},
			look: func(t *testing.T, h *house, booked []hotel.Reservation, _ hotel.Reservation) {
				t.Helper()
				if r := must(h.Reservation(context.Background(), booked[1].ID))(t); r.RoomTypeID != h.suite.ID || r.Total != booked[1].Total {
					t.Errorf("moved %+v", r)
				}
			},
		},
		{
			option: hotel.OptionWalk, arguments: func(*house, []hotel.Reservation) string {
				return `{"external":"Inn","cost":{"amount":"120.00","currency":"EUR"}}`
			},
			look: func(t *testing.T, h *house, _ []hotel.Reservation, late hotel.Reservation) {
				t.Helper()
				if r := must(h.Reservation(context.Background(), late.ID))(t); r.Status != hotel.Cancelled || r.CancelReason != reasonWalked || !r.Cancel.Waived {
					t.Errorf("walked %+v", r)
				}
				for _, row := range must(h.read.EntriesAfter(context.Background(), ledgerdb.EntriesAfterParams{Limit: 1000}))(t) {
					if strings.Contains(row.Body, "Inn") {
						t.Errorf("journalled %s", row.Body)
					}
				}
			},
		},
		{option: hotel.OptionStopSell, net: -1, look: func(t *testing.T, h *house, booked []hotel.Reservation, _ hotel.Reservation) {
			t.Helper()
			for _, r := range booked[:2] {
				must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
			}
			b := must(h.Board(context.Background(), h.property.ID))(t)
			for _, room := range []hotel.RoomType{h.double, h.twin} {
				at, _ := b.Room(room.ID)
				if house := b.House(h.today + 3)[at]; house.Free != 1 || house.Available != 0 {
					t.Errorf("%s is on sale: %+v", room.Code, house)
				}
			}
		}},
		{
			option: hotel.OptionKeepBackMore, net: -1, arguments: func(*house, []hotel.Reservation) string { return `{"n":2}` },
			look: func(t *testing.T, h *house, _ []hotel.Reservation, _ hotel.Reservation) {
				t.Helper()
				b := must(h.Board(context.Background(), h.property.ID))(t)
				at, _ := b.Room(h.twin.ID)
				if kept := b.Channel(h.today+4, at, "ch", "").KeepBack; kept != 2 {
					t.Errorf("%d rooms are kept back", kept)
				}
			},
		},
	} {
		t.Run(test.option, func(t *testing.T) {
			h, booked, late := crowded(t)
			arguments := ""
			if test.arguments != nil {
				arguments = test.arguments(h, booked)
			}
			c := h.resolve(t, h.conflict(t, hotel.ConflictOversell), test.option, arguments)
			if c.Status != hotel.ConflictResolved || c.DecidedBy != "operator:tester" || c.Resolution.Option != test.option {
				t.Errorf("settled %+v", c)
			}
			if net := h.net(t, h.double, h.today+3); net != test.net {
				t.Errorf("net is %d, want %d", net, test.net)
			}
			if test.look != nil {
				test.look(t, h, booked, late)
			}
			h.conflict(t, hotel.ConflictOversell) // none is raised anew
			_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: "move_not"})
			if refusedAs(err) != "conflict_already_resolved" {
				t.Errorf("settled again: %v", err)
			}
			if again := h.resolve(t, c, test.option, arguments); again.Revision != c.Revision {
				t.Error("taken twice")
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

func TestOversellThatCannotBeSettledSo(t *testing.T) {
	h, booked, late := crowded(t)
	c := h.conflict(t, hotel.ConflictOversell)
	for arguments, want := range map[string]string{
		`{}`:                     "required at /arguments/external",
		`{"property_id":"none"}`: "enum at /arguments/property_id",
		`{"external":"Inn","reservation_id":"res_no"}`: "enum at /arguments/reservation_id",
	} {
		_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionWalk, Arguments: json.RawMessage(arguments)})
		if r, _ := errors.AsType[*hotel.Refusal](err); r == nil || r.Items[0].Code+" at "+r.Items[0].Pointer != want {
			t.Errorf("%s: %v, want %s", arguments, err, want)
		}
	}
	_, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionMove, Arguments: json.RawMessage(`{"reservation_id":"res_no"}`)})
	if r, _ := errors.AsType[*hotel.Refusal](err); r == nil || len(r.Items) == 0 || r.Items[0].Pointer != "/arguments/reservation_id" {
		t.Errorf("a guest whom nobody knows is moved: %v", err)
	}
	for range 2 {
		must2(h.book(h.suite, h.today+3, h.today+5, hotel.Once{}))(t)
	}
	if _, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionMove}); refusedAs(err) != "not_available" {
		t.Errorf("moved though nothing is free: %v", err)
	}
	if h.conflict(t, hotel.ConflictOversell).Status != hotel.ConflictOpen {
		t.Error("a refused option settled it")
	}
	must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, booked[4].ID, hotel.CancelRequest{}))(t)
	if c := h.conflict(t, hotel.ConflictOversell); c.DecidedBy != hotel.ByItself || late.ID == "" {
		t.Errorf("a room came free, and it is %+v", c)
	}
}

func TestOversellIsSettledByPolicy(t *testing.T) {
	for _, full := range []bool{false, true} {
		h := newHouse(t)
		h.newFarSide(t, 5)
		h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictOversell: hotel.OptionMove}})
		in := h.today + 3
		for range 5 {
			must2(h.book(h.double, in, in+1, hotel.Once{}))(t)
		}
		for range 2 {
			if full {
				must2(h.book(h.suite, in, in+1, hotel.Once{}))(t)
			}
		}
		room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2}
		must(h.Receive(context.Background(), oneRoom(h, "1", "booked", room)))(t)
		if h.decideDue(t) != 1 || h.decideDue(t) != 0 {
			t.Error("not decided once")
		}
		c := h.conflict(t, hotel.ConflictOversell)
		switch {
		case full && (c.Status != hotel.ConflictOpen || c.Deadline != nil):
			t.Errorf("nobody can be moved, and it is %+v", c)
		case !full && (c.DecidedBy != hotel.ByPolicy || c.Applied.Level != "property" || h.net(t, h.double, in) != 0):
			t.Errorf("decided %+v, because of %+v", c, c.Applied)
		}
	}
}

// TestRoomsTakenAwayUnderBookings: fewer rooms than are sold is told once for the
// room types that share them.
func TestRoomsTakenAwayUnderBookings(t *testing.T) {
	h := newHouse(t)
	in := h.today + 3
	var last hotel.Reservation
	for i := range 5 {
		r, _, err := h.book([]hotel.RoomType{h.double, h.twin}[i%2], in, in+2, hotel.Once{})
		if err != nil {
			t.Fatal(err)
		}
		last = r
	}
	rooms := func(n int) {
		must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(3, 4), Total: hotel.Given(n)}))(t)
	}
	rooms(3)
	c := h.conflict(t, hotel.ConflictOversell)
	if f := crowdFacts(t, c); f.ReservationID != last.ID || len(f.Crowded) != 1 || f.Crowded[0].Net != -2 || c.Subject.Type != "cell" || c.ChannelID != "" {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
	rooms(4)
	if h.conflict(t, hotel.ConflictOversell).Status != hotel.ConflictOpen {
		t.Error("ended while a room is missing")
	}
	rooms(5)
	if c := h.conflict(t, hotel.ConflictOversell); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
	h.sound(t)
}

// TestFewerRoomsAgain: a conflict keeps its nights when more rooms are taken away on
// one of them, and says what is left when some come back.
func TestFewerRoomsAgain(t *testing.T) {
	h := newHouse(t)
	in := h.today + 3
	for range 5 {
		must2(h.book(h.double, in, in+2, hotel.Once{}))(t)
	}
	rooms := func(from, to hotel.Date, n int) []CrowdNight {
		must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(from, to), Total: hotel.Given(n)}))(t)
		return crowdFacts(t, h.conflict(t, hotel.ConflictOversell)).Crowded
	}
	one := func(d hotel.Date, net int) CrowdNight { return CrowdNight{hotel.Span{From: d, To: d}, net} }
	for i, test := range []struct {
		from, to hotel.Date
		rooms    int
		want     []CrowdNight
	}{
		{3, 4, 4, []CrowdNight{{hotel.Span{From: in, To: in + 1}, -1}}},
		{3, 3, 2, []CrowdNight{one(in, -3), one(in+1, -1)}},
		{3, 3, 3, []CrowdNight{one(in, -2), one(in+1, -1)}},
		{3, 3, 5, []CrowdNight{one(in+1, -1)}},
	} {
		if got := rooms(test.from, test.to, test.rooms); !slices.Equal(got, test.want) {
			t.Errorf("change %d: told %v, want %v", i, got, test.want)
		}
	}
	if c := h.conflict(t, hotel.ConflictOversell); c.Subject.Date != in+1 || c.Status != hotel.ConflictOpen {
		t.Errorf("left %+v", c)
	}
	rooms(4, 4, 5)
	if c := h.conflict(t, hotel.ConflictOversell); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
}

// TestHouseLimitUnderRoomsSold: a limit of the house below what is sold is told once,
// for all room types, also where nothing is on sale anyway.
func TestHouseLimitUnderRoomsSold(t *testing.T) {
	h := newHouse(t)
	in := h.today + 3
	var last hotel.Reservation
	for _, room := range []hotel.RoomType{h.double, h.twin, h.suite, h.suite} {
		last, _, _ = h.book(room, in, in+2, hotel.Once{})
	}
	for _, room := range []hotel.RoomType{h.double, h.twin, h.suite} {
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: room.ID, Dates: h.span(3, 3), Closed: hotel.Given(true)}))(t)
	}
	limit := func(n hotel.Optional[int]) {
		must(h.updateStock(hotel.InventoryEntry{Dates: h.span(3, 4), HouseLimit: n}))(t)
	}
	limit(hotel.Given(4))
	if n := len(h.conflicts(t, hotel.ConflictOversell)); n != 0 {
		t.Fatalf("%d oversells in a house that is full", n)
	}
	before := must(h.Sequence(context.Background()))(t)
	limit(hotel.Given(2))
	c := h.conflict(t, hotel.ConflictOversell)
	if seq := crowdFacts(t, c).Sequence; seq != before+1 {
		t.Errorf("it came about by entry %d, want that of the limit, %d", seq, before+1)
	}
	if f := crowdFacts(t, c); !f.House || f.ReservationID != last.ID || !slices.Equal(f.Crowded, []CrowdNight{{hotel.Span{From: in, To: in + 1}, -2}}) || len(f.Movable) != 0 {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
	must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, last.ID, hotel.CancelRequest{}))(t)
	if f := crowdFacts(t, h.conflict(t, hotel.ConflictOversell)); f.Crowded[0].Net != -1 {
		t.Errorf("one has cancelled, and it says %+v", f)
	}
	limit(hotel.Optional[int]{Set: true, Null: true})
	if c := h.conflict(t, hotel.ConflictOversell); c.DecidedBy != hotel.ByItself {
		t.Errorf("no limit any more, and it is %+v", c)
	}
	limit(hotel.Given(2))
	list := h.conflicts(t, hotel.ConflictOversell)
	at := slices.IndexFunc(list, func(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen })
	if len(list) != 2 || at < 0 {
		t.Fatalf("raised again %+v", list)
	}
	h.resolve(t, list[at], hotel.OptionStopSell, "")
	limit(hotel.Given(7))
	b := must(h.Board(context.Background(), h.property.ID))(t)
	for i, house := range b.House(in + 1) {
		if house.Free == 0 || house.Available != 0 {
			t.Errorf("%s is %+v after its sale was stopped", b.RoomTypes[i].Code, house)
		}
	}
	h.sound(t)
}

// TestHouseLimitThatIsNotPassed: where rooms are missing of one type, a limit of the
// house that leaves rooms does not make those of another one missing.
func TestHouseLimitThatIsNotPassed(t *testing.T) {
	h := newHouse(t)
	in := h.today + 3
	for _, room := range []hotel.RoomType{h.double, h.suite, h.suite} {
		must2(h.book(room, in, in+1, hotel.Once{}))(t)
	}
	must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(3, 3), Total: hotel.Given(0)}))(t)
	must(h.updateStock(hotel.InventoryEntry{Dates: h.span(3, 3), HouseLimit: hotel.Given(5)}))(t)
	c := h.conflict(t, hotel.ConflictOversell)
	if f := crowdFacts(t, c); f.House || c.Subject.RoomTypeID != h.double.ID || !slices.Equal(f.Crowded, []CrowdNight{{hotel.Span{From: in, To: in}, -1}}) {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
}

// TestRoomsTakenFromUnderABlock: a promise counts as a room sold does.
func TestRoomsTakenFromUnderABlock(t *testing.T) {
	h := newHouse(t)
	h.block(t, hotel.Definite, h.line(h.double, 3, 4, 4))
	must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(3, 3), Total: hotel.Given(3)}))(t)
	c := h.conflict(t, hotel.ConflictOversell)
	if f := crowdFacts(t, c); f.ReservationID != "" || f.Crowded[0].Net != -1 || len(f.Movable) != 0 {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
}

func TestPlannedOverbooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	in := h.today + 5
	must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(5, 6), Overbooking: hotel.Given(1)}))(t)
	var rs []hotel.Reservation
	for range 6 {
		r, _, err := h.book(h.double, in, in+1, hotel.Once{})
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	if n := len(h.conflicts(t, hotel.ConflictOversell)); n != 0 {
		t.Fatalf("%d oversells within what is allowed", n)
	}
	c := h.conflict(t, hotel.ConflictPlanned)
	if f := crowdFacts(t, c); c.Severity != hotel.Info || f.Crowded[0].Net != -1 || f.ReservationID != rs[5].ID {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
	for range 2 {
		if err := h.Tick(context.Background()); err != nil {
			t.Fatal(err)
		}
		h.clock.move(3 * 24 * time.Hour)
	}
	if c := h.conflict(t, hotel.ConflictPlanned); c.Severity != hotel.Warning {
		t.Errorf("two days before it is %s", c.Severity)
	}
	must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, rs[0].ID, hotel.CancelRequest{}))(t)
	if c := h.conflict(t, hotel.ConflictPlanned); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
}

// TestPlannedOverbookingBeneathAnOversell: where bookings leave an oversold night, what
// is left is told as planned, and where conflicts of bookings tell of it, not again.
func TestPlannedOverbookingBeneathAnOversell(t *testing.T) {
	const double, suite, fewer = 0, 1, 2 // what happens: a room is booked, or there are fewer doubles
	for name, test := range map[string]struct {
		allowed, limit int
		happens        []int
		cancelled      []int // bookings, by their number
		net, open      int   // of the planned overbooking that is left, and by how many conflicts it is told
	}{
		"rooms taken away":               {allowed: 1, limit: 9, happens: []int{double, double, double, fewer}, cancelled: []int{0}, net: -1, open: 1},
		"the booking that told leaves":   {allowed: 1, limit: 9, happens: []int{fewer, double, double, double}, cancelled: []int{1}, net: -1, open: 1},
		"the oversold booking leaves":    {allowed: 1, limit: 9, happens: []int{fewer, double, double, double}, cancelled: []int{2}, net: -1, open: 1},
		"a suite leaves a full house":    {allowed: 2, limit: 3, happens: []int{fewer, suite, double, double, double}, cancelled: []int{0}, net: -2, open: 2},
		"and then the booking that told": {allowed: 2, limit: 3, happens: []int{fewer, suite, double, double, double}, cancelled: []int{0, 2}, net: -1, open: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h, ctx := newHouse(t), context.Background()
			in := h.today + 5
			must(h.updateStock(hotel.InventoryEntry{Dates: h.span(5, 5), HouseLimit: hotel.Given(test.limit)}))(t)
			var booked []string
			for _, what := range test.happens {
				if what == fewer {
					must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(5, 5), Total: hotel.Given(1), Overbooking: hotel.Given(test.allowed)}))(t)
					continue
				}
				booked = append(booked, must2(h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
					PropertyID: h.property.ID, RoomTypeID: []string{double: h.double.ID, suite: h.suite.ID}[what], RatePlanID: h.flex.ID, Adults: 2,
					Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Guest: hotel.Guest{LastName: "Guest"}, Overbook: true,
				}))(t).ID)
			}
			for _, n := range test.cancelled {
				must2(h.CancelReservation(ctx, tester, hotel.Once{}, booked[n], hotel.CancelRequest{}))(t)
			}
			if slices.ContainsFunc(h.conflicts(t, hotel.ConflictOversell), isOpen) {
				t.Error("an oversell is open")
			}
			open := 0
			for _, c := range h.conflicts(t, hotel.ConflictPlanned) {
				if !isOpen(c) {
					continue
				}
				open++
				if f := crowdFacts(t, c); !slices.Equal(f.Crowded, []CrowdNight{{hotel.Span{From: in, To: in}, test.net}}) {
					t.Errorf("told %+v, want a net of %d", f.Crowded, test.net)
				}
			}
			if open != test.open {
				t.Errorf("%d conflicts tell of it, want %d", open, test.open)
			}
			for _, id := range booked {
				if !slices.ContainsFunc(test.cancelled, func(n int) bool { return booked[n] == id }) {
					must2(h.CancelReservation(ctx, tester, hotel.Once{}, id, hotel.CancelRequest{}))(t)
				}
			}
			if slices.ContainsFunc(h.conflicts(t, hotel.ConflictPlanned), isOpen) {
				t.Error("nobody is booked, and it is told still")
			}
		})
	}
}

func isOpen(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen }

// TestLongStayTakesEveryStep: what follows from a stay of many nights follows
// later, whatever step it was.
func TestLongStayTakesEveryStep(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	room := hotel.ChannelRoom{Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 400}, Adults: 2}
	r := must(h.Receive(context.Background(), oneRoom(h, "1", "booked", room)))(t).Reservations[0]
	h.deriveAll(t)
	must2(h.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
	h.deriveAll(t)
}

// TestNightWithoutARoomIsTold: one event a night, with what is sold and what there is.
func TestNightWithoutARoomIsTold(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	for range 5 {
		must2(h.book(h.double, h.today+1, h.today+2, hotel.Once{}))(t)
	}
	before := must(h.Sequence(context.Background()))(t)
	r := must(h.Receive(context.Background(), oneRoom(h, "1", "booked", channelRoom(h.today, h.today+2, "D", true))))(t).Reservations[0]
	again := oneRoom(h, "2", "modified", channelRoom(h.today, h.today+2, "D", true))
	again.Ref, again.Revision = "B-1", "2"
	must(h.Receive(context.Background(), again))(t)
	var told []OverbookedBody
	for _, e := range must(h.Entries(context.Background(), before, 1000))(t) {
		if e.Kind == InventoryOverbooked {
			told = append(told, must(decode[OverbookedBody](e))(t))
		}
	}
	want := OverbookedBody{h.double.ID, h.double.Consumes[0].AnyOf[0], h.today + 1, 6, 5, r.ID}
	if len(told) != 1 || told[0] != want {
		t.Errorf("told %+v, want %+v", told, want)
	}
}
