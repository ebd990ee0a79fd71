package sync_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// habits are what one seed's world is like from its beginning to its end. Each
// has some of the faults and not others, and is as busy as it likes: what they find
// together is more than what a world with all of them would, for less.
type habits struct {
	zone   string
	start  time.Duration // into the year 2000
	calls  [3]int        // updates of each kind that a channel may be sent in a minute
	boards bool          // the ledger compares every board with its tables

	protects bool // some pool is guarded, if only at the last

	guarded [pools]bool // their rooms are granted to one channel at a time
	last    [pools]int  // so many of the last are; 0: none, or all

	days  hotel.Date    // how far ahead the house is sold
	acts  int           // at most so many things happen in a busy while, and a quarter of them at least
	beat  time.Duration // how often the engine is told the time while nothing is to happen for long
	reads string        // the schedule on which channels are read back
	polls string        // and of those channels that are asked for bookings
	edits bool          // somebody changes things at a channel by hand

	faults  []testkit.FaultKind // of the far sides
	kills   bool                // the hotel's side ends between two steps
	strays  bool                // messages are lost, late, doubled and out of order
	shuffle bool                // likewise within the pages of feeds
	steps   bool                // somebody sets the hotel's clock ahead
	storms  bool                // price lists that need many calls

	strangers bool // channels sell what the hotel knows nothing of, in another currency
	ventures

	spared map[string]bool // faults of those that are drawn and not planted
}

// The year's ends of what clocks and calendars do.
var starts = []time.Duration{
	0,
	58 * 24 * time.Hour,  // the day before the leap day
	84 * 24 * time.Hour,  // clocks go ahead in Europe in the first night
	301 * 24 * time.Hour, // and back
}

// zones are Vienna for what is common, the two ends of the world, and one that
// is not whole hours from the others.
var zones = []string{"Europe/Vienna", "Europe/Vienna", "Pacific/Kiritimati", "Etc/GMT+12", "America/St_Johns"}

var faultKinds = []testkit.FaultKind{
	testkit.Timeout, testkit.Cut, testkit.TooManyRequests, testkit.BareLimit, testkit.AbsurdLimit, testkit.ServerError, testkit.ErrorBody,
	testkit.WrongType, testkit.Redirect, testkit.LostAnswer, testkit.EmptyBody, testkit.Truncated, testkit.Dripping, testkit.HugeBody,
	testkit.Partial, testkit.Reject, testkit.Half, testkit.RepeatPage,
	diskFull, badCertificate, untold,
}

func newHabits(dice, more, late *rand.Rand) habits {
	sometimes := func(percent int) bool { return dice.IntN(100) < percent }
	h := habits{
		zone:  zones[dice.IntN(len(zones))],
		start: starts[dice.IntN(len(starts))] + time.Duration(20+dice.IntN(3))*time.Hour, // so that many runs pass midnight
		calls: [3]int{[]int{20, 60}[dice.IntN(2)], []int{3, 6}[dice.IntN(2)], 300},
		kills: sometimes(70), strays: sometimes(60), shuffle: sometimes(50), steps: sometimes(20), storms: sometimes(40), boards: sometimes(20),
	}
	for _, k := range faultKinds {
		often := 50
		if k == testkit.Partial || k == testkit.Reject || k == testkit.AbsurdLimit || k == untold {
			often = 35 // what it takes to come to rest afterwards is long
		}
		if sometimes(often) {
			h.faults = append(h.faults, k)
		}
	}
	h.guarded = [pools]bool{doublesPool: sometimes(20), suitesPool: sometimes(40)}
	for pool, guarded := range h.guarded {
		if !guarded && sometimes(30) {
			h.last[pool] = 1 + dice.IntN(2)
		}
	}
	h.protects = h.guarded != [pools]bool{} || h.last != [pools]int{}
	h.polls = []string{"@every 15s", "@every 1m", "@every 5m"}[dice.IntN(3)]
	h.edits = sometimes(30)
	h.days = []hotel.Date{7, 14, testkit.HorizonDays}[dice.IntN(3)]
	h.acts = []int{6, 20, 80}[dice.IntN(3)]
	h.beat = []time.Duration{time.Hour, 3 * time.Hour, 6 * time.Hour}[dice.IntN(3)]
	if h.reads = []string{"@every 1h", "@every 6h", "@every 24h"}[dice.IntN(3)]; h.edits || slices.Contains(h.faults, untold) {
		h.reads = "@every 1h" // which is what finds them
	}
	h.strangers = sometimes(30)
	h.ventures = newVentures(more)
	if h.lates = late.IntN(100) < 30; h.lates {
		h.reads = "@every 1h" // what has come late is looked for at once, and taken for a sale that is unheard of first
	}
	h.scarcity = newScarcity(late)
	return h
}

// switches are what can go wrong in a world besides the faults of its far sides, by name.
func (h *habits) switches() map[string]*bool {
	all := h.ventures.switches()
	maps.Copy(all, map[string]*bool{
		"kills": &h.kills, "strays": &h.strays, "shuffle": &h.shuffle, "steps": &h.steps, "storms": &h.storms, "edits": &h.edits, "strangers": &h.strangers, "protection": &h.protects,
	})
	return all
}

// trouble names what can go wrong in the world.
func (h *habits) trouble() []string {
	var all []string
	for name, on := range h.switches() {
		if *on {
			all = append(all, name)
		}
	}
	for _, kind := range h.faults {
		all = append(all, string(kind))
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(name string) bool { return h.spared[name] })
}

// spare takes something out of what can go wrong; without protection all pools are
// shared. Until then it would have, nothing in
// the world is different.
func (h *habits) spare(t *testing.T, without []string) {
	h.spared = map[string]bool{}
	for _, name := range without {
		on, isSwitch := h.switches()[name]
		switch {
		case isSwitch:
			*on = false
		case slices.Contains(faultKinds, testkit.FaultKind(name)):
			h.spared[name] = true
		default:
			t.Fatalf("nothing called %q can go wrong: there are %s and %s", name, slices.Sorted(maps.Keys(h.switches())), faultKinds)
		}
	}
	if !h.protects {
		h.guarded, h.last = [pools]bool{}, [pools]int{}
	}
}

// mood is how wild it is at the moment.
type mood struct {
	gap    time.Duration // mean time between two things that happen
	slow   time.Duration // longest time that a call is under way, each way
	nights int           // how many nights are busy: few hot ones find what many hide
	faults int           // of a hundred things that happen, so many are faults
	kills  int           // and so many are kills or restarts
}

func (w *world) newMood() mood {
	pick := func(of ...time.Duration) time.Duration { return of[w.dice.IntN(len(of))] }
	return mood{
		gap:    pick(20*time.Millisecond, 300*time.Millisecond, 3*time.Second),
		slow:   pick(5*time.Millisecond, 400*time.Millisecond, 4*time.Second),
		nights: []int{1, 3, 30}[w.dice.IntN(3)],
		faults: []int{0, 5, 25}[w.dice.IntN(3)],
		kills:  []int{0, 3, 10}[w.dice.IntN(3)],
	}
}
