package ledger

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"ostler.example/hotel"
)

// recalls is who waits for rooms to sell directly that are on sale at channels. It is
// kept in memory: after a start whoever still wants them asks again.
type recalls struct {
	of    map[string][]recall // by property; only the writer uses it
	until atomic.Int64        // when the first of them is over, in microseconds; 0: there is none
}

// recall is what one sale waits for.
type recall struct {
	rooms []hotel.RoomNight // a night of a room type as often as rooms of it are wanted
	asked time.Time         // until when the request waits: who asks for the same later has come back
	until time.Time         // when it is over unless somebody comes back
}

// waiting returns how many rooms of each type somebody waits for on a night, but for
// the one whose rooms have just been sold.
func (r *recalls) waiting(s *structure, night hotel.Date, now time.Time, sold []hotel.RoomNight) []int {
	rooms := make([]int, len(s.rooms))
	served := r.find(s.property.ID, sold, now)
	for at, x := range r.of[s.property.ID] {
		if at == served || now.After(x.until) {
			continue
		}
		for _, n := range x.rooms {
			if i, ok := s.empty.Room(n.RoomTypeID); ok && n.Night == night {
				rooms[i]++
			}
		}
	}
	return rooms
}

// find returns the place of the first who waits for just these rooms, -1 for nobody.
func (r *recalls) find(property string, rooms []hotel.RoomNight, now time.Time) int {
	return slices.IndexFunc(r.of[property], func(x recall) bool { return !now.After(x.until) && slices.Equal(x.rooms, rooms) })
}

// add notes somebody who waits, or who has come back.
func (r *recalls) add(property string, x recall, now time.Time) {
	if r.of == nil {
		r.of = map[string][]recall{}
	}
	list := r.of[property]
	if back := slices.IndexFunc(list, func(was recall) bool { return now.After(was.asked) && slices.Equal(was.rooms, x.rooms) }); back >= 0 {
		list[back] = x
	} else {
		r.of[property] = append(list, x)
	}
	r.count()
}

// serve removes who waited for rooms that are sold.
func (r *recalls) serve(property string, sold []hotel.RoomNight, now time.Time) {
	if at := r.find(property, sold, now); at >= 0 {
		r.of[property] = slices.Delete(r.of[property], at, at+1)
		r.count()
	}
}

// count finds when the first of them is over.
func (r *recalls) count() {
	first := int64(0)
	for _, list := range r.of {
		for _, x := range list {
			if at := x.until.UnixMicro(); first == 0 || at < first {
				first = at
			}
		}
	}
	r.until.Store(first)
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
			if !now.After(x.until) {
				continue
			}
			for _, n := range x.rooms {
				markNight(nights, property, int64(n.Night))
			}
		}
	}
	return nights
}

// forget removes who waits no more.
func (r *recalls) forget(now time.Time) {
	for property, list := range r.of {
		r.of[property] = slices.DeleteFunc(list, func(x recall) bool { return now.After(x.until) })
	}
	r.count()
}

// Recall asks for rooms to be taken back from the channels, as a [DealtError] names
// them, and keeps what comes back from being dealt again until they are sold or an
// instant has come. Whoever asks for the same rooms after asked, when the request has
// stopped waiting, is taken for the one who asked before. [Ledger.Changed] tells when
// to look.
func (l *Ledger) Recall(ctx context.Context, property string, rooms []hotel.RoomNight, asked, until time.Time) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		l.recalls.add(property, recall{rooms, asked, until}, t.now)
		nights := nightSet{}
		for _, n := range rooms {
			nights[n.Night] = struct{}{}
		}
		t.redeal(property, nights)
		return nil
	})
}
