package sync_test

import (
	"cmp"
	"slices"

	"ostler.example/connectors"
)

// fewest returns for each channel in how few calls all could be told that it shows and
// must not: packed as its operations allow, whatever is more urgent. Counts of guarded
// pools are left out, which are told what they are granted.
func (w *world) fewest() []int {
	if w.news() {
		return nil
	}
	changes := map[*far][]connectors.Change{}
	w.differ(func(d difference) bool {
		changes[d.f] = append(changes[d.f], connectors.Change{Key: d.key, Offer: d.want})
		return true
	})
	out := make([]int, len(w.far))
	for i, f := range w.far {
		driver, _ := connectors.Lookup("mock")
		settings, err := driver.Configure(nil, f.settings())
		if err != nil {
			w.t.Fatal(err)
		}
		slices.SortFunc(changes[f], func(a, b connectors.Change) int {
			return cmp.Or(cmp.Compare(a.Key.Group, b.Key.Group), cmp.Compare(a.Key.Room, b.Key.Room), cmp.Compare(a.Key.Rate, b.Key.Rate),
				cmp.Compare(a.Key.Occupancy, b.Key.Occupancy), cmp.Compare(a.Key.Night, b.Key.Night))
		})
		calls, _ := connectors.Pack(settings.Capabilities(connectors.Discovered{}).Operations, changes[f], func(string, []connectors.Entry) []byte { return nil })
		out[i] = len(calls)
	}
	return out
}

// rested notes how many calls it took to bring channels to rest that had something to be
// told, for each that there had to be. Where news is on its way it is told as it comes,
// and nobody can say how few calls that takes.
func (w *world) rested(fewest, before, after []int) {
	if w.byHand {
		return // what was changed there is believed when it is read twice, and not told before
	}
	for i, n := range fewest {
		if n > 0 {
			w.rests = append(w.rests, float64(after[i]-before[i])/float64(n))
		}
	}
}

// quantile returns the value that so large a part of others is not above; of none, 0.
func quantile(of []float64, part float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(len(of)-1, int(part*float64(len(of))))]
}

// news reports whether messages are on their way.
func (w *world) news() bool {
	for _, f := range w.far {
		if len(f.Book().Events(0, 1)) > 0 {
			return true
		}
	}
	return len(w.bag.carries()) > 0
}
