package sync_test

import (
	"context"
	"encoding/json"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// A channel that shows for a minute what it must not is one of which somebody is told, and
// stays so until it shows what it must: whatever fails, nobody has to look to find out. The
// oracle looks every while at all that channels show, and at what the journal says of them,
// which is what people and programs are told.
const (
	staleAfter  = time.Minute
	staleLooks  = 10 * time.Second // the oracle
	staleLately = 5 * time.Second  // until the engine has looked, and its entry is written
)

// staleCell is one thing that a channel shows.
type staleCell struct {
	f   *far
	key connectors.Key
}

// staleNight is a night of a room, by its code at every channel. While a price of it is not
// confirmed it is closed, and what opens it is owed from when that began: a price changed
// once more, or one that had been refused, of which somebody was asked, was taken.
type staleNight struct {
	room  string
	night hotel.Date
}

// staleValue is what it must show instead, and since when.
type staleValue struct {
	must  hotel.Offer
	since time.Time
}

// staleness is what the oracle follows of channels that are out of date.
type staleness struct {
	looked  time.Time
	read    int64 // of the journal
	flagged map[string]bool
	opens   map[staleNight]time.Time // from when on opening is owed
	cells   map[staleCell]staleValue
}

// watchStale checks that of each channel that has shown something wrong for long enough the
// journal says that it is out of date.
func (w *world) watchStale() {
	s, now := &w.stale, time.Now()
	if now.Sub(s.looked) < staleLooks {
		return
	}
	s.looked = now
	// What was changed at the channel by hand is found when it is read, what nobody can
	// store is not stored.
	if w.byHand || w.lock != nil || w.isFull() || w.killed() {
		clear(s.cells)
		return
	}
	w.readFlags()
	unheard, before := w.unheard(), s.cells
	s.cells = map[staleCell]staleValue{}
	w.differ(func(d difference) bool {
		if d.key.Group == hotel.Availability && (unheard[d.key.Night] || w.habits.pms) {
			return true // the hotel cannot know it yet
		}
		at, v := staleCell{d.f, d.key}, staleValue{d.want, now}
		if was, known := before[at]; known && was.must == v.must {
			v.since = was.since
		}
		if from := s.opens[staleNight{d.key.Room, d.key.Night}]; d.key.Group == hotel.Closures && from.After(v.since) {
			v.since = from
		}
		s.cells[at] = v
		if shows := now.Sub(v.since); shows > staleAfter+staleLately && !s.flagged[d.f.channel] && !w.refused(d.f)[d.key] {
			w.wrong(10, "%s for %v, of which nobody is told", d, shows)
			return false
		}
		return true
	})
}

// readFlags follows what the journal says of which channels are out of date.
func (w *world) readFlags() {
	for {
		entries, err := w.ldg.Entries(context.Background(), w.stale.read, 1000)
		if err != nil {
			w.t.Error(err)
			return
		}
		for _, e := range entries {
			w.stale.read = e.Sequence
			switch e.Kind { //nolint:exhaustive // the others say nothing of it
			case ledger.ChannelStale:
				w.stale.flagged[e.Subject] = true
				w.count("channel out of date")
			case ledger.ChannelRecovered:
				var body ledger.RecoveredBody
				if err := json.Unmarshal(e.Body, &body); err != nil {
					w.t.Error(err)
				}
				if body.From == ledger.FromStaleness {
					w.stale.flagged[e.Subject] = false
				}
			case ledger.ConflictSettled:
				var body ledger.ConflictBody
				if err := json.Unmarshal(e.Body, &body); err != nil {
					w.t.Error(err)
				}
				for _, c := range body.Conflict.Cells {
					w.opensFrom(body.Conflict.Subject.RoomTypeID, c.Span)
				}
			case ledger.RatesUpdated:
				var body ledger.ProductSpans
				if err := json.Unmarshal(e.Body, &body); err != nil {
					w.t.Error(err)
				}
				for _, r := range body.Ranges {
					w.opensFrom(body.RoomTypeID, r.Span)
				}
			}
		}
		if len(entries) < 1000 {
			return
		}
	}
}

// opensFrom notes that what opens a room type on some nights is owed from now on.
func (w *world) opensFrom(roomTypeID string, nights hotel.Span) {
	for i, r := range w.facts.house.Rooms {
		if r.ID == roomTypeID {
			for n := nights.From; n <= nights.To; n++ {
				w.stale.opens[staleNight{w.facts.house.RemoteRoom(i), n}] = time.Now()
			}
		}
	}
}
