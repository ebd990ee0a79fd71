package main_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

var kills = flag.Int("crash.kills", 4, "how often to pull the plug")

// TestKillAndRestart pulls the plug again and again while clients and guests
// book, and then counts: nothing is lost, nothing is doubled, and every channel
// shows what the ledger offers. The event feed, the log of webhooks, the calls that
// came and the positions of the channels tell one order of what happened, and no
// sequence is repeated: check 9 of docs/api-checks.md.
func TestKillAndRestart(t *testing.T) {
	t.Parallel()
	d, i := newDemo(t), newInstallation(t)
	s := newStorm(&d.market, d.mustHouse(t), "flex")
	s.codes, s.first, s.nights, s.every = []string{"standard", "deluxe", "twin", "family", "suite"}, stormNight, stormNights, 40*time.Millisecond
	ctx, calm := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	w := newWitness(t, s)
	crowd.Go(func() { w.follows(ctx) })
	for n := range 3 {
		crowd.Go(func() { s.clients(ctx, uint64(n)) })
		crowd.Go(func() { s.guests(ctx, d.channels[n], uint64(n)) })
	}
	file := d.file
	var starts []time.Duration
	dice := rand.New(rand.NewPCG(1, 3))
	for kill := range *kills {
		pause(time.Duration(300+dice.IntN(500)) * time.Millisecond)
		s.down()
		d.kill()
		if kill%4 == 2 { // and once more before it has got up
			if err := d.relaunch(); err != nil {
				t.Fatal(err)
			}
			pause(time.Duration(dice.IntN(300)) * time.Millisecond)
		}
		begun := time.Now()
		if err := d.start(); err != nil {
			t.Fatal(err)
		}
		starts = append(starts, time.Since(begun).Round(time.Millisecond))
		close(s.up)
	}
	pause(500 * time.Millisecond)
	calm()
	crowd.Wait()

	client, channels := d.client, d.channels
	d.file = nil
	eventually(t, patience, 50*time.Millisecond, d.meet)
	if diff := cmp.Diff(string(file), string(d.file)); diff != "" {
		t.Errorf("demo.json changed (-before +after):\n%s", diff)
	}
	d.client, d.channels = client, channels // the token from before the first kill
	d.settledWithin(t, 10*patience, everyNight())
	s.count(t, everyNight())
	w.compare(t)
	s.report(t)
	ledger := filepath.Join(d.dir, "ledger", "production.db")
	i.borrowKey(t, d.dir)
	if out, code := run(t, "ledger", "verify", "--config", i.file, "--copy", ledger); code != 0 || strings.Contains(out, "not compared") {
		t.Errorf("the ledger that is left: code %d\n%s", code, out)
	}
	slices.Sort(starts)
	fmt.Fprintf(os.Stdout, "kills: %d\nrestart to serving: %s in the median, %s at most\n", *kills, starts[len(starts)/2], starts[len(starts)-1])
}

// pause waits for real time to go by: the program outside has no clock of ours.
func pause(d time.Duration) { <-time.After(d) }

// storm is a crowd that books, also while the program dies and comes back.
type storm struct {
	*market
	house  house
	codes  []string      // the room types that it wants
	plan   string        // at which clients book
	first  int           // the nights that it wants begin so many days ahead
	nights int           // and are so many
	every  time.Duration // how often each of it acts

	mu       sync.Mutex
	up       chan struct{}          // closed while the program is up
	booked   map[string]reservation // acknowledged to clients, by id
	repeated int                    // answers that were replays of an effect before a kill
	refused  int
	wrong    []string
}

// newStorm is a crowd that finds the program up.
func newStorm(m *market, h house, plan string) *storm {
	s := &storm{market: m, house: h, plan: plan, up: make(chan struct{}), booked: map[string]reservation{}}
	close(s.up)
	return s
}

func (s *storm) down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.up = make(chan struct{})
}

// back waits until the program is up.
func (s *storm) back(ctx context.Context) error {
	s.mu.Lock()
	up := s.up
	s.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *storm) complain(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// pace spreads the crowd's acts over time; it returns false when it is over.
func (s *storm) pace(ctx context.Context, every *time.Ticker) bool {
	select {
	case <-ctx.Done():
		return false
	case <-every.C:
		return s.back(ctx) == nil
	}
}

// The nights that everybody wants.
const (
	stormNight  = 240
	stormNights = 25
)

// clients books over /v1, and cancels some of it. What is not answered is sent
// again under the same key until it is.
func (s *storm) clients(ctx context.Context, seed uint64) {
	dice := rand.New(rand.NewPCG(seed, 1))
	every := time.NewTicker(s.every)
	defer every.Stop()
	var mine []string
	for i := 0; s.pace(ctx, every); i++ {
		path, body := "/reservations", stay(s.house.room(s.codes[dice.IntN(len(s.codes))]), s.house.plan(s.plan), ahead(s.first+dice.IntN(s.nights)), 1+dice.IntN(2), "Curie")
		if roll := dice.IntN(30); roll < len(mine) { // the more it has the more it gives back
			path, body = "/reservations/"+mine[roll]+"/cancel", map[string]any{"reason": "guest_request"}
			mine = slices.Delete(mine, roll, roll+1)
		}
		key := http.Header{"Idempotency-Key": {fmt.Sprintf("storm-%d-%d", seed, i)}}
		asking := s.me()
		if dice.IntN(4) == 0 { // some hang up before they have their answer
			asking = s.hasty(time.Duration(dice.IntN(8000)) * time.Microsecond)
		}
		for {
			a, err := asking.do(http.MethodPost, path, body, key)
			if err == nil && s.answered(a) {
				var r reservation
				if a.status == http.StatusCreated && a.read(&r) == nil {
					mine = append(mine, r.ID)
				}
				break
			}
			<-every.C
			// Even when all is over: what may have been booked must be known.
			if err := s.back(context.WithoutCancel(ctx)); err != nil {
				return
			}
			asking = s.me()
		}
	}
}

// me is the client with the newest token.
func (s *storm) me() client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// renew fetches the next token, before the last one ends.
func (s *storm) renew() error {
	token, err := s.newToken()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
	return nil
}

// hasty is a client who hangs up after so long, answered or not.
func (s *storm) hasty(after time.Duration) client {
	hasty, short := s.me(), *s.http
	short.Timeout = after + 1 // 0 would be for ever
	hasty.http = &short
	return hasty
}

// answered notes an answer; false: the request is to be sent again.
func (s *storm) answered(a answer) bool {
	var r reservation
	switch {
	case a.status == http.StatusCreated && a.read(&r) == nil:
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, known := s.booked[r.ID]; known {
			s.wrong = append(s.wrong, "two keys made the reservation "+r.ID)
		}
		s.booked[r.ID] = r
		if a.header.Get("Idempotent-Replayed") != "" {
			s.repeated++
		}
		return true
	case a.status == http.StatusOK && a.read(&r) == nil:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.booked[r.ID] = r
		return true
	case a.status == http.StatusConflict && strings.Contains(string(a.body), `"not_available"`):
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refused++
		return true
	case a.status == http.StatusConflict && strings.Contains(string(a.body), `"idempotency_in_progress"`), a.status == http.StatusServiceUnavailable:
		return false
	}
	s.complain("booking: %d %s", a.status, a.body)
	return true
}

// guests book, change and cancel at one channel. Whether an unanswered act was
// done is the channel's to say.
func (s *storm) guests(ctx context.Context, f *farSide, seed uint64) {
	dice := rand.New(rand.NewPCG(seed, 2))
	every := time.NewTicker(s.every)
	defer every.Stop()
	var mine []booking
	for s.pace(ctx, every) {
		door, body := "book", f.stay(s.codes[dice.IntN(len(s.codes))], "saver", ahead(s.first+dice.IntN(s.nights)), 1+dice.IntN(2))
		if roll := dice.IntN(30); roll < len(mine) {
			door, body = "modify", map[string]any{"reference": mine[roll].Reference, "check_out": mine[roll].CheckOut + 1}
			if dice.IntN(2) == 0 {
				door, body = "cancel", map[string]any{"reference": mine[roll].Reference}
				mine = slices.Delete(mine, roll, roll+1)
			}
		}
		a, err := f.order(door, body)
		if err != nil {
			continue // the plug was pulled
		}
		var b booking
		switch {
		case a.status == http.StatusCreated && a.read(&b) == nil:
			mine = append(mine, b)
		case a.status == http.StatusOK, a.status == http.StatusConflict:
		default:
			s.complain("%s at %s: %d %s", door, f.id, a.status, a.body)
		}
	}
}

func (s *storm) report(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Logf("clients booked %d and were refused %d; %d answers had been lost and were given again", len(s.booked), s.refused, s.repeated)
	if len(s.wrong) > 0 {
		t.Errorf("%d answers that should not be, the first: %s", len(s.wrong), s.wrong[0])
	}
	if len(s.booked) == 0 {
		t.Error("no client booked anything")
	}
}

// count compares what clients and channels know with what the ledger has, and of the
// span how many rooms are sold each night.
func (s *storm) count(t *testing.T, span hotel.Span) {
	t.Helper()
	all, err := s.reservations(url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	direct, told := map[string]string{}, map[string]string{}
	sold, doubled := map[string]int{}, 0 // by room type and night; more than once
	for _, r := range all {
		text := fmt.Sprintf("%s %s %s %s–%s", r.Status, r.RoomTypeID, r.RatePlanID, r.CheckIn, r.CheckOut)
		at, in := r.ID, direct
		if r.Source.Channel != "direct" {
			at, in = r.Source.Channel+" "+r.Source.Reference, told
		}
		if earlier, known := in[at]; known {
			doubled++
			t.Errorf("%s is there twice: %s and %s", at, earlier, text)
		}
		in[at] = text
		if r.Overbooked && in[at] == direct[at] {
			t.Errorf("a client's booking took a room that was not there: %s", text)
		}
		if r.Status == "confirmed" {
			if err := tally(sold, r, span); err != nil {
				t.Fatal(err)
			}
		}
	}
	promised := map[string]string{}
	for id, r := range s.booked {
		promised[id] = fmt.Sprintf("%s %s %s %s–%s", r.Status, r.RoomTypeID, r.RatePlanID, r.CheckIn, r.CheckOut)
	}
	held := s.atChannels(t)
	if diff := cmp.Diff(promised, direct); diff != "" {
		t.Errorf("clients' reservations (-acknowledged +in the ledger):\n%s", diff)
	}
	if diff := cmp.Diff(held, told); diff != "" {
		t.Errorf("channels' bookings (-at the channel +in the ledger):\n%s", diff)
	}
	fmt.Fprintf(os.Stdout, "reservations of clients: %d, of channels: %d\nlost: %d\ndoubled: %d\n",
		len(direct), len(told), missing(promised, direct)+missing(held, told), doubled+missing(direct, promised)+missing(told, held))

	stock, err := byNight[stockCell](&s.client, span, "/inventory")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]int{}
	for _, c := range stock {
		if c.Sold != 0 {
			stored[c.RoomTypeID+" "+c.Date.String()] = c.Sold
		}
	}
	if diff := cmp.Diff(sold, stored); diff != "" {
		t.Errorf("rooms sold (-by the reservations +in the inventory):\n%s", diff)
	}
}

// missing counts the keys that the other map does not have.
func missing(in, other map[string]string) (n int) {
	for key := range in {
		if _, known := other[key]; !known {
			n++
		}
	}
	return n
}

// tally counts the nights of a reservation that are in the span.
func tally(sold map[string]int, r reservation, span hotel.Span) error {
	from, err := hotel.ParseDate(r.CheckIn)
	to, err2 := hotel.ParseDate(r.CheckOut)
	for night := max(from, span.From); night < min(to, span.To+1); night++ {
		sold[r.RoomTypeID+" "+night.String()]++
	}
	return errors.Join(err, err2)
}

// atChannels returns what guests hold at the channels, in the house's words.
func (s *storm) atChannels(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range s.channels {
		state, err := f.state()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range state.Bookings {
			room := slices.IndexFunc(s.house.rooms, func(r roomType) bool { return f.room(r.Code) == b.Room })
			plan := slices.IndexFunc(s.house.plans, func(p ratePlan) bool { return f.rate(p.Code) == b.Rate })
			if room < 0 || plan < 0 {
				t.Fatalf("%s sold %s %s, which it does not have", f.id, b.Room, b.Rate)
			}
			all[f.id+" "+b.Reference] = fmt.Sprintf("%s %s %s %s–%s", b.Status, s.house.rooms[room].ID, s.house.plans[plan].ID, b.CheckIn, b.CheckOut)
		}
	}
	return all
}
