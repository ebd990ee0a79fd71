package sync_test

import (
	"errors"
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

// ward is a house that sells through a sound channel, and through one beside it whose
// connector is ill.
type ward struct {
	*bench
	sound testkit.FarSide
	night hotel.Date
	key   connectors.Key // of the count that is changed to see who hears of it
	limit int            // what that is to be
}

func newWard(t *testing.T) *ward {
	t.Helper()
	w := &ward{bench: newBench(t)}
	w.sound = w.far("a")
	w.channel("a", w.sound.Settings(300))
	patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{})}
	w.house.Connect(t, w.ldg, hotel.Channel{
		Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Ill", Settings: []byte("{}"), Account: "ill", Schedule: "@every 1m",
	}, hotel.PerRoom)
	if err := w.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
		t.Fatal(err)
	}
	if err := w.eng.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.pass(20 * time.Second)
	w.night = w.first + 3
	w.key = connectors.Key{Group: hotel.Availability, Room: w.house.RemoteRoom(suite), Night: w.night}
	return w
}

// catches has the connector fall ill.
func (w *ward) catches(has ailment) {
	patient.mu.Lock()
	defer patient.mu.Unlock()
	patient.has = has
}

// recovers has the connector be well again, and what hangs end.
func (w *ward) recovers() {
	patient.mu.Lock()
	defer patient.mu.Unlock()
	patient.has = healthy
	close(patient.release)
	patient.release = make(chan struct{})
}

// sell changes how many rooms both channels are to show.
func (w *ward) sell(n int) {
	w.t.Helper()
	w.limit = n
	w.house.Stock(w.t, w.ldg, suite, hotel.Span{From: w.night, To: w.night}, hotel.InventoryEntry{SellLimit: hotel.Given(n)})
}

// call has the part of the channel called that goes by a name in flags.
func (w *ward) call(part string) {
	w.t.Helper()
	if part == "ask" {
		_, err := w.products()
		if r, refused := errors.AsType[*hotel.Refusal](err); err != nil && (!refused || r.Code != "channel_error" && r.Code != "channel_timeout") {
			w.t.Errorf("whoever asks is told %v", err)
		}
		return
	}
	order := map[string]hotel.SyncOrder{
		"push": {Kind: hotel.SyncDelta}, "read": {Kind: hotel.SyncReadBack}, "pull": {Kind: hotel.SyncReservations},
		"list": {Kind: hotel.SyncReservations, Nights: hotel.Span{From: w.night, To: w.night}},
	}[part]
	if _, _, err := w.eng.Sync(w.t.Context(), testkit.Tester, hotel.Once{}, "ill", order); err != nil {
		w.t.Fatal(err)
	}
}

// products asks the ill channel what it sells.
func (w *ward) products() ([]hotel.RemoteProduct, error) {
	return w.eng.Products(w.t.Context(), w.state().Channel)
}

// state is how the ill channel stands.
func (w *ward) state() hotel.ChannelState {
	w.t.Helper()
	state, err := w.ldg.Channel(w.t.Context(), "ill")
	if err != nil {
		w.t.Fatal(err)
	}
	return state
}

// flagged is the fault that a part of the ill channel is flagged with, "" when it is not.
func (w *ward) flagged(part string) hotel.FaultKind {
	w.t.Helper()
	for _, f := range w.state().Flags {
		if f.Part == part && f.Fault.Words != "" && f.Times >= 1 {
			return f.Fault.Kind
		}
	}
	return ""
}

// besides checks that the sound channel shows what it is to.
func (w *ward) besides(when string) {
	w.t.Helper()
	if o, _ := w.sound.Book().Shown(w.key); o.Available != w.limit {
		w.t.Errorf("%s: the channel beside it shows %d, want %d", when, o.Available, w.limit)
	}
}

// A connector that breaks the rules is flagged, nothing of what was wrong is
// believed, the channel beside it hears of every change, and the flag goes once it
// behaves.
func TestIllConnectorHarmsItselfAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		defer w.stop()
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
			{listPanics, "list", hotel.FaultPanic},
			{listHangs, "list", hotel.FaultHung},
			{productsPanic, "ask", hotel.FaultPanic},
			{productsHang, "ask", hotel.FaultHung},
			{exits, "pull", hotel.FaultPanic},
		} {
			w.catches(c.has)
			w.sell(1)
			w.call(c.part)
			w.pass(15 * time.Second)
			w.besides(string(c.has))
			state := w.state()
			if found := w.flagged(c.part); found != c.fault {
				t.Errorf("%s: flagged %q: %+v", c.has, found, state.Flags)
			}
			if state.OpenConflicts != 0 {
				t.Errorf("%s: something was believed: %d conflicts", c.has, state.OpenConflicts)
			}
			if c.part == "push" && c.fault != "" && state.Lag == 0 {
				t.Errorf("%s: it is taken for told", c.has)
			}

			w.recovers()
			w.sell(2 + i%2)          // not what it shows, so that there is something to tell
			w.pass(70 * time.Second) // a breaker may have opened
			w.call("read")
			w.call("pull")
			w.call(c.part)
			w.pass(15 * time.Second)
			if state := w.state(); len(state.Flags) != 0 || state.Lag != 0 {
				t.Errorf("%s, and well again: %d to tell, flags %+v", c.has, state.Lag, state.Flags)
			}
			if got := patient.shows(w.key); got != w.limit {
				t.Errorf("%s, and well again: it shows %d, want %d", c.has, got, w.limit)
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
