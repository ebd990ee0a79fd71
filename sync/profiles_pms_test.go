package sync_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/simulator" //nolint:depguard // the hotel's own system, which is no far side of the engine
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
)

// TestPMS lets a hotel's own system count the rooms that a portal sells. It tells net
// numbers, as changes and complete sets, sells at its own desk, fetches what the portal has
// sold and acknowledges some of it; its calls are lost, repeated and overtaken, and our side
// is restarted and killed. Whenever the PMS has heard of everything and told its numbers, the
// portal shows them as they are: nothing is taken off twice, and nothing forgotten.
func TestPMS(t *testing.T) {
	for seed := *profilesSeed; seed < *profilesSeed+*profilesSeeds; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newReception(t, seed).live() })
		})
	}
}

// reception is a market whose hotel has a system of its own.
type reception struct {
	*market
	line  *roughLine
	pms   *simulator.PMS
	rooms map[string]int
	heard []string        // numbers of reservations that the PMS was told
	said  map[string]bool // those of them that it has acknowledged since
	deaf  bool            // the answer to its last question was lost
	old   [][]byte        // messages that have not been sent, or were before others
}

// newReception gives the stock of a house to its PMS.
func newReception(t *testing.T, seed uint64) *reception {
	r := &reception{market: newMarket(t, seed), rooms: map[string]int{}, said: map[string]bool{}}
	for room, n := range []int{4, 2, 1} {
		r.rooms[r.house.RemoteRoom(room)] = n
	}
	ctx := context.Background()
	_, _, err := r.ldg.ChangeProperty(ctx, testkit.Tester, hotel.Once{}, r.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
		p.Mode, p.Truth.Stock = hotel.GivenMode, hotel.ByPMS
		return nil
	}})
	codes := make([]string, 0, len(r.house.Rooms))
	for room := range r.house.Rooms {
		codes = append(codes, r.house.RemoteRoom(room)+"="+r.house.Rooms[room].Code)
	}
	settings, worse := json.Marshal(map[string]any{
		"far_side": "pms", "hotel": "H1", "inbound_user": "pms", "inbound_password": "s3cret", "room_codes": strings.Join(codes, ", "),
	})
	if err = errors.Join(err, worse); err == nil {
		_, _, err = r.ldg.CreateChannel(ctx, testkit.Tester, hotel.Once{}, hotel.Channel{
			Entity: hotel.Entity{ID: "pms"}, PropertyID: r.house.Property.ID, Connector: "alpinebits", Name: "PMS", Status: hotel.Testing,
			Settings: settings, Account: "alpinebits:pms",
		})
	}
	if err == nil {
		err = r.ldg.GoLive(ctx, testkit.Tester, "pms", 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// live plays the reception.
func (r *reception) live() {
	outside, leave := context.WithCancel(context.Background())
	defer func() {
		r.stop()
		leave()
		for _, ended := range r.done {
			if err := <-ended; err != nil {
				r.t.Error(err)
			}
		}
	}()
	r.line = &roughLine{way: r.net.Line(outside), dice: rand.New(rand.NewPCG(r.dice.Uint64(), 31))}
	r.pms = simulator.NewPMS(simulator.PMSOptions{
		URL: "http://hotel.test/inbound/pms/", User: "pms", Password: "s3cret", Hotel: "H1", Version: portals[r.dice.IntN(3)],
		Client: &http.Client{Transport: r.line, Timeout: 10 * time.Second}, Rooms: r.rooms,
	})
	r.join(outside, "b", profile.Profile{Connector: "alpinebits", Preset: portals[r.dice.IntN(len(portals))]})
	r.start()
	r.rest()
	for range 3 {
		r.turmoil()
		r.rest()
	}
	checkRebuilt(r.ldg, r.t.Errorf)
	for _, what := range []string{"booking", "own sale", "lost answer", "repeat", "overtaken"} {
		if r.counts[what]+r.line.counts[what] == 0 {
			r.t.Errorf("there was no %s: %v, %v", what, r.counts, r.line.counts)
		}
	}
	r.t.Logf("what has happened: %v, %v", r.counts, r.line.counts)
}

// nights are those of which the PMS tells numbers.
func (r *reception) nights() hotel.Span {
	return hotel.Span{From: r.today(), To: r.today() + lastSold + 5}
}

// turmoil is a while in which a lot happens, to numbers that nobody waits for.
func (r *reception) turmoil() {
	ctx := context.Background()
	for range 60 {
		switch roll := r.dice.IntN(100); {
		case roll < 30:
			r.guest(r.far[0])
		case roll < 42:
			from := r.today() + 1 + hotel.Date(r.dice.IntN(lastSold-6))
			category := r.house.RemoteRoom(r.dice.IntN(len(r.house.Rooms)))
			if r.pms.Sell(category, hotel.Stay{CheckIn: from, CheckOut: from + 1 + hotel.Date(r.dice.IntN(4))}) {
				r.count("own sale")
			}
		case roll < 46:
			r.pms.Cancel()
		case roll < 58:
			_ = r.fetch()
		case roll < 68:
			_ = r.acknowledge()
		case roll < 82:
			nights := r.nights()
			complete := r.dice.IntN(3) == 0
			if !complete {
				nights.From += hotel.Date(r.dice.IntN(10))
				nights.To = nights.From + hotel.Date(r.dice.IntN(10))
			}
			said := r.pms.Counts(complete, nights)
			if r.old = append(r.old, said); r.dice.IntN(3) > 0 {
				_ = r.pms.TellCounts(ctx, said)
			}
		case roll < 87:
			if len(r.old) > 0 {
				r.count("overtaken")
				_ = r.pms.TellCounts(ctx, r.old[r.dice.IntN(len(r.old))])
			}
		case roll < 93:
			f := testkit.Fault{Kind: faultsOfMarkets[r.dice.IntN(len(faultsOfMarkets))], Seconds: 1 + r.dice.IntN(60), Count: 1 + r.dice.IntN(3)}
			if err := r.far[0].Plant(f); err != nil {
				r.t.Fatal(err)
			}
		case roll < 97:
			r.restart()
		default:
			r.kill()
		}
		r.pass(time.Duration(r.dice.Int64N(int64(time.Minute))), 5*time.Second)
	}
}

// fetch has the PMS ask for reservations.
func (r *reception) fetch() error {
	numbers, err := r.pms.Fetch(context.Background())
	r.deaf = err != nil
	for _, number := range numbers {
		r.said[number] = false
	}
	r.heard = append(r.heard, numbers...)
	return err
}

// acknowledge has it acknowledge some of what it was told, in any order and more than once.
// What it has acknowledged before it does not repeat behind a question of which it has not
// heard the answer: that could be taken for what was in the answer.
func (r *reception) acknowledge() error {
	some := slices.DeleteFunc(slices.Clone(r.heard), func(number string) bool { return r.deaf && r.said[number] })
	r.dice.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:r.dice.IntN(len(some)+1)]
	for _, number := range some {
		r.said[number] = true
	}
	return r.pms.Acknowledge(context.Background(), some...)
}

// rest has the PMS hear of everything and tell its numbers, until all is as it must be.
func (r *reception) rest() {
	r.line.calm = true
	defer func() { r.line.calm = false }()
	ctx := context.Background()
	began := time.Now()
	for {
		err := r.fetch()
		for _, number := range r.heard {
			r.said[number] = true
		}
		if err == nil {
			err = r.pms.Acknowledge(ctx, r.heard...)
		}
		if err == nil {
			err = r.pms.TellCounts(ctx, r.pms.Counts(true, r.nights()))
		}
		if err != nil {
			r.t.Fatalf("a call on a good line: %v", err)
		}
		r.pass(marketStep, 5*time.Second)
		wrong := append(r.booked(), r.differs()...)
		if len(wrong) == 0 {
			return
		}
		if time.Since(began) > marketPatience || r.t.Failed() {
			r.t.Fatalf("after %s without anything happening:\n%s", time.Since(began), strings.Join(wrong[:min(len(wrong), 10)], "\n"))
		}
	}
}

// differs says where the PMS, or the portal, has another number than what is left: the
// rooms, less what the desk and the portal have sold.
func (r *reception) differs() (wrong []string) {
	for night := r.today() + 1; night < r.today()+lastSold; night++ {
		for room := range r.house.Rooms {
			category := r.house.RemoteRoom(room)
			left := r.pms.Owned(category, night)
			for _, b := range r.far[0].Book().Bookings() {
				for _, p := range b.Parts() {
					if b.Status == profile.Confirmed && p.Room == category && p.Stay().Contains(night) {
						left--
					}
				}
			}
			if free := r.pms.Free(category, night); free != left {
				wrong = append(wrong, fmt.Sprintf("the PMS has %d of %s on %s, and %d are left", free, category, night, left))
			}
			k := connectors.Key{Room: category, Group: hotel.Availability, Night: night}
			if got, set := r.far[0].Book().Shown(k); !set || got.Available != max(0, left) {
				wrong = append(wrong, fmt.Sprintf("the portal shows %d of %s on %s, and %d are left", got.Available, category, night, left))
			}
		}
	}
	return wrong
}

// roughLine loses calls before they are heard and answers after, and makes calls twice.
type roughLine struct {
	way    http.RoundTripper
	dice   *rand.Rand
	calm   bool
	counts map[string]int
}

var errLost = errors.New("the line is down")

// RoundTrip implements [http.RoundTripper].
func (l *roughLine) RoundTrip(q *http.Request) (*http.Response, error) {
	if l.counts == nil {
		l.counts = map[string]int{}
	}
	roll := l.dice.IntN(100)
	switch {
	case l.calm:
	case roll < 10:
		l.counts["lost call"]++
		return nil, errLost
	case roll < 25:
		l.counts["lost answer"]++
		if said, err := l.way.RoundTrip(q); err == nil {
			_ = said.Body.Close()
		}
		return nil, errLost
	case roll < 40:
		l.counts["repeat"]++
		body, err := q.GetBody()
		if err != nil {
			return nil, err
		}
		again := q.Clone(q.Context())
		again.Body = body
		if said, err := l.way.RoundTrip(again); err == nil {
			_ = said.Body.Close()
		}
	}
	return l.way.RoundTrip(q)
}
