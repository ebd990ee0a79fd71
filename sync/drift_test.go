package sync_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// driftBench is a live channel on a far side of a preset, with everything told and
// seen right once.
func driftBench(t *testing.T, preset string) (*bench, testkit.FarSide) {
	t.Helper()
	b := newBench(t)
	f := testkit.OpenFarSide(t, preset, "a.test", "", nil, b.house.Remote())
	b.net.Serve(t.Context(), f.Host, f)
	b.channel("a", f.Settings(300))
	if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
		t.Fatal(err)
	}
	if err := b.eng.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.pass(2 * time.Minute)
	b.readBack()
	return b, f
}

// readBack has the channel asked what it shows, and what follows from it done.
func (b *bench) readBack() {
	b.t.Helper()
	if _, _, err := b.eng.Sync(b.t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncReadBack}); err != nil {
		b.t.Fatal(err)
	}
	b.pass(10 * time.Second)
}

// conflicts lists what was noted or raised, the oldest first: kind, verdict and
// how it was settled.
func (b *bench) conflicts() []string {
	b.t.Helper()
	list, err := b.ldg.Conflicts(b.t.Context(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, Limit: 100})
	if err != nil {
		b.t.Fatal(err)
	}
	var out []string
	for _, c := range slices.Backward(list) {
		how := "open"
		if c.Resolution != nil {
			how = c.Resolution.Option
		}
		_, verdict, _ := strings.Cut(string(c.Facts), `"verdict":"`)
		verdict, _, _ = strings.Cut(verdict, `"`)
		out = append(out, fmt.Sprintf("%s %s %s", c.Kind, verdict, how))
	}
	return out
}

func (b *bench) wantConflicts(want ...string) {
	b.t.Helper()
	if got := b.conflicts(); strings.Join(got, ", ") != strings.Join(want, ", ") {
		b.t.Errorf("conflicts %q, want %q", got, want)
	}
}

// cell is what the far side shows of the first product on a night.
func (b *bench) cell(f testkit.FarSide, night hotel.Date) (rooms int, price string) {
	for _, c := range f.State(b.t).Cells {
		if c.Room == b.house.RemoteRoom(0) && c.Rate == b.house.RemoteRate(0) && c.Date == night {
			return c.Available, c.Prices[0]
		}
	}
	return 0, ""
}

func (b *bench) edit(f testkit.FarSide, night hotel.Date, e testkit.Edit) {
	e.Room, e.Rate, e.From, e.To = b.house.RemoteRoom(0), b.house.RemoteRate(0), night, night
	f.Type(b.t, e)
}

// change changes a channel, and waits until the engine has followed.
func (b *bench) change(id string, edit func(*hotel.Channel)) {
	b.t.Helper()
	_, _, err := b.ldg.ChangeChannel(b.t.Context(), testkit.Tester, hotel.Once{}, id, 0, func(c *hotel.Channel) error {
		edit(c)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.pass(5 * time.Second)
}

func (b *bench) policy(p hotel.Policies) {
	b.t.Helper()
	b.change("a", func(c *hotel.Channel) { c.Policies = p })
}

// Each way in which a channel comes to show something else is told apart, and ends
// with what is wanted there, or with somebody asked.
func TestDriftEndsRightOrIsAsked(t *testing.T) {
	price := "55.00"
	for _, c := range []struct {
		name   string
		preset string
		do     func(*bench, testkit.FarSide, hotel.Date)
		want   []string
		rooms  int    // shown at the end
		price  string // likewise
	}{
		{"extranet edit of a price", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.edit(f, night, testkit.Edit{Price: &price})
			b.readBack()
		}, []string{"drift extranet_edit ours"}, testkit.Doubles, "100.00"},
		{"a night opened by hand at a sold-out hotel", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.house.Stock(b.t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
			b.pass(5 * time.Second)
			b.readBack()
			b.edit(f, night, testkit.Edit{Available: new(3)})
			b.readBack()
		}, []string{"drift extranet_edit ours"}, 0, "100.00"},
		{"lost push, of both plans", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			f.Acquire(b.t, testkit.Habits{IgnoresNext: 1})
			b.house.Price(b.t, b.ldg, 0, hotel.Span{From: night, To: night}, 12000)
			b.pass(5 * time.Second)
			b.readBack()
		}, []string{"drift lost_push ours", "drift lost_push ours"}, testkit.Doubles, "120.00"},
		{"auto-replenish", "hub", func(b *bench, f testkit.FarSide, night hotel.Date) {
			f.Acquire(b.t, testkit.Habits{Replenishes: true})
			ref := b.sell(f, night)
			b.pass(2 * time.Minute)
			b.house.Stock(b.t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
			b.pass(5 * time.Second)
			b.readBack()
			b.cancel(f, ref)
			b.pass(2 * time.Minute)
			b.readBack()
		}, []string{"drift auto_replenish ours"}, 0, "100.00"},
		{"rounding is told once more and then understood", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			f.Acquire(b.t, testkit.Habits{RoundTo: 100})
			b.house.Price(b.t, b.ldg, 0, hotel.Span{From: night, To: night}, 12340)
			b.pass(5 * time.Second)
			b.readBack()
			b.readBack()
			b.readBack()
		}, []string{"drift rounding ours", "drift rounding ours", "drift rounding open", "drift rounding open"}, testkit.Doubles, "123.00"},
		{"a promised number is told thrice and then stands", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			f.Acquire(b.t, testkit.Habits{Promised: 2})
			b.house.Stock(b.t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(0)})
			b.pass(5 * time.Second)
			for range 5 {
				b.readBack()
			}
		}, []string{"drift unknown ours", "drift lost_push ours", "allotment allotment open"}, 2, "100.00"},
		{"somebody sets it there again and again", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			for range 5 {
				b.edit(f, night, testkit.Edit{Price: &price})
				b.readBack()
				b.readBack()
			}
		}, []string{"drift extranet_edit ours", "drift extranet_edit ours", "drift extranet_edit ours", "drift extranet_edit open"}, testkit.Doubles, "55.00"},
		{"theirs", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.policy(hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs}})
			b.edit(f, night, testkit.Edit{Price: &price})
			b.readBack()
			b.readBack()
		}, []string{"drift extranet_edit theirs"}, testkit.Doubles, "55.00"},
		{"a price that is theirs and a closing that is ours", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.policy(hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs, hotel.FieldClosed: hotel.Ours}})
			b.edit(f, night, testkit.Edit{Price: &price, Closed: new(true)})
			b.readBack()
			for _, c := range f.State(b.t).Cells {
				if c.Closed.Closed && c.Date == night {
					b.t.Error("the night is closed there still")
				}
			}
			b.readBack()
		}, []string{"drift extranet_edit ours", "drift extranet_edit theirs"}, testkit.Doubles, "55.00"},
		{"ask", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.policy(hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.AskOwner}})
			b.edit(f, night, testkit.Edit{Price: &price})
			b.readBack()
			b.readBack()
		}, []string{"drift extranet_edit open"}, testkit.Doubles, "55.00"},
		{"a sale that was not heard of is not put back on sale", "pull", func(b *bench, f testkit.FarSide, night hotel.Date) {
			b.readBack()
			b.sell(f, night)
			b.readBack()
			if rooms, _ := b.cell(f, night); rooms != testkit.Doubles-1 {
				b.t.Errorf("%d rooms are shown after a sale", rooms)
			}
			b.pass(2 * time.Minute)
		}, nil, testkit.Doubles - 1, "100.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, f := driftBench(t, c.preset)
				defer b.stop()
				night := b.first + 5
				c.do(b, f, night)
				b.wantConflicts(c.want...)
				if rooms, price := b.cell(f, night); rooms != c.rooms || price != c.price {
					t.Errorf("%d rooms at %s are shown, want %d at %s", rooms, price, c.rooms, c.price)
				}
				if rooms, price := b.cell(f, night+1); rooms != testkit.Doubles || price != "100.00" {
					t.Errorf("on the night behind it %d rooms at %s are shown", rooms, price)
				}
			})
		})
	}
}

// TestTheirsIsTakenOver: what is typed in an extranet becomes the house's own, before the
// channel's markup.
func TestTheirsIsTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, f := driftBench(t, "pull")
		defer b.stop()
		b.change("a", func(c *hotel.Channel) {
			c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: "10"}
			c.Policies = hotel.Policies{Drift: map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.Theirs, hotel.FieldAvailable: hotel.Theirs}}
		})
		b.readBack()
		night := b.first + 5
		b.edit(f, night, testkit.Edit{Price: new("121.00"), Available: new(2)})
		b.readBack()
		b.pass(20 * time.Minute) // a guest might have bought, whose booking is yet to come
		b.readBack()
		b.wantConflicts("drift extranet_edit theirs", "drift extranet_edit theirs")
		b.full()
		if rooms, price := b.cell(f, night); rooms != 2 || price != "121.00" {
			t.Errorf("%d rooms at %s are shown there, want 2 at 121.00", rooms, price)
		}
		span := hotel.Span{From: night, To: night + 1}
		cells, err := b.ldg.RateCells(t.Context(), hotel.CellQuery{PropertyID: b.house.Property.ID, Span: span, RoomTypeIDs: []string{b.house.Rooms[0].ID}, RatePlanIDs: []string{b.house.Plans[0].ID}})
		if err != nil {
			t.Fatal(err)
		}
		if c := cells[0]; c.Amount.Amount() != "110.00" || c.Source != "channel:a" {
			t.Errorf("the house's price is %v by %q", c.Amount, c.Source)
		}
		if c := cells[1]; c.Amount.Amount() != "100.00" || c.Source != "api" {
			t.Errorf("that of the night behind it is %v by %q", c.Amount, c.Source)
		}
		stock, err := b.ldg.Inventory(t.Context(), hotel.InventoryQuery{PropertyID: b.house.Property.ID, RoomTypeIDs: []string{b.house.Rooms[0].ID}, Span: span})
		if err != nil {
			t.Fatal(err)
		}
		if c := stock.Cells[0]; c.ChannelLimits["a"] != 2 || c.Source != "channel:a" || c.Available != testkit.Doubles {
			t.Errorf("of %d rooms it is shown at most %d, by %q", c.Available, c.ChannelLimits["a"], c.Source)
		}
	})
}

// sell sells a night there, and returns its number.
func (b *bench) sell(f testkit.FarSide, night hotel.Date) string {
	b.t.Helper()
	sold, err := f.Book().Sell(testkit.Request{
		Room: b.house.RemoteRoom(0), Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 1, LastName: "Guest",
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return sold.Reference
}

func (b *bench) cancel(f testkit.FarSide, ref string) {
	b.t.Helper()
	if _, err := f.Book().Cancel(ref); err != nil {
		b.t.Fatal(err)
	}
}

// A channel that shows no more than so many rooms is no channel that has sold the
// others, once its sales can be known: it is told once more, and then somebody is
// asked, in one conflict of all the nights.
func TestAHighestNumberIsUnderstood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, f := driftBench(t, "pull")
		defer b.stop()
		night := b.first + 5
		f.Acquire(t, testkit.Habits{MostRooms: 25})
		b.house.Stock(t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(28)})
		b.full()
		b.readBack()
		b.wantConflicts() // the missing rooms may have been sold, and nobody has heard of it yet
		b.pass(15 * time.Minute)
		b.readBack()
		b.wantConflicts("drift clamp ours")
		b.readBack()
		b.wantConflicts("drift clamp ours", "drift clamp open")
		if rooms, _ := b.cell(f, night); rooms != 25 {
			t.Errorf("%d rooms are shown", rooms)
		}
		// What it can show, it is still told.
		b.house.Stock(t, b.ldg, 0, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(4)})
		b.pass(5 * time.Second)
		b.readBack()
		if rooms, _ := b.cell(f, night); rooms != 4 {
			t.Errorf("%d rooms are shown of 4", rooms)
		}
		b.wantConflicts("drift clamp ours", "drift clamp open")
	})
}

// full has the channel told everything again.
func (b *bench) full() {
	b.t.Helper()
	if _, _, err := b.eng.Sync(b.t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncFull}); err != nil {
		b.t.Fatal(err)
	}
	b.pass(20 * time.Second)
}
