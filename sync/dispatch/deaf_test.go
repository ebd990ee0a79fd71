package dispatch

import (
	"context"
	"slices"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// nosy is the ledger of a worker, with somebody who watches what is stored.
type nosy struct {
	*ledger.Ledger
	desired func(ledger.Work)
	begun   func(ledger.NewDelivery)
	plans   int // times that all that differs was asked for
}

func (n *nosy) Desire(ctx context.Context, channel string, w ledger.Work, wanted []ledger.Wanted) error {
	err := n.Ledger.Desire(ctx, channel, w, wanted)
	n.desired(w)
	return err
}

func (n *nosy) Dirty(ctx context.Context, channel string, today hotel.Date, limit int) ([]ledger.DirtyCell, error) {
	n.plans++
	return n.Ledger.Dirty(ctx, channel, today, limit)
}

func (n *nosy) Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error) {
	b, err := n.Ledger.Begin(ctx, d)
	n.begun(d)
	return b, err
}

// manyNights is how far ahead a house sells that takes a while to be worked out.
const manyNights = 499

// lengthen lets the house sell many nights ahead.
func lengthen(t testing.TB, l *ledger.Ledger, house testkit.House) {
	t.Helper()
	changeHouse(t, l, house, func(p *hotel.Property) { p.HorizonDays = manyNights })
	today := house.Property.Today(hotel.SystemClock{}.Now())
	for room := range house.Rooms {
		house.Price(t, l, room, hotel.Span{From: today, To: today + hotel.Date(manyNights-1)}, 10000)
	}
	deriveHouse(t, l)
}

func changeHouse(t testing.TB, l *ledger.Ledger, house testkit.House, change func(*hotel.Property)) {
	t.Helper()
	_, _, err := l.ChangeProperty(context.Background(), testkit.Tester, hotel.Once{}, house.Property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
		change(p)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	deriveHouse(t, l)
}

// deriveHouse works off what follows from a large change for the house.
func deriveHouse(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = l.DeriveDue(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// A room that is sold while all that a channel is to show is worked out anew is
// told before the rest of that.
func TestClosingLeavesInTheMiddleOfALongDerivation(t *testing.T) {
	run(t, nil, func(b *bench) {
		lengthen(t, b.ldg, b.house)
		b.rest()
		b.stop()
		// The cut-off is a fact about the house that moves whatever is told of it.
		changeHouse(t, b.ldg, b.house, func(p *hotel.Property) { p.CutOff = &hotel.CutOff{DaysBefore: 1, Time: "18:00"} })
		night := b.today + 200
		var steps []string
		watch, plans := &nosy{Ledger: b.ldg}, 0
		watch.desired = func(ledger.Work) {
			if steps = append(steps, "derived"); len(steps) == 2 {
				b.suites(night, 0)
				plans = watch.plans
			}
		}
		watch.begun = func(d ledger.NewDelivery) {
			if len(d.Cells) == 1 && d.Cells[0].Cell.Night == night && d.Cells[0].Cell.Group == hotel.Availability {
				steps, plans = append(steps, "told"), watch.plans-plans
			}
		}
		b.start(watch)
		b.rest()
		b.stop()
		at := slices.Index(steps, "told")
		if at < 0 {
			t.Fatalf("the closing was not told alone: %v", steps)
		}
		if plans > 0 {
			t.Errorf("all that differs was planned %d times between the sale and its call", plans)
		}
		// What the third step was at is not held up, but the rest is.
		if rest := len(steps) - at - 1; at > 3 || rest < 3 {
			t.Errorf("the closing is told after %d steps and before %d: %v", at, rest, steps)
		}
		if got := b.far.shows(b.suiteKey(night)).Available; got != 0 {
			t.Errorf("%d suites are shown, want none", got)
		}
	})
}

// Whatever was worked out when the program ended, the rest of it is still known.
func TestLongDerivationGoesOnAfterARestart(t *testing.T) {
	run(t, nil, func(b *bench) {
		lengthen(t, b.ldg, b.house)
		b.rest()
		b.stop()
		changeHouse(t, b.ldg, b.house, func(p *hotel.Property) { p.CutOff = &hotel.CutOff{DaysBefore: 2, Time: "18:00"} })
		night := b.today + 200
		b.suites(night, 1)
		for steps := range 12 {
			before := b.state()
			w, err := b.ldg.Work(context.Background(), channel, b.worker.reach(), ledger.Turn{})
			if err != nil {
				t.Fatal(err)
			}
			if w.Empty() {
				if steps < 5 {
					t.Fatalf("there were only %d steps", steps)
				}
				break
			}
			if err := b.ldg.Desire(context.Background(), channel, w, b.worker.offers(w)); err != nil {
				t.Fatal(err)
			}
			if b.state().SyncedThrough > before.SyncedThrough && steps < 5 {
				t.Errorf("step %d: in step up to %d while most is to be worked out", steps, b.state().SyncedThrough)
			}
			if err := b.ldg.Close(); err != nil { // as if it had been killed: nothing is kept but what was stored
				t.Fatal(err)
			}
			b.openLedger()
		}
	})
}
