package ledger

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
)

// The houses that are compared differ in their nights alone, which is what most of
// what a channel shows comes from.
const (
	chainRooms    = 4
	chainPlans    = 10
	chainChannels = 12
	fewNights     = 7
)

// manyNights are on how many nights the larger houses are sold: their channels show ten
// times as much, and about a hundred times. None may be sold a thousand times as far ahead.
var manyNights = []int{fewNights * 10, fewNights * 96}

// chainCells is how many cells the channels show on so many nights.
func chainCells(nights int) int { return chainChannels * chainRooms * (1 + 3*chainPlans) * nights }

// newChain opens a house with many channels, all of which are told everything of
// the first nights.
func newChain(b *testing.B) (h *house, first *farSide, products []product) {
	b.Helper()
	ctx := context.Background()
	var ids []string
	var channels []*farSide
	for i := range chainChannels {
		ids = append(ids, fmt.Sprintf("ch_%02d", i))
	}
	h, products = bigHouse(b, chainRooms, ids...)
	h.sellAhead(b, fewNights, products)
	for _, id := range ids {
		h.newChannel(b, id)
		f := &farSide{h: h, id: id, shown: map[hotel.Cell]int64{}}
		var mappings []hotel.Mapping
		for _, p := range products {
			mappings = append(mappings, hotel.Mapping{RoomTypeID: p.room, RatePlanID: p.plan, RemoteRoom: p.room, RemoteRate: p.plan})
		}
		if err := h.MapChannel(ctx, tester, id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings}); err != nil {
			b.Fatal(err)
		}
		var err error
		if f.counters, f.mappings, err = h.Lines(ctx, id); err != nil {
			b.Fatal(err)
		}
		f.goLive(b)
		channels = append(channels, f)
	}
	h.deriveAll(b)
	for _, f := range channels {
		f.tell(b)
	}
	h.wantCells(b, chainCells(fewNights))
	return h, channels[0], products
}

// sellAhead lets the house be sold for so many nights, all of which have a price.
func (h *house) sellAhead(b *testing.B, nights int, products []product) {
	b.Helper()
	h.exec(b, fmt.Sprintf("UPDATE property SET body = json_set(body, '$.booking_horizon_days', %d)", nights-1))
	h.reopen(b)
	h.checkBoards = false
	for from := 0; from < nights; from += 500 { // an entry takes so many
		entries := h.priceEntries(products[:chainRooms], nights, 0) // the other plans follow
		for i := range entries {
			entries[i].Dates = h.span(hotel.Date(from), hotel.Date(min(nights, from+500)-1))
		}
		must(h.updateRates(entries...))(b)
	}
	h.deriveAll(b)
}

// spreadOut has all channels show on many nights what they show on few, as if they had
// been told.
func (h *house) spreadOut(b *testing.B, nights int, products []product) {
	b.Helper()
	h.sellAhead(b, nights, products)
	for _, table := range []string{"stock_cell", "price_cell"} {
		h.exec(b, "CREATE TEMP TABLE further AS SELECT * FROM "+table)
		for range nights/fewNights - 1 {
			h.exec(b, fmt.Sprintf("UPDATE further SET night = night + %d", fewNights))
			h.exec(b, "INSERT INTO "+table+" SELECT * FROM further")
		}
		h.exec(b, "DROP TABLE further")
	}
	h.wantCells(b, chainCells(nights))
	h.exec(b, "UPDATE cursor SET sequence = (SELECT MAX(sequence) FROM journal), position = 0 WHERE reader LIKE 'channel:%'")
}

// wantCells fails unless channels show so many cells.
func (h *house) wantCells(b *testing.B, want int) {
	b.Helper()
	var n int
	if err := h.readDB.QueryRow("SELECT (SELECT COUNT(*) FROM stock_cell) + 3 * (SELECT COUNT(*) FROM price_cell)").Scan(&n); err != nil || n != want {
		b.Fatalf("%d cells, want %d: %v", n, want, err)
	}
}

// tell has the channel told all that it is to show.
func (f *farSide) tell(b *testing.B) (cells int) {
	b.Helper()
	for f.derive(b) {
	}
	for list := f.dirty(b); len(list) > 0; list = f.dirty(b) {
		cells += len(list)
		f.h.clock.move(time.Millisecond)
		f.begin(b, list)
		f.settle(b, 0, Settlement{State: DeliveryApplied})
	}
	return cells
}

// benchNight prints what a change of one night costs, until a channel has been told of
// it, in ledgers with many cells beside one with few.
func benchNight(b *testing.B) {
	for b.Loop() {
		few, small, products := newChain(b)
		for _, nights := range manyNights {
			benchNightBeside(b, few, small, products, nights)
		}
	}
}

func benchNightBeside(b *testing.B, few *house, small *farSide, products []product, nights int) {
	const turns, changes = 15, 7
	few.close(b)
	many := few.copied(b)
	few.open(b)
	few.checkBoards = false
	must(few.Board(context.Background(), few.property.ID))(b)
	many.spreadOut(b, nights, products)
	large := &farSide{h: many, id: small.id, counters: small.counters, mappings: small.mappings, shown: map[hotel.Cell]int64{}}
	for _, kind := range []struct {
		name, conditions string
		change           func(h *house, n int) error
		cells            int // that each is told
	}{
		{"a sale of one night", "one room", func(h *house, n int) error {
			in := h.today + hotel.Date(n%fewNights)
			_, _, err := h.CreateReservation(context.Background(), tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: products[0].room, RatePlanID: products[0].plan, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
			})
			return err
		}, 1},
		{"a price of one night", fmt.Sprintf("one product, from which %d plans follow", chainPlans-1), func(h *house, n int) error {
			e := h.priceEntries(products[:1], 1, n+1)[0]
			e.Dates = h.span(hotel.Date(n%fewNights), hotel.Date(n%fewNights))
			_, err := h.updateRates(e)
			return err
		}, chainPlans},
	} {
		run := func(f *farSide) func(turn int) time.Duration {
			return func(turn int) time.Duration {
				begun := time.Now()
				for i := range changes {
					if err := kind.change(f.h, turn*changes+i); err != nil {
						b.Fatal(err)
					}
					f.h.deriveAll(b)
					if told := f.tell(b); told != kind.cells {
						b.Fatalf("%s: %d cells were told, not %d", kind.name, told, kind.cells)
					}
				}
				return time.Since(begun)
			}
		}
		ratio := figures.Ratio(turns, run(small), run(large))
		figures.Row(fmt.Sprintf("%s, %d cells beside %d", kind.name, chainCells(nights), chainCells(fewNights)), fmt.Sprintf("%.2f times the time", ratio), figures.NoMore(1.2, ratio),
			fmt.Sprintf("%s, until one of %d channels is told; %s", kind.conditions, chainChannels, onFolder(few.path)))
	}
	many.close(b)
	size := must(os.Stat(many.path))(b).Size()
	var opened []time.Duration
	for range turns {
		begun := time.Now()
		many.open(b)
		opened = append(opened, time.Since(begun))
		many.close(b)
	}
	typical := figures.Quantile(opened, 0.5)
	figures.Row(fmt.Sprintf("a ledger of %d MB is opened", size>>20), figures.Millis(typical), figures.AtMost(time.Second, typical), fmt.Sprintf("%d times; %s", turns, onFolder(many.path)))
}
