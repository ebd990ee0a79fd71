package sync_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// swarmSeeds is what make sim passes on.
var swarmSeeds = flag.Uint64("swarm.seeds", 0, "run so many seeds over all cores, beginning with -sim.seed")

// seedTimeout is how long one seed may take in real time.
const seedTimeout = 10 * time.Minute

// TestSwarm runs many seeds, each in a process of its own, and sums up what came
// of them. It is what make sim runs.
func TestSwarm(t *testing.T) {
	if *swarmSeeds == 0 {
		t.Skip("make sim SEEDS=n runs it")
	}
	began := time.Now()
	var mu sync.Mutex
	var hours, spent float64
	var rests []float64
	faults, oversells, seeds, violations := map[string]int{}, map[string]int{}, 0, 0
	windows, longest := map[string][]float64{}, map[string]uint64{} // the seed of the longest
	each(seedsFrom(*simSeed, *swarmSeeds), func(seed uint64) {
		f, out := play(t, flagged(seed))
		mu.Lock()
		defer mu.Unlock()
		seeds++
		hours += f.Hours
		spent += f.spent.Seconds()
		rests = append(rests, f.Rests...)
		for k, n := range f.Faults {
			faults[k] += n
		}
		for k, n := range f.Oversells {
			oversells[k] += n
		}
		for k, s := range f.Windows {
			if slices.Max(s) > slices.Max(append(windows[k], 0)) {
				longest[k] = seed
			}
			windows[k] = append(windows[k], s...)
		}
		if violations += len(f.Violations); len(f.Violations) > 0 {
			fmt.Fprintf(os.Stdout, "seed %d:\n%s\n", seed, out)
		}
		if seeds%10 == 0 || len(f.Violations) > 0 {
			fmt.Fprintf(os.Stdout, "%d seeds, %.0f simulated hours, %d violations, %.0f s\n", seeds, hours, violations, time.Since(began).Seconds())
		}
	})
	fmt.Fprintf(os.Stdout, "simulated hours a second of processor time: %.1f (%d processes at a time)\n", hours/spent, runtime.GOMAXPROCS(0))
	fmt.Fprintf(os.Stdout, "seeds: %d\nsimulated hours: %.0f\n", seeds, hours)
	for _, k := range slices.Sorted(maps.Keys(faults)) {
		fmt.Fprintf(os.Stdout, "fault %s: %d\n", k, faults[k])
	}
	for _, k := range slices.Sorted(maps.Keys(oversells)) {
		fmt.Fprintf(os.Stdout, "oversells in %s: %d room nights\n", k, oversells[k])
	}
	for _, k := range slices.Sorted(maps.Keys(oversells)) {
		if len(windows[k]) == 0 {
			fmt.Fprintf(os.Stdout, "windows of oversells in %s: none\n", k)
			continue
		}
		fmt.Fprintf(os.Stdout, "windows of oversells in %s: %.0f s in the median, %.0f s in 99 of 100, of %d, the longest in seed %d\n",
			k, quantile(windows[k], 0.5), quantile(windows[k], 0.99), len(windows[k]), longest[k])
	}
	median := quantile(rests, 0.5)
	fmt.Fprintf(os.Stdout, "calls to come to rest for each that there had to be: %.2f in the median, %.2f in 99 of 100, of %d\n", median, quantile(rests, 0.99), len(rests))
	fmt.Fprintf(os.Stdout, "violations: %d\n", violations)
	if violations > 0 {
		t.Fail()
	}
	if median > mostRests {
		t.Errorf("coming to rest takes %.2f times the fewest calls in the median, more than %.1f", median, mostRests)
	}
}

// mostRests is how many calls coming to rest may take, in the median, for each that there
// has to be.
const mostRests = 1.5

func seedsFrom(first, n uint64) []uint64 {
	var all []uint64
	for seed := first; seed < first+n; seed++ {
		all = append(all, seed)
	}
	return all
}

// each calls f for every element, as many at a time as there are cores.
func each[T any](list []T, f func(T)) {
	work := make(chan T)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for v := range work {
				f(v)
			}
		})
	}
	for _, v := range list {
		work <- v
	}
	close(work)
	workers.Wait()
}

// play plays one world in a process of its own.
func play(t *testing.T, r run) (f findings, out string) {
	report := filepath.Join(t.TempDir(), "report")
	ctx, cancel := context.WithTimeout(context.Background(), seedTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, cmp.Or(r.binary, os.Args[0]), "-test.run", "^TestSimulation$", "-sim.seeds", "1", "-sim.seed", fmt.Sprint(r.seed),
		"-sim.hours", fmt.Sprint(r.hours), "-sim.rest", fmt.Sprint(r.rest), "-sim.bug", r.bug, "-sim.without", strings.Join(r.without, ","), "-sim.report", report)
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=1600") // a world lives in some 20 MB: to collect them less often saves a twentieth of the time
	said, err := c.CombinedOutput()
	b, unread := os.ReadFile(report)
	if unread == nil {
		unread = json.Unmarshal(b, &f)
	}
	if s := c.ProcessState; s != nil { // else it did not start
		f.spent = s.UserTime() + s.SystemTime()
	}
	if unread != nil || err != nil && len(f.Violations) == 0 {
		ended := fmt.Sprintf("the run ended with %v", errors.Join(err, unread, context.Cause(ctx))) // at its limit it has said nothing
		f.Violations, said = append(f.Violations, ended), append(said, ended...)
	}
	return f, string(said)
}
