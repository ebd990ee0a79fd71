package sync_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ostler.example/internal/testkit/race"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// go test ./sync -run 'TestSimulation$' -sim.seed 17 -sim.seeds 1 plays one world
// again: the same guests, updates, faults, kills and calls at the same instants.
var (
	simSeed   = flag.Uint64("sim.seed", 1, "the first seed of the simulation")
	simSeeds  = flag.Uint64("sim.seeds", 5, "how many seeds to run")
	simHours  = flag.Float64("sim.hours", 0.25, "simulated hours of each seed")
	simRest   = flag.Duration("sim.rest", time.Minute, "mean time without anything between two busy whiles")
	simBug    = flag.String("sim.bug", "", "a bug to plant, by name")
	simSpare  = flag.String("sim.without", "", "what the worlds are spared of what can go wrong in them, by name, with commas")
	simLog    = flag.Bool("sim.log", false, "show what the engine logs")
	simTrace  = flag.String("sim.trace", "", "a file to which the trace of the last seed is written")
	simReport = flag.String("sim.report", "", "a file to which the findings of one seed are written")
)

// TestSimulation lets a small hotel sell through three lying, failing channels
// and directly, kills and restarts the engine, and checks all the time and at
// every quiet point that nothing was lost, doubled or left wrong.
func TestSimulation(t *testing.T) {
	last := *simSeed + *simSeeds
	for seed := *simSeed; seed < last; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			var found findings
			seen := newTrace(*simTrace != "")
			defer func() { report(t, &found); seen.write(t, *simTrace) }() // a bubble that fails ends the test
			r := flagged(seed)
			r.trace = seen
			simulate(t, r, &found)
		})
	}
}

// flagged is what the flags ask of a seed.
func flagged(seed uint64) run {
	return run{seed: seed, hours: *simHours, rest: *simRest, bug: *simBug, without: split(*simSpare)}
}

// report tells what came of one seed.
func report(t *testing.T, found *findings) {
	t.Logf("%s", found)
	if t.Failed() {
		t.Logf("to see it again: go test ./sync -run 'TestSimulation$' -sim.seed %d -sim.seeds 1 -sim.hours %v -sim.rest %v -sim.bug %q -sim.without %q", found.Seed, *simHours, *simRest, *simBug, *simSpare)
	}
	if *simReport == "" {
		return
	}
	out, err := json.Marshal(found)
	if err == nil {
		err = os.WriteFile(*simReport, out, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestSimulationRepeats plays one world many times, and two of some hours twice: every
// call, every durable step and every entry of the journal is the same at the same nanosecond.
func TestSimulationRepeats(t *testing.T) {
	times := 20
	if race.On {
		times = 3 // make simulation plays all of them
	}
	t.Run("moments", func(t *testing.T) {
		repeats(t, times, run{seed: *simSeed + 10, hours: 0.04, rest: time.Second})
	})
	for _, later := range []uint64{6, 7} { // one in which reads hang, one that is quiet at the instant of a sale
		t.Run(fmt.Sprint("hours of ", *simSeed+later), func(t *testing.T) {
			repeats(t, 2, run{seed: *simSeed + later, hours: 6, rest: 2 * time.Hour})
		})
	}
}

func repeats(t *testing.T, times int, r run) {
	var first *trace
	for n := range times {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) {
			again := newTrace(true)
			r.trace = again
			simulate(t, r, new(findings))
			if first == nil {
				first = again
				return
			}
			if again.hash() != first.hash() {
				t.Fatal(first.differs(again))
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d runs of %d lines each have the trace %s", times, len(first.lines), first.hash())
}

// run is what is asked of one simulation.
type run struct {
	seed  uint64
	hours float64
	rest  time.Duration // mean time between two busy whiles
	bug   string        // planted; "": none
	trace *trace        // nil: nobody compares it

	binary string // plays it; "": this one

	without []string // what the world is spared of what can go wrong in it
}

// findings are what came of one.
type findings struct {
	Seed       uint64               `json:"seed"`
	Hours      float64              `json:"hours"`
	Trace      string               `json:"trace"`
	Faults     map[string]int       `json:"faults"`
	Oversells  map[string]int       `json:"oversells"` // rooms and nights by kind of pool
	Windows    map[string][]float64 `json:"windows"`   // seconds in which what was gone could be sold, by kind of pool
	Violations []string             `json:"violations"`
	Trouble    []string             `json:"trouble"` // what can go wrong in the world
	Rests      []float64            `json:"rests"`   // calls to come to rest, for each that there had to be
	Calls      int                  `json:"calls"`
	Bookings   int                  `json:"bookings"`

	spent time.Duration // of processor time, where a process of its own played it
}

func (f *findings) String() string {
	return fmt.Sprintf("seed %d: %.2f h, %d calls, %d bookings, oversells %v, faults %v, trace %s", f.Seed, f.Hours, f.Calls, f.Bookings, f.Oversells, f.Faults, f.Trace)
}

// simulate plays one world in a bubble.
func simulate(t *testing.T, r run, found *findings) {
	synctest.Test(t, func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, r.seed)
		w := newWorld(t, r)
		time.Sleep(worldTurn.after(w.habits.start))
		began := time.Now()
		outside, leave := context.WithCancel(context.Background())
		defer func() {
			w.stop()
			leave()
			w.leave()
			*found = w.findings(time.Since(began))
		}()
		w.build(outside)
		w.live(began.Add(time.Duration(r.hours * float64(time.Hour))))
	})
}

// live goes from one busy while to the next until the end.
func (w *world) live(end time.Time) {
	w.quiet()
	w.rests = nil // to be told everything for the first time is something else
	for time.Now().Before(end) && !w.t.Failed() {
		w.busy()
		if w.dice.IntN(3) == 0 {
			w.rest(w.draw(20 * time.Minute)) // and nobody ends the faults
		}
		w.quiet()
		if left := time.Until(end); left > 0 && !w.t.Failed() {
			w.rest(min(left, w.draw(2*w.run.rest)))
		}
	}
	checkRebuilt(w.ldg, func(format string, args ...any) { w.wrong(9, format, args...) })
	if !w.t.Failed() {
		w.quiet()
		w.checkForGood()
	}
}
