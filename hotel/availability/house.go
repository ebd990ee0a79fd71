package availability

import (
	"fmt"

	"ostler.example/hotel"
)

// House is what the property has of one room type on one night, in rooms.
type House struct {
	Net       int // how many more fit; below 0: how many find no room
	Free      int // Net, never below 0
	Available int // what may be sold: Free within the sell limit, 0 when closed
}

// fewPools is the number of pools up to which a night is computed without
// asking for memory.
const fewPools = 16

// House computes the night for every room type. The slices are in the order of
// the layout's pools and room types.
func (l *Layout) House(pools []PoolNight, rooms []RoomNight) []House {
	return l.AppendHouse(make([]House, 0, len(l.Rooms)), pools, rooms)
}

// AppendHouse does what House does, into the caller's memory.
func (l *Layout) AppendHouse(dst []House, pools []PoolNight, rooms []RoomNight) []House {
	var few [fewPools]int
	used := l.used(few[:0], rooms)
	for i := range l.Rooms {
		dst = append(dst, l.house(used, pools, rooms, i, nil))
	}
	return dst
}

// Explain computes the night for one room type and records the steps: stock,
// out_of_order, out_of_inventory, overbooking, sold, held, pool_sharing,
// sell_limit and closed. Up to held they count units of the pool that leaves
// fewest rooms, from pool_sharing on rooms.
func (l *Layout) Explain(pools []PoolNight, rooms []RoomNight, room int, tr *hotel.Trace) House {
	var few [fewPools]int
	return l.house(l.used(few[:0], rooms), pools, rooms, room, tr)
}

func (l *Layout) house(used []int, pools []PoolNight, rooms []RoomNight, room int, tr *hotel.Trace) House {
	draws, night := l.Rooms[room], rooms[room]
	var h House
	scarce := -1 // the pool that leaves fewest rooms
	for _, d := range draws {
		fit := floorDiv(pools[d.Pool].Usable()-used[d.Pool], units(draws, d.Pool))
		if scarce < 0 || fit < h.Net {
			scarce, h.Net = d.Pool, fit
		}
	}
	if tr != nil && scarce >= 0 {
		explainPool(pools[scarce], scarce, night, units(draws, scarce), tr)
	}
	if tr != nil {
		tr.AddCount("pool_sharing", h.Net, sharing(used, scarce, night, draws))
	}

	h.Free = max(0, h.Net)
	h.Available = h.Free
	by := ""
	if night.SellLimit != NoLimit {
		h.Available = max(0, min(h.Available, night.SellLimit-night.taken()))
		if tr != nil {
			by = fmt.Sprintf("limit %d", night.SellLimit)
		}
	}
	tr.AddCount("sell_limit", h.Available, by)
	by = ""
	if night.Closed {
		h.Available, by = 0, "room_type"
	}
	tr.AddCount("closed", h.Available, by)
	return h
}

// explainPool records the steps that are about one pool and this room type.
func explainPool(p PoolNight, index int, night RoomNight, perRoom int, tr *hotel.Trace) {
	n := p.Total
	tr.AddCount("stock", n, fmt.Sprintf("pool %d", index))
	n -= p.OutOfOrder
	tr.AddCount("out_of_order", n, "")
	n -= p.OutOfInventory
	tr.AddCount("out_of_inventory", n, "")
	n += p.Overbooking
	tr.AddCount("overbooking", n, "")
	n -= night.Sold * perRoom
	tr.AddCount("sold", n, "")
	n -= night.Held * perRoom
	tr.AddCount("held", n, "")
}

// sharing says what others take from the pool and what a room takes of it.
func sharing(used []int, pool int, night RoomNight, draws []Draw) string {
	if pool < 0 {
		return "draws on no pool"
	}
	perRoom := units(draws, pool)
	by := fmt.Sprintf("%d units taken by other room types", used[pool]-night.taken()*perRoom)
	if perRoom > 1 {
		by += fmt.Sprintf(", %d units a room", perRoom)
	}
	return by
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
