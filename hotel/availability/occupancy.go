package availability

// Occupancy returns how many rooms of the house are taken on a night, and how
// many there are: rooms that are out of order are among them, those out of
// inventory are not.
func (l *Layout) Occupancy(n *Night) (taken, supply int) {
	for i := range l.rooms {
		taken += n.Rooms[i].taken() * l.rooms[i].rooms
	}
	for i := range l.pools {
		supply += (n.Pools[i].Total - n.Pools[i].OutOfInventory) * max(1, l.pools[i].Rooms)
	}
	return taken, supply
}

// RoomOccupancy returns how many rooms of a type are gone on a night, whoever has
// taken them, and how many could be sold in an empty house: a pool that is sold
// as doubles and as twins is as full for the one as for the other. Rooms count as
// for Occupancy.
func (l *Layout) RoomOccupancy(n *Night, room int) (taken, supply int) {
	physical := Night{Pools: make([]PoolNight, len(n.Pools)), Rooms: n.Rooms, HouseLimit: NoLimit}
	for i, p := range n.Pools {
		physical.Pools[i] = PoolNight{Total: p.Total, OutOfInventory: p.OutOfInventory}
	}
	empty := physical
	empty.Rooms = make([]RoomNight, len(n.Rooms))
	supply = l.net(l.used(nil, &empty), &empty, room, nil)
	return supply - l.net(l.used(nil, &physical), &physical, room, nil), supply
}
