package sync_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
	"ostler.example/sync/gate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// go test ./sync -run TestSimulation -sim.seed 17 -sim.seeds 1 plays one world
// again: the same guests, updates, faults and kills at the same instants. What
// goroutines do within one instant is not in its hands, so now and then a call
// more or less is made.
var (
	simSeed  = flag.Uint64("sim.seed", 1, "the first seed of the simulation")
	simSeeds = flag.Uint64("sim.seeds", 5, "how many seeds to run")
	simHours = flag.Float64("sim.hours", 0.25, "simulated hours of each seed")
)

// TestSimulation lets a small hotel sell through three lying, failing channels
// and directly, kills and restarts the engine, and checks at every quiet point
// that nothing was lost, doubled or left wrong.
func TestSimulation(t *testing.T) {
	last := *simSeed + *simSeeds
	for seed := *simSeed; seed < last; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { simulate(t, seed) })
		})
	}
}

// world is everything that one seed makes: the hotel's side, which is killed and
// started again, and the outside, which never forgets.
type world struct {
	t    *testing.T
	dice *rand.Rand

	net     *testkit.Network
	far     []*far
	facts   *facts
	profile profile

	dir   string
	lives int // of the hotel's side
	life  context.Context
	end   context.CancelFunc
	ldg   *ledger.Ledger
	eng   *chansync.Engine
	ticks time.Time // when the engine was last told the time

	slow atomic.Int64 // as in profile, for those who call

	mu sync.Mutex // guards what the callers write of each far
}

// far is one channel as the outside has it.
type far struct {
	testkit.FarSide
	channel string
	calls   int // updates of each kind that it may be sent in a minute
	raise   func(minor int64) int64
	open    bool                   // the breaker, as it was told
	sent    map[string][]time.Time // the newest updates by operation
	updates int
}

// profile is how wild it is at the moment.
type profile struct {
	gap    time.Duration // mean time between two things that happen
	slow   time.Duration // longest time that a call is under way, each way
	nights int           // how many nights are busy: few hot ones find what many hide
	faults int           // of a hundred things that happen, so many are faults
	kills  int           // and so many are kills or restarts
}

func simulate(t *testing.T, seed uint64) {
	cryptotest.SetGlobalRandom(t, seed) // ids too: pauses between attempts are drawn from them
	w := &world{t: t, dice: rand.New(rand.NewPCG(seed, 17)), dir: testkit.Folder(t)}
	w.net = &testkit.Network{Leaves: w.leaves, Delay: func(r *http.Request) (there, back time.Duration) {
		// Odd nanoseconds of its own for every call: no two arrive together, and a
		// call more or less elsewhere does not move it.
		h := fnv.New64a()
		fmt.Fprint(h, seed, r.URL.Host, r.URL.Path, time.Now().UnixNano())
		own := rand.New(rand.NewPCG(seed, h.Sum64()))
		draw := func(most int64) time.Duration { return 1 + time.Duration(own.Int64N(most)) }
		slow := w.slow.Load()
		if r.URL.Host == "hotel.test" {
			return draw(slow / 8), draw(slow)
		}
		return draw(slow / 4), draw(slow) // answers are what is slow
	}}
	w.slow.Store(int64(time.Millisecond))
	time.Sleep(time.Duration(20+w.dice.IntN(3))*time.Hour + 7*time.Nanosecond) // so that many runs pass midnight

	outside, leave := context.WithCancel(context.Background())
	w.build(outside)
	var running []chan struct{}
	for _, f := range w.far {
		ended := make(chan struct{})
		running = append(running, ended)
		go func() {
			defer func() { ended <- struct{}{} }()
			_ = f.Run(outside) // pushes until the outside ends
		}()
	}
	defer func() {
		w.stop()
		leave()
		for i, f := range w.far {
			<-running[i]
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}()

	w.quiet()
	for end := time.Now().Add(time.Duration(*simHours * float64(time.Hour))); time.Now().Before(end) && !t.Failed(); {
		w.busy()
		w.quiet()
		w.pass(time.Duration(w.dice.IntN(120)) * time.Second)
	}
	t.Logf("updates sent %v, killed %d times", w.updates(), w.lives)
	if t.Failed() {
		t.Logf("to see it again: go test ./sync -run TestSimulation -sim.seed %d -sim.seeds 1 -sim.hours %v", seed, *simHours)
	}
}

// build founds the hotel, opens the outside and starts.
func (w *world) build(outside context.Context) {
	w.openLedger()
	house := testkit.NewHouse(w.t, w.ldg)
	w.facts = newFacts(house)
	for _, c := range []struct {
		preset string
		calls  int
		markup *hotel.Markup
		raise  func(int64) int64
	}{
		{"push", 40, nil, func(m int64) int64 { return m }},
		{"pull", 6, &hotel.Markup{Kind: hotel.Percent, Value: "10"}, func(m int64) int64 { return m * 11 / 10 }},
		{"hub", 300, &hotel.Markup{Kind: hotel.Amount, Value: "5.00"}, func(m int64) int64 { return m + 500 }},
	} {
		client := &http.Client{Transport: w.net.Line(outside), Timeout: 10 * time.Second}
		f := &far{channel: "ch_" + c.preset, calls: c.calls, raise: c.raise, sent: map[string][]time.Time{}}
		f.FarSide = testkit.OpenFarSide(w.t, c.preset, c.preset+".test", "http://hotel.test/inbound/"+f.channel+"/", client, house.Remote())
		w.net.Serve(outside, f.Host, f)
		w.far = append(w.far, f)
		house.Connect(w.t, w.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: f.channel}, Connector: "mock", Name: c.preset, Settings: f.Settings(c.calls), Account: f.Account(),
			Markup: c.markup, Schedule: "@every 30s",
		}, hotel.PerRoom)
	}
	for room := range house.Rooms {
		w.price(room, hotel.Span{From: w.facts.first, To: w.facts.last}, 10000+int64(room)*5000)
	}
	w.start()
}

// folder is where the present life of the hotel's side keeps its ledger.
func (w *world) folder() string { return filepath.Join(w.dir, fmt.Sprint(w.lives)) }

func (w *world) openLedger() {
	if err := os.MkdirAll(w.folder(), 0o700); err != nil {
		w.t.Fatal(err)
	}
	l, err := ledger.Open(context.Background(), ledger.Options{Path: filepath.Join(w.folder(), "ledger.db"), Clock: hotel.SystemClock{}, CheckBoards: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ldg = l
}

// start starts the engine on the open ledger.
func (w *world) start() {
	w.life, w.end = context.WithCancel(context.Background())
	life := w.life
	w.eng = chansync.New(chansync.Options{
		Ledger: w.ldg, Clock: hotel.SystemClock{}, Log: zap.NewNop(), Collect: 500 * time.Millisecond, Timeout: 30 * time.Second,
		Client: func(string) *http.Client {
			return transport.New(transport.Options{Timeout: 30 * time.Second, Base: w.net.Line(life)})
		},
		Observe: chansync.Observer{
			Circuit: func(channel string, tr gate.Transition) {
				if life.Err() == nil {
					w.circuit(channel, tr)
				}
			},
		},
	})
	if err := w.eng.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.net.Serve(life, "hotel.test", w.eng.Handler())
}
