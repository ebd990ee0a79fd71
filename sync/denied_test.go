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

// Credentials that are refused are not tried again and again, by no program that
// is started anew either; once somebody has mended them all goes on at once.
func TestCredentialsThatAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		var refuses atomic.Bool
		var calls atomic.Int64
		refuses.Store(true)
		b.net.Serve(context.Background(), f.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			if refuses.Load() {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			f.ServeHTTP(w, r)
		}))
		b.channel("a", f.Settings(300))
		if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
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
		first := calls.Load()
		if first < 1 || first > 4 { // those that were under way together
			t.Errorf("%d calls in a minute", first)
		}
		restart()
		b.pass(10 * time.Minute)
		restart()
		b.pass(time.Minute)
		if n := calls.Load(); n != first {
			t.Errorf("%d calls more before the time of a probe", n-first)
		}
		if l := b.eng.Link("a"); l.Cause != hotel.Denied || l.Circuit != "open" || l.Words == "" {
			t.Errorf("the link is %+v", l)
		}
		b.pass(4 * time.Minute)
		if n := calls.Load(); n != first+1 {
			t.Errorf("%d calls more, want one probe", n-first)
		}

		refuses.Store(false)
		_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Name = "mended"
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		if l := b.eng.Link("a"); l.Cause != "" || l.Circuit != "closed" || b.rooms(f) == 0 {
			t.Errorf("mended: %+v, %d rooms shown", l, b.rooms(f))
		}
	})
}

// Whoever tests a channel has mended it, as far as we know.
func TestTestingAChannelTriesItsCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		var refuses atomic.Bool
		refuses.Store(true)
		b.net.Serve(context.Background(), f.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if refuses.Load() {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			f.ServeHTTP(w, r)
		}))
		b.channel("a", f.Settings(300))
		if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		state, err := b.ldg.Channel(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.eng.Test(t.Context(), state.Channel); codeOf(err) != "channel_error" && codeOf(err) != "channel_timeout" {
			t.Errorf("with credentials that are refused: %v", err)
		}
		refuses.Store(false)
		if _, err := b.eng.Test(t.Context(), state.Channel); err != nil {
			t.Errorf("with credentials that are taken: %v", err)
		}
		b.pass(10 * time.Second)
		if b.rooms(f) == 0 {
			t.Error("nothing is told")
		}
	})
}
