package sync_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mistake is a line of the program that is written wrongly: a rule of guarded pools
// left out. It is planted while compiling, so that the program itself knows nothing
// of it.
type mistake struct{ name, file, right, wrong string }

var mistakes = []mistake{
	{"nothing is paid for a raise", "hotel/exposure/step.go", "	p.Account += cost\n", ""},
	{"a raise costs one less than it shows", "hotel/exposure/step.go", "	cost := v * a.weight()\n", "	cost := v*a.weight() - 1\n"},
	{"the desk sells all that is free", "ledger/sell.go", "case b.Undealt(d)[room].Available == 0 &&", "case b.House(d)[room].Available == 0 &&"},
	{
		"no answer gives back what was paid", "ledger/guarded_cells.go",
		"				// Whatever was paid stays paid: it may have been applied.\n", "				h.now = h.now.TurnedDown(a, t.now)\n",
	},
	{"a crash gives back what was paid", "ledger/settle.go", `Settlement{State: DeliveryUnknown, Error: "the program ended`, `Settlement{State: DeliveryNotSent, Error: "the program ended`},
	{
		"an acknowledged closing frees its rooms", "hotel/exposure/step.go",
		"		p.Doing, p.Since = Closed, now\n", "		p.Doing, p.Since = Closed, now\n		p.Account, p.Unknown = 0, false\n",
	},
	{"a closing that was refused counts", "ledger/guarded_cells.go", "case c.Value == 0 && became == DeliveryApplied:", "case c.Value == 0:"},
	{"a closing without an answer counts", "ledger/guarded_cells.go", "case became == DeliveryUnknown:", "case became == DeliveryUnknown && c.Value == 0:\n				h.now = h.now.Shut(t.now)\n			case became == DeliveryUnknown:"},
	{"the last night of a list is left out", "sync/inbound/lister.go", "l.List.List(ctx, nights.From, nights.To+1, sink)", "l.List.List(ctx, nights.From, nights.To, sink)"},
	{"cancellations during a closing are forgotten", "hotel/exposure/step.go", "	keeps := live + p.Back\n	next := Resting\n", "	keeps := live\n	next := Resting\n"},
	{"a cancellation gives its room to anybody", "hotel/exposure/step.go", "		p.Back++\n", "		p.Account = max(0, p.Account-1)\n"},
	{"a counter that shows more is taken for dry", "hotel/exposure/orders.go", "	if !known || e > 0 || d.closing[i] ||", "	if !known || e > 1 || d.closing[i] ||"},
	{"what the second room type was granted is forgotten", "hotel/availability/undealt.go", "		if add == 0 {\n", "		if add == 0 || i == 1 {\n"},
	{"sales of a channel are not counted", "ledger/holding.go", "live: int(r.Live),", "live: 0,"},
	{"what the channel counts is what has a room here", "ledger/holding.go", "live: int(r.Live),", "live: int(r.Here),"},
	{"a count is taken without the sales after it", "ledger/internal/ledgerdb/party.sql.go", " AND (clean OR doing = 'counted')", " AND clean"},
	{"a raise without an answer is left as it is", "hotel/exposure/orders.go", "		return !h.Busy // nobody knows whether it took the raise\n", "		return false\n"},
	{"nobody looks at a counter again", "ledger/guarded_doubt.go", "	out := make([]Doubt, len(rows))\n", "	rows = rows[:0]\n	out := make([]Doubt, len(rows))\n"},
	{"a closing is never followed by a list", "sync/inbound/lister.go", "	if !waits {\n", "	if waits || !waits {\n"},
	{"a closing counts beside a raise that may still act", "hotel/exposure/step.go", "	clean := p.dead(a, now)\n", "	clean := true\n"},
	{"nobody is told of granted rooms that are gone", "ledger/overgranted.go", "	for at, n := range o.now {\n", "	clear(o.now)\n	for at, n := range o.now {\n"},
	{
		"a list is not waited for that shows sales late", "sync/channel.go",
		"box: new(contain.Box)}\n", "box: new(contain.Box)}\n		out.caps.SaleSettle = 0\n",
	},
	{
		"what one rate has sold counts for each of its room", "ledger/internal/ledgerdb/party.sql.go",
		"        AND s.remote_room = c.remote_room AND (c.remote_rate = '' OR s.remote_rate = c.remote_rate)) AS live,\n    (SELECT", "        AND s.remote_room = c.remote_room) AS live,\n    (SELECT",
	},
	{"waits go by a clock that somebody sets", "ledger/tx.go", "steady: b.w.l.clock.Steady()", "steady: b.now"},
}

// rareMistakes are those that worlds seldom come upon. The search of all states of
// small nights, in hotel/exposure, finds them.
var rareMistakes = []mistake{
	{
		"a list that began before the answer counts", "hotel/exposure/step.go",
		"	case Resting, Setting, Closing, Drained, Counting:\n		return p\n	}\n	if !now.Before(", "	case Closing:\n		p.Read = id\n		return p\n	case Resting, Setting, Drained, Counting:\n		return p\n	}\n	if !now.Before(",
	},
	{"a list counts for what was sent while it was read", "hotel/exposure/step.go", "p.Since, p.Read = d, value, false, 0, time.Time{}, 0", "p.Since = d, value, false, 0, time.Time{}"},
	{"a raise is sent beside one that may still act", "hotel/exposure/step.go", "	case (!a.Total || v < p.Account) && !p.dead(a, now):\n", "	case (!a.Total || v < p.Account) && p.Raise && !a.Versions && a.Lifetime <= 0:\n"},
	{"an answer ends raises before it, too", "hotel/exposure/step.go", "	if a.Versions || a.Once && p.lone() {", "	if a.Versions || a.Once {"},
	{"a count that several sell is paid once", "hotel/exposure/step.go", "	cost := v * a.weight()\n", "	cost := v\n"},
	{"a closing waits for no lifetime", "hotel/exposure/party.go", "a.Lifetime > 0 && now.After(p.RaiseLast.Add(a.Lifetime))", "a.Lifetime > 0"},
	{
		"a closing is waited for afterwards", "hotel/exposure/step.go",
		"	case Closed:\n		if !p.Clean {\n", "	case Closed:\n		if !p.Clean && !p.dead(a, now) {\n",
	},
	{
		"a counter that is open is paid for what is more", "hotel/exposure/step.go",
		"	cost := v * a.weight()\n", "	cost := v * a.weight()\n	if p.Doing == Set && v > p.Value {\n		cost = v - p.Value\n	}\n",
	},
	{
		"what is on sale is told again unpaid", "hotel/exposure/step.go",
		"	cost := v * a.weight()\n", "	cost := v * a.weight()\n	if p.Doing == Set && v == p.Value {\n		cost = 0\n	}\n",
	},
	{
		"a lower value frees what it shows less", "hotel/exposure/step.go",
		"	cost := v * a.weight()\n", "	cost := v * a.weight()\n	if p.Doing == Set && v < p.Value {\n		cost = v - p.Value\n	}\n",
	},
	{
		"a raise without an answer is sent again unpaid", "hotel/exposure/step.go",
		"	cost := v * a.weight()\n", "	cost := v * a.weight()\n	if p.Doing == Setting && p.Value == v && p.Raise {\n		return p, nil\n	}\n",
	},
	{
		"a list that began before the count counts", "hotel/exposure/step.go",
		"	case Set, Counted:\n		if !p.dead(a, now) {\n			return p\n		}\n	case Resting, Setting, Closing, Drained, Counting:\n",
		"	case Set, Counting, Counted:\n		if !p.dead(a, now) {\n			return p\n		}\n	case Resting, Setting, Closing, Drained:\n",
	},
	{"a feed that lags is believed at once", "hotel/exposure/step.go", "	if !now.Before(p.Since.Add(a.Lag)) {\n", "	if !now.Before(p.Since) {\n"},
	{"what was granted before is trusted", "hotel/exposure/party.go", "return Party{Unknown: true, Raise: true, RaiseLast: now}", "return Party{}"},
}

var firstFound = regexp.MustCompile(`channel \d+: .*`)

var foundInWorld = regexp.MustCompile(`guarded(?:_loss)?_test\.go:\d+: .*(sold on|on sale or sold|are left on|conflicts are told|said to have been raised).*`)

// TestEveryMistakeHasItsLine: a program that is rewritten may have the line no more that a
// mistake is to be made in, or several times, and weeks go by until its turn comes.
func TestEveryMistakeHasItsLine(t *testing.T) {
	for _, m := range slices.Concat(mistakes, rareMistakes, worldMistakes, restoreMistakes) {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) { m.source(t) })
	}
}

// source reads the file of the line that is to be written wrongly, which has it once.
func (m mistake) source(t *testing.T) (path string, source []byte) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", m.file))
	if err != nil {
		t.Fatal(err)
	}
	if source, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m.right); n != 1 {
		t.Fatalf("the line to be written wrongly is %d times in %s", n, m.file)
	}
	return path, source
}

// plant compiles the tests of a package with the mistake in the program.
func (m mistake) plant(t *testing.T, of string) (binary string) {
	dir := t.TempDir()
	path, source := m.source(t)
	wrong, overlay := filepath.Join(dir, "wrong.go"), filepath.Join(dir, "overlay.json")
	replaced, _ := json.Marshal(map[string]map[string]string{"Replace": {path: wrong}})
	for name, text := range map[string][]byte{wrong: []byte(strings.Replace(string(source), m.right, m.wrong, 1)), overlay: replaced} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return compile(t, of, filepath.Join(dir, "wrong.test"), "-overlay", overlay)
}

// compile compiles the tests of a package.
func compile(t *testing.T, of, to string, more ...string) string {
	args := append([]string{"test", "-c", "-o", to}, more...)
	if out, err := exec.CommandContext(t.Context(), "go", append(args, of)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

// searchStates returns the first thing that the search of all states finds wrong.
func searchStates(t *testing.T, binary string) string {
	out, err := exec.CommandContext(t.Context(), binary, "-test.run", "^TestNoRoomIsSoldTwice$", "-test.failfast").CombinedOutput()
	if err == nil {
		return ""
	}
	return firstFound.FindString(string(out))
}

// playGuarded plays one world of guarded pools and returns the first thing that went
// wrong in it.
func playGuarded(t *testing.T, binary string, seed uint64) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, "-test.run", "^TestGuardedPoolIsNeverSoldTwice$", "-guarded.seed", fmt.Sprint(seed), "-guarded.seeds", "1").CombinedOutput()
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
