package availability

import (
	"cmp"
	"slices"
)

// group is pools that stand in for each other in some draw, and the room types
// that draw on them. Inside a group pools go by their index in it.
type group struct {
	pools   []int    // of the layout
	kinds   []kind   // the draws with alternatives
	order   []int    // the kinds, those of most units first
	members []member // the room types that draw on it
}

// kind is a draw with alternatives, which several room types may have in common.
type kind struct {
	anyOf []int
	units int
}

// part is what one room of a type needs of a group.
type part struct {
	group int
	units int    // in all
	fixed []take // units that must come from one pool
	draws []int  // how many draws of each kind
}

// member is a room type of the layout with its part in the group.
type member struct {
	room int
	*part
}

// part returns the room type's part in a group, a new one if it had none.
func (m *made) part(group int) *part {
	for i := range m.parts {
		if m.parts[i].group == group {
			return &m.parts[i]
		}
	}
	m.parts = append(m.parts, part{group: group})
	return &m.parts[len(m.parts)-1]
}

// add adds a draw to what a room needs of the group.
func (g *group) add(p *part, d Draw) {
	p.units += d.Units
	anyOf := make([]int, len(d.AnyOf))
	for i, pool := range d.AnyOf {
		anyOf[i] = slices.Index(g.pools, pool)
	}
	slices.Sort(anyOf)
	if anyOf = slices.Compact(anyOf); len(anyOf) == 1 {
		p.fixed = addTake(p.fixed, anyOf[0], d.Units)
		return
	}
	at := slices.IndexFunc(g.kinds, func(k kind) bool { return k.units == d.Units && slices.Equal(k.anyOf, anyOf) })
	if at < 0 {
		at = len(g.kinds)
		g.kinds = append(g.kinds, kind{anyOf, d.Units})
	}
	for len(p.draws) <= at {
		p.draws = append(p.draws, 0)
	}
	p.draws[at]++
}

// join makes a room type a member, once all draws are added.
func (g *group) join(room int, p *part) {
	g.members = append(g.members, member{room, p})
	g.order = g.order[:0]
	for k := range g.kinds {
		g.order = append(g.order, k)
	}
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(g.kinds[b].units, g.kinds[a].units) })
}

// reach lists the pools of the layout on which a part may draw.
func (g *group) reach(p *part) []int {
	var of []int
	for local, pool := range g.pools {
		on := slices.ContainsFunc(p.fixed, func(t take) bool { return t.pool == local })
		for k, draws := range p.draws {
			on = on || draws > 0 && slices.Contains(g.kinds[k].anyOf, local)
		}
		if on {
			of = append(of, pool)
		}
	}
	return of
}

// most returns how many rooms of a type can have a place at most, beside all
// that others have taken: the largest number that leaves no more units without a
// place than there are without any room of the type.
func (g *group) most(n *Night, room int, p *part) int {
	var others load
	others.left = make([]int, len(g.pools))
	others.draws = make([]int, len(g.kinds))
	atMost := 0
	for local, pool := range g.pools {
		others.left[local] = n.Pools[pool].Usable()
	}
	for _, pool := range g.reach(p) {
		atMost += max(0, n.Pools[pool].Usable())
	}
	for _, m := range g.members {
		if m.room != room {
			others.add(m.part, n.Rooms[m.room].taken())
		}
	}
	short, ok := g.short(others)
	if !ok {
		return 0
	}
	low, high := 0, atMost/p.units // low fits, above high nothing does
	for low < high {
		mid := (low + high + 1) / 2
		with := others.copy()
		with.add(p, mid)
		if g.fits(with, short) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}
