package sync_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// bench is a house with an engine, and far sides that tests hold in their hands.
type bench struct {
	t     *testing.T
	net   *testkit.Network
	ldg   *ledger.Ledger
	path  string // of its file
	clock hotel.Clock
	eng   *chansync.Engine
	house testkit.House
	first hotel.Date
}

func newBench(t *testing.T) *bench { return newBenchBy(t, hotel.SystemClock{}) }

// newBenchBy is a bench whose hotel goes by a clock of its own.
func newBenchBy(t *testing.T, clock hotel.Clock) *bench {
	time.Sleep(12 * time.Hour) // bubbles begin at midnight, before the house's day does
	b := &bench{t: t, net: &testkit.Network{}, clock: clock}
	b.path = filepath.Join(testkit.Folder(t), "ledger.db")
	var err error
	if b.ldg, err = ledger.Open(t.Context(), ledger.Options{Path: b.path, Clock: b.clock}); err != nil {
		t.Fatal(err)
	}
	b.house = testkit.NewHouse(t, b.ldg, "a", "b", "c", "d")
	b.first = b.house.Property.Today(time.Now())
	for room := range b.house.Rooms {
		b.house.Price(t, b.ldg, room, hotel.Span{From: b.first, To: b.first + testkit.HorizonDays}, 10000)
	}
	b.newEngine()
	return b
}

// newEngine makes an engine on the ledger, which is to be started.
func (b *bench) newEngine() {
	b.eng = chansync.New(chansync.Options{
		Ledger: b.ldg, Clock: b.clock, Log: zap.NewNop(), Collect: 500 * time.Millisecond, Timeout: 10 * time.Second,
		Client: func(string) *http.Client {
			return transport.New(transport.Options{Timeout: 10 * time.Second, Base: b.net.Line(context.Background())})
		},
	})
}

// far opens a far side at http://ID.test.
func (b *bench) far(id string) testkit.FarSide {
	f := testkit.OpenFarSide(b.t, "pull", id+".test", "", nil, b.house.Remote())
	b.net.Serve(context.Background(), f.Host, f)
	return f
}

// channel stores a channel in testing that sells all that the house has.
func (b *bench) channel(id string, settings []byte) {
	b.t.Helper()
	b.channelOf(id, settings, b.house.Mappings())
}

// channelOf stores a mapped channel in testing.
func (b *bench) channelOf(id string, settings []byte, mappings []hotel.Mapping) {
	b.t.Helper()
	b.channelAt(id, "mock:"+id, settings, mappings)
}

// channelAt stores a mapped channel of an account in testing.
func (b *bench) channelAt(id, account string, settings []byte, mappings []hotel.Mapping) {
	b.t.Helper()
	_, _, err := b.ldg.CreateChannel(b.t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: id}, PropertyID: b.house.Property.ID, Connector: "mock", Name: id, Status: hotel.Testing,
		Settings: settings, Account: account, Schedule: "@every 1m",
	})
	if err == nil {
		err = b.ldg.MapChannel(b.t.Context(), testkit.Tester, id, hotel.Remap{StockPer: stockPer(settings), Mappings: mappings})
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// stockPer is which number a channel of these settings lowers by itself; that of a room
// where they cannot be read.
func stockPer(settings []byte) hotel.StockPer {
	driver, _ := connectors.Lookup("mock")
	s, err := driver.Configure(nil, settings)
	if err != nil {
		return hotel.PerRoom
	}
	return s.Capabilities(connectors.Discovered{}).StockPer
}

// pass lets time go by.
func (b *bench) pass(d time.Duration) {
	b.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Second) {
		if err := b.eng.Tick(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
	}
	synctest.Wait()
}

// stop ends everything.
func (b *bench) stop() {
	if err := errors.Join(b.eng.Stop(), b.ldg.Close()); err != nil {
		b.t.Error(err)
	}
}

// rooms is how many rooms a far side shows on all nights together.
func (b *bench) rooms(f testkit.FarSide) int {
	n := 0
	for _, rooms := range b.shown(f) {
		n += rooms
	}
	return n
}

// live takes the channel a live by its plan, whose raises are accepted.
func (b *bench) live() {
	b.t.Helper()
	err := b.activated()
	if codeOf(err) == "plan_outdated" { // it is read first
		b.pass(time.Minute)
		err = b.activated()
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// activated tries to take the channel live with all that this raises.
func (b *bench) activated() error {
	b.t.Helper()
	plan, err := b.eng.Plan(b.t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
	if err != nil {
		b.t.Fatal(err)
	}
	_, _, err = b.eng.Activate(b.t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.Approval{PlanID: plan.ID, Accept: plan.Raises, AcceptedBy: "Ada"})
	return err
}

func codeOf(err error) string {
	if r, ok := errors.AsType[*hotel.Refusal](err); ok {
		return r.Code
	}
	return ""
}

// One channel that cannot be opened keeps no other from working, says why, and
// works once it can.
func TestChannelThatCannotBeOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		good, bad := b.far("a"), b.far("b")
		b.channel("a", good.Settings(300))
		b.channel("b", []byte(`{"url":"http://b.test"}`))
		for _, id := range []string{"a", "b"} {
			if err := b.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		if b.rooms(good) == 0 || b.rooms(bad) != 0 {
			t.Errorf("the sound channel shows %d rooms, the other %d", b.rooms(good), b.rooms(bad))
		}
		if l := b.eng.Link("b"); l.Open || !strings.Contains(l.Failure, "hotel: say which property") {
			t.Errorf("the link of the channel that cannot be opened: %+v", l)
		}
		_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "b", 0, func(c *hotel.Channel) error {
			c.Settings = bad.Settings(300)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Second)
		if b.rooms(bad) != b.rooms(good) || !b.eng.Link("b").Open {
			t.Errorf("mended, it shows %d rooms of %d: %+v", b.rooms(bad), b.rooms(good), b.eng.Link("b"))
		}
	})
}

// A channel is taken in, set live, paused, set live again and ended while the
// engine runs.
func TestLifeOfAChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		f := b.far("a")
		b.channel("a", f.Settings(300))
		b.pass(2 * time.Second)
		if !b.eng.Link("a").Open || b.rooms(f) != 0 {
			t.Errorf("in testing it shows %d rooms, %+v", b.rooms(f), b.eng.Link("a"))
		}

		plan, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Raises) != 3 || plan.Raises[0].Shown != nil || plan.Raises[0].Nights() != testkit.HorizonDays+1 {
			t.Fatalf("the plan raises %+v", plan.Raises)
		}
		wish := hotel.Approval{PlanID: plan.ID, AcceptedBy: "Ada"}
		if _, _, err := b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", wish); codeOf(err) != "raises_need_confirmation" {
			t.Errorf("nothing accepted: %v", err)
		}
		wish.Accept = slices.Clone(plan.Raises)
		wish.Accept[0].Wanted++
		if _, _, err := b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", wish); codeOf(err) != "raises_need_confirmation" {
			t.Errorf("another list accepted: %v", err)
		}
		b.house.Stock(t, b.ldg, 0, hotel.Span{From: b.first + 3, To: b.first + 3}, hotel.InventoryEntry{OutOfOrder: hotel.Given(1)})
		wish.Accept = plan.Raises
		if _, _, err := b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", wish); codeOf(err) != "plan_outdated" {
			t.Errorf("the house has changed: %v", err)
		}
		b.live()
		b.pass(20 * time.Second)
		shown := b.rooms(f)
		if shown == 0 {
			t.Fatal("live, it shows nothing")
		}

		if _, _, err := b.ldg.DisconnectChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false); codeOf(err) != "closing_unacknowledged" {
			t.Errorf("a channel that sells was disconnected: %v", err)
		}
		if _, _, err := b.ldg.PauseChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false); err != nil {
			t.Fatal(err)
		}
		b.eng.Renew("a")
		b.pass(5 * time.Second)
		if n := b.rooms(f); n != 0 {
			t.Errorf("paused, it shows %d rooms", n)
		}
		if plan, err = b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive}); err != nil || len(plan.Raises) != 0 || len(plan.Calls) == 0 {
			t.Errorf("after our own pause the plan raises %+v with %+v, %v", plan.Raises, plan.Calls, err)
		}
		b.live()
		b.pass(20 * time.Second)
		if n := b.rooms(f); n != shown {
			t.Errorf("live again, it shows %d rooms of %d", n, shown)
		}

		if _, _, err := b.ldg.PauseChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, true); err != nil {
			t.Fatal(err)
		}
		b.house.Stock(t, b.ldg, 0, hotel.Span{From: b.first, To: b.first + 9}, hotel.InventoryEntry{Closed: hotel.Given(true)})
		b.pass(20 * time.Second)
		if n := b.rooms(f); n != shown {
			t.Errorf("frozen, it shows %d rooms of %d", n, shown)
		}
		if _, _, err := b.ldg.PauseChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false); err != nil {
			t.Fatal(err)
		}
		b.pass(20 * time.Second)
		c, _, err := b.ldg.DisconnectChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false)
		if err != nil || c.Status != hotel.Disconnected || b.rooms(f) != 0 {
			t.Errorf("disconnected: %+v, %v; it shows %d rooms", c, err, b.rooms(f))
		}
		b.pass(2 * time.Second)
		if b.eng.Link("a").Open {
			t.Error("a disconnected channel is open")
		}
	})
}

// A full run tells a channel everything again; one of reservations fetches, and counts
// the calls of it.
func TestSyncRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: hotel.SyncFull}); codeOf(err) != "channel_not_active" {
			t.Errorf("a run of a channel that is not live: %v", err)
		}
		b.live()
		b.pass(20 * time.Second)
		calls := f.State(t).Calls
		for _, kind := range []hotel.SyncKind{hotel.SyncDelta, hotel.SyncFull, hotel.SyncReservations} {
			run, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.SyncOrder{Kind: kind})
			if err != nil {
				t.Fatal(err)
			}
			b.pass(20 * time.Second)
			if run, err = b.ldg.SyncRun(t.Context(), run.ID); err != nil || run.Status != hotel.SyncCompleted || run.EndedAt.IsZero() {
				t.Errorf("%s: %+v, %v", kind, run, err)
			}
			if full := kind == hotel.SyncFull; full != (run.Cells.Acknowledged > 500) {
				t.Errorf("%s told %d cells", kind, run.Cells.Acknowledged)
			}
			// A delta has nothing to say here; a fetch asks, though it tells nothing.
			if asked := kind != hotel.SyncDelta; asked != (run.Calls > 0) {
				t.Errorf("%s was %d calls", kind, run.Calls)
			}
		}
		if f.State(t).Calls == calls {
			t.Error("nothing was told again")
		}
	})
}

// What a far side says when it is asked is told in its words, without secrets.
func TestAskingAFarSide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		state, err := b.ldg.Channel(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.eng.Test(t.Context(), state.Channel)
		if err != nil || got.Products != len(b.house.Remote()) {
			t.Errorf("%+v, %v", got, err)
		}
		for _, c := range []struct {
			fault testkit.Fault
			code  string
		}{
			{testkit.Fault{Kind: testkit.ServerError, Count: 1}, "channel_error"},
			{testkit.Fault{Kind: testkit.Timeout, Count: 1}, "channel_timeout"},
		} {
			f.Plant(t, c.fault)
			_, err := b.eng.Products(t.Context(), state.Channel)
			if codeOf(err) != c.code || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s: %v, want %s", c.fault.Kind, err, c.code)
			}
			f.Calm()
		}
		state.Settings = []byte(strings.Replace(string(state.Settings), "s3cret", "guessed", 1))
		if _, err := b.eng.Test(t.Context(), state.Channel); codeOf(err) != "channel_error" || strings.Contains(err.Error(), "guessed") {
			t.Errorf("a wrong secret: %v", err)
		}
	})
}
