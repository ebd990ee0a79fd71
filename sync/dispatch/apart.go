package dispatch

import (
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/plan"
)

// mostRefused is how many calls may be refused as a whole in search of what is wrong in
// one. One value of ten thousand is found with fourteen.
const mostRefused = 32

// apart keeps the cells of calls that were refused as a whole: some far sides refuse
// everything that stands beside one value that they do not take. Such a call is told
// again in two halves, each of which may be refused again, until what is wrong stands
// alone. Who forgets this, with a restart, begins anew.
type apart struct {
	mu    sync.Mutex
	parts map[hotel.Cell]*part
}

// part is one half. Its search is the call that was refused first.
type part struct{ search *search }

type search struct{ refused int }

// refused notes that a call was, and says whether it is told again in parts. A single
// value, also one for a span of nights, is itself what is wrong; and where the search
// takes too long, all that is left of it counts as that.
func (a *apart) refused(cells []plan.Cell) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	found := &search{}
	if was := a.parts[cells[0].Ref]; was != nil {
		found = was.search
	}
	half := middle(cells)
	if found.refused++; half == 0 || found.refused > mostRefused {
		a.forget(cells)
		return false
	}
	if a.parts == nil {
		a.parts = map[hotel.Cell]*part{}
	}
	first, second := &part{found}, &part{found}
	for i, c := range cells {
		if a.parts[c.Ref] = first; i >= half {
			a.parts[c.Ref] = second
		}
	}
	return true
}

// answered notes that a call was, cell by cell.
func (a *apart) answered(cells []plan.Cell) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(cells)
}

func (a *apart) forget(cells []plan.Cell) {
	for _, c := range cells {
		delete(a.parts, c.Ref)
	}
}

// of parts cells by whether they may share a call, those first that may with any.
func (a *apart) of(cells []plan.Cell) [][]plan.Cell {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := [][]plan.Cell{nil}
	at := map[*part]int{nil: 0}
	for _, c := range cells {
		p := a.parts[c.Ref]
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
	changes := make([]connectors.Change, len(cells))
	place := make(map[connectors.Key]int, len(cells))
	for i, c := range cells {
		changes[i] = connectors.Change{Key: c.Key, Offer: c.Want}
		place[c.Key] = i
	}
	runs := connectors.Runs(changes)
	return place[runs[len(runs)/2].Key]
}
