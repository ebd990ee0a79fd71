package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// hook makes an endpoint of a fresh client.
func (h *house) hook(t *testing.T, client string) hotel.WebhookEndpoint {
	t.Helper()
	ctx := context.Background()
	_, _, err := h.CreateClient(ctx, tester, hotel.Once{}, auth.Client{
		ID: client, Name: client, Environment: auth.Production, Kind: "pms", Tier: auth.Standard, Scopes: auth.AllScopes(),
		PropertyIDs: []string{"*"}, Status: auth.ClientActive, CreatedAt: h.clock.Now(), UpdatedAt: h.clock.Now(), Revision: 1,
	}, [32]byte{})
	if err != nil {
		t.Fatal(err)
	}
	return must2(h.CreateWebhookEndpoint(ctx, tester, hotel.Once{}, hotel.WebhookEndpoint{
		ClientID: client, WebhookSettings: hotel.WebhookSettings{URL: "https://partner.example", EventTypes: []string{"*"}}, Position: -1,
	}, []byte("sealed")))(t)
}

func event(id string, sequence int64, together bool) hotel.WebhookEvent {
	return hotel.WebhookEvent{ID: id, Kind: "inventory.updated", PropertyID: "hotel_1", Subject: "rt_1", Sequence: sequence, Together: together}
}

// turn moves an endpoint on by events.
func (h *house) turn(t *testing.T, e hotel.WebhookEndpoint, from, to int64, events ...hotel.WebhookEvent) {
	t.Helper()
	err := h.TurnWebhooks(context.Background(), []hotel.WebhookStep{{EndpointID: e.ID, Revision: e.Revision, From: from, To: to, Events: events}})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *house) claim(t *testing.T, e hotel.WebhookEndpoint) []hotel.WebhookDelivery {
	t.Helper()
	return must(h.ClaimWebhooks(context.Background(), map[string]int{e.ID: 10}))(t)
}

// An endpoint's part of the journal becomes deliveries once, however often it is
// tried, and not at all for an endpoint that was changed meanwhile.
func TestAStretchOfTheJournalIsTurnedOnce(t *testing.T) {
	h := newHouse(t)
	e := h.hook(t, "cli_1")
	at := e.Position
	h.turn(t, e, at, at+2, event("evt_1", at+1, false))
	h.turn(t, e, at, at+2, event("evt_1", at+1, false))
	stale := e
	stale.Revision++
	h.turn(t, stale, at+2, at+3, event("evt_2", at+3, false))
	now := must(h.WebhookEndpoint(context.Background(), e.ID))(t)
	if now.Position != at+2 || now.Queued != 1 {
		t.Errorf("stands at %d of %d with %d queued", now.Position, at+2, now.Queued)
	}
}

// What follows before a delivery is tried goes with it. What follows while it is
// being called does not: the call has not told of it.
func TestOnlyWhatIsNotCalledYetIsWidened(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	e := h.hook(t, "cli_1")
	at := e.Position
	h.turn(t, e, at, at+1, event("evt_1", at+1, true))
	h.turn(t, e, at+1, at+2, event("evt_2", at+2, true))
	if due := h.claim(t, e); len(due) != 0 {
		t.Errorf("due at once: %+v", due)
	}
	h.clock.move(hotel.WebhookTogether)
	due := h.claim(t, e)
	if len(due) != 1 || due[0].Event.ID != "evt_2" || due[0].First != at+1 || due[0].Tries != 1 {
		t.Fatalf("due: %+v", due)
	}
	if again := h.claim(t, e); len(again) != 0 {
		t.Errorf("claimed twice: %+v", again)
	}
	h.turn(t, e, at+2, at+3, event("evt_3", at+3, true))
	if err := h.SettleWebhook(ctx, due[0], hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: h.clock.Now(), Status: 200}}); err != nil {
		t.Fatal(err)
	}
	list := must(h.WebhookDeliveries(ctx, hotel.WebhookDeliveryFilter{EndpointID: e.ID, Limit: 10}))(t)
	if len(list) != 2 || list[0].Status != hotel.WebhookPending || list[0].First != at+3 || list[1].Status != hotel.WebhookDelivered {
		t.Errorf("deliveries %+v", list)
	}
	pending := must(h.WebhookDeliveries(ctx, hotel.WebhookDeliveryFilter{EndpointID: e.ID, Statuses: []hotel.WebhookDeliveryStatus{hotel.WebhookPending, hotel.WebhookDead}, Kinds: []string{"inventory.updated", "rates.updated"}, Limit: 10}))(t)
	if len(pending) != 1 || len(must(h.WebhookDeliveries(ctx, hotel.WebhookDeliveryFilter{EndpointID: e.ID, Before: list[1].ID, Limit: 10}))(t)) != 0 {
		t.Errorf("pending %+v", pending)
	}
}

// An answer to a call that was begun before the delivery was asked for again does
// not settle what was asked for.
func TestAnOldAnswerDoesNotSettleANewWish(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	e := h.hook(t, "cli_1")
	h.turn(t, e, e.Position, e.Position+1, event("evt_1", e.Position+1, false))
	due := h.claim(t, e)
	must2(h.RetryWebhook(ctx, tester, hotel.Once{}, due[0].ID))(t)
	if err := h.SettleWebhook(ctx, due[0], hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: h.clock.Now(), Status: 200}}); err != nil {
		t.Fatal(err)
	}
	if d := must(h.WebhookDelivery(ctx, due[0].ID))(t); d.Status != hotel.WebhookPending || len(d.Attempts) != 1 {
		t.Errorf("delivery %+v", d)
	}
}

func TestWebhooksAreTidied(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	kept, gone := h.hook(t, "cli_1"), h.hook(t, "cli_2")
	h.turn(t, kept, kept.Position, kept.Position+2, event("evt_1", kept.Position+1, false), event("evt_2", kept.Position+2, false))
	h.turn(t, gone, gone.Position, gone.Position+1, event("evt_1", gone.Position+1, false))
	due := h.claim(t, kept)
	if err := h.SettleWebhook(ctx, due[0], hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: h.clock.Now(), Status: 200}}); err != nil {
		t.Fatal(err)
	}
	if err := h.DeleteWebhookEndpoint(ctx, tester, gone.ID, 0); err != nil {
		t.Fatal(err)
	}
	// The answer to a call of what was deleted meanwhile is nobody's.
	if err := h.SettleWebhook(ctx, hotel.WebhookDelivery{EndpointID: gone.ID}, hotel.WebhookOutcome{}); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := h.readDB.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM webhook_delivery) * 10 + (SELECT count(*) FROM webhook_attempt)").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 21}, {hotel.WebhookKept + time.Hour, 10}} {
		h.clock.move(step.after)
		if err := h.TidyWebhooks(ctx); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != step.want {
			t.Errorf("%s later: %d, want %d deliveries and calls", step.after, n, step.want)
		}
	}
}
