package ledger

import (
	"context"
	"errors"
	"testing"

	"ostler.example/hotel"
)

// largeCall is a house with a channel that is to be told more than one item takes
// in, and the call that tells it.
func largeCall(t *testing.T) (*house, *farSide, NewDelivery) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 499)")
	h.property.HorizonDays = 499
	must(h.setPrice(h.double, h.flex, h.today, h.today+499, 9000))(t)
	h.deriveAll(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	for f.derive(t) {
	}
	d := NewDelivery{ChannelID: f.id, Kind: Push, Operation: "everything", Lane: 1, SentAt: h.clock.Now(), Cells: everythingOwed(t, h, f)}
	if len(d.Cells) < 2*cellsAtOnce {
		t.Fatalf("%d cells are to be told", len(d.Cells))
	}
	return h, f, d
}

func everythingOwed(t *testing.T, h *house, f *farSide) []SentCell {
	t.Helper()
	var cells []SentCell
	for _, c := range must(h.Dirty(context.Background(), f.id, h.today, 20000))(t) {
		cells = append(cells, SentCell{c.Cell, c.Want, c.Sold})
	}
	return cells
}

// A large call is begun and settled in items that each take in few of its cells, and
// is one call all the same.
func TestLargeCallTakesSeveralItems(t *testing.T) {
	h, f, d := largeCall(t)
	items := func(f func()) int {
		before := h.changes.commits.Load()
		f()
		return int(h.changes.commits.Load() - before)
	}
	want := (len(d.Cells) + cellsAtOnce - 1) / cellsAtOnce
	var b Begun
	if got := items(func() { b = must(h.Begin(context.Background(), d))(t) }); got != want {
		t.Errorf("%d cells are begun in %d items, want %d", len(d.Cells), got, want)
	}
	if left := len(everythingOwed(t, h, f)); left > 0 {
		t.Errorf("%d cells are not under way", left)
	}
	refused := d.Cells[0].Cell
	got := items(func() {
		err := h.Settle(context.Background(), Settlement{DeliveryID: b.ID, State: DeliveryPartial, Rejected: map[hotel.Cell]string{refused: "no"}})
		if err != nil {
			t.Fatal(err)
		}
	})
	if got != want {
		t.Errorf("%d cells are settled in %d items, want %d", len(d.Cells), got, want)
	}
	if s := f.state(t); s.Rejected != 1 || s.Unknown != 0 {
		t.Errorf("%d cells are refused and %d unknown, want 1 and none", s.Rejected, s.Unknown)
	}
}

// A large call of which the last cell is wanted otherwise by now is not sent, and
// what had been noted of it as under way is to be told as before.
func TestLargeCallThatIsOutrunLeavesNothingUnderWay(t *testing.T) {
	h, f, d := largeCall(t)
	d.Cells[len(d.Cells)-1].Value++
	if _, err := h.Begin(context.Background(), d); !errors.Is(err, ErrOutrun) {
		t.Fatalf("begun all the same: %v", err)
	}
	if got := len(everythingOwed(t, h, f)); got != len(d.Cells) {
		t.Errorf("%d cells are to be told, want %d", got, len(d.Cells))
	}
	if n := must(h.Recover(context.Background()))(t); n != 0 {
		t.Errorf("%d calls are open", n)
	}
}

// When the program ends while a large call is being settled, nobody knows what became
// of any of it.
func TestLargeCallThatIsSettledInPart(t *testing.T) {
	h, f, d := largeCall(t)
	b := must(h.Begin(context.Background(), d))(t)
	err := h.write(context.Background(), urgent, tester, func(t *tx) error {
		row, err := t.q.GetDelivery(t.ctx, b.ID)
		if err != nil {
			return err
		}
		channel, err := t.q.GetChannel(t.ctx, f.id)
		if err != nil {
			return err
		}
		parts, _ := Settlement{State: DeliveryApplied}.parts(d.Cells)
		_, _, err = t.settleCells(channel, row, parts[0], Settlement{State: DeliveryApplied})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := must(h.Recover(context.Background()))(t); n != 1 {
		t.Errorf("%d calls were open, want 1", n)
	}
	if got := len(everythingOwed(t, h, f)); got < len(d.Cells) {
		t.Errorf("%d cells are to be told again, want %d", got, len(d.Cells))
	}
}

// A call that nobody answers, or that is not sent, takes as many items as one that is
// applied.
func TestLargeCallWithoutAnOutcomeTakesSeveralItems(t *testing.T) {
	h, f, d := largeCall(t)
	want := int64((len(d.Cells) + cellsAtOnce - 1) / cellsAtOnce)
	for _, state := range []DeliveryState{DeliveryUnknown, DeliveryNotSent} {
		b := must(h.Begin(context.Background(), d))(t)
		before := h.changes.commits.Load()
		if err := h.Settle(context.Background(), Settlement{DeliveryID: b.ID, State: state}); err != nil {
			t.Fatal(err)
		}
		if got := h.changes.commits.Load() - before; int64(got) != want {
			t.Errorf("%d cells that are %s are settled in %d items, want %d", len(d.Cells), state, got, want)
		}
		if got := len(everythingOwed(t, h, f)); got != len(d.Cells) {
			t.Errorf("%d cells are to be told again when they are %s, want %d", got, state, len(d.Cells))
		}
	}
}

// A call that was ended while it was still being begun is not given up once more:
// another may carry its cells by now.
func TestCallThatIsForgoneAfterItsEndTouchesNoOther(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	for f.derive(t) {
	}
	d := NewDelivery{ChannelID: f.id, Kind: Push, Operation: "everything", Lane: 1, SentAt: h.clock.Now(), Cells: everythingOwed(t, h, f)}
	first := must(h.Begin(context.Background(), d))(t)
	if err := h.Settle(context.Background(), Settlement{DeliveryID: first.ID, State: DeliveryUnknown}); err != nil {
		t.Fatal(err)
	}
	must(h.Begin(context.Background(), d))(t)
	if err := h.forgo(first.ID, d.Cells); err != nil {
		t.Fatal(err)
	}
	if got := len(everythingOwed(t, h, f)); got > 0 {
		t.Errorf("%d of %d cells are no longer under way", got, len(d.Cells))
	}
}
