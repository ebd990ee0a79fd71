package availability

import "slices"

// load is what is to be placed in a group: units that are left in each pool when
// those are taken that must come from it, below 0 where there are too few, and
// the draws of each kind that may choose.
type load struct{ left, draws []int }

// add adds what so many rooms need.
func (l *load) add(p *part, rooms int) {
	for _, t := range p.fixed {
		l.left[t.pool] -= t.units * rooms
	}
	for k, draws := range p.draws {
		l.draws[k] += draws * rooms
	}
}

func (l *load) copy() load { return load{slices.Clone(l.left), slices.Clone(l.draws)} }

// maxStates bounds the search for a place for draws of several units: so many
// ways to share out a kind are looked at before the load counts as one that does
// not fit. Then fewer rooms are shown than there are, never more. Draws of one
// unit need no search, and a few kinds of several units over a few pools end far
// below it.
const maxStates = 4096

// short returns how many units find no place when the load is placed as well as
// can be. It reports false when the search was given up.
func (g *group) short(l load) (int, bool) {
	for short := g.shortAtLeast(l); ; short++ {
		f := fill{group: g, states: maxStates}
		if f.fits(l, short) {
			return short, true
		}
		if f.states <= 0 {
			return 0, false
		}
	}
}

// fits reports whether the load can be placed with at most so many units short.
func (g *group) fits(l load, short int) bool {
	if g.shortAtLeast(l) > short {
		return false
	}
	f := fill{group: g, states: maxStates}
	return f.fits(l, short)
}

// shortAtLeast returns how many units find no place when a draw of several units
// may be split over pools: exact where there is none of those.
func (g *group) shortAtLeast(l load) int {
	units := make([]int, len(g.kinds))
	for k := range g.kinds {
		units[k] = l.draws[k] * g.kinds[k].units
	}
	return overdrawn(l.left) + g.unplaced(units, l.left)
}

// overdrawn adds up what is missing in pools that have less than nothing left.
func overdrawn(left []int) int {
	n := 0
	for _, units := range left {
		n += max(0, -units)
	}
	return n
}

// fill is one search.
type fill struct {
	group  *group
	states int // that may still be looked at
}

func (f *fill) fits(l load, short int) bool {
	l = l.copy()
	short -= overdrawn(l.left)
	for p := range l.left {
		l.left[p] = max(0, l.left[p])
	}
	return short >= 0 && f.place(l, 0, 0, short)
}

// place finds a place for the draws of the kinds from one in the group's order
// on, of that kind itself for those that are left, in its pools from the at-th
// on.
func (f *fill) place(l load, from, at, short int) bool {
	if f.states--; f.states < 0 {
		return false
	}
	if from == len(f.group.order) || f.group.kinds[f.group.order[from]].units == 1 {
		return f.group.unplaced(l.draws, l.left) <= short
	}
	k := f.group.order[from]
	units, anyOf := f.group.kinds[k].units, f.group.kinds[k].anyOf
	if at == len(anyOf) {
		return f.place(l, from+1, 0, short)
	}
	p, draws, left := anyOf[at], l.draws[k], l.left[anyOf[at]]
	fewest := 0
	if at == len(anyOf)-1 {
		fewest = draws
	}
	defer func() { l.draws[k], l.left[p] = draws, left }()
	for n := min(draws, (left+short)/units); n >= fewest; n-- {
		over := max(0, n*units-left)
		l.draws[k], l.left[p] = draws-n, max(0, left-n*units)
		if f.place(l, from, at+1, short-over) {
			return true
		}
	}
	return false
}

// unplaced returns how many units of the kinds find no place in what is left of
// the pools, each unit on its own: all units less the largest flow from kinds to
// pools.
func (g *group) unplaced(units, left []int) int {
	f := flow{group: g, left: slices.Clone(left), at: make([][]int, len(units))}
	missing := 0
	for k := range units {
		f.at[k] = make([]int, len(left))
		for missingOf := units[k]; missingOf > 0; {
			f.seen = make([]bool, len(left))
			n := f.push(k, missingOf)
			if n == 0 {
				missing += missingOf
				break
			}
			missingOf -= n
		}
	}
	return missing
}

// flow is units of kinds in pools.
type flow struct {
	group *group
	left  []int   // in each pool
	at    [][]int // units by kind and pool
	seen  []bool  // pools that this push has asked
}

// push finds a place for up to n units of a kind, moving others where that
// helps, and returns how many it placed.
func (f *flow) push(k, n int) int {
	for _, p := range f.group.kinds[k].anyOf {
		if f.seen[p] {
			continue
		}
		f.seen[p] = true
		if placed := min(n, f.left[p]); placed > 0 {
			f.left[p] -= placed
			f.at[k][p] += placed
			return placed
		}
		for other := range f.at {
			if f.at[other] == nil || f.at[other][p] == 0 {
				continue
			}
			if moved := f.push(other, min(n, f.at[other][p])); moved > 0 {
				f.at[other][p] -= moved
				f.at[k][p] += moved
				return moved
			}
		}
	}
	return 0
}
