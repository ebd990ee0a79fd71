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
	of    map[string][]*recall // by property; only the writer uses it
	until atomic.Int64         // when the first of them is over, in microseconds; 0: there is none
}

// recall is what one sale waits for.
type recall struct {
	by    hotel.By          // whose sale in which request
	rooms []hotel.RoomNight // a night of a room type as often as rooms of it are wanted
	asked time.Time         // until when the request waits: who asks for the same later has come back
	until time.Time         // when it is over unless somebody comes back
}

// of reports whether a request is the one that waits, or one by which the same actor
// comes back for the same rooms.
func (x *recall) of(by hotel.By, rooms []hotel.RoomNight, now time.Time) bool {
	return slices.Equal(x.rooms, rooms) && x.by.Actor == by.Actor && (x.by.RequestID == by.RequestID || now.After(x.asked))
}

// waiting returns how many rooms of each type somebody waits for on a night, but for
// those whose rooms have just been sold to them.
func (r *recalls) waiting(s *structure, night hotel.Date, now time.Time, served []*recall) []int {
	rooms := make([]int, len(s.rooms))
	for _, x := range r.of[s.property.ID] {
		if slices.Contains(served, x) || now.After(x.until) {
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

// find returns who waits for just the rooms that a request sells, nil for nobody: the
// request itself before another that it comes back for. Whoever else waits for such
// rooms goes on waiting.
func (r *recalls) find(property string, rooms []hotel.RoomNight, by hotel.By, now time.Time, served []*recall) (found *recall) {
	for _, x := range r.of[property] {
		if now.After(x.until) || slices.Contains(served, x) || !x.of(by, rooms, now) {
			continue
		}
		if found == nil || x.by == by && found.by != by {
			found = x
		}
	}
	return found
}

// add notes somebody who waits, or who has come back.
func (r *recalls) add(property string, x *recall, now time.Time) {
	if r.of == nil {
		r.of = map[string][]*recall{}
	}
	list := r.of[property]
	if back := slices.IndexFunc(list, func(was *recall) bool { return now.After(was.asked) && was.of(x.by, x.rooms, now) }); back >= 0 {
		list[back] = x
	} else {
		r.of[property] = append(list, x)
	}
	r.count()
}

// serve removes somebody whose rooms are sold.
func (r *recalls) serve(property string, served *recall) {
	r.of[property] = slices.DeleteFunc(r.of[property], func(x *recall) bool { return x == served })
	r.count()
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
		r.of[property] = slices.DeleteFunc(list, func(x *recall) bool { return now.After(x.until) })
	}
	r.count()
}

// Recall asks for rooms to be taken back from the channels, as a [DealtError] names
// them, and keeps what comes back from being dealt again until by has sold them or an
// instant has come. A request of the same actor for the same rooms after asked, when this
// one has stopped waiting, is taken for the one who comes back. [Ledger.Changed] tells
// when to look.
func (l *Ledger) Recall(ctx context.Context, by hotel.By, property string, rooms []hotel.RoomNight, asked, until time.Time) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		l.recalls.add(property, &recall{by, rooms, asked, until}, t.now)
		nights := nightSet{}
		for _, n := range rooms {
			nights[n.Night] = struct{}{}
		}
		t.redeal(property, nights)
		return nil
	})
}

// serve notes that those have what they wait for whose rooms the item has sold.
func (t *tx) serve() {
	for property, rooms := range t.sold {
		if x := t.l.recalls.find(property, rooms, t.by, t.now, t.served()); x != nil {
			t.effects.served = append(t.effects.served, x)
			t.effects.publish = append(t.effects.publish, func() { t.l.recalls.serve(property, x) })
		}
	}
}

// served is who has what they wait for by this item, and by those before it in its batch.
func (t *tx) served() []*recall { return slices.Concat(t.b.after.served, t.effects.served) }
