package dispatch

import (
	"maps"
	"slices"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/plan"
)

// mostRefused is how many calls may be refused as a whole in search of what is wrong in
// one. One value of ten thousand is found with fourteen.
const mostRefused = 32

const (
	// restsFor is how long what is left of a search without an end is not told again:
	// then it is not a value that is wrong, but the far side.
	restsFor = 10 * time.Minute
	// probesAfter is how long nothing of it is told. Then one value is, to see whether the
	// far side takes it: what rests may be a closing.
	probesAfter = time.Minute
	// aloneFor is how long the line of a value that was found wrong shares no call, so
	// that what stands beside it is not refused, and searched through, each time.
	aloneFor = time.Hour

	// A far side refuses whatever it is told when it has taken nothing of so many values
	// that stood alone, or of fewer for so long: it is no longer they that are wrong. One
	// value is never enough, however often it is refused: that one is parked, and somebody
	// is asked about it.
	refusesAlone = 4
	refusesFew   = 2
	refusesFor   = time.Minute
	// mostParked is how many cells are remembered for it, of a far side that takes others.
	mostParked = 10_000
)

// apart keeps the cells of calls that were refused as a whole: some far sides refuse
// everything that stands beside one value that they do not take. Such a call is told
// again in two halves, each of which may be refused again, until what is wrong stands
// alone. Who forgets this, with a restart, begins anew. Its instants are in steady time.
type apart struct {
	mu    sync.Mutex
	parts map[hotel.Cell]*part
	rests map[hotel.Cell]rest
	wrong map[line]time.Time // until then it shares no call

	// What it refused by itself since it has taken anything: how many values in how many
	// calls, and when first. Zero: nothing.
	values, calls int
	since         time.Time
	parked        map[hotel.Cell]bool // the cells of such values, until one is taken itself
}

// part is one half, or a line that stands alone. The search of a half is the call that
// was refused first.
type part struct{ search *search }

type search struct {
	refused int
	probe   time.Time // when one value of what rests is told
	until   time.Time // when all of it is, where no probe was taken before
}

// rest is a value that a cell is not told while what is left of a search rests.
type rest struct {
	want hotel.Offer
	of   *search
}

// line is a counter or a product, of which a kind of value was wrong.
type line struct {
	line  int64
	group hotel.Group
}

func lineOf(c hotel.Cell) line { return line{c.Line, c.Group} }

// refused notes that a call was, and says whether what it carried is told again: in
// parts, or after a rest where the search takes too long, since it is the far side that is
// wrong. A single value, also one for a span of nights, is itself what is wrong. all is
// set where the far side refuses whatever it is told.
func (a *apart) refused(cells []plan.Cell, now time.Time) (again, all bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found := &search{}
	if was := a.parts[cells[0].Ref]; was != nil {
		found = was.search
	}
	a.begin()
	if found.refused++; found.refused > mostRefused {
		a.forget(cells)
		a.rest(cells, found, now)
		return true, true
	}
	half := middle(cells)
	if half == 0 {
		a.forget(cells)
		a.setAside(cells, now)
		return false, a.noneTaken(cells, now)
	}
	first, second := &part{found}, &part{found}
	for i, c := range cells {
		if a.parts[c.Ref] = first; i >= half {
			a.parts[c.Ref] = second
		}
	}
	return true, false
}

// allRefused notes that a call was answered, and each of its cells refused. It says
// whether the far side refuses whatever it is told.
func (a *apart) allRefused(cells []plan.Cell, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(cells)
	return a.noneTaken(cells, now)
}

// noneTaken notes that a call was refused value by value, and says whether that is so of
// all that was told. A cell that is told again, whatever it is told, is no further value;
// and one answer, however much of it is refused, says nothing of the next.
func (a *apart) noneTaken(cells []plan.Cell, now time.Time) bool {
	if a.calls < refusesAlone {
		further := a.further(cells)
		if a.values == 0 {
			a.since = now
		}
		if a.values += further; further > 0 {
			a.calls++
		}
	}
	return a.calls >= refusesAlone || a.values >= refusesFew && now.Sub(a.since) >= refusesFor
}

// further counts the values of a call of which no cell was refused before, and notes them.
func (a *apart) further(cells []plan.Cell) (values int) {
	if a.parked == nil || len(a.parked) > mostParked {
		a.parked = map[hotel.Cell]bool{}
	}
	runs, at := runsOf(cells)
	for _, run := range runs {
		known := false
		for _, k := range run.Keys() {
			ref := cells[at[k]].Ref
			known = known || a.parked[ref]
			a.parked[ref] = true
		}
		if !known {
			values++
		}
	}
	return values
}

// begin makes room for what is noted.
func (a *apart) begin() {
	if a.parts == nil {
		a.parts, a.rests, a.wrong = map[hotel.Cell]*part{}, map[hotel.Cell]rest{}, map[line]time.Time{}
	}
}

// rest has cells of a search without an end told nothing for a while.
func (a *apart) rest(cells []plan.Cell, of *search, now time.Time) {
	if of.until.IsZero() {
		of.until = now.Add(restsFor)
	}
	of.probe = now.Add(probesAfter)
	for _, c := range cells {
		a.rests[c.Ref] = rest{c.Want, of}
	}
}

// setAside has the lines of what was found wrong share no call for a while.
func (a *apart) setAside(cells []plan.Cell, now time.Time) {
	maps.DeleteFunc(a.wrong, func(_ line, until time.Time) bool { return !now.Before(until) })
	for _, c := range cells {
		a.wrong[lineOf(c.Ref)] = now.Add(aloneFor)
	}
}

// awake returns the cells that do not rest, and of those that do one each minute, which
// goes alone. Another value than the one that was refused is told at once.
func (a *apart) awake(cells []plan.Cell, now time.Time) []plan.Cell {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.rests, func(_ hotel.Cell, r rest) bool { return !now.Before(r.of.until) })
	probed := map[*search]bool{}
	return slices.DeleteFunc(cells, func(c plan.Cell) bool {
		r, rests := a.rests[c.Ref]
		if !rests || r.want != c.Want {
			return false
		}
		if probed[r.of] || now.Before(r.of.probe) {
			return true
		}
		probed[r.of] = true
		a.parts[c.Ref] = &part{r.of}
		return false
	})
}

// taken notes that something of a call was. A far side that takes something of what
// rests is well again, and told the rest of it at once.
func (a *apart) taken(cells []plan.Cell) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.values, a.calls = 0, 0
	a.forget(cells)
	for _, c := range cells {
		delete(a.parked, c.Ref)
		delete(a.wrong, lineOf(c.Ref))
		if woken, rests := a.rests[c.Ref]; rests {
			maps.DeleteFunc(a.rests, func(_ hotel.Cell, r rest) bool { return r.of == woken.of })
		}
	}
}

func (a *apart) forget(cells []plan.Cell) {
	for _, c := range cells {
		delete(a.parts, c.Ref)
	}
}

// of parts cells by whether they may share a call, those first that may with any.
func (a *apart) of(cells []plan.Cell, now time.Time) [][]plan.Cell {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := [][]plan.Cell{nil}
	at := map[*part]int{nil: 0}
	alone := map[line]*part{}
	for _, c := range cells {
		p := a.parts[c.Ref]
		if of := lineOf(c.Ref); p == nil && now.Before(a.wrong[of]) {
			if alone[of] == nil {
				alone[of] = &part{}
			}
			p = alone[of]
		}
		i, begun := at[p]
		if !begun {
			i = len(out)
			at[p], out = i, append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// middle returns where cells part in two, which is between two values and not within a
// span of nights that has one; 0: they are one value.
func middle(cells []plan.Cell) int {
	runs, at := runsOf(cells)
	return at[runs[len(runs)/2].Key]
}

// runsOf returns the values of cells, each for a span of nights, and where each cell stands.
func runsOf(cells []plan.Cell) ([]connectors.Run, map[connectors.Key]int) {
	changes := make([]connectors.Change, len(cells))
	at := make(map[connectors.Key]int, len(cells))
	for i, c := range cells {
		changes[i] = connectors.Change{Key: c.Key, Offer: c.Want}
		at[c.Key] = i
	}
	return connectors.Runs(changes), at
}
