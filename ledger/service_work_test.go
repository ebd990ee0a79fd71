package ledger

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
)

// What the service does is counted where it is done.
func TestServiceWork(t *testing.T) {
	f, cell := told(t)
	h := f.h
	ctx := t.Context()
	today := dateOf(h.clock.Now())
	counted := func(client string) map[report.Work]int64 {
		list := must(h.ServiceWork(ctx, []string{h.property.ID}, client, hotel.Span{From: today, To: today + 1}))(t)
		sum := map[report.Work]int64{}
		for _, w := range list {
			if of := w.Work == report.WebhookGood || w.Work == report.WebhookFailed; of != (w.ChannelID == "") || of != (w.PropertyID == "") {
				t.Errorf("%+v is of a place where it was not", w)
			}
			sum[w.Work] += w.N
		}
		return sum
	}
	before := counted("")

	// One call is refused, and one has no answer.
	for _, state := range []DeliveryState{DeliveryRejected, DeliveryUnknown, DeliveryNotSent} {
		h.closeNights(t, cell.Night, cell.Night, state != DeliveryUnknown)
		h.deriveAll(t)
		f.derive(t)
		f.begin(t, f.dirty(t))
		h.clock.move(3 * time.Second)
		f.settle(t, 0, Settlement{State: state})
	}
	f.catchUp(t)
	// Somebody at the channel opens more rooms by hand.
	f.shown[hotel.Cell{Line: cell.Line, Group: hotel.Availability, Night: cell.Night + 1}] = 9
	f.beginRead(t)
	f.endRead(t)
	// The circuit opens, and closes an hour later.
	since := h.clock.Now()
	stand := func(s Standing) {
		f.beginRead(t)
		read := f.read.id
		f.read = nil
		if err := h.Settle(ctx, Settlement{DeliveryID: read, State: DeliveryUnknown, Standing: s}); err != nil {
			t.Fatal(err)
		}
	}
	stand(Standing{Turn: 5, Failures: 3, Cause: hotel.Failing, Since: since, ProbeAt: since.Add(time.Minute)})
	h.clock.move(since.Add(time.Minute).Sub(h.clock.Now()))
	if n := counted("")[report.CircuitOpen]; n != 60 {
		t.Errorf("a circuit that is open counts %d s, want 60", n)
	}
	h.clock.move(since.Add(time.Hour - time.Millisecond).Sub(h.clock.Now()))
	stand(Standing{Turn: 6})
	h.clock.move(time.Hour)
	// Two calls of one client's webhooks, one of which goes well.
	e := h.hook(t, "cli_1")
	for i, status := range []int{200, 500} {
		h.turn(t, e, e.Position+int64(i), e.Position+int64(i)+1, event([]string{"evt_1", "evt_2"}[i], e.Position+int64(i)+1, false))
		if err := h.SettleWebhook(ctx, h.claim(t, e)[0], hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: h.clock.Now(), Status: status}}); err != nil {
			t.Fatal(err)
		}
	}

	after := counted("")
	for work, want := range map[report.Work]int64{
		report.PushFailed: 1, report.PushUnanswered: 1, report.CircuitOpen: 3600, report.DriftFound: 1, report.DriftRepaired: 1, report.WebhookGood: 1, report.WebhookFailed: 1,
	} {
		if got := after[work] - before[work]; got != want {
			t.Errorf("%s: %d more, want %d", work, got, want)
		}
	}
	if after[report.PushApplied] == before[report.PushApplied] {
		t.Error("calls that were taken are not counted")
	}
	if other := counted("cli_2"); other[report.WebhookGood] != 0 || other[report.PushFailed] != after[report.PushFailed] {
		t.Errorf("another client is told of %v", other)
	}
	if list := must(h.ServiceWork(ctx, []string{"elsewhere"}, "cli_2", hotel.Span{From: today, To: today}))(t); len(list) > 0 {
		t.Errorf("of another property %v", list)
	}

	h.clock.move(70 * 24 * time.Hour)
	if err := h.Retain(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if left := counted(""); len(left) > 0 {
		t.Errorf("a month later %v is kept", left)
	}
}

func TestOpenSinceIsToldByDay(t *testing.T) {
	monday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	day := dateOf(monday)
	for _, c := range []struct {
		name  string
		since time.Time
		until time.Time
		want  map[hotel.Date]int64
	}{
		{"within one day", monday.Add(time.Hour), monday.Add(2 * time.Hour), map[hotel.Date]int64{day: 3600}},
		{"over midnight", monday.Add(-time.Minute), monday.Add(time.Second), map[hotel.Date]int64{day - 1: 60, day: 1}},
		{"for days", monday.Add(-time.Hour), monday.Add(25 * time.Hour), map[hotel.Date]int64{day - 1: 3600, day: 86400, day + 1: 3600}},
		{"for no second", monday, monday.Add(time.Millisecond), map[hotel.Date]int64{}},
		{"in another zone", monday.In(time.FixedZone("", 3600)), monday.Add(time.Minute), map[hotel.Date]int64{day: 60}},
	} {
		got := map[hotel.Date]int64{}
		for _, w := range openSince("p", "ch", c.since, c.until) {
			got[w.Day] += w.N
		}
		if diff := gocmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Answers add up; those of the sandbox are no part of what all clients had.
func TestAnswersAreCounted(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	h.hook(t, "cli_live_1")
	made := must2(h.CreateClient(ctx, tester, hotel.Once{}, auth.Client{
		ID: "cli_test_1", Name: "x", Environment: auth.Sandbox, SandboxID: "x", Kind: "pms", Tier: auth.Standard, Status: auth.ClientActive, Revision: 1,
	}, [32]byte{1}))(t)
	one := func(client string, day hotel.Date, status, n int) auth.Answers {
		return auth.Answers{ClientID: client, Day: day, Status: status, Took: 7, Count: n}
	}
	for range 2 {
		if err := h.SaveAnswers(ctx, []auth.Answers{one("cli_live_1", 5, 200, 2), one("cli_live_1", 5, 404, 1), one("cli_live_1", 9, 200, 4), one(made.ID, 5, 200, 8)}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(client string, from, to hotel.Date, want ...auth.Answers) {
		t.Helper()
		got := must(h.Answers(ctx, client, hotel.Span{From: from, To: to}))(t)
		slices.SortFunc(got, func(a, b auth.Answers) int { return cmp.Or(cmp.Compare(a.Day, b.Day), a.Status-b.Status) })
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check("cli_live_1", 0, 5, one("cli_live_1", 5, 200, 4), one("cli_live_1", 5, 404, 2))
	check("", 5, 9, one("cli_live_1", 5, 200, 4), one("cli_live_1", 5, 404, 2), one("cli_live_1", 9, 200, 8))
	check(made.ID, 0, 9, one(made.ID, 5, 200, 16))
	if err := h.ForgetAnswers(ctx, 9); err != nil {
		t.Fatal(err)
	}
	check("", 0, 9, one("cli_live_1", 9, 200, 8))
}
