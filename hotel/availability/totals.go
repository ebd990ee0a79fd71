package availability

// Totals is the whole house on one night, in rooms: a type of several rooms
// counts as so many.
type Totals struct {
	Sold, Held, Blocked int
	Net                 int // rooms that are neither; below 0: taken beyond the house
}

// Totals adds up the night. The house has the rooms of all usable units, or its
// limit where that is less.
func (l *Layout) Totals(n *Night) Totals {
	var t Totals
	house := 0
	for i, p := range n.Pools {
		house += p.Usable() * max(1, l.pools[i].Rooms)
	}
	for i, r := range n.Rooms {
		t.Sold += r.Sold * l.rooms[i].rooms
		t.Held += r.Held * l.rooms[i].rooms
		t.Blocked += r.Blocked * l.rooms[i].rooms
	}
	if n.HouseLimit != NoLimit {
		house = min(house, n.HouseLimit)
	}
	t.Net = house - t.Sold - t.Held - t.Blocked
	return t
}

// houseLeft returns the rooms that the house limit leaves; it means nothing
// without a limit.
func (l *Layout) houseLeft(n *Night) int {
	left := n.HouseLimit
	if left == NoLimit {
		return 0
	}
	for i := range n.Rooms {
		left -= n.Rooms[i].taken() * l.rooms[i].rooms
	}
	return left
}
