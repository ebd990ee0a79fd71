package availability

import (
	"fmt"
	"strings"

	"ostler.example/hotel"
)

// House is what the property has of one room type on one night, in rooms.
type House struct {
	Net       int // how many more fit; below 0: how many of those taken find no room
	Free      int // Net, never below 0
	Open      int // what the limits leave of Free
	Available int // what may be sold: Open, or 0 when the type is closed
}

// fewPools is the number of pools up to which a night is computed without
// asking for memory.
const fewPools = 16

// House computes the night for every room type, in the layout's order.
//
// Net is the most rooms of the type that can have a place beside everything
// else that is taken, less those of the type that are taken. A room has a place
// when its units can be assigned within the usable units of its pools, however
// the others have to be moved for it. Where everything has a place Net is the
// most rooms that can be added; where the others fill more than there is, none
// of the type has a place that would leave more of them without one.
//
// The net of a room type that is given is the number given less what it has not
// counted; pools have no say in it.
func (l *Layout) House(n *Night) []House {
	return l.AppendHouse(make([]House, 0, len(l.rooms)), n)
}

// AppendHouse does what House does, into the caller's memory.
func (l *Layout) AppendHouse(dst []House, n *Night) []House {
	var few [fewPools]int
	used, left := l.used(few[:0], n), l.houseLeft(n)
	for i := range l.rooms {
		dst = append(dst, l.house(used, left, n, i, nil))
	}
	return dst
}

// Explain computes the night for one room type and records the steps: stock,
// out_of_order, out_of_inventory, overbooking, sold, held, blocks, pool_sharing,
// sell_limit and house_limit. Up to blocks they count units of the pools that
// leave fewest rooms, from pool_sharing on rooms. For a room type that is given
// the steps up to pool_sharing are given and not_yet_at_pms.
//
// Whether the type is closed is a step of what a channel is shown, and of no use
// to what comes between: the steps end at Open.
func (l *Layout) Explain(n *Night, room int, tr *hotel.Trace) House {
	var few [fewPools]int
	return l.house(l.used(few[:0], n), l.houseLeft(n), n, room, tr)
}

// used adds up the units that rooms take from each pool that nothing can stand
// in for, into dst.
func (l *Layout) used(dst []int, n *Night) []int {
	for range l.pools {
		dst = append(dst, 0)
	}
	for i := range l.rooms {
		for _, t := range l.rooms[i].needs {
			dst[t.pool] += n.Rooms[i].taken() * t.units
		}
	}
	return dst
}

func (l *Layout) house(used []int, houseLeft int, n *Night, room int, tr *hotel.Trace) House {
	r, m := &n.Rooms[room], &l.rooms[room]
	var h House
	if m.given {
		h.Net = explainGiven(r, tr)
	} else {
		h.Net = l.net(used, n, room, tr)
	}
	h.Free = max(0, h.Net)
	h.Open = h.Free
	by := ""
	if r.SellLimit != NoLimit {
		h.Open = max(0, min(h.Open, r.SellLimit-r.Sold-r.Held))
		if tr != nil {
			by = fmt.Sprintf("limit %d", r.SellLimit)
		}
	}
	tr.AddCount("sell_limit", h.Open, by)
	if tr != nil && r.SellLimit != NoLimit {
		tr.Name(hotel.Acted{Limit: new(r.SellLimit)})
	}
	by = ""
	if n.HouseLimit != NoLimit {
		h.Open = max(0, min(h.Open, floorDiv(houseLeft, max(1, m.rooms))))
		if tr != nil {
			by = fmt.Sprintf("limit %d, %d rooms left", n.HouseLimit, houseLeft)
		}
	}
	tr.AddCount("house_limit", h.Open, by)
	if tr != nil && n.HouseLimit != NoLimit {
		tr.Name(hotel.Acted{Limit: new(n.HouseLimit), Left: new(houseLeft)})
	}
	if !r.Closed {
		h.Available = h.Open
	}
	return h
}

// explainGiven returns the net of a room type that is given.
func explainGiven(r *RoomNight, tr *hotel.Trace) int {
	tr.AddCount("given", r.Given, "")
	tr.AddCount("not_yet_at_pms", r.Given-r.Uncounted, "")
	return r.Given - r.Uncounted
}

// net counts how many more rooms of a type its pools take.
func (l *Layout) net(used []int, n *Night, room int, tr *hotel.Trace) int {
	m, taken := &l.rooms[room], n.Rooms[room].taken()
	if len(m.needs) == 0 && len(m.parts) == 0 {
		return 0
	}
	net, scarce := 0, scarcest{}
	for i, t := range m.needs {
		fit := max(-taken, floorDiv(n.Pools[t.pool].Usable()-used[t.pool], t.units))
		if i == 0 || fit < net {
			net, scarce = fit, scarcest{pool: t.pool, units: t.units}
		}
	}
	for i := range m.parts {
		p := &m.parts[i]
		fit := l.groups[p.group].most(n, room, p) - taken
		if i == 0 && len(m.needs) == 0 || fit < net {
			net, scarce = fit, scarcest{part: p, units: p.units}
		}
	}
	if tr != nil {
		l.explainPools(n, room, scarce, tr)
		tr.AddCount("pool_sharing", net, sharedBy(scarce.units))
	}
	return net
}

// scarcest is what leaves a room type fewest rooms: a pool, or where there is a
// part the pools of a group that the type may draw on.
type scarcest struct {
	pool, units int
	part        *part
}

// explainPools records the steps that are about the scarcest pools and this room
// type alone.
func (l *Layout) explainPools(n *Night, room int, s scarcest, tr *hotel.Trace) {
	of := []int{s.pool}
	if s.part != nil {
		of = l.groups[s.part.group].reach(s.part)
	}
	var all PoolNight
	names := make([]string, len(of))
	for i, p := range of {
		names[i] = l.pools[p].Name
		all.Total += n.Pools[p].Total
		all.OutOfOrder += n.Pools[p].OutOfOrder
		all.OutOfInventory += n.Pools[p].OutOfInventory
		all.Overbooking += n.Pools[p].Overbooking
	}
	units := all.Total
	step := func(name string, change int) {
		units += change
		tr.AddCount(name, units, "")
	}
	tr.AddCount("stock", units, strings.Join(names, " or "))
	step("out_of_order", -all.OutOfOrder)
	step("out_of_inventory", -all.OutOfInventory)
	step("overbooking", all.Overbooking)
	step("sold", -n.Rooms[room].Sold*s.units)
	step("held", -n.Rooms[room].Held*s.units)
	step("blocks", -n.Rooms[room].Blocked*s.units)
}

// sharedBy says what happens where others draw on the same pools.
func sharedBy(units int) string {
	if units == 1 {
		return "less what other room types take"
	}
	return fmt.Sprintf("less what other room types take, %d units a room", units)
}

// floorDiv divides and rounds down, also below zero: with -1 unit left, one
// room of two units finds no place.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
