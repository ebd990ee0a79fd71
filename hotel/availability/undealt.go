package availability

// Undealt computes the night as House does, with every room that is granted to a
// channel taken, and so many more of each room type; nil for none. It is what is
// left to be granted, and to be sold directly.
func (l *Layout) Undealt(n *Night, more []int) []House {
	return l.AppendUndealt(make([]House, 0, len(l.rooms)), n, more)
}

// AppendUndealt does what Undealt does, into the caller's memory.
func (l *Layout) AppendUndealt(dst []House, n *Night, more []int) []House {
	var taken *Night
	for i := range n.Rooms {
		add := n.Rooms[i].Granted
		if more != nil {
			add += more[i]
		}
		if add == 0 {
			continue
		}
		if taken == nil {
			c := *n
			c.Rooms = append([]RoomNight(nil), n.Rooms...)
			taken = &c
		}
		taken.Rooms[i].Held += add
		taken.Rooms[i].Uncounted += add
	}
	if taken == nil {
		taken = n
	}
	return l.AppendHouse(dst, taken)
}

// Sharing returns for each room type a number that it has in common with all
// that draw on a pool of its, or on one of theirs.
func (l *Layout) Sharing() []int {
	of := make([]int, len(l.rooms))
	for i := range of {
		of[i] = i
	}
	for i := range l.rooms {
		for j := range i {
			if l.meet(i, j) && of[i] != of[j] {
				from, to := max(of[i], of[j]), min(of[i], of[j])
				for k := range of {
					if of[k] == from {
						of[k] = to
					}
				}
			}
		}
	}
	return of
}

// meet reports whether two room types draw on the same pool, or on pools that
// can stand in for each other.
func (l *Layout) meet(a, b int) bool {
	for _, x := range l.rooms[a].needs {
		for _, y := range l.rooms[b].needs {
			if x.pool == y.pool {
				return true
			}
		}
	}
	for _, x := range l.rooms[a].parts {
		for _, y := range l.rooms[b].parts {
			if x.group == y.group {
				return true
			}
		}
	}
	return false
}
