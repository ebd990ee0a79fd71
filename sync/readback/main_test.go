package readback

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
	"ostler.example/sync/call"
	"ostler.example/sync/gate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const channel = "ch_1"

// far is a far side that remembers what it was asked.
type far struct {
	mu    sync.Mutex
	asked []hotel.Span
	shown []connectors.Change
	err   error

	silent bool // err comes when nobody waits for an answer any more
}

func (f *far) Read(ctx context.Context, _ string, from, to hotel.Date) ([]connectors.Change, error) {
	if f.silent {
		<-ctx.Done()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, hotel.Span{From: from, To: to})
	return f.shown, f.err
}

// wholly is a far side that shows all rooms at once.
type wholly struct{ *far }

// ReadWhole implements [connectors.WholeReader].
func (w wholly) ReadWhole(ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
	return w.Read(ctx, "", from, to)
}

func (f *far) calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

// bench is a house with one live channel that is read back.
type bench struct {
	ldg   *ledger.Ledger
	house testkit.House
	far   *far
	r     *Reader
	gate  *gate.Gate
	clock testkit.Clock
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{far: &far{}, clock: testkit.NewClock()}
	var err error
	if b.ldg, err = ledger.Open(t.Context(), ledger.Options{Path: filepath.Join(testkit.Folder(t), "ledger.db"), Clock: hotel.SystemClock{}}); err != nil {
		t.Fatal(err)
	}
	b.house = testkit.NewHouse(t, b.ldg)
	c := hotel.Channel{Entity: hotel.Entity{ID: channel}, Connector: "none", Name: "One", Settings: []byte("{}"), Account: "acc", Schedule: "@every 60s"}
	b.house.Connect(t, b.ldg, c, hotel.PerRoom)
	state, err := b.ldg.Channel(t.Context(), channel)
	if err != nil {
		t.Fatal(err)
	}
	if b.gate, err = gate.New(gate.Options{Account: "acc", Clock: b.clock}); err != nil {
		t.Fatal(err)
	}
	b.r = &Reader{
		Ledger: b.ldg, Channel: state.Channel, Property: b.house.Property, Read: b.far,
		Calls: call.Maker{Ledger: b.ldg, Channel: state.Channel, Gate: b.gate, Timeout: 10 * time.Second}, Clock: b.clock, Log: zap.NewNop(),
	}
	if err := b.r.Start(); err != nil {
		t.Fatal(err)
	}
	return b
}

// desire has the channel wanted to show so many rooms of the first room type on a
// span of nights.
func (b *bench) desire(t *testing.T, rooms int64, nights hotel.Span) {
	t.Helper()
	work, err := b.ldg.Work(t.Context(), channel, ledger.Reach{}, ledger.Turn{})
	if err != nil {
		t.Fatal(err)
	}
	counters, _, err := b.ldg.Lines(t.Context(), channel)
	if err != nil {
		t.Fatal(err)
	}
	var wanted []ledger.Wanted
	for d := nights.From; d <= nights.To; d++ {
		wanted = append(wanted, ledger.Wanted{Cell: hotel.Cell{Line: counters[0].Line, Group: hotel.Availability, Night: d}, Value: &rooms})
	}
	if err := b.ldg.Desire(t.Context(), channel, work, wanted); err != nil {
		t.Fatal(err)
	}
}

// pass lets time go by with the reader at work.
func (b *bench) pass(t *testing.T, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.r.Run(ctx) }()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Second) {
		beats, err := b.ldg.Beats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.r.Tick(beats[channel].LastRead)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func (b *bench) close(t *testing.T) {
	b.gate.Close()
	if err := b.ldg.Close(); err != nil {
		t.Error(err)
	}
}
