package dispatch

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/lane"
)

// stepTime is how long each step of a derivation takes here.
const stepTime = collect / 2

// fill has a channel told everything for the first time, and returns in how many
// steps that was worked out. stored is told of each.
func fill(b *bench, n *nosy, stored func(step int, w ledger.Work)) (steps int) {
	b.stop()
	lengthen(b.t, b.ldg, b.house)
	n.Ledger = b.ldg
	n.desired = func(w ledger.Work) {
		time.Sleep(stepTime)
		steps++
		stored(steps, w)
	}
	b.start(n)
	b.rest()
	b.stop()
	return steps
}

// A channel that is told everything for the first time is told it in full calls, and
// is not planned for with every piece that is worked out.
func TestFirstFillTakesFullCalls(t *testing.T) {
	run(t, func(b *bench) { b.far.perCall = 200 }, func(b *bench) {
		n := &nosy{begun: func(ledger.NewDelivery) {}}
		steps := fill(b, n, func(int, ledger.Work) {})
		// What several entries have moved is worked out once: 1,500 counts, 3,000 prices
		// with those by occupancy, and 6 products of restrictions twice.
		if steps < 8 || steps > 20 {
			t.Errorf("it is worked out in %d steps, want about 12", steps)
		}
		type kind struct {
			operation string
			lane      lane.Lane
		}
		cells, calls := map[kind]int{}, map[kind]int{}
		sent := b.toldSince(0)
		for _, x := range sent {
			k := kind{x.Operation, x.Lane}
			cells[k] += len(x.Cells)
			calls[k]++
		}
		// What takes long to be worked out is told in parts, so that the channel hears
		// of it before the end.
		parts := 1 + int(time.Duration(steps)*stepTime/(mostCollect*collect))
		for k, got := range calls {
			if fewest := (cells[k] + b.far.perCall - 1) / b.far.perCall; got > fewest+parts {
				t.Errorf("%v: %d cells in %d calls, want at most %d and %d that are not full", k, cells[k], got, fewest, parts)
			}
		}
		if n.plans > len(sent)+parts {
			t.Errorf("%d plans for %d calls", n.plans, len(sent))
		}
	})
}

// However many rooms are sold, what else has changed comes to its turn.
func TestStreamOfSalesStarvesNothing(t *testing.T) {
	run(t, nil, func(b *bench) {
		const sales = 30
		n, bulk := &nosy{begun: func(ledger.NewDelivery) {}}, 0
		fill(b, n, func(step int, w ledger.Work) {
			if step > sales {
				return
			}
			if !w.Urgent {
				bulk++
			}
			b.suites(b.today+hotel.Date(step), step%2)
		})
		if bulk < sales/(mostPassed+1)-1 {
			t.Errorf("only %d of %d steps were about anything but rooms sold", bulk, sales)
		}
	})
}
