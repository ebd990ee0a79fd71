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

// Whoever is on duty is told once that credentials are refused, however often they
// are tried; when they ask for another try they are told again if it fails, and
// nothing is left to decide once the channel takes them.
func TestRefusedCredentialsAreOneConflict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		var refuses atomic.Bool
		refuses.Store(true)
		b.net.Serve(context.Background(), f.Host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		conflicts := func(want int) []hotel.Conflict {
			t.Helper()
			list, err := b.ldg.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: "hotel_1", Kind: hotel.ConflictCredentials, Limit: 10})
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
		refuses.Store(false)
		take(c, hotel.OptionRetry)
		b.pass(10 * time.Second)
		conflicts(2)
		if b.rooms(f) == 0 {
			t.Error("nothing is told though the channel takes our credentials")
		}
		refuses.Store(true)
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
		refuses.Store(false)
		b.pass(time.Hour)
		if n := b.rooms(f); n != 0 {
			t.Errorf("a paused channel shows %d rooms", n)
		}
	})
}
