package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
)

// rejoin gives the channel settings of another hotel at its far side.
func (f *farSide) rejoin() error {
	_, _, err := f.h.ChangeChannel(context.Background(), tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error {
		c.Place, c.Settings = "other", []byte(`{"hotel":"other"}`)
		return nil
	})
	return err
}

func (f *farSide) pause(t tb) {
	t.Helper()
	must2(f.h.PauseChannel(context.Background(), tester, hotel.Once{}, f.id, 0, false))(t)
}

func TestAnotherPlaceIsToldEverything(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := t.Context()

	err := f.rejoin()
	if r, ok := errors.AsType[*hotel.Refusal](err); !ok || r.Code != "closing_unacknowledged" || r.Members["rooms_at_risk"] == 0 {
		t.Fatalf("joined to another place while it sells at the first: %v", err)
	}
	f.pause(t)
	if err := f.rejoin(); err == nil {
		t.Fatal("joined to another place before the first has taken its closing")
	}
	f.catchUp(t)
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	if left := f.groups(t); len(left) > 0 {
		t.Fatalf("%d cells are known at a place that was never told anything", len(left))
	}

	// The other place shows whatever somebody typed there.
	f.shown, f.opening = map[hotel.Cell]int64{}, 9
	must2(h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, must(h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
	for f.derive(t) {
	}
	for cell, g := range f.groups(t) {
		if cell.Group == hotel.Availability && (g.held != nil || g.may != nil) {
			t.Fatalf("%+v is taken to show %v, at most %v", cell, g.held, g.may)
		}
		if cell.Group == hotel.Closures && !hotel.DecodeOffer(hotel.Closures, *g.want, "").Closed.Closed {
			t.Fatalf("%+v is wanted open before a price is confirmed there", cell)
		}
	}
	f.catchUp(t)
	f.check(t)
}

func TestAnAnswerFromTheFormerPlaceSettlesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	f.pause(t)
	f.catchUp(t)
	ctx := t.Context()
	pull := must(h.Begin(ctx, NewDelivery{ChannelID: f.id, Kind: Pull, Operation: "poll", SentAt: h.clock.Now()}))(t)
	seen := must(h.Channel(ctx, f.id))(t).Revision
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	h.clock.move(time.Second)
	if err := h.Polled(ctx, f.id, pull.ID, "page 7"); err != nil {
		t.Fatal(err)
	}
	if got := must(h.PollCursor(ctx, f.id))(t); got != "" {
		t.Errorf("the next pull begins at %q, a place in the former feed", got)
	}
	if err := h.Settle(ctx, Settlement{DeliveryID: pull.ID, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
	must2(h.ActivateChannel(ctx, tester, hotel.Once{}, f.id, must(h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
	for f.derive(t) {
	}
	call := NewDelivery{ChannelID: f.id, Revision: seen, Kind: Push, Operation: "set", SentAt: h.clock.Now(), Cells: f.dirty(t)[:1]}
	if _, err := h.Begin(ctx, call); !errors.Is(err, ErrOutrun) {
		t.Errorf("a call of whoever knows the former place: %v", err)
	}
}

func TestNothingIsGrantedAtAnotherPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	pool := must(h.RoomType(t.Context(), h.double.ID))(t).Consumes[0].AnyOf[0]
	must2(h.ChangePool(t.Context(), tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
		p.Protection = hotel.Protection{Kind: hotel.Guarded}
		return nil
	}}))(t)
	f.pause(t)
	f.catchUp(t)
	if err := f.rejoin(); err != nil {
		t.Fatal(err)
	}
	var known, strange int
	const count = "SELECT COUNT(*) FILTER (WHERE account IS NOT NULL), COUNT(*) FILTER (WHERE account IS NULL AND raised) FROM party WHERE channel_id = ?"
	if err := h.readDB.QueryRowContext(t.Context(), count, f.id).Scan(&known, &strange); err != nil || known > 0 || strange == 0 {
		t.Errorf("of %d accounts something is known, of %d nothing, %v", known, strange, err)
	}
}

// TestWhatAChannelWasGrantedIsNotForgottenAtAnotherPlace: neither of one that sells on in shadow,
// nor of one that was disconnected by force.
func TestWhatAChannelWasGrantedIsNotForgottenAtAnotherPlace(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, w *recoded){
		"in shadow": func(t *testing.T, w *recoded) {
			must2(w.h.ChangeChannel(t.Context(), tester, hotel.Once{}, w.f.id, 0, func(c *hotel.Channel) error {
				c.Shadow = true
				return nil
			}))(t)
		},
		"disconnected by force": func(t *testing.T, w *recoded) {
			must2(w.h.DisconnectChannel(t.Context(), tester, hotel.Once{}, w.f.id, 0, true))(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newGranted(t, promising(nil), 3)
			left := w.leftOf(t, w.h.double)
			leave(t, w)
			if err := w.f.rejoin(); refusedAs(err) != "closing_unacknowledged" {
				t.Errorf("joined to another place: %v", err)
			}
			if got := w.leftOf(t, w.h.double); got != left {
				t.Errorf("%d rooms are left to others, %d before", got, left)
			}
		})
	}
}

// A channel in shadow that was never told anything is joined to another place as one pleases:
// whoever set it up may have mistyped the hotel's code, and what it shows is not our doing.
func TestAChannelInShadowThatWasNeverToldIsJoinedToAnotherPlace(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	if _, err := h.ChannelReached(t.Context(), tester, f.id); err != nil {
		t.Fatal(err)
	}
	for _, shadow := range []bool{false, true} {
		if shadow {
			must2(h.ShadowChannel(t.Context(), tester, hotel.Once{}, f.id, 0))(t)
		}
		for f.derive(t) {
		}
		read := func(tx *tx) error {
			_, err := tx.b.w.conn.ExecContext(tx.ctx, "UPDATE stock_cell SET may = 3, shown = 3 WHERE channel_id = ?", f.id)
			return err
		}
		if err := h.write(t.Context(), urgent, tester, read); err != nil {
			t.Fatal(err)
		}
		if _, _, err := h.ChangeChannel(t.Context(), tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error {
			c.Place = fmt.Sprint("another, in shadow ", shadow)
			return nil
		}); err != nil {
			t.Errorf("shadow %t: %v", shadow, err)
		}
	}
}

// TestAnUnmappedBookingIsNoProofOfWhatElseWasSold: until the bookings are listed a closed channel
// that was granted a room may have sold it beside a booking that is of another type.
func TestAnUnmappedBookingIsNoProofOfWhatElseWasSold(t *testing.T) {
	w := newGranted(t, promising(nil), 1)
	w.f.sell(w.f.counters[1], w.night)
	w.f.mail[0].Booking.Rooms[0].Room = "X"
	w.f.hear(t, 0)
	w.f.sell(w.f.counters[0], w.night)
	w.f.bookings, w.f.mail = append(w.f.bookings, w.f.mail...), nil // the notice of that sale is lost
	w.f.pause(t)
	w.f.catchUp(t)
	if n := w.f.state(t).RoomsAtRisk; n == 0 {
		t.Error("no room is at risk at a channel of whose sales nobody has heard")
	}
	if err := w.f.disconnect(t); refusedAs(err) != "closing_unacknowledged" {
		t.Errorf("disconnected: %v", err)
	}
}

// TestWhatWasGrantedByAFormerPromiseIsNotKnown: accounts of a channel that promises less than
// before are of nobody knows how many rooms, and it is closed. One that promises more, or the
// same again, keeps them.
func TestWhatWasGrantedByAFormerPromiseIsNotKnown(t *testing.T) {
	for name, change := range map[string]func(*hotel.Terms){
		"three sites":          func(t *hotel.Terms) { t.Sellers, t.Sites = hotel.Many, 3 },
		"it replenishes":       func(t *hotel.Terms) { t.AdjustsOn.Cancel = hotel.AdjustYes },
		"a stay may grow":      func(t *hotel.Terms) { t.AdjustsOn.Modify = hotel.AdjustNo },
		"a value is the total": func(t *hotel.Terms) { t.TotalLimit = true },
		"twice":                func(t *hotel.Terms) { t.AtMostOnce = false },
		"later":                func(t *hotel.Terms) { t.Lifetime = time.Hour },
		"without end":          func(t *hotel.Terms) { t.Lifetime = 0 },
		"listed later":         func(t *hotel.Terms) { t.SaleSettle = time.Hour },
	} {
		t.Run(name, func(t *testing.T) {
			strict := func(t *hotel.Terms) { t.AdjustsOn.Cancel, t.AdjustsOn.Modify = hotel.AdjustNo, hotel.AdjustNever }
			w := newGranted(t, promising(strict), 3)
			more := promising(strict)
			more.BookingTime, more.Versions = true, true
			w.f.promises(t, more)
			if p := w.f.party(t, w.night); p.Unknown || p.Account != 3 {
				t.Fatalf("one that promises more has %+v", p)
			}
			less := more
			change(&less)
			w.f.promises(t, less)
			if p := w.f.party(t, w.night); !p.Unknown {
				t.Errorf("one that promises less has %+v", p)
			}
		})
	}
}
