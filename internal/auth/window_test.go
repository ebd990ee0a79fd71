package auth

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestWindow(t *testing.T) {
	store, clock := newMemory(), &stopped{now: start()}
	a := newAuthority(t, store, clock)
	who := Who{ClientID: "c", Tier: Standard, Environment: Production}
	if q := a.Quota(who); q.Remaining != 1000 || q.Exceeded {
		t.Fatalf("before the first: %+v", q)
	}
	for i := range 1000 {
		if q := a.Count(who); q.Exceeded || q.Remaining != 999-i || !q.Reset.Equal(start().Add(time.Hour)) {
			t.Fatalf("request %d: %+v", i+1, q)
		}
		clock.now = clock.now.Add(time.Second)
	}
	q := a.Count(who)
	if want := (Quota{Limit: 1000, Reset: start().Add(time.Hour), After: 2600 * time.Second, Exceeded: true}); q != want {
		t.Errorf("request 1001: %s", cmp.Diff(want, q))
	}
	if q := a.Count(Who{ClientID: "d", Tier: "partner", Environment: Production}); q.Remaining != 4999 {
		t.Errorf("a partner: %+v", q)
	}
	if q := a.Count(Who{ClientID: "e", Tier: "partner", Environment: Sandbox}); q.Remaining != 999 {
		t.Errorf("a partner in the sandbox: %+v", q)
	}
	if q := a.Count(Who{ClientID: "f", HourlyLimit: new(int), Environment: Sandbox}); q.Remaining != 999 {
		t.Errorf("one without a limit in the sandbox: %+v", q)
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	restarted := newAuthority(t, store, clock)
	if q := restarted.Count(who); !q.Exceeded {
		t.Errorf("a restart gave the client another hour: %+v", q)
	}
	clock.now = start().Add(time.Hour)
	if q := restarted.Count(who); q.Exceeded || q.Remaining != 999 {
		t.Errorf("the next hour: %+v", q)
	}
}

// The window compared with one that is written plainly: the times of the counted
// requests since the one that opened it.
func TestWindowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 5
		w, now := newWindows(nil), start()
		var opened time.Time
		used := 0
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 1200).Draw(t, "seconds")) * time.Second)
			if opened.IsZero() || now.Sub(opened) >= time.Hour {
				opened, used = now, 0
			}
			exceeded := used == limit
			if !exceeded {
				used++
			}
			want := Quota{Limit: limit, Remaining: limit - used, Reset: opened.Add(time.Hour), After: opened.Add(time.Hour).Sub(now), Exceeded: exceeded}
			if got := w.take("c", limit, now); got != want {
				t.Fatalf("at %s: %s", now, cmp.Diff(want, got))
			}
		}
	})
}

func TestRunFlushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		a, err := New(t.Context(), Options{Store: store, Clock: hotel.SystemClock{}, Log: zap.NewNop()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { a.Run(ctx); close(done) }()
		who := Who{ClientID: "c", Environment: Production, Tier: Standard}
		used := func() int {
			store.mu.Lock()
			defer store.mu.Unlock()
			return store.windows["c"].Used
		}
		a.Count(who)
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		if used() != 0 {
			t.Error("flushed early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if used() != 1 {
			t.Error("not flushed after a second")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if store.saves != 1 {
			t.Errorf("%d saves of one change", store.saves)
		}
		store.mu.Lock()
		store.refuse = true
		store.mu.Unlock()
		a.Count(who)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		store.mu.Lock()
		store.refuse = false
		store.mu.Unlock()
		time.Sleep(time.Second)
		synctest.Wait()
		if used() != 2 {
			t.Error("what could not be saved was not saved later")
		}
		a.Count(who)
		stop()
		<-done
		if used() != 3 {
			t.Error("stopping lost a request")
		}
	})
}
