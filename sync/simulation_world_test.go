package sync_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
	"ostler.example/sync/gate"
)

// world is everything that one seed makes: the hotel's side, which is killed and
// started again, and the outside, which never forgets.
type world struct {
	t      *testing.T
	run    run
	seed   uint64
	dice   *rand.Rand
	more   *rand.Rand // of what happens in some worlds only
	habits habits
	mood   mood
	trace  *trace
	bug    bug

	net     *testkit.Network
	far     []*far
	running []chan struct{}
	facts   *facts

	dir    string
	lives  int // of the hotel's side
	life   context.Context
	end    context.CancelFunc
	ldg    *ledger.Ledger
	eng    *chansync.Engine
	ticks  time.Time  // when the engine was last told the time
	day    hotel.Date // of business by then
	opened hotel.Date // the day on which the hotel did
	beat   time.Duration
	ahead  atomic.Int64 // how far the hotel's clock is
	traced int64        // entries of the journal that are in the trace

	stepped time.Time // when it was last set
	lates   bool      // a call may take effect late since the last quiet point

	lacks   map[poolNight]int     // how many rooms a fact has taken from a guarded pool, which channels may sell until it is quiet
	zoned   map[poolNight]int     // how many rooms were missing at the quiet point since which each of the last is with one channel
	levels  map[poolNight][]level // how many units were free
	open    []window
	windows map[string][]float64 // seconds, by kind of pool
	looked  time.Time            // at what channels show

	knows map[hotel.Date]time.Time // when the hotel last heard of a booking of a night

	stale staleness

	edited map[edit]time.Time           // what somebody has changed at a channel by hand
	moved  map[string][]testkit.Booking // what bookings were before guests changed them, by reference
	byHand bool                         // somebody has since the last quiet point
	mended bool                         // somebody has at this one

	reused  map[string]bool // references that channels have used again
	parties map[string]int  // how many rooms bookings of several had when they were made, by reference
	arrived inHouse
	carts   []cart
	pms     pms
	keys    int // that clients have used
	lock    *heldLock

	refuse bool // some channel was made to refuse something, once

	slow atomic.Int64 // as in mood, for those who call
	full atomic.Int64 // until when nothing can be written at the hotel, in nanoseconds

	mu       sync.Mutex // guards what follows, and what the callers write of each far
	fuse     int        // durable steps until the hotel's side is killed; 0: it is not
	dead     bool       // it was, and nobody has started it again
	newest   int64      // the end of the journal when it was
	counts   map[string]int
	oversold map[string]int
	rests    []float64 // calls that it took to come to rest, for each that it had to
	wrongMu  sync.Mutex
	wrongs   []string
	bag      bag
	counted  []toldCount // that nobody has looked at yet, as what follows
	words    []heardWord
}

// far is one channel as the outside has it.
type far struct {
	testkit.FarSide
	channel string
	calls   int                     // updates of each kind that it may be sent in a minute
	raise   func(price int64) int64 // in thousandths of a cent
	mistold time.Time               // when it last said yes and did nothing
	watched
}

// settings are those of its channel. Pulls and reads are given up after ten seconds, as
// calls of its connector are by themselves: at the same nanosecond it would be left to
// chance which of them is first, and whether the nights were too many to be asked for.
func (f *far) settings() []byte {
	return bytes.Replace(f.Settings(f.calls), []byte("{"), []byte(`{"timeout":"10.000000001s",`), 1)
}

func newWorld(t *testing.T, r run) *world {
	w := &world{
		t: t, run: r, seed: r.seed, dice: rand.New(rand.NewPCG(r.seed, 17)), dir: testkit.Folder(t), trace: r.trace, beat: busyBeat,
		counts: map[string]int{}, oversold: map[string]int{sharedPools: 0, lastPools: 0, guardedPools: 0, cutPools: 0}, bag: bag{}, lacks: map[poolNight]int{}, zoned: map[poolNight]int{}, levels: map[poolNight][]level{}, windows: map[string][]float64{}, knows: map[hotel.Date]time.Time{}, edited: map[edit]time.Time{}, moved: map[string][]testkit.Booking{},
		reused: map[string]bool{}, parties: map[string]int{}, arrived: inHouse{}, stale: staleness{flagged: map[string]bool{}, opens: map[staleNight]time.Time{}},
	}
	w.more = rand.New(rand.NewPCG(r.seed, 18))
	w.habits = newHabits(w.dice, w.more, rand.New(rand.NewPCG(r.seed, 19)))
	w.habits.spare(t, r.without)
	w.habits.starve()
	if w.trace == nil {
		w.trace = newTrace(false)
	}
	if r.bug != "" {
		w.bug = plant(t, r.bug)
	}
	w.slow.Store(int64(time.Millisecond))
	w.net = &testkit.Network{Hinders: w.hinders, Leaves: w.leaves, Returns: w.returns, Delay: w.delay}
	return w
}

// build founds the hotel, opens the outside and starts.
func (w *world) build(outside context.Context) {
	w.openLedger()
	house := testkit.NewHouseIn(w.t, w.ldg, w.habits.zone, int(w.habits.days))
	w.facts = newFacts(house, clock{&w.ahead, w.lives}.Now())
	w.protect()
	w.pms.found(w)
	for i, c := range []struct {
		preset string
		markup *hotel.Markup
		raise  func(int64) int64
	}{
		{"push", nil, func(m int64) int64 { return m }},
		{"pull", &hotel.Markup{Kind: hotel.Percent, Value: "10"}, func(m int64) int64 { return m / 10 * 11 }},
		{"hub", &hotel.Markup{Kind: hotel.Amount, Value: "5.00"}, func(m int64) int64 { return m + 500_000 }},
	} {
		client := &http.Client{Transport: w.net.Line(outside), Timeout: 10 * time.Second}
		f := &far{channel: "ch_" + c.preset, calls: w.habits.calls[i], raise: c.raise, watched: newWatched()}
		f.FarSide = testkit.OpenFarSide(w.t, c.preset, c.preset+".test", "http://hotel.test/inbound/"+f.channel+"/", client, append(house.Remote(), strangers(house)...))
		f.Acquire(w.t, w.ways())
		w.net.Serve(outside, f.Host, f)
		w.far = append(w.far, f)
		house.Connect(w.t, w.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: f.channel}, Connector: "mock", Name: c.preset, Settings: f.settings(), Account: f.Account(),
			Markup: c.markup, Schedule: w.habits.polls, ReadBack: w.habits.reads,
		}, hotel.PerRoom)
	}
	w.day = w.today()
	w.opened = w.day
	w.dawn()
	w.start()
	w.bag.open(outside, w)
	for _, f := range w.far {
		ended := make(chan struct{})
		w.running = append(w.running, ended)
		go func() {
			defer func() { ended <- struct{}{} }()
			_ = f.Run(outside) // pushes until the outside ends
		}()
	}
}

// leave waits for the outside to end.
func (w *world) leave() {
	for i, f := range w.far {
		if i < len(w.running) {
			<-w.running[i]
		}
		if err := f.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

// folder is where a life of the hotel's side keeps its ledger.
func (w *world) folder(life int) string { return filepath.Join(w.dir, fmt.Sprint(life)) }

func (w *world) openLedger() {
	if err := os.MkdirAll(w.folder(w.lives), 0o700); err != nil {
		w.t.Fatal(err)
	}
	l, err := ledger.Open(context.Background(), ledger.Options{
		Path: filepath.Join(w.folder(w.lives), "ledger.db"), Clock: clock{&w.ahead, w.lives}, CheckBoards: w.habits.boards, Patience: time.Millisecond,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ldg = l
	newest, err := l.Sequence(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if newest < w.newest {
		w.wrong(8, "the journal ends at %d after a kill at %d", newest, w.newest)
	}
}

// start starts the engine on the open ledger.
func (w *world) start() {
	w.life, w.end = context.WithCancel(context.Background())
	life := w.life
	o := chansync.Options{
		Ledger: &steps{Ledger: w.ldg, w: w, life: life, bug: w.bug, calls: map[string]stepsCall{}},
		Clock:  clock{&w.ahead, w.lives}, Log: w.engineLog(), Collect: 500 * time.Millisecond, Timeout: 30 * time.Second, Idle: time.Hour,
		Client: func(string) *http.Client {
			return transport.New(transport.Options{Timeout: 30 * time.Second, Base: wire{w.net.Line(life), w}})
		},
		Observe: chansync.Observer{
			Circuit: func(channel string, tr gate.Transition) {
				if life.Err() == nil {
					w.circuit(channel, tr)
				}
			},
		},
	}
	if w.bug.onStart != nil {
		w.bug.onStart(&o)
	}
	w.eng = chansync.New(o)
	w.forget()
	if err := w.eng.Start(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	w.net.Serve(life, "hotel.test", w.stray(w.answers(w.eng.Handler())))
}

// light lets the hotel's side be killed after so many durable steps; one that is
// lit already kills it now.
func (w *world) light(steps int) {
	w.mu.Lock()
	burning := w.fuse > 0
	w.fuse = steps
	w.mu.Unlock()
	if burning {
		synctest.Wait() // nothing is being written
		w.kill()
	}
}

// burn is told of every durable step.
func (w *world) burn() {
	w.mu.Lock()
	w.fuse--
	now := w.fuse == 0
	w.fuse = max(0, w.fuse)
	w.mu.Unlock()
	if now {
		w.kill()
	}
}

// kill ends the hotel's side: what is in its files now is all that the next one
// has, and nothing that it does from now on reaches anybody.
func (w *world) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead {
		return
	}
	w.dead, w.fuse = true, 0
	newest, err := w.ldg.Sequence(context.Background())
	if err != nil {
		w.t.Error(err)
	}
	w.newest = newest
	w.trace.add("killed at %d", newest)
	w.copyFiles(w.folder(w.lives), w.folder(w.lives+1))
	w.end()
	w.counts["kill"]++
}

// killed reports whether the hotel's side is dead.
func (w *world) killed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dead
}

// mine waits for the world's turn, with the hotel's side alive: what is done at
// the hotel by hand follows at once.
func (w *world) mine() {
	w.unlock()
	for worldTurn.take(); w.killed(); worldTurn.take() {
		w.revive()
	}
}

// revive starts the hotel's side on what the dead one left.
func (w *world) revive() {
	w.stop()
	_ = os.RemoveAll(w.folder(w.lives))
	w.lives++
	w.again()
}

// restart ends the hotel's side in good order.
func (w *world) restart() {
	w.count("restart")
	w.stop()
	w.again()
}

// again starts the hotel's side after a while.
func (w *world) again() {
	w.mu.Lock()
	w.dead, w.fuse = false, 0
	w.mu.Unlock()
	w.full.Store(0)
	w.unlock()
	if w.dice.IntN(2) == 0 {
		for range w.dice.IntN(6) {
			w.pass(w.draw(20 * time.Second))
			w.guest()
			w.zone(false)
		}
	}
	worldTurn.take()
	w.openLedger()
	w.start()
}

func (w *world) stop() {
	w.unlock()
	if w.eng != nil {
		if err := w.eng.Stop(); err != nil {
			w.t.Error(err)
		}
		w.end()
		w.eng = nil
		worldTurn.take()
		if !w.killed() {
			w.addJournal()
		}
	}
	if w.ldg != nil {
		if err := w.ldg.Close(); err != nil {
			w.t.Error(err)
		}
		w.ldg = nil
	}
}

func (w *world) copyFiles(from, to string) {
	if err := os.MkdirAll(to, 0o700); err != nil {
		w.t.Error(err)
	}
	for _, name := range []string{"ledger.db", "ledger.db-wal"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), b, 0o600)
		}
		if err != nil {
			w.t.Error(err)
		}
	}
}

// count notes that something went wrong on purpose.
func (w *world) count(kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[kind]++
}

// wrong notes that an invariant is broken. They are numbered as in docs/proof.md.
func (w *world) wrong(invariant int, format string, args ...any) {
	text := fmt.Sprintf("I%d: %s: %s", invariant, time.Now().Format("Jan 2 15:04:05"), fmt.Sprintf(format, args...))
	w.wrongMu.Lock()
	defer w.wrongMu.Unlock()
	if w.wrongs = append(w.wrongs, text); len(w.wrongs) <= 10 {
		w.t.Error(text)
	}
}

func (w *world) findings(lasted time.Duration) findings {
	f := findings{
		Seed: w.seed, Hours: lasted.Hours(), Trace: w.trace.hash(), Faults: w.counts, Oversells: w.oversold, Violations: w.wrongs, Trouble: w.habits.trouble(), Rests: w.rests, Windows: w.windows,
	}
	for _, far := range w.far {
		f.Calls += far.updates
		f.Bookings += len(far.Book().Bookings())
	}
	if w.t.Failed() && len(f.Violations) == 0 {
		f.Violations = []string{"the run failed"}
	}
	return f
}
