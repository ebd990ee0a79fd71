package dispatch

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/figures"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

// heard is a channel's far side that says which nights' counts it was told.
type heard struct {
	farSide
	nights chan hotel.Date
}

func newHeard() *heard {
	return &heard{farSide: farSide{perCall: 1000, refuse: func(connectors.Change) string { return "" }}, nights: make(chan hotel.Date, 20000)}
}

func (h *heard) Send(ctx context.Context, c connectors.Call) (connectors.Answer, error) {
	told := map[hotel.Date]bool{}
	for _, k := range c.Keys {
		if night := k.Night; c.Operation == opStock && !told[night] {
			told[night] = true
			h.nights <- night
		}
	}
	return connectors.Answer{Rest: connectors.Applied}, nil
}

// BenchmarkFigures prints how long a sale takes to the last channel, of ten and of other
// numbers, and how long while a channel's nights are worked out anew.
func BenchmarkFigures(b *testing.B) {
	b.Run("sale", func(b *testing.B) {
		const channels, sales = 10, 300
		for b.Loop() {
			times := saleTimes(b, channels, sales)
			p99 := figures.Quantile(times, 0.99)
			figures.Row(fmt.Sprintf("a sale, from its commit to the last of %d channels told", channels),
				"p50 "+figures.Millis(figures.Quantile(times, 0.5))+", p99 "+figures.Millis(p99), figures.AtMost(50*time.Millisecond, p99),
				fmt.Sprintf("%d sales, one after the other, far sides that answer at once; tmpfs, synchronous=FULL", sales))
		}
	})
	b.Run("channels", func(b *testing.B) {
		const sales = 100
		for b.Loop() {
			var one time.Duration
			for _, channels := range []int{1, 5, 20, 50} {
				typical := figures.Quantile(saleTimes(b, channels, sales), 0.5)
				if channels == 1 {
					one = typical
				}
				figures.Row(fmt.Sprintf("a sale, until the last of channels is told: %d", channels),
					fmt.Sprintf("p50 %s, %.2f times that of one", figures.Millis(typical), typical.Seconds()/one.Seconds()), "", fmt.Sprintf("%d sales, otherwise the same", sales))
			}
		}
	})
	b.Run("long", func(b *testing.B) {
		for b.Loop() {
			benchLongDerivation(b)
		}
	})
}

// saleTimes returns how long each of so many sales took from its commit to the last of so
// many channels, whose far sides answer at once.
func saleTimes(b *testing.B, channels, sales int) (times []time.Duration) {
	ctx := context.Background()
	l, err := ledger.Open(ctx, ledger.Options{Path: filepath.Join(testkit.Folder(b), "ledger.db")})
	if err != nil {
		b.Fatal(err)
	}
	house := testkit.NewHouse(b, l)
	today := house.Property.Today(time.Now())
	for room := range house.Rooms {
		house.Price(b, l, room, hotel.Span{From: today, To: today + testkit.HorizonDays - 1}, 10000)
	}
	far := newHeard()
	for i := range channels {
		id := fmt.Sprintf("ch_%d", i)
		house.Connect(b, l, hotel.Channel{Entity: hotel.Entity{ID: id}, Connector: "none", Name: id, Settings: []byte("{}"), Account: id, Schedule: "@every 1m"}, hotel.PerRoom)
	}
	stop := startAll(b, l, house, far)
	for i := range sales {
		night := today + hotel.Date(i%(testkit.HorizonDays-1))
		drain(far.nights)
		sellRoom(b, l, house, night)
		committed := time.Now()
		for told := 0; told < channels; {
			if <-far.nights == night {
				told++
			}
		}
		times = append(times, time.Since(committed))
	}
	stop()
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	return times
}

// sellRoom sells a double for one night.
func sellRoom(b *testing.B, l *ledger.Ledger, house testkit.House, night hotel.Date) {
	_, _, err := l.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: house.Property.ID, RoomTypeID: house.Rooms[0].ID, RatePlanID: house.Plans[0].ID,
		Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
	})
	if err != nil {
		b.Fatal(err)
	}
}

// benchLongDerivation prints how long a sale takes while all that a channel is to
// show is worked out anew, and how long that takes.
func benchLongDerivation(b *testing.B) {
	const rounds = 12
	ctx := context.Background()
	l, err := ledger.Open(ctx, ledger.Options{Path: filepath.Join(testkit.Folder(b), "ledger.db")})
	if err != nil {
		b.Fatal(err)
	}
	house := testkit.NewHouse(b, l)
	lengthen(b, l, house)
	today := house.Property.Today(time.Now())
	far := newHeard()
	house.Connect(b, l, hotel.Channel{Entity: hotel.Entity{ID: "ch"}, Connector: "none", Name: "ch", Settings: []byte("{}"), Account: "ch", Schedule: "@every 1m"}, hotel.PerRoom)
	stop := startAll(b, l, house, far)
	through := func() bool { return derived(b, l, house) }
	var sold, whole []time.Duration
	night := today
	for i := range rounds {
		changeHouse(b, l, house, func(p *hotel.Property) { p.CutOff = &hotel.CutOff{DaysBefore: i % 2, Time: "23:59"} })
		begun := time.Now()
		for range 3 {
			night++
			drain(far.nights)
			sellRoom(b, l, house, night)
			committed := time.Now()
			for told := hotel.Date(0); told != night; {
				told = <-far.nights
			}
			if !through() {
				sold = append(sold, time.Since(committed))
			}
		}
		for !through() {
			time.Sleep(time.Millisecond)
		}
		whole = append(whole, time.Since(begun))
	}
	stop()
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	figures.Row("a channel's prices and restrictions worked out anew", figures.Millis(figures.Quantile(whole, 0.5)), "", "6 products, 500 nights, and sales meanwhile")
	p99 := figures.Quantile(sold, 0.99)
	figures.Row("a sale in the middle of that, from its commit to the channel told",
		"p50 "+figures.Millis(figures.Quantile(sold, 0.5))+", p99 "+figures.Millis(p99), figures.AtMost(50*time.Millisecond, p99), fmt.Sprintf("%d sales", len(sold)))
}

// derived reports whether all that channels are to show is worked out.
func derived(b *testing.B, l *ledger.Ledger, house testkit.House) bool {
	newest, err := l.Sequence(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	states, err := l.Channels(context.Background(), house.Property.ID)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range states {
		if s.DerivedThrough < newest {
			return false
		}
	}
	return true
}

func drain(nights chan hotel.Date) {
	for {
		select {
		case <-nights:
		default:
			return
		}
	}
}

// startAll starts the worker of every channel and waits until all are told
// everything.
func startAll(b *testing.B, l *ledger.Ledger, house testkit.House, far connectors.Connector) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	states, err := l.Channels(ctx, house.Property.ID)
	if err != nil {
		b.Fatal(err)
	}
	exact := hotel.Carriage{As: hotel.Exact}
	caps := connectors.Capabilities{InOrder: true, Terms: hotel.Terms{StockPer: hotel.PerRoom, Fields: map[hotel.Field]hotel.Carriage{
		hotel.FieldAvailable: exact, hotel.FieldClosed: exact, hotel.FieldAmount: exact,
	}}}
	var ends []func()
	for _, s := range states {
		g, err := gate.New(gate.Options{Account: s.Account, InOrder: true, Clock: hotel.SystemClock{}})
		if err != nil {
			b.Fatal(err)
		}
		w := New(Options{
			Ledger: l, Channel: s.Channel, Property: house.Property, Connector: far, Caps: caps, Gate: g,
			Clock: hotel.SystemClock{}, Log: zap.NewNop(), Collect: 10 * time.Millisecond, Timeout: timeout, Idle: time.Minute,
		})
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		ends = append(ends, func() {
			if err := <-ended; err != nil {
				b.Error(err)
			}
			g.Close()
		})
	}
	for quiet := false; !quiet; {
		time.Sleep(10 * time.Millisecond) // a benchmark may
		quiet = derived(b, l, house)
		states, err := l.Channels(ctx, house.Property.ID)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range states {
			quiet = quiet && s.Lag == 0
		}
	}
	return func() {
		cancel()
		for _, end := range ends {
			end()
		}
	}
}
