package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func (h *house) line(room hotel.RoomType, from, to hotel.Date, units int) hotel.BlockLine {
	return hotel.BlockLine{RoomTypeID: room.ID, DateFrom: h.today + from, DateTo: h.today + to, Units: units}
}

func (h *house) block(t tb, status hotel.BlockStatus, lines ...hotel.BlockLine) hotel.Block {
	t.Helper()
	return must2(h.CreateBlock(context.Background(), tester, hotel.Once{}, hotel.Block{
		PropertyID: h.property.ID, Name: "Choir", BlockStatus: status, Lines: lines, Contact: "somebody", Notes: "sings",
	}))(t)
}

// free lists what is free of a room type on some nights.
func (h *house) free(t tb, room hotel.RoomType, from, to hotel.Date) string {
	t.Helper()
	b := must(h.Board(context.Background(), h.property.ID))(t)
	at, _ := b.Room(room.ID)
	var free []int
	for d := from; d <= to; d++ {
		free = append(free, b.House(h.today + d)[at].Net)
	}
	return fmt.Sprint(free)
}

// pick draws rooms from a block, as reservations do.
func (h *house) pick(t tb, b hotel.Block, room hotel.RoomType, from, to hotel.Date) {
	t.Helper()
	must2(h.bookFrom(b.ID, room, from, to))(t)
}

func (h *house) bookFrom(block string, room hotel.RoomType, from, to hotel.Date) (hotel.Reservation, bool, error) {
	return h.CreateReservation(context.Background(), tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: room.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + from, CheckOut: h.today + to},
		Adults: 2, Guest: hotel.Guest{LastName: "Guest"}, BlockID: block,
	})
}

func (h *house) tick(t tb) {
	t.Helper()
	err := h.write(context.Background(), urgent, tester, func(t *tx) error {
		s, err := t.structure(h.property.ID)
		if err != nil {
			return err
		}
		return t.releaseDue(s)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestABlockTakesWhatNobodyHasPickedUp(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	b := h.block(t, hotel.Tentative, h.line(h.double, 10, 12, 3), h.line(h.suite, 11, 11, 1))
	if got := h.free(t, h.double, 9, 13); got != "[5 5 5 5 5]" {
		t.Errorf("free beside a tentative block: %s", got)
	}
	b = must2(h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Status: hotel.Given(hotel.Definite), IfRevision: 1}))(t)
	if b.Revision != 2 || h.free(t, h.twin, 9, 13) != "[5 2 2 2 5]" || h.free(t, h.suite, 10, 12) != "[2 1 2]" {
		t.Errorf("free beside a definite block: %s %s, revision %d", h.free(t, h.twin, 9, 13), h.free(t, h.suite, 10, 12), b.Revision)
	}
	h.pick(t, b, h.double, 10, 12)
	if got := h.free(t, h.double, 9, 13); got != "[5 2 2 2 5]" {
		t.Errorf("a room that is picked up was the block's before: %s", got)
	}
	h.checkMemory(t)
	want := []hotel.BlockNight{
		{Date: h.today + 10, PickedUp: 1, Remaining: 2}, {Date: h.today + 11, PickedUp: 1, Remaining: 2}, {Date: h.today + 12, Remaining: 3},
	}
	if diff := cmp.Diff(want, must(h.Block(ctx, b.ID))(t).Lines[0].Nights); diff != "" {
		t.Errorf("nights of the line (-want +got):\n%s", diff)
	}
	half := hotel.Span{From: h.today + 11, To: h.today + 20}
	b = must2(h.ReleaseBlock(ctx, tester, hotel.Once{}, b.ID, 0, &half))(t)
	if b.BlockStatus != hotel.Definite || h.free(t, h.double, 9, 13) != "[5 2 4 5 5]" || h.free(t, h.suite, 11, 11) != "[2]" {
		t.Errorf("free when a part is released: %s, %s", h.free(t, h.double, 9, 13), b.BlockStatus)
	}
	b = must2(h.ReleaseBlock(ctx, tester, hotel.Once{}, b.ID, 0, nil))(t)
	if b.BlockStatus != hotel.Released || h.free(t, h.double, 9, 13) != "[5 4 4 5 5]" || b.Lines[0].Nights[0] != (hotel.BlockNight{Date: h.today + 10, PickedUp: 1}) {
		t.Errorf("free when all is released: %s, %+v", h.free(t, h.double, 9, 13), b)
	}
	again := must2(h.ReleaseBlock(ctx, tester, hotel.Once{}, b.ID, 0, nil))(t)
	if again.Revision != b.Revision {
		t.Error("a released block was released again")
	}
	if kinds := h.kindsOf(t, b.ID); kinds != "block.created block.updated block.released block.released" {
		t.Errorf("entries %s", kinds)
	}
	h.checkMemory(t)
}

// kindsOf lists the entries about a subject, and refuses what is nobody's to
// read in a journal.
func (h *house) kindsOf(t tb, subject string) string {
	t.Helper()
	kinds := ""
	for _, e := range must(h.Entries(context.Background(), 0, 10000))(t) {
		if e.Subject != subject {
			continue
		}
		if fact := must(decode[BlockFact](e))(t); fact.Block.Contact+fact.Block.Notes != "" {
			t.Errorf("entry %d tells who the block is for: %+v", e.Sequence, fact.Block)
		}
		if kinds != "" {
			kinds += " "
		}
		kinds += string(e.Kind)
	}
	return kinds
}

// checkMemory compares the board in memory with one from the tables, and on the
// first day, before nights come into reach, the stored house values with both.
func (h *house) checkMemory(t tb) {
	t.Helper()
	if diff := sameBoard(h.freshBoard(t), must(h.Board(context.Background(), h.property.ID))(t)); diff != "" {
		t.Errorf("board (-tables +memory):\n%s", diff)
	}
	if h.clock.Now().Equal(opening) {
		h.checkHouse(t)
	}
}

func TestABlockIsReleasedByTheClock(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	made := func(b hotel.Block) hotel.Block {
		b.PropertyID, b.Name, b.BlockStatus = h.property.ID, "Choir", hotel.Definite
		return must2(h.CreateBlock(ctx, tester, hotel.Once{}, b))(t)
	}
	onDate := made(hotel.Block{Lines: []hotel.BlockLine{h.line(h.suite, 10, 11, 1)}, ReleaseOn: new(h.today + 2)})
	byDays := made(hotel.Block{Lines: []hotel.BlockLine{h.line(h.double, 5, 7, 2)}, ReleaseDays: new(4)})
	never := made(hotel.Block{Lines: []hotel.BlockLine{h.line(h.double, 5, 7, 1)}})
	state := func() string {
		s := h.free(t, h.suite, 10, 11) + h.free(t, h.double, 5, 7)
		for _, b := range []hotel.Block{onDate, byDays, never} {
			s += " " + string(must(h.Block(ctx, b.ID))(t).BlockStatus)
		}
		return s
	}
	want := []string{
		"[1 1][2 2 2] definite definite definite", // the day that it was made
		"[1 1][4 2 2] definite definite definite", // four days before the first night
		"[2 2][4 4 2] released definite definite", // the date of release
		"[2 2][4 4 4] released released definite", // four days before the last
		"[2 2][4 4 4] released released definite",
	}
	for day, want := range want {
		h.tick(t)
		h.tick(t)
		if got := state(); got != want {
			t.Errorf("day %d: %s, want %s", day, got, want)
		}
		h.checkMemory(t)
		h.clock.move(24 * time.Hour)
	}
}

// A night whose date of release has come before the block is made, or moved there, is not
// kept; of what goes back soon somebody is asked at once.
func TestABlockMadeLateKeepsNothingDue(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	late := must2(h.CreateBlock(ctx, tester, hotel.Once{}, hotel.Block{
		PropertyID: h.property.ID, Name: "Choir", BlockStatus: hotel.Definite, Lines: []hotel.BlockLine{h.line(h.double, 1, 9, 2)}, ReleaseDays: new(4),
	}))(t)
	if free := h.free(t, h.double, 1, 9); free != "[5 5 5 5 3 3 3 3 3]" || late.Revision != 1 || late.BlockStatus != hotel.Definite {
		t.Errorf("free %s, revision %d, %s", free, late.Revision, late.BlockStatus)
	}
	c := h.conflict(t, hotel.ConflictBlockDue)
	if c.Subject.ID != late.ID || c.Subject.Date != h.today+5 {
		t.Errorf("asked about %+v", c.Subject)
	}
	gone := must2(h.CreateBlock(ctx, tester, hotel.Once{}, hotel.Block{
		PropertyID: h.property.ID, Name: "Choir", BlockStatus: hotel.Definite, Lines: []hotel.BlockLine{h.line(h.suite, 1, 2, 1)}, ReleaseDays: new(4),
	}))(t)
	if free := h.free(t, h.suite, 1, 2); free != "[2 2]" || gone.BlockStatus != hotel.Released {
		t.Errorf("all due: free %s, %s", free, gone.BlockStatus)
	}
	moved := must2(h.ChangeBlock(ctx, tester, hotel.Once{}, late.ID, hotel.BlockChange{ReleaseDays: hotel.Given(8)}))(t)
	if free := h.free(t, h.double, 1, 9); free != "[5 5 5 5 5 5 5 5 3]" || moved.BlockStatus != hotel.Definite {
		t.Errorf("moved: free %s, %s", free, moved.BlockStatus)
	}
	h.checkMemory(t)
}

func TestABlockIsRefused(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	good := func() hotel.Block {
		return hotel.Block{PropertyID: h.property.ID, Name: "Choir", BlockStatus: hotel.Tentative, Lines: []hotel.BlockLine{h.line(h.double, 10, 12, 3)}}
	}
	for _, c := range []struct {
		name   string
		change func(*hotel.Block)
		want   string
	}{
		{"a line without end", func(b *hotel.Block) { b.Lines[0].DateTo = h.today + 5000 }, "/lines length"},
		{"an unknown room type", func(b *hotel.Block) { b.Lines[0].RoomTypeID = "rt_none" }, "/lines/0/room_type_id unknown_room_type"},
		{"a night that is over", func(b *hotel.Block) { b.Lines[0].DateFrom = h.today - 1 }, "/lines/0/date_from date_in_past"},
		{"a night behind the horizon", func(b *hotel.Block) { b.Lines[0].DateTo = h.today + 61 }, "/lines/0/date_to date_horizon"},
		{"an unknown plan", func(b *hotel.Block) { b.RatePlanID = "rp_none" }, "/rate_plan_id unknown_rate_plan"},
		{"a price in another currency", func(b *hotel.Block) {
			b.Amounts = []hotel.BlockAmount{{RoomTypeID: h.double.ID, Amount: hotel.Money{Minor: 1, Currency: "CHF"}}}
		}, "/amounts/0/amount currency_mismatch"},
		{"a price of an unknown room", func(b *hotel.Block) {
			b.Amounts = []hotel.BlockAmount{{RoomTypeID: "rt_none", Amount: hotel.Money{Minor: 1, Currency: "EUR"}}}
		}, "/amounts/0/room_type_id unknown_room_type"},
		{"released before it is made", func(b *hotel.Block) { b.ReleaseOn = new(h.today) }, "/release_on date_in_past"},
		{"an unknown channel", func(b *hotel.Block) { b.ChannelID = "ch_none" }, "/channel_id unknown_option"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := good()
			c.change(&b)
			_, _, err := h.CreateBlock(ctx, tester, hotel.Once{}, b)
			if got := faultOf(err); got != c.want {
				t.Errorf("refused as %q (%v), want %q", got, err, c.want)
			}
		})
	}
	b := must2(h.CreateBlock(ctx, tester, hotel.Once{}, good()))(t)
	must2(h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Status: hotel.Given(hotel.Definite)}))(t)
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"an older revision", func() error {
			_, _, err := h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Name: hotel.Given("x"), IfRevision: 1})
			return err
		}, "precondition_failed"},
		{"back to tentative", func() error {
			_, _, err := h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Status: hotel.Given(hotel.Tentative)})
			return err
		}, "invalid_transition"},
		{"nights that it does not have", func() error {
			_, _, err := h.ReleaseBlock(ctx, tester, hotel.Once{}, b.ID, 0, &hotel.Span{From: h.today, To: h.today + 9})
			return err
		}, "/date_from date_order"},
		{"a line of a released block", func() error {
			must2(h.ReleaseBlock(ctx, tester, hotel.Once{}, b.ID, 0, nil))(t)
			_, _, err := h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Lines: hotel.Given([]hotel.BlockLine{h.line(h.double, 10, 12, 1)})})
			return err
		}, "invalid_transition"},
		{"the name of a released block is no refusal", func() error {
			_, _, err := h.ChangeBlock(ctx, tester, hotel.Once{}, b.ID, hotel.BlockChange{Name: hotel.Given("Orchestra")})
			return err
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := faultOf(c.do()); got != c.want {
				t.Errorf("refused as %q, want %q", got, c.want)
			}
		})
	}
}

// faultOf is the pointer and code of a refused member, the code of any other
// refusal, "" for none.
func faultOf(err error) string {
	r, ok := errors.AsType[*hotel.Refusal](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	case len(r.Items) > 0:
		return r.Items[0].Pointer + " " + r.Items[0].Code
	}
	return r.Code
}

func TestABlockIsMadeOnceUnderItsKey(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	once := hotel.Once{Client: "c", Method: "POST", Path: "/blocks", Key: "k"}
	b := hotel.Block{PropertyID: h.property.ID, Name: "Choir", BlockStatus: hotel.Definite, Lines: []hotel.BlockLine{h.line(h.double, 10, 10, 3)}}
	first := must2(h.CreateBlock(ctx, tester, once, b))(t)
	again, replayed, err := h.CreateBlock(ctx, tester, once, b)
	if err != nil || !replayed || again.ID != first.ID || again.Lines[0].Nights[0].Remaining != 3 {
		t.Errorf("again: %+v %t %v", again, replayed, err)
	}
	if all := must(h.Blocks(ctx, h.property.ID, hotel.BlockFilter{}))(t); len(all) != 1 || h.free(t, h.double, 10, 10) != "[2]" {
		t.Errorf("%d blocks, free %s", len(all), h.free(t, h.double, 10, 10))
	}
	if diff := cmp.Diff(first, must(h.Block(ctx, first.ID))(t)); diff != "" {
		t.Errorf("block (-made +read):\n%s", diff)
	}
}

func TestPickUp(t *testing.T) {
	h := newHouse(t)
	deducting := h.block(t, hotel.Definite, h.line(h.double, 10, 12, 1))
	tentative := h.block(t, hotel.Tentative, h.line(h.double, 10, 12, 1))
	drawn := h.block(t, hotel.Definite, h.line(h.double, 10, 12, 1))
	h.pick(t, drawn, h.double, 11, 12)
	for _, c := range []struct {
		name     string
		block    string
		room     hotel.RoomType
		from, to hotel.Date
		want     string
	}{
		{"a room of the block", deducting.ID, h.double, 10, 12, "true"},
		{"a room of a block that takes none from what is free", tentative.ID, h.double, 10, 12, "false"},
		{"a night of another line", deducting.ID, h.double, 9, 10, "not_available block [" + (h.today + 9).String() + "]"},
		{"another room type", deducting.ID, h.suite, 12, 12, "not_available block [" + (h.today + 12).String() + "]"},
		{"a night that is picked up", drawn.ID, h.double, 10, 12, "not_available block [" + (h.today + 11).String() + "]"},
		{"a block that there is not", "blk_none", h.double, 10, 10, "/block_id unknown_option"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rooms := map[hotel.Date]string{}
			for d := c.from; d <= c.to; d++ {
				rooms[h.today+d] = c.room.ID
			}
			var got string
			err := h.write(t.Context(), urgent, tester, func(t *tx) error {
				s, err := t.structure(h.property.ID)
				if err != nil {
					return err
				}
				b, err := t.pickUp(s, c.block, rooms)
				if err == nil {
					got = fmt.Sprint(b.TakesRooms())
				}
				return err
			})
			if r, ok := errors.AsType[*hotel.Refusal](err); ok && r.Code == "not_available" {
				got = fmt.Sprint(r.Code, " ", r.Members["reason"], " ", r.Members["nights"])
			} else if err != nil {
				got = faultOf(err)
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Whatever happens to blocks, the house has what the definition says: stock less
// what is sold less what deducting blocks still promise.
func TestBlocksModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := newHouse(r)
		ctx := context.Background()
		number := func(low, high int) int { return rapid.IntRange(low, high).Draw(r, "n") }
		var ids []string
		for range number(1, 8) {
			switch op := number(0, 4); {
			case op == 0 || len(ids) == 0:
				from := int(h.property.Today(h.clock.Now())-h.today) + number(1, 6)
				b := hotel.Block{PropertyID: h.property.ID, Name: "b", BlockStatus: rapid.SampledFrom([]hotel.BlockStatus{hotel.Tentative, hotel.Definite}).Draw(r, "status")}
				from += int(h.property.BusinessDate(h.clock.Now()) - h.today)
				b.Lines = []hotel.BlockLine{h.line(h.double, hotel.Date(from), hotel.Date(from+number(0, 3)), number(1, 3))}
				if number(0, 1) == 1 {
					b.ReleaseDays = new(number(0, 3))
				}
				ids = append(ids, must2(h.CreateBlock(ctx, tester, hotel.Once{}, b))(r).ID)
			case op == 1:
				id := rapid.SampledFrom(ids).Draw(r, "block")
				from := h.today + hotel.Date(number(0, 8))
				_, _, err := h.ReleaseBlock(ctx, tester, hotel.Once{}, id, 0, &hotel.Span{From: from, To: from + 2})
				if f := faultOf(err); f != "" && f != "/date_from date_order" {
					r.Fatal(err)
				}
			case op == 2:
				id := rapid.SampledFrom(ids).Draw(r, "block")
				c := hotel.BlockChange{Deducts: hotel.Optional[bool]{Set: true, Null: number(0, 2) == 0, Value: number(0, 1) == 1}}
				if _, _, err := h.ChangeBlock(ctx, tester, hotel.Once{}, id, c); faultOf(err) != "" && faultOf(err) != "invalid_transition" {
					r.Fatal(err)
				}
			case op == 3:
				b := must(h.Block(ctx, rapid.SampledFrom(ids).Draw(r, "block")))(r)
				board := must(h.Board(ctx, h.property.ID))(r)
				at, _ := board.Room(h.double.ID)
				first := b.Lines[0].Nights[0]
				free := board.House(first.Date)
				if first.Remaining > 0 && first.Date >= h.property.BusinessDate(h.clock.Now()) && (b.TakesRooms() || free[at].Available > 0) {
					h.pick(r, b, h.double, first.Date-h.today, first.Date-h.today+1)
				}
			default:
				h.clock.move(24 * time.Hour)
				h.tick(r)
			}
		}
		board := must(h.Board(ctx, h.property.ID))(r)
		at, _ := board.Room(h.double.ID)
		for d := board.From; d <= board.To(); d++ {
			want := 5 - board.Night(d).Rooms[at].Sold
			for _, id := range ids {
				b := must(h.Block(ctx, id))(r)
				for _, n := range b.Lines[0].Nights {
					if n.Date == d && b.TakesRooms() {
						want -= n.Remaining
					}
				}
			}
			if got := board.House(d)[at].Net; got != max(want, -board.Night(d).Rooms[at].Sold-board.Night(d).Rooms[at].Blocked) {
				r.Fatalf("night %s: net %d, want %d", d, got, want)
			}
		}
		h.checkMemory(r)
	})
}
