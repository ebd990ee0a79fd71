package sync_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var guardedMutants = flag.Uint64("guarded.mutants", 0, "plant each bug of guarded pools and look for it in so many worlds")

// mistake is a line of the program that is written wrongly: a rule of guarded pools
// left out. It is planted while compiling, so that the program itself knows nothing
// of it.
type mistake struct{ name, file, right, wrong string }

var mistakes = []mistake{
	{"nothing is paid for a raise", "hotel/exposure/step.go", "	p.Account += cost\n", ""},
	{"a raise costs one less than it shows", "hotel/exposure/step.go", "	cost := v * a.weight()\n", "	cost := v*a.weight() - 1\n"},
	{"the desk sells all that is free", "ledger/sell.go", "case b.Undealt(d)[room].Available == 0:", "case b.House(d)[room].Available == 0:"},
	{
		"no answer gives back what was paid", "ledger/guarded_cells.go",
		"				// Whatever was paid stays paid: it may have been applied.\n", "				h.now = h.now.TurnedDown(a)\n",
	},
	{"a crash gives back what was paid", "ledger/settle.go", `Settlement{State: DeliveryUnknown, Error: "the program ended`, `Settlement{State: DeliveryNotSent, Error: "the program ended`},
	{
		"an acknowledged closing frees its rooms", "hotel/exposure/step.go",
		"		p.Doing, p.Since = Closed, now\n", "		p.Doing, p.Since = Closed, now\n		p.Account, p.Unknown = 0, false\n",
	},
	{"a closing without an answer counts", "ledger/guarded_cells.go", "case c.Value == 0 && became == DeliveryApplied:", "case c.Value == 0:"},
	{
		"a list that began before the answer counts", "hotel/exposure/step.go",
		"	case Resting, Setting, Closing, Drained, Counting:\n		return p\n	}\n	if !now.Before(", "	case Closing:\n		p.Read = id\n		return p\n	case Resting, Setting, Drained, Counting:\n		return p\n	}\n	if !now.Before(",
	},
	{"the last night of a list is left out", "sync/inbound/lister.go", "l.List.List(ctx, nights.From, nights.To+1, l.Sink)", "l.List.List(ctx, nights.From, nights.To, l.Sink)"},
	{"cancellations during a closing are forgotten", "hotel/exposure/step.go", "	keeps := live + p.Back\n", "	keeps := live\n"},
	{"a cancellation gives its room to anybody", "hotel/exposure/step.go", "		p.Back++\n", "		p.Account = max(0, p.Account-1)\n"},
	{"a counter that shows more is taken for dry", "hotel/exposure/orders.go", "	if !known || e > 0 || d.closing[i] ||", "	if !known || e > 1 || d.closing[i] ||"},
	{"what the second room type was granted is forgotten", "hotel/availability/undealt.go", "		if add == 0 {\n", "		if add == 0 || i == 1 {\n"},
	{"sales of a channel are not counted", "ledger/holding.go", "live: int(r.Live),", "live: 0,"},
	{"what the channel counts is what has a room here", "ledger/holding.go", "live: int(r.Live),", "live: int(r.Here),"},
	{"a count is taken without the sales after it", "sync/inbound/lister.go", "	return l.Idle, l.list(ctx, all)\n", "	return l.Idle, nil\n"},
	{"a raise without an answer is left as it is", "hotel/exposure/orders.go", "		return !h.Busy // nobody knows whether it took the raise\n", "		return false\n"},
	{"nobody looks at a counter again", "ledger/settle_party.go", "	out := make([]Doubt, len(rows))\n", "	rows = rows[:0]\n	out := make([]Doubt, len(rows))\n"},
	{"a closing is never followed by a list", "sync/inbound/lister.go", "	if !closed {\n", "	if closed || !closed {\n"},
}

var foundInWorld = regexp.MustCompile(`guarded_test\.go:\d+: .*(sold on|on sale or sold|are left on).*`)

// TestGuardedMutants leaves out one rule after the other and lets the simulation of
// guarded pools find each within so many worlds. The world that finds it finds
// nothing without it.
func TestGuardedMutants(t *testing.T) {
	if *guardedMutants == 0 {
		t.Skip("make mutants runs it")
	}
	ctx, dir := context.Background(), t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	control := compile(ctx, t, filepath.Join(dir, "control.test"), "")
	found := 0
	for i, m := range mistakes {
		path := filepath.Join(root, m.file)
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(source), m.right) != 1 {
			t.Errorf("%s: the line to be written wrongly is %d times in %s", m.name, strings.Count(string(source), m.right), m.file)
			continue
		}
		wrong, overlay := filepath.Join(dir, fmt.Sprint(i, ".go")), filepath.Join(dir, fmt.Sprint(i, ".json"))
		replaced, _ := json.Marshal(map[string]map[string]string{"Replace": {path: wrong}})
		for name, text := range map[string][]byte{wrong: []byte(strings.Replace(string(source), m.right, m.wrong, 1)), overlay: replaced} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		binary := compile(ctx, t, filepath.Join(dir, fmt.Sprint(i, ".test")), overlay)
		verdict := fmt.Sprintf("NOT found in %d worlds", *guardedMutants)
		for seed := uint64(1); seed <= *guardedMutants; seed++ {
			what := playGuarded(ctx, t, binary, seed)
			if what == "" {
				continue
			}
			if other := playGuarded(ctx, t, control, seed); other != "" {
				verdict = fmt.Sprintf("world %d finds something without it too: %s", seed, other)
				break
			}
			found++
			verdict = fmt.Sprintf("world %d: %s", seed, what)
			break
		}
		_ = os.Remove(binary)
		fmt.Fprintf(os.Stdout, "%s: %s\n", m.name, verdict)
	}
	fmt.Fprintf(os.Stdout, "mutants found: %d/%d\n", found, len(mistakes))
	if found < len(mistakes) {
		t.Fail()
	}
}

// compile compiles the tests of this package, with the files of an overlay in place
// of their own.
func compile(ctx context.Context, t *testing.T, to, overlay string) string {
	t.Helper()
	args := []string{"test", "-c", "-o", to}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.CommandContext(ctx, "go", append(args, ".")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

// playGuarded plays one world and returns the first thing that went wrong in it.
func playGuarded(ctx context.Context, t *testing.T, binary string, seed uint64) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^TestGuardedPoolIsNeverSoldTwice$", "-guarded.seed", fmt.Sprint(seed), "-guarded.seeds", "1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	if what := foundInWorld.FindString(string(out)); what != "" {
		_, what, _ = strings.Cut(what, ": ")
		return what
	}
	t.Errorf("world %d ended badly: %s", seed, out)
	return ""
}
