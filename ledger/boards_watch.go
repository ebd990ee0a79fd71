package ledger

import (
	"maps"
	"slices"
)

// watchAtMost is how many nights a watch remembers. More would take the writer
// too long to read again.
const watchAtMost = 100

// watch is what commits change of a property's nights while something is made of
// a state that they leave behind.
type watch struct {
	touched nightSet
	rebuilt bool // all of it, or too much
}

// note takes in what a commit changed.
func (w *watch) note(d *draft) {
	for at := range d.nights {
		w.touched[at] = struct{}{}
	}
	w.rebuilt = w.rebuilt || d.rebuilt || len(w.touched) > watchAtMost
}

// watching lists everything that is being made of the property.
func (b *boards) watching(property string) []*watch {
	list := b.watches[property]
	if w := b.loading[property]; w != nil {
		list = append(slices.Clip(list), &w.watch)
	}
	return list
}

// watch begins to note what commits change of the property.
func (b *boards) watch(property string) *watch {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &watch{touched: nightSet{}}
	b.watches[property] = append(b.watches[property], w)
	return w
}

func (b *boards) unwatch(property string, w *watch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.watches[property] = slices.DeleteFunc(b.watches[property], func(o *watch) bool { return o == w })
	if len(b.watches[property]) == 0 {
		delete(b.watches, property)
	}
}

// noted returns the nights that commits have touched so far, and whether that
// is more than can be told.
func (b *boards) noted(w *watch) (nightSet, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(w.touched), w.rebuilt
}
