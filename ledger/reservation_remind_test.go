package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// Bookings that nobody acknowledges are told of once, after half an hour, and only
// where a client has said that it acknowledges.
func TestBookingsThatNobodyAcknowledgedAreToldOf(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	e := h.hook(t, "cli_1")
	told := func() (ids []string) {
		t.Helper()
		if err := h.RemindUnacknowledged(ctx); err != nil {
			t.Fatal(err)
		}
		for _, e := range must(h.Entries(ctx, 0, 1000))(t) {
			if e.Kind == ReservationUnacknowledged {
				ids = append(ids, e.Subject)
			}
		}
		return ids
	}
	book := func(night hotel.Date) string {
		t.Helper()
		f.sell(f.counters[0], night)
		return f.hear(t, 0).Reservations[0].ID
	}
	h.clock.move(time.Second)
	first, second := book(h.today+3), book(h.today+4)
	h.clock.move(remindAfter)
	if ids := told(); len(ids) > 0 {
		t.Errorf("told of %v where nobody acknowledges", ids)
	}
	must2(h.ChangeWebhookEndpoint(ctx, tester, hotel.Once{}, e.ID, hotel.Change[hotel.WebhookEndpoint]{
		Apply: func(e *hotel.WebhookEndpoint) error { e.Acknowledges = true; return nil },
	}))(t)
	must2(h.AcknowledgeReservation(ctx, tester, hotel.Once{}, second, hotel.AcknowledgeRequest{Revision: 1}))(t)
	third := book(h.today + 5)
	for range 2 {
		if ids := told(); !slices.Equal(ids, []string{first}) {
			t.Errorf("told of %v, want %s once", ids, first)
		}
	}
	h.clock.move(remindAfter)
	if ids := told(); !slices.Equal(ids, []string{first, third}) {
		t.Errorf("told of %v, want %s and %s", ids, first, third)
	}
	h.clock.move(remindWithin)
	if ids := told(); len(ids) != 2 {
		t.Errorf("told again of %v", ids)
	}
}
