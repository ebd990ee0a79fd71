package sync_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// What make mutants and make simulation pass on.
var (
	mutantSeeds = flag.Uint64("mutant.seeds", 0, "plant every bug, look for it in so many seeds, and note in testdata/mutants.txt which found it")
	mutantName  = flag.String("mutant.name", "", "only bugs with this in their name")
	mutantTurn  = flag.Int("mutant.turn", -1, "plant the few bugs whose turn it is, and look for them at the seeds that are noted")
)

const (
	mutantsFile  = "testdata/mutants.txt" // a seed and a name a line
	mutantsATurn = 5
	nearSeeds    = 12 // a seed may stop to find a bug whenever the program changes; then one of those behind it does
)

// mutant is a bug that can be planted.
type mutant struct {
	name string

	// plant returns what plays the world of a seed with the bug, and what does
	// without. Either says what went wrong in it first, or nothing.
	plant func(t *testing.T) (with, without func(seed uint64) string)
}

// mutants lists all bugs by name. Those that are planted at the seams of the engine show
// in every world, and are looked for without what only some worlds have.
func mutants() []mutant {
	var all []mutant
	for name, plant := range bugs {
		hours, rest := 1.0, time.Minute
		if plant().long {
			hours, rest = 30, 5*time.Hour
		}
		with := func(t *testing.T, bug string) func(uint64) string {
			return func(seed uint64) string {
				return firstWrong(play(t, run{seed: seed, hours: hours, rest: rest, bug: bug, without: venturesByName()}))
			}
		}
		all = append(all, mutant{name, func(t *testing.T) (_, _ func(uint64) string) { return with(t, name), with(t, "") }})
	}
	for _, m := range worldMistakes {
		all = append(all, mutant{m.name, func(t *testing.T) (with, without func(uint64) string) {
			wrong := m.plant(t, ".")
			in := func(binary string) func(uint64) string {
				return func(seed uint64) string {
					return firstWrong(play(t, run{seed: seed, hours: 1, rest: time.Minute, binary: binary}))
				}
			}
			return in(wrong), in("")
		}})
	}
	small := func(list []mistake, play func(t *testing.T, binary string, seed uint64) string) {
		for _, m := range list {
			all = append(all, mutant{m.name, func(t *testing.T) (with, without func(uint64) string) {
				wrong := m.plant(t, ".")
				return func(seed uint64) string { return play(t, wrong, seed) }, func(seed uint64) string { return play(t, os.Args[0], seed) }
			}})
		}
	}
	small(mistakes, playGuarded)
	small(restoreMistakes, playRestored)
	for _, m := range rareMistakes {
		all = append(all, mutant{m.name, func(t *testing.T) (with, without func(uint64) string) {
			const of = "../hotel/exposure"
			wrong := m.plant(t, of)
			return func(uint64) string { return searchStates(t, wrong) }, func(uint64) string { return rightStates(t, of) }
		}})
	}
	slices.SortFunc(all, func(a, b mutant) int { return cmp.Compare(a.name, b.name) })
	return all
}

// rightStates is what the search of all states finds in the program as it is, which is
// searched once: it finds nothing, and takes longest then.
var rightStates = func() func(t *testing.T, of string) string {
	var once sync.Once
	var found string
	return func(t *testing.T, of string) string {
		once.Do(func() { found = searchStates(t, compile(t, of, filepath.Join(t.TempDir(), "right.test"))) })
		return found
	}
}()

// firstWrong is what went wrong first in a world, "" for nothing.
func firstWrong(f findings, _ string) string {
	return strings.Join(f.Violations[:min(1, len(f.Violations))], "")
}

// find looks for the bug from one seed on. The seed that finds it must find nothing
// without it.
func (m mutant) find(t *testing.T, from, seeds uint64) (seed uint64, found bool, verdict string) {
	with, without := m.plant(t)
	for seed = from; seed < from+seeds; seed++ {
		what := with(seed)
		if what == "" {
			continue
		}
		if control := without(seed); control != "" {
			return seed, false, fmt.Sprintf("seed %d finds something without it too: %s", seed, control)
		}
		return seed, true, fmt.Sprintf("seed %d: %s", seed, what)
	}
	return 0, false, fmt.Sprintf("NOT found in %d seeds from %d on", seeds, from)
}

// TestMutants plants one bug after the other and lets the simulations look for it.
// It is what make mutants runs.
func TestMutants(t *testing.T) {
	if *mutantSeeds == 0 {
		t.Skip("make mutants runs it")
	}
	all := slices.DeleteFunc(mutants(), func(m mutant) bool { return !strings.Contains(m.name, *mutantName) })
	var mu sync.Mutex
	seeds, found := noted(t), 0
	each(all, func(m mutant) {
		t.Run(m.name, func(t *testing.T) {
			seed, ok, verdict := m.find(t, *simSeed, *mutantSeeds)
			mu.Lock()
			defer mu.Unlock()
			if ok {
				seeds[m.name] = seed
				note(t, seeds) // it takes long: what is found is kept
				found++
			} else {
				t.Fail()
			}
			fmt.Fprintf(os.Stdout, "%s: %s\n", m.name, verdict)
		})
	})
	fmt.Fprintf(os.Stdout, "mutants found: %d/%d\n", found, len(all))
}

// TestMutantsByTurn plants a few bugs, others with every turn, and looks for them
// where they were found before.
func TestMutantsByTurn(t *testing.T) {
	if *mutantTurn < 0 {
		t.Skip("make simulation runs it")
	}
	seeds := noted(t)
	known := slices.DeleteFunc(mutants(), func(m mutant) bool { return seeds[m.name] == 0 })
	if len(known) < len(seeds) {
		t.Errorf("%s knows %d bugs, of which %d can be planted", mutantsFile, len(seeds), len(known))
	}
	var turn []mutant
	for i := range mutantsATurn {
		turn = append(turn, known[(*mutantTurn*mutantsATurn+i)%len(known)])
	}
	each(turn, func(m mutant) {
		t.Run(m.name, func(t *testing.T) {
			if _, found, verdict := m.find(t, seeds[m.name], nearSeeds); !found {
				t.Error(verdict)
			}
		})
	})
}

// noted reads which seed found which bug.
func noted(t *testing.T) map[string]uint64 {
	b, err := os.ReadFile(mutantsFile)
	if err != nil {
		t.Fatal(err)
	}
	seeds := map[string]uint64{}
	for line := range strings.Lines(string(b)) {
		var seed uint64
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := fmt.Sscan(number, &seed); err != nil {
			t.Fatalf("%s: %q is not a seed and a name", mutantsFile, line)
		}
		seeds[name] = seed
	}
	return seeds
}

// note writes down which seed found which bug of those that there are.
func note(t *testing.T, seeds map[string]uint64) {
	var b bytes.Buffer
	for _, m := range mutants() {
		if seed, ok := seeds[m.name]; ok {
			fmt.Fprintf(&b, "%d %s\n", seed, m.name)
		}
	}
	if err := os.WriteFile(mutantsFile, b.Bytes(), 0o600); err != nil {
		t.Error(err)
	}
}
