package sync_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

var (
	restoreSeed  = flag.Uint64("restore.seed", 2, "the first world with a restored backup")
	restoreSeeds = flag.Uint64("restore.seeds", 2, "how many worlds with a restored backup to play: every other one shares its rooms")
)

// An old backup is restored while guests go on buying. Whatever the channels have
// sold since is found again, nobody's room is sold once more, no channel shows a room
// before all of them are audited, and in the end they show what there is. Every other
// world shares its rooms, where one can be sold twice in the moment of a sale.
func TestRestoredBackup(t *testing.T) {
	for seed := *restoreSeed; seed < *restoreSeed+*restoreSeeds; seed++ {
		kind := []hotel.ProtectionKind{hotel.Shared, hotel.Guarded}[seed%2]
		t.Run(fmt.Sprint(kind, " ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cryptotest.SetGlobalRandom(t, seed)
				w := newGuarded(t, seed)
				defer w.leave()
				look := w.check
				if kind == hotel.Shared {
					w.share()
					look = func() {}
				}
				w.restored(look)
				if kind == hotel.Guarded {
					w.quiet()
				}
			})
		})
	}
}

// restored plays until a backup is taken, until it is restored, and until everybody
// is at work again.
func (w *guarded) restored(look func()) {
	play := func(n int) {
		for range n {
			w.act()
			look()
		}
	}
	play(10)
	backup := w.backUp()
	play(20)
	before, err := w.ldg.Sequence(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	w.restore(backup)
	if lost, err := w.ldg.Lost(w.t.Context(), before); err != nil || !lost {
		w.t.Errorf("whoever has read the lost journal to %d is not told: %v, %v", before, lost, err)
	}
	if after, err := w.ldg.Sequence(w.t.Context()); err != nil || after <= before {
		w.t.Errorf("the journal goes on at %d after it had come to %d, %v", after, before, err)
	}
	w.audit(look)
	w.found()
	w.activate()
	play(10)
	w.found()
	checkRebuilt(w.ldg, w.t.Errorf)
}

// share has the guarded pool shared, of which no room is granted that could go.
func (w *guarded) share() {
	w.losses = nil
	_, _, err := w.ldg.ChangePool(w.t.Context(), testkit.Tester, hotel.Once{}, w.house.Rooms[0].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{
		Apply: func(p *hotel.Pool) error { p.Protection.Kind = hotel.Shared; return nil },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.pass(5 * time.Minute)
}

// backUp copies the ledger beside the engine.
func (w *guarded) backUp() string {
	file := filepath.Join(testkit.Folder(w.t), "copy.db")
	if err := ledger.Copy(context.Background(), w.path, file, func(float64) {}); err != nil {
		w.t.Fatal(err)
	}
	return file
}

// restore ends the hotel's side at once, and begins again on a backup.
func (w *guarded) restore(file string) {
	w.kill()
	w.stop()
	time.Sleep(time.Minute)
	w.guest()
	ctx := context.Background()
	instead, err := ledger.HeadOf(ctx, w.path)
	if err == nil {
		w.ldg, err = ledger.Open(ctx, ledger.Options{Path: file, Clock: w.clock})
	}
	if err == nil {
		err = w.ldg.Restored(ctx, testkit.Tester, instead)
	}
	if err == nil {
		err = w.ldg.Close()
	}
	if err == nil {
		w.path = file
		w.ldg, err = ledger.Open(ctx, ledger.Options{Path: file, Clock: w.clock})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.start()
}

// audit waits until the channels are audited, while guests go on buying what they
// still see. Once a channel has closed, none shows it a room.
func (w *guarded) audit(look func()) {
	closed := map[int]bool{}
	for began := time.Now(); ; {
		w.pass(time.Duration(1+w.dice.IntN(20)) * time.Second)
		if w.dice.IntN(3) == 0 {
			w.guest()
		}
		look()
		running := 0
		for i := range w.far {
			c, err := w.ldg.Channel(context.Background(), string(rune('a'+i)))
			if err != nil {
				w.t.Fatal(err)
			}
			if c.Audit.Running() {
				running++
			}
			if c.Audit.Running() && w.dice.IntN(20) == 0 {
				if code := codeOf(w.tryActivate(c.ID)); code != "audit_running" && code != "plan_outdated" {
					w.t.Errorf("channel %s can be activated while it is audited: %s", c.ID, code)
				}
			}
			shown := w.rooms(w.far[i])
			if closed[i] && shown > 0 && !w.mayHaveCancelled() {
				w.t.Errorf("channel %s shows %d rooms in its audit", c.ID, shown)
			}
			closed[i] = closed[i] || shown == 0
		}
		if running == 0 {
			return
		}
		if time.Since(began) > time.Hour {
			w.t.Fatal("the audit does not end")
		}
	}
}

// mayHaveCancelled reports whether a guest has given a room back somewhere, which
// the channel then shows by itself.
func (w *guarded) mayHaveCancelled() bool {
	return slices.ContainsFunc(w.far, func(f testkit.FarSide) bool {
		return slices.ContainsFunc(f.Book().Bookings(), func(b testkit.Booking) bool { return b.Status == testkit.CancelledAtFarSide || b.Revision > 1 })
	})
}

// found compares the live bookings of the channels with the ledger's.
func (w *guarded) found() {
	w.t.Helper()
	w.pass(3 * time.Minute)
	want := map[string]bool{}
	for i, f := range w.far {
		for _, b := range f.Book().Bookings() {
			if b.Status != testkit.CancelledAtFarSide {
				want[string(rune('a'+i))+" "+b.Reference+" "+b.Stay().CheckIn.String()+" "+b.Stay().CheckOut.String()] = true
			}
		}
	}
	for _, r := range w.kept() {
		if r.Source.ChannelID == hotel.Direct {
			continue
		}
		name := r.Source.ChannelID + " " + r.Source.Reference + " " + r.Stay.CheckIn.String() + " " + r.Stay.CheckOut.String()
		if !want[name] {
			w.t.Errorf("the ledger has %s, which the channel has not, or has it twice", name)
		}
		delete(want, name)
	}
	for name := range want {
		w.t.Errorf("the ledger has lost %s", name)
	}
}

// kept are the ledger's reservations that were not cancelled.
func (w *guarded) kept() []hotel.Reservation {
	w.t.Helper()
	all, err := w.ldg.Reservations(context.Background(), hotel.ReservationFilter{PropertyIDs: []string{w.house.Property.ID}, Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(r hotel.Reservation) bool { return r.Status == hotel.Cancelled })
}

// activate enters again what the house has said and sold itself since the backup, and
// takes every channel live by a plan.
func (w *guarded) activate() {
	for d, n := range w.total {
		if d <= w.first+5 {
			w.house.Stock(w.t, w.ldg, 0, hotel.Span{From: d, To: d}, hotel.InventoryEntry{Total: hotel.Given(n)})
		}
	}
	for _, r := range w.kept() {
		if _, stands := w.direct[r.ID]; r.Source.ChannelID == hotel.Direct && !stands {
			if _, _, err := w.ldg.CancelReservation(context.Background(), testkit.Tester, hotel.Once{}, r.ID, hotel.CancelRequest{}); err != nil {
				w.t.Error(err)
			}
		}
	}
	for id, s := range w.direct {
		if _, err := w.ldg.Reservation(context.Background(), id); err == nil {
			continue
		}
		r, _, err := w.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: w.house.Property.ID, RoomTypeID: w.house.Rooms[s.room].ID, RatePlanID: w.house.Plans[0].ID,
			Stay: s.nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"}, SellDealt: true, Overbook: true,
		})
		if err != nil {
			w.t.Errorf("a direct booking cannot be entered again: %v", err)
			continue
		}
		delete(w.direct, id)
		w.direct[r.ID] = stay{id: r.ID, room: s.room, nights: r.Stay}
	}
	for i := range w.far {
		id := string(rune('a' + i))
		err := errors.New("not tried")
		for try := 0; try < 5 && err != nil; try++ {
			w.pass(10 * time.Second)
			err = w.tryActivate(id)
		}
		if err != nil {
			w.t.Errorf("activate %s: %v", id, err)
		}
	}
}

func (w *guarded) tryActivate(id string) error {
	plan, err := w.eng.Plan(context.Background(), id, hotel.PlanQuery{Kind: hotel.PlanLive})
	if err != nil {
		return err
	}
	_, _, err = w.eng.Activate(context.Background(), testkit.Tester, hotel.Once{}, id, hotel.Approval{PlanID: plan.ID, Accept: plan.Raises, AcceptedBy: "Ada"})
	return err
}
