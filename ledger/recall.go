package ledger

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
)

// recalls is who waits for a room to sell directly that is on sale at a channel.
// Only the writer uses it. It is kept in memory: whoever waits is gone with it.
type recalls map[string][]recall // by property

type recall struct {
	room  string // id of the room type
	stay  hotel.Stay
	until time.Time
}

// waiting returns how many rooms of each type somebody waits for on a night.
func (r recalls) waiting(s *structure, night hotel.Date, now time.Time) []int {
	rooms := make([]int, len(s.rooms))
	list := slices.DeleteFunc(r[s.property.ID], func(x recall) bool { return now.After(x.until) })
	r[s.property.ID] = list
	for _, x := range list {
		if i, ok := s.empty.Room(x.room); ok && x.stay.Contains(night) {
			rooms[i]++
		}
	}
	return rooms
}

// Recall asks for a room of the type to be taken back from the channels for each
// night of a stay, and keeps what comes back from being dealt again until an
// instant. [Ledger.Changed] tells when to look.
func (l *Ledger) Recall(ctx context.Context, property, room string, stay hotel.Stay, until time.Time) error {
	return l.recalling(ctx, property, stay, func() { l.recalls[property] = append(l.recalls[property], recall{room, stay, until}) })
}

func (l *Ledger) recalling(ctx context.Context, property string, stay hotel.Stay, change func()) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		change()
		nights := nightSet{}
		nights.addStay(stay)
		t.redeal(property, nights)
		return nil
	})
}
