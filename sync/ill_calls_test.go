package sync_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// A connector that breaks off, or never ends, when it is to cancel a booking is flagged,
// and the booking stays as it is until the channel has said that it is cancelled.
func TestIllActorLeavesBookingsAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		has   ailment
		fault hotel.FaultKind
	}{{actPanics, hotel.FaultPanic}, {actHangs, hotel.FaultHung}} {
		t.Run(string(c.has), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWard(t)
				defer w.stop()
				w.brings(w.message("B", w.first+6))
				id := w.held("B")[0].ID
				w.catches(c.has)
				if _, _, err := w.ldg.CancelReservation(t.Context(), testkit.Tester, hotel.Once{}, id, hotel.CancelRequest{Reason: "repairs"}); err != nil {
					t.Fatal(err)
				}
				w.sell(1)
				w.pass(15 * time.Second)
				w.besides(string(c.has))
				r := w.held("B")[0]
				if found := w.flagged("act"); found != c.fault || r.Status != hotel.Confirmed || r.LastAction(hotel.ActionCancel).State != hotel.ActionAsked {
					t.Errorf("flagged %q, the booking is %s and its cancellation %s", found, r.Status, r.LastAction(hotel.ActionCancel).State)
				}
				w.recovers()
				w.pass(2 * time.Minute)
				r = w.held("B")[0]
				if found := w.flagged("act"); found != "" || r.Status != hotel.Cancelled || r.LastAction(hotel.ActionCancel).State != hotel.ActionAccepted {
					t.Errorf("well again: flagged %q, the booking is %s and its cancellation %s", found, r.Status, r.LastAction(hotel.ActionCancel).State)
				}
			})
		})
	}
}

// A connector that breaks off, or never ends, when it is to read a message once more has
// somebody asked about the message again, and told why. Nothing else waits for it.
func TestIllRereaderHasSomebodyAskedAgain(t *testing.T) {
	for _, c := range []struct {
		has   ailment
		words string
	}{{rereadPanics, "panicked"}, {rereadHangs, "did not end in its time"}} {
		t.Run(string(c.has), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWard(t)
				defer w.stop()
				odd := w.message("B", w.first+6)
				odd.Problem, odd.Booking = "it cannot be read", hotel.ChannelBooking{}
				w.brings(odd)
				retry := func() {
					list, err := w.ldg.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: w.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictUnread}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10})
					if err != nil || len(list) != 1 {
						t.Fatalf("asked are %+v, %v", list, err)
					}
					if _, _, err := w.ldg.ResolveConflict(t.Context(), testkit.Tester, hotel.Once{}, list[0].ID, hotel.ConflictDecision{Option: hotel.OptionRetry}); err != nil {
						t.Fatal(err)
					}
				}
				w.catches(c.has)
				retry()
				w.sell(1)
				w.pass(15 * time.Second)
				w.besides(string(c.has))
				if n := w.asked(hotel.ConflictUnread, c.words); n != 1 || len(w.held("B")) != 0 {
					t.Errorf("%d are asked in the words %q, held is %+v", n, c.words, w.held("B"))
				}
				w.recovers()
				patient.sound = w.message("B", w.first+6)
				retry()
				w.pass(15 * time.Second)
				if n := w.asked(hotel.ConflictUnread, ""); n != 0 || len(w.held("B")) != 1 {
					t.Errorf("well again: %d are asked, held is %+v", n, w.held("B"))
				}
			})
		})
	}
}

// A connector that breaks off, or never ends, when it is closed keeps nobody from the
// channel as it was changed, from what its far side has answered, nor the program from
// ending.
func TestIllConnectorIsLeftWhenItDoesNotClose(t *testing.T) {
	for _, has := range []ailment{closePanics, closeHangs} {
		t.Run(string(has), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWard(t)
				defer close(patient.release)
				w.catches(has)
				if _, _, err := w.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "ill", 0, func(c *hotel.Channel) error {
					c.Name = "Changed"
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				w.pass(15 * time.Second)
				w.sell(1)
				w.pass(15 * time.Second)
				w.besides(string(has))
				if got := patient.shows(w.key); got != w.limit || !w.eng.Link("ill").Open {
					t.Errorf("changed, it shows %d, want %d: %+v", got, w.limit, w.eng.Link("ill"))
				}
				if products, err := w.products(); err != nil || len(products) != 1 {
					t.Errorf("it sells %+v, %v", products, err)
				}
				began := time.Now()
				if err := w.eng.Stop(); err == nil {
					t.Error("nobody is told that it was not closed")
				}
				if took := time.Since(began); took > 15*time.Second {
					t.Errorf("the program ends after %s", took)
				}
				if err := w.ldg.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A connector that breaks off, or never ends, when it reads settings holds up neither
// whoever looks at the channel or changes it, nor a verification: all are told, and the
// channel as it was opened goes on.
func TestIllReaderOfSettingsHoldsUpNobody(t *testing.T) {
	for _, c := range []struct {
		has   ailment
		words string
	}{
		{capablePanics, "panicked"},
		{capableHangs, "did not end in its time"},
		{accountPanics, "panicked"},
		{accountHangs, "did not end in its time"},
		{placePanics, "panicked"},
		{placeHangs, "did not end in its time"},
	} {
		t.Run(string(c.has), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWard(t)
				defer w.stop()
				ch := w.state().Channel
				w.catches(c.has)
				told := func(whom string, err error, words string) {
					t.Helper()
					if codeOf(err) != "channel_error" || !strings.Contains(err.Error(), words) {
						t.Errorf("%s is told %v", whom, err)
					}
				}
				began := time.Now()
				_, err := w.eng.Configure("ill", ch.Settings)
				told("who changes it", err, c.words)
				_, err = w.eng.Abilities(t.Context(), ch)
				told("who looks at it", err, c.words)
				v, err := w.ldg.Verify(t.Context(), ledger.VerifyOptions{Stage: chansync.Stage(nil, nil), Report: func(string, float64) {}})
				if err != nil || len(v.Differences) > 0 || len(v.LeftOut) != 1 || !strings.Contains(v.LeftOut[0], "channel ill") || !strings.Contains(v.LeftOut[0], c.words) {
					t.Errorf("verification leaves out %q, finds %v, %v", v.LeftOut, v.Differences, err)
				}
				if took := time.Since(began); took > 40*time.Second {
					t.Errorf("they wait for %s", took)
				}
				w.sell(1)
				w.pass(15 * time.Second)
				w.besides(string(c.has))
				if got := patient.shows(w.key); got != w.limit {
					t.Errorf("it shows %d, want %d", got, w.limit)
				}
				for range 3 {
					_, _ = w.eng.Configure("ill", ch.Settings)
				}
				began = time.Now()
				if _, err = w.eng.Configure("ill", ch.Settings); time.Since(began) > 0 {
					t.Errorf("it is called again and again, the last time for %s: %v", time.Since(began), err)
				}
				w.recovers()
				synctest.Wait()
				if got, err := w.eng.Configure("ill", ch.Settings); err != nil || got.Account != "ill:ill" || got.Place != "ill:ill" {
					t.Errorf("well again: %+v, %v", got, err)
				}
				if got, err := w.eng.Abilities(t.Context(), ch); err != nil || !got.Polls {
					t.Errorf("well again: %+v, %v", got, err)
				}
			})
		})
	}
}
