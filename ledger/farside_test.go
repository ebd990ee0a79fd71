package ledger

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// farSide is a pretend channel with the books of its own: what it shows, by
// cell. It sells double and twin under one rate each and double under a second.
type farSide struct {
	h        *house
	id       string
	counters []Counter
	mappings []hotel.Mapping
	opening  int64
	days     int  // the farthest night it takes, in days from today; 0: no limit
	total    bool // a count that is told is the most that it sells in all; shown is what is left
	shown    map[hotel.Cell]int64
	calls    []underway // stored, not settled
	mail     []Receipt  // what has happened there, and we have not heard
	bookings []Receipt  // live ones, as last said
	sent     int
	read     *underwayRead
	leftOut  map[hotel.Cell]bool // of these it says nothing when it is read
	numbers  bool                // what it says of a refusal has the number of the call
	requests int
}

// underway is one call under way.
type underway struct {
	id    string
	cells []SentCell
	took  bool // it has had its effect
}

func (h *house) newFarSide(t tb, opening int64) *farSide {
	t.Helper()
	return h.farSideOf(t, "ch", opening)
}

func (h *house) farSideOf(t tb, id string, opening int64) *farSide {
	t.Helper()
	ctx := context.Background()
	f := &farSide{h: h, id: id, opening: opening, shown: map[hotel.Cell]int64{}}
	h.newChannel(t, id)
	err := h.MapChannel(ctx, tester, id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F"},
		{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, RemoteRoom: "D", RemoteRate: "S"},
		{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, RemoteRoom: "T", RemoteRate: "F"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if f.counters, f.mappings, err = h.Lines(ctx, id); err != nil {
		t.Fatal(err)
	}
	return f
}

// newChannel makes a channel of the house that sells nothing yet.
func (h *house) newChannel(t tb, id string) {
	t.Helper()
	must2(h.CreateChannel(context.Background(), tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: id}, PropertyID: h.property.ID, Connector: "mock", Name: id, Account: id, Settings: []byte("{}"),
	}))(t)
}

func (f *farSide) goLive(t tb) {
	t.Helper()
	if err := f.h.GoLive(context.Background(), tester, f.id, int(f.opening)); err != nil {
		t.Fatal(err)
	}
}

// sells has the far side, which is live, sell so under its codes, and nothing else.
func (f *farSide) sells(t tb, mappings ...hotel.Mapping) {
	t.Helper()
	ctx := context.Background()
	if err := f.h.RemapLive(ctx, tester, f.id, must(f.h.Sequence(ctx))(t), hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings}); err != nil {
		t.Fatal(err)
	}
}

// at returns what a cell shows: nothing, where the channel was never told, but
// the opening balance of a counter.
func (f *farSide) at(c hotel.Cell) *int64 {
	if v, ok := f.shown[c]; ok {
		return &v
	}
	if c.Group == hotel.Availability {
		v := f.opening
		return &v
	}
	return nil
}

// derive does one step of what a channel's worker does. It reports whether there
// was work.
func (f *farSide) derive(t tb) bool {
	t.Helper()
	ctx := context.Background()
	w := must(f.h.Work(ctx, f.id, Reach{Days: f.days}, Turn{}))(t)
	if w.Empty() {
		return false
	}
	today := w.Property.Today(w.Now)
	wanted := slices.DeleteFunc(wantedOf(w), func(v Wanted) bool { return !(hotel.Terms{HorizonDays: f.days}).Takes(v.Cell.Night, today) })
	if err := f.h.Desire(ctx, f.id, w, wanted); err != nil {
		t.Fatal(err)
	}
	return true
}

// wantedOf passes house values on as they are.
func wantedOf(w Work) []Wanted {
	var out []Wanted
	want := func(line int64, g hotel.Group, night hotel.Date, o hotel.Offer) {
		v := o.Encode(g)
		out = append(out, Wanted{Cell: hotel.Cell{Line: line, Group: g, Night: night}, Value: &v, Tells: TellsClosures})
	}
	for _, s := range w.Stock {
		want(s.Line, hotel.Availability, s.Night, hotel.Offer{Available: s.Available})
	}
	for _, r := range w.Rules {
		for i, line := range r.Lines {
			for at, rules := range r.House[i] {
				d := r.From + hotel.Date(at)
				want(line, hotel.Closures, d, hotel.Offer{Closed: rules.Closed})
				want(line, hotel.Lengths, d, hotel.Offer{Lengths: rules.Lengths})
			}
		}
	}
	for _, p := range w.Prices {
		if base, ok := p.Prices[0]; ok {
			want(p.Line, hotel.Price, p.Night, hotel.Offer{Amount: hotel.Money{Minor: base.Minor(), Currency: "EUR"}})
		} else {
			out = append(out, Wanted{Cell: hotel.Cell{Line: p.Line, Group: hotel.Price, Night: p.Night}, Missing: true})
		}
	}
	return out
}

// dirty lists what may be sent now.
func (f *farSide) dirty(t tb) []SentCell {
	t.Helper()
	var cells []SentCell
	for _, d := range must(f.h.Dirty(context.Background(), f.id, f.h.today, 1000))(t) {
		cells = append(cells, SentCell{d.Cell, d.Want, d.Sold})
	}
	return cells
}

// begin stores a call with the cells and puts it on the wire.
func (f *farSide) begin(t tb, cells []SentCell) {
	t.Helper()
	b := must(f.h.Begin(context.Background(), NewDelivery{
		ChannelID: f.id, Kind: Push, Operation: "set", Lane: 1, SentAt: f.h.clock.Now(), Cells: cells,
	}))(t)
	f.calls = append(f.calls, underway{id: b.ID, cells: cells})
}

// underwayRead is a read-back under way, with what it has seen.
type underwayRead struct {
	id    string
	cells []SentCell
}

// beginRead asks for everything that is shown, and sees it.
func (f *farSide) beginRead(t tb) {
	t.Helper()
	f.h.clock.move(time.Millisecond)
	b := must(f.h.Begin(context.Background(), NewDelivery{ChannelID: f.id, Kind: Read, Operation: "read", Lane: 5, SentAt: f.h.clock.Now()}))(t)
	f.read = &underwayRead{id: b.ID}
	for cell := range f.groups(t) {
		if v := f.at(cell); v != nil {
			seen := *v
			if cell.Group == hotel.Availability {
				seen = max(0, seen) // of a total there may be less left than nothing
			}
			f.read.cells = append(f.read.cells, SentCell{Cell: cell, Value: seen})
		}
	}
}

// endRead stores what was seen.
func (f *farSide) endRead(t tb) {
	t.Helper()
	ctx, r := context.Background(), f.read
	f.h.clock.move(time.Millisecond)
	if err := f.h.ReadBack(ctx, Reading{ChannelID: f.id, DeliveryID: r.id, Cells: r.cells, LeftOut: f.leftOut}); err != nil {
		t.Fatal(err)
	}
	if err := f.h.Settle(ctx, Settlement{DeliveryID: r.id, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
	f.read = nil
}

// take lets a call have its effect, once, on all cells but those left out.
func (f *farSide) take(i int, but map[hotel.Cell]string) {
	c := &f.calls[i]
	if c.took {
		return
	}
	c.took = true
	for _, s := range c.cells {
		if _, no := but[s.Cell]; !no {
			if f.shown[s.Cell] = s.Value; f.total && s.Cell.Group == hotel.Availability {
				f.shown[s.Cell] += int64(s.Sold - f.live(s.Cell))
			}
		}
	}
}

// settle stores a call's outcome.
func (f *farSide) settle(t tb, i int, s Settlement) {
	t.Helper()
	c := f.calls[i]
	f.calls = slices.Delete(f.calls, i, i+1)
	s.DeliveryID = c.id
	if err := f.h.Settle(context.Background(), s); err != nil {
		t.Fatal(err)
	}
}

// sell sells a room there for one night, if one is shown.
func (f *farSide) sell(c Counter, night hotel.Date) {
	cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}
	v := *f.at(cell)
	if v <= 0 {
		return
	}
	f.shown[cell] = v - 1
	f.sent++
	r := Receipt{
		ChannelID: f.id, Key: fmt.Sprintf("m%d", f.sent), Ref: fmt.Sprintf("b%d", f.sent), Revision: "1", Event: "booked",
		At: f.h.clock.Now(), Order: hotel.OrderRevisionNumber, Adjusts: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
		Booking: hotel.ChannelBooking{
			Guest: &hotel.Guest{LastName: "Channel"},
			Rooms: []hotel.ChannelRoom{{Ref: "1", Room: c.RemoteRoom, Rate: "F", Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2}},
		},
	}
	f.mail, f.bookings = append(f.mail, r), append(f.bookings, r)
}

// revoke cancels a booking there; the far side puts the room back on sale.
func (f *farSide) revoke(i int) {
	r := f.bookings[i]
	f.bookings = slices.Delete(f.bookings, i, i+1)
	f.sent++
	room := r.Booking.Rooms[0]
	for _, c := range f.counters {
		if c.RemoteRoom == room.Room {
			cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: room.Stay.CheckIn}
			f.shown[cell] = *f.at(cell) + 1
		}
	}
	r.Key, r.Revision, r.Event, r.Booking = fmt.Sprintf("m%d", f.sent), revised(r), "cancelled", hotel.ChannelBooking{}
	f.mail = append(f.mail, r)
}

// rebook gives a booking there another room, of which one is shown, on the same night.
func (f *farSide) rebook(i int, to Counter) {
	r := f.bookings[i]
	room := r.Booking.Rooms[0]
	cell := hotel.Cell{Line: to.Line, Group: hotel.Availability, Night: room.Stay.CheckIn}
	if room.Room == to.RemoteRoom || *f.at(cell) <= 0 {
		return
	}
	for _, c := range f.counters {
		if c.RemoteRoom == room.Room {
			was := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: room.Stay.CheckIn}
			f.shown[was] = *f.at(was) + 1
		}
	}
	f.shown[cell] = *f.at(cell) - 1
	f.sent++
	room.Room = to.RemoteRoom
	r.Key, r.Revision, r.Event, r.Booking.Rooms = fmt.Sprintf("m%d", f.sent), revised(r), "modified", []hotel.ChannelRoom{room}
	f.mail, f.bookings[i] = append(f.mail, r), r
}

// revised is the revision behind that of a message.
func revised(r Receipt) string {
	n, err := strconv.Atoi(r.Revision)
	if err != nil {
		panic(err)
	}
	return strconv.Itoa(n + 1)
}

// live counts the bookings that a counter there has.
func (f *farSide) live(cell hotel.Cell) (n int) {
	for _, r := range f.bookings {
		for _, c := range f.counters {
			if room := r.Booking.Rooms[0]; c.Line == cell.Line && c.RemoteRoom == room.Room && room.Stay.Contains(cell.Night) {
				n++
			}
		}
	}
	return n
}

// hear receives one of the messages that are on their way.
func (f *farSide) hear(t tb, i int) Received {
	t.Helper()
	r := f.mail[i]
	f.mail = slices.Delete(f.mail, i, i+1)
	return must(f.h.Receive(context.Background(), r))(t)
}

// catchUp hears, derives, sends and settles until nothing is left to do.
func (f *farSide) catchUp(t tb) {
	t.Helper()
	for len(f.calls) > 0 {
		f.take(0, nil)
		f.settle(t, 0, Settlement{State: DeliveryApplied})
	}
	for len(f.mail) > 0 {
		f.hear(t, 0)
	}
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	for range 3 {
		for cells := f.dirty(t); len(cells) > 0; cells = f.dirty(t) {
			f.begin(t, cells)
			f.take(0, nil)
			f.settle(t, 0, Settlement{State: DeliveryApplied})
		}
	}
}

// state returns the channel as the ledger describes it.
func (f *farSide) state(t tb) hotel.ChannelState {
	t.Helper()
	for _, c := range must(f.h.Channels(context.Background(), f.h.property.ID))(t) {
		if c.ID == f.id {
			return c
		}
	}
	t.Fatalf("no channel %s", f.id)
	return hotel.ChannelState{}
}

// groups reads every stored cell of the channel.
func (f *farSide) groups(t tb) map[hotel.Cell]group {
	t.Helper()
	ctx, last := context.Background(), int64(f.h.today+600)
	out := map[hotel.Cell]group{}
	table := (&tx{ctx: ctx, q: f.h.read}).cellsOf(ledgerdb.Channel{ID: f.id})
	for _, c := range f.counters {
		if err := table.loadStock(c.Line, hotel.Span{From: 0, To: hotel.Date(last)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range f.mappings {
		if err := table.loadPrices(m.Line, hotel.Span{From: 0, To: hotel.Date(last)}, true); err != nil {
			t.Fatal(err)
		}
	}
	for cell, g := range table.stored.all() {
		out[cell] = *g
	}
	return out
}

// expected computes from the board what the channel is to show from today on.
func (f *farSide) expected(t tb) map[hotel.Cell]int64 {
	t.Helper()
	b := must(f.h.Board(context.Background(), f.h.property.ID))(t)
	out := map[hotel.Cell]int64{}
	for d := f.h.today; d <= b.To(); d++ {
		for _, c := range f.counters {
			at, _ := b.Room(c.RoomTypeID)
			out[hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d}] = int64(b.House(d)[at].Available)
		}
		for _, m := range f.mappings {
			room, _ := b.Room(m.RoomTypeID)
			plan, _ := b.Plan(m.RatePlanID)
			rules := b.HouseRules(d, room, plan)
			cell := func(g hotel.Group) hotel.Cell { return hotel.Cell{Line: m.Line, Group: g, Night: d} }
			if h, ok := b.HousePrice(d, room, plan, 0); ok {
				out[cell(hotel.Price)] = h.Minor()
			} else {
				rules.Closed.Closed = true
			}
			out[cell(hotel.Closures)] = hotel.Offer{Closed: rules.Closed}.Encode(hotel.Closures)
			out[cell(hotel.Lengths)] = hotel.Offer{Lengths: rules.Lengths}.Encode(hotel.Lengths)
		}
	}
	return out
}
