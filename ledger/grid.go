package ledger

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// grid holds something of many cells of a channel. Nights of one kind lie side by side, so
// that a hundred thousand are looked through without a hash for each.
type grid[V any] struct {
	pages map[pageKey]*page[V]
	open  [hotel.Price + 1]*page[V] // those that were used last, by group
}

// pageNights is how many nights a page has: few enough that a single cell costs little.
const pageNights = 64

type page[V any] struct {
	key pageKey
	of  [pageNights]*V
}

// pageKey is a page's place: the first night divided by the nights of a page.
type pageKey struct {
	line      int64
	group     hotel.Group
	occupancy int
	number    hotel.Date
}

func pageOf(c hotel.Cell) (key pageKey, night int) {
	return pageKey{c.Line, c.Group, c.Occupancy, c.Night >> 6}, int(c.Night & (pageNights - 1))
}

// at returns what is held of a cell, nil when that is nothing.
func (s *grid[V]) at(c hotel.Cell) *V {
	key, night := pageOf(c)
	p := s.open[c.Group]
	if p == nil || p.key != key {
		if p = s.pages[key]; p == nil {
			return nil
		}
		s.open[c.Group] = p
	}
	return p.of[night]
}

// put holds v of a cell, in place of what was held.
func (s *grid[V]) put(c hotel.Cell, v *V) {
	key, night := pageOf(c)
	p := s.pages[key]
	if p == nil {
		if s.pages == nil {
			s.pages = map[pageKey]*page[V]{}
		}
		p = &page[V]{key: key}
		s.pages[key] = p
	}
	p.of[night] = v
}

// all lists what is held, in the order of lines, groups, occupancies and nights. What is put
// meanwhile may be among it or not.
func (s *grid[V]) all() iter.Seq2[hotel.Cell, *V] {
	return func(yield func(hotel.Cell, *V) bool) {
		keys := slices.SortedFunc(maps.Keys(s.pages), func(a, b pageKey) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.group, b.group), cmp.Compare(a.occupancy, b.occupancy), cmp.Compare(a.number, b.number))
		})
		for _, key := range keys {
			for night, v := range s.pages[key].of {
				if v != nil && !yield(hotel.Cell{Line: key.line, Group: key.group, Occupancy: key.occupancy, Night: key.number<<6 + hotel.Date(night)}, v) {
					return
				}
			}
		}
	}
}
