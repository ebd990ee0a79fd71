package dispatch

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The operations of the far side, and so the names of its buckets.
const (
	opStock = "stock"
	opRates = "rates"
)

// farSide is a connector and what stands behind it.
type farSide struct {
	perCall int           // cells in one call
	took    time.Duration // until a call is answered
	refuse  func(connectors.Change) string
	apart   func(connectors.Change) string                            // names operations of the far side's own; nil: those above
	answer  func(n int, c connectors.Call) (connectors.Answer, error) // n counts the calls from 1

	mu       sync.Mutex
	bodies   [][]connectors.Change // what the calls say; a body is its number
	calls    []call
	inFlight int
	most     int // calls in flight at once
	shown    map[connectors.Key]hotel.Offer
}

// call is one call as it arrived.
type call struct {
	connectors.Call
	at    time.Time
	sends map[connectors.Key]hotel.Offer
}

var _ connectors.Connector = (*farSide)(nil)

func (f *farSide) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	byOperation := map[string][]connectors.Change{}
	for _, c := range changes {
		if why := f.refuse(c); why != "" {
			refused = append(refused, connectors.Refusal{Change: c, Reason: why})
			continue
		}
		op := opRates
		if c.Key.Group == hotel.Availability {
			op = opStock
		}
		if f.apart != nil {
			op = f.apart(c)
		}
		byOperation[op] = append(byOperation[op], c)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, op := range slices.Backward(slices.Sorted(maps.Keys(byOperation))) { // stock before rates
		for part := range slices.Chunk(byOperation[op], f.perCall) {
			c := connectors.Call{Operation: op, Body: []byte(strconv.Itoa(len(f.bodies)))}
			f.bodies = append(f.bodies, part)
			for _, change := range part {
				c.Keys = append(c.Keys, change.Key)
			}
			calls = append(calls, c)
		}
	}
	return calls, refused
}

func (f *farSide) Send(ctx context.Context, c connectors.Call) (connectors.Answer, error) {
	body, err := strconv.Atoi(string(c.Body))
	if err != nil {
		return connectors.Answer{}, err
	}
	got := call{Call: c, at: time.Now(), sends: map[connectors.Key]hotel.Offer{}}
	f.mu.Lock()
	for _, change := range f.bodies[body] {
		got.sends[change.Key] = change.Offer
	}
	f.calls = append(f.calls, got)
	n := len(f.calls)
	f.inFlight++
	f.most = max(f.most, f.inFlight)
	took := f.took
	f.mu.Unlock()
	timer := time.NewTimer(took)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inFlight--
	if ctx.Err() != nil {
		return connectors.Answer{}, &connectors.Error{Kind: connectors.Invalid, Op: "send", Err: context.Cause(ctx)}
	}
	answer := connectors.Answer{Rest: connectors.Applied}
	if f.answer != nil {
		answer, err = f.answer(n, c)
	}
	if err == nil {
		for k, v := range got.sends {
			if answer.Keys[k].Outcome == connectors.Unknown && answer.Rest == connectors.Applied {
				f.shown[k] = v
			}
		}
	}
	return answer, err
}

// says returns what a call says of a key; of the far side's own answers alone.
func (f *farSide) says(c connectors.Call, k connectors.Key) (o hotel.Offer) {
	body, _ := strconv.Atoi(string(c.Body)) // it is our own
	for _, change := range f.bodies[body] {
		if change.Key == k {
			o = change.Offer
		}
	}
	return o
}

func (f *farSide) Close() error { return nil }

// since returns the calls behind the first n.
func (f *farSide) since(n int) []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls[n:])
}

// count returns how many calls there were.
func (f *farSide) count() int { return len(f.since(0)) }

func (f *farSide) shows(k connectors.Key) hotel.Offer {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shown[k]
}

// set changes how the far side behaves while calls may be under way.
func (f *farSide) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// bench is a hotel with one live channel and its worker.
type bench struct {
	t     *testing.T
	path  string
	ldg   *ledger.Ledger
	house testkit.House
	today hotel.Date
	far   *farSide
	caps  connectors.Capabilities
	gate  *gate.Gate
	clock hotel.Clock // the worker's

	mu   sync.Mutex
	told []Told

	worker *Worker
	stop   func()
}

const (
	channel = "ch_1"
	collect = 500 * time.Millisecond
	timeout = 30 * time.Second
)

// founded is the file of a ledger with the house and the channel in it. The
// clock of every bubble begins at the same instant, so one serves all.
var founded struct {
	sync.Mutex
	house testkit.House
	file  []byte
}

// run gives f a bench whose channel has been told everything.
func run(t *testing.T, change func(*bench), f func(*bench)) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, path: filepath.Join(testkit.Folder(t), "ledger.db"), clock: testkit.NewClock()}
		b.far = &farSide{perCall: 1000, refuse: func(connectors.Change) string { return "" }, shown: map[connectors.Key]hotel.Offer{}}
		exact := hotel.Carriage{As: hotel.Exact}
		b.caps = connectors.Capabilities{InOrder: true, Terms: hotel.Terms{StockPer: hotel.PerRoom, Occupancies: true, Fields: map[hotel.Field]hotel.Carriage{
			hotel.FieldAvailable: exact, hotel.FieldClosed: exact, hotel.FieldClosedToArrival: exact, hotel.FieldMinStayArrival: exact, hotel.FieldAmount: exact,
		}}}
		if change != nil {
			change(b)
		}
		b.found()
		b.open()
		defer func() {
			b.stop()
			if err := b.ldg.Close(); err != nil {
				t.Error(err)
			}
		}()
		f(b)
	})
}

// found makes the file, or takes the one that another test has made.
func (b *bench) found() {
	founded.Lock()
	defer founded.Unlock()
	ctx := context.Background()
	if founded.file == nil {
		l, err := ledger.Open(ctx, ledger.Options{Path: b.path, Clock: hotel.SystemClock{}})
		if err != nil {
			b.t.Fatal(err)
		}
		h := testkit.NewHouse(b.t, l)
		today := h.Property.Today(time.Now())
		h.Connect(b.t, l, hotel.Channel{Entity: hotel.Entity{ID: channel}, Connector: "none", Name: "One", Settings: []byte("{}"), Account: "acc", Schedule: "@every 1m"}, hotel.PerRoom)
		for room := range h.Rooms {
			h.Price(b.t, l, room, hotel.Span{From: today, To: today + testkit.HorizonDays - 1}, 10000)
		}
		if err := l.Close(); err != nil {
			b.t.Fatal(err)
		}
		file, err := os.ReadFile(b.path)
		if err != nil {
			b.t.Fatal(err)
		}
		founded.house, founded.file = h, file
	} else if err := os.WriteFile(b.path, founded.file, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.house = founded.house
	b.today = b.house.Property.Today(time.Now())
}

// open opens the ledger and starts the worker.
func (b *bench) open() {
	b.t.Helper()
	b.openLedger()
	b.start(b.ldg)
}

func (b *bench) openLedger() {
	b.t.Helper()
	var err error
	if b.ldg, err = ledger.Open(context.Background(), ledger.Options{Path: b.path, Clock: hotel.SystemClock{}}); err != nil {
		b.t.Fatal(err)
	}
}

// start sets a worker to work on the ledger, as it sees it.
func (b *bench) start(of Ledger) {
	b.t.Helper()
	ctx := context.Background()
	stands, err := b.ldg.Standing(ctx, "acc")
	if err != nil {
		b.t.Fatal(err)
	}
	if b.gate, err = gate.New(gate.Options{Account: "acc", Standing: stands, Buckets: b.caps.Buckets, InOrder: b.caps.InOrder, Clock: b.clock}); err != nil {
		b.t.Fatal(err)
	}
	channels, err := b.ldg.Channels(ctx, b.house.Property.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	b.worker = New(Options{
		Ledger: of, Channel: channels[0].Channel, Property: b.house.Property,
		Connector: b.far, Caps: b.caps, Gate: b.gate, Clock: b.clock, Log: zap.NewNop(),
		Collect: collect, Timeout: timeout, Idle: time.Minute,
		Observe: func(x Told) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.told = append(b.told, x)
		},
	})
	work, cancel := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- b.worker.Run(work) }()
	b.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			b.t.Error(err)
		}
		b.gate.Close()
		b.stop = func() {}
	}
}

// rest waits until the channel has been told everything, and returns how many
// calls there have been.
func (b *bench) rest() int {
	b.t.Helper()
	for range 600 {
		time.Sleep(time.Second)
		if s := b.state(); s.Lag == 0 {
			return b.far.count()
		}
	}
	b.t.Fatalf("the channel is not told everything: %+v", b.state())
	return 0
}

func (b *bench) state() hotel.ChannelState {
	b.t.Helper()
	states, err := b.ldg.Channels(context.Background(), "")
	if err != nil {
		b.t.Fatal(err)
	}
	return states[0]
}

// toldSince returns what the observer was told behind the first n calls.
func (b *bench) toldSince(n int) []Told {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.told[n:])
}

// suites limits the sale of suites, which no other room type feels.
func (b *bench) suites(night hotel.Date, limit int) {
	b.t.Helper()
	b.house.Stock(b.t, b.ldg, 2, hotel.Span{From: night, To: night}, hotel.InventoryEntry{SellLimit: hotel.Given(limit)})
}

func (b *bench) suiteKey(night hotel.Date) connectors.Key {
	return connectors.Key{Room: b.house.RemoteRoom(2), Group: hotel.Availability, Night: night}
}

func (b *bench) price(night hotel.Date, amount int64) {
	b.t.Helper()
	b.house.Price(b.t, b.ldg, 2, hotel.Span{From: night, To: night}, amount)
}

// unprice takes the price of the suites of a night away.
func (b *bench) unprice(night hotel.Date) {
	b.t.Helper()
	_, _, err := b.ldg.UpdateRates(context.Background(), testkit.Tester, hotel.Once{}, hotel.RateUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RateEntry{{
			RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}},
			Amount: hotel.Optional[hotel.Money]{Set: true, Null: true}, Occupancies: map[int]hotel.Optional[hotel.Money]{1: {Set: true, Null: true}},
		}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}
