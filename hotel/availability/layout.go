package availability

// Pool is a set of identical units.
type Pool struct {
	Name  string // what explanations call it
	Rooms int    // rooms that a unit has: 2 in a pool of connecting pairs
}

// Draw is one need of a room: so many units of any one of some pools, named by
// their index.
type Draw struct {
	AnyOf []int
	Units int
}

// Room says what a room of one type is made of. It needs all of its draws at
// once; a type that draws nothing has nothing to sell.
//
// Half of a connecting pair that is sold alone draws the whole pair: which halves
// share one is decided when rooms are assigned, and is not counted on before.
type Room struct {
	Draws []Draw
	Rooms int  // how many rooms it is in the house; 0: as many as its units have
	Given bool // its net is told by another system and not counted here
}

// Layout says what the room types of a property are made of. It is made once and
// may be used by any number of goroutines.
type Layout struct {
	pools  []Pool
	rooms  []made
	groups []group
}

// made is a room type in the form that counting needs.
type made struct {
	given bool
	rooms int
	needs []take // units of pools that nothing can stand in for
	parts []part // what it needs of pools that stand in for each other
}

// take is so many units of one pool.
type take struct{ pool, units int }

// NewLayout works out how the room types share the pools. The indexes in the
// draws must lie within the pools; every draw names a pool and takes a unit at
// least.
func NewLayout(pools []Pool, rooms []Room) *Layout {
	l := &Layout{pools: pools, rooms: make([]made, len(rooms))}
	groupOf := l.link(rooms)
	for i, r := range rooms {
		m := &l.rooms[i]
		m.given, m.rooms = r.Given, r.Rooms
		if m.rooms == 0 {
			m.rooms = roomsOf(pools, r.Draws)
		}
		for _, d := range r.Draws {
			if g := groupOf[d.AnyOf[0]]; g >= 0 {
				l.groups[g].add(m.part(g), d)
				continue
			}
			m.needs = addTake(m.needs, d.AnyOf[0], d.Units)
		}
	}
	for i := range l.rooms {
		for j := range l.rooms[i].parts {
			p := &l.rooms[i].parts[j]
			l.groups[p.group].join(i, p)
		}
	}
	return l
}

// roomsOf returns how many rooms the draws come to. Where pools with more and
// with fewer rooms a unit may serve, the fewer count.
func roomsOf(pools []Pool, draws []Draw) int {
	n := 0
	for _, d := range draws {
		fewest := max(1, pools[d.AnyOf[0]].Rooms)
		for _, p := range d.AnyOf[1:] {
			fewest = min(fewest, max(1, pools[p].Rooms))
		}
		n += d.Units * fewest
	}
	return n
}

// addTake adds units to what is taken of a pool.
func addTake(takes []take, pool, units int) []take {
	for i := range takes {
		if takes[i].pool == pool {
			takes[i].units += units
			return takes
		}
	}
	return append(takes, take{pool, units})
}

// link puts pools that stand in for each other in some draw, directly or by way
// of others, into one group. It returns the group of each pool, -1 for a pool
// that nothing can stand in for.
func (l *Layout) link(rooms []Room) []int {
	root := make([]int, len(l.pools))
	for i := range root {
		root[i] = i
	}
	find := func(p int) int {
		for root[p] != p {
			p = root[p]
		}
		return p
	}
	for _, r := range rooms {
		for _, d := range r.Draws {
			for _, p := range d.AnyOf[1:] {
				root[find(p)] = find(d.AnyOf[0])
			}
		}
	}
	members := make(map[int]int, len(l.pools))
	for p := range root {
		members[find(p)]++
	}
	groupOf, groups := make([]int, len(l.pools)), make(map[int]int, len(l.pools))
	for p := range root {
		groupOf[p] = -1
		if members[find(p)] == 1 {
			continue
		}
		g, ok := groups[find(p)]
		if !ok {
			g = len(l.groups)
			groups[find(p)] = g
			l.groups = append(l.groups, group{})
		}
		groupOf[p] = g
		l.groups[g].pools = append(l.groups[g].pools, p)
	}
	return groupOf
}
