package alpinebits

import (
	"context"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// takeRooms writes down how many rooms the hotel's own system has free: net, with all
// bookings that it knows of. So the room types have to be of the mode given, and nothing
// that it counts is subtracted once more.
func (s served) takeRooms(ctx context.Context, v visit) ([]byte, error) {
	set, err := message.ReadFreeRooms(v.request)
	if err != nil {
		return nil, unread(err)
	}
	if err := s.cfg.isFor(v.version, set.Hotel); err != nil {
		return nil, err
	}
	if set.Single {
		return nil, message.Refusal{Code: message.CodeInvalid, Why: "rooms are told by category and not one by one"}
	}
	shown := hotel.Span{From: v.layout.Today, To: v.layout.Last}
	var entries []hotel.InventoryEntry
	told, nights := map[string]hotel.RoomType{}, map[string][]hotel.Span{}
	for _, r := range set.Rooms {
		room, known := told[r.Category]
		if !known {
			if room, err = s.room(v, r.Category); err != nil {
				return nil, err
			}
			if !room.Given(v.layout.Property) {
				return nil, message.Refusal{Code: message.CodeRoom, Why: "the rooms of type " + room.Code + " are counted here: set availability_mode to given to have the PMS count them"}
			}
			told[r.Category] = room
		}
		if span, some := common(r.Nights, shown); some {
			entries = append(entries, counts(room, span, r.Free)...)
			nights[room.ID] = append(nights[room.ID], span)
		}
	}
	if set.Complete { // what is not in it is sold out, and nothing else is for a moment
		for _, room := range v.layout.Rooms {
			if !room.Given(v.layout.Property) {
				continue
			}
			for _, gap := range gaps(shown, nights[room.ID]) {
				entries = append(entries, counts(room, gap, 0)...)
			}
		}
	}
	err = inBatches(entries, func(e hotel.InventoryEntry) int { return e.Days() }, func(part []hotel.InventoryEntry) error { return v.house.WriteStock(ctx, part) })
	if err == nil && set.Complete {
		err = s.toldWhole(ctx, v)
	}
	if err != nil {
		return nil, err
	}
	return s.done(ctx, v, message.Answered)
}

// counts are entries about a room type, none of more dates than an entry may have.
func counts(room hotel.RoomType, nights hotel.Span, free int) []hotel.InventoryEntry {
	var entries []hotel.InventoryEntry
	for _, part := range hotel.EntryDates(nights) {
		entries = append(entries, hotel.InventoryEntry{RoomTypeID: room.ID, Dates: hotel.Dates{Span: part}, Given: hotel.Given(free)})
	}
	return entries
}

// common is what two spans have in common; false: nothing.
func common(a, b hotel.Span) (hotel.Span, bool) {
	c := hotel.Span{From: max(a.From, b.From), To: min(a.To, b.To)}
	return c, c.From <= c.To
}
