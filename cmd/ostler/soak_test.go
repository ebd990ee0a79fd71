package main_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

var (
	soakFor    = flag.Duration("soak.for", 0, "how long the house is busy; below a minute it is a small one, 0: not at all")
	soakNights = flag.Int("soak.nights", 500, "how many nights a house that is not small sells")
)

// soak is a house that is busy for as long as one likes.
type soak struct {
	*storm
	size   size
	shops  []*shop
	buys   time.Duration // a guest at each channel does so often
	upset  time.Duration // something goes wrong so often
	admin  string
	begun  time.Time
	looks  []vitals
	faults int
	edits  int
}

// TestSoak lets guests book at all channels of a large house, and clients beside them,
// while calls fail in every way and channels are restarted. Whatever the daemon has may not
// grow with the time; once the faults are over nothing is lost, nothing is doubled, every
// channel shows what it must, and the ledger is what its journal says.
func TestSoak(t *testing.T) {
	if *soakFor == 0 {
		t.Skip("skipped: it runs as make soak; calls that time out take even a small house a minute to get over")
	}
	z, aMinute, upset := size{types: 20, plans: 10, nights: *soakNights, units: 12, channels: 20, fetched: "@every 5s"}, 200, 4*time.Second
	if *soakFor < time.Minute {
		z, aMinute, upset = size{types: 2, plans: 2, nights: 140, units: 6, channels: 3, fetched: "@every 1s"}, 600, 300*time.Millisecond
	}
	i := newInstallation(t)
	p := begin(t, "serve", "--config", i.file)
	c := &i.client
	c.base = await(t, p, "started", 1).PublicURL + "/v1"
	c.id, c.secret = unlimitedClient(t, i.file)
	var err error
	if c.token, err = c.newToken(); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	shops := z.build(t, c, "http://"+listener(t, p, "inbound"), property)
	m := &market{client: *c}
	for _, s := range shops {
		m.channels = append(m.channels, s.farSide)
	}
	eventually(t, 30*time.Minute, 5*time.Second, m.quiet) // to look takes the daemon a while, too
	fmt.Printf("house: %d room types, %d plans, %d nights, %d channels; told everything %s after its first room was made\n",
		z.types, z.plans, z.nights, z.channels, time.Since(begun).Round(time.Second))

	h, err := m.house()
	if err != nil {
		t.Fatal(err)
	}
	direct := aMinute / 10 // of clients, who give back half of what they book
	k := &soak{
		storm: newStorm(m, h, "p00"), size: z, shops: shops, admin: listener(t, p, "admin"), upset: upset,
		buys: time.Duration(float64(time.Minute) * float64(z.channels) / float64(aMinute-direct)),
	}
	k.first, k.nights, k.every = 2, min(118, z.nights-20), time.Minute/time.Duration(2*direct)
	for _, r := range h.rooms {
		k.codes = append(k.codes, r.Code)
	}
	k.run(t)
	k.settledWithin(t, 20*time.Minute, z.nightsOf())
	k.count(t, z.nightsOf())
	k.report(t)
	if out, code := runWithin(t, 20*time.Minute, "ledger", "verify", "--config", i.file); code != 0 {
		t.Errorf("the ledger: code %d\n%s", code, out)
	}
	if t.Failed() {
		t.Logf("what the daemon said:\n%s", tail(p.output()))
	}
	c.http.CloseIdleConnections()
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// run keeps the house busy until the time is over, looks at the daemon meanwhile, and then
// ends what goes wrong.
func (k *soak) run(t *testing.T) {
	t.Helper()
	for _, s := range k.shops {
		if err := s.again(t.Context(), 0, k.buys); err != nil {
			t.Fatal(err)
		}
	}
	ctx, calm := context.WithTimeout(t.Context(), *soakFor)
	defer calm()
	k.begun = time.Now()
	var crowd sync.WaitGroup
	crowd.Go(func() { k.clients(ctx, 1) })
	crowd.Go(func() { k.prices(ctx) })
	crowd.Go(func() { k.troubles(ctx) })
	k.watch(ctx, t)
	crowd.Wait()
	for _, s := range k.shops {
		if err := s.again(t.Context(), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	early, late := quarters(k.looks)
	fmt.Printf("second quarter: %s\nlast quarter: %s\nfaults: %d, prices changed: %d\n", early, late, k.faults, k.edits)
	for _, grows := range growth(k.looks) {
		t.Errorf("it grows: %s", grows)
	}
}

// watch looks at the daemon until it is over, and says once a minute what it sees.
func (k *soak) watch(ctx context.Context, t *testing.T) {
	t.Helper()
	every := time.NewTicker(min(15*time.Second, *soakFor/40))
	defer every.Stop()
	for minute := time.Duration(1); k.pace(ctx, every); {
		v, err := vitalsAt(k.http, k.admin)
		if err != nil {
			fmt.Println(err) // a scrape that is late is not what is looked for
			continue
		}
		k.looks = append(k.looks, v)
		if gone := time.Since(k.begun); gone >= minute*time.Minute {
			minute = gone/time.Minute + 1
			k.mu.Lock()
			fmt.Printf("%3.0f min: %s; journal at %.0f; %d faults, %d bookings of clients, %d answers that should not be\n",
				gone.Minutes(), v, v["ostler_journal_sequence"], k.faults, len(k.booked), len(k.wrong))
			k.mu.Unlock()
			if int(gone.Minutes())%30 == 0 {
				if err := k.renew(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if len(k.looks) < 8 {
		t.Fatalf("the daemon was looked at %d times", len(k.looks))
	}
}

// prices changes a week of a product's prices now and then.
func (k *soak) prices(ctx context.Context) {
	dice := rand.New(rand.NewPCG(3, 3))
	every := time.NewTicker(2 * k.upset)
	defer every.Stop()
	for k.pace(ctx, every) {
		from := ahead(k.first + dice.IntN(k.nights))
		body := map[string]any{"property_id": property, "entries": []any{map[string]any{
			"room_type_id": k.house.rooms[dice.IntN(k.size.types)].ID, "rate_plan_id": k.house.plans[dice.IntN(k.size.own())].ID, "date_from": from.String(), "date_to": (from + 6).String(),
			"values": map[string]any{"amount": map[string]string{"amount": strconv.Itoa(90+dice.IntN(90)) + ".00", "currency": "EUR"}},
		}}}
		me := k.me()
		if a, err := me.do(http.MethodPost, "/rates/updates", body, nil); err != nil || a.status != http.StatusOK {
			k.complain("prices: %d %.300s %v", a.status, a.body, err)
		}
		k.edits++
	}
}

// The ways in which calls fail here. All are the far side's; what comes of a rejected value is a conflict, which
// somebody would have to decide.
var soakFaults = []string{"timeout", "cut", "429", "429_bare", "5xx", "lost_answer"}

// troubles has one channel after the other fail for some calls, or restart.
func (k *soak) troubles(ctx context.Context) {
	dice := rand.New(rand.NewPCG(4, 4))
	every := time.NewTicker(k.upset)
	defer every.Stop()
	for k.pace(ctx, every) {
		s, roll := k.shops[dice.IntN(len(k.shops))], dice.IntN(len(soakFaults)+1)
		k.mu.Lock()
		k.faults++
		k.mu.Unlock()
		if roll == len(soakFaults) {
			if err := s.again(ctx, time.Duration(1+dice.IntN(4))*k.upset/2, k.buys); err != nil {
				k.complain("restart %s: %v", s.id, err)
			}
			continue
		}
		if a, err := s.order("fault", map[string]any{"kind": soakFaults[roll], "count": 1 + dice.IntN(3)}); err != nil || a.status != http.StatusOK {
			k.complain("fault at %s: %d %s %v", s.id, a.status, a.body, err)
		}
	}
}

// again ends a shop's program and starts it anew after a while, or once it is over.
func (s *shop) again(ctx context.Context, down, pace time.Duration) error {
	if err := s.shut(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(down):
	}
	return s.open(pace)
}
