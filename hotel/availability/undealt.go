package availability

// Undealt computes the night as House does, with every room that is granted to a
// channel taken. It is what is left to be granted, and to be sold directly: nothing of
// what a channel may take of which nobody knows what it sells.
func (l *Layout) Undealt(n *Night) []House {
	return l.AppendUndealt(make([]House, 0, len(l.rooms)), n)
}

// AppendUndealt does what Undealt does, into the caller's memory.
func (l *Layout) AppendUndealt(dst []House, n *Night) []House {
	return l.appendBeside(dst, n, func(i int) int {
		more := n.Rooms[i].Granted
		if n.Rooms[i].Unknown > 0 {
			more++ // than all there are
			for _, p := range n.Pools {
				more += max(0, p.Usable())
			}
		}
		return more
	})
}

// Beside computes the night as House does, with so many more rooms of each type taken,
// whatever is granted.
func (l *Layout) Beside(n *Night, more []int) []House {
	return l.appendBeside(make([]House, 0, len(l.rooms)), n, func(i int) int { return more[i] })
}

func (l *Layout) appendBeside(dst []House, n *Night, more func(room int) int) []House {
	var taken *Night
	for i := range n.Rooms {
		add := more(i)
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

// Empty computes the night as House does, with nothing taken and without a limit.
func (l *Layout) Empty(n *Night) []House {
	c := *n
	c.HouseLimit, c.Rooms = NoLimit, make([]RoomNight, len(n.Rooms))
	for i, r := range n.Rooms {
		c.Rooms[i] = RoomNight{SellLimit: NoLimit, Given: r.Given}
	}
	return l.House(&c)
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
