package sync_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// simShrink is what make shrink passes on.
var simShrink = flag.Bool("sim.shrink", false, "take out of the failing world of -sim.seed what it fails without, and note in testdata/failed.txt what is left")

// failedFile lists worlds that failed once: seed, hours, rest, and what they are spared
// of, with commas, or a dash. What they taught is told by a test of its own too, for a
// seed means another world whenever worlds are drawn otherwise.
const failedFile = "testdata/failed.txt"

// TestWorldsThatFailed plays the worlds again that failed once.
func TestWorldsThatFailed(t *testing.T) {
	b, err := os.ReadFile(failedFile)
	if err != nil {
		t.Fatal(err)
	}
	var worlds []run
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var r run
		var rest, without string
		if _, err := fmt.Sscan(line, &r.seed, &r.hours, &rest, &without); err != nil {
			t.Fatalf("%s: %q is not a seed, hours, a rest and what the world is spared of: %v", failedFile, line, err)
		}
		if r.rest, err = time.ParseDuration(rest); err != nil {
			t.Fatalf("%s: %v", failedFile, err)
		}
		r.without = split(strings.TrimPrefix(without, "-"))
		worlds = append(worlds, r)
	}
	each(worlds, func(r run) {
		if f, out := play(t, r); len(f.Violations) > 0 {
			t.Errorf("seed %d fails again: %s\n%s", r.seed, f.Violations[0], out)
		}
	})
}

// TestShrink makes a world that fails as small as it can be and still fail. It is what
// make shrink runs.
func TestShrink(t *testing.T) {
	if !*simShrink {
		t.Skip("make shrink SEED=n runs it")
	}
	r, f := shrink(flagged(*simSeed), func(r run) findings {
		f, _ := play(t, r)
		fmt.Fprintf(os.Stdout, "without %s, %.2f h: %d violations\n", r.without, r.hours, len(f.Violations))
		return f
	})
	if len(f.Violations) == 0 {
		t.Fatalf("nothing goes wrong in seed %d", r.seed)
	}
	fmt.Fprintf(os.Stdout, "it fails with %s alone, after %.2f h: %s\n", f.Trouble, r.hours, f.Violations[0])
	if r.bug != "" {
		return // nobody else has that bug
	}
	file, err := os.OpenFile(failedFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(file, "%d %.2f %s -%s\n", r.seed, r.hours, r.rest, strings.Join(r.without, ",")); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

// TestShrinkLeavesWhatItTakes: of a world that fails by two things together these two are
// left, and of its hours those until it fails.
func TestShrinkLeavesWhatItTakes(t *testing.T) {
	all := []string{"edits", "kills", "reject", "steps", "strays"}
	r, f := shrink(run{seed: 1, hours: 48}, func(r run) findings {
		f := findings{Hours: r.hours, Trouble: slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(r.without, name) })}
		if r.hours >= 3 && slices.Contains(f.Trouble, "kills") && slices.Contains(f.Trouble, "strays") {
			f.Hours, f.Violations = 3, []string{"it fails"}
		}
		return f
	})
	if want := []string{"kills", "strays"}; len(f.Violations) != 1 || !slices.Equal(f.Trouble, want) || r.hours != 3 {
		t.Errorf("%s are left, and %.0f h: %s", f.Trouble, r.hours, f.Violations)
	}
	if _, f := shrink(run{hours: 2}, func(r run) findings { return findings{Hours: r.hours} }); len(f.Violations) > 0 {
		t.Errorf("a world that is well fails by %s", f.Violations)
	}
}

// shrink takes out of a world that fails, one after the other, what it fails without,
// and cuts off what comes after it has.
func shrink(r run, play func(run) findings) (run, findings) {
	f := play(r)
	try := func(smaller run) {
		if g := play(smaller); len(g.Violations) > 0 {
			r, f = smaller, g
			r.hours = min(r.hours, g.Hours)
		}
	}
	if len(f.Violations) == 0 {
		return r, f
	}
	r.hours = min(r.hours, f.Hours)
	for _, name := range f.Trouble {
		smaller := r
		smaller.without = append(slices.Clone(r.without), name)
		try(smaller)
	}
	return r, f
}

func split(names string) []string {
	return slices.DeleteFunc(strings.Split(names, ","), func(name string) bool { return name == "" })
}
