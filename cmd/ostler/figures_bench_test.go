package main_test

import (
	"flag"
	"fmt"
	"net/http"
	"testing"
	"time"

	"ostler.example/internal/testkit/figures"
)

var figureNights = flag.Int("figures.nights", 365, "how many nights the hotels of a group sell")

// BenchmarkFigures prints the row of `make bench` about the daemon as a process.
func BenchmarkFigures(b *testing.B) {
	b.Run("naive", benchNaive)
}

// BenchmarkGroups prints what `make groups` measures, which takes hours.
func BenchmarkGroups(b *testing.B) {
	b.Run("estate", benchEstate)
	b.Run("properties", benchProperties)
}

// estate is a daemon with hotels whose channels stand still.
type estate struct {
	*installation
	*program
	admin, inbound string
	shops          []*shop
}

func newEstate(b *testing.B) *estate {
	e := &estate{installation: newInstallation(b)}
	e.serve(b)
	c := &e.client
	c.id, c.secret = unlimitedClient(b, e.file)
	var err error
	if c.token, err = c.newToken(); err != nil {
		b.Fatal(err)
	}
	return e
}

func (e *estate) serve(b *testing.B) {
	e.program = begin(b, "serve", "--config", e.file)
	e.client.base = await(b, e.program, "started", 1).PublicURL + "/v1"
	e.admin, e.inbound = listener(b, e.program, "admin"), listener(b, e.program, "inbound")
}

func (e *estate) halt(b *testing.B) {
	e.client.http.CloseIdleConnections()
	if err := e.stop(); err != nil {
		b.Fatal(err)
	}
}

// grow builds hotels until there are so many, and waits until their channels are told
// everything.
func (e *estate) grow(b *testing.B, z size, from, to int) {
	for n := from; n < to; n++ {
		e.shops = append(e.shops, z.build(b, &e.client, "http://"+e.inbound, fmt.Sprintf("hotel_%d", n))...)
	}
	e.rest(b)
}

// rest waits until no channel has anything left to be told.
func (e *estate) rest(b *testing.B) {
	eventually(b, 20*time.Minute, time.Second, func() error {
		v, err := vitalsAt(e.client.http, e.admin)
		if err != nil {
			return err
		}
		if n := v.sum("ostler_sync_lag_cells") + v.sum("ostler_cursor_lag"); n > 0 {
			return fmt.Errorf("%.0f values and entries are on their way", n)
		}
		return nil
	})
}

// idle returns the part of one core that the daemon takes while nothing happens.
func (e *estate) idle(b *testing.B, watched time.Duration) float64 {
	cpu := func() float64 {
		v, err := vitalsAt(e.client.http, e.admin)
		if err != nil {
			b.Fatal(err)
		}
		return v["process_cpu_seconds_total"]
	}
	before := cpu()
	pause(watched)
	return (cpu() - before) / watched.Seconds()
}

// memory returns how much the daemon has, in MB.
func (e *estate) memory(b *testing.B) float64 {
	v, err := vitalsAt(e.client.http, e.admin)
	if err != nil {
		b.Fatal(err)
	}
	return v["process_resident_memory_bytes"] / (1 << 20)
}

// askAll asks every hotel what is free, so that the daemon has a board of each in memory.
func (e *estate) askAll(b *testing.B, hotels int) {
	for n := range hotels {
		path := fmt.Sprintf("/availability?property_id=hotel_%d&check_in=%s&check_out=%s", n, ahead(10), ahead(12))
		if a, err := e.client.do(http.MethodGet, path, nil, nil); err != nil || a.status != http.StatusOK {
			b.Fatalf("%s: %d %s %v", path, a.status, a.body, err)
		}
	}
}

// benchEstate prints what a group of hotels takes while it is quiet.
func benchEstate(b *testing.B) {
	const hotels, watched = 200, time.Minute
	z := size{types: 2, plans: 2, nights: *figureNights, units: 10, channels: 5}
	for b.Loop() {
		e := newEstate(b)
		e.grow(b, z, 0, 1)
		one := e.idle(b, watched)
		of := fmt.Sprintf("%d room types, %d plans, %d nights, %d channels each, of which two in three are asked for bookings every minute", z.types, z.plans, z.nights, z.channels)
		figures.Row("processor of a quiet daemon with one hotel", fmt.Sprintf("%.2f %% of a core", 100*one), figures.NoMore(1, 100*one), fmt.Sprintf("%s; over %s", of, watched))
		e.grow(b, z, 1, hotels)
		filled := e.memory(b)
		all := e.idle(b, watched)
		e.halt(b)
		e.serve(b)
		fresh := e.memory(b)
		e.askAll(b, hotels)
		boards := e.memory(b)
		figures.Row(fmt.Sprintf("memory of a daemon with %d hotels", hotels), fmt.Sprintf("%.0f MB", boards), figures.NoMore(300, boards),
			fmt.Sprintf("%s; a board of each in memory; %.0f MB before that, %.0f MB when it had just told all channels everything", of, fresh, filled))
		figures.Row("processor of the same while quiet", fmt.Sprintf("%.2f %% of a core", 100*all), figures.NoMore(1, 100*all), fmt.Sprintf("over %s", watched))
		e.halt(b)
	}
}

// benchProperties prints what a booking costs, and what the daemon takes, with ten times as
// many hotels, and again.
func benchProperties(b *testing.B) {
	const sales = 60
	z := size{types: 2, plans: 2, nights: 60, units: 500, channels: 1}
	for b.Loop() {
		e := newEstate(b)
		var first time.Duration
		for _, hotels := range []int{1, 10, 100, 1000} {
			e.grow(b, z, len(e.shops), hotels)
			took := e.sell(b, sales)
			if hotels == 1 {
				first = took
			}
			figures.Row(fmt.Sprintf("a booking with %d hotels, until its channel has been told", hotels), fmt.Sprintf("p50 %s, %.2f times that with one", figures.Millis(took), took.Seconds()/first.Seconds()), "",
				fmt.Sprintf("%d bookings over the API, one after the other; %d room types, %d plans, %d nights, one channel each; the daemon has %.0f MB and takes %.2f %% of a core while quiet",
					sales, z.types, z.plans, z.nights, e.memory(b), 100*e.idle(b, 20*time.Second)))
		}
		e.halt(b)
	}
}

// sell books at one hotel after the other and returns how long it took in the median until
// its channel showed it.
func (e *estate) sell(b *testing.B, sales int) time.Duration {
	var took []time.Duration
	for n := range sales {
		s := e.shops[n*len(e.shops)/sales]
		var rooms, plans struct{ Data []roomType }
		query := "?property_id=" + s.o.Hotel
		if err := e.client.get("/room-types"+query, &rooms); err != nil {
			b.Fatal(err)
		}
		if err := e.client.get("/rate-plans"+query, &plans); err != nil {
			b.Fatal(err)
		}
		night := ahead(2 + n%50)
		before, err := s.count(rooms.Data[0].Code, night)
		if err != nil {
			b.Fatal(err)
		}
		body := stay(rooms.Data[0].ID, plans.Data[0].ID, night, 1, "Guest")
		body["property_id"] = s.o.Hotel
		begun := time.Now()
		e.client.post(b, "/reservations", body, http.StatusCreated)
		eventually(b, patience, time.Millisecond, func() error {
			now, err := s.count(rooms.Data[0].Code, night)
			if err == nil && now != before-1 {
				err = fmt.Errorf("%s shows %d rooms, not %d", s.id, now, before-1)
			}
			return err
		})
		took = append(took, time.Since(begun))
	}
	return figures.Quantile(took, 0.5)
}
