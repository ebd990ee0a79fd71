package sync_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A connector that breaks the rules is flagged, nothing of what was wrong is
// believed, the channel beside it hears of every change, and the flag goes once it
// behaves.
func TestIllConnectorHarmsItselfAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		sound := b.far("a")
		b.channel("a", sound.Settings(300))
		patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{})}
		b.house.Connect(t, b.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Ill", Settings: []byte("{}"), Account: "ill", Schedule: "@every 1m",
		}, hotel.PerRoom)
		if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
			t.Fatal(err)
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(20 * time.Second)
		night := b.first + 3
		key := connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(2), Night: night}
		limit := 0
		sell := func(n int) {
			limit = n
			b.house.Stock(t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(n)})
		}
		for i, c := range []struct {
			has   ailment
			part  string
			fault hotel.FaultKind // "" when nobody need be told
		}{
			{answersForeign, "push", hotel.FaultForeign},
			{answersOddly, "push", hotel.FaultNumber},
			{talksWithoutEnd, "push", ""},
			{sendPanics, "push", hotel.FaultPanic},
			{sendHangs, "push", hotel.FaultHung},
			{encodePanics, "push", hotel.FaultPanic},
			{encodeHangs, "push", hotel.FaultHung},
			{encodeLoses, "push", hotel.FaultCalls},
			{encodeDoubles, "push", hotel.FaultCalls},
			{readsNegative, "read", hotel.FaultNumber},
			{readsTwice, "read", hotel.FaultContradiction},
			{readsForeign, "read", hotel.FaultForeign},
			{readsCurrency, "read", hotel.FaultCurrency},
			{readPanics, "read", hotel.FaultPanic},
			{readHangs, "read", hotel.FaultHung},
			{pollPanics, "pull", hotel.FaultPanic},
			{pollHangs, "pull", hotel.FaultHung},
			{exits, "pull", hotel.FaultPanic},
		} {
			patient.mu.Lock()
			patient.has = c.has
			patient.mu.Unlock()
			sell(1)
			run := func(kind hotel.SyncKind) {
				if _, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "ill", hotel.SyncOrder{Kind: kind}); err != nil {
					t.Fatal(err)
				}
			}
			run(map[string]hotel.SyncKind{"push": hotel.SyncDelta, "read": hotel.SyncReadBack, "pull": hotel.SyncReservations}[c.part])
			b.pass(15 * time.Second)
			if o, _ := sound.Book().Shown(key); o.Available != limit {
				t.Errorf("%s: the channel beside it shows %d, want %d", c.has, o.Available, limit)
			}
			state, err := b.ldg.Channel(t.Context(), "ill")
			if err != nil {
				t.Fatal(err)
			}
			found := hotel.FaultKind("")
			for _, f := range state.Flags {
				if f.Part == c.part && f.Fault.Words != "" && f.Times >= 1 {
					found = f.Fault.Kind
				}
			}
			if found != c.fault {
				t.Errorf("%s: flagged %q: %+v", c.has, found, state.Flags)
			}
			if state.OpenConflicts != 0 {
				t.Errorf("%s: something was believed: %d conflicts", c.has, state.OpenConflicts)
			}
			if c.part == "push" && c.fault != "" && state.Lag == 0 {
				t.Errorf("%s: it is taken for told", c.has)
			}

			patient.mu.Lock()
			patient.has = healthy
			close(patient.release)
			patient.release = make(chan struct{})
			patient.mu.Unlock()
			sell(2 + i%2)            // not what it shows, so that there is something to tell
			b.pass(70 * time.Second) // a breaker may have opened
			run(hotel.SyncReadBack)
			run(hotel.SyncReservations)
			b.pass(15 * time.Second)
			if state, err = b.ldg.Channel(t.Context(), "ill"); err != nil || len(state.Flags) != 0 || state.Lag != 0 {
				t.Errorf("%s, and well again: %v, %d to tell, flags %+v", c.has, err, state.Lag, state.Flags)
			}
			if got := patient.shows(key); got != limit {
				t.Errorf("%s, and well again: it shows %d, want %d", c.has, got, limit)
			}
		}
	})
}

// A connector that never ends being opened holds up neither the start nor anybody who
// asks, is not tried without end, and is at work once it can be.
func TestAChannelThatIsNeverOpenedHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{}), has: openHangs}
		b.house.Connect(t, b.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: "aill"}, Connector: "ill", Name: "Ill", Settings: []byte("{}"), Account: "ill", Schedule: "@every 1m",
		}, hotel.PerRoom)
		sound := b.far("a")
		b.channel("b", sound.Settings(300))
		for _, id := range []string{"aill", "b"} {
			if err := b.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("the start takes %s", took)
		}
		b.pass(20 * time.Second)
		if b.rooms(sound) == 0 {
			t.Error("the channel beside it was not told")
		}
		for at, want := range map[string]int{"aill": http.StatusServiceUnavailable, "nobody": http.StatusNotFound} {
			answer := httptest.NewRecorder()
			if b.eng.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/inbound/"+at+"/", nil)); answer.Code != want {
				t.Errorf("who calls %s is answered %d, want %d", at, answer.Code, want)
			}
		}
		asked := time.Now()
		if s := b.eng.Status(); len(s) != 2 || s[0].Failure == "" || time.Since(asked) > 0 {
			t.Errorf("what is seen of them is %+v, after %s", s, time.Since(asked))
		}
		before := runtime.NumGoroutine()
		b.pass(3 * time.Hour)
		if more := runtime.NumGoroutine() - before; more > 20 {
			t.Errorf("%d goroutines more were left behind", more)
		}
		suffers := func(from ailment) {
			patient.mu.Lock()
			defer patient.mu.Unlock()
			patient.has = from
		}
		hung := patient.release
		defer close(hung)
		patient.mu.Lock()
		patient.release = make(chan struct{}) // what hangs goes on hanging
		patient.mu.Unlock()
		suffers(openPanics)
		if _, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "aill", 0, func(c *hotel.Channel) error {
			c.Name = "Mended"
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Hour)
		if s := b.eng.Status(); !strings.Contains(s[0].Failure, "panicked") {
			t.Errorf("it panics, and what is seen is %+v", s[0])
		}
		suffers(healthy)
		b.pass(time.Hour)
		if patient.told() == 0 {
			t.Errorf("it is not at work: %+v", b.eng.Status())
		}
	})
}
