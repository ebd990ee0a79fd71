package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// besideAnIll is a house with a live channel beside another property, which comes
// first, with a channel "a" of its own.
func besideAnIll(t *testing.T) (*house, *farSide) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	p := h.property
	p.ID = "a"
	must2(h.CreateProperty(t.Context(), tester, hotel.Once{}, p))(t)
	must2(h.CreateChannel(t.Context(), tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: "a"}, PropertyID: "a", Connector: "mock", Name: "a", Account: "a", Settings: []byte("{}"),
	}))(t)
	h.passes(t, 0)
	f.catchUp(t)
	return h, f
}

// TestOneThatFailsKeepsNoneOfTheOthers: what is looked at for all properties or channels
// is done for those behind one with which something is wrong, and says what that is.
func TestOneThatFailsKeepsNoneOfTheOthers(t *testing.T) {
	unreadable := func(t *testing.T, h *house) { h.exec(t, "UPDATE channel SET body = '[]' WHERE id = 'a'") }
	for name, test := range map[string]struct {
		happens func(t *testing.T, h *house, f *farSide)
		ill     func(t *testing.T, h *house)
		look    func(ctx context.Context, h *house) error
		says    string
		want    Kind
	}{
		"a clock that cannot be read": {
			func(_ *testing.T, h *house, _ *farSide) { h.clock.move(24 * time.Hour) }, unreadable,
			func(ctx context.Context, h *house) error { return h.Tick(ctx) }, "property a", ClockTick,
		},
		"a clock that cannot tick": {
			func(_ *testing.T, h *house, _ *farSide) { h.clock.move(24 * time.Hour) },
			func(t *testing.T, h *house) {
				h.exec(t, "CREATE TRIGGER ill BEFORE UPDATE ON cursor WHEN NEW.reader = 'clock:a' BEGIN SELECT RAISE(ABORT, 'ill'); END")
			},
			func(ctx context.Context, h *house) error { return h.Tick(ctx) }, "property a", ClockTick,
		},
		"a channel out of date": {
			func(t *testing.T, h *house, _ *farSide) {
				h.closeNights(t, h.today+3, h.today+3, true)
				h.deriveAll(t)
				h.clock.move(2 * time.Minute)
			},
			func(t *testing.T, h *house) {
				unreadable(t, h)
				h.exec(t, "UPDATE channel SET stale_since = 1 WHERE id = 'a'") // of those in order nothing is read
			},
			func(ctx context.Context, h *house) error { _, err := h.NoteStale(ctx); return err }, "channel a ", ChannelStale,
		},
		"a silent channel": {
			func(t *testing.T, h *house, _ *farSide) {
				for n := range 3 * 24 {
					must(h.Receive(t.Context(), oneRoom(h, fmt.Sprint("m", n), "booked", hotel.ChannelRoom{
						Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 1,
					})))(t)
					h.clock.move(4 * time.Hour)
				}
				h.clock.move(30 * 24 * time.Hour)
			}, unreadable,
			func(ctx context.Context, h *house) error { return h.NoteSilence(ctx, time.Time{}) }, "channel a ", ChannelSilent,
		},
		"a price that is missing": {
			func(t *testing.T, h *house, f *farSide) { h.unprice(t, h.today+3, h.today+5); f.catchUp(t) }, unreadable,
			func(ctx context.Context, h *house) error { return h.NoteMissingPrices(ctx) }, "channel a ", ConflictDetected,
		},
		"a stay that cannot be moved on": {
			func(t *testing.T, h *house, _ *farSide) { h.bring(t, hotel.Held) },
			func(t *testing.T, h *house) {
				r := h.bring(t, hotel.Held)
				h.exec(t, "UPDATE reservation SET hold_expires_at = hold_expires_at - 1 WHERE id = '"+r.ID+"'") // it comes first
				h.exec(t, "CREATE TRIGGER ill BEFORE UPDATE ON reservation WHEN NEW.id = '"+r.ID+"' BEGIN SELECT RAISE(ABORT, 'ill'); END")
				h.clock.move(48 * time.Hour)
			},
			func(ctx context.Context, h *house) error { _, err := h.DueStays(ctx); return err }, "move reservation res_", "reservation.declined",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, f := besideAnIll(t)
			test.happens(t, h, f)
			test.ill(t, h)
			before := must(h.Sequence(t.Context()))(t)
			if err := test.look(t.Context(), h); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it says %v, want what is wrong with %s", err, test.says)
			}
			if kinds := h.kinds(t, before); !slices.Contains(kinds, test.want) {
				t.Errorf("the journal heard %v, want %s", kinds, test.want)
			}
		})
	}
}
