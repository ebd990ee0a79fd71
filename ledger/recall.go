package ledger

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"ostler.example/hotel"
)

// recalls is who waits for a room to sell directly that is on sale at a channel.
// It is kept in memory: whoever waits is gone with it.
type recalls struct {
	of    map[string][]recall // by property; only the writer uses it
	until atomic.Int64        // when the first of them is over, in microseconds; 0: there is none
}

type recall struct {
	room  string // id of the room type
	stay  hotel.Stay
	until time.Time
}

// waiting returns how many rooms of each type somebody waits for on a night.
func (r *recalls) waiting(s *structure, night hotel.Date, now time.Time) []int {
	rooms := make([]int, len(s.rooms))
	for _, x := range r.of[s.property.ID] {
		if i, ok := s.empty.Room(x.room); ok && x.stay.Contains(night) && !now.After(x.until) {
			rooms[i]++
		}
	}
	return rooms
}

// add notes somebody who waits.
func (r *recalls) add(property string, x recall) {
	if r.of == nil {
		r.of = map[string][]recall{}
	}
	r.of[property] = append(r.of[property], x)
	if first := r.until.Load(); first == 0 || x.until.UnixMicro() < first {
		r.until.Store(x.until.UnixMicro())
	}
}

// due reports whether somebody waits no more whose rooms are still kept.
func (r *recalls) due(now time.Time) bool {
	first := r.until.Load()
	return first != 0 && now.UnixMicro() > first
}

// over returns the nights kept for those who wait no more.
func (r *recalls) over(now time.Time) map[string]nightSet {
	nights := map[string]nightSet{}
	for property, list := range r.of {
		for _, x := range list {
			if now.After(x.until) {
				if nights[property] == nil {
					nights[property] = nightSet{}
				}
				nights[property].addStay(x.stay)
			}
		}
	}
	return nights
}

// forget removes who waits no more.
func (r *recalls) forget(now time.Time) {
	first := int64(0)
	for property, list := range r.of {
		r.of[property] = slices.DeleteFunc(list, func(x recall) bool {
			if !now.After(x.until) {
				if at := x.until.UnixMicro(); first == 0 || at < first {
					first = at
				}
				return false
			}
			return true
		})
	}
	r.until.Store(first)
}

// Recall asks for a room of the type to be taken back from the channels for each
// night of a stay, and keeps what comes back from being dealt again until an
// instant. [Ledger.Changed] tells when to look.
func (l *Ledger) Recall(ctx context.Context, property, room string, stay hotel.Stay, until time.Time) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		l.recalls.add(property, recall{room, stay, until})
		nights := nightSet{}
		nights.addStay(stay)
		t.redeal(property, nights)
		return nil
	})
}
