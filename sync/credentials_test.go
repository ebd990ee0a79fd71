package sync_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// doubtful is a live channel whose far side refuses our credentials as long as it is
// told to.
type doubtful struct {
	*bench
	f       testkit.FarSide
	refuses atomic.Bool
	calls   atomic.Int64
}

// newDoubtful starts with credentials that are refused with the status.
func newDoubtful(t *testing.T, status int) *doubtful {
	t.Helper()
	d := &doubtful{bench: newBench(t)}
	d.f = d.far("a")
	d.refuses.Store(true)
	d.net.Serve(context.Background(), d.f.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.calls.Add(1)
		if d.refuses.Load() {
			w.WriteHeader(status)
			return
		}
		d.f.ServeHTTP(w, r)
	}))
	d.channel("a", d.f.Settings(300))
	if err := d.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
		t.Fatal(err)
	}
	if err := d.eng.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// Credentials that are refused are not tried again and again, by no program that
// is started anew either; once somebody has mended them all goes on at once.
func TestCredentialsThatAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newDoubtful(t, http.StatusUnauthorized)
		defer b.stop()
		restart := func() {
			if err := b.eng.Stop(); err != nil {
				t.Fatal(err)
			}
			b.newEngine()
			if err := b.eng.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		b.pass(time.Minute)
		first := b.calls.Load()
		if first < 1 || first > 4 { // those that were under way together
			t.Errorf("%d calls in a minute", first)
		}
		restart()
		b.pass(10 * time.Minute)
		restart()
		b.pass(time.Minute)
		if n := b.calls.Load(); n != first {
			t.Errorf("%d calls more before the time of a probe", n-first)
		}
		if l := b.eng.Link("a"); l.Cause != hotel.Denied || l.Circuit != "open" || l.Words == "" {
			t.Errorf("the link is %+v", l)
		}
		b.pass(4 * time.Minute)
		if n := b.calls.Load(); n != first+1 {
			t.Errorf("%d calls more, want one probe", n-first)
		}

		b.refuses.Store(false)
		_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Name = "mended"
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		if l := b.eng.Link("a"); l.Cause != "" || l.Circuit != "closed" || b.rooms(b.f) == 0 {
			t.Errorf("mended: %+v, %d rooms shown", l, b.rooms(b.f))
		}
	})
}

// Whoever tests a channel has mended it, as far as we know.
func TestTestingAChannelTriesItsCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newDoubtful(t, http.StatusForbidden)
		defer b.stop()
		b.pass(10 * time.Second)
		state, err := b.ldg.Channel(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.eng.Test(t.Context(), state.Channel); codeOf(err) != "channel_error" && codeOf(err) != "channel_timeout" {
			t.Errorf("with credentials that are refused: %v", err)
		}
		b.refuses.Store(false)
		if _, err := b.eng.Test(t.Context(), state.Channel); err != nil {
			t.Errorf("with credentials that are taken: %v", err)
		}
		b.pass(10 * time.Second)
		if b.rooms(b.f) == 0 {
			t.Error("nothing is told")
		}
	})
}

// Whoever is on duty is told once that credentials are refused, however often they
// are tried; when they ask for another try they are told again if it fails, and
// nothing is left to decide once the channel takes them.
func TestRefusedCredentialsAreOneConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newDoubtful(t, http.StatusUnauthorized)
		defer b.stop()
		conflicts := func(want int) []hotel.Conflict {
			t.Helper()
			list, err := b.ldg.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: "hotel_1", Kinds: []hotel.ConflictKind{hotel.ConflictCredentials}, Limit: 10})
			if err != nil || len(list) != want {
				t.Fatalf("%d conflicts, want %d: %+v (%v)", len(list), want, list, err)
			}
			return list
		}
		take := func(c hotel.Conflict, option string) {
			t.Helper()
			if _, _, err := b.ldg.ResolveConflict(t.Context(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: option}); err != nil {
				t.Fatal(err)
			}
		}
		b.pass(time.Hour)
		c := conflicts(1)[0]
		if c.Status != hotel.ConflictOpen || c.Severity != hotel.Critical || c.ChannelID != "a" {
			t.Errorf("raised %+v", c)
		}
		take(c, hotel.OptionRetry)
		b.pass(10 * time.Second)
		c = conflicts(2)[0]
		b.refuses.Store(false)
		take(c, hotel.OptionRetry)
		b.pass(10 * time.Second)
		conflicts(2)
		if b.rooms(b.f) == 0 {
			t.Error("nothing is told though the channel takes our credentials")
		}
		b.refuses.Store(true)
		if _, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Name = "changed"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Hour)
		c = conflicts(3)[0]
		take(c, hotel.OptionPause)
		b.pass(2 * time.Hour)
		conflicts(3)
		if s, err := b.ldg.Channel(t.Context(), "a"); err != nil || s.Status != hotel.Paused {
			t.Errorf("the channel is %s (%v)", s.Status, err)
		}
		b.refuses.Store(false)
		b.pass(time.Hour)
		if n := b.rooms(b.f); n != 0 {
			t.Errorf("a paused channel shows %d rooms", n)
		}
	})
}
