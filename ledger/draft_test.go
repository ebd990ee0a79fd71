package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// rush is one caller of many who want the same few nights.
type rush struct {
	how  string
	key  string
	room hotel.RoomType
	in   hotel.Date
	out  hotel.Date
	of   *hotel.Reservation // whom it cancels or moves
	got  error
}

// run books, moves or cancels inside one item and ends as it is to. Where it
// ends badly it has read and changed the nights before.
func (r *rush) run(h *house) error {
	ctx := context.Background()
	once := hotel.Once{}
	if r.key != "" {
		once = hotel.Once{Client: "c", Method: "POST", Path: "/", Key: r.key}
	}
	switch r.how {
	case "books":
		_, _, err := h.book(r.room, r.in, r.out, once)
		return err
	case "cancels":
		_, _, err := h.CancelReservation(ctx, tester, once, r.of.ID, hotel.CancelRequest{})
		return err
	case "moves":
		_, _, err := h.ChangeReservation(ctx, tester, once, r.of.ID, hotel.ReservationChange{CheckIn: &r.in, CheckOut: &r.out, RoomTypeID: &r.room.ID})
		return err
	case "sets stock":
		_, err := h.updateStock(hotel.InventoryEntry{RoomTypeID: r.room.ID, Dates: hotel.Dates{Span: hotel.Span{From: r.in, To: r.out}}, SellLimit: hotel.Given(2)})
		return err
	}
	return h.write(ctx, urgent, tester, func(t *tx) error {
		s, err := t.structure(h.property.ID)
		if err != nil {
			return err
		}
		if r.how == "rebuilds" {
			t.rebuilt(h.property.ID)
			return nil
		}
		nights := nightSet{}
		for d := r.in; d < r.out; d++ {
			if err := t.takeNights(r.of, []HeldRoom{{r.room.ID, d, d}}); err != nil {
				return errors.Join(errItem, err) // it has the night already
			}
			nights[d] = struct{}{}
		}
		if err := t.follow(s, affected{property: h.property.ID, stock: true, nights: nights, patched: true}, 1); err != nil {
			return err
		}
		switch r.how {
		case "panics":
			panic(errItem)
		case "spoils the commit":
			pool, err := documentOf(&hotel.Pool{Entity: t.entity("spoiler"), PropertyID: h.property.ID, Code: "spoiler", OwnOf: "none", Status: hotel.Active})
			return errors.Join(err, t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams(pool)))
		case "loses the transaction":
			return errors.Join(errItem, t.b.w.exec("ROLLBACK"))
		}
		return errItem
	})
}

// Items of one batch see each other's nights and none of those that failed:
// every decision's board is compared with the tables while it is made, and the
// shown board after each batch. No pool is ever sold twice.
func TestBatchesOnHotNights(t *testing.T) {
	hows := []string{"books", "books", "books", "books", "cancels", "moves", "sets stock", "fails", "panics"}
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		ctx := context.Background()
		last := must2(h.book(h.suite, h.today+30, h.today+31, hotel.Once{}))(t)
		known := []*hotel.Reservation{&last}
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			must(h.Board(ctx, h.property.ID))(t)
			var rushes []*rush
			for i := range rapid.IntRange(1, 20).Draw(t, "items") {
				in := h.today + hotel.Date(rapid.IntRange(0, 2).Draw(t, "in"))
				r := &rush{
					how:  rapid.SampledFrom(hows).Draw(t, "how"),
					room: rapid.SampledFrom([]hotel.RoomType{h.double, h.twin, h.suite}).Draw(t, "room"),
					in:   in, out: in + hotel.Date(rapid.IntRange(1, 2).Draw(t, "nights")),
					of: rapid.SampledFrom(known).Draw(t, "of"),
				}
				if rapid.IntRange(0, 5).Draw(t, "keyed") == 0 && r.how == "books" {
					r.key = rapid.StringMatching("[ab]").Draw(t, "key")
				}
				if i == 7 {
					r.how = rapid.SampledFrom([]string{"books", "rebuilds", "spoils the commit", "loses the transaction"}).Draw(t, "spoils")
				}
				rushes = append(rushes, r)
			}
			h.together(rushes, rapid.Bool().Draw(t, "in memory"))
			for _, r := range rushes {
				refusal := (*hotel.Refusal)(nil)
				if r.got != nil && !errors.As(r.got, &refusal) && !errors.Is(r.got, errItem) && !errors.Is(r.got, errRolledBack) && !errors.Is(r.got, ErrUnknown) && r.how != "panics" {
					t.Fatalf("%s: %v", r.how, r.got)
				}
			}
			list := must(h.Reservations(ctx, hotel.ReservationFilter{Limit: 1000}))(t)
			known = known[:0]
			for i := range list {
				known = append(known, &list[i])
			}
			b := must(h.Board(ctx, h.property.ID))(t)
			if diff := sameBoard(h.freshBoard(t), b); diff != "" {
				t.Fatalf("the board is not what the tables say (-want +got):\n%s", diff)
			}
			h.checkSold(t)
			h.checkNotOversold(t, b)
		}
	})
}

// together submits all of them while the writer is held up, in this order, so
// that they share a batch. Without memory the board is forgotten before it runs.
func (h *house) together(rushes []*rush, memory bool) {
	var calls []func()
	for _, r := range rushes {
		calls = append(calls, func() { r.got = r.run(h) })
	}
	h.waiting(calls, func() {
		if !memory {
			h.boards.drop()
		}
	})
}

// atOnce makes the calls in this order so that what they write shares a batch.
func (h *house) atOnce(calls ...func()) { h.waiting(calls, func() {}) }

// waiting holds the writer up until all calls wait for it, in this order.
func (h *house) waiting(calls []func(), then func()) {
	busy, proceed := make(chan struct{}), make(chan struct{})
	var callers sync.WaitGroup
	callers.Go(func() {
		_ = h.write(context.Background(), urgent, tester, func(*tx) error {
			close(busy)
			<-proceed
			return nil
		})
	})
	<-busy
	for i, call := range calls {
		callers.Go(call)
		h.await(i + 1)
	}
	then()
	close(proceed)
	callers.Wait()
}

func (h *house) checkNotOversold(t tb, b *board.Board) {
	t.Helper()
	for d := b.From; d <= b.To(); d++ {
		for i, house := range b.House(d) {
			if house.Net < 0 {
				t.Fatalf("%s of %s: %s", fmt.Sprint(house), d, b.RoomTypes[i].Code)
			}
		}
	}
}
