package ledger

import (
	"iter"
	"maps"

	"ostler.example/hotel"
)

// What a conflict about cells of a channel is about: of the house, and by the channel's
// code where that alone tells it from its twin, which is decided by itself.

// subject is what a cell is of.
func (c *comparison) subject(cell hotel.Cell) hotel.ConflictSubject {
	if cell.Group == hotel.Availability {
		return countedAt(c.counters[cell.Line], maps.Values(c.counters), cell.Night)
	}
	return soldAt(c.mappings[cell.Line], maps.Values(c.mappings), cell.Night)
}

// countedAt is a counter on a night, among all of its channel.
func countedAt(of Counter, all iter.Seq[Counter], night hotel.Date) hotel.ConflictSubject {
	s := hotel.ConflictSubject{Type: "cell", RoomTypeID: of.RoomTypeID, Date: night}
	for c := range all {
		if c.RoomTypeID == of.RoomTypeID && c.Line != of.Line && !c.Retired {
			s.RemoteRoom, s.RemoteRate = of.RemoteRoom, of.RemoteRate
		}
	}
	return s
}

// soldAt is a product under a code on a night, among all of its channel.
func soldAt(of hotel.Mapping, all iter.Seq[hotel.Mapping], night hotel.Date) hotel.ConflictSubject {
	s := hotel.ConflictSubject{Type: "cell", RoomTypeID: of.RoomTypeID, RatePlanID: of.RatePlanID, Date: night}
	for m := range all {
		if m.RoomTypeID == of.RoomTypeID && m.RatePlanID == of.RatePlanID && m.Line != of.Line && !m.Retired {
			s.RemoteRoom, s.RemoteRate = of.RemoteRoom, of.RemoteRate
		}
	}
	return s
}
